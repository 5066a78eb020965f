"""Routes over land and sea, as counted by the bots of both conquest games."""

from functools import cache
from typing import Final

from msgspec import Struct

from shared.board import BOARD
from shared.ids import Position, Space

FAR: Final = 99
"""Steps or movements to an unreachable place."""
NEAR: Final = 2
"""Movements within which galleys at sea count as one fleet."""


@cache
def distances(adjacent: tuple[tuple[Space, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Return the steps over land and straits between any two provinces."""
    table = []
    for start in range(len(adjacent)):
        found = [FAR] * len(adjacent)
        found[start] = 0
        border = [start]
        # The list grows meanwhile: nearer places come before farther ones.
        for here in border:
            for there in adjacent[here]:
                if found[there] == FAR:
                    found[there] = found[here] + 1
                    border.append(there)
        table.append(tuple(found))
    return tuple(table)


class LandingRoute(Struct, frozen=True):
    """Destination of a landing, and its value."""

    to: Space
    value: float


@cache
def course(to: Space) -> tuple[int, ...]:
    """Return by galley position the movements until its cargo lands in a province; FAR where no route leads."""
    found = dict.fromkeys(BOARD.coasts[to], 0)
    border = list(found)
    for here in border:
        beyond = BOARD.landings[here] if BOARD.is_sea(here) else ()
        for there in (*BOARD.coast_seas[here], *beyond):
            if there not in found:
                found[there] = found[here] + 1
                if BOARD.is_sea(there):  # Galleys cannot sail through a coast.
                    border.append(there)
    return tuple(found.get(at, FAR) for at in range(BOARD.positions))


@cache
def apart(at: Position, zone: Space) -> int:
    """Return the number of sea zones from a position to a zone, or FAR if it exceeds NEAR."""
    found, border = {at}, [at]
    for steps in range(NEAR + 1):
        if zone in border:
            return steps
        border = [there for here in border for there in BOARD.coast_seas[here] if there not in found]
        found.update(border)
    return FAR
