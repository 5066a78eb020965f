"""Rematch: the next table for the people of a match that is over."""

import random
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct, structs

from server.delivery.peer import Peer
from server.matches.seating import SeatHolder
from server.storage.port import ChairRecord, TableRecord
from shared.ids import NONE
from shared.messages import Block, Invited, Report
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, Arrangement, TablePhase

KEPT: Final = 600.0
"""Seconds for which the next table and its held seats outlast the last person there."""


class Founder(Protocol):
    """Interface of the lobby that opens the next table, and counts rated matches."""

    async def renew(self, peer: Peer, record: TableRecord) -> Refusal | None:
        """Open a table for `record` on behalf of a peer, and give it an id and a code.

        Return a refusal if that is not allowed. Raises StoreError.
        """

    async def report(self, peer: Peer, person: str, match: str, message: Report) -> Refusal | None:
        """Store a peer's report of a person, or return why it is refused. Raises StoreError."""

    async def block(self, peer: Peer, person: str, message: Block) -> Refusal | None:
        """Store what a peer wishes of a person, or return why it is refused. Raises StoreError."""

    def tell_blocks(self, peer: Peer, ref: int, here: tuple[str, ...]) -> None:
        """Tell a peer its list, and the names at its table that it hides."""

    def gathers(self, match: str) -> bool:
        """Whether the table exists and its match has not begun."""

    def rate(self, record: TableRecord) -> None:
        """Count a rated match that is over."""

    def rate_people(self, record: TableRecord) -> None:
        """Change the ratings of the people of a rated table."""

    def count(self, record: TableRecord, unfinished: set[int]) -> None:
        """Count a match that is over for the reliability of its people; those on `unfinished` seats left it."""


class Next(Struct, frozen=True):
    """The next table. `name`: the player who asked for it. `held`: by old seat, the new seat that is held and its
    token."""

    match: str
    code: str
    name: str
    held: Mapping[int, tuple[int, bytes]]

    def invitation(self, seat: int, ref: int) -> Invited:
        """Return the invitation for the player of an old seat, or for a spectator."""
        there, token = self.held.get(seat, (LOOKING_ON, b""))
        return Invited(ref, self.match, self.code, there, token, self.name)


def order(seats: int, arrangement: Arrangement, source: random.Random) -> list[int]:
    """Return, by new seat, the old seat of its player."""
    if arrangement == Arrangement.SHUFFLE:
        return source.sample(range(seats), seats)
    return [(seat - (arrangement == Arrangement.ROTATE)) % seats for seat in range(seats)]


def following(before: TableRecord, places: Sequence[int], gone: set[int], host: int) -> TableRecord:
    """Return the record of the next table, which has no id yet.

    `gone`: old seats of players who left; their new seats are free. `host`: the host's old seat.
    """
    chairs = [ChairRecord() if seat in gone else _again(before.chairs[seat]) for seat in places]
    own = places.index(host) if host in places else NONE
    # A copy, then all that belongs to the old match alone is reset: new options of tables carry over by themselves.
    new = structs.replace(before, chairs=chairs, host=own, phase=TablePhase.GATHERING, talk=[], words=0, standing=None)
    new = structs.replace(new, begun=0, due=0, root=b"", started=0, ended=0, signature=b"", result=None)
    new = structs.replace(new, rated=False, forfeited=(), idle=(), limited=(), sought=False, overdue=())
    return structs.replace(new, kicked=(), muted=(), polls=(), missed=(), rested=0, unplayed=False)


def hold(record: TableRecord, places: Sequence[int]) -> dict[int, tuple[int, bytes]]:
    """Return new seats and their tokens for all people, by old seat."""
    people = [(seat, chair) for seat, chair in enumerate(record.chairs) if chair.name]
    return {places[seat]: (seat, SeatHolder(chair).offer_token()) for seat, chair in people}


def _again(chair: ChairRecord) -> ChairRecord:
    return ChairRecord(chair.name, chair.bot, person=chair.person, held=bool(chair.name), device=chair.device)
