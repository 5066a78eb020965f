"""Legions: their size, their movement points, and the units that can still march."""

from shared.ids import Leader, Seat, Space
from shared.mechanics import marching
from shared.mechanics.amendments import HasOptions
from shared.mechanics.cells import army_of
from shared.mechanics.marching import Ready
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
