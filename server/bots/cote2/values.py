"""Values of points, money and chaos to come: functions of numbers, without a position."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from shared.mechanics.ranks import prizes
from shared.rulesets.cote2.scoring import CHAOS_PENALTIES

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
def penalty(mine: int, others: tuple[float, ...], rounds: int) -> float:
    """Return the points that chaos will probably cost after `rounds` more rounds, given the others' expected chaos."""
    spread = SPREAD + DRIFT * rounds
    above = [1.0 / (1.0 + math.exp((other - mine) / spread)) for other in others]
    most = math.prod(above)
    second = sum([(1.0 - p) * math.prod([*above[:i], *above[i + 1 :]]) for i, p in enumerate(above)])
    return -CHAOS_PENALTIES[0] * most - CHAOS_PENALTIES[1] * second


def faded(seasons: int) -> float:
    """Return the value of a point in each of the later seasons together, relative to one in this season."""
    return sum([FADING**k for k in range(1, seasons + 1)])


def less_one(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return the counts with one less for a seat."""
    return (*counts[:seat], counts[seat] - 1, *counts[seat + 1 :])


def shares(estimates: Sequence[float], whole: float, width: float) -> list[float]:
    """Divide `whole` among rivals: the nearer to the best of them, the larger the share."""
    best = max(estimates)
    raw = [math.exp((n - best) / width) for n in estimates]
    return [whole * n / sum(raw) for n in raw]
