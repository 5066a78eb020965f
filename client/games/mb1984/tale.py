"""What happens in 1984, a sentence for each event."""

from __future__ import annotations

from client.games.conquest import tale
from client.games.mb1984.prompts import TARGETS
from client.table.words import Who, talents_words
from shared.board import BOARD
from shared.kernel.frames import Event
from shared.mechanics.aimed import NO_ROLL
from shared.rulesets.mb1984 import events as e
from shared.rulesets.mb1984.state import LEADERS


def _number(needed: int) -> str:
    return "6" if needed == 6 else f"{needed} or more"


def tell(event: Event, who: Who) -> str:
    """The sentence for an event."""
    match event:
        case e.Aimed(seat=seat, kind=kind, needed=needed):
            target = TARGETS[kind]
            if needed == NO_ROLL:
                return f"{who(seat)} destroys {target} without a roll."
            return f"{who(seat)} fires at {target}, needing {_number(needed)}."
        case e.DiceFell(seat=seat, faces=faces, hits=hits):
            return f"{who(seat)} rolls {faces[0] + 1}: {'a hit' if hits else 'a miss'}."
        case e.Looted(seat=seat, loser=loser, talents=talents):
            return f"{who(seat)} takes the treasury of {who(loser)}: {talents_words(talents)}."
        case e.RoadsLost(space=space, roads=roads):
            count = "A road" if len(roads) == 1 else f"{len(roads)} roads"
            return f"{count} to {BOARD.names[space]} {'is' if len(roads) == 1 else 'are'} torn up."
        case e.Rewarded(seat=seat, talents=talents):
            return f"{who(seat)} is given {talents} talents for the captured Caesar."
        case e.InflationTriggered(seat=seat, level=level):
            factor = "double" if level == 1 else "triple"
            return f"{who(seat)}'s wealth drives prices up: from the next player's turn everything costs {factor}."
        case _:
            return tale.tell(event, who, LEADERS)
