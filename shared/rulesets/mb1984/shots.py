"""Sides of a battle, their possible targets, and the chance to hit them (MB-CA, MB-BATTLE-03, MB-NAVAL)."""

from collections.abc import Sequence
from typing import TypeAlias

from shared.board import BOARD
from shared.ids import CATAPULT, CAVALRY, GALLEY, INFANTRY, NO_ARMY, NONE, Army, Seat, Space
from shared.mechanics import aimed_shots
from shared.mechanics.armies import army_of, plus
from shared.mechanics.pieces import ABOARD
from shared.mechanics.table import Built
from shared.rulesets.conquest.pieces import galleys_at, leaders_at
from shared.rulesets.mb1984.options import GALLEY_TARGETS, wall_worth
from shared.rulesets.mb1984.table import GALLEYS, TableFields

ARMS = (INFANTRY, CAVALRY, CATAPULT)
"""The units of a legion."""
PRIZE = {INFANTRY: 10, CAVALRY: 25, CATAPULT: 60, GALLEY: 25}
"""Worth of a target for the default action: price, and the advantage that a catapult gives."""

Target: TypeAlias = tuple[int, int]
"""A kind of unit, and a galley or NONE."""


def fleet_army(table: TableFields, seat: Seat, zone: Space) -> Army:
    """Return the units of a side aboard its galleys in a zone."""
    army = NO_ARMY
    for galley in galleys_at(table, seat, zone):
        if table.cargo[galley]:
            army = plus(army, table.cargo[galley])
    return army


def side_army(table: TableFields, seat: Seat, space: Space) -> Army:
    """Return the units of a side in a battle on land or at sea."""
    return army_of(table.units[space], seat) if space < BOARD.provinces else fleet_army(table, seat, space)


def walls_of(table: TableFields, seat: Seat, space: Space) -> int:
    """Return the worth of a side's own fortified city there, or 0 (MB-CA-01)."""
    stands = space < BOARD.provinces and table.owner[space] == seat and table.built[space] == Built.FORTIFIED
    return wall_worth(table) * stands


def strength(table: TableFields, seat: Seat, space: Space) -> int:
    """Return the sum of a side, before the advantage is worked out: one for each catapult, and walls (MB-CA-01)."""
    return side_army(table, seat, space)[CATAPULT] + walls_of(table, seat, space)


def one_of(kind: int) -> Army:
    """Return an army of one unit."""
    return int(kind == INFANTRY), int(kind == CAVALRY), int(kind == CATAPULT)


def lead(table: TableFields, seat: Seat, enemy: Seat, space: Space) -> int:
    """Return the combat advantage of `seat` (MB-CA-02)."""
    return aimed_shots.advantage(strength(table, seat, space), strength(table, enemy, space))


def targets(table: TableFields, enemy: Seat, space: Space) -> list[Target]:
    """Return the possible targets; the galley is NONE if it does not matter (MB-NAVAL-03, MB-D28)."""
    if space >= BOARD.provinces and table.options[GALLEY_TARGETS]:
        found = []
        for galley in galleys_at(table, enemy, space):
            cargo = table.cargo[galley]
            found += [(kind, galley) for kind in ARMS if cargo[kind]] if cargo else [(GALLEY, galley)]
        return found
    army = side_army(table, enemy, space)
    units = [(kind, NONE) for kind in ARMS if army[kind]]
    return units or [(GALLEY, galley) for galley in galleys_at(table, enemy, space)]


def choices(table: TableFields, enemy: Seat, space: Space) -> list[Target]:
    """Return the possible targets with only the first of equal galleys: of one colour, without cargo or leaders."""
    known: dict[tuple[int, ...], Target] = {}
    for kind, galley in targets(table, enemy, space):
        alike = kind == GALLEY and not leaders_at(table, enemy, ABOARD + galley)
        # Galleys with leaders aboard stay apart, because sinking them moves or drowns the leaders (MB-D21).
        known.setdefault((kind, galley // GALLEYS, NONE) if alike else (kind, galley), (kind, galley))
    return list(known.values())


def carriers(table: TableFields, seat: Seat, zone: Space, kind: int) -> list[int]:
    """Return the galleys of a side at sea that carry units of a kind."""
    fleet = galleys_at(table, seat, zone)
    return [galley for galley in fleet if table.cargo[galley] and table.cargo[galley][kind]]


def best_target(found: Sequence[Target], at_sea: bool, ahead: int) -> Target:
    """Return the target with the best chance times prize, at that advantage."""

    def value(target: Target) -> int:
        kind, _galley = target
        return aimed_shots.winning_faces(aimed_shots.needed_roll(kind, at_sea, ahead)) * PRIZE[kind]

    return max(found, key=value)
