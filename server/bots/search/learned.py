"""The chance to win by what can be counted on the board: a logistic function with weights learned by self-play."""

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

WEIGHTS: Final = Path(__file__).with_name("weights.json")
"""By rule set, the weights of its features in their order; written by `python -m server.bots.search.train`."""


@cache
def weights(ruleset: str) -> tuple[float, ...]:
    """What was learned for a rule set."""
    return msgspec.json.decode(WEIGHTS.read_bytes(), type=dict[str, tuple[float, ...]])[ruleset]


def chance(features: Sequence[float], learned: Sequence[float]) -> float:
    """The chance to win, from 0 to 1."""
    return logistic(sum(map(float.__mul__, features, learned)))


def logistic(x: float) -> float:
    """From the logarithm of the odds to a chance; what is too large for a float is as good as sure."""
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
