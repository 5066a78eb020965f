"""What stands where in a game of conquest: cities, owners, legions, laden galleys. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from client.games.conquest.position import ABOARD, OFF, Table, galley_lord, leaders_at, present
from client.table.geography import Geography, Point
from client.table.pieces import ARMS, Force, Pick, Token, leader_picture, line_up
from shared.board import BOARD
from shared.ids import MAX_SEATS, NONE, Position, Seat, Space
from shared.mechanics.cells import army_of
from shared.mechanics.pieces import Built


def arrange(table: Table, geography: Geography) -> list[Token]:
    """All tokens of a position, in drawing order."""
    tokens: list[Token] = []
    for space in sorted(range(BOARD.provinces), key=lambda s: -geography.heart(s)[1]):
        tokens += _buildings(table, geography, space)
    tokens += _fleets(table, geography)
    for space in sorted(range(BOARD.provinces), key=lambda s: -geography.heart(s)[1]):
        tokens += _forces(table, geography, space)
    return tokens


def _buildings(table: Table, geography: Geography, space: Space) -> Iterator[Token]:
    built, shape = table.built[space], geography.spaces[space]
    if built and shape.city is not None:
        picture = "fortified" if built == Built.FORTIFIED else "city"
        yield Token(f"city:{space}", picture, shape.city, Pick("city", space, table.owner[space]), size=1.25)


def _forces(table: Table, geography: Geography, space: Space) -> Iterator[Token]:
    heart = geography.heart(space)
    seats = present(table, space)
    owner = table.owner[space]
    if owner != NONE and owner not in seats:
        yield Token(f"marker:{space}", f"marker_{owner}", heart, Pick("marker", space, owner), size=0.85)
    forces = [Force(seat, army_of(table.units[space], seat), leaders_at(table, seat, space)) for seat in seats]
    yield from line_up(space, forces, heart, len(table.leader_at) // table.seats)


def _fleets(table: Table, geography: Geography) -> Iterator[Token]:
    ports: dict[Position, dict[Seat, list[int]]] = {}
    for galley, position in enumerate(table.galley_at):
        if position != OFF:
            ports.setdefault(position, {}).setdefault(galley_lord(table, galley), []).append(galley)
    for position, fleets in ports.items():
        ships = [ship for seat in range(MAX_SEATS) for ship in _ships(table, position, seat, fleets.get(seat, []))]
        at = geography.place(position)
        for i, token in enumerate(ships):
            yield from _ship(table, token, at, (i - (len(ships) - 1) / 2) * 1.15)


def _ships(table: Table, position: Position, seat: Seat, galleys: list[int]) -> Iterator[Token]:
    """Empty galleys of a seat as one stack, laden ones one by one."""
    laden = [g for g in galleys if table.cargo[g] or ABOARD + g in table.leader_at]
    empty = sorted((g for g in galleys if g not in laden), key=lambda g: table.galley_used[g])
    if empty:
        pick = Pick("galley", position, seat, empty[0])
        yield Token(f"galley:{empty[0]}", f"galley_{seat}", (0, 0), pick, size=1.2, count=len(empty))
    for galley in laden:
        yield Token(f"galley:{galley}", f"galley_{seat}", (0, 0), Pick("galley", position, seat, galley), size=1.3)


def _ship(table: Table, token: Token, at: Point, dx: float) -> Iterator[Token]:
    """A ship, and on it its leaders and the number of units that it carries."""
    galley, seat = token.pick.piece, token.pick.seat
    yield Token(token.key, token.picture, at, token.pick, dx, 0.0, token.size, token.count)
    leaders = leaders_at(table, seat, ABOARD + galley)
    for i, leader in enumerate(leaders):
        picture = leader_picture(table, leader, seat)
        yield Token(f"leader:{leader}", picture, at, token.pick, dx - 0.2 + 0.3 * i, 0.42, 0.62)
    cargo = table.cargo[galley] if galley < len(table.cargo) else ()
    if cargo:
        arm = max(range(3), key=lambda k: cargo[k])
        picture = f"{ARMS[arm]}_{seat}"
        yield Token(f"cargo:{galley}", picture, at, token.pick, dx + 0.32, -0.3, 0.62, sum(cargo))
