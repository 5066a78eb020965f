"""The painted board in numbers: shapes, anchors, and the space under a point. Knows no window.

World coordinates are pixels of the painted board, y upwards.
"""

from functools import cache
from importlib import resources
from math import hypot
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from PIL import Image

from client.drawing.lettering import HALO, Box, PlacedName, enlarged, grown
from shared.board import BOARD
from shared.ids import NONE, Position, Space

ASSETS: Final = Path(str(resources.files("client"))) / "assets"
FRAME: Final = 62
"""Width of the painted frame, which the first view of the board leaves out."""
_NOTHING: Final = 255

Point = tuple[float, float]
_COIN: Final = 62.0
"""Width of a printed coin."""
_KEPT: Final = 90.0
"""Width of what enlarged names leave free: the homes of provinces, and the middles of their pieces."""
_STRAIT: Final = 28.0
"""Width of the arrow over a strait."""
_SHORE: Final = 150
"""Largest distance from a city in the sea to its shore."""
_BANK: Final = 14
"""Distance from the shore of the end of a road. It is too large for small islands, to which no road leads."""


class _Coast(Struct):
    pos: Position
    x: float
    y: float


class SpaceShape(Struct):
    """A space as painted.

    `triangles` cover it. `anchor` and `anchors` are points inside it that suit pieces. `label`: its name. `coin`,
    `emblem`: the middles of its printed tribute and of the mark of a home.
    """

    key: str
    triangles: list[float]
    label: PlacedName
    anchor: Point
    anchors: list[Point]
    city: Point | None = None
    coin: Point | None = None
    emblem: Point | None = None
    coasts: list[_Coast] = []


class _Strait(Struct, rename={"start": "from", "end": "to"}):
    start: Point
    end: Point


class _File(Struct):
    width: int
    height: int
    spaces: list[SpaceShape]
    straits: list[_Strait]


class Geography:
    """Everything about the painted board that does not change."""

    def __init__(self) -> None:
        file = msgspec.json.decode((ASSETS / "map.json").read_bytes(), type=_File)
        self.width = file.width
        self.height = file.height
        self.spaces: tuple[SpaceShape, ...] = tuple(file.spaces)
        # Everything here is by number, so a map in another order would show pieces in wrong places.
        if [shape.key for shape in self.spaces] != list(BOARD.keys):
            raise ValueError("map.json does not show the spaces of the board in their order")
        self.harbours: dict[Position, Point] = {
            coast.pos: (coast.x, coast.y) for shape in self.spaces for coast in shape.coasts
        }
        self.coins: tuple[Box, ...] = tuple(
            _square_around(shape.coin, _COIN) for shape in self.spaces if shape.coin is not None
        )
        self._arrows = [
            grown((min(a, c), min(b, d), max(a, c), max(b, d)), _STRAIT / 2)
            for (a, b), (c, d) in ((strait.start, strait.end) for strait in file.straits)
        ]
        self.letter(1.0)
        self._roads: tuple[tuple[Point, ...], ...] | None = None
        with Image.open(ASSETS / "index.png") as image:
            # One byte for each point: asking a picture for single pixels takes many times as long.
            self._hits = image.convert("L").tobytes()
            self._columns, self._rows = image.size
        self._scale = self._columns / self.width

    def letter(self, most: float) -> None:
        """Enlarge the names by up to that factor, as far as they fit."""
        places = ((shape.anchor, shape.emblem) for shape in self.spaces)
        squares = [_square_around(place, _KEPT) for pair in places for place in pair if place is not None]
        inside = grown((0, 0, self.width, self.height), -FRAME - HALO)
        self.labels = enlarged(
            [shape.label for shape in self.spaces], most, (*self.coins, *squares, *self._arrows), inside
        )
        """Names as they are written on the board."""
        self.names: tuple[Box, ...] = tuple(label.box() for label in self.labels)
        """Boxes that they cover."""

    def space_at(self, x: float, y: float) -> Space:
        """Return the space under a point of the world, NONE outside all of them."""
        column, row = int(x * self._scale), int((self.height - y) * self._scale)
        if not (0 <= column < self._columns and 0 <= row < self._rows):
            return NONE
        space = self._hits[row * self._columns + column]
        return NONE if space == _NOTHING else space

    def meant_at(self, x: float, y: float) -> Space:
        """Return the province whose name is at a point of the world, else the space there."""
        for space, (left, bottom, right, top) in enumerate(self.names[: BOARD.provinces]):
            if left <= x <= right and bottom <= y <= top:
                return space
        return self.space_at(x, y)

    def place(self, position: Position) -> Point:
        """Return the place of a galley at that position: its harbour, or the middle of its sea zone."""
        if BOARD.is_sea(position):
            return self.spaces[position].anchor
        return self.harbours.get(position, self.spaces[BOARD.ashore[position]].anchor)

    @property
    def roads(self) -> tuple[tuple[Point, ...], ...]:
        """The road over each border of `BOARD.edges`, from town to town; read when they are first needed."""
        if self._roads is None:
            file = (ASSETS / "roads.json").read_bytes()
            self._roads = msgspec.json.decode(file, type=tuple[tuple[Point, ...], ...])
        return self._roads

    def town(self, space: Space) -> Point:
        """Return the place where roads of a province end: at its city, or where that stands in the sea, on the nearest
        shore."""
        shape = self.spaces[space]
        x, y = shape.city or shape.anchor
        offsets = range(-_SHORE, _SHORE + 1, 6)
        near = [(0, 0), *sorted(((dx, dy) for dx in offsets for dy in offsets), key=lambda off: hypot(*off))]
        ashore = ((x + dx, y + dy) for dx, dy in near if self._holds(space, x + dx, y + dy))
        return next(ashore, shape.anchor)

    def _holds(self, space: Space, x: float, y: float) -> bool:
        """Whether a province reaches some pixels around a point."""
        around = ((0, 0), (_BANK, 0), (-_BANK, 0), (0, _BANK), (0, -_BANK))
        return all(self.space_at(x + dx, y + dy) == space for dx, dy in around)

    def heart(self, space: Space) -> Point:
        """Return the middle of a space, where its pieces stand."""
        return self.spaces[space].anchor


def _square_around(middle: Point, side: float) -> Box:
    return grown((*middle, *middle), side / 2)


@cache
def geography() -> Geography:
    """Return the board, which is read once."""
    return Geography()
