"""Outlines of the board with fewer points: a border that two spaces share stays one line."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import hypot
from typing import Final, TypeAlias

Point: TypeAlias = tuple[int, int]
Line: TypeAlias = list[Point]
Edge: TypeAlias = frozenset[Point]

LOOSE: Final = 4.2
"""Maximum distance of a simplified line from the original, in pixels of the painting."""
SMALL: Final = 60.0
"""Minimum area of a drawn shape."""


class Outlines:
    """Rings of spaces, by number; lines between the same two spaces are simplified together."""

    def __init__(self, rings: Iterable[tuple[int, Line]]) -> None:
        self._rings = [(space, ring) for space, ring in rings if len(ring) > 2]
        self._sides: dict[Edge, set[int]] = defaultdict(set)
        for space, ring in self._rings:
            for edge in _edges(ring):
                self._sides[edge].add(space)
        self._meets = self._junction_points()

    def _junction_points(self) -> set[Point]:
        """Return the points where lines between different spaces meet."""
        found: dict[Point, set[frozenset[int]]] = defaultdict(set)
        for edge, spaces in self._sides.items():
            for point in edge:
                found[point].add(frozenset(spaces))
        return {point for point, sides in found.items() if len(sides) > 1}

    def rings(self, number: int) -> Iterator[Line]:
        """Yield the simplified rings of a space."""
        for space, ring in self._rings:
            if space == number and abs(area(ring)) >= SMALL:
                # Each line ends where the next one begins.
                yield [point for arc in self._lines_between_junctions(ring) for point in simpler(arc)[:-1]]

    def between(self, ours: Callable[[frozenset[int]], bool]) -> Iterator[Line]:
        """Yield the simplified lines between spaces for which `ours` is true, each once."""
        yielded: set[frozenset[Point]] = set()
        for _space, ring in self._rings:
            for arc in self._lines_between_junctions(ring):
                # No junction is inside a line, so its first edge tells the sides of all.
                sides = frozenset(self._sides[frozenset(arc[:2])])
                key = frozenset(arc)
                if ours(sides) and key not in yielded:
                    yielded.add(key)
                    yield simpler(arc)

    def _lines_between_junctions(self, ring: Line) -> Iterator[Line]:
        """Yield a ring as lines between junctions; a ring without any begins at its first corner in order."""
        meets = [i for i, point in enumerate(ring) if point in self._meets]
        if not meets:
            # A ring has no ends, and a line needs two: these depend on the shape alone, not on where it begins.
            low = min(range(len(ring)), key=lambda i: ring[i])
            far = max(range(len(ring)), key=lambda i: (_distance(ring[i], ring[low]), ring[i]))
            meets = sorted((low, far))
        for start, end in pairwise([*meets, meets[0] + len(ring)]):
            yield [ring[i % len(ring)] for i in range(start, end + 1)]


def simpler(line: Line, loose: float = LOOSE) -> Line:
    """Return a line with fewer points, the same from both ends (Douglas and Peucker)."""
    # Two spaces walk their border in opposite directions, and must get the same points.
    backwards = line[::-1] < line
    found = _simplified_line(line[::-1] if backwards else line, loose)
    return found[::-1] if backwards else found


def _simplified_line(line: Line, loose: float) -> Line:
    # A list instead of recursion, which could go as deep as the line has points.
    keep, waiting = {0, len(line) - 1}, [(0, len(line) - 1)]
    while waiting:
        start, end = waiting.pop()
        away = [(_distance_from_segment(line[i], line[start], line[end]), i) for i in range(start + 1, end)]
        if away and max(away)[0] > loose:
            middle = max(away)[1]
            keep.add(middle)
            waiting += [(start, middle), (middle, end)]
    return [line[i] for i in sorted(keep)]


def _distance_from_segment(point: Point, a: Point, b: Point) -> float:
    """Return the distance of a point from a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = max(0.0, min(1.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / length)) if length else 0.0
    return hypot(point[0] - a[0] - t * dx, point[1] - a[1] - t * dy)


def _distance(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _edges(ring: Line) -> Iterator[Edge]:
    for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
        if a != b:
            yield frozenset((a, b))


def area(ring: Sequence[Point]) -> float:
    """Return the area within a ring; its sign gives the ring's direction."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)) / 2


def path(lines: Iterable[Line], *, closed: bool) -> str:
    """Return lines as an SVG path, each point relative to the one before it."""
    return "".join(_path(line, closed) for line in lines if len(line) > 1 + closed)


def _path(line: Line, closed: bool) -> str:
    # Relative steps have fewer digits than places.
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line) if a != b]
    moves = "".join(_number(n) for step in steps for n in step)
    return f"M{line[0][0]}{_number(line[0][1])}l{moves.removeprefix(' ')}" + ("z" if closed else "")


def _number(n: int) -> str:
    """Return a number with a separator; a minus sign separates as well as a blank."""
    return f"{n}" if n < 0 else f" {n}"
