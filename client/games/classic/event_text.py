"""Events of Classic in words, a sentence for each."""

from __future__ import annotations

from client.games.conquest import event_text
from client.language import _
from client.table.words import Who
from shared.kernel.frames import Event
from shared.rulesets.classic.events import Refunded
from shared.rulesets.classic.state import LEADERS
from shared.vocabulary.events import InflationTriggered


def tell(event: Event, who: Who) -> str:
    """Return the sentence for an event."""
    match event:
        case Refunded(seat=seat, talents=talents):
            return _("{who} gets {talents} talents back for what could not be placed.", who=who(seat), talents=talents)
        case InflationTriggered(seat=seat, level=level):
            factor = _("double") if level == 1 else _("triple")
            since = _("from the same turn of the next round")
            return _(
                "{who}'s wealth drives prices up: {since} everything costs {factor}.",
                who=who(seat),
                since=since,
                factor=factor,
            )
        case _:
            return event_text.tell(event, who, LEADERS)
