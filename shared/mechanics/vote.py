"""Votes of different weight: cards by value, the lowest worth 1."""

from collections.abc import Sequence

from shared.ids import NONE, Seat


def weight(cards: Sequence[int]) -> int:
    """Return the votes of a number of cards of value 1, 2, 3 ..."""
    votes = 0
    for value, number in enumerate(cards, start=1):
        votes += value * number
    return votes


def sole_leader(counts: Sequence[int]) -> Seat:
    """Return the seat with the most votes, NONE if two are level or no seat has any."""
    most = max(counts, default=0)
    if most <= 0 or list(counts).count(most) != 1:
        return NONE
    return list(counts).index(most)
