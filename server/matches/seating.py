"""Who sits where, whose table it is, and by which token a seat is taken again. No sockets, no clock."""

import hashlib
import hmac
import secrets
from typing import Final

from server.storage.port import ChairRecord
from shared.ids import NONE
from shared.messages import SeatInfo
from shared.refusal import Refusal
from shared.tables import SeatKind

TOKEN_BYTES: Final = 32
HASH_BYTES: Final = 32
OFFERS: Final = 4
"""Tokens of a seat that are offered at a time."""


def hashed(token: bytes) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token).digest()


def _parts(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]


class Chair:
    """One seat: its record, whether its person is here, and whether a bot plays for an absent one."""

    def __init__(self, record: ChairRecord) -> None:
        self.record = record
        self.here = False
        self.absences = 0
        """How often its person went away: tells one absence from the next."""

    @property
    def kind(self) -> SeatKind:
        """Who decides here now."""
        if self.record.bot:
            return SeatKind.BOT
        if not self.record.name:
            return SeatKind.FREE
        if self.record.stand_in:
            return SeatKind.STAND_IN
        return SeatKind.PERSON if self.here else SeatKind.AWAY

    @property
    def bot(self) -> str:
        """The kind of bot that decides here now, "" for none."""
        return self.record.bot or self.record.stand_in

    @property
    def info(self) -> SeatInfo:
        """What the table shows."""
        return SeatInfo(self.kind, self.record.name, self.bot)

    def offer_token(self) -> bytes:
        """A new token. The present one stays valid until a new one is known to have arrived, and so do those offered
        before: what came late of a connection that was given up must not make void what its successor was told."""
        token = secrets.token_bytes(TOKEN_BYTES)
        self.record.offered = (self.record.offered + hashed(token))[-OFFERS * HASH_BYTES :]
        return token

    def new_key(self) -> bytes:
        """A token for somebody who may be another person than the one who was here: nobody reads along any more."""
        self.record.readers = b""
        return self.offer_token()

    def is_offered(self, known: bytes) -> bool:
        """Whether a token with that hash was offered, and is not known to have arrived."""
        return known in self._offered

    def confirm(self, known: bytes) -> None:
        """The person speaks on a connection on which the token with that hash was told: it has arrived, and no bot
        plays here. Older tokens are void then; later ones were told on other connections, and may have arrived there.
        """
        if self.is_offered(known):
            later = self._offered[self._offered.index(known) + 1 :]
            self.record.token, self.record.offered = known, b"".join(later)
        self.record.stand_in = ""

    def admits(self, token: bytes) -> bool:
        """Whether the token opens this seat."""
        given = hashed(token)
        # All are compared always: the time taken says nothing.
        found = [hmac.compare_digest(given, known) for known in (self.record.token, *self._offered)]
        return any(found)

    def is_of(self, person: str, proof: bytes, token: bytes) -> bool:
        """Whether the token is the secret of the profile to which the seat belongs; `proof`: its hash."""
        return bool(person) and person == self.record.person and hmac.compare_digest(hashed(token), proof)

    def sit(self, name: str, person: str = "", key: bytes = b"") -> bytes:
        """A person takes the seat, by a request with that key; returns the token."""
        self.record.name, self.record.person = name, person
        self.record.key = hashed(key) if key else b""
        return self.offer_token()

    def return_by(self, token: bytes) -> bytes:
        """Its person comes back, by a token that it admits or as who he is; returns the next one."""
        given = hashed(token)
        if self.is_offered(given):
            self.record.token, self.record.offered = given, b""
        self.record.stand_in = ""
        return self.offer_token()

    def give_to_bot(self, kind: str, at: int) -> None:
        """A bot of that kind plays for the absent person from the age `at` of the match."""
        if not self.record.stand_in:
            self.record.left_at = at
        self.record.stand_in = kind

    def leave(self) -> None:
        """Its person is not here any more; the seat is held."""
        self.here = False
        self.absences += 1

    def clear(self) -> None:
        """The seat is nobody's any more, and no token opens it."""
        record = self.record
        record.name = record.bot = record.stand_in = record.person = ""
        record.token = record.offered = record.number = record.readers = record.key = b""

    def offer_reading(self, most: int) -> bytes:
        """A token that only lets one read along; of more than `most` the oldest is void."""
        token = secrets.token_bytes(TOKEN_BYTES)
        self.record.readers = (self.record.readers + hashed(token))[-most * HASH_BYTES :]
        return token

    def reader(self, token: bytes) -> bytes:
        """The hash of a token that lets one read along; empty if it does not."""
        given = hashed(token)
        found = [hmac.compare_digest(given, known) for known in self.readers]
        return given if any(found) else b""

    @property
    def readers(self) -> list[bytes]:
        """The hashes of all such tokens, the oldest first."""
        return _parts(self.record.readers)

    @property
    def _offered(self) -> list[bytes]:
        return _parts(self.record.offered)


class Seating:
    """The chairs of a table."""

    def __init__(self, records: list[ChairRecord]) -> None:
        self.chairs = [Chair(record) for record in records]

    @property
    def taken(self) -> int:
        """How many seats are not free."""
        return sum(chair.kind != SeatKind.FREE for chair in self.chairs)

    @property
    def away(self) -> int:
        """How many seats are held for somebody who is not here."""
        return sum(chair.kind in (SeatKind.AWAY, SeatKind.STAND_IN) for chair in self.chairs)

    def resized(self, count: int) -> list[Chair]:
        """The chairs of a table of so many seats, no fewer than are taken: free ones go, the last first."""
        free = [chair for chair in self.chairs if chair.kind == SeatKind.FREE]
        going = free[len(free) - max(0, len(self.chairs) - count) :]
        kept = [chair for chair in self.chairs if chair not in going]
        return kept + [Chair(ChairRecord()) for _ in range(count - len(kept))]

    def infos(self) -> tuple[SeatInfo, ...]:
        """All seats as the table shows them."""
        return tuple([chair.info for chair in self.chairs])

    def free_seat(self, wanted: int) -> int | Refusal:
        """The wanted seat, or the first free one for ANY_SEAT."""
        if wanted >= len(self.chairs):
            return Refusal("no-seat", "", "There is no such seat at this table.")
        if wanted >= 0:
            free = self.chairs[wanted].kind == SeatKind.FREE
            return wanted if free else Refusal("seat-taken", "", "That seat is taken.")
        for seat, chair in enumerate(self.chairs):
            if chair.kind == SeatKind.FREE:
                return seat
        return Refusal("full", "", "All seats are taken.")

    def seat_of(self, token: bytes) -> int | None:
        """The seat that a token opens."""
        found = [seat for seat, chair in enumerate(self.chairs) if chair.admits(token)]
        return found[0] if found else None

    def seat_taken_by(self, key: bytes) -> int | None:
        """The seat that was taken by a request with that key."""
        given = hashed(key)
        found = [seat for seat, chair in enumerate(self.chairs) if hmac.compare_digest(given, chair.record.key)]
        return found[0] if key and found else None

    def seat_of_person(self, person: str, proof: bytes, token: bytes) -> int | None:
        """The seat of a profile, if the token is its secret; of several one where nobody is."""
        own = [seat for seat, chair in enumerate(self.chairs) if chair.is_of(person, proof, token)]
        return min(own, key=lambda seat: self.chairs[seat].here, default=None)

    def next_host(self) -> int:
        """The first seat with a person present, NONE for none."""
        return next((seat for seat, chair in enumerate(self.chairs) if chair.here), NONE)
