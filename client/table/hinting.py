"""Hints at a table: the plate that shows them, and the marks for what they mention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Final, Generic

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.widgets import Button, Label
from client.language import _
from client.player.hints import FirstGame
from client.table.hints import Hint, Progress
from client.table.lesson import Lit
from client.table.pane import Popup
from client.table.position import T
from client.table.task import AnyTask
from shared.ids import Seat
from shared.kernel.frames import Event

_PAD: Final = 12.0
_HEAD: Final = 34.0
_FOOT: Final = 46.0
_HIGH: Final = 30.0
_TEXT: Final = (theme.BODY - 0.5, theme.SMALL)
"""Font sizes of the words; the smaller one only where there is little room."""
_FREE: Final = 40.0
"""Height of the chronicle that stays free where possible, so that its last lines can be read."""


class HintPlate(Popup):
    """Plate with a hint. `words`: "" hides it. `close`: called after reading; `stop`: turns hints off."""

    def __init__(self, close: Callable[[], object], stop: Callable[[], object]) -> None:
        super().__init__()
        self._close = close
        self._stop = stop
        self._lines = self.rect
        self._head, self._size = _HEAD, _TEXT[0]
        self.words = ""

    def show(self, words: str) -> None:
        """Show this hint."""
        if words != self.words:
            self.words = words
            self.over(self._lines)

    def over(self, lines: Rect) -> None:
        """Place it over the uppermost lines of the chronicle, as high as the words need. It does without a heading
        where room is short."""
        self._lines = lines
        for self._head, self._size in product((_HEAD, _PAD), _TEXT):
            high = theme.px(self._head + _FOOT) + self._said().rect.height
            if high <= lines.height - theme.px(_FREE):
                break
        self.place(arcade.LBWH(lines.left - theme.px(6), lines.top - high, lines.width + theme.px(12), high))

    def _said(self) -> Label:
        wide = self._lines.width - theme.px(2 * _PAD - 12)
        return Label(self.words, 0, 0, anchor_y="top", width=wide, size=self._size)

    @property
    def shown(self) -> bool:
        return bool(self.words)

    def build(self) -> None:
        if not self.shown:
            return
        rect, pad, high = self.rect, theme.px(_PAD), theme.px(_HIGH)
        self.ui.add(self._said()).move(rect.left + pad, rect.top - theme.px(self._head))
        low, gap = rect.bottom + theme.px(10), theme.px(8)
        wide = (rect.width - 2 * pad - gap) / 2
        more = arcade.LBWH(rect.left + pad, low, wide, high)
        self.ui.add(Button(more, _("No more tips"), self._stop, kind="quiet", size=theme.BODY,
                           tip=_("The settings bring them back.")))  # fmt: skip
        got = arcade.LBWH(more.right + gap, low, wide, high)
        self.ui.add(Button(got, _("Got it"), self._close, kind="primary", size=theme.BODY))

    def paint(self) -> None:
        rect = self.rect
        if self._head == _HEAD:
            shapes.say(_("Good to know"), rect.left + theme.px(_PAD), rect.top - theme.px(_HEAD / 2 + 2),
                      size=theme.LARGE, title=True, colour=theme.TERRACOTTA_DEEP)  # fmt: skip


NOTHING = Lit()


class Hinting(Generic[T]):
    """Hints at a table. `shown`: called after a hint came or went."""

    def __init__(self, hints: Sequence[Hint[T]], game: FirstGame, shown: Callable[[], object]) -> None:
        self._shown = shown
        self.progress = Progress(hints, game)
        self.plate = HintPlate(self._close, self._stop)
        self._frame = -1
        """Number of the decision that the present hint is about."""

    @property
    def lit(self) -> Lit:
        """The things that the present hint points at."""
        return self.progress.hint.lit if self.progress.hint is not None else NOTHING

    def hear(self, events: Sequence[Event]) -> None:
        """Note these events."""
        self.progress.hear(events)

    def follow(self, table: T, seat: Seat, task: AnyTask, version: int, usable: Callable[[Lit], bool]) -> None:
        """Look for a hint at a decision of the player, see `Progress.follow`."""
        before = self.progress.hint
        self.progress.follow(self.progress.glance(table, seat, task), version, usable)
        if self.progress.hint is not before:
            self._frame = table.frames[-1].no
        self._show()

    def leave(self, table: T) -> None:
        """Close the hint if its decision has been made."""
        if self.progress.hint is not None and all(frame.no != self._frame for frame in table.frames):
            self._close()

    def put_away(self, version: int) -> None:
        """Close the hint if it came before that version, as the match has gone on."""
        if self.progress.version < version:
            self._close()

    def heed(self, key: str) -> None:
        """Close that hint, as the player did what it says."""
        if self.progress.hint is not None and self.progress.hint.key == key:
            self._close()

    def _close(self) -> None:
        self.progress.put_away()
        self._show()

    def _stop(self) -> None:
        self.progress.stop()
        self._show()

    def _show(self) -> None:
        self.plate.show(self.progress.hint.words if self.progress.hint is not None else "")
        self._shown()
