"""Placement of groups of pieces on the board, so that they cover neither names nor each other. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from math import ceil, floor, hypot, inf
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.drawing.lettering import Box, grown, meet
from client.table.geography import FRAME, Geography, Point
from client.table.pieces import PLATE_HIGH, Force, Token, line_up, plate, plate_width
from shared.board import BOARD
from shared.ids import Space

_FEW: Final = 2
"""Largest number of leaders that stand without a plate."""
_SMALL: Final = 0.8
"""Size of plates that do not fit otherwise."""
_APART: Final = 0.05
"""Gap between plates, in figures."""
_PAD: Final = 0.05
"""Margin of tied groups, in figures: pictures reach a little beyond the boxes of their tokens."""
_STEP: Final = 20.0
"""Distance between tried places, in pixels of the painting."""
_REACH: Final = 340.0
"""Largest distance of a group from its best place."""
_FAR: Final = 640.0
"""The same distance where nothing nearer is free."""
PATIENCE: Final = 150.0
"""Largest cost of a way that is accepted while a way with less space remains."""
_ABROAD, _AT_SEA, _ON_COIN = 30.0, 7.0, 26.0
"""Costs for each eighth of a group in another province, or outside every province; and for a printed coin below it."""
_AWAY: Final = 150.0
"""Cost if its middle is not in its own space."""
_EDGE: Final = 4.0
"""Least distance from the painted frame."""
_PARTS: Final = 32
"""Number of points at which a line is sampled."""
_SAMPLES: Final = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
"""Points around the middle of a group at which the ground below is sampled."""


class Group(Struct, frozen=True):
    """Pieces that stay together: their offsets are around a common middle.

    `wish`: the best place for that middle. `tied`: outside their space they need a free line to it, see `tethers`.
    `patience`: largest cost that is accepted while a way with less space remains.
    """

    space: Space
    wish: Point
    tokens: tuple[Token, ...]
    tied: bool = False
    patience: float = PATIENCE

    def bounds(self) -> Box:
        """Return the box that they cover, in figures around the middle."""
        boxes = [token.box for token in self.tokens]
        lows, highs = [box[:2] for box in boxes], [box[2:] for box in boxes]
        left, bottom = map(min, zip(*lows, strict=True))
        right, top = map(max, zip(*highs, strict=True))
        pad = _PAD if self.tied else 0.0
        return left - pad, bottom - pad, right + pad, top + pad


class PiecePlacement(Struct, frozen=True):
    """The same pieces in several arrangements, the best first; each consists of groups."""

    ways: tuple[tuple[Group, ...], ...]


def place_group(space: Space, wish: Point, tokens: Iterable[Token]) -> PiecePlacement:
    """Place pieces that stay together, if necessary a little smaller."""
    whole = tuple(tokens)
    return PiecePlacement(tuple((Group(space, wish, tuple(_shrunk_tokens(whole, size))),) for size in (1.0, _SMALL)))


def _shrunk_tokens(tokens: Iterable[Token], size: float) -> Iterator[Token]:
    for token in tokens:
        yield replace(token, dx=token.dx * size, dy=token.dy * size, size=token.size * size)


def sign(token: Token, unit: float) -> PiecePlacement:
    """Place a mark on a space, as near as possible to its wished point. `unit`: see `settle`."""
    wish = token.at[0] + token.dx * unit, token.at[1] + token.dy * unit
    return place_group(token.space, wish, [replace(token, dx=0.0, dy=0.0)])


def covered(token: Token, unit: float) -> Box:
    """Return the box of the painting that a placed piece covers."""
    left, bottom, right, top = token.box
    return _moved((left * unit, bottom * unit, right * unit, top * unit), token.at)


def camp(space: Space, forces: Sequence[Force], heart: Point, each: int) -> PiecePlacement:
    """Place forces in a province.

    A single small force stands there without a plate. Otherwise each force has a plate; the plates lie below or beside
    each other, at worst each by itself. `each`: number of leaders per colour, the Caesar first.
    """
    ways: list[tuple[Group, ...]] = []
    if len(forces) == 1 and len(forces[0].leaders) <= _FEW:
        ways.append((Group(space, heart, tuple(line_up(space, forces, (0.0, 0.0), each))),))
    for size in (1.0, _SMALL):
        plates = [list(plate(force, space, each, size)) for force in forces]
        width = max(plate_width(force, size) for force in forces)
        ways += [
            (Group(space, heart, tuple(_rows(plates, columns, width, PLATE_HIGH * size))),)
            for columns in ((1, 2) if len(forces) < 4 else (2, 1, 3))
            if columns <= len(forces)
        ]
    return PiecePlacement((*ways, _apart(space, heart, plates)))


def _apart(space: Space, wish: Point, parts: Sequence[Sequence[Token]]) -> tuple[Group, ...]:
    """Return a group for each part."""
    return tuple(Group(space, wish, tuple(tokens)) for tokens in parts)


def moored(space: Space, place: Point, ships: Sequence[Sequence[Token]]) -> PiecePlacement:
    """Place ships beside each other; if they do not fit, in two rows, or each by itself. A ship includes its crew,
    around its middle."""
    left, bottom, right, top = Group(space, place, tuple(token for ship in ships for token in ship)).bounds()
    columns = [len(ships), *([ceil(len(ships) / 2)] if len(ships) > 1 else [])]
    rows = [(Group(space, place, tuple(_rows(ships, width, right - left, top - bottom))),) for width in columns]
    small = [list(_shrunk_tokens(ship, _SMALL)) for ship in ships]
    return PiecePlacement((*rows, _apart(space, place, ships), _apart(space, place, small)))


def _rows(parts: Sequence[Sequence[Token]], columns: int, width: float, height: float) -> Iterator[Token]:
    """Yield parts of that size in so many columns, around their common middle."""
    rows = ceil(len(parts) / columns)
    for i, tokens in enumerate(parts):
        row, column = divmod(i, columns)
        there = min(columns, len(parts) - row * columns)
        dx, dy = (column - (there - 1) / 2) * (width + _APART), ((rows - 1) / 2 - row) * (height + _APART)
        yield from [replace(token, dx=token.dx + dx, dy=token.dy + dy) for token in tokens]


def settle(
    crowds: Iterable[PiecePlacement], unit: float, geography: Geography, taken: Sequence[Box] = ()
) -> list[Token]:
    """Return all pieces at their places; earlier groups choose first. `unit`: height of a figure, in pixels of the
    painting; `taken`: boxes that are covered already."""
    room = _Room(unit, geography, list(taken))
    return [token for crowd in crowds for token in room.lodge(crowd)]


def tethers(tokens: Iterable[Token], geography: Geography) -> list[tuple[Point, Point]]:
    """Return lines from pieces outside their province to its border; they cross no name."""
    places = {(token.space, token.at) for token in tokens if token.pick.kind != "galley"}
    return [
        (at, end)
        for space, at in sorted(places)
        if geography.space_at(*at) != space and (end := _nearest(space, at, geography)) is not None
    ]


def _is_tied(space: Space, at: Point, geography: Geography) -> bool:
    """Whether a place lies in a space, or has a free line to it."""
    return geography.space_at(*at) == space or _nearest(space, at, geography) is not None


@lru_cache(maxsize=4096)
def _nearest(space: Space, at: Point, geography: Geography) -> Point | None:
    """Return the nearest point of a space that a straight line reaches without crossing a name."""
    shape = geography.spaces[space]
    ends = {_entry(space, at, goal, geography) for goal in (shape.anchor, *shape.anchors, shape.coin) if goal}
    nearest = sorted(ends, key=lambda end: (hypot(end[0] - at[0], end[1] - at[1]), end))
    return next((end for end in nearest if not any(_line_crosses_box(at, end, name) for name in geography.names)), None)


def _entry(space: Space, at: Point, goal: Point, geography: Geography) -> Point:
    """Return the first point well inside a space on the way to a goal."""
    way = [_between(at, goal, i / _PARTS) for i in range(_PARTS + 1)]
    inside = [i for i, point in enumerate(way) if geography.space_at(*point) == space]
    return way[min(inside[0] + 2, _PARTS)] if inside else goal


def _line_crosses_box(start: Point, end: Point, box: Box) -> bool:
    around = min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1])
    if not meet(around, box):
        return False
    points = [_between(start, end, i / _PARTS) for i in range(_PARTS + 1)]
    return any(box[0] < x < box[2] and box[1] < y < box[3] for x, y in points)


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


class _Room:
    """The part of the board that is taken so far."""

    def __init__(self, unit: float, geography: Geography, taken: list[Box]) -> None:
        self._unit = unit
        self._geography = geography
        self._taken = taken

    def lodge(self, crowd: PiecePlacement) -> list[Token]:
        """Return the pieces in the first arrangement that fits, at worst squeezed into the last."""
        for way in crowd.ways[:-1]:
            tokens = self._stand(way)
            if tokens is not None:
                return tokens
        return [token for group in crowd.ways[-1] for token in self._put(group, self._squeezed_place(group))]

    def _stand(self, way: Sequence[Group]) -> list[Token] | None:
        """Place all groups of an arrangement; return None if they do not fit."""
        before, tokens = len(self._taken), list[Token]()
        for group in way:
            at = self._find(group, self._taken, group.patience)
            if at is None:
                # What the first groups of a failed arrangement took is free again.
                del self._taken[before:]
                return None
            tokens += self._put(group, at)
        return tokens

    def _squeezed_place(self, group: Group) -> Point:
        """Return a place for a group that must go somewhere: rather without a line than over other pieces, and over
        these rather than over a name."""
        free = replace(group, tied=False)
        return (
            self._find(group, self._taken, inf, _FAR)
            or self._find(free, self._taken, inf, _FAR)
            or self._find(free, (), inf)
            or group.wish
        )

    def _put(self, group: Group, at: Point) -> list[Token]:
        self._taken.append(_moved(self._box(group), at))
        return [replace(token, at=at) for token in group.tokens]

    def _box(self, group: Group) -> Box:
        left, bottom, right, top = group.bounds()
        return left * self._unit, bottom * self._unit, right * self._unit, top * self._unit

    def _find(self, group: Group, taken: Iterable[Box], most: float, reach: float = _REACH) -> Point | None:
        """Return the best place for a group, clear of names and taken boxes; None if all cost `most` or more."""
        box = self._box(group)
        around = grown(_moved(box, group.wish), reach)
        names, frame = self._geography.names, _frame(self._geography)
        near = tuple(other for other in (*names, *frame, *taken) if meet(around, other))
        return _best(group.space, group.wish, group.tied, box, near, most, reach, self._geography)


@lru_cache(maxsize=4096)
def _best(
    space: Space, wish: Point, tied: bool, box: Box, near: tuple[Box, ...], most: float, reach: float,
    geography: Geography,
) -> Point | None:  # fmt: skip
    """Compute the result of `_Room._find`. It is cached: a move changes little, so most questions repeat."""
    blocked = _blocked(_moved(box, wish), near, reach)
    around = grown(_moved(box, wish), reach)
    coins = [coin for coin in geography.coins if meet(around, coin)]
    found = None
    for spot, dx, dy, far in _offsets_nearest_first(reach):
        # Offsets come sorted by distance, which is part of the cost: nothing farther can be better.
        if far >= most:
            break
        if not blocked[spot]:
            at = wish[0] + dx, wish[1] + dy
            there = _moved(box, at)
            cost = far + _cost(space, there, geography) + _ON_COIN * sum(meet(there, coin) for coin in coins)
            if cost < most and (not tied or _is_tied(space, at, geography)):
                found, most = at, cost
    return found


def _blocked(box: Box, near: Iterable[Box], reach: float) -> bytearray:
    """Return, by offset as numbered in `_offsets`, whether the box moved by it meets any box of `near`."""
    half = int(reach / _STEP)
    side = 2 * half + 1
    blocked = bytearray(side * side)
    for left, bottom, right, top in near:
        first, last = _steps_between(left - box[2], right - box[0], half)
        low, high = _steps_between(bottom - box[3], top - box[1], half)
        row = b"\x01" * (last - first)
        for j in range(low, high):
            blocked[j * side + first : j * side + last] = row
    return blocked


def _steps_between(least: float, most: float, half: int) -> tuple[int, int]:
    """Return the steps strictly between two distances, as a range that begins at 0 for the leftmost."""
    first, last = floor(least / _STEP) + 1 + half, ceil(most / _STEP) + half
    return max(first, 0), max(min(last, 2 * half + 1), max(first, 0))


@cache
def _offsets_nearest_first(most: float) -> list[tuple[int, float, float, float]]:
    """Return offsets around a point, the nearest first: their number in the square of all, the offset, and the
    distance."""
    half = int(most / _STEP)
    steps = range(-half, half + 1)
    found = [
        ((j + half) * len(steps) + i + half, i * _STEP, j * _STEP, hypot(i, j) * _STEP) for j in steps for i in steps
    ]
    return sorted((offset for offset in found if offset[3] <= most), key=lambda offset: offset[3])


@cache
def _frame(geography: Geography) -> tuple[Box, ...]:
    """Return boxes around everything outside the view of the whole board."""
    edge, width, height, far = FRAME + _EDGE, geography.width, geography.height, 9999.0
    return (
        (-far, -far, edge, far), (width - edge, -far, far, far), (-far, -far, far, edge),
        (-far, height - edge, far, far),
    )  # fmt: skip


def _cost(space: Space, box: Box, geography: Geography) -> float:
    """Return the cost of the parts that lie outside the right space."""
    left, bottom, right, top = box
    x, y, width, height = (left + right) / 2, (bottom + top) / 2, (right - left) * 0.4, (top - bottom) * 0.4
    space_at = geography.space_at
    cost = 0.0 if space_at(x, y) == space else _AWAY
    for i, j in _SAMPLES:
        other = space_at(x + i * width, y + j * height)
        if other != space:
            cost += _ABROAD if 0 <= other < BOARD.provinces else _AT_SEA
    return cost


def _moved(box: Box, by: Point) -> Box:
    return box[0] + by[0], box[1] + by[1], box[2] + by[0], box[3] + by[1]
