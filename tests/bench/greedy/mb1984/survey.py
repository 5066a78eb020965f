"""Distances and dangers of a position."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from shared.board import BOARD
from shared.ids import CAVALRY, NO_ARMY, NONE, Army, Seat, Space
from shared.mechanics.armies import common, plus, total
from shared.mechanics.cells import army_of, enemies_in
from shared.mechanics.places import ABOARD, OFF
from shared.mechanics.table import Built
from shared.rulesets.conquest.pieces import is_caesar, leaders_at
from shared.rulesets.mb1984.options import steps
from shared.rulesets.mb1984.state import GALLEYS, LEADERS
from shared.rulesets.mb1984.view import View
from tests.bench.greedy.mb1984.odds import odds

Distances: TypeAlias = dict[int, int]

FAR = 99
"""A distance that leads nowhere."""
GENERAL_WORTH = 30
CAESAR_WORTH = 600
BOLD, FAIR, SAFE = 0.62, 0.45, 0.12
"""The chance of winning that an attack needs, and with which it goes on; the danger in which a Caesar may be left."""


BOATLOAD: Army = (3, 2, 4)
"""What may be expected to come over in a galley that lies on an enemy coast."""


class Survey:
    """Distances and dangers of one position, worked out when they are asked for."""

    def __init__(self, table: View, seat: Seat) -> None:
        self.table = table
        self.seat = seat
        self.steps = steps(table)
        self.caesar = table.leader_at[seat * LEADERS]
        self._danger: dict[Space, Army] = {}
        self._prey: Distances | None = None
        self._land: Distances | None = None
        self._home: Distances | None = None
        self._sea: Distances | None = None

    def enemy(self, owner: int) -> bool:
        """Whether that is another player."""
        return owner not in (self.seat, NONE)

    def enemy_caesars(self) -> list[int]:
        """Return the places of the other Caesars."""
        lords = self.table.lord
        return [self.table.leader_at[s * LEADERS] for s in range(self.table.seats) if lords[s] == s != self.seat]

    def army(self, space: Space) -> Army:
        """My army in a province."""
        return army_of(self.table.units[space], self.seat)

    def foes(self, space: Space) -> Army:
        """All enemy units in a province."""
        army = NO_ARMY
        for lord in enemies_in(self.table.units[space], self.seat):
            army = plus(army, army_of(self.table.units[space], lord))
        return army

    def wall(self, space: Space) -> int:
        """The defender's advantage from a fortified city of an enemy."""
        return int(self.table.built[space] == Built.FORTIFIED and self.enemy(self.table.owner[space]))

    def danger(self, space: Space) -> Army:
        """Enemy units that could be in a province after one turn."""
        if space not in self._danger:
            near = NO_ARMY
            for beside in self.steps[space]:
                near = plus(near, self.foes(beside))
                for beyond in self.steps[beside]:
                    if beyond != space and beyond not in self.steps[space]:
                        near = plus(near, (0, self.foes(beyond)[CAVALRY], 0))
            self._danger[space] = plus(near, self._afloat(space))
        return self._danger[space]

    def _afloat(self, space: Space) -> Army:
        """Enemy legions within two movements of a galley."""
        zones = {zone for coast in BOARD.coasts[space] for zone in BOARD.coast_seas[coast]}
        wider = zones | {beyond for zone in zones for beyond in BOARD.coast_seas[zone]}
        army = NO_ARMY
        for galley, at in enumerate(self.table.galley_at):
            if at == OFF or self.table.lord[galley // GALLEYS] == self.seat:
                continue
            if at in wider and self.table.cargo[galley]:
                army = plus(army, self.table.cargo[galley])
            elif not BOARD.is_sea(at) and BOARD.ashore[at] != space and zones & set(BOARD.coast_seas[at]):
                army = plus(army, common(self.foes(BOARD.ashore[at]), BOATLOAD))
        return army

    def risk(self, space: Space, army: Army) -> float:
        """The chance that the enemy could take a province held by that army."""
        coming = self.danger(space)
        if not any(coming):
            return 0.0
        wall = int(self.table.built[space] == Built.FORTIFIED)
        return odds(coming, army, wall) if any(army) else 1.0

    def homeward(self, source: Space, to: Space) -> int:
        """Steps by land that a march brings its legion nearer to the home."""
        if self._home is None:
            self._home = self.spread([self.table.home[self.seat]], self.steps)
        return self._home.get(source, FAR) - self._home.get(to, FAR)

    def idle(self, space: Space) -> bool:
        """Whether an army there is of more use at home: no more land to take, or no leader there."""
        if space not in self.land():
            return True
        home = self.table.home[self.seat]
        crew = [x for x in leaders_at(self.table, self.seat, home) if not is_caesar(self.table, x)]
        waiting = total(self.army(home))
        return not crew and waiting >= 5 and self.land()[space] > 1 and self.prey().get(space, FAR) > 3

    def land(self) -> Distances:
        """By province, steps to the next one that is not mine."""
        if self._land is None:
            goals = [s for s in range(BOARD.provinces) if self.table.owner[s] != self.seat]
            self._land = self.spread(goals, self.steps)
        return self._land

    def prey(self) -> Distances:
        """By province, steps to the next enemy Caesar or, failing that, enemy province."""
        if self._prey is None:
            lairs = [at for at in self.enemy_caesars() if at < BOARD.provinces]
            lands = [s for s, owner in enumerate(self.table.owner) if self.enemy(owner)]
            self._prey = self.spread(lands, self.steps)
            for space, distance in self.spread(lairs, self.steps).items():
                self._prey[space] = min(self._prey.get(space, FAR), distance)
        return self._prey

    def sea(self) -> Distances:
        """By galley position, movements to land on an enemy or to reach the galley of an enemy Caesar."""
        if self._sea is None:
            goals: list[int] = []
            for at in self.enemy_caesars():
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
        """Whether a galley position is worth an expedition: at sea, or not my own land."""
        return BOARD.is_sea(at) or self.table.owner[BOARD.ashore[at]] != self.seat

    @staticmethod
    def spread(goals: Iterable[int], links: Sequence[Sequence[int]]) -> Distances:
        found = dict.fromkeys(goals, 0)
        border = list(found)
        for here in border:
            for there in links[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    border.append(there)
        return found
