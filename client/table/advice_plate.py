"""A plate over the board with what a bot advises, why, and a button that does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import brush, theme
from client.drawing.widgets import Button
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.corner import HIGH as CORNER
from client.table.geography import Point
from client.table.pane import Pane, Plates, carded
from shared.ids import Seat

_WIDE: Final = 388.0
_HEAD: Final = 38.0
_PAD: Final = 14.0
_GAP: Final = 6.0
_FOOT: Final = 50.0
_NEAR: Final = 40.0
"""Pixels around what matters that are kept free as well."""
_LOWER: Final = 128.0
"""Where it begins in the upper right, if something lies there already."""


class AdvicePlate(Pane):
    """See the module's docstring. `words`: sentences, the first of them what is advised; none: it is not there."""

    def __init__(self, do: Callable[[], object], close: Callable[[], object]) -> None:
        super().__init__()
        self._do = do
        self._close = close
        self._board = self.rect
        self._points: tuple[Point, ...] = ()
        self._taken: tuple[Rect, ...] = ()
        self.words: tuple[str, ...] = ()
        self.seat: Seat = 0
        self.thinking = False

    def show(self, words: Sequence[str], seat: Seat, thinking: bool) -> None:
        """Show these sentences to a seat, or that an answer is still to come."""
        if (tuple(words), seat, thinking) != (self.words, self.seat, self.thinking):
            self.words, self.seat, self.thinking = tuple(words), seat, thinking
            self.over(self._board)

    def over(self, board: Rect) -> None:
        """Lie on the board where it covers least of what matters, as high as the words need."""
        self._board = board
        wide = min(theme.px(_WIDE), board.width * 0.6)
        high = theme.px(_HEAD + _GAP) + self._tall(wide) + theme.px(_FOOT if self._answers else _PAD)
        self.place(min(_places(board, wide, high), key=self._covered))

    def spare(self, points: Sequence[Point], taken: Sequence[Rect]) -> None:
        """Cover none of these points of the window, and nothing that lies there, if that can be."""
        if (tuple(points), tuple(taken)) != (self._points, self._taken):
            self._points, self._taken = tuple(points), tuple(taken)
            self.over(self._board)

    def _covered(self, rect: Rect) -> int:
        near = theme.px(_NEAR)
        wider = arcade.LRBT(rect.left - near, rect.right + near, rect.bottom - near, rect.top + near)
        points = sum(bool(wider.point_in_rect(point)) for point in self._points)
        return 2 * points + sum(bool(rect.overlaps(other)) for other in self._taken)

    @property
    def shown(self) -> bool:
        """Whether it is there."""
        return bool(self.words)

    @property
    def _answers(self) -> bool:
        return self.shown and not self.thinking

    def _lines(self, wide: float) -> list[arcade.Text]:
        room = round(wide - theme.px(2 * _PAD))
        return [
            brush.kept(line, size=theme.LARGE - 1 if not place else theme.BODY, bold=not place and not self.thinking,
                       colour=theme.INK if not place else theme.INK_SOFT, italic=self.thinking, width=room)
            for place, line in enumerate(self.words)
        ]  # fmt: skip

    def _tall(self, wide: float) -> float:
        return sum(line.content_height + theme.px(_GAP) for line in self._lines(wide))

    def holds(self, x: float, y: float) -> bool:
        return self.shown and super().holds(x, y)

    def build(self) -> None:
        if not self._answers:
            return
        high, gap, pad = theme.px(32), theme.px(8), theme.px(_PAD)
        room = (self.rect.width - 2 * pad - gap) / 2
        left, low = self.rect.left + pad, self.rect.bottom + theme.px(12)
        do = Button(arcade.LBWH(left, low, room, high), _("Do it"), self._do, kind="primary", size=theme.BODY,
                    tip=told(Command.ADVISED))  # fmt: skip
        close = Button(arcade.LBWH(left + room + gap, low, room, high), _("Not now"), self._close, size=theme.BODY,
                       tip=_("{key} or {other}", key=told(Command.ADVICE), other=told(Command.BACK)))  # fmt: skip
        for button in (do, close):
            self.ui.add(button)

    def plates(self) -> Plates:
        return carded(self.rect, theme.px(4))

    def paint(self) -> None:
        rect = self.rect
        y, side = rect.top - theme.px(_HEAD / 2 + 4), theme.px(30)
        brush.piece(f"caesar_{self.seat}", arcade.XYWH(rect.left + theme.px(_PAD) + side / 2, y, side, side))
        brush.say(_("Advice"), rect.left + theme.px(_PAD) + side + theme.px(8), y, size=theme.HEADING - 2, title=True,
                  colour=theme.TERRACOTTA_DEEP)  # fmt: skip
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


def _places(board: Rect, wide: float, high: float) -> list[Rect]:
    """Where it could lie, the best first."""
    gap = theme.px(8)
    left, right, low, top = board.left + gap, board.right - wide - gap, board.bottom + gap, board.top - high - gap
    below = top - theme.px(CORNER) - gap
    corners = (right, top), (left, low), (left, below), (right, low), (right, top - theme.px(_LOWER))
    return [arcade.LBWH(x, y, wide, high) for x, y in corners]
