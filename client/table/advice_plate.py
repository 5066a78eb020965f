"""Plate over the board with the advice of a bot, its reasons, and a button that follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.corner_buttons import HIGH as CORNER
from client.table.geography import Point
from client.table.text_plate import TextPlate
from shared.ids import Seat

_WIDE: Final = 388.0
_NEAR: Final = 40.0
"""Margin in pixels around the points that the plate should not cover."""
_LOWER: Final = 128.0
"""Distance from the upper right corner at which the plate begins if something lies there already."""


class AdvicePlate(TextPlate):
    """Plate with the advice of a bot. `words`: sentences, of which the first is the advice; without any the plate is
    hidden."""

    def __init__(self, do: Callable[[], object], close: Callable[[], object]) -> None:
        super().__init__()
        self._do = do
        self._close = close
        self._lines = self.rect
        self._at = 0
        """Index of its place among the possible ones."""
        self._points: tuple[Point, ...] = ()
        self._taken: tuple[Rect, ...] = ()
        self.words: tuple[str, ...] = ()
        self.seat: Seat = 0
        self.thinking = False

    @property
    def lines(self) -> Sequence[str]:
        return self.words

    @property
    def pending(self) -> bool:
        return self.thinking

    @property
    def has_buttons(self) -> bool:
        return self.shown and not self.thinking

    def show(self, words: Sequence[str], seat: Seat, thinking: bool) -> None:
        """Show these sentences to a seat, or that an answer is still to come."""
        if (tuple(words), seat, thinking) != (self.words, self.seat, self.thinking):
            self.words, self.seat, self.thinking = tuple(words), seat, thinking
            self.over(self._board)

    def beside(self, lines: Rect) -> None:
        """Note where the lines of the chronicle lie."""
        self._lines = lines

    def over(self, board: Rect) -> None:
        """Choose the place that covers the least of importance, beside the board or on it. The height follows the
        words."""
        self._board = board
        wide = min(theme.px(_WIDE), board.width * 0.6)
        places = [*_places(board, wide, self.tall(wide)), *self._aside()]
        covered = [self._covered(place) for place in places]
        if self._at >= len(places) or covered[self._at] > min(covered):
            self._at = covered.index(min(covered))  # Else it stays where the player found it before.
        self.place(places[self._at])

    def _aside(self) -> Iterator[Rect]:
        """Yield the place over the chronicle if it is high enough. Its lines can wait until the advice has been
        read."""
        lines = self._lines
        high = self.tall(lines.width)
        if high <= lines.height:
            yield arcade.LBWH(lines.left, lines.top - high, lines.width, high)

    def spare(self, points: Sequence[Point], taken: Sequence[Rect]) -> None:
        """Avoid covering these points and rectangles of the window where possible."""
        if (tuple(points), tuple(taken)) != (self._points, self._taken):
            self._points, self._taken = tuple(points), tuple(taken)
            self.over(self._board)

    def _covered(self, rect: Rect) -> int:
        near = theme.px(_NEAR)
        wider = arcade.LRBT(rect.left - near, rect.right + near, rect.bottom - near, rect.top + near)
        points = sum(bool(wider.point_in_rect(point)) for point in self._points)
        return 2 * points + sum(bool(rect.overlaps(other)) for other in self._taken)

    def build(self) -> None:
        if not self.has_buttons:
            return
        keys = _("{key} or {other}", key=told(Command.CONFIRM), other=told(Command.ADVISED))
        self.button(0, 2, _("Do it"), self._do, "primary", keys)
        tip = _("{key} or {other}", key=told(Command.ADVICE), other=told(Command.BACK))
        self.button(1, 2, _("Not now"), self._close, "plain", tip)

    def paint(self) -> None:
        self.paint_words(self.seat, _("Advice"))


def _places(board: Rect, wide: float, high: float) -> list[Rect]:
    """Return the possible places on the board, the best first."""
    gap = theme.px(8)
    left, right, low, top = board.left + gap, board.right - wide - gap, board.bottom + gap, board.top - high - gap
    below = top - theme.px(CORNER) - gap
    corners = (right, top), (left, low), (left, below), (right, low), (right, top - theme.px(_LOWER))
    return [arcade.LBWH(x, y, wide, high) for x, y in corners]
