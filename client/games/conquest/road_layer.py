"""Roads between cities, as paved Roman roads that curve around names and end on a paved square in each city."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import dist
from typing import Final

from arcade import shape_list

from client.drawing.curves import across, curved, strip
from client.drawing.theme import Colour
from client.table.geography import Geography, Point
from shared.rulesets.conquest.table import Table

_EDGE: Final = (74, 54, 38, 255)
_STONE: Final = (214, 196, 160, 255)
_JOINT: Final = (140, 116, 84, 255)
_BED: Final = 17.0
_PAVED: Final = 11.5
"""Widths of the road with its kerbs, and of its stones, in pixels of the painting."""
_SLAB: Final = 13.0
"""Length of a stone; the stones of both lanes lie staggered."""
_SQUARE: Final = 15.0
"""Radius of the paved square at both ends."""

Shapes = shape_list.ShapeElementList[shape_list.Shape]


class Roads:
    """Layer with the roads. Its shapes are built anew only when the roads have changed."""

    def __init__(self, geography: Geography) -> None:
        self._geography = geography
        self._built: tuple[int, ...] = ()
        self._shapes: Shapes | None = None

    def show(self, table: Table) -> None:
        """Show the roads of a position."""
        if tuple(table.roads) == self._built:
            return
        self._built = tuple(table.roads)
        self._shapes = shape_list.ShapeElementList()
        lines = [curved(self._geography.roads[road]) for road in self._built]
        # All beds come before all stones, so that roads which meet run into each other.
        for wide, colour in ((_BED, _EDGE), (_PAVED, _STONE)):
            for line in lines:
                self._shapes.append(_strip(line, wide, colour))
                for end in (line[0], line[-1]):
                    radius = _SQUARE - (_BED - wide) / 2
                    self._shapes.append(shape_list.create_ellipse_filled(*end, radius * 2, radius * 2, colour, 0, 32))
        for line in lines:
            for a, b in _joints(line):
                self._shapes.append(shape_list.create_line(*a, *b, _JOINT, 2.0))

    def draw(self) -> None:
        """Draw the roads. The caller has set the world's projection."""
        if self._shapes is not None and self._built:
            self._shapes.draw()


def _strip(line: Sequence[Point], wide: float, colour: Colour) -> shape_list.Shape:
    """Return a strip of even width along a line."""
    edges = [point for pair in strip(line, wide) for point in pair]
    return shape_list.create_triangles_strip_filled_with_colors(edges, [colour] * len(edges))


def _joints(line: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """Yield the gaps between stones: one along the middle, and across it one by one to the left and to the right."""
    yield from pairwise(line)
    lengths = list(accumulate((dist(a, b) for a, b in pairwise(line)), initial=0.0))
    side = 1.0
    for n in range(1, int(lengths[-1] / _SLAB * 2)):
        i = next(i for i, far in enumerate(lengths) if far >= n * _SLAB / 2)
        dx, dy = across(line, i, side * _PAVED / 2)
        x, y = line[i]
        yield (x, y), (x + dx, y + dy)
        side = -side
