"""Events of the table rather than of a game, and moments to which a match can go back, for texts about them."""

from enum import Enum, auto

from msgspec import Struct

from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.messages import Poll


class MomentKind(Enum):
    """Kind of a moment. DECISION: a seat is about to decide."""

    ROUND = auto()
    TURN = auto()
    BATTLE = auto()
    DECISION = auto()


class NamedVersion(Struct, frozen=True):
    """Named version.

    `seat`: the one with the turn, the decision, or the attack in the `space`. `round`: as in `Ruleset`.
    """

    version: int
    kind: MomentKind
    seat: Seat = NONE
    space: Space = NONE
    round: tuple[int, ...] = ()


class TableEvent(Event, frozen=True, array_like=True):
    """Base of the table's events; they belong to no game."""


class WentBack(TableEvent, frozen=True, array_like=True):
    """Return to an earlier position.

    `seat`: the one that undid its own decision, NONE if all agreed; `to`: the version whose position it is.
    """

    seat: Seat
    to: int


class Asked(TableEvent, frozen=True, array_like=True):
    """Question to the players at the table, or its decision.

    `fresh`: the question was not shown before. `moment`: the moment to go back to, if that is known.
    """

    poll: Poll
    fresh: bool
    moment: NamedVersion | None = None
