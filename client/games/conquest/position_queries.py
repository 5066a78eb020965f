"""Queries on a position of a conquest game: owners of pieces, and who stands in a space."""

from typing import TypeVar

from shared.board import BOARD
from shared.ids import NONE, Leader, Seat, Space
from shared.mechanics.pieces import OFF, PRISON
from shared.mechanics.table import Built
from shared.rulesets.conquest.pieces import galley_lord, leader_lord, leaders_at
from shared.rulesets.conquest.table import TableFields

T = TypeVar("T", bound=TableFields)
T_co = TypeVar("T_co", bound=TableFields, covariant=True)


def leader_colour(table: TableFields, leader: Leader) -> Seat:
    """Return the colour of a leader piece."""
    return leader // table.leaders_each


def held(table: TableFields, captor: Seat, lord: Seat) -> tuple[Leader, ...]:
    """Return the generals of `lord` that `captor` holds."""
    return leaders_at(table, lord, PRISON + captor) if lord != captor else ()


def prisoners(table: TableFields, captor: Seat) -> tuple[Leader, ...]:
    """Return the generals of other seats that `captor` holds."""
    place = PRISON + captor
    return tuple([x for x, at in enumerate(table.leader_at) if at == place and leader_lord(table, x) != captor])


def endangered(table: TableFields, seat: Seat, space: Space) -> bool:
    """Whether enemies are so near to a province that they may come soon: at most two borders or coasts away."""
    beside = BOARD.neighbours[space]
    near = {space, *beside, *(there for other in beside for there in BOARD.neighbours[other])}
    ships = (galley_lord(table, g) for g, at in enumerate(table.galley_at) if at != OFF and BOARD.ashore[at] in near)
    armies = (lord for there in near if there < BOARD.provinces for lord in present(table, there))
    return any(lord != seat for lord in (*ships, *armies))


def dear(table: TableFields, seat: Seat) -> bool:
    """Whether a seat's tribute raises prices, or soon will: within 10 of an inflation mark not yet reached."""
    marks = zip(table.inflation_marks, table.triggered, strict=False)
    return any(by == NONE and table.marker[seat] >= mark - 10 for mark, by in marks)


def present(table: TableFields, space: Space) -> list[Seat]:
    """Return the seats with land units or leaders in a province, the owner first."""
    lords = {leader_lord(table, x) for x, at in enumerate(table.leader_at) if at == space}
    # Every fourth number of a cell is an owner.
    seats = sorted(lords | set(table.units[space][::4]))
    return sorted(seats, key=lambda seat: seat != table.owner[space])


def built_by(table: TableFields, space: Space, defender: Seat) -> int:
    """Return the buildings behind the defender: nothing (0), a city (1), or the defender's own walls (2)."""
    if space >= BOARD.provinces:
        return 0
    own = table.owner[space] == defender
    return 2 if own and table.built[space] == Built.FORTIFIED else min(1, table.built[space])
