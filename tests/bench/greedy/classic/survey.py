"""Position analysis for a seat: armies, leaders, distances, dangers."""

from functools import cache
from typing import Final

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Seat, Space
from shared.mechanics.armies import plus, total
from shared.mechanics.cells import army_of, enemies_in
from shared.mechanics.pieces import alive
from shared.mechanics.places import ABOARD
from shared.mechanics.table import Built
from shared.mechanics.tribute import worth
from shared.rulesets.classic.galleys import boardable
from shared.rulesets.classic.legions import hostile
from shared.rulesets.classic.options import steps
from shared.rulesets.classic.property import on_board, supply
from shared.rulesets.classic.state import LEADERS
from shared.rulesets.classic.table import Table
from shared.rulesets.conquest.legions import LEGION, POINTS, ready
from shared.rulesets.conquest.pieces import galley_lord
from tests.bench.greedy.classic import odds

FAR: Final = 99
HOME_VALUE, CAESAR_VALUE, GENERAL_VALUE = 40, 400, 15
"""Beyond its tribute: what an enemy's home is worth, an enemy's Caesar, an enemy's general."""


@cache
def distances(adjacent: tuple[tuple[Space, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Steps over land and straits between any two provinces."""
    table = []
    for start in range(len(adjacent)):
        found = [FAR] * len(adjacent)
        found[start] = 0
        border = [start]
        for here in border:
            for there in adjacent[here]:
                if found[there] == FAR:
                    found[there] = found[here] + 1
                    border.append(there)
        table.append(tuple(found))
    return tuple(table)


class Survey:
    """The table as `seat` sees it."""

    def __init__(self, table: Table, seat: Seat) -> None:
        self.table = table
        self.seat = seat
        self.steps = steps(table)
        self.distance = distances(self.steps)
        self.home = table.home[seat]
        self.home_is_mine = table.owner[self.home] == seat
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
        self.fleet = [
            g for g, at in enumerate(table.galley_at) if at < BOARD.positions and galley_lord(table, g) == seat
        ]
        self._threats: dict[Space, tuple[Army, int]] = {}
        self._routes: dict[Space, list[int]] = {}

    # --- own forces ---

    def army(self, space: Space) -> Army:
        """My units there."""
        return self.mine.get(space, NO_ARMY)

    def strength(self, seat: Seat) -> int:
        """Return the worth of a seat's units."""
        return odds.worth(on_board(self.table, seat)[:3])

    def generals(self, space: Space) -> list[Leader]:
        """My generals there that can still march, the freshest first."""
        used = self.table.leader_used
        there = self.leaders[self.seat].get(space, [])
        return sorted([x for x in there if x != self.caesar and used[x] < POINTS], key=lambda x: used[x])

    def led(self, space: Space) -> int:
        """Return the number of the bot's leaders there."""
        return len(self.leaders[self.seat].get(space, ()))

    def cargo(self, galley: int) -> Army:
        """The units aboard."""
        cargo = self.table.cargo[galley]
        return (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY

    def muster(self) -> Army:
        """Return the units that the bot could hire at home this turn, tribute included: as many as money buys."""
        return self.hired_by(self.seat)

    def hired_by(self, seat: Seat) -> Army:
        """Return the units that a seat could hire at its home in its next purchase."""
        if self.table.owner[self.table.home[seat]] != seat:
            return NO_ARMY
        left = supply(self.table, seat)
        money = (self.table.talents[seat] + self.table.marker[seat]) // self.table.inflation
        infantry = min(left[0], money // odds.PRICES[0])
        cavalry = min(left[1], (money - infantry * odds.PRICES[0]) // odds.PRICES[1])
        return infantry, cavalry, 0

    def outclasses(self, rival: Seat) -> bool:
        """Whether a war of attrition against that seat can only be won: far more tribute, or more and more generals."""
        ours, theirs = self.table.marker[self.seat], self.table.marker[rival]
        if self.strength(self.seat) < 0.8 * self.strength(rival):
            return False
        return ours >= 2 * theirs or (4 * ours >= 5 * theirs and self.at_large(self.seat) > self.at_large(rival))

    def at_large(self, seat: Seat) -> int:
        """Return the number of a seat's leaders on the board."""
        return sum(len(there) for there in self.leaders[seat].values())

    def route(self, goal: Space) -> list[int]:
        """Steps to a province from every other one, around all enemies; FAR where there is no way."""
        if goal not in self._routes:
            found = [FAR] * len(self.steps)
            found[goal] = 0
            border = [goal]
            for here in border:
                for there in self.steps[here]:
                    if found[there] == FAR and not hostile(self.table, self.seat, there):
                        found[there] = found[here] + 1
                        border.append(there)
            self._routes[goal] = found
        return self._routes[goal]

    # --- dangers ---

    def threat(self, space: Space) -> tuple[Army, int]:
        """The worst that one rival could march or ship into a province next turn, and how many leaders with it."""
        if space not in self._threats:
            worst: tuple[Army, int] = (NO_ARMY, 0)
            for rival in self.rivals:
                army, leaders = self._reach(rival, space)
                if odds.worth(army) > odds.worth(worst[0]):
                    worst = army, leaders
            self._threats[space] = worst
        return self._threats[space]

    def _reach(self, rival: Seat, space: Space) -> tuple[Army, int]:
        """Units one march away (horsemen two), no more than the leaders near enough can lead."""
        armies, leaders = self.armies[rival], self.leaders[rival]
        force, marshals = NO_ARMY, set[Leader]()
        for near in self.steps[space]:
            at_hand = [x for place in (near, *self.steps[near]) if place != space for x in leaders.get(place, ())]
            if near in armies and at_hand:
                force = plus(force, armies[near])
                marshals.update(at_hand)
            for far in self.steps[near]:
                if far in armies and far in leaders and far != space and far not in self.steps[space]:
                    force = plus(force, (0, armies[far][1], 0))
                    marshals.update(leaders[far])
        landing = self._landing(rival, space)
        force = plus(load(force, LEGION * len(marshals)), landing)
        return force, max(len(marshals), 1)

    def _landing(self, rival: Seat, space: Space) -> Army:
        """The largest single cargo that a rival could land."""
        shores = {sea for coast in BOARD.coasts[space] for sea in BOARD.coast_seas[coast]}
        best = NO_ARMY
        for galley, at in enumerate(self.table.galley_at):
            if at >= BOARD.positions or galley_lord(self.table, galley) != rival:
                continue
            if at in shores or (BOARD.is_sea(at) and shores.intersection(BOARD.coast_seas[at])):
                cargo = self.table.cargo[galley]
                army = (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY
            elif not BOARD.is_sea(at) and shores.intersection(BOARD.coast_seas[at]) and BOARD.ashore[at] != space:
                port = BOARD.ashore[at]
                army = load(self.armies[rival].get(port, NO_ARMY), LEGION) if port in self.leaders[rival] else NO_ARMY
            else:
                continue
            best = max(best, army, key=odds.worth)
        return best

    def danger(self, space: Space, army: Army, leaders: int = 0) -> float:
        """Return the margin of the attacker in an attack on `army` there next turn: -1 (or no attack) to 1."""
        force, marshals = self.threat(space)
        if not any(force):
            return -1.0
        if not any(army):
            return 1.0
        return odds.forecast(force, marshals, army, leaders, self.walled(space, self.seat)).margin

    def walled(self, space: Space, defender: Seat) -> bool:
        """Whether `defender` would fight behind walls there."""
        return self.table.built[space] == Built.FORTIFIED and self.table.owner[space] == defender

    # --- what can march ---

    def spare(self, space: Space) -> Army:
        """Units that can march from there without giving up what must be held."""
        infantry, fresh, catapults, tired = ready(self.table, self.seat, space)
        movable = (infantry, fresh + tired, catapults)
        if not any(movable):
            return NO_ARMY
        here = self.army(space)
        staying = total(here) - total(movable)
        keep = max(0, self.garrison(space) - staying)
        return without(movable, keep)

    def garrison(self, space: Space) -> int:
        """Return the number of units that a province needs: enough to hold the home, one for a new conquest."""
        if hostile(self.table, self.seat, space):
            return 0
        if space == self.home and self.home_is_mine:
            return self._home_guard()
        return int(self.table.owner[space] != self.seat)

    def _home_guard(self) -> int:
        """The smallest guard that, with what can be hired this turn, would beat off an attack."""
        here, hired = self.army(self.home), self.muster()
        leaders = int(self.caesar_at == self.home)
        most = total(here)
        low = min(most, 1 + any(self.threat(self.home)[0]))
        while low < most and self.danger(self.home, plus(load(here, low), hired), leaders) > -0.25:
            low += 1
        return low

    # --- what is worth having ---

    def value(self, space: Space) -> float:
        """Return the worth of taking a province."""
        table = self.table
        owner = table.owner[space]
        if owner == self.seat:
            gain = 0.0
        else:
            gain = worth(table, space) * (1.0 if owner == NONE else 1.6)
        if owner != NONE and owner != self.seat and table.home[owner] == space:
            gain += HOME_VALUE
        if space == self.home:
            gain += 2 * HOME_VALUE
        for rival in self.rivals:
            for leader in self.leaders[rival].get(space, ()):
                gain += CAESAR_VALUE if leader == rival * LEADERS else GENERAL_VALUE
            gain += 0.3 * odds.worth(self.armies[rival].get(space, NO_ARMY))
        return gain

    def defenders(self, space: Space) -> tuple[Army, int, bool]:
        """All enemies there taken together: units, leaders, whether they fight behind walls."""
        army, leaders, walls = NO_ARMY, 0, False
        for enemy in enemies_in(self.table.units[space], self.seat):
            army = plus(army, army_of(self.table.units[space], enemy))
            leaders = max(leaders, len(self.leaders[enemy].get(space, ())))
            walls = walls or self.walled(space, enemy)
        return army, leaders, walls

    def objective(self) -> Space:
        """Return the goal of the bot's armies: the own home if it is lost, else the enemy nearest and weakest."""
        if not self.home_is_mine:
            return self.home
        best, least = self.home, 1e9
        for rival in self.rivals:
            target = self.seat_of(rival)
            if target != NONE:
                cost = self.distance[self.home][target] + self.strength(rival) / 60 - self.table.marker[rival] / 40
                if cost < least:
                    best, least = target, cost
        return best

    def caesar_of(self, rival: Seat) -> int:
        """Return the place of a seat's Caesar (as in `Table.leader_at`)."""
        return self.table.leader_at[rival * LEADERS]

    def seat_of(self, rival: Seat) -> Space:
        """Return the place of a rival: its Caesar if ashore, else its home, else its largest army."""
        caesar = self.caesar_of(rival)
        if caesar < BOARD.provinces:
            return caesar
        home = self.table.home[rival]
        if self.table.owner[home] == rival or not self.armies[rival]:
            return home
        return max(self.armies[rival], key=lambda space: odds.worth(self.armies[rival][space]))

    def ashore(self, space: Space) -> Army:
        """Units there that may go aboard without giving up what must be held."""
        units = boardable(self.table, self.seat, space)
        staying = total(self.army(space)) - total(units)
        return without(units, max(0, self.garrison(space) - staying))


def load(army: Army, size: int) -> Army:
    """`size` units of a good mix: half infantry, then horsemen, then catapults, then whatever is left."""
    size = min(size, total(army))
    catapults = min(army[2], size // 5)
    cavalry = min(army[1], size // 4)
    infantry = min(army[0], size - catapults - cavalry)
    short = size - catapults - cavalry - infantry
    more = min(short, army[1] - cavalry)
    return infantry, cavalry + more, catapults + short - more


def without(army: Army, keep: int) -> Army:
    """The army less `keep` units, infantry first."""
    infantry = min(army[0], keep)
    cavalry = min(army[1], keep - infantry)
    catapults = min(army[2], keep - infantry - cavalry)
    return army[0] - infantry, army[1] - cavalry, army[2] - catapults
