"""Drawing of battles of 1984: units with the number that each target needs, and the sum of the advantage."""

from __future__ import annotations

from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.games.conquest.battle_scene import verdict
from client.games.mb1984.battle_odds import BATTLE_ODDS
from client.games.mb1984.battle_state import Fight, Side, after, changed, read, reason, sources
from client.language import _
from client.table import figures
from client.table.battle_playback import BattleScene, PlaybackStep, Roll, Spot
from client.table.pieces import UNITS
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.mechanics.aimed_shots import NO_ROLL
from shared.rulesets.mb1984.events import Aimed
from shared.rulesets.mb1984.state import LEADERS
from shared.vocabulary import events as e

_DIE: Final = tuple(f"die_{pips}" for pips in range(1, 7))
_UNIT: Final = 48.0
_CELL: Final = 66.0
_HEIGHT: Final = 122.0
_AIMED: Final = 1.0
_SURE: Final = 1.6
"""Seconds for which a declared target, and a shot that needs no die, are seen."""
_LIT: Final = shapes.Plate(theme.alpha(theme.GOLD, 90), theme.alpha(theme.GOLD, 60), theme.TERRACOTTA, 2.0, radius=6)
_OPEN: Final = shapes.Plate(theme.alpha(theme.IVORY, 150), theme.alpha(theme.IVORY, 90), theme.BRONZE, 1.0, radius=6)
_AHEAD: Final = shapes.Plate(theme.TERRACOTTA, theme.TERRACOTTA_DEEP, theme.GOLD, 1.5, radius=10)


def title(fight: Fight) -> str:
    """Return the battle's title."""
    named = {"place": BOARD.names[fight.space], "round": fight.round}
    if fight.naval:
        return _("Naval battle · {place} · round {round}", **named)
    return _("Battle of {place} · round {round}", **named)


def body(area: Rect, beat: PlaybackStep[Fight], seat: Seat) -> list[Spot]:
    """Draw a side: its units, as targets where it is fired at, and below what it has for the advantage."""
    fight = beat.fight
    side = fight.side(seat)
    target = side.seat != fight.shooter and not beat.winner >= 0
    kinds = [kind for kind in range(len(UNITS)) if side.count(kind)]
    top = area.top + theme.px(22)
    spots: list[Spot] = []
    for i, kind in enumerate(kinds):
        left = area.left + i * theme.px(_CELL)
        cell = arcade.LRBT(left, left + theme.px(_CELL - 4), top - theme.px(_UNIT + 44), top)
        free = target and not fight.sheltered(kind)
        if free:
            shapes.plate(cell, _LIT if kind == fight.kind else _OPEN)
            spots.append((cell, (kind, NONE)))
        _unit(cell, side, kind)
        if target:
            words = _needs(fight, kind)
            colour = theme.TERRACOTTA_DEEP if free else theme.INK_FAINT
            shapes.say(words, cell.x, cell.bottom + theme.px(27), size=theme.BODY, bold=free, align="center",
                      colour=colour, limit=cell.width)  # fmt: skip
            why = reason(fight, kind) if free else ""
            if why:
                shapes.say(why, cell.x, cell.bottom + theme.px(11), size=theme.SMALL, align="center",
                          colour=theme.INK_SOFT)  # fmt: skip
    if not target and beat.winner < 0:
        y = top - theme.px(_UNIT + 17)
        words = _("fires now") if fight.kind >= 0 else _("fires next")
        shapes.say(words, area.left + theme.px(4), y, size=theme.BODY, bold=True, colour=theme.TERRACOTTA_DEEP)
    _sum(area, top - theme.px(_UNIT + 60), side, fight)
    return spots


def _needs(fight: Fight, kind: int) -> str:
    if fight.sheltered(kind):
        return "safe"
    number = fight.needed(kind)
    return _("no roll") if number == NO_ROLL else "6" if number == 6 else f"{number}+"


def _unit(cell: Rect, side: Side, kind: int) -> None:
    """Draw the picture of a kind of unit, and how many there are."""
    edge = theme.px(_UNIT)
    at = arcade.XYWH(cell.left + edge / 2 + theme.px(2), cell.top - edge / 2 - theme.px(2), edge, edge)
    texture = figures.figure(f"{UNITS[kind]}_{side.seat}", figures.size_for(edge))
    arcade.draw_texture_rect(texture, at)
    count = str(side.count(kind))
    shapes.say(count, cell.right - theme.px(4), cell.top - theme.px(36), size=theme.LARGE, bold=True, align="right")


def _sum(area: Rect, y: float, side: Side, fight: Fight) -> None:
    """Draw the sources of a side's advantage, and the advantage if the side has it."""
    ahead = fight.ahead(side.seat)
    right = area.right
    if ahead:
        chip = arcade.LBWH(right - theme.px(108), y - theme.px(11), theme.px(108), theme.px(22))
        shapes.plate(chip, _AHEAD)
        shapes.say(
            _("advantage +{ahead}", ahead=ahead),
            chip.x,
            chip.y,
            size=theme.SMALL,
            bold=True,
            align="center",
            colour=theme.IVORY,
        )
        right = chip.left - theme.px(6)
    shapes.say(sources(side), area.left + theme.px(2), y, size=theme.SMALL + 0.5, colour=theme.INK_SOFT,
              limit=right - area.left - theme.px(2))  # fmt: skip


def height(_beat: PlaybackStep[Fight]) -> float:
    """Return the design height that both sides need."""
    return _HEIGHT


def roll(event: e.DiceFell, fight: Fight) -> Roll:
    """Return the single die of a shot."""
    face = event.faces[0]
    needed = fight.needed(fight.kind) if fight.kind != NONE else 0
    words = _("{what}: hit!", what=face + 1) if event.hits else _("{what}: missed", what=face + 1)
    words += _(" (needed {needed}{what})", needed=needed, what="+" if needed < 6 else "") if needed else ""
    return Roll(event.seat, (_DIE[face],), (event.hits > 0,), event.hits, _DIE, words)


def pause(event: Event) -> float:
    """Return how many seconds a declared target is shown; 0 for other events."""
    if not isinstance(event, Aimed):
        return 0.0
    return _SURE if event.needed == NO_ROLL else _AIMED


BATTLE_SCENE: Final = BattleScene(verdict, read, roll, after, pause, changed, title, body, height, LEADERS, BATTLE_ODDS)
