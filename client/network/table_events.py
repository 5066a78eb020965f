"""Events of the table rather than of a game, for the texts that describe events."""

from __future__ import annotations

from client.network.moment import Moment
from shared.ids import Seat
from shared.kernel.frames import Event
from shared.messages import Poll


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
    moment: Moment | None = None
