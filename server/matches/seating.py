"""Seats of a table, its host, and the tokens by which seats are taken again. No sockets, no clock."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Final

from msgspec import structs

from server.storage.port import ChairRecord
from shared.ids import NONE
from shared.messages import SeatInfo
from shared.refusal import Refusal
from shared.tables import NOT_COUNTED, SeatKind

TOKEN_BYTES: Final = 32
HASH_BYTES: Final = 32
OFFERS: Final = 4
"""Tokens of a seat that may be offered at the same time."""


def hashed(token: bytes) -> bytes:
    """Return the hash of a token; the token itself is never stored."""
    return hashlib.sha256(token).digest()


def _parts(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]


class SeatHolder:
    """A seat: its record, whether its person is here, and whether a bot plays for an absent one."""

    def __init__(self, record: ChairRecord) -> None:
        self.record = record
        self.here = False
        self.absences = 0
        """Times that its person left: tells one absence from the next."""

    @property
    def kind(self) -> SeatKind:
        """The kind of player that decides here now."""
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
        """The seat as the table shows it."""
        return SeatInfo(self.kind, self.record.name, self.bot)

    def offer_token(self) -> bytes:
        """Return a new token.

        The present token stays valid until a new one is known to have arrived; so do tokens offered before. A late
        answer on an abandoned connection must not invalidate the token that its successor was told.
        """
        token = secrets.token_bytes(TOKEN_BYTES)
        self.record.offered = (self.record.offered + hashed(token))[-OFFERS * HASH_BYTES :]
        return token

    def new_key(self) -> bytes:
        """Return a token for a person who may not be the one who sat here; its readers are removed."""
        self.record.readers = self.record.device = b""
        return self.offer_token()

    def void(self) -> None:
        """Make all tokens void."""
        self.record.token = self.record.offered = b""

    def is_offered(self, digest: bytes) -> bool:
        """Whether a token with that hash was offered and is not known to have arrived."""
        return digest in self._offered

    def confirm(self, digest: bytes) -> None:
        """Confirm that the offered token with that hash has arrived, because its connection sent a request.

        The person is here, so no bot stands in. Older tokens become void. Later ones were told on other connections and
        may have arrived there, so they stay valid.
        """
        if self.is_offered(digest):
            later = self._offered[self._offered.index(digest) + 1 :]
            self.record.token, self.record.offered = digest, b"".join(later)
        self.end_stand_in()

    def admits(self, token: bytes) -> bool:
        """Whether the token opens this seat."""
        given = hashed(token)
        # All hashes are compared in constant time, so timing reveals nothing.
        found = [hmac.compare_digest(given, digest) for digest in (self.record.token, *self._offered)]
        return any(found)

    def is_of(self, person: str, proof: bytes, token: bytes) -> bool:
        """Whether the token is the secret of the profile to which the seat belongs; `proof`: the secret's hash."""
        return bool(person) and person == self.record.person and hmac.compare_digest(hashed(token), proof)

    def sit(self, name: str, person: str = "", key: bytes = b"") -> bytes:
        """Seat a person by a request with that key; return the token."""
        self.record.name, self.record.person = name, person
        self.record.key = hashed(key) if key else b""
        return self.offer_token()

    def return_by(self, token: bytes) -> bytes:
        """Let its person return, by a token that it admits or by their profile; return the next token."""
        given = hashed(token)
        if self.is_offered(given):
            self.record.token, self.record.offered = given, b""
        self.end_stand_in()
        return self.offer_token()

    def give_to_bot(self, kind: str, at: int, turn: tuple[int, ...] | None = None) -> None:
        """Let a bot of that kind play for the absent person from the age `at` of the match.

        turn: the round in which it plays a single turn; None if it plays until the person is back.
        """
        if not self.record.stand_in:
            self.record.left_at = at
        self.record.stand_in, self.record.turn = kind, turn

    def end_stand_in(self) -> None:
        """Let no bot play for the person any more."""
        self.record.stand_in, self.record.turn = "", None

    def leave(self) -> None:
        """Note that its person left; the seat is held."""
        self.here = False
        self.absences += 1

    def clear(self) -> None:
        """Free the seat; no token opens it any more."""
        record = self.record
        record.name = record.bot = record.stand_in = record.person = ""
        record.token = record.offered = record.number = record.readers = record.key = record.device = b""
        record.turn, record.held = None, False

    def erase(self, name: str) -> None:
        """Take the seat from its person and call it by another name."""
        record = self.record
        record.name, record.person = name, ""
        record.token = record.offered = record.readers = record.key = record.device = b""

    def offer_reading(self, most: int) -> bytes:
        """Return a token that only lets a device read the hand. The oldest beyond `most` tokens becomes void."""
        token = secrets.token_bytes(TOKEN_BYTES)
        self.record.readers = (self.record.readers + hashed(token))[-most * HASH_BYTES :]
        return token

    def reader(self, token: bytes) -> bytes:
        """Return the hash of a token for reading the hand; empty if it is not valid."""
        given = hashed(token)
        found = [hmac.compare_digest(given, digest) for digest in self.readers]
        return given if any(found) else b""

    @property
    def readers(self) -> list[bytes]:
        """Hashes of all tokens for reading the hand, the oldest first."""
        return _parts(self.record.readers)

    @property
    def _offered(self) -> list[bytes]:
        return _parts(self.record.offered)


class KnownDevices:
    """Secrets of all profiles' devices. A token that was told to a device is void once the device was ended.

    `reliability`: of profiles, as in `SeatInfo`.
    """

    def __init__(self) -> None:
        self._secrets: dict[str, tuple[bytes, ...]] = {}
        self.reliability: dict[str, int] = {}
        self._ratings: dict[str, Mapping[str, tuple[int, int]]] = {}
        """By profile and kind, a rating with its uncertainty."""
        self.newcomer: tuple[int, int] = (0, 0)
        """The rating of people without one; zeros on servers without ratings."""

    def put(
        self,
        person: str,
        secrets: tuple[bytes, ...],
        reliability: int = NOT_COUNTED,
        ratings: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        """Note the hashes of a profile's secrets, its reliability, and its ratings by kind."""
        self._secrets[person] = secrets
        self.reliability[person] = reliability
        self._ratings[person] = ratings or {}

    def rating(self, person: str, kind: str) -> tuple[int, int]:
        """Return a person's rating with its uncertainty, zeros for none."""
        return self._ratings.get(person, {}).get(kind, self.newcomer) if person and kind else (0, 0)

    def remove(self, person: str) -> None:
        """Forget a profile: the tokens of its seats stay valid."""
        self._secrets.pop(person, None)
        self.reliability.pop(person, None)
        self._ratings.pop(person, None)

    def admit(self, chair: ChairRecord) -> bool:
        """Whether the tokens of a seat may open it."""
        secrets = self._secrets.get(chair.person)
        # Seats from before devices were noted have none, and guests without a profile have no list.
        return secrets is None or not chair.device or chair.device in secrets


class Seating:
    """The chairs of a table."""

    def __init__(self, records: list[ChairRecord], devices: KnownDevices | None = None) -> None:
        self.chairs = [SeatHolder(record) for record in records]
        self._devices = devices or KnownDevices()

    @property
    def taken(self) -> int:
        """Number of seats that are not free."""
        return sum(chair.kind != SeatKind.FREE for chair in self.chairs)

    @property
    def away(self) -> int:
        """Number of seats that are held for absent persons."""
        return sum(chair.kind in (SeatKind.AWAY, SeatKind.STAND_IN) for chair in self.chairs)

    def resized(self, count: int) -> list[SeatHolder]:
        """Return the chairs after a change to `count` seats. Free ones go, the last first; taken ones are kept."""
        free = [chair for chair in self.chairs if chair.kind == SeatKind.FREE]
        going = free[len(free) - max(0, len(self.chairs) - count) :]
        chairs = [chair for chair in self.chairs if chair not in going]
        return chairs + [SeatHolder(ChairRecord()) for _ in range(count - len(chairs))]

    def infos(self, kind: str = "") -> tuple[SeatInfo, ...]:
        """Return all seats as the table shows them. `kind`: of the ratings that it shows, "" for none."""
        return tuple([self._info(chair.info, chair.record.person, kind) for chair in self.chairs])

    def _info(self, info: SeatInfo, person: str, kind: str) -> SeatInfo:
        share, (rating, sigma) = self._devices.reliability, self._devices.rating(person, kind)
        return structs.replace(info, reliability=share.get(person, NOT_COUNTED), rating=rating, uncertainty=sigma)

    def free_seat(self, place: int) -> int | Refusal:
        """Return the wanted seat, or the first free one for ANY_SEAT; a refusal if it is not free."""
        if place >= len(self.chairs):
            return Refusal("no-seat", "", "There is no such seat at this table.")
        if place >= 0:
            free = self.chairs[place].kind == SeatKind.FREE
            return place if free else Refusal("seat-taken", "", "That seat is taken.")
        for seat, chair in enumerate(self.chairs):
            if chair.kind == SeatKind.FREE:
                return seat
        return Refusal("full", "", "All seats are taken.")

    def seat_of(self, token: bytes) -> int | None:
        """Return the seat that a token opens."""
        # All chairs are asked: the time must not tell which one a token opens.
        found = [seat for seat, chair in enumerate(self.chairs) if chair.admits(token)]
        return found[0] if found and self._devices.admit(self.chairs[found[0]].record) else None

    def seat_taken_by(self, key: bytes) -> int | None:
        """Return the seat that was taken by a request with that key."""
        given = hashed(key)
        found = [seat for seat, chair in enumerate(self.chairs) if hmac.compare_digest(given, chair.record.key)]
        # Chairs without a key hold an empty one, which an empty request must not match.
        return found[0] if key and found else None

    def seat_of_person(self, person: str, proof: bytes, token: bytes) -> int | None:
        """Return the seat of a profile if the token is its secret. Of several seats, an absent person's is
        preferred."""
        own = [seat for seat, chair in enumerate(self.chairs) if chair.is_of(person, proof, token)]
        return min(own, key=lambda seat: self.chairs[seat].here, default=None)

    def next_host(self) -> int:
        """Return the first seat with a person present, NONE if there is none."""
        return next((seat for seat, chair in enumerate(self.chairs) if chair.here), NONE)
