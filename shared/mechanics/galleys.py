"""Galleys: their encounters, their possible steps, and the names of their positions."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from shared.board import BOARD
from shared.ids import Army, Leader, Position, Seat, Space
from shared.language.sentence import Value, _, pgettext
from shared.vocabulary.actions import Sail

_COASTS: Final[dict[str, Value]] = {
    "": "",
    "north": pgettext("coast", "north"),
    "east": pgettext("coast", "east"),
    "west": pgettext("coast", "west"),
    "adriatic": pgettext("coast", "adriatic"),
}


def meetings(galley_at: Sequence[Position], lords: Sequence[Seat], seat: Seat, each: int) -> list[tuple[Space, Seat]]:
    """Return sorted (zone, enemy) pairs of sea zones in which galleys of `seat` lie with an enemy's.

    galley_at: by galley, `each` of them to a colour. lords: by colour.
    """
    # Sea zones only: positions below are first coasts of provinces, positions above are second coasts.
    first, end = BOARD.provinces, BOARD.spaces
    zones = {at for galley, at in enumerate(galley_at) if first <= at < end and lords[galley // each] == seat}
    if not zones:
        return []
    # All owners in those zones, then less the seat itself: cheaper than a condition for each galley.
    return sorted({(at, lords[galley // each]) for galley, at in enumerate(galley_at) if at in zones}
                  - {(zone, seat) for zone in zones})  # fmt: skip


@cache
def courses(galley: int, at: Position) -> tuple[Sail, ...]:
    """Return every step of a galley that takes nothing new aboard: to sea zones first, then to coasts."""
    coasts = BOARD.landings[at] if BOARD.is_sea(at) else ()
    return tuple([Sail(galley, to) for to in BOARD.coast_seas[at] + coasts])


@lru_cache(maxsize=1024)
def crossings(galley: int, at: Position, leader: Leader, army: Army) -> tuple[Sail, ...]:
    """Return the same steps from a coast, each once empty and once with a legion."""
    laden = [(empty, Sail(galley, empty.to, (leader,), *army)) for empty in courses(galley, at)]
    return tuple([sail for both in laden for sail in both])


@cache
def where_words(position: Position) -> Value:
    """Return the name of a position, with the coast where a province has two: ``"Italia (west coast)"``."""
    if not 0 <= position < BOARD.positions:
        return _("That place")
    name, coast = BOARD.names[BOARD.ashore[position]], coast_name(position)
    return _("{place} ({coast} coast)", place=name, coast=coast) if coast else name


def coast_name(position: Position) -> Value:
    """Return the coast, such as ``"west"``, where a province has two coasts; else an empty string."""
    return _COASTS[BOARD.coast_names[position]]
