"""Recruits: guards for tokens that nobody guards, generals who save marches, galleys where an army has no other way."""

from collections.abc import Iterator
from typing import Final

from server.bots.cote2.marching import guarding
from server.bots.cote2.survey import UNIT, Eye, Plan
from shared.ids import Space
from shared.mechanics.armies import total
from shared.rulesets.cote2.actions import Levy, Recruit
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.economy import PRICES, RECRUIT_CHAOS, TAX_MOST, TAX_STEP, bases
from shared.rulesets.cote2.property import army_supply, galley_supply, general_supply
from shared.rulesets.cote2.state import LEADERS

GENERAL: Final = (0.0, 6.0, 3.5, 1.5, 0.8)
"""What another general is worth at the start of a match, by the generals on the board."""
MOST: Final = 6
"""Infantry that is recruited at once."""


def recruits(eye: Eye) -> Iterator[Plan]:
    """Infantry alone, with a general, and a general alone, in every base."""
    sites = bases(eye.table, eye.seat)
    if not sites or eye.money < PRICES[0]:
        return
    unrest = eye.chaos(RECRUIT_CHAOS)
    free = army_supply(eye.table, eye.seat)[0]
    idle = len(general_supply(eye.table, eye.seat))
    for space in sites:
        useful = list(_useful(eye, space))
        for generals in range(min(2, idle) + 1):
            for infantry in range(min(free, MOST, (eye.money - 20 * generals) // PRICES[0]) + 1):
                if infantry + generals:
                    worth = sum(useful[:infantry]) + _generals(eye, generals)
                    worth -= unrest + eye.price(infantry * PRICES[0] + generals * PRICES[4])
                    yield Plan(worth, Recruit(((space, infantry, 0, 0, generals),)))


def _generals(eye: Eye, number: int) -> float:
    """Each less than the one before; less the less there is left of the match."""
    there = LEADERS - 1 - len(general_supply(eye.table, eye.seat))
    left = (eye.left + 8 * eye.later) / 32
    return sum([GENERAL[min(4, there + k + 1)] for k in range(number)]) * left


def _useful(eye: Eye, space: Space) -> Iterator[float]:
    """What each further infantryman is worth there: the first as a guard on the spot, others for what is near."""
    places = sorted([guarding(eye, to) for to in eye.bare if to in eye.near(space)], reverse=True)
    units = total(eye.army(space))
    spare = max(0, units - 1)
    yield max(eye.change(space, eye.seat, units + 1), 0.0) + UNIT
    for worth in places[spare:]:
        yield max(0.0, worth) * eye.patience + UNIT
    for k in range(MOST):
        yield UNIT * 0.9**k


def fleets(eye: Eye) -> Iterator[Plan]:
    """One galley, where it is the first."""
    table = eye.table
    if len(galley_supply(table, eye.seat)) < 8 or eye.money < PRICES[3]:
        return
    for zone in sorted({zone for space in bases(table, eye.seat) for zone in SEAS[space]}):
        yield Plan(eye.galley - eye.chaos(RECRUIT_CHAOS) - eye.price(PRICES[3]), Recruit((), ((zone, 1),)))


def levies(eye: Eye) -> Iterator[Plan]:
    """A special tax: as much as its chaos is worth."""
    for talents in range(TAX_STEP, TAX_MOST + 1, TAX_STEP):
        yield Plan(eye.gain(talents) - eye.chaos(talents // TAX_STEP), Levy(talents))
