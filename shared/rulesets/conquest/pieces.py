"""Owners of leaders and galleys, and the pieces of a seat at a place."""

from shared.ids import NO_ARMY, Army, Leader, Seat, Space
from shared.mechanics import marching, pieces
from shared.mechanics.amendments import HasOptions
from shared.mechanics.armies import army_of
from shared.mechanics.marching import Ready
from shared.mechanics.pieces import ABOARD
from shared.rulesets.conquest.table import TableFields

LEGION = 7
"""Land units that one leader leads on the move, and that one galley carries (CL-MOVE-02, CL-SEA-03, MB-LEGION-01,
MB-SEA-04).
"""
POINTS = 2
"""Movement points of leaders, cavalry and galleys; infantry and catapults have one (CL-UNIT-01 to -09, MB-UNIT-01 to
-04).
"""


def legion_limit(_table: HasOptions) -> int:
    """Return the number of land units that one leader leads on the move, and that one galley carries."""
    return LEGION


def movement_points(_table: HasOptions) -> int:
    """Return the movement points of leaders, cavalry and galleys at this table."""
    return POINTS


def ready(table: TableFields, seat: Seat, space: Space) -> Ready:
    """Return the units of the active seat in a province that can still march."""
    return marching.ready(army_of(table.units[space], seat), table.moved[space], table.landed[space])


def can_march(table: TableFields, leader: Leader) -> bool:
    """Whether a leader has a movement point left for land (CL-SEA-04, MB-SEA-06: none after going aboard or ashore)."""
    return table.leader_used[leader] < movement_points(table)


def is_caesar(table: TableFields, leader: Leader) -> bool:
    """Whether a leader is a Caesar, not a general."""
    return leader % table.leaders_each == 0


def leader_lord(table: TableFields, leader: Leader) -> Seat:
    """Return the seat that owns a leader piece."""
    return table.lord[leader // table.leaders_each]


def galley_lord(table: TableFields, galley: int) -> Seat:
    """Return the seat that owns a galley."""
    return table.lord[galley // table.galleys_each]


def leaders_at(table: TableFields, seat: Seat, place: int) -> tuple[Leader, ...]:
    """Return the leaders that `seat` owns at a province or, with ABOARD + g, on a galley."""
    return pieces.own_pieces_at(table.leader_at, place, table.lord, seat, table.leaders_each)


def enemy_leaders(table: TableFields, seat: Seat, space: Space) -> list[Leader]:
    """Return the leaders of others in a province."""
    return pieces.others_at(table.leader_at, space, table.lord, seat, table.leaders_each)


def galleys_at(table: TableFields, seat: Seat, position: int) -> tuple[int, ...]:
    """Return the galleys that `seat` owns at a position."""
    return pieces.own_pieces_at(table.galley_at, position, table.lord, seat, table.galleys_each)


def passengers(table: TableFields, seat: Seat, galley: int) -> tuple[tuple[Leader, ...], Army]:
    """Return the leaders and units aboard a galley."""
    cargo = table.cargo[galley]
    army: Army = (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY
    return leaders_at(table, seat, ABOARD + galley), army
