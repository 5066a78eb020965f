"""Neighbours of a space by direction, and spaces by name. Knows no window."""

from collections.abc import Iterable
from enum import Enum
from functools import cache
from typing import Final

from client.table.geography import geography
from shared.board import BOARD
from shared.ids import NONE, Space

_WIDE: Final = 2.0
"""How far aside of a direction a neighbour may lie, for each step along it; half of that for spaces that are no
neighbours."""


class BoardDirection(Enum):
    """A direction on the board: to the right, and upwards."""

    UP = 0, 1
    DOWN = 0, -1
    LEFT = -1, 0
    RIGHT = 1, 0


@cache
def towards(space: Space, way: BoardDirection) -> Space:
    """Return the neighbour in that direction, by land, by sea or over a strait. Without one return the nearest other
    space there, else NONE."""
    beside = {*BOARD.neighbours[space], *(to for pair in BOARD.straits if space in pair for to in pair)} - {space}
    found = _nearest(space, way, beside, _WIDE)
    return found if found != NONE else _nearest(space, way, range(len(BOARD.names)), _WIDE / 2)


def _nearest(space: Space, way: BoardDirection, others: Iterable[Space], width: float) -> Space:
    """Return the nearest space in that direction; distance aside counts double."""
    heart, right, up = geography().heart, *way.value
    x, y = heart(space)
    best, least = NONE, float("inf")
    for other in others:
        dx, dy = heart(other)[0] - x, heart(other)[1] - y
        along, aside = dx * right + dy * up, abs(dx * up) + abs(dy * right)
        if along > 0 and aside <= width * along and along + 2 * aside < least:
            best, least = other, along + 2 * aside
    return best


def named(letters: str) -> tuple[Space, ...]:
    """Return the spaces with a word that begins with these letters. Whole words come first, then names that begin with
    the letters."""
    letters = letters.lower()
    words = {space: name.lower().split() for space, name in enumerate(BOARD.names)}
    found = [space for space, name in words.items() if letters and any(word.startswith(letters) for word in name)]
    return tuple(
        sorted(found, key=lambda space: (letters not in words[space], not words[space][0].startswith(letters)))
    )
