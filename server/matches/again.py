"""Once more with the same people: the table that follows one whose match is over."""

import random
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct, structs

from server.delivery.peer import Peer
from server.matches.seating import Chair
from server.storage.port import ChairRecord, TableRecord
from shared.ids import NONE
from shared.messages import Invited
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, Arrangement, TablePhase

KEPT: Final = 600.0
"""Seconds for which a seat is held for somebody who has not come yet."""


class Founder(Protocol):
    """Whoever opens tables."""

    async def renew(self, peer: Peer, record: TableRecord) -> Refusal | None:
        """Open that table, giving it an id and a code, on behalf of a peer; or why not. Raises StoreError."""

    def gathers(self, match: str) -> bool:
        """Whether that table is there and has not begun."""


class Next(Struct, frozen=True):
    """The next table: who asked for it, and by the seat that somebody had, that which is held for him, with its key."""

    match: str
    code: str
    name: str
    held: Mapping[int, tuple[int, bytes]]

    def invitation(self, seat: int, ref: int) -> Invited:
        """For whoever had that seat, or looked on."""
        there, token = self.held.get(seat, (LOOKING_ON, b""))
        return Invited(ref, self.match, self.code, there, token, self.name)


def order(seats: int, arrangement: Arrangement, source: random.Random) -> list[int]:
    """Who had which seat, by the seats that they have next."""
    if arrangement == Arrangement.SHUFFLE:
        return source.sample(range(seats), seats)
    return [(seat - (arrangement == Arrangement.ROTATE)) % seats for seat in range(seats)]


def following(before: TableRecord, places: Sequence[int], gone: set[int], host: int) -> TableRecord:
    """The record of the next table, which has no id yet; the seats of those who have `gone` are free. `host`: his seat
    before."""
    chairs = [ChairRecord() if seat in gone else _again(before.chairs[seat]) for seat in places]
    own = places.index(host) if host in places else NONE
    new = structs.replace(before, chairs=chairs, host=own, phase=TablePhase.GATHERING, talk=[], words=0, standing=None)
    new = structs.replace(new, begun=0, due=0, root=b"", started=0, ended=0, signature=b"", result=None)
    return structs.replace(new, kicked=(), muted=(), polls=(), missed=(), rested=0, unplayed=False)


def hold(record: TableRecord, places: Sequence[int]) -> dict[int, tuple[int, bytes]]:
    """Keys to the seats of all people at the next table, by the seats that they had."""
    people = [(seat, chair) for seat, chair in enumerate(record.chairs) if chair.name]
    return {places[seat]: (seat, Chair(chair).offer_token()) for seat, chair in people}


def _again(chair: ChairRecord) -> ChairRecord:
    return ChairRecord(chair.name, chair.bot, person=chair.person)
