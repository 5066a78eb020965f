"""An attack that an action begins, and the battle that would follow from it."""

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.mechanics.armies import Cell, army_of, plus
from shared.odds.outcome import Host

T = TypeVar("T")
Present: TypeAlias = Callable[[T, Seat, Space, bool], Host]
"""Forces of a seat in a space, on land or, if the last value is true, at sea."""


class Threat(Struct, frozen=True):
    """An attack that is being put together: its enemy, its space, and the forces that join those already there."""

    enemy: Seat
    space: Space
    army: Army = NO_ARMY
    leaders: int = 0
    galleys: int = 0


class AttackQuestion(Struct, frozen=True):
    """A battle whose odds are asked for. `seats`, `hosts`: of attacker and defender."""

    seats: tuple[Seat, Seat]
    hosts: tuple[Host, Host]
    naval: bool = False
    space: Space = NONE


def asked(present: Present[T], table: T, seat: Seat, threat: Threat) -> AttackQuestion:
    """Return the battle that would follow from an attack of `seat`."""
    naval = threat.space >= BOARD.provinces
    mine = present(table, seat, threat.space, naval)
    army = plus(mine.army, threat.army)
    mine = replace(mine, army=army, leaders=mine.leaders + threat.leaders, galleys=mine.galleys + threat.galleys)
    theirs = present(table, threat.enemy, threat.space, naval)
    # Walls help only the side that is attacked.
    return AttackQuestion((seat, threat.enemy), (replace(mine, walls=0), theirs), naval, threat.space)


def strongest(cell: Cell, enemies: Sequence[Seat]) -> Seat:
    """Return the enemy with most units in a province; NONE if there are no enemies."""
    return max(enemies, key=lambda enemy: sum(army_of(cell, enemy)), default=NONE)
