"""Events of 1984 in words, a sentence for each."""

from __future__ import annotations

from client.games.conquest import event_text
from client.games.mb1984.prompts import TARGETS
from client.language import _, ngettext
from client.table.words import Who, talents_words
from shared.board import BOARD
from shared.kernel.frames import Event
from shared.mechanics.aimed import NO_ROLL
from shared.rulesets.mb1984 import events as e
from shared.rulesets.mb1984.state import LEADERS
from shared.vocabulary.events import DiceFell, InflationTriggered


def _number(needed: int) -> str:
    return "6" if needed == 6 else _("{needed} or more", needed=needed)


def tell(event: Event, who: Who) -> str:
    """Return the sentence for an event."""
    match event:
        case e.Aimed(seat=seat, kind=kind, needed=needed):
            target = TARGETS[kind]
            if needed == NO_ROLL:
                return _("{who} destroys {target} without a roll.", who=who(seat), target=target)
            return _("{who} fires at {target}, needing {number}.", who=who(seat), target=target, number=_number(needed))
        case DiceFell(seat=seat, faces=faces, hits=hits):
            said = _("{who} rolls {number}: a hit.") if hits else _("{who} rolls {number}: a miss.")
            return said.format(who=who(seat), number=faces[0] + 1)
        case e.Looted(seat=seat, loser=loser, talents=talents):
            return _(
                "{who} takes the treasury of {who2}: {talents}.",
                who=who(seat),
                who2=who(loser),
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
            return _("{who} is given {talents} talents for the captured Caesar.", who=who(seat), talents=talents)
        case InflationTriggered(seat=seat, level=level):
            factor = _("double") if level == 1 else _("triple")
            return _(
                "{who}'s wealth drives prices up: from the next player's turn everything costs {factor}.",
                who=who(seat),
                factor=factor,
            )
        case _:
            return event_text.tell(event, who, LEADERS)
