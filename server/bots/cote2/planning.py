"""Planning of a turn: all possible plans with their values, and the best of them."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from server.bots.cote2.cards import WORTH
from server.bots.cote2.fighting import assault, targets
from server.bots.cote2.march_plans import guarding, marches
from server.bots.cote2.plans import Plan
from server.bots.cote2.position_analysis import UNIT, SeatAnalysis
from server.bots.cote2.sailing import sails
from shared.ids import GALLEY, INFANTRY, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import total
from shared.rulesets.cote2.actions import Attack, Influence, Levy, Pass, Recruit, Use
from shared.rulesets.cote2.data import CARDS, SEAS
from shared.rulesets.cote2.economy import bases, most_tokens
from shared.rulesets.cote2.effects import Taken, card_of, card_options, use_options
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.joining import spent
from shared.rulesets.cote2.options import (
    SEASONS,
    actions_each,
    prices,
    recruit_chaos,
    rounds_each,
    special_taxes,
    tax_chaos,
)
from shared.rulesets.cote2.property import army_supply, galley_supply, general_supply
from shared.rulesets.cote2.state import GALLEYS, LEADERS, led
from shared.vocabulary.actions import EndTurn

MARGINAL = 0.64
"""Value of an action that is postponed for another, as a share of the best plan."""


def purchases(analysis: SeatAnalysis) -> Iterator[Plan]:
    """Yield purchases of tokens where leaders are."""
    for space in analysis.posts:
        worth, sellers = analysis.best_purchase(space, most_tokens(analysis.table, analysis.seat, space))
        if sellers:
            yield Plan(worth, Influence(space, sellers))


def attacks(analysis: SeatAnalysis, frame: Turn, alternative: float) -> Iterator[Plan]:
    """Yield battles, valued by the guards that fall and the tokens that lose their guards."""
    table, seat = analysis.table, analysis.seat
    for space, cell in enumerate(table.units):
        if not cell or seat not in cell[::4]:
            continue
        most, army = most_tokens(table, seat, space), analysis.army(space)
        for enemy in targets(analysis, space):
            if not spent(table, frame, enemy, space):
                worth, spoils = assault(analysis, space, enemy, army, led(table, seat, space), most, analysis.over)
                worth += analysis.patience * max(0.0, spoils - alternative)
                yield Plan(worth + analysis.boldness * abs(worth), Attack(space, enemy))


def cards(analysis: SeatAnalysis, frame: Turn) -> Iterator[Plan]:
    """Yield the open cards that can be taken."""
    for action in card_options(analysis.table, frame, analysis.seat):
        if isinstance(action, Taken):
            card = card_of(action)
            yield Plan(WORTH.of(card).taken(analysis, action) - analysis.price(CARDS[card].cost), action)


def free_cards(analysis: SeatAnalysis, frame: Turn) -> Action | None:
    """Return the best use of a multi-use card now, or None."""
    ways = use_options(analysis.table, frame, analysis.seat)
    used = [Plan(WORTH.of(way.card).used(analysis, way), way) for way in ways if isinstance(way, Use)]
    best = max(used, key=lambda plan: plan.worth, default=None)
    return best.action if best is not None and best.worth > 0 else None


def act(analysis: SeatAnalysis, frame: Turn) -> Action:
    """Return the best action of a turn."""
    free = free_cards(analysis, frame)
    if free is not None:
        return free
    if not frame.left:
        return EndTurn()
    best = max(plans(analysis, frame), key=lambda plan: plan.worth)
    return best.action if best.worth > 0 else Pass()


def plans(analysis: SeatAnalysis, frame: Turn) -> list[Plan]:
    """Return all plans of a turn."""
    found = [*purchases(analysis), *services(analysis, frame)]
    alternative = missed(found)
    return [
        *found,
        *attacks(analysis, frame, alternative),
        *marches(analysis, alternative),
        *sails(analysis, alternative),
    ]


GENERAL: Final = (7.0, 2.7, 1.5, 0.7)
"""Value of another general at the start of a match, by the number of generals on the board."""
MOST, MOST_GENERALS = 6, 2
"""Most infantry, and most generals, that are recruited at once."""


def recruits(analysis: SeatAnalysis) -> Iterator[Plan]:
    """Yield orders of infantry, generals, or both, in every base."""
    unrest = analysis.chaos(recruit_chaos(analysis.table))
    for space in bases(analysis.table, analysis.seat):
        useful = list(_values_of_infantry(analysis, space))
        for infantry, generals, price in _affordable_orders(analysis):
            worth = sum(useful[:infantry]) + _generals(analysis, generals) - unrest - analysis.price(price)
            yield Plan(worth, Recruit(((space, infantry, 0, 0, generals),)))


def _affordable_orders(analysis: SeatAnalysis) -> Iterator[tuple[int, int, int]]:
    """Yield affordable numbers of infantry and generals, with their price."""
    free = min(MOST, army_supply(analysis.table, analysis.seat)[0])
    idle = min(MOST_GENERALS, len(general_supply(analysis.table, analysis.seat)))
    each = prices(analysis.table)
    for generals, infantry in product(range(idle + 1), range(free + 1)):
        price = infantry * each[INFANTRY] + generals * each[-1]
        if 0 < price <= analysis.money:
            yield infantry, generals, price


def _generals(analysis: SeatAnalysis, number: int) -> float:
    """Return the value of new generals: decreasing with each, and with the time left in the match."""
    there = LEADERS - 1 - len(general_supply(analysis.table, analysis.seat))
    season = rounds_each(analysis.table) * actions_each(analysis.table)
    left = (analysis.left + season * analysis.later) / (season * analysis.table.options[SEASONS])
    return sum(GENERAL[there : there + number]) * left


def _values_of_infantry(analysis: SeatAnalysis, space: Space) -> Iterator[float]:
    """Yield the value of each further infantry unit: the first as a guard on the spot, others for places nearby."""
    places = sorted([guarding(analysis, to) for to in analysis.bare if to in analysis.near(space)], reverse=True)
    units = total(analysis.army(space))
    spare = max(0, units - 1)
    yield max(analysis.change(space, analysis.seat, units + 1), 0.0) + UNIT
    for worth in places[spare:]:
        yield max(0.0, worth) * analysis.patience + UNIT
    for k in range(MOST):
        yield UNIT * 0.9**k


def fleets(analysis: SeatAnalysis) -> Iterator[Plan]:
    """Yield orders of a first galley."""
    table = analysis.table
    price = prices(table)[GALLEY]
    if len(galley_supply(table, analysis.seat)) < GALLEYS or analysis.money < price:
        return
    for zone in sorted({zone for space in bases(table, analysis.seat) for zone in SEAS[space]}):
        yield Plan(
            analysis.galley - analysis.chaos(recruit_chaos(table)) - analysis.price(price), Recruit((), ((zone, 1),))
        )


def services(analysis: SeatAnalysis, frame: Turn) -> list[Plan]:
    """Return the plans for cards, recruits and taxes."""
    table = analysis.table
    sums = special_taxes(table)
    levies = [Plan(analysis.gain(sum_) - analysis.chaos(tax_chaos(table, sum_)), Levy(sum_)) for sum_ in sums]
    return [*cards(analysis, frame), *recruits(analysis), *fleets(analysis), *levies]


def missed(found: Sequence[Plan]) -> float:
    """Return the value lost where none of these plans is carried out."""
    return MARGINAL * max([0.0, *[plan.worth for plan in found]])
