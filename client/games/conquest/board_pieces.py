"""Placement of pieces of a conquest game: cities, owners, legions, laden galleys. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from client.games.conquest.position_queries import present
from client.table.geography import Geography, Point
from client.table.piece_placement import PiecePlacement, camp, moored, place_group
from client.table.pieces import ARMS, Force, Pick, Token, leader_picture
from shared.board import BOARD
from shared.ids import MAX_SEATS, NONE, Position, Seat, Space
from shared.mechanics.cells import army_of
from shared.mechanics.places import ABOARD, OFF
from shared.mechanics.table import Built
from shared.rulesets.conquest.pieces import galley_lord, leaders_at
from shared.rulesets.conquest.table import Table


def arrange(table: Table, geography: Geography) -> list[PiecePlacement]:
    """Place all pieces of a position. Pieces that cannot stand elsewhere choose their place first."""
    provinces = range(BOARD.provinces)
    cities = [crowd for space in provinces for crowd in _buildings(table, geography, space)]
    camps = [crowd for space in provinces for crowd in _forces(table, geography, space)]
    markers = [crowd for space in provinces for crowd in _marker(table, geography, space)]
    return [*cities, *camps, *_fleets(table, geography), *markers]


def _buildings(table: Table, geography: Geography, space: Space) -> Iterator[PiecePlacement]:
    built, city = table.built[space], geography.spaces[space].city
    if built and city is not None:
        picture = "fortified" if built == Built.FORTIFIED else "city"
        pick = Pick("city", space, table.owner[space])
        yield place_group(space, city, [Token(f"city:{space}", picture, city, pick, size=1.25)])


def forces(table: Table, space: Space) -> list[Force]:
    """Return the forces of all seats in a province, the owner first."""
    units = table.units[space]
    return [Force(seat, army_of(units, seat), leaders_at(table, seat, space)) for seat in present(table, space)]


def _forces(table: Table, geography: Geography, space: Space) -> Iterator[PiecePlacement]:
    there = forces(table, space)
    if there:
        yield camp(space, there, geography.heart(space), table.leaders_each)


def _marker(table: Table, geography: Geography, space: Space) -> Iterator[PiecePlacement]:
    """Place the owner's marker in a province where the owner has no other pieces."""
    owner = table.owner[space]
    if owner != NONE and owner not in present(table, space):
        pick, heart = Pick("marker", space, owner), geography.heart(space)
        yield place_group(space, heart, [Token(f"marker:{space}", f"marker_{owner}", heart, pick, size=0.85)])


def _fleets(table: Table, geography: Geography) -> Iterator[PiecePlacement]:
    ports: dict[Position, dict[Seat, list[int]]] = {}
    for galley, position in enumerate(table.galley_at):
        if position != OFF:
            ports.setdefault(position, {}).setdefault(galley_lord(table, galley), []).append(galley)
    for position, fleets in ports.items():
        ships = [ship for seat in range(MAX_SEATS) for ship in _ships(table, position, seat, fleets.get(seat, []))]
        laid = [list(_ship(table, token, geography.place(position))) for token in ships]
        yield moored(BOARD.ashore[position], geography.place(position), laid)


def _ships(table: Table, position: Position, seat: Seat, galleys: list[int]) -> Iterator[Token]:
    """Yield a seat's galleys: empty ones as one stack, laden ones one by one."""
    laden = [g for g in galleys if table.cargo[g] or ABOARD + g in table.leader_at]
    empty = sorted((g for g in galleys if g not in laden), key=lambda g: table.galley_used[g])
    if empty:
        pick = Pick("galley", position, seat, empty[0])
        yield Token(f"galley:{empty[0]}", f"galley_{seat}", (0, 0), pick, size=1.2, count=len(empty))
    for galley in laden:
        yield Token(f"galley:{galley}", f"galley_{seat}", (0, 0), Pick("galley", position, seat, galley), size=1.3)


def _ship(table: Table, token: Token, at: Point) -> Iterator[Token]:
    """Yield a galley, and on it its leaders and the number of units that it carries."""
    galley, seat = token.pick.piece, token.pick.seat
    yield Token(token.key, token.picture, at, token.pick, 0.0, 0.0, token.size, token.count)
    leaders = leaders_at(table, seat, ABOARD + galley)
    for i, leader in enumerate(leaders):
        picture = leader_picture(table, leader, seat)
        yield Token(f"leader:{leader}", picture, at, token.pick, -0.2 + 0.3 * i, 0.42, 0.62)
    cargo = table.cargo[galley] if galley < len(table.cargo) else ()
    if cargo:
        arm = max(range(3), key=lambda k: cargo[k])
        picture = f"{ARMS[arm]}_{seat}"
        yield Token(f"cargo:{galley}", picture, at, token.pick, 0.32, -0.3, 0.62, sum(cargo))
