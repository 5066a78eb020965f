"""What points, money and chaos to come are worth: numbers only, no position."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from shared.mechanics.ranks import prizes
from shared.rulesets.cote2.scoring import CHAOS_PENALTIES

THIRST: Final = 0.3
"""What a talent is worth, in victory points, to who has none."""
BUDGET, SPENDING = 25.0, 4.5
"""Talents that are useful: so many before the last season, and so many for each action that is left in this one."""
SAVED: Final = 0.04
"""What a talent is worth that can only be spent in a later season."""
SPREAD, DRIFT = 2.0, 0.6
"""How uncertain the chaos of others is when it is counted, and how much more so for each round before."""
FADING: Final = 0.8
"""What a point of a later season is worth, against one season earlier."""


@lru_cache(maxsize=65536)
def margin(weights: tuple[float, ...], counts: tuple[int, ...], numbers: tuple[int, ...]) -> float:
    """The prizes of a province, each seat's by its weight."""
    return sum([weight * prize for weight, prize in zip(weights, prizes(counts, numbers), strict=True)])


def purse(talents: int, actions: int, seasons: int) -> float:
    """What so many talents are worth with so many actions left in this season and so many seasons after it: each one
    less than the one before, and little when there is nothing left to buy."""
    useful = SPENDING * actions + BUDGET * (seasons > 0)
    saved = SAVED * talents * (seasons > 0)
    return saved + THIRST * useful * (1.0 - math.exp(-talents / useful)) if useful else 0.0


@lru_cache(maxsize=4096)
def penalty(mine: int, others: tuple[float, ...], rounds: int) -> float:
    """Points that so much chaos will probably cost when so many more rounds are over, the others having about that."""
    spread = SPREAD + DRIFT * rounds
    above = [1.0 / (1.0 + math.exp((other - mine) / spread)) for other in others]
    most = math.prod(above)
    second = sum([(1.0 - p) * math.prod([*above[:i], *above[i + 1 :]]) for i, p in enumerate(above)])
    return -CHAOS_PENALTIES[0] * most - CHAOS_PENALTIES[1] * second


def faded(seasons: int) -> float:
    """What a point in each of so many later seasons is worth, against one in this season."""
    return sum([FADING**k for k in range(1, seasons + 1)])


def less_one(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The counts with one less for a seat."""
    return (*counts[:seat], counts[seat] - 1, *counts[seat + 1 :])


def shares(estimates: Sequence[float], whole: float, width: float) -> list[float]:
    """`whole` divided among rivals: the more to each, the nearer to the best of them."""
    best = max(estimates)
    raw = [math.exp((n - best) / width) for n in estimates]
    return [whole * n / sum(raw) for n in raw]
