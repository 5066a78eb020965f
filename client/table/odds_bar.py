"""The odds of a battle as a picture and in words: a bar in the colours of both sides."""

from collections.abc import Iterator, Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.language import _, decimal, ngettext
from client.table.pieces import UNITS
from client.table.words import talents_words
from shared.ids import GALLEY, Seat
from shared.odds.outcome import ATTACKER, DEFENDER, Force, Odds, amount, percent

_EDGE: Final = shapes.Plate(theme.CLEAR, theme.CLEAR, theme.BRONZE_DEEP, 1.5, radius=3)
_FAINT: Final = 0.003
"""Share of the likeliest number of survivors; less likely numbers are not drawn."""
_COLUMNS: Final = 7
"""Least number of columns, so that a few columns are not drawn very wide."""
_PALE: Final = 0.62
"""Share of parchment in the colour where a victor has hardly anything left."""


def pale_words() -> str:
    """Return the explanation of the bar, for where it is shown."""
    return _("The paler a part of the bar, the fewer units the victor has left.")


def shades(chances: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Yield the victories of a side, those with most units left first: chance, and units left as a share of the most (0
    to 1)."""
    most = max(1, len(chances) - 1)
    for left in range(len(chances) - 1, -1, -1):
        if chances[left]:
            yield chances[left], left / most


def draw_bar(rect: Rect, odds: Odds, seats: tuple[Seat, Seat]) -> None:
    """Draw the attacker's share from the left, the defender's from the right, and between them the chance that neither
    wins. Paler shades mean that the victor has less left."""
    arcade.draw_rect_filled(rect, theme.PARCHMENT_DEEP)
    for side, edge, way in ((ATTACKER, rect.left, 1), (DEFENDER, rect.right, -1)):
        for share, left in shades(odds.standing(side)):
            width = share * rect.width * way
            colour = theme.mix(theme.seat_colour(seats[side]), theme.PARCHMENT_LIGHT, _PALE * (1 - left))
            arcade.draw_rect_filled(
                arcade.LRBT(min(edge, edge + width), max(edge, edge + width), rect.bottom, rect.top), colour
            )
            edge += width
    middle = rect.left + rect.width / 2
    arcade.draw_line(middle, rect.bottom, middle, rect.top, theme.alpha(theme.INK, 110), 1)
    shapes.plate(rect, _EDGE)


def said(odds: Odds, winner: int) -> str:
    """Return the chance that this side wins; "100 %" appears only if no other outcome is possible."""
    others = any(ending.winner != winner and ending.chance > 0 for ending in odds.endings)
    words = percent(odds.wins(winner))
    return "> 99 %" if others and words == "100 %" else words


def span(columns: Sequence[tuple[int, float]]) -> tuple[int, int]:
    """Return the first and last column to draw, given columns with their chances.

    Columns with tiny chances are left out. If few remain, the range grows towards the middle.
    """
    most = max((chance for _at, chance in columns), default=0.0)
    columns_shown = [at for at, chance in columns if chance > most * _FAINT]
    first, last = min(columns_shown, default=0), max(columns_shown, default=0)
    lacking = max(0, _COLUMNS - (last - first + 1))
    before = lacking if first >= 0 < last else 0 if last <= 0 > first else lacking // 2
    return first - before, last + lacking - before


def draw_odds(rect: Rect, odds: Odds, seats: tuple[Seat, Seat], size: float = theme.LARGE) -> None:
    """Draw the bar with both chances at its ends, and between them the chance that neither side wins."""
    words = said(odds, ATTACKER), said(odds, DEFENDER)
    width = max(shapes.kept(each, size=size, bold=True).content_width for each in words)
    room = max(theme.px(58 * size / theme.LARGE), width + theme.px(8))
    shapes.say(words[0], rect.left + room - theme.px(8), rect.y, size=size, bold=True, align="right")
    shapes.say(words[1], rect.right - room + theme.px(8), rect.y, size=size, bold=True)
    draw_bar(arcade.LRBT(rect.left + room, rect.right - room, rect.bottom, rect.top), odds, seats)


def draw_left(rect: Rect, odds: Odds, seats: tuple[Seat, Seat]) -> None:
    """Draw the number of units that the victor has left, as one column for each number. The attacker's columns are at
    the left, the defender's at the right, and their heights are chances."""
    columns = [(seats[ATTACKER], -left, chance) for left, chance in enumerate(odds.standing(ATTACKER))]
    columns += [(seats[DEFENDER], left, chance) for left, chance in enumerate(odds.standing(DEFENDER))]
    most = max((chance for _, _, chance in columns), default=0.0) or 1.0
    first, last = span([(at, chance) for _, at, chance in columns])
    step, foot = rect.width / (last - first + 1), rect.bottom + theme.px(16)
    arcade.draw_line(rect.left, foot, rect.right, foot, theme.BRONZE_DEEP, 1)
    for seat, at, chance in columns:
        if first <= at <= last and chance:
            height = (rect.top - foot) * chance / most
            x = rect.left + (at - first + 0.5) * step
            column = arcade.LBWH(x - step * 0.42, foot, step * 0.84, max(1.0, height))
            arcade.draw_rect_filled(column, theme.seat_colour(seat))
    every = 1 if last - first <= 16 else 2 if last - first <= 34 else 5
    for at in range(first, last + 1):
        if at % every == 0:
            shapes.say(str(abs(at)), rect.left + (at - first + 0.5) * step, foot - theme.px(9), size=theme.SMALL - 1,
                      align="center", colour=theme.INK_SOFT)  # fmt: skip


def prospect(odds: Odds, side: int) -> str:
    """Return the average of what a side keeps and pays, for use beside its forces: ``"keeps 6.2, loses 45
    talents"``."""
    survivors = decimal(amount(sum(odds.left(side))))
    return _("keeps {amount}, {lost}", amount=survivors, lost=_lost(odds, side))


def _lost(odds: Odds, side: int) -> str:
    talents = round(odds.costs[side])
    return _("loses units worth {talents}", talents=talents_words(talents)) if talents else _("loses nothing")


def draw_kept(left: float, y: float, odds: Odds, side: int, seat: Seat, before: Force) -> None:
    """Draw the average number of each kind that a side keeps, for kinds that it has, and its average costs."""
    edge, room = theme.px(22), theme.px(62)
    for kind, (remaining, had) in enumerate(zip(odds.left(side), before, strict=True)):
        if had:
            shapes.piece(f"{UNITS[kind]}_{seat}", arcade.XYWH(left + edge / 2, y, edge, edge))
            shapes.say(decimal(amount(remaining)), left + edge + theme.px(3), y, bold=True)
            left += room
    shapes.say(_lost(odds, side), left + theme.px(4), y)


def spent(odds: Odds, side: int, before: Force, *, naval: bool = False) -> str:
    """Return the average of what a side keeps and pays: ``"keeps 6.2 of 9, loses units worth 45 talents"``. Galleys
    that fight in a battle on land are named."""
    survivors, count, galleys = decimal(amount(sum(odds.left(side)))), str(sum(before)), before[GALLEY]
    if galleys and not naval:
        count += f" ({ngettext('{n} galley', '{n} galleys', galleys)})"
    return _("keeps {kept} of {count}, {lost}", kept=survivors, count=count, lost=_lost(odds, side))
