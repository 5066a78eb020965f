"""Owners of leaders and galleys, and the pieces of a seat at a place."""

from shared.ids import NO_ARMY, Army, Leader, Seat, Space
from shared.mechanics import pieces
from shared.mechanics.places import ABOARD
from shared.rulesets.conquest.table import TableFields


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
