"""Chance to win by the features of a position: a logistic function with weights learned by self-play."""

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

WEIGHTS: Final = Path(__file__).with_name("weights.json")
"""File with the weights of features by rule set, written by `python -m server.bots.search.train`."""


@cache
def weights(ruleset: str) -> tuple[float, ...]:
    """Return the learned weights of a rule set."""
    return msgspec.json.decode(WEIGHTS.read_bytes(), type=dict[str, tuple[float, ...]])[ruleset]


def chance(features: Sequence[float], learned: Sequence[float]) -> float:
    """Return the chance to win, from 0 to 1."""
    return logistic(sum(map(float.__mul__, features, learned)))


def logistic(x: float) -> float:
    """Convert the logarithm of the odds into a chance; numbers too large for a float are treated as certain."""
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
