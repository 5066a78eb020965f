"""What all matches without a server have in common: no clock runs, nobody pauses, nobody takes a seat."""

from __future__ import annotations

from client.network.model import Told


class OfflineMatch:
    """A part of a `TableMatch`."""

    def __init__(self) -> None:
        self._told: list[Told] = []

    def take_events(self) -> list[Told]:
        """The events since the last call."""
        told, self._told = self._told, []
        return told

    def seconds_left(self) -> float | None:
        """No clock."""
        return None

    def times(self) -> tuple[float, ...]:
        """No clocks."""
        return ()

    @property
    def paused(self) -> bool:
        """Never."""
        return False

    @property
    def replaced(self) -> bool:
        """Never."""
        return False

    def come_back(self) -> None:
        """Nobody has taken the seat."""
