"""Events of 1984 in words."""

from __future__ import annotations

from typing import Final

from shared.board import BOARD
from shared.kernel.frames import Event
from shared.language.sentence import Person, Sentence, Value, _, ngettext
from shared.mechanics.aimed import NO_ROLL
from shared.rulesets.mb1984 import events as e
from shared.rulesets.mb1984.state import LEADERS
from shared.sentences import conquest
from shared.sentences.parts import talents_words
from shared.vocabulary.events import DiceFell, InflationTriggered

TARGETS: Final = (_("an infantry unit"), _("a cavalry unit"), _("a catapult"), _("a galley"))
"""Targets of a shot, by their kind."""


def tell(event: Event) -> Sentence | None:
    """Return the sentence for an event; None for events that need none."""
    match event:
        case e.Aimed():
            return _aimed(event)
        case DiceFell(seat=seat, faces=faces, hits=hits):
            who, number = Person(seat), faces[0] + 1
            if hits:
                return _("{who} rolls {number}: a hit.", who=who, number=number)
            return _("{who} rolls {number}: a miss.", who=who, number=number)
        case e.Looted(seat=seat, loser=loser, talents=talents):
            return _(
                "{who} takes the treasury of {who2}: {talents}.",
                who=Person(seat),
                who2=Person(loser),
                talents=talents_words(talents),
            )
        case e.RoadsLost(space=space, roads=roads):
            return ngettext(
                "A road to {place} is torn up.",
                "{n} roads to {place} are torn up.",
                len(roads),
                place=BOARD.names[space],
            )
        case e.Rewarded(seat=seat, talents=talents):
            who = Person(seat)
            return _("{who} is given {talents} talents for the captured Caesar.", who=who, talents=talents)
        case InflationTriggered(seat=seat, level=level):
            return _(
                "{who}'s wealth drives prices up: from the next player's turn everything costs {factor}.",
                who=Person(seat),
                factor=_("double") if level == 1 else _("triple"),
            )
        case _other:
            return conquest.tell(event, LEADERS)


def _aimed(event: e.Aimed) -> Sentence:
    who, target = Person(event.seat), TARGETS[event.kind]
    if event.needed == NO_ROLL:
        return _("{who} destroys {target} without a roll.", who=who, target=target)
    number: Value = 6 if event.needed == 6 else _("{needed} or more", needed=event.needed)
    return _("{who} fires at {target}, needing {number}.", who=who, target=target, number=number)
