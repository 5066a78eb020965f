"""What happens in Classic, a sentence for each event."""

from __future__ import annotations

from client.games.conquest import tale
from client.table.words import Who
from shared.kernel.frames import Event
from shared.rulesets.classic.events import InflationTriggered, Refunded
from shared.rulesets.classic.state import LEADERS


def tell(event: Event, who: Who) -> str:
    """The sentence for an event."""
    match event:
        case Refunded(seat=seat, talents=talents):
            return f"{who(seat)} gets {talents} talents back for what could not be placed."
        case InflationTriggered(seat=seat, level=level):
            factor = "double" if level == 1 else "triple"
            since = "from the same turn of the next round"
            return f"{who(seat)}'s wealth drives prices up: {since} everything costs {factor}."
        case _:
            return tale.tell(event, who, LEADERS)
