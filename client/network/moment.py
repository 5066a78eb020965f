"""Named moment of a match."""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from shared.ids import NONE, Seat, Space


class Kind(Enum):
    """Kind of a moment. DECISION: a seat is about to decide."""

    ROUND = auto()
    TURN = auto()
    BATTLE = auto()
    DECISION = auto()


class Moment(Struct, frozen=True):
    """Named version.

    `seat`: the one with the turn, the decision, or the attack in the `space`. `round`: as in `Ruleset`.
    """

    version: int
    kind: Kind
    seat: Seat = NONE
    space: Space = NONE
    round: tuple[int, ...] = ()
