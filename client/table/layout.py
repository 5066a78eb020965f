"""How the window is divided among the parts of the table."""

from __future__ import annotations

from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import theme
from client.table import coach, header, roster, strip, tray

_SIDE: Final = (322.0, 400.0)
"""Smallest and largest width of the right side."""
_SHAPE: Final = 1.56
"""Width of the board's part for each unit of its height; what is wider goes to the right side."""


class Layout(Struct, frozen=True):
    """A rectangle of the window for each part; that of the coach is empty without one."""

    header: Rect
    board: Rect
    strip: Rect
    tray: Rect
    coach: Rect
    roster: Rect
    journal: Rect


def divide(width: float, height: float, players: int, *, coached: bool = False) -> Layout:
    """The layout of a window of that size, for so many players, with a coach or without."""
    top, low, rule = (round(theme.px(high)) for high in (header.HEIGHT, tray.HEIGHT, strip.HEIGHT))
    spare = width - (height - top - low - rule) * _SHAPE
    side = round(min(theme.px(_SIDE[1]), max(theme.px(_SIDE[0]), spare)))
    left = width - side
    upper = round(theme.px(roster.height(players)))
    taught = round(theme.px(coach.HEIGHT)) if coached else 0
    return Layout(
        header=arcade.LBWH(0, height - top, width, top),
        board=arcade.LBWH(0, low + rule, left, height - top - low - rule),
        strip=arcade.LBWH(0, low, left, rule),
        tray=arcade.LBWH(0, 0, left, low),
        coach=arcade.LBWH(left, height - top - taught, side, taught),
        roster=arcade.LBWH(left, height - top - taught - upper, side, upper),
        journal=arcade.LBWH(left, 0, side, height - top - taught - upper),
    )
