"""Ways over the sea, as the bots of both games of conquest count them."""

from functools import cache
from typing import Final

from msgspec import Struct

from shared.board import BOARD
from shared.ids import Position, Space

FAR: Final = 99
"""Steps or movements to where no way leads."""
NEAR: Final = 2
"""Movements within which galleys at sea are one fleet."""


class Voyage(Struct, frozen=True):
    """Where a landing goes, and what that is worth."""

    to: Space
    value: float


@cache
def course(to: Space) -> tuple[int, ...]:
    """By galley position: movements until what is aboard lands in that province; FAR where it has no coast."""
    found = dict.fromkeys(BOARD.coasts[to], 0)
    border = list(found)
    for here in border:
        beyond = BOARD.landings[here] if BOARD.is_sea(here) else ()
        for there in (*BOARD.coast_seas[here], *beyond):
            if there not in found:
                found[there] = found[here] + 1
                if BOARD.is_sea(there):  # Nobody sails through a coast.
                    border.append(there)
    return tuple(found.get(at, FAR) for at in range(BOARD.positions))


@cache
def apart(at: Position, zone: Space) -> int:
    """Sea zones from one position to another; FAR where they are more than NEAR."""
    found, border = {at}, [at]
    for steps in range(NEAR + 1):
        if zone in border:
            return steps
        border = [there for here in border for there in BOARD.coast_seas[here] if there not in found]
        found.update(border)
    return FAR
