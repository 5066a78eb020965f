"""Every road that can be built: from town to town over land, clear of the painted names, and smooth."""

from itertools import pairwise
from math import atan2, degrees, dist

import pytest

from client.drawing.curves import curved
from client.drawing.lettering import Box
from client.table.geography import Point, geography
from shared.board import BOARD

_HALF = 1.0
"""Half the width of a road's stones without the margin that boxes of names have around their letters."""
_GRAZED = 8
"""Number of points that may touch the box of a name: its corners have no letters."""
_CROSSING = {"achaia to macedonia", "africa_proconsularis to numidia"}
"""Roads that must cross a name, as that of Macedonia, Africa or Numidia reaches from border to border."""
_CORNER = 45.0
"""Largest angle between two pieces of a curve, in degrees."""
_PIXEL = 6.0
"""Distance from the shore that the coarse picture of the spaces cannot tell."""


def fine(line: list[Point]) -> list[Point]:
    """Return points of a road that are at most two pixels apart."""
    found = []
    for (ax, ay), (bx, by) in pairwise(line):
        steps = max(1, round(dist((ax, ay), (bx, by)) / 2))
        found += [(ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps) for i in range(steps)]
    return [*found, line[-1]]


def at_sea(x: float, y: float) -> bool:
    """Whether no land is near a point."""
    around = [(x + dx, y + dy) for dx in (-_PIXEL, 0, _PIXEL) for dy in (-_PIXEL, 0, _PIXEL)]
    return not any(0 <= geography().space_at(*point) < BOARD.provinces for point in around)


def covers(box: Box, x: float, y: float) -> bool:
    """Whether stones at a point lie on a name."""
    left, bottom, right, top = box
    return left - _HALF < x < right + _HALF and bottom - _HALF < y < top + _HALF


@pytest.mark.long
def test_every_road_leads_from_town_to_town_over_land_and_around_names() -> None:
    board = geography()
    assert len(board.roads) == len(BOARD.edges)
    faults = []
    for (a, b), road in zip(BOARD.edges, board.roads, strict=True):
        name = f"{BOARD.keys[a]} to {BOARD.keys[b]}"
        line = curved(road)
        if max(dist(line[0], board.town(a)), dist(line[-1], board.town(b))) > 1.0:
            faults.append(f"{name}: it does not end in both towns")
        points = fine(line)
        if any(at_sea(*point) for point in points):
            faults.append(f"{name}: over the sea")
        crossed = sum(any(covers(box, *point) for box in board.names) for point in points)
        if crossed > _GRAZED and name not in _CROSSING:
            faults.append(f"{name}: over a name")
        turns = [atan2(d[1] - c[1], d[0] - c[0]) for c, d in pairwise(line) if dist(c, d) > 1]
        if any(abs((degrees(after - before) + 180) % 360 - 180) > _CORNER for before, after in pairwise(turns)):
            faults.append(f"{name}: it has a corner")
    assert not faults, "\n".join(faults)
