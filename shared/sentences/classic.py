"""Events of Classic in words."""

from __future__ import annotations

from shared.kernel.frames import Event
from shared.language.sentence import Person, Sentence, _
from shared.rulesets.classic.events import Refunded
from shared.rulesets.classic.state import LEADERS
from shared.sentences import conquest
from shared.vocabulary.events import InflationTriggered


def tell(event: Event) -> Sentence | None:
    """Return the sentence for an event; None for events that need none."""
    match event:
        case Refunded(seat=seat, talents=talents):
            who = Person(seat)
            return _("{who} gets {talents} talents back for what could not be placed.", who=who, talents=talents)
        case InflationTriggered(seat=seat, level=level):
            return _(
                "{who}'s wealth drives prices up: {since} everything costs {factor}.",
                who=Person(seat),
                since=_("from the same turn of the next round"),
                factor=_("double") if level == 1 else _("triple"),
            )
        case _other:
            return conquest.tell(event, LEADERS)
