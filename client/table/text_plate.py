"""Plate over the board with a few lines, of which the first is emphasised, and buttons below."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.widgets import Button, ButtonKind
from client.table.pane import Popup
from shared.ids import NONE

_HEAD: Final = 38.0
_PAD: Final = 14.0
_GAP: Final = 6.0
_FOOT: Final = 50.0
_ROW: Final = 40.0


class TextPlate(Popup):
    """Plate with lines of text; subclasses define the lines."""

    edge = 4.0

    def __init__(self) -> None:
        super().__init__()
        self._board = self.rect

    @property
    def lines(self) -> Sequence[str]:
        """Its lines; it is hidden without any."""
        raise NotImplementedError

    @property
    def pending(self) -> bool:
        """Whether its words are only provisional."""
        return False

    @property
    def has_buttons(self) -> bool:
        """Whether there are any buttons."""
        raise NotImplementedError

    @property
    def rows(self) -> int:
        """Number of rows of buttons, if there are any."""
        return 1

    @property
    def matter(self) -> Hashable:
        return tuple(self.lines[:1])

    @property
    def shown(self) -> bool:
        return bool(self.lines)

    def tall(self, wide: float) -> float:
        """Return its height (pixels) at that width."""
        words = sum(line.content_height + theme.px(_GAP) for line in self._texts(wide))
        foot = _FOOT + _ROW * (self.rows - 1) if self.has_buttons else _PAD
        return theme.px(_HEAD + _GAP) + words + theme.px(foot)

    def button(
        self, place: int, count: int, words: str, action: Callable[[], object], kind: ButtonKind, tip: str, row: int = 0
    ) -> None:
        """Add the button at index `place` of `count` in a row; row 0 is the lowest."""
        high, gap, pad = theme.px(32), theme.px(8), theme.px(_PAD)
        room = (self.rect.width - 2 * pad - gap * (count - 1)) / count
        rect = arcade.LBWH(
            self.rect.left + pad + place * (room + gap), self.rect.bottom + theme.px(12 + row * _ROW), room, high
        )
        self.ui.add(Button(rect, words, action, kind=kind, size=theme.BODY, tip=tip))

    def paint_words(self, seat: int, heading: str, clock: str = "") -> None:
        """Draw the heading with the Caesar of a seat, a time at its end, and the lines."""
        rect = self.rect
        y, side, left = rect.top - theme.px(_HEAD / 2 + 4), theme.px(30), rect.left + theme.px(_PAD)
        if seat != NONE:
            shapes.piece(f"caesar_{seat}", arcade.XYWH(left + side / 2, y, side, side))
            left += side + theme.px(8)
        shapes.say(heading, left, y, size=theme.HEADING - 2, title=True, colour=theme.TERRACOTTA_DEEP)
        if clock:
            shapes.say(clock, rect.right - theme.px(_PAD), y, size=theme.BODY, align="right", colour=theme.INK_SOFT)
        top = rect.top - theme.px(_HEAD + 4)
        for line in self._texts(rect.width):
            line.position = round(rect.left + theme.px(_PAD)), round(top)
            line.draw()
            top -= line.content_height + theme.px(_GAP)

    def over(self, board: Rect) -> None:
        """Place it on the board, as high as the words need."""
        raise NotImplementedError

    def _texts(self, wide: float) -> list[arcade.Text]:
        room = round(wide - theme.px(2 * _PAD))
        return [
            shapes.kept(line, size=theme.BODY if place else theme.LARGE - 1, bold=not place and not self.pending,
                       colour=theme.INK_SOFT if place else theme.INK, italic=self.pending, width=room)
            for place, line in enumerate(self.lines)
        ]  # fmt: skip
