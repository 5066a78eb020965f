"""Roman roads: for every border over land a line from town to town that keeps to the land and clear of names.

`python -m client.workshop.map.roads` writes `client/assets/roads.json` from the painted map. A road is the cheapest way
over a grid, pulled taut and then rounded.
"""

import heapq
import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import ceil, dist, hypot, inf
from typing import Final

import numpy as np
from PIL import Image

from client.drawing.lettering import Box
from client.table.geography import ASSETS, Geography, Point, geography
from shared.board import BOARD
from shared.ids import Space

_STEP: Final = 8.0
"""Width of a cell of the grid, in pixels of the painting."""
_CLEAR: Final = 14.0
"""Distance from names, from the middle of the road: half its width and some air."""
_SHORE: Final = 3
"""Distance from the sea that a road keeps where it can, in pixels of `index.png`."""
_ABROAD, _NEAR_SHORE, _ON_COIN, _NEAR_NAME, _ON_NAME, _NEVER = 6.0, 8.0, 3.0, 30.0, 300.0, 9000.0
"""Factors of the length in other provinces, at the shore, under coins, beside names, on names, and at sea. Some names
reach from border to border, so that a road must cross them."""
_ROUNDS: Final = 30
"""Number of times that a line is smoothed."""
_APART: Final = 26.0
"""Distance of the points that are kept."""
_MARGIN: Final = 420.0
"""Distance from both towns at which the search ends."""

_STEPS: Final = tuple(
    (x, y, hypot(x, y)) for x in range(-2, 3) for y in range(-2, 3)
    if (abs(x), abs(y)) in ((0, 1), (1, 0), (1, 1), (1, 2), (2, 1))
)  # fmt: skip
"""Ways from a cell to those around it."""

Cell = tuple[int, int]


@cache
def _ground() -> list[list[float]]:
    """Return the factor of the length without regard to borders, by rows and columns of `index.png`."""
    board = geography()
    with Image.open(ASSETS / "index.png") as image:
        wet = np.asarray(image.convert("L")) >= BOARD.provinces
    scale = wet.shape[1] / board.width
    beside = np.sum([np.roll(wet, step, axis) for axis in (0, 1) for step in (-_SHORE, _SHORE)], axis=0, dtype=float)
    factor = 1.0 + _NEAR_SHORE * beside

    def part(box: Box, margin: float) -> tuple[slice, slice]:
        left, bottom, right, top = box
        rows = slice(int((board.height - top - margin) * scale), ceil((board.height - bottom + margin) * scale))
        return rows, slice(int((left - margin) * scale), ceil((right + margin) * scale))

    for boxes, margin, more in ((board.coins, 0.0, _ON_COIN), (board.names, _CLEAR, _NEAR_NAME)):
        for box in boxes:
            factor[part(box, margin)] *= more
    for box in board.names:
        # Set, not multiplied, because coins and shores may lie below a name.
        factor[part(box, 1.0)] = _ON_NAME
    factor[wet] = _NEVER
    rows: list[list[float]] = factor.tolist()
    return rows


class _Search:
    """Search for the road between two provinces."""

    def __init__(self, board: Geography, ends: tuple[Space, Space]) -> None:
        self._board = board
        self._ends = ends
        self._scale = len(_ground()[0]) / board.width

    def cost(self, at: Point) -> float:
        """Return the factor of the length at a point."""
        row, column = int((self._board.height - at[1]) * self._scale), int(at[0] * self._scale)
        factor = _ground()[row][column] if 0 <= row < len(_ground()) and 0 <= column < len(_ground()[0]) else _NEVER
        return factor if self._board.space_at(*at) in self._ends else factor * _ABROAD

    def way(self, start: Point, goal: Point) -> list[Point]:
        """Return the cheapest way."""
        first, last = _cell_of(start), _cell_of(goal)
        far = (dist(first, last) + _MARGIN / _STEP) ** 2
        best: dict[Cell, float] = {first: 0.0}
        came: dict[Cell, Cell] = {}
        waiting: list[tuple[float, Cell]] = [(0.0, first)]
        costs: dict[Cell, float] = {}
        while waiting:
            _guess, cell = heapq.heappop(waiting)
            if cell == last:
                break
            here = costs.setdefault(cell, self.cost(_middle_of_cell(cell)))
            for dx, dy, length in _STEPS:
                other = cell[0] + dx, cell[1] + dy
                if other not in costs:
                    outside = max((other[0] - x) ** 2 + (other[1] - y) ** 2 for x, y in (first, last)) > far
                    costs[other] = inf if outside else self.cost(_middle_of_cell(other))
                cost = best[cell] + length * (here + costs[other]) / 2
                if cost < best.get(other, inf):
                    # A cell may wait twice; its dearer entry finds nothing cheaper later.
                    best[other], came[other] = cost, cell
                    # No factor is below 1, so that the straight distance never promises too much.
                    heapq.heappush(waiting, (cost + dist(other, last), other))
        cells = [last]
        while cells[-1] != first:
            cells.append(came[cells[-1]])
        return [start, *(_middle_of_cell(cell) for cell in reversed(cells[1:-1])), goal]

    def price(self, line: Sequence[Point]) -> float:
        """Return the cost of the worst point of a short line."""
        return max(self.cost(at) for at in _points(line, 4.0))

    def smooth(self, line: list[Point]) -> list[Point]:
        """Return the line with soft curves; no part of it becomes worse than it was."""
        line = even(line, _APART)
        for _round in range(_ROUNDS):
            for i in range(1, len(line) - 1):
                before, here, after = line[i - 1 : i + 2]
                there = (before[0] + here[0] * 2 + after[0]) / 4, (before[1] + here[1] * 2 + after[1]) / 4
                # A thousandth more is rounding.
                if self.price((before, there, after)) <= self.price((before, here, after)) * 1.001:
                    line[i] = there
        return line


def _cell_of(at: Point) -> Cell:
    return round(at[0] / _STEP), round(at[1] / _STEP)


def _middle_of_cell(cell: Cell) -> Point:
    return cell[0] * _STEP, cell[1] * _STEP


def _points(line: Sequence[Point], apart: float) -> Iterator[Point]:
    """Yield points of a line, at most so far from each other."""
    for (ax, ay), (bx, by) in pairwise(line):
        steps = max(1, round(hypot(bx - ax, by - ay) / apart))
        yield from ((ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps) for i in range(steps))
    yield line[-1]


def even(line: Sequence[Point], apart: float) -> list[Point]:
    """Return the line by points that are equally far from each other."""
    fine = list(_points(line, 2.0))
    lengths = [0.0]
    for a, b in pairwise(fine):
        lengths.append(lengths[-1] + dist(a, b))
    steps, found, i = max(2, round(lengths[-1] / apart)), [], 0
    for n in range(steps):
        while lengths[i] < lengths[-1] * n / steps:
            i += 1
        found.append(fine[i])
    return [*found, line[-1]]


def road(edge: tuple[Space, Space]) -> list[Point]:
    """Return the road of a border."""
    board = geography()
    start, goal = (board.town(space) for space in edge)
    search = _Search(board, edge)
    return search.smooth(search.way(start, goal))


def main() -> None:
    """Write all roads."""
    lines = [[[round(x), round(y)] for x, y in road(edge)] for edge in BOARD.edges]
    (ASSETS / "roads.json").write_text(json.dumps(lines, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
