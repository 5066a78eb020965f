"""Ranks that equal players share, and prizes by rank."""

from collections.abc import Sequence


def prizes(counts: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """Return the prize of each: equal counts get the same prize, the next lower count the next one.

    A count of 0 or less gets none.
    """
    levels = sorted({count for count in counts if count > 0}, reverse=True)
    prize = dict(zip(levels, numbers, strict=False))
    return [prize.get(count, 0) for count in counts]


def shared_ranks(merits: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the rank of each merit, 1 for the greatest. Equal merits share a rank, and the next one counts them: 1, 2,
    2, 4.
    """
    return [1 + sum(other > merit for other in merits) for merit in merits]
