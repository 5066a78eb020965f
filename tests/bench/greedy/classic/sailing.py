"""Galleys: take islands, bring generals home, hunt a Caesar who put to sea, land an army on an enemy's home."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Position, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import plus, total
from shared.mechanics.places import ABOARD
from shared.rulesets.classic.galleys import can_board
from shared.rulesets.classic.legions import hostile
from shared.rulesets.classic.state import LEADERS
from shared.rulesets.conquest.legions import LEGION, POINTS
from shared.vocabulary.actions import Sail
from tests.bench.greedy.classic import odds
from tests.bench.greedy.classic.marching import boldness, impatience
from tests.bench.greedy.classic.survey import FAR, Survey, load

SEAS: Final = range(BOARD.provinces, BOARD.spaces)
INVADE: Final = 60.0
"""How urgent the next step of an invasion is."""
BY_LAND: Final = 3
"""Armies march to an objective that is no farther."""
LANDED: Final[Army] = (7, 4, 3)
"""What a bridgehead may count on."""
SMALL_PARTY: Final = 2
"""So few units are on an errand of their own."""
RESTLESS: Final = 0.25
"""Impatience from which an invasion is considered."""

Choice = tuple[float, Action]


@cache
def voyage(start: Position) -> dict[Position, int]:
    """Steps over the open sea from a zone, or from a coast, to every zone."""
    found = dict.fromkeys(BOARD.coast_seas[start], 1)
    if start in SEAS:
        found[start] = 0
    border = list(found)
    for zone in border:
        for there in BOARD.coast_seas[zone]:
            if there not in found:
                found[there] = found[zone] + 1
                border.append(there)
    return found


@cache
def course_to(space: Space) -> dict[Position, int]:
    """Steps from every zone to the nearest coast of a province."""
    course: dict[Position, int] = {}
    for coast in BOARD.coasts[space]:
        for zone, steps in voyage(coast).items():
            course[zone] = min(steps, course.get(zone, FAR))
    return course


@cache
def shores(space: Space) -> frozenset[Position]:
    """The zones that a province touches."""
    return frozenset(zone for coast in BOARD.coasts[space] for zone in BOARD.coast_seas[coast])


def sail(s: Survey) -> Action | None:
    """The most useful thing that a galley can do, if there is any."""
    if not s.fleet:
        return None
    admiral = Admiral(s)
    best: Action | None = None
    most = 0.0
    for galley in s.fleet:
        if s.table.galley_used[galley] < POINTS:
            for worth, action in admiral.choices(galley):
                if worth > most:
                    best, most = action, worth
    return best


class Admiral:
    """Plans for the whole fleet: where an invasion starts, and where it goes."""

    def __init__(self, s: Survey) -> None:
        self.s = s
        self.port = self._staging()
        self.target = NONE
        if impatience(s) >= RESTLESS:
            self.target = self._invaded()
            if self.target == NONE:
                self.target = self._bridgehead()

    def choices(self, galley: int) -> Iterator[Choice]:
        """Yield possible actions of a galley with their worth."""
        at = self.s.table.galley_at[galley]
        crew = self.s.leaders[self.s.seat].get(ABOARD + galley, [])
        if at in SEAS:
            yield from self._laden(galley, at) if crew else self._empty(galley, at)
        elif not self.s.table.galley_used[galley]:
            yield from self._in_port(galley, at)

    # --- invasion ---

    def crew(self, port: Space) -> list[Leader]:
        """Generals that can go aboard there."""
        s = self.s
        return [x for x in s.leaders[s.seat].get(port, ()) if x != s.caesar and can_board(s.table, s.seat, x)]

    def _staging(self) -> Space:
        """The port where most troops could go aboard; NONE where there are none worth a fleet."""
        best, most = NONE, LEGION
        for space in self.s.mine:
            if BOARD.coasts[space] and not hostile(self.s.table, self.s.seat, space):
                troops = min(total(self.s.ashore(space)), LEGION * len(self.crew(space)))
                if troops > most:
                    best, most = space, troops
        return best

    def _invaded(self) -> Space:
        """The enemy's seat that the fleet, fully laden, would probably take; NONE if there is none."""
        s = self.s
        force, leaders = NO_ARMY, 0
        for galley in s.fleet:
            if s.cargo(galley) != NO_ARMY:
                force, leaders = plus(force, s.cargo(galley)), leaders + 1
        if self.port != NONE:
            ships = sum(BOARD.ashore[s.table.galley_at[g]] == self.port for g in s.fleet)
            ships = min(ships, len(self.crew(self.port)))
            force = plus(force, load(s.ashore(self.port), LEGION * ships))
            leaders += ships
        best, most = NONE, 0.0
        for rival in s.rivals:
            target = s.seat_of(rival)
            if target == NONE or not shores(target) or not hostile(s.table, s.seat, target):
                continue
            enemy, marshals, walls = s.defenders(target)
            margin = odds.forecast(force, leaders, plus(enemy, s.hired_by(rival)), marshals, walls).margin
            if any(force) and margin > max(most, 0.1):
                best, most = target, margin
        return best

    def _bridgehead(self) -> Space:
        """An own port next to the objective, far by land from the staging port; NONE if there is none."""
        s, goal = self.s, self.s.objective()
        if self.port == NONE or s.distance[self.port][goal] <= BY_LAND:
            return NONE if not any(s.cargo(galley) != NO_ARMY for galley in s.fleet) else self._nearest_port(goal)
        return self._nearest_port(goal)

    def _nearest_port(self, goal: Space) -> Space:
        s = self.s
        near = [p for p in (goal, *s.steps[goal]) if shores(p) and s.table.owner[p] == s.seat]
        near = [p for p in near if not hostile(s.table, s.seat, p) and s.danger(p, plus(s.army(p), LANDED), 2) < 0]
        return max(near, key=lambda p: total(s.army(p)), default=NONE)

    # --- at sea ---

    def _laden(self, galley: int, at: Position) -> Iterator[Choice]:
        s, army = self.s, self.s.cargo(galley)
        course = course_to(s.home)
        if self.target != NONE and total(army) > SMALL_PARTY:
            course = course_to(self.target)
            if s.table.owner[self.target] == s.seat and at in shores(self.target):
                coasts = [coast for coast in BOARD.coasts[self.target] if coast in BOARD.landings[at]]
                yield INVADE, Sail(galley, coasts[0])
        else:
            for coast in BOARD.landings[at]:
                space = BOARD.ashore[coast]
                if s.table.owner[space] == s.seat and not hostile(s.table, s.seat, space):
                    yield 0.1 + (space == s.home) + (s.distance[space][s.home] < FAR), Sail(galley, coast)
        for coast in BOARD.landings[at]:
            yield self._landing_worth(BOARD.ashore[coast], any(army)), Sail(galley, coast)
        for zone in BOARD.coast_seas[at]:
            if course.get(zone, FAR) < course.get(at, FAR):
                yield 0.5, Sail(galley, zone)

    def _empty(self, galley: int, at: Position) -> Iterator[Choice]:
        prey = self._prey()
        goal = self.port if self.port != NONE else self.s.home
        if prey == NONE and at in shores(goal):
            for coast in BOARD.coasts[goal]:
                if at in BOARD.coast_seas[coast]:
                    yield 2.0, Sail(galley, coast)
            return
        course = voyage(prey) if prey != NONE else course_to(goal)
        for zone in BOARD.coast_seas[at]:
            if course.get(zone, FAR) < course.get(at, FAR):
                yield 1.0, Sail(galley, zone)

    def _prey(self) -> Position:
        """The zone in which a rival's Caesar is afloat, or NONE."""
        table = self.s.table
        for rival in self.s.rivals:
            at = table.leader_at[rival * LEADERS]
            if ABOARD <= at < ABOARD + len(table.galley_at):
                return table.galley_at[at - ABOARD]
        return NONE

    # --- in port ---

    def _in_port(self, galley: int, at: Position) -> Iterator[Choice]:
        s, port = self.s, BOARD.ashore[at]
        crew, units = self.crew(port), s.ashore(port)
        if crew and any(units):
            if self.target != NONE and port == self.port:
                course = course_to(self.target)
                zone = min(BOARD.coast_seas[at], key=lambda zone: course.get(zone, FAR))
                yield INVADE, Sail(galley, zone, (crew[0],), *load(units, LEGION))
            yield from self._raids(galley, at, crew[0], units)
        if self._prey() != NONE or (self.port not in (NONE, port) and impatience(s) >= RESTLESS):
            course = voyage(self._prey()) if self._prey() != NONE else course_to(self.port)
            zone = min(BOARD.coast_seas[at], key=lambda zone: course.get(zone, FAR))
            yield 1.5, Sail(galley, zone)
        elif s.distance[port][s.home] == FAR:
            course = course_to(s.home)
            for zone in BOARD.coast_seas[at]:
                yield 2.0 / (1 + course.get(zone, FAR)), Sail(galley, zone, tuple(crew))

    def _raids(self, galley: int, at: Position, leader: Leader, units: Army) -> Iterator[Choice]:
        """Over one zone to another shore: a unit where it is open, a legion against enemies."""
        for zone in BOARD.coast_seas[at]:
            for coast in BOARD.landings[zone]:
                target = BOARD.ashore[coast]
                legion = load(units, LEGION if hostile(self.s.table, self.s.seat, target) else 1)
                yield self._landing_worth(target, True), Sail(galley, zone, (leader,), *legion)

    def _landing_worth(self, space: Space, with_units: bool) -> float:
        """Return the worth of landing there; 0 where a march does as well, or the odds are bad."""
        s = self.s
        if not with_units:
            return 0.0
        if not hostile(s.table, s.seat, space):
            easy = any(any(s.army(near)) and s.generals(near) for near in s.steps[space])
            return 0.0 if s.table.owner[space] == s.seat or easy or any(s.army(space)) else s.value(space)
        enemy, marshals, walls = s.defenders(space)
        force, leaders = self._landing_force(space)
        margin = odds.forecast(force, leaders, enemy, marshals, walls).margin
        value = s.value(space)
        return value * (0.5 + margin) if margin >= boldness(s, value) else 0.0

    def _landing_force(self, space: Space) -> tuple[Army, int]:
        """All that could stand there after this turn's landings, and how many leaders with it."""
        s = self.s
        force, leaders = s.army(space), s.led(space)
        ships: dict[Space, int] = {}
        for galley in s.fleet:
            at, used = s.table.galley_at[galley], s.table.galley_used[galley]
            if at in shores(space) and used < POINTS and any(s.cargo(galley)):
                force, leaders = plus(force, s.cargo(galley)), leaders + 1
            elif at not in SEAS and not used and shores(space).intersection(BOARD.coast_seas[at]):
                ships[BOARD.ashore[at]] = ships.get(BOARD.ashore[at], 0) + 1
        ships.pop(space, None)
        for port, docked in ships.items():
            sailing = min(docked, len(self.crew(port)))
            force, leaders = plus(force, load(s.ashore(port), LEGION * sailing)), leaders + sailing
        return force, leaders
