"""Heaps in an unknown order (a deck, a bag, a hidden hand), kept as counts by kind.

The pieces of a heap are numbered kind by kind, so a number drawn blindly names a piece.
"""

from collections.abc import Iterable, Sequence


def kind_of(counts: Sequence[int], number: int) -> int:
    """Return the kind of the piece with that number; IndexError if the heap has no such piece."""
    # A negative number would pass the test below as a piece of the first kind.
    if number < 0:
        raise IndexError(f"no piece has the number {number}")
    for kind, count in enumerate(counts):
        if number < count:
            return kind
        number -= count
    raise IndexError("the heap has no such piece")


def kinds_of(counts: Sequence[int], numbers: Iterable[int]) -> list[int]:
    """Return the kinds of several pieces drawn together."""
    return [kind_of(counts, number) for number in numbers]


def tally(kinds: Iterable[int], size: int) -> list[int]:
    """Return the counts by kind."""
    counts = [0] * size
    for kind in kinds:
        counts[kind] += 1
    return counts


def with_one(counts: Sequence[int], kind: int, number: int = 1) -> tuple[int, ...]:
    """Return the counts with `number` more of a kind (less, if it is negative)."""
    return (*counts[:kind], counts[kind] + number, *counts[kind + 1 :])


def without(counts: Sequence[int], part: Sequence[int]) -> tuple[int, ...]:
    """Return the counts of a heap less those of a part; may be negative."""
    return tuple([n - p for n, p in zip(counts, part, strict=True)])
