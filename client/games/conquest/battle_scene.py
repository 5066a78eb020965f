"""What is alike about how battles of both games of conquest are seen."""

from __future__ import annotations

from client.table.battle_playback import Verdict
from shared.kernel.frames import Event
from shared.vocabulary import events as e


def verdict(event: Event) -> Verdict | None:
    """What an event says of a battle's end."""
    match event:
        case e.BattleEnded(winner=winner):
            return Verdict(over=True, winner=winner)
        case e.Captured() | e.Retreated() | e.Conquered() | e.Eliminated():
            return Verdict()
        case _:
            return None
