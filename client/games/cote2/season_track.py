"""The strip below the board in the second game: seasons and rounds as a track, and the buttons of the sheets."""

from __future__ import annotations

from functools import partial
from typing import Final

import arcade
from msgspec import Struct

from client.drawing import shapes, theme
from client.drawing.widgets import Button, ButtonKind
from client.games.cote2.sheets.card_names import NUMERALS
from client.keyboard.keys import told
from client.language import Who, _
from client.table.pane import Plates
from client.table.status_strip import StatusStrip
from shared.rulesets.cote2.data import DATA
from shared.rulesets.cote2.options import SEASONS
from shared.rulesets.cote2.table import Table

_BUTTON: Final = 104.0
"""Least design width of a button; longer words get as much as they need."""
_PAPER: Final = shapes.Plate(theme.PARCHMENT_LIGHT, theme.PARCHMENT_DEEP, theme.BRONZE_DEEP, 1.5, radius=4, grain=0.14)
_DONE: Final = shapes.Plate(theme.BRONZE_LIGHT, theme.BRONZE, theme.BRONZE_DEEP, 1.0, radius=11)
_NOW: Final = shapes.Plate(theme.TERRACOTTA_LIGHT, theme.TERRACOTTA_DEEP, theme.GOLD, 2.0, radius=11)
_TO_COME: Final = shapes.Plate(
    theme.alpha(theme.IVORY, 120), theme.alpha(theme.IVORY, 60), theme.INK_FAINT, 1.0, radius=11
)


class _Time(Struct, frozen=True):
    """Season and round, from 1, and the number of seasons."""

    seasons: int
    season: int
    round: int


class Track(StatusStrip[Table]):
    """Strip below the board with the track and the buttons of the sheets."""

    _time = _Time(DATA.seasons, 0, 0)

    def read(self, table: Table, who: Who) -> object:
        self._time = _Time(table.options[SEASONS], table.season, table.round)
        return self._time

    def build(self) -> None:
        rect = self.rect
        right, high = rect.right - theme.px(8), rect.height - theme.px(8)
        for sheet in reversed(self.sheets):
            wide = Button.width(sheet.caption, _BUTTON)
            at = arcade.LBWH(right - wide, rect.y - high / 2, wide, high)
            kind: ButtonKind = "primary" if sheet is self.opened else "plain"
            tip = sheet.about if sheet.key is None else f"{sheet.about} ({told(sheet.key)})"
            action = partial(self.toggle, sheet)
            self.ui.add(Button(at, sheet.caption, action, kind=kind, tip=tip, size=theme.BODY))
            right -= wide + theme.px(6)

    def plates(self) -> Plates:
        rect, edge = self.rect, theme.px(4)
        captions = sum(Button.width(sheet.caption, _BUTTON) + theme.px(6) for sheet in self.sheets)
        right = rect.right - theme.px(12) - captions
        paper = arcade.LRBT(rect.left + edge, right, rect.bottom + edge - 1, rect.top - edge + 1)
        return [*super().plates(), (paper, _PAPER)]

    def paint(self) -> None:
        x = self._steps(self.rect.left + theme.px(14), _("SEASON"), NUMERALS[: self._time.seasons], self._time.season)
        self._steps(x + theme.px(22), _("ROUND"), [str(n + 1) for n in range(DATA.rounds)], self._time.round)

    def _steps(self, x: float, title: str, names: list[str] | tuple[str, ...], now: int) -> float:
        """Draw a row of discs, the present one lit. Return the x at which it ends."""
        y, side = self.rect.y, theme.px(23)
        line = shapes.say(title, x, y, size=theme.BODY, title=True, colour=theme.TERRACOTTA_DEEP)
        x += line.content_width + theme.px(10)
        for i, name in enumerate(names, 1):
            look = _NOW if i == now else _DONE if i < now else _TO_COME
            shapes.plate(arcade.LBWH(x, y - side / 2, side, side), look)
            colour = theme.INK_SOFT if i > now else theme.IVORY
            shapes.say(name, x + side / 2, y, size=theme.SMALL, bold=i == now, align="center", colour=colour)
            x += side + theme.px(4)
        return x

    def tip(self, x: float, y: float) -> str:
        words = super().tip(x, y)
        if words or not self.holds(x, y):
            return words
        time = self._time
        return _(
            "Season {season} of {seasons}, round {round} of {rounds}: in every round each player has {actions} "
            "actions. After the last round come taxes and points.",
            season=time.season,
            seasons=time.seasons,
            round=time.round,
            rounds=DATA.rounds,
            actions=DATA.actions,
        )
