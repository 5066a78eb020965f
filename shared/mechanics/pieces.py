"""Owners and places of pieces: colours and their lords, pieces at a place.

Pieces of a kind are numbered colour by colour: ``colour * each + k`` with `each` of them to a colour.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from shared.ids import Seat
from shared.mechanics.table import Pieces

# Spaces end at 59, and six colours have at most 48 galleys: the ranges below cannot meet. Every number fits into one
# byte of MessagePack.
ABOARD: Final = 60
"""`leader_at` of a leader aboard galley g is ABOARD + g."""
PRISON: Final = 110
"""`leader_at` of a prisoner of seat s is PRISON + s."""
OFF: Final = 127
"""Off the board: an eliminated leader, a galley in the supply."""
# More than the two points of any leader, so that comparisons with the points fail.
AT_SEA: Final = 3
"""`leader_used` of a leader that went aboard or ashore this turn: it may not march any more."""


def alive(table: Pieces, seat: Seat) -> bool:
    """Whether `seat` still has its Caesar."""
    return table.lord[seat] == seat


def living(table: Pieces) -> list[Seat]:
    """Return the seats still in the match."""
    return [s for s in range(table.seats) if table.lord[s] == s]


def own(table: Pieces, seat: Seat, each: int) -> Sequence[int]:
    """Return the pieces of one kind that `seat` owns, on the board or not."""
    # A tuple, because a list cannot be the key of a cache.
    return _own(tuple(table.lord), seat, each)


@lru_cache(maxsize=256)
def _own(lords: Sequence[Seat], seat: Seat, each: int) -> Sequence[int]:
    """Return `own` from the cache: lords change only when a seat is eliminated."""
    colours = [colour for colour, lord in enumerate(lords) if lord == seat]
    return tuple([piece for colour in colours for piece in range(colour * each, (colour + 1) * each)])


def pieces_at(places: list[int], place: int) -> list[int]:
    """Return the pieces at a place; `places` is by piece."""
    found: list[int] = []
    piece = -1
    # `count` and `index` run in C: faster than a loop over all pieces, of which few stand at one place.
    for _ in range(places.count(place)):
        piece = places.index(place, piece + 1)
        found.append(piece)
    return found


def own_pieces_at(places: list[int], place: int, lords: Sequence[Seat], seat: Seat, each: int) -> tuple[int, ...]:
    """Return the pieces of `seat` at a place; `places` is by piece, `lords` by colour."""
    if place not in places:
        return ()
    found: list[int] = []
    piece = -1
    for _ in range(places.count(place)):  # A copy of `pieces_at`: this runs too often for another call.
        piece = places.index(place, piece + 1)
        if lords[piece // each] == seat:
            found.append(piece)
    return tuple(found)


def others_at(places: list[int], place: int, lords: Sequence[Seat], seat: Seat, each: int) -> list[int]:
    """Return the pieces of all but `seat` at a place."""
    if place not in places:
        return []
    return [piece for piece in pieces_at(places, place) if lords[piece // each] != seat]


def some_of(chosen: Sequence[int], whole: Sequence[int]) -> bool:
    """Whether all chosen pieces are among the whole, with no duplicates."""
    return len(set(chosen)) == len(chosen) and set(chosen) <= set(whole)
