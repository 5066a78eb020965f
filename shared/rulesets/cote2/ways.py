"""Ways over land, over straits and over sea, and their obstacles (II-MOVE-02 to -05)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from shared.board import BOARD
from shared.ids import Seat, Space
from shared.mechanics.armies import Cell
from shared.rulesets.cote2.data import SEAS, SHORES
from shared.rulesets.cote2.options import ARABIA, borders, land_neighbours, marches_on, strait_seas
from shared.rulesets.cote2.state import GALLEYS, OFF, TableFields, others_in


def _bridges() -> tuple[tuple[tuple[int, Space], ...], ...]:
    found: list[list[tuple[int, Space]]] = [[] for _ in range(BOARD.provinces)]
    for strait, (a, b) in enumerate(BOARD.straits):
        found[a].append((strait, b))
        found[b].append((strait, a))
    return tuple(tuple(bridges) for bridges in found)


BRIDGES: Final = _bridges()
"""By province, the straits there and the provinces to which they lead."""
NO_STRAITS: Final[frozenset[int]] = frozenset()


def closed_straits(table: TableFields, seat: Seat) -> frozenset[int]:
    """Return the straits that galleys of the other alliance close to `seat` (II-MOVE-03, II-D28, II-D30)."""
    foreign = _foreign(table, seat)
    return frozenset([strait for strait, seas in enumerate(strait_seas(table)) if not foreign.isdisjoint(seas)])


def _foreign(table: TableFields, seat: Seat) -> set[Space]:
    """Return where galleys of the other alliance are, OFF too."""
    mine = table.side[seat]
    found: set[Space] = set()
    for other, side in enumerate(table.side):
        if side != mine:
            # OFF does no harm: it is no sea zone, so it closes nothing.
            found.update(table.galley_at[other * GALLEYS : (other + 1) * GALLEYS])
    return found


def galleys_closing(table: TableFields, seat: Seat, strait: int) -> list[Space]:
    """Return the zones in which galleys of the other alliance close a strait to `seat`."""
    foreign = _foreign(table, seat)
    return [zone for zone in strait_seas(table)[strait] if zone in foreign]


def neighbours(table: TableFields, space: Space, closed: frozenset[int] = NO_STRAITS) -> list[Space]:
    """Return the provinces one step away over land or an open strait."""
    return [*land_neighbours(table)[space], *[there for strait, there in BRIDGES[space] if strait not in closed]]


def reach(table: TableFields, seat: Seat, source: Space) -> frozenset[Space]:
    """Return the provinces to which units of `seat` can march from `source` (II-MOVE-02, II-D27, II-D29).

    Any distance, but not beyond a province with infantry, cavalry or catapults of the other alliance.
    """
    return _reach(table.options[ARABIA], source, barred(table, seat), closed_straits(table, seat))


def barred(table: TableFields, seat: Seat) -> frozenset[Space]:
    """Return the provinces with units of the other alliance: nothing of `seat` marches beyond them (II-MOVE-02)."""
    # Tuples, because lists cannot be keys of a cache. Copying them is cheaper than the search.
    return _enemy_provinces(tuple(table.units), tuple(table.side), table.side[seat])


@lru_cache(maxsize=64)
def _enemy_provinces(units: Sequence[Cell], side: Sequence[int], mine: int) -> frozenset[Space]:
    """Return provinces with units of the other alliance. Cached, because one board is asked about again and again."""
    others = {other for other, its in enumerate(side) if its != mine}
    return frozenset([space for space, cell in enumerate(units) if cell and not others.isdisjoint(cell[::4])])


@lru_cache(maxsize=64)
def _steps(arabia: int, closed: frozenset[int]) -> tuple[frozenset[Space], ...]:
    """Return, by province, those one step away over land or an open strait. Cached, because straits seldom close."""
    bridges = [[there for strait, there in found if strait not in closed] for found in BRIDGES]
    return tuple([frozenset([*near, *over]) for near, over in zip(borders(arabia), bridges, strict=True)])


@lru_cache(maxsize=1024)
def _reach(arabia: int, source: Space, barred: frozenset[Space], closed: frozenset[int]) -> frozenset[Space]:
    """Return the provinces in reach, not beyond those `barred`. Cached, because many questions are about the same
    board.
    """
    steps = _steps(arabia, closed)
    found = {source}
    border = [source]
    while border:
        # `source` is in `found`, so units never march in a circle, and it may itself be barred: they leave freely
        # (II-D27).
        new = steps[border.pop()] - found
        if new:
            found |= new
            border += new - barred
    return frozenset(found - {source})


def fleets(table: TableFields, seat: Seat) -> dict[Space, int]:
    """Return the number of own galleys by sea zone."""
    found: dict[Space, int] = {}
    for at in table.galley_at[seat * GALLEYS : (seat + 1) * GALLEYS]:
        if at != OFF:
            found[at] = found.get(at, 0) + 1
    return found


def landings(table: TableFields, seat: Seat, source: Space) -> set[Space]:
    """Return the provinces to which units of `seat` get over the sea from `source` (II-MOVE-04, -05, II-D31).

    They are next to own galleys; other galleys there do not matter. By an option units also march on from there.
    """
    if not SEAS[source]:
        return set()
    zones = {*table.galley_at[seat * GALLEYS : (seat + 1) * GALLEYS]} - {OFF}
    found: set[Space] = set()
    for zone in zones:
        found.update(SHORES[zone])
    if marches_on(table):
        found.update(*[reach(table, seat, shore) for shore in found - barred(table, seat)])
    found.discard(source)
    return found


def zones_serving(table: TableFields, seat: Seat, to: Space) -> Sequence[Space]:
    """Return the sea zones from which galleys of `seat` bring units to a province (II-MOVE-04, II-D31).

    They are beside it, or by an option beside a province from which the units march on.
    """
    if not marches_on(table):
        return SEAS[to]
    shores = {to, *reach(table, seat, to) - barred(table, seat)}  # Ways over land lead in both directions.
    return sorted({zone for shore in shores for zone in SEAS[shore]})


def open_ground(table: TableFields, seat: Seat, spaces: Sequence[Space]) -> list[Space]:
    """Return the provinces without infantry, cavalry and catapults of the other alliance."""
    return [space for space in spaces if not others_in(table, table.units[space], seat)]
