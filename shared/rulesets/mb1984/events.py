"""Events of a 1984 match, for the log, sound and motion. Spaces, seats and pieces as in state.py."""

import msgspec

from shared.ids import Seat, Space
from shared.kernel.frames import Event
from shared.rulesets.conquest.vocabulary import CommonEvent


class Aimed(Event, frozen=True, array_like=True, gc=False, tag=26):
    """`seat` declares a target of that kind; `needed`: the lowest die that destroys it, 1 for no roll."""

    seat: Seat
    space: Space
    kind: int
    needed: int


class Looted(Event, frozen=True, array_like=True, gc=False, tag=27):
    """`seat` conquered the home of `loser` and took the talents saved there."""

    seat: Seat
    loser: Seat
    talents: int


class RoadsLost(Event, frozen=True, array_like=True, gc=False, tag=28):
    """Roads to a conquered or destroyed city were removed; edges of the board."""

    space: Space
    roads: tuple[int, ...]


class Rewarded(Event, frozen=True, array_like=True, gc=False, tag=29):
    """`seat` received talents for a captured Caesar."""

    seat: Seat
    talents: int


AnyEvent = CommonEvent | Aimed | Looted | RoadsLost | Rewarded

DECODER = msgspec.msgpack.Decoder(AnyEvent)
