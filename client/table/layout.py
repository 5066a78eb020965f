"""Layout of the table: the division of the window among its parts.

With larger letters everything grows alike, down to a design width of `NARROWEST`; then the parts of the table give way.
Where the board would be too narrow, the parts below it take the whole width. Parts that do not fit on the right side
are folded: they lie on one another, and tabs turn to one of them. Sheets are scrolled, the panel of a battle is as
large as the board allows, and pieces grow with the zoom.
"""

from enum import Enum
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct
from msgspec.structs import replace

from client.drawing import theme
from client.table import action_bar, chronicle, coach, header, roster, status_strip, tabs

NARROWEST: Final = 880.0
"""Design width that the table needs at least, for its header, the action bar and the sheets; it limits growth. At 1280
x 800 that limit is 145 percent. Text in lines grows on (see `theme.read`)."""
_LEFT: Final = 860.0
"""Least width of action bar and status strip where they end at the board's right edge."""
_SIDE: Final = (322.0, 400.0)
"""Smallest and largest width of the right side."""
_SHAPE: Final = 1.56
"""Width of the board's part for each unit of its height; the rest goes to the right side."""
_LIST: Final = 240.0
"""Least height of the foldable parts below a coach that is not folded."""
_NOWHERE: Final = arcade.LBWH(0, 0, 0, 0)


class SidePart(Enum):
    """Parts of the right side that can be folded."""

    COACH = "coach"
    PLAYERS = "players"
    CHRONICLE = "chronicle"
    NEWS = "news"
    """A hint, or what happened since the player's turn; elsewhere it lies over the chronicle."""


class Layout(Struct, frozen=True):
    """Rectangles of the window for all parts; empty for those that are absent or folded away. `sheet`: the place of
    sheets. `folded`: parts with tabs."""

    header: Rect
    board: Rect
    sheet: Rect
    strip: Rect
    action_bar: Rect
    tabs: Rect
    coach: Rect
    roster: Rect
    chronicle: Rect
    news: Rect = _NOWHERE
    folded: tuple[SidePart, ...] = ()


def divide(
    width: float, height: float, players: int, *, coached: bool = False, news: bool = False,
    turned: SidePart = SidePart.PLAYERS,
) -> Layout:  # fmt: skip
    """Return the layout of a window of that size, for so many players, with a coach or without. `news`: whether there
    is something to read beside the chronicle; `turned`: the part to show where parts are folded."""
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
            chronicle=_NOWHERE,
        ),
        column, players, coached, news, turned,
    )  # fmt: skip


def _with_side(layout: Layout, column: Rect, players: int, coached: bool, news: bool, turned: SidePart) -> Layout:
    """Add the parts of the right side, folded as far as necessary."""
    taught = round(theme.px(coach.HEIGHT)) if coached else 0
    upper = round(theme.px(roster.height(players)))
    if column.height - taught - upper >= theme.px(chronicle.LEAST):
        return _stacked_layout(layout, column, taught, upper)
    row = round(theme.px(tabs.HEIGHT))
    all_folded = coached and column.height - taught - row < theme.px(roster.NOW + _LIST)
    coach_part, news_part = (SidePart.COACH,) * all_folded, (SidePart.NEWS,) * news
    folded = (*coach_part, SidePart.PLAYERS, SidePart.CHRONICLE, *news_part)
    if turned not in folded:
        turned = SidePart.PLAYERS
    above = 0 if all_folded else taught
    return _folded(layout, column, above, row, folded, turned)


def _stacked_layout(layout: Layout, column: Rect, taught: float, upper: float) -> Layout:
    """Place all parts of the right side below each other."""
    coached, players, chronicle = _cut(column, taught, upper)
    return replace(layout, coach=coached, roster=players, chronicle=chronicle)


def _folded(
    layout: Layout, column: Rect, above: float, row: float, folded: tuple[SidePart, ...], turned: SidePart
) -> Layout:  # fmt: skip
    """Place the coach, tabs, and the turned part below each other. The decision owed stays visible, except while the
    coach is turned to, which tells it. `above`: height of an unfolded coach."""
    coached, tabbed, rest = _cut(column, above, row)
    if turned is SidePart.COACH:
        return replace(layout, coach=rest, tabs=tabbed, folded=folded)
    if turned is SidePart.PLAYERS:
        return replace(layout, coach=coached, roster=rest, tabs=tabbed, folded=folded)
    height = roster.BRIEF if turned is SidePart.NEWS else roster.NOW + roster.EDGE
    now, _none, chronicle = _cut(rest, round(theme.px(height)), 0)
    if turned is SidePart.NEWS:
        return replace(layout, coach=coached, roster=now, news=chronicle, tabs=tabbed, folded=folded)
    return replace(layout, coach=coached, roster=now, chronicle=chronicle, tabs=tabbed, folded=folded)


def _cut(column: Rect, first: float, second: float) -> tuple[Rect, Rect, Rect]:
    """Cut a column into a part of height `first` at the top, one of height `second` below it, and the rest."""
    left, right, top = column.left, column.right, column.top
    return (
        arcade.LRBT(left, right, top - first, top),
        arcade.LRBT(left, right, top - first - second, top - first),
        arcade.LRBT(left, right, column.bottom, top - first - second),
    )
