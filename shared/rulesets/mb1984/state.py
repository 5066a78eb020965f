"""Position of a 1984 match: numbers of pieces, and their places."""

from typing import Final

from shared.ids import Leader, Seat, Space
from shared.mechanics import pieces
from shared.rulesets.mb1984.table import Docking, Table

LEADERS = 7
"""Leaders per colour: a Caesar (number 0) and six generals (MB-COMP-02)."""
GALLEYS = 6
"""Galleys per colour (MB-COMP-02)."""
POOL = (60, 30, 20)
"""Infantry, cavalry, catapults: one supply for all players (MB-COMP-03)."""
CITIES, FORTIFICATIONS, ROADS = 30, 16, 34
"""The common supply of buildings (MB-COMP-04); short and long roads are one supply (MB-D12)."""
LEGION = 7
"""Combat units that one leader leads, and that one galley carries (MB-LEGION-01, MB-SEA-04)."""
POINTS = 2
"""Movements a turn of leaders, cavalry and galleys; infantry and catapults have one (MB-UNIT-01 to -04)."""


RELEASED: Final = 4
"""`leader_used` of a general that came back this turn and not by an exchange: no march before the owner's next turn
(MB-D37).
"""
TAKEN: Final = 5
"""`leader_used` of a leader that was captured this turn, and is judged at once or in a later turn (MB-GEN-01)."""


def docking(table: Table, galley: int) -> Docking | None:
    """Return the docking of a galley this turn; None if it did not dock."""
    flat = table.docked[galley]
    return Docking(flat[0], (flat[1], flat[2], flat[3]), flat[4:]) if flat else None


def is_caesar(leader: Leader) -> bool:
    """Whether a leader is a Caesar, not a general."""
    return leader % LEADERS == 0


def leader_lord(table: Table, leader: int) -> Seat:
    """Return the seat that owns a leader piece."""
    return table.lord[leader // LEADERS]


def galley_lord(table: Table, galley: int) -> Seat:
    """Return the seat that owns a galley."""
    return table.lord[galley // GALLEYS]


def leaders_at(table: Table, seat: Seat, place: int) -> tuple[int, ...]:
    """Return the leaders that `seat` owns at a province or, with ABOARD + g, on a galley."""
    return pieces.at(table.leader_at, place, table.lord, seat, LEADERS)


def enemy_leaders(table: Table, seat: Seat, space: Space) -> list[int]:
    """Return the leaders of others in a province."""
    return pieces.others_at(table.leader_at, space, table.lord, seat, LEADERS)


def galleys_at(table: Table, seat: Seat, position: int) -> tuple[int, ...]:
    """Return the galleys that `seat` owns at a position."""
    return pieces.at(table.galley_at, position, table.lord, seat, GALLEYS)
