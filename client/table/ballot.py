"""A plate over the board with what the people at the table are asked, who is for it, and two buttons; or that the match
is paused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import brush, theme
from client.drawing.widgets import Button, ButtonKind
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.corner import HIGH as CORNER
from client.table.deciding import Notice
from client.table.pane import Pane, Plates, carded
from shared.ids import NONE

_WIDE: Final = 404.0
_HEAD: Final = 38.0
_PAD: Final = 14.0
_GAP: Final = 6.0
_FOOT: Final = 50.0


class BallotPlate(Pane):
    """See the module's docstring. `answer`: yes or no; `go_on`: asks to end the pause."""

    def __init__(self, answer: Callable[[bool], object], go_on: Callable[[], object]) -> None:
        super().__init__()
        self._answer = answer
        self._go_on = go_on
        self._board = self.rect
        self.notice: Notice | None = None

    def show(self, notice: Notice | None) -> None:
        """Say that; None: it is not there."""
        if notice != self.notice:
            self.notice = notice
            self.over(self._board)

    def over(self, board: Rect) -> None:
        """Lie at the lower left of the board, above its buttons, as high as the words need."""
        self._board = board
        wide, gap = min(theme.px(_WIDE), board.width * 0.6), theme.px(8)
        high = theme.px(_HEAD + _GAP) + self._tall(wide) + theme.px(_FOOT if self._has_buttons else _PAD)
        self.place(arcade.LBWH(board.left + gap, board.bottom + theme.px(CORNER) + 2 * gap, wide, high))

    @property
    def shown(self) -> bool:
        """Whether it is there."""
        return self.notice is not None

    @property
    def _has_buttons(self) -> bool:
        return self.notice is not None and (self.notice.answers or self.notice.goes_on)

    def _lines(self, wide: float) -> list[arcade.Text]:
        lines = self.notice.lines if self.notice is not None else ()
        room = round(wide - theme.px(2 * _PAD))
        return [
            brush.kept(line, size=theme.LARGE - 1 if not place else theme.BODY, bold=not place,
                       colour=theme.INK if not place else theme.INK_SOFT, width=room)
            for place, line in enumerate(lines)
        ]  # fmt: skip

    def _tall(self, wide: float) -> float:
        return sum(line.content_height + theme.px(_GAP) for line in self._lines(wide))

    def holds(self, x: float, y: float) -> bool:
        return self.shown and super().holds(x, y)

    def build(self) -> None:
        notice = self.notice
        if notice is None or not self._has_buttons:
            return
        if notice.goes_on:
            self._button(0, 1, _("Ask to go on"), self._go_on, "primary", "")
            return
        self._button(0, 2, _("Yes"), lambda: self._answer(True), _kind(notice.choice), told(Command.AYE))
        no = None if notice.choice is None else not notice.choice
        self._button(1, 2, _("No"), lambda: self._answer(False), _kind(no), told(Command.NAY))

    def _button(
        self, place: int, count: int, words: str, action: Callable[[], object], kind: ButtonKind, tip: str
    ) -> None:
        high, gap, pad = theme.px(32), theme.px(8), theme.px(_PAD)
        room = (self.rect.width - 2 * pad - gap * (count - 1)) / count
        rect = arcade.LBWH(self.rect.left + pad + place * (room + gap), self.rect.bottom + theme.px(12), room, high)
        self.ui.add(Button(rect, words, action, kind=kind, size=theme.BODY, tip=tip))

    def plates(self) -> Plates:
        return carded(self.rect, theme.px(4))

    def paint(self) -> None:
        if self.notice is None:
            return
        rect, notice = self.rect, self.notice
        y, side, left = rect.top - theme.px(_HEAD / 2 + 4), theme.px(30), rect.left + theme.px(_PAD)
        if notice.asker != NONE:
            brush.piece(f"caesar_{notice.asker}", arcade.XYWH(left + side / 2, y, side, side))
            left += side + theme.px(8)
        brush.say(notice.heading, left, y, size=theme.HEADING - 2, title=True, colour=theme.TERRACOTTA_DEEP)
        brush.say(notice.clock, rect.right - theme.px(_PAD), y, size=theme.BODY, align="right", colour=theme.INK_SOFT)
        top = rect.top - theme.px(_HEAD + 4)
        for line in self._lines(rect.width):
            line.position = round(rect.left + theme.px(_PAD)), round(top)
            line.draw()
            top -= line.content_height + theme.px(_GAP)

    def draw(self) -> None:
        if self.shown:
            super().draw()
        else:
            self._stale = False


def _kind(chosen: bool | None) -> ButtonKind:
    """The look of an answer: all are alike until one is given."""
    return "primary" if chosen else "plain"
