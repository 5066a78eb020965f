"""Position of a Classic match: numbers of pieces, and their places."""

from shared.ids import Seat, Space
from shared.mechanics import pieces
from shared.rulesets.classic.table import Table

LEADERS = 5
"""Leaders per colour: a Caesar (number 0) and four generals (CL-COMP-02)."""
GALLEYS = 8
"""Galleys per colour."""
POOL = (20, 20, 6, GALLEYS)
"""Infantry, cavalry, catapults, galleys per colour (CL-COMP-02, CL-D46)."""
CITIES, FORTIFICATIONS, ROADS = 16, 16, 20
"""The common supply (CL-COMP-03)."""


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
