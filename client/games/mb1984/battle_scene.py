"""Display of battles of 1984: units with the number that each target needs, and the sum of the advantage."""

from __future__ import annotations

from typing import Final

from client.games.conquest.shared_guide import verdict
from client.games.mb1984.battle_state import BATTLE_ODDS, Fight, Side, after, changed, read, reason, sources
from client.language import _
from client.table.battle_playback import BattleScene, Block, Note, PlaybackStep, Roll
from client.table.pieces import UNITS
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.mechanics.aimed_shots import NO_ROLL
from shared.rulesets.mb1984.events import Aimed
from shared.rulesets.mb1984.state import LEADERS
from shared.vocabulary import events as e

_DIE: Final = tuple(f"die_{pips}" for pips in range(1, 7))
_AIMED: Final = 1.0
_SURE: Final = 1.6
"""Seconds for which a declared target, and a shot that needs no die, are seen."""


def title(fight: Fight) -> str:
    """Return the battle's title."""
    named = {"place": BOARD.names[fight.space], "round": fight.round}
    if fight.naval:
        return _("Naval battle · {place} · round {round}", **named)
    return _("Battle of {place} · round {round}", **named)


def blocks(beat: PlaybackStep[Fight], seat: Seat) -> list[Block]:
    """Return the units of a side, with the number that they need where they are fired at."""
    fight = beat.fight
    side = fight.side(seat)
    target = side.seat != fight.shooter and not beat.winner >= 0
    return [_block(fight, side, kind, target) for kind in range(len(UNITS)) if side.count(kind)]


def _block(fight: Fight, side: Side, kind: int, target: bool) -> Block:
    free = target and not fight.sheltered(kind)
    return Block(
        side.seat, kind, side.count(kind), words=_needs(fight, kind) if target else "",
        why=reason(fight, kind) if free else "", free=free, lit=free and kind == fight.kind,
    )  # fmt: skip


def _needs(fight: Fight, kind: int) -> str:
    if fight.sheltered(kind):
        return _("safe")
    number = fight.needed(kind)
    return _("no roll") if number == NO_ROLL else "6" if number == 6 else f"{number}+"


def notes(beat: PlaybackStep[Fight], seat: Seat) -> list[Note]:
    """Return whether a side fires, and what it has for the advantage."""
    fight = beat.fight
    side = fight.side(seat)
    found = [Note(sources(side))]
    if fight.ahead(seat):
        found.insert(0, Note(_("advantage +{ahead}", ahead=fight.ahead(seat)), strong=True))
    if seat == fight.shooter and beat.winner < 0:
        found.insert(0, Note(_("fires now") if fight.kind >= 0 else _("fires next"), strong=True))
    return found


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


BATTLE_SCENE: Final = BattleScene(
    verdict, read, roll, after, pause, changed, title, blocks, notes, LEADERS, BATTLE_ODDS
)
