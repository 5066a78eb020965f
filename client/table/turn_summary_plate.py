"""Plate over the chronicle at the beginning of the player's turn: lines for what happened, which replay it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.widgets import Button
from client.language import _
from client.table.pane import Popup, seat_disc
from client.table.turn_summary import Deeds

_PAD: Final = 10.0
_HEAD: Final = 34.0
_ROOM: Final = 7.0
"""Design width between the edge of a line and its words."""
_CLOSE: Final = 84.0


class _Line(Button):
    """Button with words of several lines."""

    def __init__(self, rect: Rect, deeds: Deeds, action: Callable[[], object]) -> None:
        super().__init__(rect, "", action, kind="quiet", tip=f"{deeds.tip}\n{_('A click replays it.')}".strip())
        self._line = _wrapped(deeds.words, rect.width)
        self._line.position = rect.left + theme.px(_ROOM), rect.y


def _wrapped(words: str, wide: float) -> arcade.Text:
    return shapes.text(
        words, 0, 0, size=theme.read(theme.SMALL), colour=theme.INK, width=round(wide - theme.px(2 * _ROOM))
    )


class TurnSummaryPlate(Popup):
    """Plate with lines that are buttons. `replay`: called with the version to replay from; `close`: after reading."""

    def __init__(self, replay: Callable[[int], object], close: Callable[[], object]) -> None:
        super().__init__()
        self._replay = replay
        self._close = close
        self._lines = self.rect
        self._heights: list[float] = []
        """Heights of the lines that have room (pixels). Measuring texts takes long, so they are kept."""
        self.deeds: tuple[Deeds, ...] = ()

    @property
    def shown(self) -> bool:
        return bool(self.deeds)

    def show(self, deeds: tuple[Deeds, ...]) -> None:
        """Show these lines; none hide the plate."""
        if deeds != self.deeds:
            self.deeds = deeds
            self.over(self._lines)

    def over(self, lines: Rect) -> None:
        """Place it over the uppermost lines of the chronicle; at least the first of its own has room."""
        self._lines, self._heights = lines, []
        wide, high = lines.width + theme.px(12), theme.px(_HEAD + _PAD)
        for deeds in self.deeds:
            row = _wrapped(deeds.words, self._wide(wide)).content_height + theme.px(10)
            if self._heights and high + row > lines.height:
                break
            self._heights.append(row)
            high += row
        self.place(arcade.LBWH(lines.left - theme.px(6), lines.top - high, wide, high))

    @staticmethod
    def _wide(wide: float) -> float:
        return wide - theme.px(2 * _PAD + 24)

    def _rows(self) -> list[Rect]:
        rect = self.rect
        top, left = rect.top - theme.px(_HEAD), rect.left + theme.px(_PAD + 24)
        rows = []
        for high in self._heights:
            rows.append(arcade.LBWH(left, top - high + theme.px(3), self._wide(rect.width), high - theme.px(3)))
            top -= high
        return rows

    def build(self) -> None:
        if not self.shown:
            return
        rect = self.rect
        for deeds, row in zip(self.deeds, self._rows(), strict=False):
            self.ui.add(_Line(row, deeds, partial(self._replay, deeds.version)))
        close = arcade.LBWH(rect.right - theme.px(_CLOSE + _PAD), rect.top - theme.px(_HEAD - 2), theme.px(_CLOSE),
                            theme.px(_HEAD - 8))  # fmt: skip
        self.ui.add(Button(close, _("Got it"), self._close, kind="quiet", size=theme.SMALL))

    def paint(self) -> None:
        rect = self.rect
        shapes.say(_("Since your turn"), rect.left + theme.px(_PAD), rect.top - theme.px(_HEAD / 2 + 2),
                   size=theme.LARGE, title=True, colour=theme.TERRACOTTA_DEEP,
                   limit=rect.width - theme.px(_CLOSE + 3 * _PAD))  # fmt: skip
        for deeds, row in zip(self.deeds, self._rows(), strict=False):
            seat_disc(deeds.seat, row.left - theme.px(13), row.y, theme.px(20))
