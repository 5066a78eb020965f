"""Prizes by rank: all who are level share a rank and its prize, and the next lower number takes the next one."""

from collections.abc import Sequence


def prizes(counts: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """What each gets; nobody gets anything for a count of 0 or less."""
    levels = sorted({count for count in counts if count > 0}, reverse=True)
    prize = dict(zip(levels, numbers, strict=False))
    return [prize.get(count, 0) for count in counts]
