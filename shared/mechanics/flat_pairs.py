"""Pairs of numbers in one flat tuple, as frames keep battles: (space, enemy, space, enemy, ...)."""

from collections.abc import Iterable, Sequence


def to_pairs(flat: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of a flat tuple."""
    return list(zip(flat[::2], flat[1::2], strict=True))


def to_flat(pairs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the flat tuple of pairs."""
    return tuple([n for pair in pairs for n in pair])
