"""Reading a seat's hand on another device: read-only, by a code that the player asks for, until the player ends it."""

from typing import Final

from msgspec import Struct

from protocol.limits import Close
from server import log
from server.delivery.peer import Peer
from server.matches.codes import LONG, new_code
from server.matches.seating import SeatHolder, hashed
from server.matches.table import NOT_SEATED, NOT_STARTED, Table
from shared.codes import plain_code
from shared.ids import Seat
from shared.messages import HandShown, Leave, Left, ReadHand, Reading, ShowHand
from shared.refusal import Refusal
from shared.tables import LOOKING_ON, TablePhase

GOOD: Final = 300.0
"""Seconds for which a code is valid, unless it is used before."""
READERS: Final = 2
"""Devices that may read the hand of one seat; a new one beyond that replaces the oldest."""

READING_ONLY: Final = Refusal("reading", "", "You only read along here; play where you have the seat.")
NO_CODE: Final = Refusal("no-code", "", "That code shows no hand; it may be too old, or used already.")
_BAD_TOKEN: Final = Refusal("bad-token", "", "That hand is no longer shown to you.")
_OVER: Final = Refusal("over", "", "The match is over.")


class _Code(Struct, frozen=True):
    """Code that opens a hand. `until`: when it expires, on the server's clock."""

    code: str
    until: float


class HandSharing:
    """Readers of the hands at a table. All methods but `opens_to` are called by the table's task.

    A reader belongs to the audience class of its seat and is told what that class is told. It is neither player nor
    spectator; its requests other than `Sync`, `Leave` and `Introduce` are refused. Reading ends when the player or the
    match ends it, and when another person may take the seat. A player who merely reconnects keeps their readers.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._codes: dict[Seat, _Code] = {}
        self._passes: dict[Peer, bytes] = {}
        """By reader, the hash of the token with which it came."""

    def opens_to(self, code: str) -> bool:
        """Whether that code opens a hand at this table now."""
        return self._seat_of(code) is not None

    async def show(self, peer: Peer, message: ShowHand) -> None:
        """Start or end showing a player's hand on other devices. Raises StoreError."""
        refusal = NOT_SEATED if peer.seat == LOOKING_ON else self._not_now()
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        if message.on:
            self._codes[peer.seat] = _Code(new_code(LONG), self._now() + GOOD)
        else:
            await self._end(peer.seat)
        return peer.tell(self._shown(peer.seat, message.ref))

    async def read(self, peer: Peer, message: ReadHand) -> bool:
        """Admit a reader with a code or a token; return whether it may read. Raises StoreError."""
        seat = self._seat_of(plain_code(message.code)) if message.code else self._seat_by(message.token)
        refusal = self._not_now()
        if refusal is None and seat is None:
            refusal = NO_CODE if message.code else _BAD_TOKEN
        if refusal is not None or seat is None:
            peer.refuse(message.ref, refusal or NO_CODE)
            return False
        token = await self._admit_reader(seat) if message.code else message.token
        self._enter(peer, seat, token)
        peer.tell(Reading(message.ref, self._table.record.match, seat, token))
        self._table.show_state(peer)
        self._table.show(peer, message.have)
        if not message.have:
            self._table.tell_story(peer)
        self._tell(seat)
        log.info("hand-read", match=self._table.record.match, seat=seat)
        return True

    async def leave(self, peer: Peer, message: Leave) -> None:
        """Remove a reader and its token for good. Raises StoreError."""
        seat, chair = peer.reading, self._chair(peer.reading)
        async with self._table.changing():
            chair.record.readers = b"".join(known for known in chair.readers if known != self._passes[peer])
        self._dismiss(peer, Left(message.ref, "left", "You left the table."))
        self._tell(seat)

    def dropped(self, peer: Peer) -> None:
        """Remove a reader whose connection broke. Its token stays valid: it may come back."""
        self._let_go(peer)

    def close(self, seat: Seat) -> None:
        """Dismiss all readers of a seat that another person may have now. The record says so already."""
        self._codes.pop(seat, None)
        self._send_away(seat, Left(0, "hand-ended", "That hand is no longer shown to you."))

    def close_all(self) -> None:
        """Dismiss all readers at the end of the match."""
        self._codes.clear()
        for seat in range(len(self._table.record.chairs)):
            self._send_away(seat, Left(0, "over", "The match is over."))

    def remind(self, seat: Seat) -> None:
        """Tell a returning player that their hand is shown, if it is."""
        if seat in self._codes or self._chair(seat).readers:
            self._tell(seat)

    def _tell(self, seat: Seat) -> None:
        player = self._table.audience.player(seat)
        if player is not None:
            player.tell(self._shown(seat, 0))

    async def _end(self, seat: Seat) -> None:
        async with self._table.changing():
            self._chair(seat).record.readers = b""
        self._codes.pop(seat, None)
        self._send_away(seat, Left(0, "hand-ended", "The player shows this hand no more."))

    async def _admit_reader(self, seat: Seat) -> bytes:
        """Return a new token and use up the code. A reader beyond the limit is dismissed."""
        chair = self._chair(seat)
        async with self._table.changing():
            token = chair.offer_reading(READERS)
        # Only now: a store that failed above leaves the code valid for another try.
        del self._codes[seat]
        for reader in self._table.audience.readers(seat):
            if self._passes[reader] not in chair.readers:
                self._dismiss(reader, Left(0, "hand-ended", "That hand is shown on other devices now."))
        return token

    def _enter(self, peer: Peer, seat: Seat, token: bytes) -> None:
        """Let the peer see what the seat sees. It replaces an older connection with the same token."""
        given = hashed(token)
        for reader in self._table.audience.readers(seat):
            if self._passes[reader] == given:
                self._let_go(reader)
                reader.link.end(Close.REPLACED)
        peer.reading, peer.called, self._passes[peer] = seat, self._chair(seat).record.name, given
        self._table.audience.enter(peer)

    def _send_away(self, seat: Seat, word: Left) -> None:
        for reader in self._table.audience.readers(seat):
            self._dismiss(reader, word)

    def _dismiss(self, reader: Peer, word: Left) -> None:
        self._let_go(reader)
        reader.tell(word)

    def _let_go(self, reader: Peer) -> None:
        """Detach a reader from the table."""
        self._table.audience.leave(reader)
        reader.table, reader.reading = None, LOOKING_ON
        del self._passes[reader]

    def _shown(self, seat: Seat, ref: int) -> HandShown:
        code = self._codes.get(seat)
        left = max(0.0, code.until - self._now()) if code is not None else 0.0
        readers = len(self._chair(seat).readers)
        return HandShown(ref, code.code if code is not None and left else "", round(left), readers)

    def _seat_of(self, code: str) -> Seat | None:
        now = self._now()
        return next((seat for seat, it in self._codes.items() if it.code == code and it.until > now), None)

    def _seat_by(self, token: bytes) -> Seat | None:
        chairs = enumerate(self._table.seating.chairs)
        return next((seat for seat, chair in chairs if chair.reader(token)), None)

    def _not_now(self) -> Refusal | None:
        """Return why no hand can be read now, None if one can."""
        phase = self._table.record.phase
        return {TablePhase.GATHERING: NOT_STARTED, TablePhase.OVER: _OVER}.get(phase)

    def _chair(self, seat: Seat) -> SeatHolder:
        return self._table.seating.chairs[seat]

    def _now(self) -> float:
        return self._table.services.clock.now()
