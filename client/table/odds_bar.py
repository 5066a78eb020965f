"""The odds of a battle as a picture: a bar in the colours of both sides, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.language import _, decimal, ngettext
from client.table.pieces import UNITS
from client.table.words import talents_words
from shared.ids import Seat
from shared.odds.outcome import ATTACKER, DEFENDER, Force, Odds, amount, percent

_EDGE: Final = shapes.Plate(theme.CLEAR, theme.CLEAR, theme.BRONZE_DEEP, 1.5, radius=3)
_FAINT: Final = 0.003
"""Of the likeliest number of survivors: what is less likely is not drawn."""
_COLUMNS: Final = 7
"""Numbers of survivors that are drawn at least: a few are not made as broad as a wall."""
_PALE: Final = 0.62
"""How much of the parchment shows through where a victor has hardly anything left."""


def shades(chances: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Of a side's victories, those with most left first: how likely, and how much of the most is left (0 to 1)."""
    most = max(1, len(chances) - 1)
    for left in range(len(chances) - 1, -1, -1):
        if chances[left]:
            yield chances[left], left / most


def draw_bar(rect: Rect, odds: Odds, seats: tuple[Seat, Seat]) -> None:
    """The attacker's share from the left, the defender's from the right, neither's between them; the paler, the less
    the victor has left."""
    arcade.draw_rect_filled(rect, theme.PARCHMENT_DEEP)
    for side, edge, way in ((ATTACKER, rect.left, 1), (DEFENDER, rect.right, -1)):
        for share, left in shades(odds.standing(side)):
            wide = share * rect.width * way
            colour = theme.mix(theme.seat_colour(seats[side]), theme.PARCHMENT_LIGHT, _PALE * (1 - left))
            arcade.draw_rect_filled(
                arcade.LRBT(min(edge, edge + wide), max(edge, edge + wide), rect.bottom, rect.top), colour
            )
            edge += wide
    middle = rect.left + rect.width / 2
    arcade.draw_line(middle, rect.bottom, middle, rect.top, theme.alpha(theme.INK, 110), 1)
    shapes.plate(rect, _EDGE)


def said(odds: Odds, winner: int) -> str:
    """How likely it is that this side wins: certain only where nothing else can come of it."""
    others = any(ending.winner != winner and ending.chance > 0 for ending in odds.endings)
    words = percent(odds.wins(winner))
    return "> 99 %" if others and words == "100 %" else words


def span(columns: Sequence[tuple[int, float]]) -> tuple[int, int]:
    """The first and the last column that are worth their room, of those with their chances, and towards the middle
    some more if they are few."""
    most = max((chance for _at, chance in columns), default=0.0)
    seen = [at for at, chance in columns if chance > most * _FAINT]
    first, last = min(seen, default=0), max(seen, default=0)
    lacking = max(0, _COLUMNS - (last - first + 1))
    before = lacking if first >= 0 < last else 0 if last <= 0 > first else lacking // 2
    return first - before, last + lacking - before


def draw_odds(rect: Rect, odds: Odds, seats: tuple[Seat, Seat], size: float = theme.LARGE) -> None:
    """The bar with both chances at its ends, and that of no victory on it."""
    words = said(odds, ATTACKER), said(odds, DEFENDER)
    wide = max(shapes.kept(each, size=size, bold=True).content_width for each in words)
    room = max(theme.px(58 * size / theme.LARGE), wide + theme.px(8))
    shapes.say(words[0], rect.left + room - theme.px(8), rect.y, size=size, bold=True, align="right")
    shapes.say(words[1], rect.right - room + theme.px(8), rect.y, size=size, bold=True)
    draw_bar(arcade.LRBT(rect.left + room, rect.right - room, rect.bottom, rect.top), odds, seats)


def draw_left(rect: Rect, odds: Odds, seats: tuple[Seat, Seat]) -> None:
    """How many units the victor has left: a column for each number, the attacker's to the left, the defender's to the
    right, as high as it is likely."""
    columns = [(seats[ATTACKER], -left, chance) for left, chance in enumerate(odds.standing(ATTACKER))]
    columns += [(seats[DEFENDER], left, chance) for left, chance in enumerate(odds.standing(DEFENDER))]
    most = max((chance for _, _, chance in columns), default=0.0) or 1.0
    first, last = span([(at, chance) for _, at, chance in columns])
    step, foot = rect.width / (last - first + 1), rect.bottom + theme.px(16)
    arcade.draw_line(rect.left, foot, rect.right, foot, theme.BRONZE_DEEP, 1)
    for seat, at, chance in columns:
        if first <= at <= last and chance:
            high = (rect.top - foot) * chance / most
            x = rect.left + (at - first + 0.5) * step
            column = arcade.LBWH(x - step * 0.42, foot, step * 0.84, max(1.0, high))
            arcade.draw_rect_filled(column, theme.seat_colour(seat))
    every = 1 if last - first <= 16 else 2 if last - first <= 34 else 5
    for at in range(first, last + 1):
        if at % every == 0:
            shapes.say(str(abs(at)), rect.left + (at - first + 0.5) * step, foot - theme.px(9), size=theme.SMALL - 1,
                      align="center", colour=theme.INK_SOFT)  # fmt: skip


def prospect(odds: Odds, side: int) -> str:
    """What a side keeps and pays in the mean, where one sees what it has: ``"keeps 6.2, loses 45 talents"``."""
    kept = decimal(amount(sum(odds.left(side))))
    return _("keeps {amount}, {lost}", amount=kept, lost=_lost(odds, side))


def _lost(odds: Odds, side: int) -> str:
    return _("loses {talents}", talents=talents_words(round(odds.costs[side])))


def draw_kept(left: float, y: float, odds: Odds, side: int, seat: Seat, before: Force) -> None:
    """What a side keeps of each kind in the mean, of those that it has, and what it pays."""
    edge, room = theme.px(22), theme.px(62)
    for kind, (kept, had) in enumerate(zip(odds.left(side), before, strict=True)):
        if had:
            shapes.piece(f"{UNITS[kind]}_{seat}", arcade.XYWH(left + edge / 2, y, edge, edge))
            shapes.say(decimal(amount(kept)), left + edge + theme.px(3), y, bold=True)
            left += room
    shapes.say(_lost(odds, side), left + theme.px(4), y)


def spent(odds: Odds, side: int, before: int) -> str:
    """What a side keeps and pays in the mean: ``"keeps 6.2 of 9 units, loses 45 talents"``."""
    kept = decimal(amount(sum(odds.left(side))))
    return _(
        "keeps {kept} of {count}, {lost}",
        kept=kept,
        count=ngettext("{n} unit", "{n} units", before),
        lost=_lost(odds, side),
    )
