"""Prices and inflation."""

from collections.abc import Sequence


def cost(counts: Sequence[int], prices: Sequence[int], factor: int) -> int:
    """Return the price of a number of pieces of each kind."""
    return sum(n * price for n, price in zip(counts, prices, strict=True)) * factor


def levels_reached(marker: int, marks: Sequence[int], reached: Sequence[bool]) -> list[int]:
    """Return the inflation levels (0, 1, ...) that a tribute marker reaches and that are not `reached` yet."""
    return [level for level, mark in enumerate(marks) if marker >= mark and not reached[level]]
