"""Common part of all matches without a server: they have no clocks, pauses or takeovers."""

from client.network.blocks import Blocks
from client.network.model import VersionedEvent


class OfflineMatch:
    """Part of a `TableMatch` that is the same for all matches without a server."""

    blocks: Blocks | None = None

    def __init__(self) -> None:
        self._new_events: list[VersionedEvent] = []

    def take_events(self) -> list[VersionedEvent]:
        """Return the events since the last call."""
        events, self._new_events = self._new_events, []
        return events

    def seconds_left(self) -> float | None:
        """Return None: there is no clock."""
        return None

    def times(self) -> tuple[float, ...]:
        """Return an empty tuple: there are no clocks."""
        return ()

    @property
    def paused(self) -> bool:
        """False: the match is never paused."""
        return False

    @property
    def replaced(self) -> bool:
        """False: no bot takes over."""
        return False

    def come_back(self) -> None:
        """Do nothing: no bot took the seat."""
