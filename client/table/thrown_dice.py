"""Dice of a battle: thrown from their side, they tumble, come to rest and lie there with their result."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, cos, pi
from typing import Final

import arcade
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.table import figures
from client.table.battle_playback import FallenDice

_STEP: Final = 85.0
"""Largest distance from one die to the next. A die is then 65 design pixels wide, without the clear edge of its
picture."""
_FACE: Final = 0.96
"""Width of a die's picture, as a share of the distance from one to the next."""
_SIDE: Final = 65.0
"""Least design width of a die on the stage. Where all would be smaller, equal faces overlap."""
_OPEN: Final = 0.8
"""Largest distance of two equal dice that overlap, as a share of their width."""
_GLOW: Final = shapes.Plate(theme.GOLD, theme.GOLD, theme.TERRACOTTA_DEEP, 1.5, radius=9)
_GLEAM: Final = replace(_GLOW, radius=5)
"""Plates behind dice that hit, large and small."""
_TAG: Final = shapes.Plate(
    theme.alpha(theme.PARCHMENT_LIGHT, 240), theme.alpha(theme.PARCHMENT, 240), theme.BRONZE_DEEP, 1.5, radius=6
)
_LARGE: Final = 44.0
"""Least width of a die with a large result beside it."""


def packed(count: int, width: float, height: float, most: float) -> tuple[int, float]:
    """Return the number of dice in a row and the distance between two that make them as large as fits."""
    sizes = [(min(most, width / row, height / ceil(count / row)), row) for row in range(1, count + 1)]
    step, row = max(sizes, default=(most, 1))
    # Even rows: full ones would leave a single die in the last.
    return (ceil(count / ceil(count / row)) if count else 1), step


def _spot(left: float, y: float, i: int, row: int, count: int, step: float) -> tuple[float, float]:
    """Return the place of one of several dice, in rows around the height `y`."""
    return left + step * (i % row + 0.5), y + step * ((ceil(count / row) - 1) / 2 - i // row)


def fanned(faces: Sequence[str], width: float, rows: int, side: float) -> list[tuple[float, int]]:
    """Return the left edge and the row of dice of that width, with equal faces as fans of dice that overlap.

    `faces`: in the order in which they lie. Dice overlap as little as possible, and different faces not at all.
    """
    open_ = side * _OPEN
    while True:
        places, x, row = [(0.0, 0)], 0.0, 0
        for before, face in pairwise(faces):
            x += open_ if face == before else side
            if x + side > width and x:
                x, row = 0.0, row + 1
            places.append((x, row))
        # Below a pixel nothing gets closer: too many rows are better than no end.
        if row < rows or open_ < 1.0:
            return places[: len(faces)]
        open_ *= 0.92


class Throw:
    """Dice of one roll in the part of the field that belongs to its side. `way`: 1 if they come from the left.

    Where many dice would be small, they lie sorted, and equal faces overlap.
    """

    def __init__(self, area: Rect, roll: FallenDice, way: int) -> None:
        self.roll = roll
        self._area = area
        self._way = way
        self._words = shapes.kept(
            roll.words, size=theme.HEADING - 3, bold=True, anchor_y="center", align="center", limit=area.width * 0.62,
            height=theme.px(44), colour=theme.TERRACOTTA_DEEP if roll.hits else theme.INK_SOFT,
        )  # fmt: skip
        width = min(self._words.content_width + theme.px(26), area.width * 0.7)
        self._tag = width
        room = area.width - width - theme.px(10)
        row, step = packed(len(roll.faces), room, area.height, theme.px(_STEP))
        self.side = step * _FACE
        """Width of a die in pixels."""
        least = theme.px(_SIDE)
        if self.side < least <= area.height:
            self.side = least
            spots = self._fan_places(room, int(area.height // least))
        else:
            spots = [_spot(0.0, area.y, i, row, len(roll.faces), step) for i in range(len(roll.faces))]
        long = max((x for x, _y in spots), default=0.0) + max(step * _FACE, self.side) / 2
        self._left = area.left if way > 0 else area.right - long
        self._long = long
        self._spots = [(self._left + x, y) for x, y in spots]

    def _fan_places(self, room: float, rows: int) -> list[tuple[float, float]]:
        """Return the places of dice in fans, hits first."""
        faces, hits = self.roll.faces, self.roll.scoring
        order = sorted(range(len(faces)), key=lambda i: (not hits[i], faces[i]))
        places = fanned([faces[i] for i in order], room, rows, self.side)
        used = places[-1][1] + 1
        found = {
            i: (x + self.side / 2, self._area.y + self.side * ((used - 1) / 2 - row))
            for i, (x, row) in zip(order, places, strict=True)
        }
        return [found[i] for i in range(len(faces))]

    def spots(self) -> list[tuple[float, float]]:
        """Return where the dice lie."""
        return self._spots

    def strikers(self) -> list[tuple[float, float]]:
        """Return where the dice lie that hit."""
        return [spot for spot, hit in zip(self.spots(), self.roll.scoring, strict=True) if hit]

    @property
    def _order(self) -> list[int]:
        """Dice in the order in which they are drawn, so that those on the right lie above those on their left."""
        return sorted(range(len(self._spots)), key=lambda i: (-self._spots[i][1], self._spots[i][0]))

    def lie(self) -> None:
        """Draw the dice at rest, with their result."""
        for i in self._order:
            _draw_die(self.roll.faces[i], arcade.XYWH(*self._spots[i], self.side, self.side), self.roll.scoring[i], 0.0)
        gap = theme.px(10)
        x = self._left + self._long + gap + self._tag / 2 if self._way > 0 else self._left - gap - self._tag / 2
        height = max(theme.px(34), self._words.content_height + theme.px(10))
        shapes.plate(arcade.XYWH(x, self._area.y, self._tag, height), _TAG)
        self._words.position = round(x), round(self._area.y)
        self._words.draw()

    def tumble(self, t: float) -> None:
        """Draw the dice on their way; `t` from 0 (in the hand) to 1 (at rest)."""
        hand = self._area.left if self._way > 0 else self._area.right
        half = self.side / 2
        for i in self._order:
            (x, y), face = self._spots[i], self.roll.faces[i]
            # They come to rest one after another, the slowest at the end.
            own = min(1.0, t * (1.0 + 0.07 * (i % 4)))
            rest = 1.0 - own
            bounce = abs(cos(own * pi * 2.5)) * rest * theme.px(80)
            shown = face if own > 0.82 else self.roll.die[(i * 5 + int(own * 17)) % len(self.roll.die)]
            angle = rest * rest * (540 + 90 * (i % 3)) * -self._way
            from_x = hand + half * self._way
            at = x + (from_x - x) * rest * rest, y + bounce
            _draw_die(shown, arcade.XYWH(*at, self.side, self.side), False, angle)


def lie_small(area: Rect, roll: FallenDice, most: float, words: float) -> None:
    """Draw dice that lie in a narrow row, with their result in a width of `words`."""
    row, step = packed(len(roll.faces), area.width - words, area.height, most)
    for i, face in enumerate(roll.faces):
        x, y = _spot(area.left, area.y, i, row, len(roll.faces), step)
        _draw_die(face, arcade.XYWH(x, y, step * _FACE, step * _FACE), roll.scoring[i], 0.0)
    left = area.left + step * row + theme.px(8)
    colour = theme.TERRACOTTA_DEEP if roll.hits else theme.INK_SOFT
    shapes.say(roll.words, left, area.y, size=theme.BODY, bold=True, colour=colour, limit=area.right - left)


def _draw_die(face: str, at: Rect, glows: bool, angle: float) -> None:
    if glows:
        edge = at.width * 0.97
        shapes.plate(arcade.XYWH(at.x, at.y, edge, edge), _GLOW if at.width >= theme.px(_LARGE) else _GLEAM)
    arcade.draw_texture_rect(figures.figure(face, figures.size_for(at.width)), at, angle=angle)


def throws(rolls: Sequence[FallenDice], attacker: int, areas: tuple[Rect, Rect]) -> list[Throw]:
    """Return the dice of these rolls: the attacker's in the first area, others in the second."""
    return [Throw(areas[0], roll, 1) if roll.seat == attacker else Throw(areas[1], roll, -1) for roll in rolls]
