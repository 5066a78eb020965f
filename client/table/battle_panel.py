"""Panel that shows a battle: both hosts on a parchment, and dice that tumble and come to rest."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, cos, pi
from typing import Final, Generic

import arcade
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.table import figures
from client.table.battle_playback import BattlePlayback, F, Fight, PlaybackStep, Roll, Side, Spot, Target
from client.table.match import TableMatch
from client.table.odds_bar import draw_odds, prospect
from client.table.pane import seat_disc
from client.table.pieces import leader_figure
from client.table.position import T, Table
from client.table.words import fights
from shared.odds.outcome import ATTACKER, DEFENDER, Odds, percent

WIDTH: Final = 600.0
_HALF: Final = WIDTH / 2 - 30
_HEAD: Final = 50.0
_TITLES: Final = (theme.HEADING - 2, theme.LARGE, theme.BODY)
"""Font sizes of the title: smaller ones where it is long."""
_ODDS: Final = 46.0
"""Height of the odds, above both sides."""
_ENDS: Final[tuple[tuple[int, shapes.Align], ...]] = ((ATTACKER, "left"), (DEFENDER, "right"))
"""Sides, and the alignment of their words below the odds."""
_NAME: Final = 40.0
_BELOW: Final = 88.0
_FOOT: Final = 16.0
_EDGE: Final = 10.0
"""Distance between the panel and the edge of the board."""
_LEAST: Final = 156.0
"""Height of a battle with one row of pieces and no dice."""
_UNIT: Final = 46.0
_DIE: Final = 58.0
_DICE: Final = 76.0
"""Largest distance from one falling die to the next, and the height of all of them."""
_LYING: Final = 30.0
"""Largest distance from one lying die to the next."""
_GAP: Final = 8.0
"""Gap between the lying dice and the pieces of a side."""
_FEW: Final = 8
"""Number of dice that lie in one row in the half of a side; more take two rows."""
_WORDS: Final = 110.0
_HITS: Final = 70.0
"""Width of the words about the result, beside falling dice and beside lying dice."""
_FACE: Final = 0.87
"""Width of a die, as a share of the distance from one to the next."""
_SHORT: Final = 90
"""Largest number of letters of a verdict in large font."""
_GLOW: Final = shapes.Plate(theme.GOLD, theme.GOLD, theme.TERRACOTTA_DEEP, 1.5, radius=9)
_GLEAM: Final = replace(_GLOW, radius=5)
"""Plates behind dice that hit: while they fall, and when they lie."""


class BattlePanel(Generic[T, F]):
    """Panel that draws the battle of the playback inside the board's part of the window."""

    def __init__(self, match: TableMatch[Table], playback: BattlePlayback[T, F]) -> None:
        self._match = match
        self.playback = playback
        self._left = self._edge = 0.0
        self._low = True
        self._room = arcade.LBWH(0, 0, 1, 1)
        self.spots: list[Spot] = []
        """Targets that were drawn and can be fired at."""
        self.mark: Target | None = None
        """Target that the player would fire at."""
        self.largest = 1.0
        """Largest scale at which the panel is drawn where there is room for it."""
        self.brief = False
        """Whether the player chooses a space of the board, so the panel covers as little as possible."""

    @property
    def rect(self) -> Rect:
        """Its rectangle, as high as its content."""
        beat, share = self.playback.beat, self._share
        high = theme.px(self._height(beat) if beat is not None else _LEAST) * share
        bottom, wide = self._edge if self._low else self._edge - high, theme.px(WIDTH) * share
        left = max(self._room.left, min(self._left, self._room.right - wide))
        return arcade.LBWH(int(left), round(bottom), wide, round(high))

    @property
    def _share(self) -> float:
        """Scale at which it is drawn. All of it stays visible, even with large letters on a small board."""
        gap = theme.px(2 * _EDGE)
        wide, high = self._room.width - gap, self._room.height - gap
        return min(self.largest, wide / theme.px(WIDTH), high / theme.px(self._tall))

    @property
    def _tall(self) -> float:
        """Design height that the step needs at most."""
        beat = self.playback.beat
        return self._above(beat) + _BELOW if beat is not None else _LEAST + _UNIT

    def place(self, board: Rect, points: Sequence[tuple[float, float]]) -> None:
        """Place the panel at the edge of the board where it covers the fewest of these points of the window. The first
        point, the battle itself, counts most."""
        self._room = board
        share, gap = self._share, theme.px(_EDGE)
        wide, high = theme.px(WIDTH) * share, theme.px(self._tall) * share
        spots = [
            (arcade.LBWH(left, edge if low else edge - high, wide, high), left, edge, low)
            for left in (board.right - wide - gap, board.left + gap, board.x - wide / 2)
            for edge, low in ((board.bottom + gap, True), (board.top - gap, False))
        ]
        _, self._left, self._edge, self._low = min(spots, key=lambda spot: _covered(spot[0], points))

    def holds(self, x: float, y: float) -> bool:
        """Whether the point is on it."""
        return self.playback.beat is not None and bool(self.rect.point_in_rect((x, y)))

    def draw(self) -> None:
        """Draw the panel if a battle is being shown."""
        beat, rect = self.playback.beat, self.rect
        if beat is not None:
            with theme.shrunk(self._share):
                self._draw(beat, rect)

    def _draw(self, beat: PlaybackStep[F], rect: Rect) -> None:
        fight = beat.fight
        shapes.plate(rect, shapes.PANEL)
        _title(self.playback.battle_scene.title(fight), rect)
        shapes.rule(rect.x, rect.top - theme.px(46), rect.width - theme.px(60))
        half = theme.px(_HALF)
        top = rect.top - theme.px(_HEAD)
        if beat.odds is not None and not self.brief:
            self._odds(beat.odds, fight, rect, top)
            top -= theme.px(_ODDS)
        bottom = rect.bottom + theme.px(_BELOW if beat.roll or beat.verdict else _FOOT)
        rows = bottom + theme.px(_lying(beat))
        left = arcade.LRBT(rect.left + theme.px(22), rect.left + theme.px(22) + half, rows, top)
        right = arcade.LRBT(rect.right - theme.px(22) - half, rect.right - theme.px(22), rows, top)
        self.spots = []
        self._side(left, fight.attacker, ATTACKER, beat)
        self._side(right, fight.defender, DEFENDER, beat)
        for roll in beat.lying:
            area = left if roll.seat == fight.attacker.seat else right
            _lie(arcade.LRBT(area.left, area.right, bottom, rows - theme.px(_GAP)), roll)
        arcade.draw_line(rect.x, bottom, rect.x, top - theme.px(10), theme.alpha(theme.BRONZE, 150), 1)
        self._below(beat, rect)

    def _chance(self, side: Side, beat: PlaybackStep[F]) -> str:
        """Return the chance to win that follows a side's name where there is no room for more of the odds."""
        if beat.odds is None or not self.brief:
            return ""
        return f": {percent(beat.odds.wins(ATTACKER if side is beat.fight.attacker else DEFENDER))}"

    def _odds(self, odds: Odds, fight: Fight, rect: Rect, top: float) -> None:
        """Draw the odds: the bar, and below its ends what either side keeps and pays."""
        edge = theme.px(22)
        bar = arcade.LRBT(rect.left + edge, rect.right - edge, top - theme.px(24), top - theme.px(6))
        draw_odds(bar, odds, (fight.attacker.seat, fight.defender.seat))
        y = bar.bottom - theme.px(11)
        for side, align in _ENDS:
            x = bar.left if side == ATTACKER else bar.right
            shapes.say(prospect(odds, side), x, y, size=theme.SMALL, align=align, colour=theme.INK_SOFT)

    def _side(self, area: Rect, side: Side, part: int, beat: PlaybackStep[F]) -> None:
        y = area.top - theme.px(19)
        seat_disc(side.seat, area.left + theme.px(15), y, theme.px(30))
        strangers = self.playback.battle_scene.strangers
        name = strangers.get(side.seat) or self._match.name(side.seat)
        said = fights(part, name, mine=side.seat == self._match.seat, many=side.seat in strangers)
        chance = shapes.kept(self._chance(side, beat), size=theme.LARGE - 1, bold=True, anchor_y="center")
        room = area.width - theme.px(40 + 24 * len(side.leaders)) - chance.content_width
        shown = shapes.say(said, area.left + theme.px(36), y, size=theme.LARGE - 1, bold=True, limit=room,
                          high=theme.px(_NAME + 4))  # fmt: skip
        chance.position = round(shown.left + shown.content_width), y
        chance.draw()
        for i, leader in enumerate(side.leaders):
            picture = leader_figure(leader, side.seat, self.playback.battle_scene.leaders)
            shapes.piece(picture, arcade.XYWH(area.right - theme.px(14 + 24 * i), y, theme.px(28), theme.px(28)))
        y -= theme.px(_NAME)
        below = arcade.LRBT(area.left, area.right, area.bottom, y)
        spots = self.playback.battle_scene.body(below, beat, side.seat)
        self.spots += spots
        for rect, target in spots:
            if self.mark is not None and target[0] == self.mark[0] and not self.playback.busy:
                arcade.draw_rect_outline(rect, theme.TERRACOTTA, theme.px(3))

    def at(self, x: float, y: float) -> Target | None:
        """Return the target that can be fired at under a point of the window."""
        return next((target for rect, target in self.spots if rect.point_in_rect((x, y))), None)

    def _height(self, beat: PlaybackStep[F]) -> float:
        """Return the design height of everything that a step shows."""
        return self._above(beat) + (_BELOW if beat.roll is not None or beat.verdict else _FOOT)

    def _above(self, beat: PlaybackStep[F]) -> float:
        """Return the design height of both sides with their names and the lying dice."""
        odds = _ODDS if beat.odds is not None and not self.brief else 0.0
        return _HEAD + odds + _NAME + self.playback.battle_scene.height(beat) + _lying(beat)

    def _below(self, beat: PlaybackStep[F], rect: Rect) -> None:
        y = rect.bottom + theme.px(44)
        if beat.roll is not None:
            self._dice(beat.roll, beat.fight, rect, y)
        elif beat.verdict:
            line = shapes.kept(
                beat.verdict,
                size=theme.LARGE if len(beat.verdict) <= _SHORT else theme.BODY,
                bold=True,
                align="center",
                colour=theme.TERRACOTTA_DEEP,
                anchor_y="center",
                width=rect.width - theme.px(120),
            )
            line.position = round(rect.x), round(y - theme.px(6))
            line.draw()
            seat_disc(beat.winner, rect.left + theme.px(36), y - theme.px(6), theme.px(34))

    def _dice(self, roll: Roll, fight: Fight, rect: Rect, y: float) -> None:
        """Draw dice that fall on the side of the seat that rolls; they bounce, turn, and settle on their faces."""
        t = self.playback.fallen
        from_left = roll.seat == fight.attacker.seat
        edge = theme.px(28)
        wide = rect.width - 2 * edge - theme.px(_WORDS)
        row, step = _packed(len(roll.faces), wide, theme.px(_DICE), theme.px(_DIE))
        side = step * _FACE
        left = rect.left + edge if from_left else rect.right - edge - step * row
        hand = rect.left + edge + side / 2 if from_left else rect.right - edge - side / 2
        for i, face in enumerate(roll.faces):
            own = min(1.0, t * (1.0 + 0.07 * (i % 4)))
            rest = 1.0 - own
            bounce = abs(cos(own * pi * 2.5)) * rest * theme.px(90)
            shown = face if own > 0.82 else roll.die[(i * 5 + int(own * 17)) % len(roll.die)]
            angle = rest * rest * (540 + 90 * (i % 3)) * (-1 if from_left else 1)
            x, height = _spot(left, y, i, row, len(roll.faces), step)
            at = arcade.XYWH(x + (hand - x) * rest * rest, height + bounce, side, side)
            _die(shown, at, _GLOW if t >= 1.0 and roll.scoring[i] else None, angle)
        if t >= 1.0:
            shapes.say(
                roll.words,
                rect.right - edge if from_left else rect.left + edge,
                y,
                size=theme.HEADING - 2,
                bold=True,
                align="right" if from_left else "left",
                colour=_colour(roll),
            )


def _title(words: str, rect: Rect) -> None:
    """Draw the name of the battle, in smaller letters where it is long."""
    room = rect.width - theme.px(60)
    for size in _TITLES:
        line = shapes.kept(
            words, size=size, title=True, align="center", colour=theme.TERRACOTTA_DEEP, anchor_y="center"
        )
        if line.content_width <= room:
            break
    line.position = round(rect.x), round(rect.top - theme.px(27))
    line.draw()


def _lying(beat: PlaybackStep[F]) -> float:
    """Return the design height of the dice that lie, or will lie, below both sides."""
    rolls = (*beat.lying, beat.roll) if beat.roll is not None else beat.lying
    most = max((len(roll.faces) for roll in rolls), default=0)
    return _LYING * (1 if most <= _FEW else 2) + _GAP if most else 0.0


def _lie(area: Rect, roll: Roll) -> None:
    """Draw the earlier dice of this round, small, with their result."""
    row, step = _packed(len(roll.faces), area.width - theme.px(_HITS), area.height, theme.px(_LYING))
    for i, face in enumerate(roll.faces):
        x, y = _spot(area.left, area.y, i, row, len(roll.faces), step)
        _die(face, arcade.XYWH(x, y, step * _FACE, step * _FACE), _GLEAM if roll.scoring[i] else None)
    left = area.left + step * row + theme.px(8)
    shapes.say(roll.words, left, area.y, size=theme.BODY, bold=True, colour=_colour(roll), limit=area.right - left)


def _packed(count: int, width: float, height: float, most: float) -> tuple[int, float]:
    """Return the number of dice in a row and the distance between two that make them as large as fits."""
    sizes = [(min(most, width / row, height / ceil(count / row)), row) for row in range(1, count + 1)]
    step, row = max(sizes, default=(most, 1))
    return row, step


def _spot(left: float, y: float, i: int, row: int, count: int, step: float) -> tuple[float, float]:
    """Return the place of one of several dice, in rows around the height `y`."""
    return left + step * (i % row + 0.5), y + step * ((ceil(count / row) - 1) / 2 - i // row)


def _die(face: str, at: Rect, glow: shapes.Plate | None, angle: float = 0.0) -> None:
    if glow is not None:
        edge = at.width / _FACE
        shapes.plate(arcade.XYWH(at.x, at.y, edge, edge), glow)
    arcade.draw_texture_rect(figures.figure(face, figures.size_for(at.width)), at, angle=angle)


def _colour(roll: Roll) -> theme.Colour:
    return theme.TERRACOTTA_DEEP if roll.hits else theme.INK_SOFT


def _covered(rect: Rect, points: Sequence[tuple[float, float]]) -> int:
    margin = theme.px(24)
    wider = arcade.LRBT(rect.left - margin, rect.right + margin, rect.bottom - margin, rect.top + margin)
    return sum((1 if i else 4) for i, point in enumerate(points) if wider.point_in_rect(point))
