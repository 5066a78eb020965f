"""What happens to a match rather than in it, for those who tell events: no events of any game."""

from __future__ import annotations

from client.network.moment import Moment
from shared.ids import Seat
from shared.kernel.frames import Event
from shared.messages import Poll


class TableEvent(Event, frozen=True, array_like=True):
    """See the module's docstring."""


class WentBack(TableEvent, frozen=True, array_like=True):
    """An old position came back. `seat`: who took a decision of his own back, NONE: all agreed; `to`: the version whose
    position it is."""

    seat: Seat
    to: int


class Asked(TableEvent, frozen=True, array_like=True):
    """The people at the table are asked something, or have decided it. `fresh`: the question was not told before.
    `moment`: where it would go back to, if that is known."""

    poll: Poll
    fresh: bool
    moment: Moment | None = None
