"""Battle drawing code that both conquest games share."""

from __future__ import annotations

from client.table.battle_playback import Verdict
from shared.kernel.frames import Event
from shared.vocabulary import events as e


def verdict(event: Event) -> Verdict | None:
    """Return what an event says of a battle's end, or None."""
    match event:
        case e.BattleEnded(winner=winner):
            return Verdict(over=True, winner=winner)
        case e.Eliminated():
            return Verdict(caesar=True)
        case e.Captured() | e.Retreated() | e.Conquered():
            return Verdict()
        case _:
            return None
