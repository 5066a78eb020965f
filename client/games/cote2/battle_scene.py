"""Drawing of battles of the second game: the units of each owner, the dice of each side, and open questions."""

from __future__ import annotations

from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.games.battle_dice import marked_roll
from client.games.cote2.battle_odds import BATTLE_ODDS
from client.games.cote2.battle_state import Band, Fight, Side, after, changed, read
from client.language import _, ngettext
from client.table.battle_playback import BattleScene, PlaybackStep, Roll, Spot, Verdict
from client.table.pane import seat_disc
from client.table.pieces import ARMS
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.combat_phase import NAVAL_ROUNDS
from shared.rulesets.cote2.state import ALIENS, LEADERS, REBELS
from shared.vocabulary.events import DiceFell, Retreated

_UNIT: Final = 44.0
_HELPERS: Final = 34.0
"""Design sizes of the participant's units, and of units that help."""
_NUMBER: Final = 20.0
_ROW: Final = 48.0
_FOOT: Final = 52.0
"""Design height for the dice of a side and for its open question."""
_JOINED: Final = 1.1
"""Seconds for which units that join a battle are shown."""


def title(fight: Fight) -> str:
    """Return the battle's title."""
    name = BOARD.names[fight.space]
    if fight.gathering:
        return _("{name} · the fleets gather", name=name) if fight.naval else _("{name} · the armies gather", name=name)
    if fight.naval:
        return _("{name} · round {round} of {naval_rounds}", name=name, round=fight.round, naval_rounds=NAVAL_ROUNDS)
    if fight.attacker.seat == REBELS:
        return _("Slave revolt in {name} · round {round}", name=name, round=fight.round)
    return _("Battle of {place} · round {round}", place=name, round=fight.round)


def body(area: Rect, beat: PlaybackStep[Fight], seat: Seat) -> list[Spot]:
    """Draw a side: its units by owner, its dice, and its open question. Return no clickable spots."""
    y = area.top + theme.px(22)
    side = beat.fight.side(seat)
    bands = side.bands()
    if not bands:
        middle = y - theme.px(_ROW / 2)
        shapes.say(_("no units left"), area.left + theme.px(4), middle, italic=True, colour=theme.INK_SOFT)
    for band in bands:
        if band.owner == side.seat:
            _kinds(area.left, y, band, _UNIT)
            y -= theme.px(_ROW)
        else:
            _helpers(area, y, band)
            y -= theme.px(_HELPERS + 4)
    y = area.bottom + theme.px(34)
    _dice(area, y, side)
    if side.status and beat.roll is None and not beat.verdict:
        _status(area, y - theme.px(24), side)
    return []


def _helpers(area: Rect, top: float, band: Band) -> None:
    """Draw helping units, with the disc of their owner first."""
    y = top - theme.px(_HELPERS / 2)
    seat_disc(band.owner, area.left + theme.px(9), y, theme.px(18))
    right = _kinds(area.left + theme.px(24), top, band, _HELPERS)
    words = _("auxiliaries") if band.owner == ALIENS else _("lent")
    shapes.say(words, right, y, size=theme.SMALL, italic=True, colour=theme.INK_SOFT, limit=area.right - right)


def _kinds(left: float, top: float, band: Band, size: float) -> float:
    """Draw the kinds of units of one owner, with their numbers. Return the x at which they end."""
    kinds = [*zip(ARMS, band.army, strict=True), ("galley", band.galleys)]
    edge = theme.px(size)
    for kind, number in kinds:
        if number:
            shapes.piece(f"{kind}_{band.owner}", arcade.XYWH(left + edge / 2, top - edge / 2, edge, edge))
            shapes.say(str(number), left + edge + theme.px(1), top - edge * 0.7, size=theme.LARGE, bold=True)
            left += edge + theme.px(_NUMBER)
    return left


def _dice(area: Rect, y: float, side: Side) -> None:
    """Draw the number of a side's dice, and the sources of that number."""
    edge = theme.px(20)
    shapes.piece("die_infantry", arcade.XYWH(area.left + edge / 2, y, edge, edge))
    words = ngettext("{n} die", "{n} dice", side.rolls)
    line = shapes.say(words, area.left + theme.px(26), y, size=theme.BODY, bold=True)
    left = area.left + theme.px(34) + line.content_width
    shapes.say(sources(side), left, y, size=theme.SMALL, colour=theme.INK_SOFT, limit=area.right - left)


def sources(side: Side) -> str:
    """Return the sources of a side's dice: ``"3 + leader + 2 training"``; empty if there are fewer than two."""
    if len(side.dice) < 2:
        return ""
    parts = [name if number == 1 and name else f"{number} {name}".strip() for name, number in side.dice]
    return f"= {' + '.join(parts)}"


def _status(area: Rect, y: float, side: Side) -> None:
    """Draw the side's open question, with the disc of the player who must answer it."""
    left = area.left + theme.px(2)
    if side.asked != NONE:
        seat_disc(side.asked, left + theme.px(9), y, theme.px(19))
        left += theme.px(24)
    shapes.say(side.status, left, y, size=theme.BODY, bold=True, colour=theme.TERRACOTTA_DEEP, limit=area.right - left)


def height(beat: PlaybackStep[Fight]) -> float:
    """Return the design height that both sides need."""
    return max(map(_height, (beat.fight.attacker, beat.fight.defender))) + _FOOT


def _height(side: Side) -> float:
    helpers = sum(owner != side.seat for owner in side.owners)
    own = side.seat in side.owners or not helpers
    return _ROW * own + (_HELPERS + 4) * helpers


def roll(event: DiceFell, fight: Fight) -> Roll:
    """Return the roll with its hits marked: dice that find a unit of their kind, `event.hits` of them at most."""
    side = fight.side(event.seat)
    room = {name: 0 if fight.naval else side.count(arm) for arm, name in enumerate(ARMS)} | {"galley": side.galleys}
    return marked_roll(event.faces, event.seat, event.hits, room)


def pause(event: Event) -> float:
    """Return how many seconds joining units are shown; 0 for other events."""
    return _JOINED if isinstance(event, e.Committed | e.Lent) else 0.0


def verdict(event: Event) -> Verdict | None:
    """Return what an event says of a battle's end, or None."""
    match event:
        case e.BattleEnded(winner=winner):
            return Verdict(over=True, winner=winner)
        case e.CityTaken() | e.SlippedAway() | Retreated():
            return Verdict()
        case _:
            return None


BATTLE_SCENE: Final = BattleScene(
    verdict, read, roll, after, pause, changed, title, body, height, LEADERS, BATTLE_ODDS, {REBELS: _("The slaves")}
)  # fmt: skip
