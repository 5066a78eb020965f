"""Interface between the lobby and other nodes, and its implementation for a single server."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from server.delivery.peer import Peer, TablePort
from server.storage.port import DeedRecord, OwedSeats, PersonRecord, TableRecord
from shared.messages import LobbyChange, SeatInfo
from shared.refusal import Refusal


class Elsewhere(Struct, frozen=True):
    """State of a match on the node that runs it, up to `version`. `refusal`: why the asking peer may not watch."""

    table: TableRecord
    standing: OwedSeats | None
    seats: tuple[SeatInfo, ...]
    version: int
    refusal: Refusal | None


class RemoteTables(Protocol):
    """Interface to the other nodes."""

    has_others: bool
    """Whether there can be other nodes."""

    @property
    def leads(self) -> bool:
        """Whether this node does what only one node may do: the first by name that is well."""

    def at(self, match: str) -> TablePort | None:
        """Return a table on another node at which clients of this node are already."""

    def seat_at(self, match: str, peer: Peer) -> int | None:
        """Return a client's seat at a table on another node (LOOKING_ON: none); None if the client is not there."""

    def table(self, record: TableRecord, owner: str) -> TablePort | None:
        """Return a table that the node `owner` runs, None if that node cannot be reached at all."""

    async def look(self, match: str, owner: str, peer: Peer, code: str) -> Elsewhere | None:
        """Return the state of a match that the node `owner` runs, and whether the peer may watch with that code.

        Raises StoreError.
        """

    async def key(self, match: str, owner: str, seat: int) -> bytes:
        """Return a new token for a seat of a match that the node `owner` runs. Raises StoreError."""

    async def with_hand(self, code: str) -> TablePort | None:
        """Return the table on another node whose hand that code opens. Raises StoreError."""

    @property
    def guests(self) -> Iterable[Peer]:
        """Clients of this node that are at tables of other nodes."""

    def tell_news(self, changes: Sequence[LobbyChange]) -> None:
        """Tell the other nodes the changes of this node's list."""

    def tell_person(self, person: PersonRecord, gone: bool = False, erased: bool = False) -> None:
        """Tell the other nodes that a profile has changed, is gone, or was erased for good."""

    def tell_deed(self, deed: DeedRecord) -> None:
        """Tell the other nodes that an entry was added to the operator's list."""

    def tell_passage(self, code: str, person: str, seconds: float) -> None:
        """Tell the other nodes that a code opens a profile for that many seconds; 0: no longer."""

    def tell_seat_code(self, code: str, match: str, seat: int) -> None:
        """Tell the other nodes that a code opens a seat; an empty `match`: no longer."""


class NoRemoteTables(RemoteTables):
    """Implementation of `RemoteTables` for a server without other nodes."""

    has_others = False
    leads = True

    def at(self, match: str) -> TablePort | None:
        return None

    def seat_at(self, match: str, peer: Peer) -> int | None:
        return None

    def table(self, record: TableRecord, owner: str) -> TablePort | None:
        return None

    async def look(self, match: str, owner: str, peer: Peer, code: str) -> Elsewhere | None:
        return None

    async def key(self, match: str, owner: str, seat: int) -> bytes:
        raise LookupError(owner)

    async def with_hand(self, code: str) -> TablePort | None:
        return None

    guests: Iterable[Peer] = ()

    def tell_news(self, changes: Sequence[LobbyChange]) -> None:
        pass

    def tell_person(self, person: PersonRecord, gone: bool = False, erased: bool = False) -> None:
        pass

    def tell_deed(self, deed: DeedRecord) -> None:
        pass

    def tell_passage(self, code: str, person: str, seconds: float) -> None:
        pass

    def tell_seat_code(self, code: str, match: str, seat: int) -> None:
        pass
