"""What a lobby knows of other nodes: nothing, where there are none."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from server.delivery.peer import Peer, TablePort
from server.storage.port import PersonRecord, Standing, TableRecord
from shared.messages import LobbyChange, SeatInfo
from shared.refusal import Refusal


class Elsewhere(Struct, frozen=True):
    """A match as the node that runs it knows it, up to `version`. `refusal`: why who asked may not look on."""

    table: TableRecord
    standing: Standing | None
    seats: tuple[SeatInfo, ...]
    version: int
    refusal: Refusal | None


class Abroad(Protocol):
    """The other nodes."""

    has_others: bool
    """Whether there can be any."""

    def at(self, match: str) -> TablePort | None:
        """A table elsewhere at which clients of this node are already."""

    def seat_at(self, match: str, peer: Peer) -> int | None:
        """Where a client sits at a table elsewhere (LOOKING_ON: nowhere), None for one that is not there."""

    def table(self, record: TableRecord, owner: str) -> TablePort | None:
        """A table that the node `owner` runs, if that can be reached at all."""

    async def look(self, match: str, owner: str, peer: Peer, code: str) -> Elsewhere | None:
        """How a match stands that the node `owner` runs, and whether that peer may look on with that code. Raises
        StoreError."""

    async def key(self, match: str, owner: str, seat: int) -> bytes:
        """A key to a seat of a match that the node `owner` runs. Raises StoreError."""

    async def with_hand(self, code: str) -> TablePort | None:
        """The table elsewhere at which a hand is read with that code. Raises StoreError."""

    def tell_guests(self, message: Struct) -> None:
        """Say something to all clients of this node who are at tables elsewhere."""

    def tell_news(self, changes: Sequence[LobbyChange]) -> None:
        """What changed on this node's list."""

    def tell_person(self, person: PersonRecord, gone: bool = False) -> None:
        """A profile has changed."""

    def tell_passage(self, code: str, person: str, seconds: float) -> None:
        """A code leads to a profile for so long; 0: no more."""

    def tell_seat_code(self, code: str, match: str, seat: int) -> None:
        """A code opens a seat; no match: no more."""


class Nowhere:
    """There are no other nodes."""

    has_others = False

    def at(self, match: str) -> TablePort | None:
        """See `Abroad`."""
        return None

    def seat_at(self, match: str, peer: Peer) -> int | None:
        """See `Abroad`."""
        return None

    def table(self, record: TableRecord, owner: str) -> TablePort | None:
        """See `Abroad`."""
        return None

    async def look(self, match: str, owner: str, peer: Peer, code: str) -> Elsewhere | None:
        """See `Abroad`."""
        return None

    async def key(self, match: str, owner: str, seat: int) -> bytes:
        """See `Abroad`."""
        raise LookupError(owner)

    async def with_hand(self, code: str) -> TablePort | None:
        """See `Abroad`."""
        return None

    def tell_guests(self, message: Struct) -> None:
        """See `Abroad`."""

    def tell_news(self, changes: Sequence[LobbyChange]) -> None:
        """See `Abroad`."""

    def tell_person(self, person: PersonRecord, gone: bool = False) -> None:
        """See `Abroad`."""

    def tell_passage(self, code: str, person: str, seconds: float) -> None:
        """See `Abroad`."""

    def tell_seat_code(self, code: str, match: str, seat: int) -> None:
        """See `Abroad`."""
