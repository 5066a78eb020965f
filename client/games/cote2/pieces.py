"""What stands where in the second game: armies, fleets, cities, influence and victory numbers, as tokens. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.drawing.signs import TOKEN, victory
from client.table.geography import Geography, Point
from client.table.motion import Leap, force_pictures
from client.table.pieces import ARMS, Force, Pick, Token, leader_figure, line_up
from shared.board import BOARD
from shared.ids import NONE, Space
from shared.kernel.frames import Event
from shared.mechanics.cells import army_of
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.data import KEYS
from shared.rulesets.cote2.options import victory_numbers
from shared.rulesets.cote2.state import LEADERS, OFF, Table, galleys_at, leaders_at

_STAKES: Final[dict[str, Point]] = {
    "achaia": (2050, 800), "asia": (2330, 822), "egyptus": (2572, 384), "galatia": (2684, 806),
    "hispania": (400, 1345), "italia": (1420, 1340), "mesopotamia": (3385, 558), "narbonensis": (775, 1342),
    "neapolis": (1800, 1032), "numidia": (1140, 510), "sicilia": (1695, 715),
}  # fmt: skip
"""Where victory numbers and influence of a key province lie: beside its pieces, clear of those of its neighbours."""
_ROW_UP: Final = 0.34
"""How far above and below that point the two rows lie, in figures."""
_STEP: Final = 0.76
_ROW_HIGH: Final = 0.78
"""From row to row where several forces stand in a province, in figures."""
_SMALL: Final = 0.84
_LEADER_WIDE, _ARM_WIDE = 0.5, 0.78


def arrange(table: Table, geography: Geography) -> list[Token]:
    """All tokens of a position, in drawing order."""
    tokens: list[Token] = []
    northern = sorted(range(BOARD.provinces), key=lambda space: -geography.heart(space)[1])
    for space in KEYS:
        tokens += _stakes(table, space, _STAKES[BOARD.keys[space]])
    for space in northern:
        tokens += _city(table, geography, space)
    for zone in range(BOARD.provinces, BOARD.spaces):
        tokens += _fleets(table, zone, geography.heart(zone))
    for space in northern:
        tokens += _camps(space, forces(table, space), geography.heart(space))
    return tokens


def forces(table: Table, space: Space) -> list[Force]:
    """What everybody has in a province, the owner of the city first."""
    found = [
        Force(seat, army_of(table.units[space], seat), leaders_at(table, seat, space)) for seat in range(table.seats)
    ]
    there = [force for force in found if any(force.army) or force.leaders]
    return sorted(there, key=lambda force: force.seat != table.owner[space])


def _camps(space: Space, there: Sequence[Force], at: Point) -> Iterator[Token]:
    """A single force as in the other games; where several stand in a province, one row each, or they would stand in
    the provinces beside it."""
    if len(there) < 2:
        yield from line_up(space, there, at, LEADERS)
        return
    for i, force in enumerate(there):
        yield from _file(space, force, at, ((len(there) - 1) / 2 - i) * _ROW_HIGH)


def _file(space: Space, force: Force, at: Point, dy: float) -> Iterator[Token]:
    """A force in one row: leaders close together, the Caesar first, then units."""
    seat = force.seat
    leaders = sorted(force.leaders, key=lambda leader: leader % LEADERS)
    arms = [arm for arm in range(3) if force.army[arm]]
    x = -(_LEADER_WIDE * len(leaders) + _ARM_WIDE * len(arms)) / 2
    for leader in leaders:
        picture = leader_figure(leader, seat, LEADERS)
        pick = Pick("leader", space, seat, leader)
        yield Token(f"leader:{leader}", picture, at, pick, x + _LEADER_WIDE / 2, dy, _SMALL)
        x += _LEADER_WIDE
    for arm in arms:
        key = f"army:{space}:{seat}:{arm}"
        pick = Pick("army", space, seat)
        yield Token(key, f"{ARMS[arm]}_{seat}", at, pick, x + _ARM_WIDE / 2, dy, _SMALL, force.army[arm])
        x += _ARM_WIDE


def _city(table: Table, geography: Geography, space: Space) -> Iterator[Token]:
    """A city, with the mark of whoever owns it."""
    at = geography.spaces[space].city or geography.heart(space)
    if table.built[space]:
        owner = table.owner[space]
        yield Token(f"city:{space}", "city", at, Pick("city", space, owner), size=1.25)
        if owner != NONE:
            yield Token(f"lord:{space}", f"marker_{owner}", at, Pick("city", space, owner), 0.42, -0.34, 0.55)


def _row(keys: Sequence[tuple[str, str, int]], at: Point, space: Space, dy: float, size: float) -> Iterator[Token]:
    """Pictures beside each other: key, picture, count."""
    for i, (key, picture, count) in enumerate(keys):
        dx = (i - (len(keys) - 1) / 2) * _STEP * size / 0.66
        yield Token(key, picture, at, Pick("marker", space, NONE), dx, dy, size, count)


def _stakes(table: Table, space: Space, at: Point) -> Iterator[Token]:
    """Victory numbers of a key province and its tokens for sale; below them the influence, who has most first."""
    numbers = [(f"victory:{space}:{i}", victory(n), 0) for i, n in enumerate(victory_numbers(table, space))]
    for_sale = [(f"tokens:{space}", TOKEN, table.tokens[space])] if table.tokens[space] else []
    yield from _row([*numbers, *for_sale], at, space, _ROW_UP, 0.66)
    held = sorted(enumerate(table.influence[space]), key=lambda pair: -pair[1])
    influence = [(f"influence:{space}:{seat}", f"marker_{seat}", count) for seat, count in held if count]
    yield from _row(influence, at, space, -_ROW_UP, 0.7)


def _fleets(table: Table, zone: Space, at: Point) -> Iterator[Token]:
    """The galleys of everybody in a sea zone, one picture each with their number."""
    fleets = [(seat, galleys_at(table, seat, zone)) for seat in range(table.seats)]
    there = [(seat, galleys) for seat, galleys in fleets if galleys]
    for i, (seat, galleys) in enumerate(there):
        dx = (i - (len(there) - 1) / 2) * 1.15
        pick = Pick("galley", zone, seat, galleys[0])
        yield Token(f"fleet:{zone}:{seat}", f"galley_{seat}", at, pick, dx, 0.0, 1.2, len(galleys))


def leaps(event: Event, before: Table | None, geography: Geography) -> Sequence[Leap]:
    """What an event moves."""
    heart = geography.heart
    match event:
        case e.Marched(seat=seat, source=source, to=to, leaders=leaders, army=army, by_sea=by_sea):
            force = force_pictures(seat, leaders, army, LEADERS)
            pictures = (f"galley_{seat}", *force[:2]) if by_sea else force
            return [Leap(pictures, heart(source), heart(to), to)]
        case e.Retreated(seat=seat, source=source, to=to, leaders=leaders, army=army):
            return [Leap(force_pictures(seat, leaders, army, LEADERS), heart(source), heart(to), to)]
        case e.Sailed(seat=seat, galleys=galleys, to=to) if before is not None:
            starts = {before.galley_at[galley] for galley in galleys} - {OFF, to}
            return [Leap((f"galley_{seat}",), heart(start), heart(to), to) for start in sorted(starts)]
        case _:
            return []
