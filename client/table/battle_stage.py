"""Battle over the whole board: both armies on their field, dice thrown before them, hits that fly, and the fallen."""

from collections.abc import Sequence
from functools import cache
from math import ceil, hypot
from typing import Final, Generic

import arcade
from arcade.types import Rect
from msgspec import Struct
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.drawing.cached_surface import CachedSurface
from client.drawing.curves import eased
from client.drawing.scrolling import clipped
from client.language import _
from client.table import figures
from client.table.battle_playback import (
    ARRIVING,
    FALLING,
    STRIKING,
    BattlePlayback,
    BattleSide,
    Block,
    Ceremony,
    F,
    Note,
    PlaybackStep,
    Spot,
    Target,
)
from client.table.battlefield import land, scenery
from client.table.match import TableMatch
from client.table.odds_bar import draw_odds, prospect
from client.table.pane import seat_disc
from client.table.pieces import UNITS, leader_figure
from client.table.position import SeatPosition, T
from client.table.thrown_dice import Throw, throws
from client.table.words import fights
from shared.ids import NONE, Seat
from shared.odds.outcome import ATTACKER, DEFENDER, Odds

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
    # By the camp noted for the owner: one seat can lend units to only one side of a battle.
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
    return min((_row_measures(area, counts)[0] for area, counts in rows if counts), default=0.0)


def _row(area: Rect, counts: Sequence[_Count], way: int) -> list[Group]:
    """Return the groups of one row."""
    if not counts:
        return []
    size, ranks, least, foot = _row_measures(area, counts)
    gap = theme.px(_GAP)
    edge = area.right if way > 0 else area.left
    found = []
    for one in counts:
        files = ceil(one.all / ranks)
        width = max(least, files * _STEP * size + 0.28 * size)
        x = edge - way * width / 2
        found.append(_group(one, x, foot, width, size, ranks, way, area.bottom))
        edge -= way * (width + gap)
    return found


def _row_measures(area: Rect, counts: Sequence[_Count]) -> tuple[float, int, float, float]:
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
        # One pixel at a time: a group's width jumps with the number of ranks, so no formula gives the size.
        size -= 1
    return size, _RANKS[-1]


def _group(
    one: _Count, x: float, foot: float, width: float, size: float, ranks: int, way: int, bottom: float
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
    # Those at the back are drawn first and are covered by the front rank.
    found.sort(key=lambda figure: -figure.y)
    top = foot + size * (1 + _DEEP * (min(ranks, one.all) - 1))
    tag = arcade.LRBT(x - width / 2, x + width / 2, bottom, foot - theme.px(2))
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


# The palette is only part of the key: pictures in other colours must not come from the cache.
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


_PAPER: Final = replace(shapes.PANEL, notch=0.0, shadow=0.0)
_HEAD: Final = 36.0
_TITLES: Final = (theme.HEADING - 2, theme.LARGE, theme.BODY)
"""Font sizes of the title: smaller ones where it is long."""
_ODDS: Final = 41.0
_NAMES: Final = 30.0
_FOOT: Final = 42.0
_LOW_FOOT: Final = 48.0
_LOW: Final = 500.0
"""Design heights: title, odds, names, the words below the field (a low stage wraps them into three lines), and the
height of a low stage."""
_EDGE: Final = 14.0
_DICE: Final = 0.42
"""Height of the ground on which dice lie, as a share of the field."""
_STANDARD: Final = 66.0
"""Width beside an army for its standards."""
_SKY: Final = 38.0
"""Height of the sky above the armies, for one line of words."""
_POLE: Final = 0.5
"""Height of the standard of a beaten side, as a share of the usual one."""
_MARCH: Final = 190.0
"""Distance from which the armies come."""
_GROWN: Final = 0.45
"""Seconds in which the stage grows out of the place on the map, after the map has come near."""
NEAR: Final = 0.45
"""Seconds in which the map comes near."""
_LABEL: Final = shapes.Plate(
    theme.alpha(theme.PARCHMENT_LIGHT, 226), theme.alpha(theme.PARCHMENT, 226), theme.BRONZE, 1.0, radius=5
)
_SHOUT: Final = shapes.Plate(theme.TERRACOTTA, theme.TERRACOTTA_DEEP, theme.GOLD, 1.5, radius=8)
_ENDS: Final[tuple[tuple[int, shapes.Align], ...]] = ((ATTACKER, "left"), (DEFENDER, "right"))


class AwaitedDecision(Struct, frozen=True):
    """Decision that the battle waits for, and the seat that owes it."""

    words: str = ""
    seat: Seat = NONE


class _Scene(Struct, Generic[F]):
    """A step with all its places: `field` of the picture, the ground before each army, and the groups of both."""

    beat: PlaybackStep[F]
    rect: Rect
    field: Rect
    dice: tuple[Rect, Rect]
    groups: tuple[list[Group], list[Group]]
    thrown: list[Throw]
    falls: Throw | None


class BattleStage(Generic[T, F]):
    """Drawing of the battle over the whole board. What does not move is kept as a picture."""

    def __init__(self, match: TableMatch[SeatPosition], playback: BattlePlayback[T, F]) -> None:
        self._match = match
        self._playback = playback
        self._surface: CachedSurface | None = None
        self._key: object = None
        self._scene: _Scene[F] | None = None
        self._shown: object = None
        self._counted = False
        """Whether odds of this battle were shown: then they keep their place to its end."""
        self.spots: list[Spot] = []
        """Rectangles of the groups that can be fired at."""
        self.bar: Rect | None = None
        """Rectangle of the odds, where they are shown."""

    def draw(
        self, rect: Rect, origin: tuple[float, float], beat: PlaybackStep[F], mark: Target | None,
        question: AwaitedDecision,
    ) -> None:  # fmt: skip
        """Draw a step into a rectangle. `origin`: the place on the map; `mark`: the target that is aimed at."""
        playback = self._playback
        scene = self._laid(rect, beat)
        moving = playback.stirring
        armies = moving and (beat.arrives or beat.lost != beat.before)
        falling = beat.roll is not None and playback.fallen < 1.0
        # Everything that the still picture shows. By identity of the step: comparing its units would cost more than a
        # picture.
        key = id(beat), rect.lbwh, armies, falling, mark, question, playback.busy, theme.palette(), theme.px(1)
        if key != self._key or self._surface is None:
            self._key = key
            self._surface = self._surface if self._surface and self._surface.rect == rect else CachedSurface(rect)
            with self._surface.painting():
                self._paint(scene, mark, question, armies=not (armies and beat.arrives), still=not armies,
                            falls=not falling)  # fmt: skip
        grown = playback.progress(NEAR, NEAR + _GROWN) if beat.arrives and moving else 1.0
        if grown <= 0.0:
            return
        if grown < 1.0:
            self._surface.draw(_grown_from(rect, origin, grown))
            return
        self._surface.draw()
        if armies or falling:
            with clipped(rect):
                self._move(scene, armies=armies, falling=falling)

    # Places

    def _laid(self, rect: Rect, beat: PlaybackStep[F]) -> _Scene[F]:
        shown = id(beat), rect.lbwh, theme.px(1)
        if self._scene is not None and self._shown == shown:
            return self._scene
        edge = theme.px(_EDGE)
        self._counted = beat.odds is not None or (self._counted and not beat.arrives)
        head = theme.px(_HEAD + _NAMES + _ODDS * self._counted)
        field = arcade.LRBT(rect.left + edge, rect.right - edge, rect.bottom + self._foot(rect), rect.top - head)
        ground, middle = field.height * _DICE, field.x
        pad, gap = theme.px(6), theme.px(16)
        left = arcade.LRBT(field.left + pad, middle - gap / 2, field.bottom + pad, field.bottom + ground)
        right = arcade.LRBT(middle + gap / 2, field.right - pad, field.bottom + pad, field.bottom + ground)
        sides = beat.fight.attacker, beat.fight.defender
        top = field.top - theme.px(_SKY)
        stand = theme.px(_STANDARD)
        west = arcade.LRBT(left.left + stand, middle - gap, left.top, top)
        east = arcade.LRBT(middle + gap, right.right - stand, left.top, top)
        thrown = throws(beat.lying, sides[0].seat, (left, right))
        falls = throws([beat.roll], sides[0].seat, (left, right))[0] if beat.roll is not None else None
        groups = self._group_rows(beat, sides[0], west, 1), self._group_rows(beat, sides[1], east, -1)
        self._shown = shown
        self._scene = _Scene(beat, rect, field, (left, right), groups, thrown, falls)
        self.spots = [(g.rect, (g.block.kind, NONE)) for g in (*groups[0], *groups[1]) if g.block.free]
        return self._scene

    def _foot(self, rect: Rect) -> float:
        return theme.px(_FOOT if rect.height >= theme.px(_LOW) else _LOW_FOOT)

    def _group_rows(self, beat: PlaybackStep[F], side: BattleSide, area: Rect, way: int) -> list[Group]:
        blocks = self._playback.battle_scene.blocks(beat, side.seat)
        camp = ATTACKER if way > 0 else DEFENDER
        return arrange(area, mustered(blocks, beat, camp, side.seat), way)

    def _notes(self, beat: PlaybackStep[F], side: BattleSide) -> list[Note]:
        return self._playback.battle_scene.notes(beat, side.seat)

    # What stands still

    def _paint(
        self, scene: _Scene[F], mark: Target | None, question: AwaitedDecision, *, armies: bool, still: bool,
        falls: bool,
    ) -> None:  # fmt: skip
        """Paint what does not move. `armies`: the armies; `still`: with the units that fall; `falls`: falling dice."""
        beat, rect, field = scene.beat, scene.rect, scene.field
        shapes.plate(rect, _PAPER)
        draw_title(self._playback.battle_scene.title(beat.fight), rect)
        top = rect.top - theme.px(_HEAD)
        self.bar = None
        if beat.odds is not None:
            self.bar = arcade.LRBT(rect.left, rect.right, top - theme.px(_ODDS), top)
            self._odds(beat.odds, beat, rect, top)
        top -= theme.px(_ODDS) * self._counted
        arcade.draw_texture_rect(scenery(land(beat.fight.space, beat.fight.built)), field)
        self._draw_walls(scene)
        arcade.draw_rect_outline(field, theme.BRONZE_DEEP, theme.px(2))
        for camp, side in enumerate((beat.fight.attacker, beat.fight.defender)):
            self._side(scene, side, camp, top)
        if armies:
            self._armies(scene, falls=still)
        self._say_notes(scene)
        for throw in scene.thrown:
            throw.lie()
        if scene.falls is not None and falls:
            scene.falls.lie()
        for place, target in self.spots:
            if mark is not None and target[0] == mark[0] and not self._playback.busy:
                arcade.draw_rect_outline(place, theme.TERRACOTTA, theme.px(3))
        self._words(scene, question)

    def _odds(self, odds: Odds, beat: PlaybackStep[F], rect: Rect, top: float) -> None:
        """Draw the odds: the bar, and below its ends what either side keeps and pays."""
        edge = theme.px(22)
        bar = arcade.LRBT(rect.left + edge, rect.right - edge, top - theme.px(20), top - theme.px(2))
        draw_odds(bar, odds, (beat.fight.attacker.seat, beat.fight.defender.seat))
        y = bar.bottom - theme.px(11)
        for side, align in _ENDS:
            x = bar.left if side == ATTACKER else bar.right
            shapes.say(prospect(odds, side), x, y, size=theme.SMALL, align=align, colour=theme.INK_SOFT)

    def _draw_walls(self, scene: _Scene[F]) -> None:
        """Draw the walls behind the defender's army."""
        if scene.beat.fight.built < 2:
            return
        texture, right = scenery("walls"), scene.dice[1]
        width = right.width * 0.94
        height = min(width * texture.height / texture.width, (scene.field.top - right.top) * 0.78)
        at = arcade.LBWH(scene.field.right - width - theme.px(4), right.top - theme.px(2), width, height)
        arcade.draw_texture_rect(texture, at)

    def _side(self, scene: _Scene[F], side: BattleSide, camp: int, top: float) -> None:
        """Draw the name of a side above the field."""
        rect = scene.rect
        left = rect.left + theme.px(_EDGE + 4) if camp == ATTACKER else rect.x + theme.px(8)
        y, width = top - theme.px(_NAMES / 2), rect.width / 2 - theme.px(_EDGE + 12)
        seat_disc(side.seat, left + theme.px(14), y, theme.px(28))
        strangers = self._playback.battle_scene.strangers
        name = strangers.get(side.seat) or self._match.name(side.seat)
        text = fights(camp, name, mine=side.seat == self._match.seat, many=side.seat in strangers)
        shapes.say(text, left + theme.px(36), y, size=theme.LARGE, bold=True, limit=width - theme.px(40),
                   height=theme.px(_NAMES))  # fmt: skip

    def _say_notes(self, scene: _Scene[F]) -> None:
        """Draw the notes of both sides in the field's sky, beside their standards."""
        for camp, side in enumerate((scene.beat.fight.attacker, scene.beat.fight.defender)):
            ground, stand = scene.dice[camp], theme.px(_STANDARD)
            left, right = (stand, 0.0) if camp == ATTACKER else (0.0, stand)
            room = arcade.LRBT(ground.left + left, ground.right - right, ground.bottom, ground.top)
            y = scene.field.top - theme.px(20)
            for note in self._notes(scene.beat, side):
                _note(note, room, y, camp)
                y -= theme.px(24)

    def _armies(self, scene: _Scene[F], shift: float = 0.0, *, falls: bool = True) -> None:
        """Draw both armies with their standards, and the numbers of their units. `shift`: pixels still to march;
        `falls`: with the units that fall in this step."""
        winner = scene.beat.winner
        for camp, side in enumerate((scene.beat.fight.attacker, scene.beat.fight.defender)):
            way = 1 if camp == ATTACKER else -1
            if not shift:
                draw_fields(scene.groups[camp])
            self._draw_standards(scene, side, camp, -way * shift, beaten=winner >= 0 and winner != side.seat)
            draw_figures(scene.groups[camp], way, shift=-way * shift, falls=falls)
            if not shift:
                draw_tags(scene.groups[camp], side.seat)

    def _draw_standards(self, scene: _Scene[F], side: BattleSide, camp: int, shift: float, *, beaten: bool) -> None:
        """Draw the standards of a side's leaders beside its army; those of a beaten side have sunk."""
        ground, way = scene.dice[camp], 1 if camp == ATTACKER else -1
        edge = (ground.left if way > 0 else ground.right) + way * theme.px(30) + shift
        first = theme.px(66)
        foot = ground.top + theme.px(10)
        room = scene.field.top - foot - theme.px(60)
        for i, leader in reversed([*enumerate(side.leaders[:6])]):
            size = first if i == 0 else first * 0.6
            x, height = edge + way * (i % 2) * theme.px(20), min(room, theme.px(150)) * (1 - 0.24 * (i // 2 + i % 2))
            y = foot + height * (_POLE if beaten else 1.0)
            arcade.draw_line(x, foot, x, y, theme.NIGHT, theme.px(6))
            arcade.draw_line(x, foot, x, y, theme.BRONZE_LIGHT, theme.px(3))
            picture = leader_figure(leader, side.seat, self._playback.battle_scene.leaders)
            texture = figures.figure(picture, figures.size_for(size))
            at = arcade.XYWH(round(x), round(y), round(size), round(size))
            arcade.draw_texture_rect(texture, at, angle=-50 * way if beaten else 0)

    def _words(self, scene: _Scene[F], question: AwaitedDecision) -> None:
        """Draw the words below the field: the verdict, or the open question."""
        beat, rect = scene.beat, scene.rect
        y = rect.bottom + self._foot(rect) / 2 + theme.px(1)
        words, seat, colour = beat.verdict, beat.winner, theme.TERRACOTTA_DEEP
        if not words and not self._playback.busy:
            words, seat = question.words, question.seat
        elif not words:
            return
        left = theme.px(56) if seat >= 0 else theme.px(22)
        shapes.say(words, rect.x, y, size=theme.LARGE, bold=True, align="center", colour=colour,
                   limit=rect.width - 2 * left, height=self._foot(rect) - theme.px(4))  # fmt: skip
        seat_disc(seat, rect.left + theme.px(34), y, theme.px(34))
        if beat.ceremony is Ceremony.CAESAR and beat.verdict:
            self._caesar(scene)

    def _caesar(self, scene: _Scene[F]) -> None:
        """Draw the fall of a Caesar over the field."""
        beat, field = scene.beat, scene.field
        losers = [side.seat for side in (beat.fight.attacker, beat.fight.defender) if side.seat != beat.winner]
        arcade.draw_rect_filled(field, theme.alpha(theme.NIGHT_DEEP, 150))
        band = arcade.XYWH(field.x, field.y, field.width, min(field.height * 0.6, theme.px(150)))
        arcade.draw_rect_filled(band, theme.alpha(theme.WINE, 235))
        for y in (band.bottom, band.top):
            arcade.draw_line(band.left, y, band.right, y, theme.GOLD, theme.px(3))
        size = min(band.height * 0.86, theme.px(128))
        for seat, x, angle in ((losers[0], band.left + size * 0.8, 78), (beat.winner, band.right - size * 0.8, 0)):
            if seat >= 0:
                texture = figures.figure(f"caesar_{seat}", figures.size_for(size))
                arcade.draw_texture_rect(texture, arcade.XYWH(x, band.y, size, size), angle=angle)
        shapes.say(_("A Caesar has fallen"), band.x, band.y, size=theme.HEADING + 12, title=True, align="center",
                   colour=theme.IVORY, limit=band.width - 3.2 * size, height=band.height)  # fmt: skip

    # What moves

    def _move(self, scene: _Scene[F], *, armies: bool, falling: bool) -> None:
        playback, beat = self._playback, scene.beat
        if armies and beat.arrives:
            far = 1.0 - playback.progress(NEAR + _GROWN * 0.8, ARRIVING)
            self._armies(scene, far * far * theme.px(_MARCH))
        elif armies:
            share = playback.progress(STRIKING, FALLING) ** 2
            for camp, side in enumerate((beat.fight.attacker, beat.fight.defender)):
                draw_falling(scene.groups[camp], 1 if camp == ATTACKER else -1, share, side.seat)
            self._strikes(scene)
        if falling and scene.falls is not None:
            scene.falls.tumble(playback.fallen)

    def _strikes(self, scene: _Scene[F]) -> None:
        """Draw hits on their way from the dice to the units that fall."""
        beat = scene.beat
        sides = (beat.fight.attacker, beat.fight.defender)
        naval = land(beat.fight.space, 0) == "sea"
        for camp in (ATTACKER, DEFENDER):
            enemy, goals = sides[1 - camp], targets(scene.groups[camp])
            from_dice = [spot for throw in scene.thrown if throw.roll.seat == enemy.seat for spot in throw.strikers()]
            # Losses without dice of this round, as in a pursuit, still come from somewhere.
            starts = from_dice or [(scene.dice[1 - camp].x, scene.dice[1 - camp].top)]
            for i, goal in enumerate(goals):
                late = 0.15 * i / len(goals)
                t = self._playback.progress(late, late + STRIKING * 0.7)
                draw_missile(starts[i % len(starts)], (goal.x, goal.y), t, naval=naval)


def draw_title(words: str, rect: Rect) -> None:
    """Draw the name of the battle at the top of a rectangle, in smaller letters where it is long."""
    room = rect.width - theme.px(60)
    for size in _TITLES:
        line = shapes.kept(
            words, size=size, title=True, align="center", colour=theme.TERRACOTTA_DEEP, anchor_y="center"
        )
        if line.content_width <= room:
            break
    line.position = round(rect.x), round(rect.top - theme.px(20))
    line.draw()


def _note(note: Note, ground: Rect, y: float, camp: int) -> None:
    """Draw a line about a side in the sky above its army."""
    size, room = theme.BODY if note.strong else theme.SMALL + 0.5, ground.width - theme.px(24)
    shouts = note.strong and note.asked == NONE
    colour = theme.IVORY if shouts else theme.TERRACOTTA_DEEP if note.strong else theme.INK
    line = shapes.kept(note.words, size=size, bold=note.strong, anchor_y="center", limit=room - theme.px(20),
                       colour=colour)  # fmt: skip
    disc = theme.px(24) if note.asked >= 0 else 0.0
    width = line.content_width + theme.px(16) + disc
    left = ground.left if camp == ATTACKER else ground.right - width
    plate = arcade.LBWH(left, y - theme.px(11), width, theme.px(22))
    shapes.plate(plate, _SHOUT if shouts else _LABEL)
    if disc:
        seat_disc(note.asked, left + theme.px(14), y, theme.px(18))
    line.position = round(left + theme.px(8) + disc), round(y)
    line.draw()


def _grown_from(rect: Rect, origin: tuple[float, float], share: float) -> Rect:
    """Return the rectangle between a point and `rect`, at that share of its size."""
    grown = eased(share)
    x, y = origin[0] + (rect.x - origin[0]) * grown, origin[1] + (rect.y - origin[1]) * grown
    return arcade.XYWH(x, y, max(1.0, rect.width * grown), max(1.0, rect.height * grown))
