"""Course of moves over the screen."""

from __future__ import annotations


def eased(share: float) -> float:
    """Return how much of its way a move has gone after that share of its time, both 0 to 1: slow, fast, slow."""
    return share * share * (3 - 2 * share)
