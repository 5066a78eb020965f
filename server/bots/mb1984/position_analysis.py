"""Distances and dangers of a position."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from server.bots.mb1984.odds import odds
from server.bots.mb1984.plans import CALM, Temper
from server.bots.routes import FAR, LandingRoute, course
from shared.board import BOARD
from shared.ids import CAVALRY, NO_ARMY, NONE, Army, Position, Seat, Space
from shared.mechanics.armies import Cell, army_of, common, enemies_in, plus, total
from shared.mechanics.marching import load
from shared.mechanics.pieces import ABOARD, OFF
from shared.mechanics.table import Built
from shared.mechanics.tribute import worth
from shared.mechanics.wares import Ware
from shared.rulesets.conquest.pieces import is_caesar, leaders_at, legion_limit, movement_points
from shared.rulesets.mb1984.economy import home_room, pieces_left
from shared.rulesets.mb1984.options import leaves_empire, prices, steps, wall_worth
from shared.rulesets.mb1984.table import GALLEYS, LEADERS, TableFields
from shared.rulesets.mb1984.view import View

Distances: TypeAlias = dict[int, int]

GENERAL_WORTH = 60
CAESAR_WORTH, CAESAR_ALONE = 600, 300
"""The second one where the captor of a Caesar gets only what stands there."""
HOME_WORTH = 300
"""Loss of the home without its Caesar: all units come from there."""
BOLD, FAIR, SAFE = 0.55, 0.45, 0.12
"""Chances of winning that an attack needs to begin and to go on; risk that a Caesar may run."""


ENOUGH, FEW = 5, 7
"""Least number of units at home worth fetching; most units of an army whose general leaves to fetch them."""
IDLE = 200
"""Talents at basic prices that a seat keeps after all purchases only if its armies no longer grow."""
CAMP = 3
"""Most marches from an enemy Caesar to an own army that fleets join."""
AHEAD, ENVY = 1.05, 1.5
"""Ratio of tributes from which a rival is the common enemy, and the factor of the value of its provinces."""
BOLD_FOR_CAESAR, DESPERATE = 0.4, 0.25
IMPATIENCE, PATIENT, PLENTY = 0.01, 8, 0.02
"""Decrease of the chance that an attack needs: for each round after PATIENT, and for each 100 talents of surplus."""

LATER, TURNS = 0.5, 2
"""Weight of a loss of the home in `TURNS` turns, since it can be answered; in a long match it is less."""
BOATLOAD: Army = (3, 2, 4)
"""Units expected to come over in a galley that lies on an enemy coast."""


def can_lead(table: TableFields, leader: int) -> bool:
    """Whether a general can still march."""
    return not is_caesar(table, leader) and table.leader_used[leader] < movement_points(table)


def reinforcement(table: TableFields, seat: Seat) -> Army:
    """Return the units that a player can buy for their home next turn, catapults first."""
    money = (table.talents[seat] + table.marker[seat]) // table.inflation
    room = max(0, home_room(table, seat))
    infantry, _cavalry, catapults, *_ = pieces_left(table, seat)
    engines = min(catapults, room, money // prices(table)[Ware.CATAPULTS])
    foot = min(
        infantry, room - engines, (money - engines * prices(table)[Ware.CATAPULTS]) // prices(table)[Ware.INFANTRY]
    )
    return max(0, foot), 0, max(0, engines)


def _others(cell: Cell, seat: Seat) -> Army:
    army = NO_ARMY
    for lord in enemies_in(cell, seat):
        army = plus(army, army_of(cell, lord))
    return army


class PositionAnalysis:
    """Distances and dangers of one position, computed on demand.

    Caches are explicit fields: a compiled class does not support `cached_property`.
    """

    def __init__(self, table: View, seat: Seat, temper: Temper = CALM) -> None:
        self.table = table
        self.seat = seat
        self.temper = temper
        self.steps = steps(table)
        self.legion_limit = legion_limit(table)
        self.movement_points = movement_points(table)
        self.caesar = table.leader_at[seat * LEADERS]
        self._danger: dict[tuple[Space, Space], Army] = {}
        self._risk: dict[tuple[Space, Army, Space], float] = {}
        self._near: dict[Space, Distances] = {}
        self._camps: list[Space] | None = None
        self._beside: dict[Space, Army] = {}
        self._prizes: dict[Space, float] = {}
        self.voyages: dict[tuple[Position, Army], LandingRoute | None] = {}
        self.waiting: list[Space] | None = None
        self._prey: Distances | None = None
        self._foremost: Seat | None = None
        self._land: Distances | None = None
        self._home: Distances | None = None
        self._sea: Distances | None = None
        self._far: dict[Space, Army] = {}
        self._bought: Army | None = None
        self._shores: list[Space] | None = None
        self._armies = [army_of(cell, seat) for cell in table.units]
        self._foes = [_others(cell, seat) for cell in table.units]
        self.enemy_caesars = [table.leader_at[s * LEADERS] for s in range(table.seats) if table.lord[s] == s != seat]
        """Positions of the other Caesars."""
        surplus = table.talents[seat] / (100 * table.inflation)
        self.rich = table.talents[seat] >= IDLE * table.inflation
        """Whether talents are left that armies at home do not need."""
        self._haste = IMPATIENCE * max(0, table.round - PATIENT) + PLENTY * surplus

    def enemy(self, owner: int) -> bool:
        """Whether a province's owner is another player."""
        return owner not in (self.seat, NONE)

    @property
    def foremost(self) -> Seat:
        """The rival who is far ahead of this seat and of all others, or NONE; in a duel NONE."""
        if self._foremost is None:
            self._foremost = self._find_foremost()
        return self._foremost

    def _find_foremost(self) -> Seat:
        table = self.table
        rivals = [s for s in range(table.seats) if table.lord[s] == s != self.seat]
        if len(rivals) < 2:
            return NONE
        tributes = sorted([table.marker[s] for s in (*rivals, self.seat)])
        first = max(rivals, key=lambda rival: table.marker[rival])
        return first if tributes[-1] == table.marker[first] >= AHEAD * tributes[-2] else NONE

    def holds_home(self, space: Space) -> bool:
        """Whether a province is the own home, still in own hands."""
        return space == self.table.home[self.seat] and self.table.owner[space] == self.seat

    @property
    def shores(self) -> list[Space]:
        """Provinces worth a landing: those of enemies, and those with their Caesars."""
        if self._shores is None:
            owner = self.table.owner
            self._shores = [s for s in range(BOARD.provinces) if self.enemy(owner[s]) or s in self.enemy_caesars]
        return self._shores

    def army(self, space: Space) -> Army:
        """Return the own army in a province."""
        return self._armies[space]

    def foes(self, space: Space) -> Army:
        """Return all enemy units in a province."""
        return self._foes[space]

    def wall(self, space: Space) -> int:
        """Return the defender's advantage from a fortified city of an enemy."""
        stands = self.table.built[space] == Built.FORTIFIED and self.enemy(self.table.owner[space])
        return wall_worth(self.table) * stands

    def danger(self, space: Space, without: Space = NONE) -> Army:
        """Return enemy units that could be in a province after one turn, except those in `without`."""
        if (space, without) not in self._danger:
            near = NO_ARMY
            for beside in self.steps[space]:
                if beside != without:
                    near = plus(near, self.foes(beside))
                for beyond in self.steps[beside]:
                    if beyond not in (space, without) and beyond not in self.steps[space]:
                        # Only cavalry marches two provinces.
                        near = plus(near, (0, self.foes(beyond)[CAVALRY], 0))
            self._danger[space, without] = plus(near, self._afloat(space, without))
        return self._danger[space, without]

    def worth(self, space: Space) -> int:
        """Return the tribute of a province."""
        return worth(self.table, space)

    def prize(self, space: Space) -> float:
        """Return the value of taking a province: its tribute for some turns, and the leaders in it."""
        if space not in self._prizes:
            self._prizes[space] = self._province_value(space)
        return self._prizes[space]

    def _province_value(self, space: Space) -> float:
        table = self.table
        value = 4.0 * worth(table, space)
        owner = table.owner[space]
        if owner == self.seat:
            value = 0.0
        elif owner != NONE:
            value *= 1.5
            if table.home[owner] == space:
                value += 100 + table.talents[owner]
        for leader, at in enumerate(table.leader_at):
            if at == space and table.lord[leader // LEADERS] != self.seat:
                worth_of_caesar = CAESAR_WORTH if leaves_empire(table) else CAESAR_ALONE
                value += worth_of_caesar if is_caesar(table, leader) else GENERAL_WORTH
        return value * (ENVY if owner == self.foremost != NONE else 1.0)

    def boldness(self, space: Space) -> float:
        """Return the chance that an attack needs: less for a Caesar, in a long game, and with a surplus of talents."""
        start = BOLD_FOR_CAESAR if space in self.enemy_caesars else BOLD
        return max(DESPERATE, start - self._haste) - self.temper.boldness

    def enemy_fleet(self, zone: Space) -> bool:
        """Whether a galley of another player lies in a sea zone."""
        return any(
            at == zone and self.table.lord[galley // GALLEYS] != self.seat
            for galley, at in enumerate(self.table.galley_at)
        )

    def _afloat(self, space: Space, without: Space) -> Army:
        """Return enemy legions within two movements of a galley."""
        zones = {zone for coast in BOARD.coasts[space] for zone in BOARD.coast_seas[coast]}
        wider = zones | {beyond for zone in zones for beyond in BOARD.coast_seas[zone]}
        army = NO_ARMY
        for galley, at in enumerate(self.table.galley_at):
            if at == OFF or self.table.lord[galley // GALLEYS] == self.seat:
                continue
            if at in wider and self.table.cargo[galley]:
                army = plus(army, self.table.cargo[galley])
            elif (
                not BOARD.is_sea(at) and BOARD.ashore[at] not in (space, without) and zones & set(BOARD.coast_seas[at])
            ):
                army = plus(army, common(self.foes(BOARD.ashore[at]), BOATLOAD))
        return army

    @property
    def lairs(self) -> list[Space]:
        """Provinces of enemy Caesars."""
        return [at for at in self.enemy_caesars if at < BOARD.provinces]

    def near(self, lair: Space) -> Distances:
        """Return the steps by land to a province."""
        if lair not in self._near:
            self._near[lair] = self.spread([lair], self.steps)
        return self._near[lair]

    @property
    def camps(self) -> list[Space]:
        """Own provinces, but for the home, with an army a few marches from an enemy Caesar."""
        if self._camps is None:
            self._camps = [
                space
                for space, army in enumerate(self._armies)
                if self.rich
                and total(army) >= ENOUGH
                and self.table.owner[space] == self.seat
                and space != self.table.home[self.seat]
                and any(0 < self.near(lair).get(space, FAR) <= CAMP for lair in self.lairs)
            ]
        return self._camps

    def beside(self, space: Space) -> Army:
        """Return own units that could march into a province from next to it, and join a landing there.

        They count only for a rich seat: until a fleet arrives, much can happen to them.
        """
        if not self.rich:
            return NO_ARMY
        if space not in self._beside:
            army = NO_ARMY
            for near in self.steps[space]:
                crew = [x for x in leaders_at(self.table, self.seat, near) if not is_caesar(self.table, x)]
                army = plus(army, load((*self.army(near), 0), self.legion_limit * len(crew))[0])
            self._beside[space] = army
        return self._beside[space]

    def risk(self, space: Space, army: Army, without: Space = NONE) -> float:
        """Return the chance that enemies outside `without` could take a province held by `army`."""
        key = (space, army, without)
        if key not in self._risk:
            self._risk[key] = self._taken(space, army, self.danger(space, without))
        return self._risk[key]

    def held_risk(self, space: Space, army: Army, without: Space = NONE) -> float:
        """Return the chance that enemies outside `without` take a province held by `army`.

        At home the units bought this turn help, and enemies who need two turns count, too.
        """
        if not self.holds_home(space):
            return self.risk(space, army, without)
        if self._bought is None:
            self._bought = reinforcement(self.table, self.seat)
        held = plus(army, self._bought)
        later = self._taken(space, plus(held, self._bought), self._enemies_in_two_turns(space, without))
        return max(self.risk(space, held, without), max(0.0, LATER - self._haste) * later)

    def _enemies_in_two_turns(self, home: Space, without: Space) -> Army:
        """Return enemy units that could be in the home after two turns, except those in `without`."""
        if without not in self._far:
            self._far[without] = self._find_looming(home, without)
        return self._far[without]

    def _find_looming(self, home: Space, without: Space) -> Army:
        table, way, sea = self.table, self.near(home), course(home)
        army = NO_ARMY
        for space, far in way.items():
            if 0 < far <= TURNS and space != without:
                army = plus(army, self.foes(space))
        ports: set[Space] = {without}
        for galley, at in enumerate(table.galley_at):
            if at == OFF or table.lord[galley // GALLEYS] == self.seat or sea[at] > TURNS * self.movement_points:
                continue
            port = NONE if BOARD.is_sea(at) else BOARD.ashore[at]
            if port == NONE:
                army = plus(army, table.cargo[galley] or NO_ARMY)
            elif port not in ports and way.get(port, FAR) > TURNS:
                ports.add(port)
                army = plus(army, common(self.foes(port), BOATLOAD))
        return army

    def _taken(self, space: Space, army: Army, coming: Army) -> float:
        if not any(coming):
            return 0.0
        wall = wall_worth(self.table) * (self.table.built[space] == Built.FORTIFIED)
        return odds(coming, army, wall) if any(army) else 1.0

    def homeward(self, source: Space, to: Space) -> int:
        """Return the steps by land that a march brings its legion nearer to home."""
        if self._home is None:
            self._home = self.spread([self.table.home[self.seat]], self.steps)
        return self._home.get(source, FAR) - self._home.get(to, FAR)

    def idle(self, space: Space) -> bool:
        """Whether an army is of more use at home: no land left to take here, or no general at home to lead."""
        if space not in self.land():
            return True
        home = self.table.home[self.seat]
        crew = [x for x in leaders_at(self.table, self.seat, home) if not is_caesar(self.table, x)]
        if crew or total(self.army(home)) < ENOUGH or total(self.army(space)) > FEW:
            return False
        return self.land()[space] > 1

    def land(self) -> Distances:
        """Return by province the steps to the nearest province of another owner."""
        if self._land is None:
            goals = [s for s in range(BOARD.provinces) if self.table.owner[s] != self.seat]
            self._land = self.spread(goals, self.steps)
        return self._land

    def prey(self) -> Distances:
        """Return by province the steps to the nearest enemy Caesar or enemy province."""
        if self._prey is None:
            first = self.foremost
            hunted = [first] if first != NONE else [s for s in range(self.table.seats) if self.enemy(s)]
            lairs = [at for s in hunted if (at := self.table.leader_at[s * LEADERS]) < BOARD.provinces]
            lands = [s for s, owner in enumerate(self.table.owner) if owner in hunted]
            self._prey = self.spread(lands, self.steps)
            for space, distance in self.spread(lairs, self.steps).items():
                self._prey[space] = min(self._prey.get(space, FAR), distance)
        return self._prey

    def sea(self) -> Distances:
        """Return by galley position the movements to land on an enemy or to reach an enemy Caesar's galley."""
        if self._sea is None:
            goals: list[int] = []
            for at in self.enemy_caesars:
                if at < BOARD.provinces:
                    goals += [coast for s in (at, *self.steps[at]) for coast in BOARD.coasts[s]]
                elif ABOARD <= at < ABOARD + len(self.table.galley_at):
                    goals.append(self.table.galley_at[at - ABOARD])
            goals = [at for at in goals if self.is_goal(at)]
            if not goals:
                lands = [s for s, owner in enumerate(self.table.owner) if self.enemy(owner)]
                goals = [coast for s in lands for coast in BOARD.coasts[s]]
            links = [
                (*seas, *(BOARD.landings[at] if BOARD.is_sea(at) else ())) for at, seas in enumerate(BOARD.coast_seas)
            ]
            self._sea = self.spread(goals, links)
        return self._sea

    def is_goal(self, at: int) -> bool:
        """Whether a galley position is worth an expedition: at sea, or on land that is not ours."""
        return BOARD.is_sea(at) or self.table.owner[BOARD.ashore[at]] != self.seat

    @staticmethod
    def spread(goals: Iterable[int], links: Sequence[Sequence[int]]) -> Distances:
        """Return the number of steps along `links` from each place to the nearest goal."""
        found = dict.fromkeys(goals, 0)
        border = list(found)
        # The list grows meanwhile: nearer places come first.
        for here in border:
            for there in links[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    border.append(there)
        return found
