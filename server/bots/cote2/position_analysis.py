"""Analysis of a position for a bot of Conquest II: values for its seat, in victory points."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from shared.ids import NONE, Army, Seat, Space
from shared.mechanics.armies import army_of, total
from shared.mechanics.standings import prizes
from shared.mechanics.vote import weight
from shared.rulesets.cote2.data import KEY_SET, KEYS, SEAS
from shared.rulesets.cote2.economy import buyable
from shared.rulesets.cote2.effects import VOTES, support_of
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.options import (
    SEASONS,
    actions_each,
    chaos_penalties,
    city_calm,
    influence_price,
    rounds_each,
    token_tax,
    victory_numbers,
)
from shared.rulesets.cote2.property import influence_supply, ready
from shared.rulesets.cote2.scoring import province_points
from shared.rulesets.cote2.state import FROM_CHAOS, LEADERS, OFF, TableFields, allied, galleys_in
from shared.rulesets.cote2.ways import landings, reach, zones_serving

Crossing: TypeAlias = tuple[Space, Space, Sequence[Space]]
"""A coast, a province over the sea, and the sea zones whose galleys would serve it."""

ENVY, ENVY_OF_MANY = 1.6, 0.9
"""Cost of a rival's point: of the only rival, and of several together."""
NEARNESS: Final = 30.0
"""Lead in points by which a rival counts about three times as much as another."""
LATER: Final = 0.5
"""Share that remains of a plan that others can answer before it is carried out."""
TURN: Final = 1.2
"""Chaos that a player gains in a round."""
UNIT, IDLE = 0.8, 0.08
"""Value of a unit beside that of its guard: with a leader, and without."""
SENATOR: Final = 1.1
"""Value of a vote in the hand."""
LIKELY: Final = 3.7
"""Expected votes of an unknown senator."""
RISKS: Final = (0.12, 0.013, 0.013, 0.0095, 0.008)
"""Chance that an enemy's turn costs a token, by the number of units that guard it."""
LONG_RISKS: Final = (0.77, 0.2, 0.18, 0.15, 0.12)
"""Chance that a token is lost by the scoring of a later season, by the number of units that guard it."""
INCOME: Final = 0.12
"""Value of a talent of a later season."""
LASTING: Final = 0.45
"""Cost of chaos in later seasons, relative to this one."""
UNREST: Final = 0.35
"""Cost of a point of chaos to a rival."""
GALLEY: Final = 0.08
"""Value of a galley for each action that is left."""
BESIEGED: Final = 3.6
"""Factor on the risk of guards beside which enemies stand."""


Guards = tuple[int, ...]
"""By seat, how well its tokens in a province are guarded: units that would fight for them, up to the limit of RISKS."""


THIRST: Final = 0.38
"""Value of a talent, in victory points, to a seat without talents."""
BUDGET, SPENDING = 25.0, 4.5
"""Useful talents: this many before the last season, and this many for each action left in this season."""
SAVED: Final = 0.04
"""Value of a talent that can only be spent in a later season."""
SPREAD, DRIFT = 2.0, 0.6
"""Uncertainty of the others' chaos when it is counted, and its increase for each round before."""
FADING: Final = 0.6
"""Value of a point relative to one a season earlier."""


@lru_cache(maxsize=65536)
def margin(weights: tuple[float, ...], counts: tuple[int, ...], numbers: tuple[int, ...]) -> float:
    """Return the sum of a province's prizes, each weighted by its seat's weight."""
    return sum([weight * prize for weight, prize in zip(weights, prizes(counts, numbers), strict=True)])


def purse(talents: int, actions: int, seasons: int) -> float:
    """Return the value of talents, with so many actions left in this season and so many seasons after it.

    Each talent is worth less than the one before, and little if there is nothing left to buy.
    """
    useful = SPENDING * actions + BUDGET * (seasons > 0)
    saved = SAVED * talents * (seasons > 0)
    return saved + THIRST * useful * (1.0 - math.exp(-talents / useful)) if useful else 0.0


@lru_cache(maxsize=4096)
def penalty(mine: int, others: tuple[float, ...], rounds: int, points: tuple[int, int]) -> float:
    """Return the points that chaos will probably cost after `rounds` more rounds, given the others' expected chaos.

    points: those that most chaos and the second most cost at this table.
    """
    spread = SPREAD + DRIFT * rounds
    above = [1.0 / (1.0 + math.exp((other - mine) / spread)) for other in others]
    most = math.prod(above)
    second = sum([(1.0 - p) * math.prod([*above[:i], *above[i + 1 :]]) for i, p in enumerate(above)])
    return -points[0] * most - points[1] * second


def faded(seasons: int) -> float:
    """Return the value of a point in each of the later seasons together, relative to one in this season."""
    return sum([FADING**k for k in range(1, seasons + 1)])


def shares(estimates: Sequence[float], whole: float, width: float) -> list[float]:
    """Divide `whole` among rivals: the nearer to the best of them, the larger the share."""
    best = max(estimates)
    raw = [math.exp((n - best) / width) for n in estimates]
    return [whole * n / sum(raw) for n in raw]


class SeatAnalysis:
    """Analysis of one position, with values for its seat; answers are cached.

    Caches are explicit fields: a compiled class does not support `cached_property`.
    """

    def __init__(self, table: TableFields, seat: Seat, boldness: float = 0.0) -> None:
        self.table = table
        self.boldness = boldness
        """Share by which battles are valued more."""
        self.seat = seat
        self.money = table.talents[seat]
        self.later = max(0, table.options[SEASONS] - table.season)
        frame = table.frames[-1]
        self.actions = frame.left if isinstance(frame, Turn) else 0
        self.left = self.actions + actions_each(self.table) * (rounds_each(self.table) - table.round)
        self.fade = faded(self.later)
        self.patience = self._patience(1)
        self.after = self._patience(2)
        self.over = self.actions <= 1 and table.round == rounds_each(self.table)
        self._known: dict[tuple[Space, tuple[int, ...], Guards], tuple[float, float]] = {}
        self._guards: dict[Space, Guards] = {}
        self._helpers: dict[tuple[Space, Seat], int] = {}
        self.prospects: dict[tuple[Space, Army, int], float] = {}
        self.contests: list[tuple[float, float]] | None = None
        self._near: dict[Space, frozenset[Space]] = {}
        self._bare: list[Space] | None = None
        self._overseas: list[Crossing] | None = None
        self._friends: list[list[bool]] | None = None
        self._threats_found: list[int] | None = None
        self._weights: tuple[float, ...] | None = None
        self._unrest_found: tuple[float, ...] | None = None
        self._vote: float | None = None
        first = seat * LEADERS
        self.caesar = table.leader_at[first]
        """Position of the Caesar."""
        self.posts = sorted({at for at in table.leader_at[first : first + LEADERS] if at != OFF})
        """Provinces with leaders."""
        self.season_actions = self.left + rounds_each(self.table) * actions_each(self.table) * self.fade
        """Actions that are left, with those of later seasons discounted."""
        self.galley = GALLEY * self.season_actions
        """Value of a galley apart from the landings that it opens: it joins every battle near it."""

    def _patience(self, step: int) -> float:
        """Return the share that remains of a plan whose next part is `step` actions away.

        Others may answer it before, or it comes too late.
        """
        if self.actions > step:
            return 1.0
        return LATER if self.left > step or self.later else 0.0

    # --- own pieces ---

    def army(self, space: Space) -> Army:
        """Return own units in a province."""
        return army_of(self.table.units[space], self.seat)

    @property
    def bare(self) -> list[Space]:
        """Key provinces with unguarded own tokens."""
        if self._bare is None:
            self._bare = [
                space for space in KEYS if self.table.influence[space][self.seat] and not any(self.army(space))
            ]
        return self._bare

    def near(self, source: Space) -> frozenset[Space]:
        """Return the provinces to which units can march from `source`."""
        if source not in self._near:
            self._near[source] = reach(self.table, self.seat, source)
        return self._near[source]

    @property
    def overseas(self) -> list[Crossing]:
        """Pairs of a coast with leaders and a key province that they cannot reach, neither by land nor with the present
        fleets."""
        if self._overseas is None:
            self._overseas = self._find_overseas()
        return self._overseas

    def _find_overseas(self) -> list[Crossing]:
        coasts = [source for source in self.posts if SEAS[source]]
        return [
            (source, to, zones_serving(self.table, self.seat, to))
            for source in coasts
            for to in KEYS
            if to != source and to not in self.near(source) and to not in landings(self.table, self.seat, source)
        ]

    # --- the others ---

    def _turns(self, seat: Seat) -> int:
        """Return the number of a seat's turns before points are counted, without the present one."""
        order = self.table.order
        if self.seat not in order or seat not in order:
            return rounds_each(self.table)
        return rounds_each(self.table) - self.table.round + (order.index(seat) > order.index(self.seat))

    @property
    def friends(self) -> list[list[bool]]:
        """Table of which seats are allied."""
        if self._friends is None:
            seats = range(self.table.seats)
            self._friends = [[allied(self.table, one, other) for other in seats] for one in seats]
        return self._friends

    @property
    def _threats(self) -> list[int]:
        """By seat, the turns of its enemies before points are counted."""
        if self._threats_found is None:
            turns = [self._turns(seat) for seat in range(self.table.seats)]
            self._threats_found = [
                sum([n for n, friend in zip(turns, row, strict=True) if not friend]) for row in self.friends
            ]
        return self._threats_found

    @property
    def weights(self) -> tuple[float, ...]:
        """Value of each seat's point to this one: 1 for its own, negative for a rival's."""
        if self._weights is None:
            self._weights = self._find_weights()
        return self._weights

    def _find_weights(self) -> tuple[float, ...]:
        table = self.table
        coming = [sum(points) for points in zip(*[province_points(table, space) for space in KEYS], strict=True)]
        ahead = [had + 0.7 * (1 + self.later) * more for had, more in zip(table.points, coming, strict=True)]
        rivals = [seat for seat in range(table.seats) if seat != self.seat]
        envy = ENVY if table.seats == 2 else ENVY_OF_MANY
        minded = dict(zip(rivals, shares([ahead[seat] for seat in rivals], envy, NEARNESS), strict=True))
        return tuple([-minded.get(seat, -1.0) for seat in range(table.seats)])

    # --- provinces ---

    def strength(self, space: Space, seat: Seat, units: int) -> int:
        """Return how well `units` guard a province, with cards, galleys and walls."""
        if not units:
            return 0
        key = space, seat
        if key not in self._helpers:
            support = support_of(self.table, seat, space)
            galleys = len(galleys_in(self.table, seat, SEAS[space])) + support.galleys
            self._helpers[key] = total(support.army) + galleys + (self.table.owner[space] == seat)
        return min(units + self._helpers[key], len(RISKS) - 1)

    def guards(self, space: Space) -> Guards:
        """Return the present guards of a province."""
        if space not in self._guards:
            cell = self.table.units[space]
            seats = range(self.table.seats)
            self._guards[space] = tuple([self.strength(space, seat, total(army_of(cell, seat))) for seat in seats])
        return self._guards[space]

    def with_units(self, space: Space, seat: Seat, units: int, guards: Guards | None = None) -> Guards:
        """Return the guards of a province if a seat had `units` there."""
        guards = self.guards(space) if guards is None else guards
        return (*guards[:seat], self.strength(space, seat, units), *guards[seat + 1 :])

    def _judge(self, space: Space, counts: tuple[int, ...], guards: Guards) -> tuple[float, float]:
        """Return the value of a province this season, and in later ones."""
        numbers, weights = victory_numbers(self.table, space), self.weights
        whole = margin(weights, counts, numbers)
        now, later = whole, whole * self.fade
        for seat, tokens in enumerate(counts):
            if tokens:
                lost = margin(weights, (*counts[:seat], tokens - 1, *counts[seat + 1 :]), numbers) - whole
                gone = LONG_RISKS[guards[seat]]
                now += self._risk(seat, guards) * lost
                later += self.fade * (
                    gone * lost + (1.0 - gone) * weights[seat] * tokens * token_tax(self.table) * INCOME
                )
        return now, later

    def _risk(self, seat: Seat, guards: Guards) -> float:
        """Return the chance that one of a seat's tokens is lost before points are counted."""
        guarded, friends = guards[seat], self.friends[seat]
        besieged = guarded and any(n and not friend for n, friend in zip(guards, friends, strict=True))
        likely = RISKS[guarded] * (BESIEGED if besieged else 1.0)
        return 1.0 - (1.0 - likely) ** self._threats[seat]

    def holding(self, space: Space, counts: tuple[int, ...], guards: Guards, over: bool = False) -> float:
        """Return the value of a province with these tokens and guards, in all seasons.

        over: the points of this season are counted before, so only later seasons matter.
        """
        key = space, counts, guards
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._judge(space, counts, guards)
        return found[1] if over else found[0] + found[1]

    def change(self, space: Space, seat: Seat, units: int) -> float:
        """Return the change in value if a seat has `units` in a province."""
        if space not in KEY_SET:
            return 0.0
        counts, guards = self.table.influence[space], self.guards(space)
        return self.holding(space, counts, self.with_units(space, seat, units)) - self.holding(space, counts, guards)

    # --- money and chaos ---

    def price(self, talents: int) -> float:
        """Return the cost of paying so many talents."""
        return self._purse(self.money) - self._purse(self.money - talents)

    def gain(self, talents: int) -> float:
        """Return the value of so many more talents."""
        return self._purse(self.money + talents) - self._purse(self.money)

    def _purse(self, talents: int) -> float:
        return purse(max(0, talents), max(0, self.left - 1), self.later)

    def _chaos_penalty(self, mine: int, unrest: tuple[float, ...]) -> float:
        """Return the points that so much chaos will probably cost by the end of the season."""
        unsure = rounds_each(self.table) - self.table.round
        return penalty(mine, unrest, unsure, chaos_penalties(self.table))

    def chaos(self, points: int) -> float:
        """Return the cost of `points` more chaos, or less if negative."""
        mine = self.table.chaos[self.seat]
        change = self._chaos_penalty(max(0, mine + points), self._expected_chaos) - self._chaos_penalty(
            mine, self._expected_chaos
        )
        return change * (1.0 + LASTING * self.fade)

    def relief(self, points: int) -> float:
        """Return the value of `points` less chaos when chaos is counted, limited by what this seat has by then."""
        mine = self.table.chaos[self.seat]
        unsure = rounds_each(self.table) - self.table.round
        less = min(points, mine + round(TURN * (1 + unsure)))
        change = self._chaos_penalty(mine, self._expected_chaos) - self._chaos_penalty(
            mine - less, self._expected_chaos
        )
        return change * (1.0 + LASTING * self.fade)

    def discord(self, rival: Seat, points: int) -> float:
        """Return the value of a rival's additional chaos: the rival may lose points for it instead of this seat."""
        others = [seat for seat in range(self.table.seats) if seat != self.seat]
        raised = tuple([n + points * (seat == rival) for seat, n in zip(others, self._expected_chaos, strict=True)])
        mine = self.table.chaos[self.seat]
        spared = self._chaos_penalty(mine, self._expected_chaos) - self._chaos_penalty(mine, raised)
        return spared * (1.0 + LASTING * self.fade) - self.weights[rival] * UNREST * points

    @property
    def _expected_chaos(self) -> tuple[float, ...]:
        """Chaos of each rival expected when it is counted, less what this seat still gains until then."""
        if self._unrest_found is None:
            self._unrest_found = self._find_unrest()
        return self._unrest_found

    def _find_unrest(self) -> tuple[float, ...]:
        table = self.table
        usual = TURN * (rounds_each(self.table) * (table.season - 1) + table.round)
        counted = [entry for entry in table.ledger if entry[1] == FROM_CHAOS]
        last = counted[-1][2:] if counted else (0,) * table.seats
        return tuple([usual - 0.4 * last[seat] for seat in range(table.seats) if seat != self.seat])

    def city(self, space: Space) -> float:
        """Return the value of owning a city in a province: taxes, calm, walls."""
        tokens = self.table.influence[space][self.seat]
        calm = self.relief(city_calm(self.table)) * (1.0 + self.fade)
        return tokens * token_tax(self.table) * INCOME * self.later + calm + 0.5 * bool(tokens)

    # --- the senate ---

    def votes(self) -> tuple[float, float]:
        """Return own votes, and those expected in the strongest other hand."""
        hands = self.table.senators
        rivals = [sum(hand) * LIKELY for seat, hand in enumerate(hands) if seat != self.seat]
        return weight(hands[self.seat]), max(rivals)

    @property
    def vote(self) -> float:
        """Value of a vote in the hand."""
        if self._vote is None:
            calls = [ready(self.table, s, card) for s in range(self.table.seats) for card in VOTES]
            self._vote = SENATOR if self.later else SENATOR * (0.7 if any(calls) else 0.1)
        return self._vote

    # --- influence ---

    def bought(self, space: Space, sellers: Sequence[int]) -> tuple[int, ...]:
        """Return the tokens in a province after a purchase from these sellers."""
        counts = list(self.table.influence[space])
        for seller in sellers:
            counts[self.seat] += 1
            if seller != NONE:
                counts[seller] -= 1
        return tuple(counts)

    def best_purchase(
        self, space: Space, most: int, guards: Guards | None = None, freed: Sequence[int] = (), over: bool = False
    ) -> tuple[float, tuple[int, ...]]:
        """Return the best purchase of a leader in a province: its value, and the sellers.

        guards: units there by then. freed: additional sellers who will have lost their guards. over: as in `holding`.
        """
        room = min(most, influence_supply(self.table, self.seat), self.money // influence_price(self.table))
        if space not in KEY_SET or room < 1:
            return 0.0, ()
        guards = self.guards(space) if guards is None else guards
        now = self.holding(space, self.table.influence[space], guards, over)
        best: tuple[float, tuple[int, ...]] = (0.0, ())
        for sellers in _choices([*buyable(self.table, self.seat, space), *freed], room):
            then = self.holding(space, self.bought(space, sellers), guards, over)
            best = max(best, (then - now - self.price(influence_price(self.table) * len(sellers)), sellers))
        return best


def _choices(offered: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """Return the choices of one or two of these tokens."""
    kinds = sorted(set(offered))
    ones: list[tuple[int, ...]] = [(seller,) for seller in kinds]
    if most < 2:
        return ones
    twos = [
        (one, other) for i, one in enumerate(kinds) for other in kinds[i:] if one != other or offered.count(one) > 1
    ]
    return [*ones, *twos]
