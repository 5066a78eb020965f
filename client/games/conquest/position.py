"""Reading a position of any of the games: they are played with the same kinds of pieces on the same board."""

from __future__ import annotations

from typing import Any, Protocol

from shared.ids import NONE, Leader, Position, Seat, Space
from shared.mechanics.places import ABOARD, OFF, PRISON

__all__ = [
    "ABOARD",
    "OFF",
    "PRISON",
    "Table",
    "galley_lord",
    "galleys_at",
    "held",
    "is_caesar",
    "leader_colour",
    "leader_figure",
    "leader_lord",
    "leader_picture",
    "leaders_at",
    "living",
    "prisoners",
    "winners",
]


class Table(Protocol):
    """What the positions of all games have in common; their own `Table` says what the fields mean."""

    seats: int
    options: tuple[int, ...]
    frames: list[Any]
    round: int
    order: tuple[Seat, ...]
    home: list[Space]
    owner: list[int]
    units: list[tuple[int, ...]]
    built: list[int]
    roads: list[int]
    leader_at: list[int]
    leader_used: list[int]
    galley_at: list[int]
    galley_used: list[int]
    cargo: list[tuple[int, ...]]
    moved: list[tuple[int, ...]]
    landed: list[tuple[int, ...]]
    talents: list[int]
    marker: list[int]
    lord: list[int]
    inflation: int
    triggered: list[int]
    conceded: list[int]
    winner: int


def living(table: Table) -> list[Seat]:
    """The seats still in the match."""
    return [seat for seat in range(table.seats) if table.lord[seat] == seat]


def winners(table: Any) -> tuple[Seat, ...]:
    """Who has won; several where the game knows a shared victory."""
    shared: tuple[Seat, ...] = getattr(table, "winners", ())
    return shared or ((table.winner,) if table.winner != NONE else ())


def leader_colour(table: Table, leader: Leader) -> Seat:
    """The colour of a leader piece."""
    return leader * table.seats // len(table.leader_at)


def is_caesar(table: Table, leader: Leader) -> bool:
    """Whether the leader is a Caesar."""
    return leader % (len(table.leader_at) // table.seats) == 0


def leader_lord(table: Table, leader: Leader) -> Seat:
    """The seat that owns a leader piece."""
    return table.lord[leader_colour(table, leader)]


def galley_lord(table: Table, galley: int) -> Seat:
    """The seat that owns a galley."""
    return table.lord[galley * table.seats // len(table.galley_at)]


def leaders_at(table: Table, seat: Seat, place: int) -> tuple[Leader, ...]:
    """The leaders that a seat owns at a province or, with ABOARD + g, on a galley."""
    if place not in table.leader_at:
        return ()
    return tuple([x for x, at in enumerate(table.leader_at) if at == place and leader_lord(table, x) == seat])


def galleys_at(table: Table, seat: Seat, position: Position) -> tuple[int, ...]:
    """The galleys that a seat owns at a position."""
    if position not in table.galley_at:
        return ()
    return tuple([g for g, at in enumerate(table.galley_at) if at == position and galley_lord(table, g) == seat])


def held(table: Table, captor: Seat, lord: Seat) -> tuple[Leader, ...]:
    """The generals of `lord` that `captor` holds."""
    return leaders_at(table, lord, PRISON + captor) if lord != captor else ()


def prisoners(table: Table, captor: Seat) -> tuple[Leader, ...]:
    """The generals of others that `captor` holds."""
    place = PRISON + captor
    return tuple([x for x, at in enumerate(table.leader_at) if at == place and leader_lord(table, x) != captor])


def leader_picture(table: Table, leader: Leader, seat: Seat) -> str:
    """The picture of a leader in the colours of its owner."""
    return leader_figure(leader, seat, len(table.leader_at) // table.seats)


def leader_figure(leader: Leader, seat: Seat, each: int) -> str:
    """The same, by the number of leaders of a colour, the Caesar first."""
    return f"{'general' if leader % each else 'caesar'}_{seat}"
