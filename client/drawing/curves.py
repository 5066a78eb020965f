"""Smooth curves through points, the outlines of strips along them, and smooth motion. Knows no window."""

from collections.abc import Iterator, Sequence
from math import dist
from typing import TypeAlias


def eased(share: float) -> float:
    """Return how much of its way a move has gone after that share of its time, both 0 to 1: slow, fast, slow."""
    return share * share * (3 - 2 * share)


Point: TypeAlias = tuple[float, float]


def curved(line: Sequence[Point], parts: int = 4) -> list[Point]:
    """Return a smooth curve through all points of a line (Catmull and Rom's); `parts`: pieces between two points."""
    # The ends stand twice: each piece of the curve needs a point on either side.
    ends = [line[0], *line, line[-1]]
    found: list[Point] = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        found += [_between(a, b, c, d, i / parts) for i in range(parts)]
    return [*found, line[-1]]


def _between(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    x, y = (
        q + t / 2 * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)))
        for p, q, r, s in zip(a, b, c, d, strict=True)
    )
    return x, y


def across(line: Sequence[Point], i: int, far: float) -> Point:
    """Return the way from a point of a line to its left, so far away."""
    a, b = line[max(0, i - 1)], line[min(len(line) - 1, i + 1)]
    # Equal points have no direction; any length but 0 then gives no way at all.
    length = dist(a, b) or 1.0
    return (a[1] - b[1]) / length * far, (b[0] - a[0]) / length * far


def strip(line: Sequence[Point], width: float) -> Iterator[tuple[Point, Point]]:
    """Yield the left and the right edge of a strip along a line, point by point."""
    for i, (x, y) in enumerate(line):
        dx, dy = across(line, i, width / 2)
        yield (x + dx, y + dy), (x - dx, y - dy)


def bowed(a: Point, b: Point, share: float) -> Point:
    """Return the middle of two points, moved to the left by a share of their distance."""
    return (a[0] + b[0]) / 2 + (a[1] - b[1]) * share, (a[1] + b[1]) / 2 + (b[0] - a[0]) * share
