"""Plate over the chronicle at the beginning of the player's turn: a line for each other player, which replays it."""

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
_ROW: Final = 40.0
_LEAST: Final = 20.0
"""Design height of a line, and the least one."""
_CLOSE: Final = 84.0


class TurnSummaryPlate(Popup):
    """Plate with lines that are buttons. `replay`: called with the version to replay from; `close`: after reading."""

    def __init__(self, replay: Callable[[int], object], close: Callable[[], object]) -> None:
        super().__init__()
        self._replay = replay
        self._close = close
        self._lines = self.rect
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
        """Place it over the uppermost lines of the chronicle."""
        self._lines = lines
        high = theme.px(_HEAD + _PAD) + self._row * len(self.deeds)
        self.place(arcade.LBWH(lines.left - theme.px(6), lines.top - high, lines.width + theme.px(12), high))

    @property
    def _row(self) -> float:
        """Height of a line (pixels)."""
        room = (self._lines.height - theme.px(_HEAD + _PAD)) / max(1, len(self.deeds))
        return max(theme.px(_LEAST), min(theme.px(_ROW), room))

    def _rows(self) -> list[Rect]:
        rect, pad, row = self.rect, theme.px(_PAD), self._row
        top = rect.top - theme.px(_HEAD)
        left, wide = rect.left + pad + theme.px(24), rect.width - 2 * pad - theme.px(24)
        return [arcade.LBWH(left, top - row * (i + 1), wide, row - theme.px(3)) for i in range(len(self.deeds))]

    def build(self) -> None:
        if not self.shown:
            return
        rect = self.rect
        for deeds, row in zip(self.deeds, self._rows(), strict=True):
            tip = f"{deeds.tip}\n{_('A click replays it.')}"
            self.ui.add(
                Button(row, deeds.words, partial(self._replay, deeds.version), kind="quiet", size=theme.SMALL, tip=tip)
            )
        close = arcade.LBWH(rect.right - theme.px(_CLOSE + _PAD), rect.top - theme.px(_HEAD - 2), theme.px(_CLOSE),
                            theme.px(_HEAD - 8))  # fmt: skip
        self.ui.add(Button(close, _("Got it"), self._close, kind="quiet", size=theme.SMALL))

    def paint(self) -> None:
        rect = self.rect
        shapes.say(_("Since your turn"), rect.left + theme.px(_PAD), rect.top - theme.px(_HEAD / 2 + 2),
                   size=theme.LARGE, title=True, colour=theme.TERRACOTTA_DEEP,
                   limit=rect.width - theme.px(_CLOSE + 3 * _PAD))  # fmt: skip
        for deeds, row in zip(self.deeds, self._rows(), strict=True):
            seat_disc(deeds.seat, row.left - theme.px(13), row.y, theme.px(20))
