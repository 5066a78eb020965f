"""Who sits where, whose table it is, and by which token a seat is taken again. No sockets, no clock."""

import hashlib
import hmac
import secrets
from typing import Final

from server.storage.port import ChairRecord
from shared.messages import SeatInfo
from shared.refusal import Refusal
from shared.tables import SeatKind

TOKEN_BYTES: Final = 32


def _hash(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


class Chair:
    """One seat: its record, whether its person is here, and whether a bot plays for an absent one."""

    def __init__(self, record: ChairRecord) -> None:
        self.record = record
        self.here = False

    @property
    def stand_in(self) -> str:
        """The kind of bot that plays for an absent person, "" for none."""
        return self.record.stand_in

    @stand_in.setter
    def stand_in(self, kind: str) -> None:
        self.record.stand_in = kind

    @property
    def kind(self) -> SeatKind:
        """Who decides here now."""
        if self.record.bot:
            return SeatKind.BOT
        if not self.record.name:
            return SeatKind.FREE
        if self.here:
            return SeatKind.PERSON
        return SeatKind.STAND_IN if self.stand_in else SeatKind.AWAY

    @property
    def bot(self) -> str:
        """The kind of bot that decides here now, "" for none."""
        return self.record.bot or ("" if self.here else self.stand_in)

    @property
    def info(self) -> SeatInfo:
        """What the table shows."""
        return SeatInfo(self.kind, self.record.name, self.bot)

    def offer_token(self) -> bytes:
        """A new token. The present one stays valid until the new one is known to have arrived."""
        token = secrets.token_bytes(TOKEN_BYTES)
        self.record.offered = _hash(token)
        return token

    def confirm_token(self) -> bool:
        """The offered token arrived: only it is valid now. False if none was open."""
        if not self.record.offered:
            return False
        self.record.token, self.record.offered = self.record.offered, b""
        return True

    def admits(self, token: bytes) -> bool:
        """Whether the token opens this seat; one that was offered is thereby known to have arrived."""
        given = _hash(token)
        # Both are compared always: the time taken says nothing.
        current = hmac.compare_digest(given, self.record.token)
        offered = hmac.compare_digest(given, self.record.offered)
        if offered:
            self.confirm_token()
        return current or offered

    def sit(self, name: str) -> bytes:
        """A person sits down; returns the token."""
        self.record.name = name
        self.here = True
        return self.offer_token()

    def clear(self) -> None:
        """Nobody sits here any more, and no token opens it."""
        self.record.name = self.record.bot = ""
        self.record.token = self.record.offered = b""
        self.here, self.stand_in = False, ""


class Seating:
    """The chairs of a table."""

    def __init__(self, records: list[ChairRecord]) -> None:
        self.chairs = [Chair(record) for record in records]

    @property
    def taken(self) -> int:
        """How many seats are not free."""
        return sum(chair.kind != SeatKind.FREE for chair in self.chairs)

    def infos(self) -> tuple[SeatInfo, ...]:
        """All seats as the table shows them."""
        return tuple([chair.info for chair in self.chairs])

    def free_seat(self, wanted: int) -> int | Refusal:
        """The wanted seat, or the first free one for -1."""
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

    def next_host(self) -> int:
        """The first seat with a person present, -1 for none."""
        return next((seat for seat, chair in enumerate(self.chairs) if chair.here), -1)
