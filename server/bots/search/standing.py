"""Features of a seat in both conquest games: forces, means, and the safety of its Caesar, its home and its cities.

Threats are what each rival can bring to a place within one, two and three turns by land and by sea, against what stands
there. Arrivals and odds are approximate, because a search evaluates thousands of positions.
"""

from collections.abc import Callable, Sequence
from math import log
from typing import Any, Final

from msgspec import Struct

from server.bots.routes import FAR, course
from shared.board import BOARD
from shared.ids import NONE, Army, Leader, Seat, Space
from shared.mechanics.armies import army_of
from shared.mechanics.pieces import OFF, PRISON
from shared.mechanics.table import Built
from shared.rulesets.conquest.pieces import legion_limit, movement_points
from shared.rulesets.conquest.table import TableFields

HORIZON: Final = 3
"""Turns within which an attack is foreseen."""
FORESEEN: Final = 2
"""Turns within which the loss of a city is foreseen."""
STEEPNESS: Final = 3
"""Power of the ratio of forces in the odds."""
NEARER: Final = 0.6
"""Weight of a force relative to the same force one step nearer by land."""
NEARER_AT_SEA: Final = 0.75
"""Weight of a force relative to the same force one movement nearer by sea."""
WALLS: Final = 30.0
"""Units' worth that a fortified city adds to its defenders."""


class UnitKinds(Struct, frozen=True):
    """The kinds of units of a game. worth: of a unit of each kind. pool: units of a colour at a table, by kind."""

    worth: Army
    pool: Callable[[Any], Army]


class Forces:
    """Forces of one seat, by the worth of their units.

    stacks: by province. marching: (province, infantry and catapults, cavalry) that generals at hand can lead.
    sailing: (position of galleys, what they carry or can take aboard). units: by kind, cargo included.
    """

    def __init__(self, movement_points: int) -> None:
        self.movement_points = movement_points
        self.stacks: dict[Space, float] = {}
        self.marching: list[tuple[Space, float, float]] = []
        self.sailing: list[tuple[int, float]] = []
        self.units = [0, 0, 0]
        self.total = 0.0
        self.generals: dict[int, int] = {}
        self.leaders = 0
        self.galleys = 0

    def arriving(self, distance: Sequence[int], place: Space) -> tuple[list[float], float]:
        """Return the forces that can be in a province within 1, 2 ... `HORIZON` turns, and all weighted by nearness.

        distance: steps by land to the province.
        """
        within = [0.0] * HORIZON
        pressure = 0.0
        for at, slow, fast in self.marching:
            steps = distance[at]
            if not 0 < steps < FAR:
                continue
            pressure += (slow + fast) * NEARER**steps
            for turn in range(HORIZON):
                if steps <= turn + 1:
                    within[turn] += slow
                if steps <= self.movement_points * (turn + 1):
                    within[turn] += fast
        movements = course(place)
        for at, force in self.sailing:
            moves = movements[at]
            if moves < FAR:
                pressure += force * NEARER_AT_SEA**moves
                for turn in range(HORIZON):
                    if moves <= self.movement_points * (turn + 1):
                        within[turn] += force
        return within, pressure


def forces(table: TableFields, worth: Army, steps: Sequence[Sequence[Space]]) -> list[Forces]:
    """Return the forces of all seats. steps: adjacent provinces by province."""
    found = [Forces(movement_points(table)) for _ in table.talents]
    # Leaders first: what a stack can do depends on the generals around it.
    for leader, at in enumerate(table.leader_at):
        _count_leader(found, table, leader, at)
    limit = legion_limit(table)
    for space, cell in enumerate(table.units):
        for i in range(0, len(cell), 4):
            _count_stack(found[cell[i]], space, cell[i + 1 : i + 4], worth, steps, limit)
    docked: dict[tuple[Seat, int], int] = {}
    for galley, at in enumerate(table.galley_at):
        lord = table.lord[galley // table.galleys_each]
        if at == OFF or lord == NONE:
            continue
        own, cargo = found[lord], table.cargo[galley]
        own.galleys += 1
        if cargo:
            own.sailing.append((at, _count(own, cargo, worth)))
        elif not BOARD.is_sea(at):
            docked[lord, at] = docked.get((lord, at), 0) + 1
    for (lord, at), ships in docked.items():
        own, port = found[lord], BOARD.ashore[at]
        crew = min(ships, own.generals.get(port, 0))
        units = sum(army_of(table.units[port], lord))
        if crew and units:
            own.sailing.append((at, own.stacks[port] * min(1.0, limit * crew / units)))
    return found


def _count_leader(found: list[Forces], table: TableFields, leader: Leader, at: int) -> None:
    lord = table.lord[leader // table.leaders_each]
    if lord == NONE or at >= PRISON:
        return
    found[lord].leaders += 1
    if leader % table.leaders_each:
        found[lord].generals[at] = found[lord].generals.get(at, 0) + 1


def _count(own: Forces, army: Sequence[int], worth: Army) -> float:
    """Count an army, and return its worth."""
    for kind in range(3):
        own.units[kind] += army[kind]
    power = float(army[0] * worth[0] + army[1] * worth[1] + army[2] * worth[2])
    own.total += power
    return power


def _count_stack(
    own: Forces, space: Space, army: Sequence[int], worth: Army, steps: Sequence[Sequence[Space]], limit: int
) -> None:
    """Count a stack. limit: units that one leader leads."""
    own.stacks[space] = power = _count(own, army, worth)
    generals = own.generals.get(space, 0) + sum([own.generals.get(near, 0) for near in steps[space]])
    led = min(1.0, limit * generals / sum(army))
    fast = army[1] * worth[1]
    own.marching.append((space, (power - fast) * led, fast * led))


class Safety(Struct, frozen=True):
    """Safety of a place.

    chances: to keep it for 1, 2, 3 turns against the most dangerous rival. ratio: logarithm of the guard relative to
    the largest force weighted by nearness.
    """

    chances: tuple[float, ...] = (1.0,) * HORIZON
    ratio: float = 0.0


LOST: Final = Safety((0.0,) * HORIZON)
"""Safety of a place that the seat does not have."""


def safety(place: Space, guard: float, reinforced: float, rivals: Sequence[Forces], distance: Sequence[int]) -> Safety:
    """Return the safety of a place. reinforced: its guard after the seat's next purchases."""
    chances, pressure = [1.0] * HORIZON, 0.0
    for rival in rivals:
        within, near = rival.arriving(distance, place)
        pressure = max(pressure, near)
        for turn, force in enumerate(within):
            # A first attack comes before the next purchases.
            chances[turn] = min(chances[turn], holding(reinforced if turn else guard, force))
    return Safety(tuple(chances), log((guard + 20) / (pressure + 20)))


def holding(defenders: float, attackers: float) -> float:
    """Return the approximate chance of defenders, by the worth of both sides."""
    return 1 / (1 + ((attackers + 1) / (defenders + 8)) ** STEEPNESS)


def features(
    table: TableFields, seat: Seat, kinds: UnitKinds, found: Sequence[Forces], distances: Sequence[Sequence[int]]
) -> list[float]:
    """Return the features of a seat that is still in the match; more is better in each. found: forces of all seats."""
    own, home = found[seat], table.home[seat]
    rivals = [found[other] for other in range(table.seats) if other != seat and table.lord[other] == other]
    colours = table.lord.count(seat)
    left = [colours * most - units for most, units in zip(kinds.pool(table), own.units, strict=True)]
    supply = sum([worth * max(0, n) for worth, n in zip(kinds.worth, left, strict=True)])
    has_home = table.owner[home] == seat
    buying = min(table.talents[seat] / table.inflation, supply) if has_home else 0.0

    def at(place: Space) -> Safety:
        walls = table.built[place] == Built.FORTIFIED and table.owner[place] == seat
        guard = own.stacks.get(place, 0.0) + WALLS * walls
        return safety(place, guard, guard + buying * (place == home), rivals, distances[place])

    cities = {space: at(space) for space, built in enumerate(table.built) if built and table.owner[space] == seat}
    place = table.leader_at[seat * table.leaders_each]
    caesar = (cities.get(place) or at(place)) if place < BOARD.provinces else Safety()
    capital = (cities.get(home) or at(home)) if has_home else LOST
    return [
        log(own.total + 20),
        log(table.marker[seat] + 10),
        log(buying + 10),
        own.leaders / table.leaders_each,
        log(own.galleys + 1),
        float(has_home),
        caesar.ratio,
        capital.ratio,
        *caesar.chances,
        *capital.chances,
        *[log(sum([city.chances[turn] for city in cities.values()]) + 1) for turn in range(FORESEEN)],
    ]
