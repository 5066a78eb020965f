"""Analysis of a position for one seat: armies, leaders, distances, dangers."""

import random
from typing import Final, TypeAlias

from server.bots.classic import odds
from server.bots.routes import FAR, course, distances
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Position, Seat, Space
from shared.mechanics.armies import army_of, enemies_in, plus, total
from shared.mechanics.pieces import ABOARD, alive
from shared.mechanics.table import Built
from shared.mechanics.tribute import worth
from shared.rulesets.classic.battle import walls_of
from shared.rulesets.classic.economy import galley_coasts
from shared.rulesets.classic.galleys import boardable, can_board
from shared.rulesets.classic.legions import hostile, road_trip
from shared.rulesets.classic.options import prices, steps, wall_worth
from shared.rulesets.classic.property import on_board, supply
from shared.rulesets.classic.table import LEADERS, TableFields
from shared.rulesets.conquest.pieces import galley_lord, legion_limit, movement_points, ready

HOME_VALUE, CAESAR_VALUE, GENERAL_VALUE = 75, 400, 50
"""Values beyond tribute: an enemy's home, an enemy's Caesar, an enemy's general."""
YEARS: Final = 2
"""Turns of tribute that a conquest is worth."""
SAFE: Final = 0.14
"""Accepted risk of losing an army or a home."""
LEAST_RISK, RISKS = 0.02, 0.6
"""Risk that the most careful accept, and what boldness adds to the accepted risk of losing a home."""
BOLD, BOLD_FOR_CAESAR, DESPERATE = 0.51, 0.48, 0.25
"""Chances of winning that an attack needs: at first, at first against a Caesar, and at least."""
ENOUGH: Final = 220
"""Basic talents that replace an army."""
LASTING: Final = 5
"""Turns of tribute that count in a war of attrition."""
IMPATIENCE, PATIENT, PLENTY = 0.025, 6, 0.02
"""Decrease of the chance that an attack needs: for each round after PATIENT, and for each 100 talents of surplus."""
LATE, LATEST, RECKLESSNESS = 30, 32, 0.0045
"""Rounds between which the least chance falls too, and the decrease in each."""
WEARY, LAST_RESORT = 0.02, 45
"""Decrease of the least chance for a rich seat, in each round from LAST_RESORT: its next army is paid for."""
OUTLASTING, STRAINING = 1.5, 0.044
"""Ratio of means from which a rival is outlasted, and its decrease in each round from RESTLESS to TIRED."""
RESTLESS, TIRED, DARING = 25, 32, 0.012
"""Rounds between which homes get smaller garrisons, and the additional risk in each."""
SIEGE: Final = 13
"""Least number of units for a war of attrition."""
SIEGES: Final = 16
"""Round from which an enemy who could replace losses is worn down."""
WEARING, WORN = 3.0, 0.7
"""Ratio by which a besieged enemy's relative losses must exceed ours: at first, and at least."""
WAR: Final = 8
"""Round from which generals are needed for the war."""
WHIM: Final = 0.25
"""Share by which values vary in the opening."""
SATED: Final = 26
"""Units in port beyond the needs of a fleet."""
LOOMING: Final = 3
"""Steps from home within which an enemy army keeps a garrison from going aboard."""
FUTILE: Final = 13
"""Round from which generals no longer wait for a fleet to be complete."""
HOST: Final = 5
"""Least number of units that count as an army of their own."""
HOME_GUARD, REACH = 5, 9
"""Most units that stay at home against a fleet, and the movements within which a fleet counts."""
OCCUPIERS: Final = 3
"""Units that stay in a rival's home, so that the rival hires no units there."""

Force: TypeAlias = tuple[Army, int]
"""An army, and the number of its leaders."""


class PositionAnalysis:
    """Analysis of a table for `seat`.

    whim: varies values before round WAR, so that openings differ; without it they do not vary.
    boldness: amount by which an attack needs less chance.
    gathered: whether all units that can come to a siege are there.

    Caches are explicit fields: a compiled class does not support `cached_property`.
    """

    def __init__(
        self, table: TableFields, seat: Seat, whim: random.Random | None = None, boldness: float = 0.0
    ) -> None:
        self._whim = whim if table.round < WAR else None
        self._boldness = boldness
        self.table = table
        self.seat = seat
        self.steps = steps(table)
        self.legion_limit = legion_limit(table)
        self.prices = prices(table)
        self.movement_points = movement_points(table)
        self.distance = distances(self.steps)
        self.home = table.home[seat]
        self.home_is_mine = table.owner[self.home] == seat
        self.port = self._port()
        self.caesar: Leader = seat * LEADERS
        self.caesar_at = table.leader_at[self.caesar]
        self.rivals = [s for s in range(table.seats) if s != seat and alive(table, s)]
        self.armies: dict[Seat, dict[Space, Army]] = {s: {} for s in (seat, *self.rivals)}
        for space, cell in enumerate(table.units):
            for i in range(0, len(cell), 4):
                self.armies[cell[i]][space] = cell[i + 1], cell[i + 2], cell[i + 3]
        self.mine = self.armies[seat]
        self.leaders: dict[Seat, dict[int, list[Leader]]] = {s: {} for s in (seat, *self.rivals)}
        for leader, at in enumerate(table.leader_at):
            lord = table.lord[leader // LEADERS]
            if lord != NONE and at < ABOARD + len(table.galley_at):
                self.leaders[lord].setdefault(at, []).append(leader)
        self.fleets: dict[Seat, list[int]] = {s: [] for s in (seat, *self.rivals)}
        for galley, at in enumerate(table.galley_at):
            if at < BOARD.positions:
                self.fleets[galley_lord(table, galley)].append(galley)
        self.fleet = self.fleets[seat]
        self._threats: dict[tuple[Space, Space], list[Force]] = {}
        self._routes: dict[Space, list[int]] = {}
        self._ways: dict[Space, tuple[Space, ...]] = {}
        self._guards: dict[tuple[Space, Space], int] = {}
        self._landings: int | None = None
        self.gathered = False
        self._mobilized: bool | None = None
        self._leaderless: dict[Space, int] | None = None

    def _port(self) -> Space:
        """Return the province where own fleets are built, or NONE."""
        if BOARD.coasts[self.home]:
            return self.home if self.home_is_mine else NONE
        built = galley_coasts(self.table, self.seat)
        return BOARD.ashore[built[0]] if built else NONE

    # --- own forces ---

    def army(self, space: Space) -> Army:
        """Return own units in a province."""
        return self.mine.get(space, NO_ARMY)

    def strength(self, seat: Seat) -> int:
        """Return the worth of a seat's units."""
        return odds.worth(on_board(self.table, seat)[:3], self.prices)

    def generals(self, space: Space) -> list[Leader]:
        """Return own generals in a province that can still march, the freshest first."""
        used = self.table.leader_used
        there = self.leaders[self.seat].get(space, [])
        return sorted([x for x in there if x != self.caesar and used[x] < self.movement_points], key=lambda x: used[x])

    def crew(self, port: Space) -> list[Leader]:
        """Return own generals in a port that can go aboard."""
        there = self.leaders[self.seat].get(port, ())
        return [x for x in there if x != self.caesar and can_board(self.table, self.seat, x)]

    def led(self, space: Space) -> int:
        """Return the number of own leaders in a province."""
        return len(self.leaders[self.seat].get(space, ()))

    def cargo(self, galley: int) -> Army:
        """Return the units aboard a galley."""
        cargo = self.table.cargo[galley]
        return (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY

    def docked(self) -> dict[Space, list[int]]:
        """Return by province own galleys on its coasts that have not moved."""
        found: dict[Space, list[int]] = {}
        for galley in self.fleet:
            at = self.table.galley_at[galley]
            if not BOARD.is_sea(at) and not self.table.galley_used[galley]:
                found.setdefault(BOARD.ashore[at], []).append(galley)
        return found

    def muster(self) -> Army:
        """Return the units that this seat can hire at home this turn, tribute included."""
        return self.hired_by(self.seat)

    def hired_by(self, seat: Seat, turns: int = 1) -> Army:
        """Return the units that a seat can hire at home in its next `turns` purchases."""
        if self.table.owner[self.table.home[seat]] != seat:
            return NO_ARMY
        left = supply(self.table, seat)
        money = (self.table.talents[seat] + turns * self.table.marker[seat]) // self.table.inflation
        infantry = min(left[0], money // self.prices[0])
        cavalry = min(left[1], (money - infantry * self.prices[0]) // self.prices[1])
        return infantry, cavalry, 0

    def at_large(self, seat: Seat) -> int:
        """Return the number of a seat's leaders on the board."""
        return sum(len(there) for there in self.leaders[seat].values())

    def ways(self, source: Space) -> tuple[Space, ...]:
        """Return the provinces that a march reaches: those one step away, and own cities by road."""
        if not self.table.roads:
            return self.steps[source]
        if source not in self._ways:
            trips = road_trip(self.table, self.seat, source).difference(self.steps[source])
            open_ones = [city for city in sorted(trips) if not hostile(self.table, self.seat, city)]
            self._ways[source] = *self.steps[source], *open_ones
        return self._ways[source]

    def route(self, goal: Space) -> list[int]:
        """Return the steps to a province from every other, around all enemies; FAR where no route leads."""
        if goal not in self._routes:
            found = [FAR] * len(self.steps)
            found[goal] = 0
            border = [goal]
            for here in border:
                for there in self.ways(here):
                    if found[there] == FAR and not hostile(self.table, self.seat, there):
                        found[there] = found[here] + 1
                        border.append(there)
            self._routes[goal] = found
        return self._routes[goal]

    # --- dangers ---

    def threats(self, space: Space, but: Space = NONE) -> list[Force]:
        """Return each rival's force that could reach a province next turn; armies in `but` are ignored."""
        if (space, but) not in self._threats:
            coming = [self._coming(rival, space, but) for rival in self.rivals]
            self._threats[space, but] = [force for force in coming if any(force[0])]
        return self._threats[space, but]

    def _coming(self, rival: Seat, space: Space, but: Space) -> Force:
        """Return a rival's units within one march (horsemen two), limited by nearby leaders, and its landings."""
        armies, leaders = self.armies[rival], self.leaders[rival]
        force, marshals = NO_ARMY, set[Leader]()
        for near in self.steps[space]:
            if near in armies and near != but:
                around = [at for at in (near, *self.steps[near]) if at in leaders and at not in (space, but)]
                at_hand = [x for at in around for x in leaders[at] if x % LEADERS]
                force = plus(force, armies[near]) if at_hand else force
                marshals.update(at_hand)
            for far in self.steps[near]:
                if far in armies and far in leaders and far not in (space, but) and far not in self.steps[space]:
                    force = plus(force, (0, armies[far][1], 0))
                    marshals.update(x for x in leaders[far] if x % LEADERS)
        landing, admirals = self._landing(rival, space, but)
        return plus(load(force, self.legion_limit * len(marshals)), landing), len(marshals) + admirals

    def _landing(self, rival: Seat, space: Space, but: Space) -> Force:
        """Return the force that a rival's galleys could land next turn."""
        force, leaders = NO_ARMY, 0
        docked: dict[Space, int] = {}
        for galley in self.fleets[rival]:
            at = self.table.galley_at[galley]
            if course(space)[at] > self.movement_points:
                continue
            if BOARD.is_sea(at):
                force, leaders = plus(force, self.cargo(galley)), leaders + any(self.cargo(galley))
            else:
                docked[BOARD.ashore[at]] = docked.get(BOARD.ashore[at], 0) + 1
        for port, ships in docked.items():
            sailing = min(ships, sum(x % LEADERS > 0 for x in self.leaders[rival].get(port, ())))
            if port not in (space, but) and space not in self.steps[port]:
                force = plus(force, load(self.armies[rival].get(port, NO_ARMY), self.legion_limit * sailing))
                leaders += sailing
        return force, leaders

    def risk(self, space: Space, army: Army, leaders: int = 0, but: Space = NONE) -> float:
        """Return the chance that an attack next turn beats `army` in a province; armies in `but` are ignored."""
        threats = self.threats(space, but)
        if not threats or not any(army):
            return float(bool(threats))
        stand = self.table.built[space] == Built.FORTIFIED and (self.table.owner[space] == self.seat or but == space)
        walls = wall_worth(self.table) * stand
        return max(odds.odds(force, led, army, leaders, walls) for force, led in threats)

    # --- what can march ---

    def movable(self, space: Space) -> Army:
        """Return units in a province that can still march."""
        infantry, fresh, catapults, tired = ready(self.table, self.seat, space)
        return infantry, fresh + tired, catapults

    def spare(self, space: Space, but: Space = NONE) -> Army:
        """Return units that can leave a province without giving it up; enemies in `but` are ignored."""
        movable = self.movable(space)
        if not any(movable):
            return NO_ARMY
        staying = total(self.army(space)) - total(movable)
        return without(movable, max(0, self.garrison(space, but) - staying))

    def garrison(self, space: Space, but: Space = NONE) -> int:
        """Return the number of units that a province needs: the home as many as hold it, a new conquest one."""
        if hostile(self.table, self.seat, space):
            return 0
        if (space == self.home and self.home_is_mine) or space == self.caesar_at:
            return max(self._guard(space, but), self._afloat_near() if space == self.home else 0)
        if self.table.owner[space] != self.seat:
            return 1
        if space not in [self.table.home[rival] for rival in self.rivals]:
            return int(but in self.lairs())  # Prevents a beaten Caesar from fleeing here.
        return 1 if but in self.lairs() else OCCUPIERS

    def _guard(self, space: Space, but: Space) -> int:
        """Return the smallest guard that, with units hired this turn, keeps the risk bearable."""
        if (space, but) not in self._guards:
            here, hired = self.army(space), self.muster() if space == self.home else NO_ARMY
            leaders = int(self.caesar_at == space)
            low, most = min(total(here), 1 + bool(self.threats(space, but))), total(here)
            # The risk falls with each guard, so halving finds the least number.
            while low < most:
                middle = (low + most) // 2
                if self.risk(space, plus(load(here, middle), hired), leaders, but) > self.bearable:
                    low = middle + 1
                else:
                    most = middle
            self._guards[space, but] = low
        return self._guards[space, but]

    @property
    def bearable(self) -> float:
        """Accepted risk of losing a home: higher for the bold, and in a long match, which ends only if players dare to
        attack."""
        risk = SAFE + DARING * (min(TIRED, max(RESTLESS, self.table.round)) - RESTLESS)
        return max(LEAST_RISK, risk + RISKS * self._boldness)

    def ashore(self, space: Space, but: Space = NONE) -> Army:
        """Return units that may go aboard without giving up the province."""
        units = boardable(self.table, self.seat, space)
        staying = total(self.army(space)) - total(units)
        needed = self.garrison(space, but)
        if space == self.home:
            needed = max(needed, self._units_to_stay())
        return without(units, max(0, needed - staying))

    def _units_to_stay(self) -> int:
        """Return the units that must stay at home when the fleet sails.

        With two turns' recruits they must match the largest army near home.
        """
        most = 0
        for rival in self.rivals:
            near = [at for at in self.armies[rival] if self.distance[at][self.home] <= LOOMING]
            led = sum(len(self.leaders[rival].get(at, ())) for at in near)
            units = sum(total(self.armies[rival][at]) for at in near)
            most = max(most, min(units, self.legion_limit * led))
        return max(0, most - total(self.hired_by(self.seat, 2)))

    def _afloat_near(self) -> int:
        """Return the units that stay at home from round WAR on against a fleet that could come in a few turns.

        Fleets pass each other at sea, so the enemy's departure is seen too late.
        """
        if self._landings is None:
            found = [self._fleet_within(rival, REACH) for rival in self.rivals] if self.table.round >= WAR else []
            self._landings = min(HOME_GUARD, max(found, default=0))
        return self._landings

    def _fleet_within(self, rival: Seat, moves: int) -> int:
        """Return the units that a rival's galleys carry, or could load, within so many movements of the home."""
        way, docked, units = course(self.home), dict[Space, int](), 0
        for galley in self.fleets[rival]:
            at = self.table.galley_at[galley]
            if way[at] > moves:
                continue
            if BOARD.is_sea(at):
                units += total(self.cargo(galley))
            else:
                docked[BOARD.ashore[at]] = docked.get(BOARD.ashore[at], 0) + self.legion_limit
        return units + sum(min(room, total(self.armies[rival].get(at, NO_ARMY))) for at, room in docked.items())

    # --- what is worth having ---

    def value(self, space: Space) -> float:
        """Return the value of taking a province."""
        table = self.table
        owner = table.owner[space]
        gain = 0.0 if owner == self.seat else YEARS * worth(table, space) * (1.0 if owner == NONE else 1.6)
        if owner not in (NONE, self.seat) and table.home[owner] == space:
            gain += HOME_VALUE
        if space == self.home:
            gain += 2 * HOME_VALUE
        for rival in self.rivals:
            for leader in self.leaders[rival].get(space, ()):
                gain += CAESAR_VALUE if leader == rival * LEADERS else GENERAL_VALUE
            gain += 0.5 * odds.worth(self.armies[rival].get(space, NO_ARMY), self.prices)
        return gain

    def blurred(self, value: float) -> float:
        """Return the value, varied by the whim."""
        return value * self._whim.uniform(1 - WHIM, 1 + WHIM) if self._whim else value

    def boldness(self, space: Space) -> float:
        """Return the chance that an attack needs: less for a Caesar, in a long game, and with a surplus of talents."""
        start = BOLD_FOR_CAESAR if space in self.lairs() else BOLD
        surplus = self.table.talents[self.seat] / (100 * self.table.inflation)
        least = DESPERATE - RECKLESSNESS * (min(LATEST, max(LATE, self.table.round)) - LATE)
        least -= WEARY * self.rich * max(0, self.table.round - LAST_RESORT)
        needed = start - IMPATIENCE * max(0, self.table.round - PATIENT) - PLENTY * surplus
        return max(0.0, max(least, needed) - self._boldness)

    @property
    def rich(self) -> bool:
        """Whether a whole army could be hired anew."""
        return self.table.talents[self.seat] >= ENOUGH * self.table.inflation and self.home_is_mine

    def outlasts(self, rival: Seat) -> bool:
        """Whether this seat can hire so much more than a rival that a war of attrition is won.

        In a long match less is enough, because it ends only if players dare to attack.
        """
        table = self.table
        ours, theirs = (table.talents[seat] + LASTING * table.marker[seat] for seat in (self.seat, rival))
        least = OUTLASTING - STRAINING * (min(TIRED, max(RESTLESS, table.round)) - RESTLESS)
        return self.home_is_mine and ours >= max(ENOUGH * table.inflation, least * theirs)

    def besieges(self, army: Army) -> bool:
        """Whether an army is large enough to stand beside any enemy: the war of attrition is won, even in a defeat."""
        return total(army) >= SIEGE and self.outlasts_all()

    def outlasts_all(self) -> bool:
        """Whether a war of attrition against each rival is won."""
        return all(self.outlasts(rival) for rival in self.rivals)

    def lasting(self, seat: Seat) -> float:
        """Return a seat's means in basic talents: units and, with a home, hires of the next `LASTING` turns."""
        table = self.table
        if table.owner[table.home[seat]] != seat:
            return self.strength(seat)
        return self.strength(seat) + (table.talents[seat] + LASTING * table.marker[seat]) / table.inflation

    def wears_down(self, rival: Seat, fallen: float, lost: float) -> bool:
        """Whether losing units worth `fallen` costs a rival a larger part of its means than `lost` costs us.

        The required ratio falls in a long match. Before round SIEGES this is False: other plans are better then.
        """
        if self.table.round < SIEGES:
            return False
        ratio = max(WORN, WEARING - IMPATIENCE * max(0, self.table.round - PATIENT))
        return fallen * self.lasting(self.seat) > ratio * lost * self.lasting(rival)

    def defenders(self, space: Space) -> tuple[Army, int, int]:
        """Return all enemies in a province together: units, leaders, the worth of their walls."""
        army, leaders, walls = NO_ARMY, 0, 0
        for enemy in enemies_in(self.table.units[space], self.seat):
            army = plus(army, army_of(self.table.units[space], enemy))
            leaders = max(leaders, len(self.leaders[enemy].get(space, ())))
            walls = walls or walls_of(self.table, space, enemy)
        return army, leaders, walls

    def overseas(self, source: Space, goal: Space) -> bool:
        """Whether an army reaches a province sooner by sea, from the main port, than by land."""
        if self.port == NONE:
            return False
        at_sea = min((course(goal)[coast] for coast in BOARD.coasts[self.port]), default=FAR)
        return self.distance[source][self.port] - (-at_sea // self.movement_points) < self.distance[source][goal]

    @property
    def mobilized(self) -> bool:
        """Whether generals are needed at the port, because the war goes overseas and its time has come."""
        if self._mobilized is None:
            self._mobilized = self._find_mobilized()
        return self._mobilized

    def _find_mobilized(self) -> bool:
        if not WAR <= self.table.round < FUTILE or self.port == NONE or total(self.army(self.port)) > SATED:
            return False
        return self.overseas(self.port, self.objective())

    def berths(self) -> int:
        """Return the number of generals that the army in port still lacks."""
        units = total(self.army(self.port)) + total(self.muster()) // 2
        return -(-units // self.legion_limit) - len(self.crew(self.port))

    @property
    def leaderless(self) -> dict[Space, int]:
        """By province, units beyond those that its generals can lead, where they exceed a legion."""
        if self._leaderless is None:
            self._leaderless = self._find_leaderless()
        return self._leaderless

    def _find_leaderless(self) -> dict[Space, int]:
        found = {at: total(army) - self.legion_limit * self._generals_at(at) for at, army in self.mine.items()}
        return {
            at: units
            for at, units in found.items()
            if units > self.legion_limit and not hostile(self.table, self.seat, at)
        }

    def _generals_at(self, space: Space) -> int:
        return sum(x != self.caesar for x in self.leaders[self.seat].get(space, ()))

    def wanted(self, source: Space) -> Space:
        """Return the province to which a general without an army should go, or NONE."""
        if total(self.army(source)) >= HOST:
            return NONE
        if self.mobilized:
            return self.port if source != self.port and self.berths() > 0 else NONE
        near = {at: units for at, units in self.leaderless.items() if self.route(at)[source] < FAR and at != source}
        return max(near, key=lambda at: near[at] - self.legion_limit * self.route(at)[source] / 2, default=NONE)

    def lairs(self) -> list[int]:
        """Return the positions of the rivals' Caesars (as in `TableFields.leader_at`)."""
        return [self.table.leader_at[rival * LEADERS] for rival in self.rivals]

    def enemy_homes(self) -> list[Space]:
        """Return the homes that rivals still own."""
        homes = [(rival, self.table.home[rival]) for rival in self.rivals]
        return [home for rival, home in homes if self.table.owner[home] == rival]

    def prey(self) -> Position:
        """Return the zone of a rival's Caesar at sea, or NONE."""
        for at in self.lairs():
            if ABOARD <= at < ABOARD + len(self.table.galley_at):
                return self.table.galley_at[at - ABOARD]
        return NONE

    def objective(self) -> Space:
        """Return the goal of own armies: the own home if lost, else the nearest and weakest enemy."""
        if not self.home_is_mine:
            return self.home
        best, least = self.home, 1e9
        for rival in self.rivals:
            target = self.seat_of(rival)
            if target != NONE:
                cost = self.distance[self.home][target] + self.strength(rival) / 60 - self.table.marker[rival] / 40
                cost += 2 * self.at_large(rival) - 4 * self.outlasts(rival)
                if cost < least:
                    best, least = target, cost
        return best

    def seat_of(self, rival: Seat) -> Space:
        """Return the place to attack a rival: the Caesar if ashore, else the home, else the largest army."""
        caesar = self.table.leader_at[rival * LEADERS]
        if caesar < BOARD.provinces:
            return caesar
        home = self.table.home[rival]
        if self.table.owner[home] == rival or not self.armies[rival]:
            return home
        return max(self.armies[rival], key=lambda space: odds.worth(self.armies[rival][space], self.prices))


def load(army: Army, size: int) -> Army:
    """Return `size` units of a good mix: half infantry, then horsemen, then catapults, then any others."""
    size = min(size, total(army))
    catapults = min(army[2], size // 5)
    cavalry = min(army[1], size // 4)
    infantry = min(army[0], size - catapults - cavalry)
    short = size - catapults - cavalry - infantry
    more = min(short, army[1] - cavalry)
    return infantry, cavalry + more, catapults + short - more


def without(army: Army, keep: int) -> Army:
    """Return the army less `keep` units, infantry first."""
    infantry = min(army[0], keep)
    cavalry = min(army[1], keep - infantry)
    catapults = min(army[2], keep - infantry - cavalry)
    return army[0] - infantry, army[1] - cavalry, army[2] - catapults
