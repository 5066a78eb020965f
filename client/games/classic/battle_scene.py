"""Display of battles in Classic: legions, with the units laid down and those in reserve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.games.battle_dice import marked_roll
from client.games.classic.battle_state import BATTLE_ODDS, Fight, Side, after, changed, read
from client.games.conquest.shared_guide import verdict
from client.language import _
from client.table.battle_playback import BattleScene, Block, Note, PlaybackStep, Roll
from shared.board import BOARD
from shared.ids import GALLEY, NO_ARMY, Seat
from shared.kernel.frames import Event
from shared.rulesets.classic.state import LEADERS
from shared.vocabulary import events as e


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


def blocks(beat: PlaybackStep[Fight], seat: Seat) -> list[Block]:
    """Return the units of a side: its legion, and behind it those in reserve."""
    fight = beat.fight
    side = fight.side(seat)
    if fight.naval:
        return [Block(seat, GALLEY, len(side.galleys))]
    legion, reserve = (side.legion, side.reserve) if side.formed else (side.reserve, NO_ARMY)
    found = [Block(seat, arm, legion[arm], side.down[arm] * side.formed) for arm in range(3) if legion[arm]]
    return found + [Block(seat, arm, reserve[arm], helps=_("Reserve")) for arm in range(3) if reserve[arm]]


def notes(_beat: PlaybackStep[Fight], _seat: Seat) -> list[Note]:
    """Return no lines: the units say all."""
    return []


def _pause(_event: Event) -> float:
    return 0.0


def _roll(event: e.DiceFell, fight: Fight) -> Roll:
    return scored(event.faces, fight, event.seat, event.hits)


BATTLE_SCENE: Final = BattleScene(
    verdict, read, _roll, after, _pause, changed, title, blocks, notes, LEADERS, BATTLE_ODDS
)
