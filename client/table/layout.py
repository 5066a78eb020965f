"""How the window is divided among the parts of the table.

Larger letters take more room: everything grows alike, as far as what stands side by side finds room (`NARROWEST`), and
the parts of the table give way. Where the board would be too narrow, what lies below it takes the whole width. What
does not fit on the right side is folded: its parts lie on one another, and tabs turn to one of them. Sheets are
scrolled, the parchment of a battle is as large as the board allows, and pieces grow as one comes nearer to the board.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct
from msgspec.structs import replace

from client.drawing import theme
from client.table import action_bar, chronicle, coach, header, roster, status_strip, tabs

NARROWEST: Final = 880.0
"""Design width that the table needs at least, for its header, the tray and the sheets: so far everything grows. At
1280 x 800 that is 145 of a hundred. What is read in lines grows on (see `theme.read`)."""
_LEFT: Final = 860.0
"""Least width of tray and strip where they end at the board's right edge."""
_SIDE: Final = (322.0, 400.0)
"""Smallest and largest width of the right side."""
_SHAPE: Final = 1.56
"""Width of the board's part for each unit of its height; what is wider goes to the right side."""
_LIST: Final = 240.0
"""Least height of what can be folded below a coach that is not."""
_NOWHERE: Final = arcade.LBWH(0, 0, 0, 0)


class Part(Enum):
    """What can be turned to on the right side."""

    COACH = "coach"
    PLAYERS = "players"
    CHRONICLE = "chronicle"


class Layout(Struct, frozen=True):
    """A rectangle of the window for each part; empty for what is not there, or folded away. `sheet`: what sheets lie
    over. `folded`: what tabs turn to."""

    header: Rect
    board: Rect
    sheet: Rect
    strip: Rect
    action_bar: Rect
    tabs: Rect
    coach: Rect
    roster: Rect
    journal: Rect
    folded: tuple[Part, ...] = ()


def divide(width: float, height: float, players: int, *, coached: bool = False, turned: Part = Part.PLAYERS) -> Layout:
    """The layout of a window of that size, for so many players, with a coach or without. `turned`: what is to be seen
    where something is folded."""
    top, low, rule = (round(theme.px(high)) for high in (header.HEIGHT, action_bar.HEIGHT, status_strip.HEIGHT))
    spare = width - (height - top - low - rule) * _SHAPE
    side = round(min(theme.px(_SIDE[1]), max(theme.px(_SIDE[0]), spare)))
    left = width - side
    wide = left < theme.px(_LEFT)
    board = arcade.LRBT(0, left, low + rule, height - top)
    below = width if wide else left
    column = arcade.LRBT(left, width, low + rule if wide else 0, height - top)
    return _with_side(
        Layout(
            header=arcade.LBWH(0, height - top, width, top),
            board=board,
            sheet=arcade.LRBT(0, below, board.bottom, board.top),
            strip=arcade.LBWH(0, low, below, rule),
            action_bar=arcade.LBWH(0, 0, below, low),
            tabs=_NOWHERE,
            coach=_NOWHERE,
            roster=_NOWHERE,
            journal=_NOWHERE,
        ),
        column, players, coached, turned,
    )  # fmt: skip


def _with_side(layout: Layout, column: Rect, players: int, coached: bool, turned: Part) -> Layout:
    """With the parts of the right side, folded as far as need be."""
    taught = round(theme.px(coach.HEIGHT)) if coached else 0
    upper = round(theme.px(roster.height(players)))
    if column.height - taught - upper >= theme.px(chronicle.LEAST):
        return _stacked(layout, column, taught, upper)
    row = round(theme.px(tabs.HEIGHT))
    all_folded = coached and column.height - taught - row < theme.px(roster.NOW + _LIST)
    folded = (Part.COACH, Part.PLAYERS, Part.CHRONICLE) if all_folded else (Part.PLAYERS, Part.CHRONICLE)
    if turned not in folded:
        turned = Part.PLAYERS
    above = 0 if all_folded else taught
    return _folded(layout, column, above, row, folded, turned)


def _stacked(layout: Layout, column: Rect, taught: float, upper: float) -> Layout:
    """All of it below each other."""
    coached, players, chronicle = _cut(column, taught, upper)
    return replace(layout, coach=coached, roster=players, journal=chronicle)


def _folded(
    layout: Layout, column: Rect, above: float, row: float, folded: tuple[Part, ...], turned: Part
) -> Layout:  # fmt: skip
    """Below a coach `above`, tabs, and what is turned to; what is owed now is seen but where the coach says it."""
    coached, tabbed, rest = _cut(column, above, row)
    if turned is Part.COACH:
        return replace(layout, coach=rest, tabs=tabbed, folded=folded)
    if turned is Part.PLAYERS:
        return replace(layout, coach=coached, roster=rest, tabs=tabbed, folded=folded)
    now, _none, chronicle = _cut(rest, round(theme.px(roster.NOW + roster.EDGE)), 0)
    return replace(layout, coach=coached, roster=now, journal=chronicle, tabs=tabbed, folded=folded)


def _cut(column: Rect, first: float, second: float) -> tuple[Rect, Rect, Rect]:
    """A part of that height at the top, another one below, and the rest."""
    left, right, top = column.left, column.right, column.top
    return (
        arcade.LRBT(left, right, top - first, top),
        arcade.LRBT(left, right, top - first - second, top - first),
        arcade.LRBT(left, right, column.bottom, top - first - second),
    )
