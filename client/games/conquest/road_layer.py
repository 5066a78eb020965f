"""Roads between cities, as paved strips."""

from __future__ import annotations

from math import hypot

from arcade import shape_list

from client.table.geography import Geography, Point
from shared.board import BOARD
from shared.rulesets.conquest.table import Table

_EDGE = (74, 54, 38, 255)
_STONE = (214, 196, 160, 255)
_JOINT = (140, 116, 84, 255)


class Roads:
    """Layer with the roads. Its shapes are built anew only when the roads have changed."""

    def __init__(self, geography: Geography) -> None:
        self._geography = geography
        self._built: tuple[int, ...] = ()
        self._shapes: shape_list.ShapeElementList[shape_list.Shape] | None = None

    def show(self, table: Table) -> None:
        """Show the roads of a position."""
        if tuple(table.roads) == self._built:
            return
        self._built = tuple(table.roads)
        self._shapes = shape_list.ShapeElementList()
        for road in self._built:
            a, b = BOARD.edges[road]
            for shape in self._strip(self._end(a), self._end(b)):
                self._shapes.append(shape)

    def _end(self, space: int) -> Point:
        shape = self._geography.spaces[space]
        return shape.city or shape.anchor

    @staticmethod
    def _strip(a: Point, b: Point) -> list[shape_list.Shape]:
        strips = [
            shape_list.create_line(*a, *b, _EDGE, 17),
            shape_list.create_line(*a, *b, _STONE, 11),
        ]
        length = hypot(b[0] - a[0], b[1] - a[1])
        steps = int(length // 22)
        across = (b[1] - a[1]) / length * 5, (a[0] - b[0]) / length * 5
        for i in range(1, steps):
            x, y = a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps
            joint = x - across[0], y - across[1], x + across[0], y + across[1]
            strips.append(shape_list.create_line(*joint, _JOINT, 2.5))
        return strips

    def draw(self) -> None:
        """Draw the roads. The caller has set the world's projection."""
        if self._shapes is not None and self._built:
            self._shapes.draw()
