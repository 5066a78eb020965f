"""Recruits: guards for unguarded tokens, generals who save marches, a first galley."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from server.bots.cote2.marching import guarding
from server.bots.cote2.plans import Plan
from server.bots.cote2.position_analysis import UNIT, SeatAnalysis
from shared.ids import GALLEY, INFANTRY, Space
from shared.mechanics.armies import total
from shared.rulesets.cote2.actions import Levy, Recruit
from shared.rulesets.cote2.data import DATA, SEAS
from shared.rulesets.cote2.economy import PRICES, RECRUIT_CHAOS, TAX_MOST, TAX_STEP, bases
from shared.rulesets.cote2.property import army_supply, galley_supply, general_supply

GENERAL: Final = (6.0, 3.5, 1.5, 0.8)
"""Value of another general at the start of a match, by the number of generals on the board."""
MOST, MOST_GENERALS = 6, 2
"""Most infantry, and most generals, that are recruited at once."""


def recruits(eye: SeatAnalysis) -> Iterator[Plan]:
    """Yield orders of infantry, generals, or both, in every base."""
    unrest = eye.chaos(RECRUIT_CHAOS)
    for space in bases(eye.table, eye.seat):
        useful = list(_useful(eye, space))
        for infantry, generals, price in _orders(eye):
            worth = sum(useful[:infantry]) + _generals(eye, generals) - unrest - eye.price(price)
            yield Plan(worth, Recruit(((space, infantry, 0, 0, generals),)))


def _orders(eye: SeatAnalysis) -> Iterator[tuple[int, int, int]]:
    """Yield affordable numbers of infantry and generals, with their price."""
    free = min(MOST, army_supply(eye.table, eye.seat)[0])
    idle = min(MOST_GENERALS, len(general_supply(eye.table, eye.seat)))
    for generals, infantry in product(range(idle + 1), range(free + 1)):
        price = infantry * PRICES[INFANTRY] + generals * PRICES[-1]
        if 0 < price <= eye.money:
            yield infantry, generals, price


def _generals(eye: SeatAnalysis, number: int) -> float:
    """Return the value of new generals: decreasing with each, and with the time left in the match."""
    there = DATA.supply.generals - len(general_supply(eye.table, eye.seat))
    season = DATA.rounds * DATA.actions
    left = (eye.left + season * eye.later) / (season * DATA.seasons)
    return sum(GENERAL[there : there + number]) * left


def _useful(eye: SeatAnalysis, space: Space) -> Iterator[float]:
    """Yield the value of each further infantry unit: the first as a guard on the spot, others for places nearby."""
    places = sorted([guarding(eye, to) for to in eye.bare if to in eye.near(space)], reverse=True)
    units = total(eye.army(space))
    spare = max(0, units - 1)
    yield max(eye.change(space, eye.seat, units + 1), 0.0) + UNIT
    for worth in places[spare:]:
        yield max(0.0, worth) * eye.patience + UNIT
    for k in range(MOST):
        yield UNIT * 0.9**k


def fleets(eye: SeatAnalysis) -> Iterator[Plan]:
    """Yield orders of a first galley."""
    table = eye.table
    if len(galley_supply(table, eye.seat)) < DATA.supply.galleys or eye.money < PRICES[GALLEY]:
        return
    for zone in sorted({zone for space in bases(table, eye.seat) for zone in SEAS[space]}):
        yield Plan(eye.galley - eye.chaos(RECRUIT_CHAOS) - eye.price(PRICES[GALLEY]), Recruit((), ((zone, 1),)))


def levies(eye: SeatAnalysis) -> Iterator[Plan]:
    """Yield special taxes, with the talents valued against the chaos."""
    for talents in range(TAX_STEP, TAX_MOST + 1, TAX_STEP):
        yield Plan(eye.gain(talents) - eye.chaos(talents // TAX_STEP), Levy(talents))
