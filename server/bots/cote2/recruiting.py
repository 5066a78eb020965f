"""Recruits: guards for unguarded tokens, generals who save marches, a first galley."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from server.bots.cote2.march_plans import guarding
from server.bots.cote2.plans import Plan
from server.bots.cote2.position_analysis import UNIT, SeatAnalysis
from shared.ids import GALLEY, INFANTRY, Space
from shared.mechanics.armies import total
from shared.rulesets.cote2.actions import Levy, Recruit
from shared.rulesets.cote2.data import DATA, SEAS
from shared.rulesets.cote2.economy import PRICES, RECRUIT_CHAOS, TAX_MOST, TAX_STEP, bases
from shared.rulesets.cote2.property import army_supply, galley_supply, general_supply

GENERAL: Final = (7.0, 2.7, 1.5, 0.7)
"""Value of another general at the start of a match, by the number of generals on the board."""
MOST, MOST_GENERALS = 6, 2
"""Most infantry, and most generals, that are recruited at once."""


def recruits(analysis: SeatAnalysis) -> Iterator[Plan]:
    """Yield orders of infantry, generals, or both, in every base."""
    unrest = analysis.chaos(RECRUIT_CHAOS)
    for space in bases(analysis.table, analysis.seat):
        useful = list(_useful(analysis, space))
        for infantry, generals, price in _orders(analysis):
            worth = sum(useful[:infantry]) + _generals(analysis, generals) - unrest - analysis.price(price)
            yield Plan(worth, Recruit(((space, infantry, 0, 0, generals),)))


def _orders(analysis: SeatAnalysis) -> Iterator[tuple[int, int, int]]:
    """Yield affordable numbers of infantry and generals, with their price."""
    free = min(MOST, army_supply(analysis.table, analysis.seat)[0])
    idle = min(MOST_GENERALS, len(general_supply(analysis.table, analysis.seat)))
    for generals, infantry in product(range(idle + 1), range(free + 1)):
        price = infantry * PRICES[INFANTRY] + generals * PRICES[-1]
        if 0 < price <= analysis.money:
            yield infantry, generals, price


def _generals(analysis: SeatAnalysis, number: int) -> float:
    """Return the value of new generals: decreasing with each, and with the time left in the match."""
    there = DATA.supply.generals - len(general_supply(analysis.table, analysis.seat))
    season = DATA.rounds * DATA.actions
    left = (analysis.left + season * analysis.later) / (season * DATA.seasons)
    return sum(GENERAL[there : there + number]) * left


def _useful(analysis: SeatAnalysis, space: Space) -> Iterator[float]:
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
    if len(galley_supply(table, analysis.seat)) < DATA.supply.galleys or analysis.money < PRICES[GALLEY]:
        return
    for zone in sorted({zone for space in bases(table, analysis.seat) for zone in SEAS[space]}):
        yield Plan(
            analysis.galley - analysis.chaos(RECRUIT_CHAOS) - analysis.price(PRICES[GALLEY]), Recruit((), ((zone, 1),))
        )


def levies(analysis: SeatAnalysis) -> Iterator[Plan]:
    """Yield special taxes, with the talents valued against the chaos."""
    for talents in range(TAX_STEP, TAX_MOST + 1, TAX_STEP):
        yield Plan(analysis.gain(talents) - analysis.chaos(talents // TAX_STEP), Levy(talents))
