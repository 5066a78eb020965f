"""Battle drawing code that both conquest games share."""

from __future__ import annotations

from client.table.battle_playback import Verdict
from shared.board import BOARD
from shared.ids import Seat, Space
from shared.kernel.frames import Event
from shared.mechanics.table import Built
from shared.rulesets.conquest.table import Table
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


def built_by(table: Table, space: Space, defender: Seat) -> int:
    """Return the buildings behind the defender: nothing (0), a city (1), or the defender's own walls (2)."""
    if space >= BOARD.provinces:
        return 0
    own = table.owner[space] == defender
    return 2 if own and table.built[space] == Built.FORTIFIED else min(1, table.built[space])
