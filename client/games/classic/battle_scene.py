"""Drawing of battles in Classic: legions in rows, with the units laid down and those in reserve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.games.battle_dice import marked_roll
from client.games.classic.battle_odds import BATTLE_ODDS
from client.games.classic.battle_state import Fight, Side, changed, read
from client.games.conquest.battle_scene import verdict
from client.language import _
from client.table import figures
from client.table.battle_playback import BattleScene, PlaybackStep, Roll, Spot
from client.table.pieces import ARMS
from shared.board import BOARD
from shared.ids import Army, Seat
from shared.kernel.frames import Event
from shared.mechanics.armies import total
from shared.rulesets.classic.state import LEADERS
from shared.vocabulary import events as e

_HALF: Final = 270.0
"""Design width of a side."""
_ROW: Final = 34.0
_UNIT: Final = 46.0
_SMALL: Final = 10
"""Largest army that is shown piece by piece before its legion is formed."""


def scored(faces: Sequence[int], fight: Fight, seat: Seat, hits: int) -> Roll:
    """Return the roll with its hits marked: dice that find a unit of their kind, `hits` of them at most."""
    side = fight.side(seat)
    room = {"galley": 99} if fight.naval else _land_room(side, fight.pursuit)
    return marked_roll(faces, seat, hits, room)


def _land_room(side: Side, pursuit: bool) -> dict[str, int]:
    if pursuit:
        return {"cavalry": side.legion[1] + side.reserve[1]}
    legion = side.legion if side.formed else side.reserve
    return {"infantry": legion[0], "cavalry": legion[1], "catapult": side.legion[2] + side.reserve[2]}


def title(fight: Fight) -> str:
    """Return the battle's title."""
    named = {"place": BOARD.names[fight.space], "round": fight.round}
    if fight.naval:
        return _("Naval battle · {place} · round {round}", **named)
    return (
        _("Pursuit from {place} · round {round}", **named)
        if fight.pursuit
        else _("Battle of {place} · round {round}", **named)
    )


def body(area: Rect, beat: PlaybackStep[Fight], seat: Seat) -> list[Spot]:
    """Draw the units of a side. Return no clickable spots."""
    y, side = area.top, beat.fight.side(seat)
    if beat.fight.naval:
        _rank(area, y, [(f"galley_{side.seat}", False)] * len(side.galleys), 44)
        return []
    small = not side.formed and total(side.reserve) <= _SMALL
    units = _units(side.reserve if small else side.legion, side.down, side.seat)
    y -= theme.px(2)
    if units:
        rows = _rank(area, y, units, _UNIT)
        y -= theme.px(_UNIT * rows + 2)
    if any(side.reserve) and not small:
        words = _("Reserve") if side.formed else _("Host")
        shapes.say(words, area.left + theme.px(4), y, size=theme.SMALL, colour=theme.INK_SOFT)
        x = area.left + theme.px(78)
        for arm in range(3):
            if side.reserve[arm]:
                shapes.piece(f"{ARMS[arm]}_{side.seat}", arcade.XYWH(x, y, theme.px(30), theme.px(30)))
                shapes.say(f"× {side.reserve[arm]}", x + theme.px(18), y, size=theme.BODY, bold=True)
                x += theme.px(70)
    return []


def _rank(area: Rect, y: float, units: list[tuple[str, bool]], size: float) -> int:
    """Draw pieces in rows and return the number of rows. Pieces that are down lie on their side."""
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


def height(beat: PlaybackStep[Fight]) -> float:
    """Return the design height that both sides need."""
    sides = (beat.fight.attacker, beat.fight.defender)
    reserve = any((side.formed and any(side.reserve)) or total(side.reserve) > _SMALL for side in sides)
    return max(_rows(side) for side in sides) * _UNIT + (_ROW if reserve else 0.0)


def _rows(side: Side) -> int:
    """Return how many rows of pieces a side takes, at most two."""
    count = len(side.galleys) or total(side.legion)
    if not side.formed and total(side.reserve) <= _SMALL:
        count = total(side.reserve)
    return min(2, max(1, -(-count // int(_HALF // (_UNIT + 2)))))


def _units(legion: Army, down: Army, seat: int) -> list[tuple[str, bool]]:
    """List the picture of each unit, and whether it lies down."""
    return [(f"{ARMS[arm]}_{seat}", i >= legion[arm] - down[arm]) for arm in range(3) for i in range(legion[arm])]


def _after(fight: Fight, _event: Event) -> Fight:
    return fight


def _pause(_event: Event) -> float:
    return 0.0


def _roll(event: e.DiceFell, fight: Fight) -> Roll:
    return scored(event.faces, fight, event.seat, event.hits)


BATTLE_SCENE: Final = BattleScene(
    verdict, read, _roll, _after, _pause, changed, title, body, height, LEADERS, BATTLE_ODDS
)
