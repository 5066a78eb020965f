"""Port of the ladder, as the lobby uses it."""

from typing import Protocol

from msgspec import Struct

from server.delivery.peer import Peer
from server.storage.port import TableRecord
from shared import messages as m


class LadderSettings(Struct, frozen=True):
    """Settings of a ladder. `seats` of each match, as far as the game allows; `most`: matches at the same time."""

    seats: int = 2
    most: int = 16


class RatedMatches(Protocol):
    """The ladder: it pairs bots and counts their matches."""

    async def begin(self) -> None:
        """Read what is stored, and begin to pair. Raises StoreError."""

    def stop(self) -> None:
        """Begin no more matches."""

    async def hear(self, peer: Peer, message: m.Compete) -> None:
        """Handle `Compete` of a peer at no table. Raises StoreError."""

    def gone(self, peer: Peer) -> None:
        """Forget a peer that waits."""

    def rate(self, record: TableRecord) -> None:
        """Count a rated match that is over."""
