"""What happens in 1984, a sentence for each event."""

from __future__ import annotations

from client.games.conquest import tale
from client.games.mb1984.prompts import TARGETS
from client.language import _
from client.table.words import Who, talents_words
from shared.board import BOARD
from shared.kernel.frames import Event
from shared.mechanics.aimed import NO_ROLL
from shared.rulesets.mb1984 import events as e
from shared.rulesets.mb1984.state import LEADERS


def _number(needed: int) -> str:
    return "6" if needed == 6 else _("{needed} or more", needed=needed)


def tell(event: Event, who: Who) -> str:
    """The sentence for an event."""
    match event:
        case e.Aimed(seat=seat, kind=kind, needed=needed):
            target = TARGETS[kind]
            if needed == NO_ROLL:
                return _("{who} destroys {target} without a roll.", who=who(seat), target=target)
            return _("{who} fires at {target}, needing {number}.", who=who(seat), target=target, number=_number(needed))
        case e.DiceFell(seat=seat, faces=faces, hits=hits):
            return _(
                "{who} rolls {what}: {what2}.", who=who(seat), what=faces[0] + 1, what2="a hit" if hits else "a miss"
            )
        case e.Looted(seat=seat, loser=loser, talents=talents):
            return _(
                "{who} takes the treasury of {who2}: {talents}.",
                who=who(seat),
                who2=who(loser),
                talents=talents_words(talents),
            )
        case e.RoadsLost(space=space, roads=roads):
            count = "A road" if len(roads) == 1 else f"{len(roads)} roads"
            return _(
                "{count} to {place} {what} torn up.",
                count=count,
                place=BOARD.names[space],
                what="is" if len(roads) == 1 else "are",
            )
        case e.Rewarded(seat=seat, talents=talents):
            return _("{who} is given {talents} talents for the captured Caesar.", who=who(seat), talents=talents)
        case e.InflationTriggered(seat=seat, level=level):
            factor = "double" if level == 1 else "triple"
            return _(
                "{who}'s wealth drives prices up: from the next player's turn everything costs {factor}.",
                who=who(seat),
                factor=factor,
            )
        case _:
            return tale.tell(event, who, LEADERS)
