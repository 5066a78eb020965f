"""Provinces that an army can reach in its next turn, over land or by sea, as each game tells them."""

from typing import Final

from msgspec import Struct

from shared.ids import NO_ARMY, Army, Seat, Space
from shared.mechanics.armies import Cell, army_of


class ArmyReach(Struct, frozen=True):
    """An army and the provinces in its reach. `riders`: further ones, which only its cavalry reaches."""

    army: Army = NO_ARMY
    leaders: int = 0
    spaces: frozenset[Space] = frozenset()
    riders: frozenset[Space] = frozenset()


class Landing(Struct, frozen=True):
    """Army that galleys can put ashore in a province. `source`: the province or sea zone from which it comes."""

    source: Space
    army: Army
    leaders: int


NOWHERE: Final = ArmyReach()


def nowhere(_table: object, _seat: Seat, _space: Space) -> ArmyReach:
    """Return the reach of an army in a game that tells none."""
    return NOWHERE


def no_landings(_table: object, _seat: Seat, _space: Space) -> list[Landing]:
    """Return the landings in a game that tells none."""
    return []


def owners(cell: Cell) -> list[Seat]:
    """Return the seats with units in a province, the one with most units first."""
    return sorted(cell[::4], key=lambda seat: -sum(army_of(cell, seat)))
