"""A player of the 1984 game: takes what lies open, brings catapults, crosses the sea, keeps its Caesar at home.

It looks one action ahead: every option gets a score, the best one above zero is done. The measure is talents, roughly.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from math import erf, sqrt
from typing import Any, TypeAlias

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.kernel import engine
from shared.kernel.engine import Ruleset
from shared.kernel.frames import Action, Frame
from shared.mechanics import aimed
from shared.mechanics.armies import minus, plus, total
from shared.mechanics.cells import army_of, enemies_in, hostile
from shared.rulesets.mb1984 import frames
from shared.rulesets.mb1984.actions import (
    Answer,
    Buy,
    EndMovement,
    EndTurn,
    Fight,
    Judge,
    March,
    PlaceCity,
    PlaceGalley,
    PlaceRoad,
    Reply,
    Retreat,
    Sail,
    Stand,
)
from shared.rulesets.mb1984.diplomacy import proposal_of
from shared.rulesets.mb1984.economy import PRICES, home_room, stock
from shared.rulesets.mb1984.options import steps
from shared.rulesets.mb1984.property import worth
from shared.rulesets.mb1984.state import ABOARD, GALLEYS, LEADERS, OFF, Table, leaders_at
from shared.rulesets.mb1984.war import fleet_army, side_army, strength

Distances: TypeAlias = dict[int, int]

FAR = 99
UNIT_WORTH = (10, 25, 45)
GENERAL_WORTH = 30
CAESAR_WORTH = 600
BOLD, SAFE = 0.62, 0.12
"""The chance of winning that an attack needs; the danger in which a Caesar may be left."""


def decide(rules: Ruleset, table: Table, seat: Seat, rng: random.Random) -> Action:
    """What to do now."""
    frame = table.frames[-1]
    player = PLAYERS.get(type(frame))
    action = player(Survey(table, seat), rules, frame, rng) if player else None
    if action is None or engine.check(rules, table, seat, action) is not None:
        return engine.default(rules, table, seat)
    return action


# --- odds ---


def shots(army: Army, galleys: int, ahead: int, at_sea: bool) -> tuple[float, float]:
    """Mean and variance of the shots that it takes to destroy all these."""
    mean = variance = 0.0
    for kind, n in enumerate((*army, galleys)):
        if n:
            hit = (7 - max(1, aimed.needed(kind, at_sea, ahead))) / 6
            mean += n / hit
            variance += n * (1 - hit) / (hit * hit)
    return mean, variance


def odds(mine: Army, theirs: Army, wall: int = 0, ships: tuple[int, int] = (0, 0)) -> float:
    """The chance that the attacker `mine` wins, one shot each in turn; the advantage as it is at the start."""
    at_sea = any(ships)
    if not any(theirs) and not ships[1]:
        return 1.0
    if not any(mine) and not ships[0]:
        return 0.0
    my_sum, their_sum = mine[2], theirs[2] + wall
    m, mv = shots(theirs, ships[1], aimed.advantage(my_sum, their_sum), at_sea)
    t, tv = shots(mine, ships[0], aimed.advantage(their_sum, my_sum), at_sea)
    return 0.5 * (1 + erf((t - m + 0.5) / sqrt(2 * (mv + tv + 0.5))))


def price(army: Sequence[int]) -> int:
    """What an army is worth."""
    return sum(n * value for n, value in zip(army, UNIT_WORTH, strict=True))


# --- what the board looks like ---


class Survey:
    """Distances and dangers of one position, worked out when they are asked for."""

    def __init__(self, table: Table, seat: Seat) -> None:
        self.table = table
        self.seat = seat
        self.steps = steps(table)
        self.caesar = table.leader_at[seat * LEADERS]
        self._danger: dict[Space, Army] = {}
        self._prey: Distances | None = None
        self._land: Distances | None = None
        self._sea: Distances | None = None

    def enemy(self, owner: int) -> bool:
        """Whether that is another player."""
        return owner not in (self.seat, NONE)

    def enemy_caesars(self) -> list[int]:
        """Where the other Caesars are."""
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
        return int(self.table.built[space] == 2 and self.enemy(self.table.owner[space]))

    def danger(self, space: Space) -> Army:
        """Enemy units that could be in a province after one turn."""
        if space not in self._danger:
            near = NO_ARMY
            for beside in self.steps[space]:
                near = plus(near, self.foes(beside))
                for beyond in self.steps[beside]:
                    if beyond != space and beyond not in self.steps[space]:
                        near = plus(near, (0, self.foes(beyond)[1], 0))
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
                ashore = self.foes(BOARD.ashore[at])
                army = plus(army, (min(ashore[0], 3), min(ashore[1], 2), min(ashore[2], 4)))
        return army

    def risk(self, space: Space, army: Army) -> float:
        """The chance that the enemy could take a province held by that army."""
        coming = self.danger(space)
        if not any(coming):
            return 0.0
        wall = int(self.table.built[space] == 2)
        return odds(coming, army, wall) if any(army) else 1.0

    def land(self) -> Distances:
        """By province, steps to the next one that is not mine."""
        if self._land is None:
            goals = [s for s in range(BOARD.provinces) if self.table.owner[s] != self.seat]
            self._land = self._spread(goals, self.steps)
        return self._land

    def prey(self) -> Distances:
        """By province, steps to the next enemy Caesar or, failing that, enemy province."""
        if self._prey is None:
            lairs = [at for at in self.enemy_caesars() if at < BOARD.provinces]
            lands = [s for s, owner in enumerate(self.table.owner) if self.enemy(owner)]
            self._prey = self._spread(lands, self.steps)
            for space, distance in self._spread(lairs, self.steps).items():
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
            self._sea = self._spread(goals, links)
        return self._sea

    def is_goal(self, at: int) -> bool:
        """Whether a galley position is worth an expedition: at sea, or not my own land."""
        return BOARD.is_sea(at) or self.table.owner[BOARD.ashore[at]] != self.seat

    @staticmethod
    def _spread(goals: Iterable[int], links: Sequence[Sequence[int]]) -> Distances:
        found = dict.fromkeys(goals, 0)
        border = list(found)
        for here in border:
            for there in links[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    border.append(there)
        return found


# --- movement ---


def _move(survey: Survey, rules: Ruleset, _frame: Frame, rng: random.Random) -> Action:
    best, score = None, 0.0
    for action in engine.options(rules, survey.table, survey.seat):
        if isinstance(action, March):
            value = _march_value(survey, action)
        elif isinstance(action, Sail):
            value = _sail_value(survey, action)
        elif isinstance(action, Reply):
            value = _reply_value(survey, action)
        else:
            continue
        value += rng.random() * 0.01
        if value > max(score, 0.02):
            best, score = action, value
    return best or EndMovement()


def _prize(survey: Survey, space: Space) -> float:
    """What it brings to take a province: its tribute for some turns, and the leaders in it."""
    table = survey.table
    value = 4.0 * worth(table, space)
    owner = table.owner[space]
    if owner == survey.seat:
        value = 0.0
    elif owner != NONE:
        value *= 1.5
        if table.home[owner] == space:
            value += 100 + table.talents[owner]
    for leader, at in enumerate(table.leader_at):
        if at == space and table.lord[leader // LEADERS] != survey.seat:
            value += GENERAL_WORTH if leader % LEADERS else CAESAR_WORTH
    return value


def _take_value(survey: Survey, space: Space, army: Army) -> float:
    """The value of an army's entering a province: of conquest without or with a battle."""
    already = survey.army(space)
    foes = survey.foes(space)
    joined = plus(army, already)
    prize = _prize(survey, space)
    if not any(foes):
        if already and any(already) and survey.table.owner[space] != survey.seat:
            return 0.0
        loss = survey.risk(space, joined) * (price(army) * 0.5 + GENERAL_WORTH * 0.5)
        return prize - loss
    chance = odds(joined, foes, survey.wall(space))
    if chance < BOLD:
        return -1.0
    before = odds(already, foes, survey.wall(space)) if any(already) else 0.0
    if before > 0.9:
        return -1.0
    return (chance - before) * (prize + price(foes)) - (1 - chance) * (price(army) + GENERAL_WORTH)


def _left_value(survey: Survey, space: Space, left: Army) -> float:
    """The loss of leaving only that behind."""
    now = survey.army(space)
    value = survey.risk(space, now) - survey.risk(space, left)
    if survey.caesar == space:
        return value * CAESAR_WORTH - (CAESAR_WORTH if not any(left) and any(survey.danger(space)) else 0)
    return value * 2 * worth(survey.table, space)


def _march_value(survey: Survey, march: March) -> float:
    army = (march.infantry, march.cavalry, march.catapults)
    source, to = march.source, march.to
    if any(leader % LEADERS == 0 for leader in march.leaders):
        return _flight_value(survey, march, army)
    if not any(army):
        return _walk_value(survey, march)
    left = minus(survey.army(source), army)
    value = _left_value(survey, source, left)
    if survey.table.owner[to] != survey.seat or hostile(survey.table.units[to], survey.seat):
        return value + _take_value(survey, to, army) - 0.3 * total(army)
    if _take_value(survey, to, army) > 0 and _prize(survey, to) > 0:
        return value + _prize(survey, to)
    return value + _progress(survey, source, to) * (1 + 0.2 * total(army)) - 0.5


def _progress(survey: Survey, source: Space, to: Space) -> float:
    """How much nearer to what can be taken, and to the enemy."""
    land, prey = survey.land(), survey.prey()
    open_ = land.get(source, FAR) - land.get(to, FAR)
    hunt = prey.get(source, FAR) - prey.get(to, FAR)
    return max(-1, min(1, open_)) * 1.0 + max(-1, min(1, hunt)) * 1.5


def _walk_value(survey: Survey, march: March) -> float:
    """A general without units goes home, where the new ones are."""
    home = survey.table.home[survey.seat]
    if survey.table.owner[home] != survey.seat or any(survey.army(march.source)) or march.source == home:
        return -1.0
    near = survey._spread([home], survey.steps)
    return 0.4 * (near.get(march.source, FAR) - near.get(march.to, FAR)) - 2 * survey.risk(march.to, NO_ARMY)


def _flight_value(survey: Survey, march: March, army: Army) -> float:
    """The Caesar moves only away from danger, or home."""
    here = survey.risk(march.source, survey.army(march.source))
    there = survey.risk(march.to, plus(survey.army(march.to), army))
    if hostile(survey.table.units[march.to], survey.seat):
        return -1.0
    home = survey.table.home[survey.seat]
    if here > SAFE and there < here:
        return (here - there) * CAESAR_WORTH
    if march.to == home and there <= SAFE:
        return 1.0
    return -1.0


def _sail_value(survey: Survey, sail: Sail) -> float:
    table, seat, galley = survey.table, survey.seat, sail.galley
    at, to = table.galley_at[galley], sail.to
    army: Army = (sail.infantry, sail.cavalry, sail.catapults)
    led: tuple[int, ...] = sail.leaders
    if BOARD.is_sea(at):
        led = leaders_at(table, seat, ABOARD + galley)
        cargo = table.cargo[galley]
        army = (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY
    if seat * LEADERS in led and not BOARD.is_sea(at):
        return -1.0
    value = _contact_value(survey, to, army) if BOARD.is_sea(to) else 0.0
    if value < 0:
        return value
    distance = survey.sea()
    nearer = distance.get(at, FAR) - distance.get(to, FAR)
    if not BOARD.is_sea(at):
        if not any(army):
            return value - 1
        space = BOARD.ashore[at]
        ready = total(army) >= 5 or (total(army) >= 3 and not survey.land())
        value += _left_value(survey, space, minus(survey.army(space), army))
        return value + (3 + 4 * nearer if nearer > 0 and ready and distance else -1)
    if BOARD.is_sea(to):
        return value + (2 * nearer if any(army) else -0.5 + 0.5 * _homeward(survey, at, to))
    space = BOARD.ashore[to]
    if not any(army):
        return 1.0 if space == table.home[seat] or (led and table.owner[space] == seat) else -1.0
    if table.owner[space] == seat:
        return 1.0 if nearer > 0 or (table.galley_used[galley] == 0 and distance.get(at, FAR) > 6) else -1.0
    return _take_value(survey, space, army) + 5 * (survey.prey().get(space, FAR) < 4)


def _homeward(survey: Survey, at: int, to: int) -> int:
    links = [(*seas, *(BOARD.landings[p] if BOARD.is_sea(p) else ())) for p, seas in enumerate(BOARD.coast_seas)]
    near = survey._spread(BOARD.coasts[survey.table.home[survey.seat]], links)
    return near.get(at, FAR) - near.get(to, FAR)


def _contact_value(survey: Survey, zone: Space, army: Army) -> float:
    """The value of meeting whoever sails there; 0 for nobody, below 0 for a bad chance."""
    table = survey.table
    lords = {table.lord[g // GALLEYS] for g, at in enumerate(table.galley_at) if at == zone} - {survey.seat}
    if not lords:
        return 0.0
    lord = next(iter(lords))
    theirs = fleet_army(table, lord, zone)
    ships = sum(at == zone and table.lord[g // GALLEYS] == lord for g, at in enumerate(table.galley_at))
    mine = plus(army, fleet_army(table, survey.seat, zone))
    chance = odds(mine, theirs, 0, (1, ships))
    if chance < BOLD:
        return -5.0
    crews = [x for x, at in enumerate(table.leader_at) if at >= ABOARD and table.lord[x // LEADERS] == lord]
    aboard = [x for x in crews if at_zone(table, x) == zone]
    prize = sum(GENERAL_WORTH if x % LEADERS else CAESAR_WORTH for x in aboard)
    return chance * (prize + price(theirs) + 25 * ships) * 0.5 - (1 - chance) * (price(army) + 50)


def at_zone(table: Table, leader: int) -> int:
    """The sea zone of a leader aboard a galley, else NONE."""
    at = table.leader_at[leader] - ABOARD
    return table.galley_at[at] if 0 <= at < len(table.galley_at) else NONE


# --- battle ---


def _fight(survey: Survey, rules: Ruleset, _frame: Frame, _rng: random.Random) -> Action | None:
    """The surest battle first, where a Caesar may fall before all others."""
    fights = [x for x in engine.options(rules, survey.table, survey.seat) if isinstance(x, Fight)]
    caesars = survey.enemy_caesars()
    return max(
        fights,
        key=lambda fight: (
            fight.space in caesars,
            odds(side_army(survey.table, survey.seat, fight.space), side_army(survey.table, fight.enemy, fight.space)),
        ),
        default=None,
    )


def _onward(survey: Survey, rules: Ruleset, _frame: Frame, _rng: random.Random) -> Action:
    """Go on while the chance is fair; else save the army."""
    battle = survey.table.frames[-2]
    assert isinstance(battle, frames.Battle)
    mine, theirs = survey.army(battle.space), survey.foes(battle.space)
    wall = strength(survey.table, battle.defender, battle.space) - theirs[2]
    if odds(mine, theirs, wall) >= 0.45:
        return Stand()
    ways = [x for x in engine.options(rules, survey.table, survey.seat) if isinstance(x, Retreat)]
    return min(ways, key=lambda way: survey.risk(way.to, plus(mine, survey.army(way.to))))


# --- money ---


def _buy(survey: Survey, rules: Ruleset, frame: Frame, _rng: random.Random) -> Action:
    """Men for empty generals first, then galleys for an expedition, catapults, and cities from what is left."""
    table, seat = survey.table, survey.seat
    most = list(stock(table, seat))
    money = table.talents[seat] // table.inflation
    room = home_room(table, seat)
    order = [0] * len(PRICES)

    def add(kind: int, wanted: int) -> None:
        nonlocal money, room
        n = max(0, min(wanted, most[kind] - order[kind], money // PRICES[kind]))
        if kind < 3:
            n = min(n, room)
            room -= n
        order[kind] += n
        money -= n * PRICES[kind]

    home = table.home[seat]
    here = survey.army(home)
    if survey.risk(home, here) > SAFE:
        add(2, 1)
        add(0, 4)
    open_land = bool(survey.land()) and min((survey.land().get(s, FAR) for s in _mine(survey)), default=FAR) < 3
    galleys = sum(at != OFF and table.lord[g // GALLEYS] == seat for g, at in enumerate(table.galley_at))
    if open_land and total(here) < 4:
        add(0, 4 - total(here))
    if money >= 150 and table.marker[seat] < 80:
        add(4, 1)
    if galleys < 1 + (table.marker[seat] > 60) and table.marker[seat] >= 40:
        add(3, 1)
    add(2, 5 - here[2] % 6 if here[2] < 12 else 0)
    add(0, max(0, 2 + here[2] + order[2] - here[0] - order[0]))
    if not most[2]:
        add(1, 2)
    return Buy(*order)


def _mine(survey: Survey) -> list[Space]:
    return [space for space, owner in enumerate(survey.table.owner) if owner == survey.seat]


def _place(survey: Survey, rules: Ruleset, frame: Frame, rng: random.Random) -> Action:
    """Cities on the dearest safe ground, every road; galleys on the coast that faces the enemy."""
    found = list(engine.options(rules, survey.table, survey.seat))
    distance = survey.sea()
    best, score = None, -1.0
    for action in found:
        value = -1.0
        if isinstance(action, PlaceCity):
            value = 10 - 5 * survey.risk(action.space, survey.army(action.space))
        elif isinstance(action, PlaceGalley):
            value = 10 - distance.get(action.position, FAR) / 10
        elif isinstance(action, PlaceRoad):
            value = 5
        elif isinstance(action, Reply):
            value = _reply_value(survey, action)
        if value > score:
            best, score = action, value
    if best is not None and score > 0:
        return best
    return next((x for x in found if not isinstance(x, EndTurn | Judge)), EndTurn()) if found[0] != EndTurn() else EndTurn()


# --- prisoners ---


def _worth_it(got: int, lost: int, gained: int, given: int) -> float:
    """The value of a bargain: talents and generals received, talents and generals parted with."""
    return got - lost + GENERAL_WORTH * (gained - given)


def _answer(_survey: Survey, _rules: Ruleset, frame: Frame, _rng: random.Random) -> Action:
    assert isinstance(frame, frames.Bargain)
    return Answer(_worth_it(frame.pays, frame.wants, len(frame.gives), len(frame.takes)) > 0)


def _reply_value(survey: Survey, reply: Reply) -> float:
    terms = proposal_of(survey.table.proposals[reply.proposer])
    value = _worth_it(terms.pays, terms.wants, len(terms.gives), len(terms.takes))
    return value if reply.accept else 0.5 - value


def _judge(_survey: Survey, _rules: Ruleset, _frame: Frame, _rng: random.Random) -> Action:
    """Prisoners are worth a ransom."""
    return Judge(())


Player: TypeAlias = Callable[[Survey, Ruleset, Any, random.Random], Action | None]

PLAYERS: dict[type[Frame], Player] = {
    frames.Movement: _move,
    frames.Combat: _fight,
    frames.Onward: _onward,
    frames.Purchase: _buy,
    frames.Placement: _place,
    frames.Bargain: _answer,
    frames.Captives: _judge,
}
"""By frame; all others are answered with their default."""
