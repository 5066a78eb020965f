"""A moment of a match that has a name."""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from shared.ids import NONE, Seat, Space


class Kind(Enum):
    """What a moment is. DECISION: somebody is about to decide."""

    ROUND = auto()
    TURN = auto()
    BATTLE = auto()
    DECISION = auto()


class Moment(Struct, frozen=True):
    """A version. `seat`: whose turn or decision, or who attacks in the `space`. `round`: as in `Ruleset`."""

    version: int
    kind: Kind
    seat: Seat = NONE
    space: Space = NONE
    round: tuple[int, ...] = ()
