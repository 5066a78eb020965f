"""Chance to win by the features of a position: a conditional logit with weights learned by self-play."""

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

WEIGHTS: Final = Path(__file__).with_name("weights.json")
"""File with the weights of features by rule set, written by `python -m tests.bench.learn`."""

CERTAIN: Final = 700.0
"""Logarithm of the largest odds; the exponential of larger ones is no float."""


@cache
def weights(ruleset: str) -> tuple[float, ...]:
    """Return the learned weights of a rule set."""
    return msgspec.json.decode(WEIGHTS.read_bytes(), type=dict[str, tuple[float, ...]])[ruleset]


def chance(leads: Sequence[Sequence[float]], learned: Sequence[float]) -> float:
    """Return the chance to win, from 0 to 1 (a conditional logit). leads: features beyond those of each rival."""
    return 1 / (1 + sum([math.exp(min(CERTAIN, -sum(map(float.__mul__, lead, learned)))) for lead in leads]))
