"""Prices and inflation."""

from collections.abc import Sequence


def cost(counts: Sequence[int], prices: Sequence[int], factor: int) -> int:
    """The price of so many of each kind."""
    return sum(n * price for n, price in zip(counts, prices, strict=True)) * factor


def levels_reached(marker: int, marks: Sequence[int], known: Sequence[bool]) -> list[int]:
    """The inflation levels (0, 1, ...) that a tribute marker reaches and that nobody reached before."""
    return [level for level, mark in enumerate(marks) if marker >= mark and not known[level]]
