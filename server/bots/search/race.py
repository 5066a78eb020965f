"""Which of several candidates is best, asked of noisy samples: halving, in which the first one stays to the end.

All candidates are sampled with the same seeds, and only their differences from the first one count. The more candidates
there are the likelier one of them merely looks good: so the first one is left only for what is clearly better.
"""

import math
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Final, TypeAlias

CLEARLY: Final = 1.0
"""By how many standard errors of the difference a candidate must be better than the first one."""
MARGIN: Final = 0.01
"""And by how much chance of winning at least."""
DECIDED: Final = 3.0
"""Standard errors from which a difference is asked no further."""
ENOUGH: Final = 8
"""Samples before a difference is thought decided."""

USUAL: Final = -0.01
"""What a candidate gains in the mean, before anything is known of it: the first one is usually the best."""
VARIED: Final = 0.04
"""The standard deviation of what candidates gain."""
BLUR: Final = 0.07
"""The standard deviation of a sample of it, of which few samples tell little."""
TRUST: Final = 2
"""How many samples that is worth."""
LEAST: Final = 0.003
"""What must be expected to be gained."""

Judge: TypeAlias = Callable[[Sequence[float], Sequence[float]], float]
"""(values of the first one, values of a rival in the same samples) -> above 0 where the rival should win; of several,
the highest."""


def race(count: int, rung: int, sample: Callable[[int, int], float | None], judge: Judge | None = None) -> int:
    """The number of the best of `count` candidates, or 0 where none is clearly better than the first.

    sample(candidate, i): the candidate's value in the i-th sample, None where there is no time for it. rung: samples of
    each before the first halving, one candidate after the other: where time is short, the last ones are not looked at
    rather than none of them enough. Twice as many before the next one, and so on. judge: `expected`, or another.
    """
    values: list[list[float]] = [[] for _ in range(count)]
    rivals = list(range(1, count))
    while rivals:
        for candidate in (0, *rivals):
            while len(values[candidate]) < rung:
                value = sample(candidate, len(values[candidate]))
                if value is None:
                    return _chosen(values, rivals, judge or expected)
                values[candidate].append(value)
        if len(rivals) > 1:
            rung *= 2
            rivals = _hopeful(values, rivals)
        elif _is_decided(values[0], values[rivals[0]]):
            break
        else:
            rung += 1
    return _chosen(values, rivals, judge or expected) if rivals else 0


def _hopeful(values: Sequence[Sequence[float]], rivals: Sequence[int]) -> list[int]:
    """The better half of the rivals, but for those without hope."""
    better = sorted(rivals, key=lambda rival: -fmean(values[rival]))[: (len(rivals) + 1) // 2]
    return [rival for rival in better if _has_hope(values[0], values[rival])]


def _is_decided(base: Sequence[float], rival: Sequence[float]) -> bool:
    """Whether more samples would hardly change what is thought of a rival."""
    if len(base) < ENOUGH:
        return False
    mean, error = difference(base, rival)
    return abs(mean) >= DECIDED * error


def _has_hope(base: Sequence[float], rival: Sequence[float]) -> bool:
    """Whether more samples could show that a rival is better; not of another way to the same end."""
    mean, error = difference(base, rival)
    return mean + DECIDED * error > 0


def _chosen(values: Sequence[Sequence[float]], rivals: Sequence[int], judge: Judge) -> int:
    """The rival that is judged best, if any is better than the first one."""
    best = max(rivals, key=lambda rival: judge(values[0], values[rival]))
    return best if judge(values[0], values[best]) > 0 else 0


def lead(base: Sequence[float], rival: Sequence[float]) -> float:
    """By how much a rival is better than it must be."""
    mean, error = difference(base, rival)
    return mean - CLEARLY * error - MARGIN


def expected(base: Sequence[float], rival: Sequence[float]) -> float:
    """By how much more a rival may be expected to gain than it must: its samples, and what is known of candidates at
    large, each as far as it tells something (Bayes, all being normal)."""
    gains = [b - a for a, b in zip(base, rival, strict=False)]
    if len(gains) < 2 or not any(gains):
        return -math.inf
    mean = fmean(gains)
    squares = sum((gain - mean) ** 2 for gain in gains) + TRUST * BLUR**2
    blur, varied = squares / (len(gains) - 1 + TRUST) / len(gains), VARIED**2
    return (USUAL * blur + mean * varied) / (blur + varied) - LEAST


def difference(base: Sequence[float], rival: Sequence[float]) -> tuple[float, float]:
    """The mean gain of a rival over the same samples, as far as the shorter goes, and its standard error."""
    gains = [b - a for a, b in zip(base, rival, strict=False)]
    if len(gains) < 2:
        return 0.0, math.inf
    mean = fmean(gains)
    return mean, math.sqrt(sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1) / len(gains))
