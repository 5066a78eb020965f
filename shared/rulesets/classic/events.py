"""Events of a Classic match, for the log, sound and motion. Spaces, seats and pieces as in state.py."""

import msgspec

from shared.ids import Seat
from shared.kernel.frames import Event
from shared.rulesets.conquest.vocabulary import CommonEvent


class Refunded(Event, frozen=True, array_like=True, gc=False, tag=19):
    """Pieces that could not be placed went back for their price."""

    seat: Seat
    talents: int


AnyEvent = CommonEvent | Refunded

DECODER = msgspec.msgpack.Decoder(AnyEvent)
