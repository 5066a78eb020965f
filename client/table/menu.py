"""The menu over the table: concede, resign, help, leave."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Generic

import arcade

from client.drawing import theme
from client.drawing.widgets import Button, ButtonKind, Panel, Ui
from client.table.guide import Guide
from client.table.match import House, TableMatch
from client.table.position import T
from shared.ids import NONE
from shared.kernel.frames import Action
from shared.vocabulary.actions import Concede, Resign

_WIDE = 440.0
_ROW = 42.0
_GAP = 9.0


class Menu(Generic[T]):
    """See the module's docstring. While `open`, it has mouse and keyboard."""

    def __init__(self, match: TableMatch[T], guide: Guide[T], house: House, act: Callable[[Action], bool]) -> None:
        self._match = match
        self._guide = guide
        self._house = house
        self._act = act
        self.ui = Ui()
        self.open = False
        self._sure = False
        self._size = (1.0, 1.0)

    def place(self, width: float, height: float) -> None:
        """The window has that size."""
        self._size = width, height
        if self.open:
            self._build()

    def show(self) -> None:
        """Open it."""
        self.open, self._sure = True, False
        self._build()

    def close(self) -> None:
        """Close it."""
        self.open = False
        self.ui.clear()

    def _entries(self) -> list[tuple[str, Callable[[], object], ButtonKind, str]]:
        """Words, action, kind, explanation."""
        entries: list[tuple[str, Callable[[], object], ButtonKind, str]] = [
            ("Back to the game", self.close, "primary", "Esc")
        ]
        match, table = self._match, self._match.view
        entries.append(("Rules and help", self._help, "plain", "F1"))
        if table is not None and match.seat in self._guide.living(table) and not match.finished:
            entries += self._concessions(table)
            if match.check(Resign()) is None:
                words = "Really resign? Click again" if self._sure else "Resign"
                entries.append((words, self._resign, "danger", "Your pieces leave the board; nobody is rewarded."))
        tip = "A bot keeps your seat until you come back." if match.seat >= 0 and not match.finished else ""
        entries.append(("Leave the table", self._house.leave_table, "plain", tip))
        return entries

    def _concessions(self, table: T) -> list[tuple[str, Callable[[], object], ButtonKind, str]]:
        seat = self._match.seat
        if table.conceded[seat] != NONE:
            return [("Take back the concession", partial(self._concede, NONE), "plain", "")]
        tip = "Once all others agree, that player has won. You can take it back until then."
        return [
            (f"Concede to {self._match.name(to)}", partial(self._concede, to), "plain", tip)
            for to in self._guide.living(table)
            if to != seat
        ]  # fmt: skip

    def _build(self) -> None:
        self.ui.clear()
        entries = self._entries()
        width, height = self._size
        wide = theme.px(_WIDE)
        high = theme.px(96 + len(entries) * (_ROW + _GAP) + 14)
        panel = arcade.XYWH(round(width / 2), round(height / 2), wide, high)
        self.ui.add(Panel(panel, title="The table"))
        top = panel.top - theme.px(82)
        for words, action, kind, tip in entries:
            rect = arcade.LBWH(panel.left + theme.px(40), top - theme.px(_ROW), wide - theme.px(80), theme.px(_ROW))
            button = self.ui.add(Button(rect, words, action, kind=kind, tip=tip))
            if kind == "primary":
                self.ui.set_focus(button)
            top -= theme.px(_ROW + _GAP)

    def _concede(self, to: int) -> None:
        self._act(Concede(to))
        self.close()

    def _resign(self) -> None:
        if self._sure:
            self._act(Resign())
            self.close()
            return
        self._sure = True
        self._build()

    def _help(self) -> None:
        self.close()
        self._house.show_help()

    def draw(self) -> None:
        """Draw it over the darkened table."""
        if not self.open:
            return
        arcade.draw_rect_filled(arcade.LBWH(0, 0, *self._size), theme.alpha(theme.NIGHT_DEEP, 150))
        self.ui.draw()
