"""Armies of a battle as figures in ranks: where each stands or lies, and how they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import ceil, hypot
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.table import figures
from client.table.battle_playback import Block, F, PlaybackStep
from client.table.pane import seat_disc
from client.table.pieces import UNITS
from shared.ids import Seat

_MOST: Final = 72.0
_LEAST: Final = 14.0
"""Largest and smallest height of a figure, in design pixels."""
_STEP: Final = 0.72
_DEEP: Final = 0.4
"""Distance to the figure beside it and to the rank behind, for each unit of its height."""
_RANKS: Final = (2, 1, 3, 4, 5, 6)
"""Numbers of ranks, the preferred ones first."""
_GAP: Final = 10.0
_TAG: Final = 46.0
_WIDE_TAG: Final = 72.0
_NARROW: Final = 44.0
"""Design width of the number below a group of figures, and of one with words. On one narrower than the last, the disc
of the owner replaces words about helpers."""
_FEW: Final = 4
_CROWDED: Final = 0.85
"""Number of groups from which on two rows are preferred, and how much larger the figures of one row must be then."""
_COUNT: Final = 24.0
_LINE: Final = 17.0
"""Design heights of a number, and of a line of words below it."""
_FALLEN: Final = (168, 150, 138)
_TURNED: Final = frozenset(UNITS[1:])
"""Pictures that look to the left."""
_PLATE: Final = shapes.Plate(
    theme.alpha(theme.PARCHMENT_LIGHT, 236), theme.alpha(theme.PARCHMENT, 236), theme.BRONZE_DEEP, 1.0, radius=6
)
_OPEN: Final = shapes.Plate(theme.alpha(theme.IVORY, 120), theme.alpha(theme.IVORY, 90), theme.BRONZE, 1.5, radius=8)
_LIT: Final = shapes.Plate(theme.alpha(theme.GOLD, 150), theme.alpha(theme.GOLD, 110), theme.TERRACOTTA, 2.5, radius=8)


class Figure(Struct, frozen=True):
    """A unit on the field, by the middle of its picture. `lies`: it has fallen; `fresh`: in this step."""

    picture: str
    x: float
    y: float
    size: float
    down: bool = False
    lies: bool = False
    fresh: bool = False


class Group(Struct, frozen=True):
    """Units of one block as figures, those at the back first, and the rectangle of their number."""

    block: Block
    figures: tuple[Figure, ...]
    rect: Rect
    tag: Rect


class _Count(Struct, frozen=True):
    """A block with the number of its units that have fallen, `fresh` of them in this step."""

    block: Block
    fallen: int
    fresh: int

    @property
    def all(self) -> int:
        """Number of figures."""
        return self.block.count + self.fallen


def mustered(blocks: Sequence[Block], beat: PlaybackStep[F], camp: int, leader: Seat) -> list[_Count]:
    """Return the blocks of a side with its fallen units; a block that fell to the last unit comes back for them.

    `camp`: 0 for the attacker's side; `leader`: the seat that leads it.
    """
    lost = {unit: count for unit, count in beat.lost.items() if beat.camps.get(unit[0]) == camp and count}
    found = []
    for block in blocks:
        unit = block.owner, block.kind
        fallen = lost.pop(unit, 0)
        found.append(_Count(block, fallen, fallen - beat.before.get(unit, 0) if fallen else 0))
    gone = [
        _Count(Block(owner, kind, 0), count, count - beat.before.get((owner, kind), 0))
        for (owner, kind), count in lost.items()
    ]
    return sorted([one for one in (*found, *gone) if one.all], key=lambda one: _place(one.block, leader))


def _place(block: Block, leader: Seat) -> tuple[bool, bool, Seat, int]:
    """Return the key of a block's place: the side's own units first, then helpers, and last those in reserve."""
    strange = block.owner != leader
    return bool(block.helps) and not strange, strange, block.owner, block.kind


def arrange(area: Rect, counts: Sequence[_Count], way: int) -> list[Group]:
    """Return the groups of a side in an area of the field, as large as fits. `way`: 1 for those that look right.

    Many groups stand in two rows, the first ones in front.
    """
    one = [(area, counts)]
    half, middle = (len(counts) + 1) // 2, area.y
    two = [
        (arcade.LRBT(area.left, area.right, middle, area.top), counts[half:]),
        (arcade.LRBT(area.left, area.right, area.bottom, middle), counts[:half]),
    ]
    rows = one if _size(one) * (_CROWDED if len(counts) > _FEW else 1.0) >= _size(two) else two
    return [group for place, these in rows for group in _row(place, these, way)]


def _size(rows: Sequence[tuple[Rect, Sequence[_Count]]]) -> float:
    """Return the height of the smallest figures of these rows."""
    return min((_measured(area, counts)[0] for area, counts in rows if counts), default=0.0)


def _row(area: Rect, counts: Sequence[_Count], way: int) -> list[Group]:
    """Return the groups of one row."""
    if not counts:
        return []
    size, ranks, least, foot = _measured(area, counts)
    gap = theme.px(_GAP)
    edge = area.right if way > 0 else area.left
    found = []
    for one in counts:
        files = ceil(one.all / ranks)
        wide = max(least, files * _STEP * size + 0.28 * size)
        x = edge - way * wide / 2
        found.append(_group(one, x, foot, wide, size, ranks, way, area.bottom))
        edge -= way * (wide + gap)
    return found


def _measured(area: Rect, counts: Sequence[_Count]) -> tuple[float, int, float, float]:
    """Return the height of a row's figures, the number of ranks, the least width of a group, and the figures' feet."""
    gap, noted = theme.px(_GAP), any(one.block.words for one in counts)
    lines = noted + any(one.block.why for one in counts) + any(one.block.helps for one in counts)
    foot = area.bottom + theme.px(_COUNT + _LINE * lines + 2)
    least = min(theme.px(_WIDE_TAG if noted else _TAG), area.width / len(counts) - gap)
    return *_fitting(counts, area.width - gap * (len(counts) - 1), area.top - foot, least), least, foot


def _fitting(counts: Sequence[_Count], width: float, height: float, least: float) -> tuple[float, int]:
    """Return the largest height of figures for which all fit, and the number of ranks."""
    size = theme.px(_MOST)
    while size > theme.px(_LEAST):
        for ranks in _RANKS:
            wide = sum(max(least, ceil(one.all / ranks) * _STEP * size + 0.28 * size) for one in counts)
            if wide <= width and size * (1 + _DEEP * (min(ranks, max(one.all for one in counts)) - 1)) <= height:
                return size, ranks
        size -= 1
    return size, _RANKS[-1]


def _group(
    one: _Count, x: float, foot: float, wide: float, size: float, ranks: int, way: int, bottom: float
) -> Group:  # fmt: skip
    block, files = one.block, ceil(one.all / ranks)
    picture = f"{UNITS[block.kind]}_{block.owner}"
    front = x + way * (files - 1) * _STEP * size / 2
    found = []
    for i in range(one.all):
        rank, file = i % ranks, i // ranks
        at = front - way * (file * _STEP + 0.14 * (rank % 2)) * size, foot + size * (0.5 + _DEEP * rank)
        lies = i < one.fallen
        found.append(
            Figure(picture, *at, size, down=not lies and i >= one.all - block.down, lies=lies,
                   fresh=lies and i >= one.fallen - one.fresh)
        )  # fmt: skip
    found.sort(key=lambda figure: -figure.y)
    top = foot + size * (1 + _DEEP * (min(ranks, one.all) - 1))
    tag = arcade.LRBT(x - wide / 2, x + wide / 2, bottom, foot - theme.px(2))
    return Group(block, tuple(found), arcade.LRBT(tag.left, tag.right, tag.bottom, top), tag)


def draw_fields(groups: Sequence[Group]) -> None:
    """Draw the fields of groups that can be fired at, below their figures."""
    for group in groups:
        if group.block.free:
            shapes.plate(group.rect, _LIT if group.block.lit else _OPEN)


def draw_figures(groups: Sequence[Group], way: int, *, shift: float = 0.0, falls: bool = True) -> None:
    """Draw all figures, `shift` pixels beside their places. `falls`: with those that fall in this step."""
    every = sorted((figure for group in groups for figure in group.figures), key=lambda f: (not f.lies, -f.y))
    for figure in every:
        if falls or not figure.fresh:
            _draw_figure(figure, way, shift, 1.0 if figure.lies else 0.8 if figure.down else 0.0)


def draw_falling(groups: Sequence[Group], way: int, share: float, side: int) -> None:
    """Draw the figures that fall in this step, at that share of their fall, and the numbers below them."""
    struck = [group for group in groups if any(figure.fresh for figure in group.figures)]
    for figure in targets(struck):
        _draw_figure(figure, way, 0.0, share)
    draw_tags(struck, side)


def _draw_figure(figure: Figure, way: int, shift: float, lying: float) -> None:
    """Draw a figure that leans by that share of a right angle."""
    side = figure.size
    texture = _texture(figure.picture, figures.size_for(side), way > 0, theme.palette())
    at = arcade.XYWH(round(figure.x + shift), round(figure.y - lying * side * 0.2), round(side), round(side))
    colour = arcade.color.WHITE
    if figure.lies:
        share = min(1.0, lying)
        red, green, blue = (round(255 + (dark - 255) * share) for dark in _FALLEN)
        colour = arcade.types.Color(red, green, blue, 255)
    arcade.draw_texture_rect(texture, at, color=colour, angle=-88 * lying * way)


@cache
def _texture(picture: str, size: int, right: bool, _palette: str) -> arcade.Texture:
    """Return the picture of a unit that looks to the right or to the left."""
    texture = figures.figure(picture, size)
    return texture.flip_left_right() if right and picture.partition("_")[0] in _TURNED else texture


def draw_tags(groups: Sequence[Group], side: int) -> None:
    """Draw the number of each group, with its words. Helpers get the disc of their owner. `side`: the leading seat."""
    for group in groups:
        block, tag = group.block, group.tag
        shapes.plate(tag, _PLATE)
        y = tag.top - theme.px(_COUNT / 2)
        room = tag.width - theme.px(6)
        count = f"{block.count}" if block.down == 0 else f"{block.count - block.down} + {block.down}"
        x = tag.x
        narrow = tag.width < theme.px(_NARROW)
        if block.owner != side and not narrow:
            seat_disc(block.owner, tag.left + theme.px(12), y, theme.px(16))
            x, room = x + theme.px(8), room - theme.px(20)
        shapes.say(count, x, y, size=theme.LARGE - 0.5, bold=True, align="center", limit=room)
        lines = [(block.words, block.free, theme.TERRACOTTA_DEEP if block.free else theme.INK_FAINT)]
        lines += [(block.why, False, theme.INK_SOFT), (block.helps, False, theme.INK_SOFT)]
        for words, bold, colour in lines:
            if words and narrow and words is block.helps:
                seat_disc(block.owner, tag.x, tag.bottom + theme.px(_LINE / 2 + 1), theme.px(15))
            elif words:
                y -= theme.px(_LINE if y < tag.top - theme.px(_COUNT) else _COUNT / 2 + _LINE / 2 - 2)
                size = theme.BODY if bold else theme.SMALL
                shapes.say(words, tag.x, y, size=size, bold=bold, align="center", colour=colour,
                           limit=tag.width - theme.px(4), italic=words is block.helps)  # fmt: skip


def targets(groups: Sequence[Group]) -> list[Figure]:
    """Return the figures that fall in this step."""
    return [figure for group in groups for figure in group.figures if figure.fresh]


def draw_missile(start: tuple[float, float], goal: tuple[float, float], t: float, *, naval: bool) -> None:
    """Draw a javelin on its way on a low arc, or at sea a ball of fire; `t` from 0 to 1."""
    if not 0.0 < t < 1.0:
        return
    arc = theme.px(60)

    def at(share: float) -> tuple[float, float]:
        return (
            start[0] + (goal[0] - start[0]) * share,
            start[1] + (goal[1] - start[1]) * share + arc * 4 * share * (1 - share),
        )

    x, y = at(t)
    if naval:
        for n, colour in ((3, theme.WINE), (2, theme.TERRACOTTA), (1, theme.GOLD)):
            arcade.draw_circle_filled(x, y, theme.px(3.2 * n), colour)
        return
    ahead = at(min(1.0, t + 0.02))
    far = max(1.0, hypot(ahead[0] - x, ahead[1] - y))
    unit = (ahead[0] - x) / far, (ahead[1] - y) / far
    long = theme.px(22)
    tail, tip = (x - unit[0] * long, y - unit[1] * long), (x + unit[0] * long, y + unit[1] * long)
    arcade.draw_line(*tail, *tip, theme.NIGHT, theme.px(5))
    arcade.draw_line(*tail, *tip, theme.GOLD, theme.px(2.6))
    arcade.draw_triangle_filled(
        tip[0] + unit[0] * theme.px(9), tip[1] + unit[1] * theme.px(9),
        tip[0] - unit[1] * theme.px(5), tip[1] + unit[0] * theme.px(5),
        tip[0] + unit[1] * theme.px(5), tip[1] - unit[0] * theme.px(5), theme.IVORY,
    )  # fmt: skip
