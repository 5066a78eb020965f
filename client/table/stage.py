"""The battle as one sees it: both hosts on a parchment, and dice that tumble and come to rest."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi
from typing import Final

import arcade
from arcade.types import Rect

from client import brush, theme
from client.table import figures
from client.table.match import TableMatch
from client.table.pane import seat_disc
from client.table.pieces import ARMS
from client.table.theatre import TUMBLE, Beat, Fight, Roll, Side, Theatre
from shared.board import BOARD
from shared.ids import Army
from shared.mechanics.armies import total
from shared.mechanics.battledice import DIE
from shared.rulesets.classic.state import LEADERS

WIDTH: Final = 600.0
_HALF: Final = WIDTH / 2 - 30
_HEAD: Final = 50.0
_NAME: Final = 40.0
_ROW: Final = 34.0
_BELOW: Final = 88.0
_FOOT: Final = 16.0
_LEAST: Final = 156.0
"""Height of a battle with one row of pieces and no dice."""
_UNIT: Final = 46.0
_DIE: Final = 42.0
_SMALL: Final = 10
"""A host of so many units is shown piece by piece before its legion is formed."""
_GLOW: Final = brush.Plate(theme.GOLD, theme.GOLD, theme.TERRACOTTA_DEEP, 1.5, radius=9)


class Stage:
    """Draws what the theatre shows, inside the board's part of the window."""

    def __init__(self, match: TableMatch, theatre: Theatre) -> None:
        self._match = match
        self.theatre = theatre
        self._left = self._edge = 0.0
        self._low = True

    @property
    def rect(self) -> Rect:
        """Where it lies; as high as what it shows."""
        beat = self.theatre.beat
        high = theme.px(_height(beat) if beat is not None else _LEAST)
        bottom = self._edge if self._low else self._edge - high
        return arcade.LBWH(round(self._left), round(bottom), theme.px(WIDTH), round(high))

    def place(self, board: Rect, points: Sequence[tuple[float, float]]) -> None:
        """Lie at the edge of the board where it covers the fewest of these points of the window, of which the
        first, the battle itself, counts most."""
        wide, high, gap = theme.px(WIDTH), theme.px(_LEAST + _UNIT), theme.px(10)
        spots = [
            (arcade.LBWH(left, edge if low else edge - high, wide, high), left, edge, low)
            for left in (board.right - wide - gap, board.left + gap, board.x - wide / 2)
            for edge, low in ((board.bottom + gap, True), (board.top - gap, False))
        ]
        _, self._left, self._edge, self._low = min(spots, key=lambda spot: _covered(spot[0], points))

    def holds(self, x: float, y: float) -> bool:
        """Whether the point is on it."""
        return self.theatre.beat is not None and bool(self.rect.point_in_rect((x, y)))

    def draw(self) -> None:
        """Draw it, if there is a battle to be seen."""
        beat = self.theatre.beat
        if beat is None:
            return
        rect, fight = self.rect, beat.fight
        brush.plate(rect, brush.PANEL)
        kind = "Naval battle" if fight.naval else "Pursuit from" if fight.pursuit else "Battle of"
        title = f"{kind}{' ·' if fight.naval else ''} {BOARD.names[fight.space]} · round {fight.round}"
        brush.say(
            title,
            rect.x,
            rect.top - theme.px(27),
            size=theme.HEADING - 2,
            title=True,
            align="center",
            colour=theme.TERRACOTTA_DEEP,
            limit=rect.width - theme.px(60),
        )
        brush.rule(rect.x, rect.top - theme.px(46), rect.width - theme.px(60))
        half = theme.px(_HALF)
        top = rect.top - theme.px(_HEAD)
        bottom = rect.bottom + theme.px(_BELOW if beat.roll or beat.verdict else _FOOT)
        left = arcade.LRBT(rect.left + theme.px(22), rect.left + theme.px(22) + half, bottom, top)
        right = arcade.LRBT(rect.right - theme.px(22) - half, rect.right - theme.px(22), bottom, top)
        self._side(left, fight.attacker, "attacks", fight, beat)
        self._side(right, fight.defender, "defends", fight, beat)
        arcade.draw_line(rect.x, bottom, rect.x, top - theme.px(10), theme.alpha(theme.BRONZE, 150), 1)
        self._below(beat)

    def _side(self, area: Rect, side: Side, verb: str, fight: Fight, beat: Beat) -> None:
        y = area.top - theme.px(19)
        seat_disc(side.seat, area.left + theme.px(15), y, theme.px(30))
        name = "You" if side.seat == self._match.seat else self._match.name(side.seat)
        verb = {"attacks": "attack", "defends": "defend"}[verb] if side.seat == self._match.seat else verb
        brush.say(
            f"{name} {verb}",
            area.left + theme.px(36),
            y,
            size=theme.LARGE - 1,
            bold=True,
            limit=area.width - theme.px(40 + 24 * len(side.leaders)),
        )
        for i, leader in enumerate(side.leaders):
            picture = f"{'general' if leader % LEADERS else 'caesar'}_{side.seat}"
            brush.piece(picture, arcade.XYWH(area.right - theme.px(14 + 24 * i), y, theme.px(28), theme.px(28)))
        y -= theme.px(_NAME)
        if fight.naval:
            self._rank(area, y, [(f"galley_{side.seat}", False)] * len(side.galleys), 44)
            return
        small = not side.formed and total(side.reserve) <= _SMALL
        units = _units(side.reserve if small else side.legion, side.down, side.seat)
        y -= theme.px(2)
        if units:
            rows = self._rank(area, y, units, _UNIT)
            y -= theme.px(_UNIT * rows + 2)
        if any(side.reserve) and not small:
            brush.say(
                "Reserve" if side.formed else "Host",
                area.left + theme.px(4),
                y,
                size=theme.SMALL,
                colour=theme.INK_SOFT,
            )
            x = area.left + theme.px(78)
            for arm in range(3):
                if side.reserve[arm]:
                    brush.piece(f"{ARMS[arm]}_{side.seat}", arcade.XYWH(x, y, theme.px(30), theme.px(30)))
                    brush.say(f"× {side.reserve[arm]}", x + theme.px(18), y, size=theme.BODY, bold=True)
                    x += theme.px(70)

    def _rank(self, area: Rect, y: float, units: list[tuple[str, bool]], size: float) -> int:
        """Pieces in rows; those laid down lie on their side. Returns the number of rows."""
        step = theme.px(size + 2)
        per_row = max(1, int(area.width // step))
        if len(units) > 2 * per_row:
            step = area.width / ((len(units) + 1) // 2)
            per_row = (len(units) + 1) // 2
        texture_size = figures.size_for(theme.px(size))
        for i, (picture, down) in enumerate(units):
            x = area.left + step * (i % per_row + 0.5)
            at = arcade.XYWH(round(x), round(y - theme.px(size) * (i // per_row)), theme.px(size), theme.px(size))
            texture = figures.figure(picture, texture_size)
            arcade.draw_texture_rect(texture, at, angle=80 if down else 0, alpha=110 if down else 255)
        return (len(units) + per_row - 1) // per_row

    def _below(self, beat: Beat) -> None:
        rect = self.rect
        y = rect.bottom + theme.px(44)
        if beat.roll is not None:
            self._dice(beat.roll, beat.fight, y)
        elif beat.verdict:
            line = brush.kept(
                beat.verdict,
                size=theme.LARGE,
                bold=True,
                align="center",
                colour=theme.TERRACOTTA_DEEP,
                anchor_y="center",
                width=rect.width - theme.px(120),
            )
            line.position = round(rect.x), round(y - theme.px(6))
            line.draw()
            seat_disc(beat.winner, rect.left + theme.px(36), y - theme.px(6), theme.px(34))

    def _dice(self, roll: Roll, fight: Fight, y: float) -> None:
        """Dice fall on the side of whoever rolls, bounce, turn, and settle on their faces."""
        rect, age = self.rect, self.theatre.age
        t = min(1.0, age / TUMBLE)
        count = len(roll.faces)
        step = min(theme.px(_DIE + 7), (rect.width - theme.px(150)) / max(1, count))
        side = min(theme.px(_DIE), step * 0.94)
        from_left = roll.seat == fight.attacker.seat
        first = rect.left + theme.px(28) + step / 2 if from_left else rect.right - theme.px(28) - step * (count - 0.5)
        for i, (face, scores) in enumerate(zip(roll.faces, roll.scoring, strict=True)):
            own = min(1.0, t * (1.0 + 0.07 * (i % 4)))
            rest = 1.0 - own
            bounce = abs(cos(own * pi * 2.5)) * rest * theme.px(120)
            drift = (theme.px(-160) if from_left else theme.px(160)) * rest * rest
            shown = face if own > 0.82 else DIE[(i * 5 + int(own * 17)) % len(DIE)]
            angle = rest * rest * (540 + 90 * (i % 3)) * (-1 if from_left else 1)
            at = arcade.XYWH(first + i * step + drift, y + bounce, side, side)
            if t >= 1.0 and scores:
                brush.plate(arcade.XYWH(at.x, at.y, side + theme.px(6), side + theme.px(6)), _GLOW)
            arcade.draw_texture_rect(figures.figure(f"die_{shown}", figures.size_for(side)), at, angle=angle)
        if t >= 1.0:
            words = "no hit" if not roll.hits else "1 hit" if roll.hits == 1 else f"{roll.hits} hits"
            x = rect.right - theme.px(28) if from_left else rect.left + theme.px(28)
            brush.say(
                words,
                x,
                y,
                size=theme.HEADING - 2,
                bold=True,
                align="right" if from_left else "left",
                colour=theme.TERRACOTTA_DEEP if roll.hits else theme.INK_SOFT,
            )


def _height(beat: Beat) -> float:
    """Design height of all that a beat shows."""
    rows = max(_rows(side) for side in (beat.fight.attacker, beat.fight.defender))
    reserve = any((side.formed and any(side.reserve)) or total(side.reserve) > _SMALL
                  for side in (beat.fight.attacker, beat.fight.defender))  # fmt: skip
    below = _BELOW if beat.roll is not None or beat.verdict else _FOOT
    return _HEAD + _NAME + rows * _UNIT + (_ROW if reserve else 0.0) + below


def _rows(side: Side) -> int:
    """Rows of pieces of a side."""
    count = len(side.galleys) or total(side.legion)
    if not side.formed and total(side.reserve) <= _SMALL:
        count = total(side.reserve)
    return min(2, max(1, -(-count // int(_HALF // (_UNIT + 2)))))


def _covered(rect: Rect, points: Sequence[tuple[float, float]]) -> int:
    margin = theme.px(24)
    wider = arcade.LRBT(rect.left - margin, rect.right + margin, rect.bottom - margin, rect.top + margin)
    return sum((1 if i else 4) for i, point in enumerate(points) if wider.point_in_rect(point))


def _units(legion: Army, down: Army, seat: int) -> list[tuple[str, bool]]:
    """One entry per unit: its picture, and whether it lies down."""
    return [(f"{ARMS[arm]}_{seat}", i >= legion[arm] - down[arm]) for arm in range(3) for i in range(legion[arm])]
