"""Coming, sitting, hosting and leaving at one table."""

import hmac
from functools import partial

from protocol.limits import Close
from server import log
from server.delivery.peer import Peer
from server.matches.play import Play, Post
from server.matches.table import NOT_HOST, STAND_IN_KIND, STARTED, Table
from server.storage.port import StoreError
from shared.messages import Done, Join, Kick, Leave, Left, Resume, Seated, SetBot, Start, Watch
from shared.refusal import Refusal
from shared.tables import SeatKind, TablePhase

_BUSY = Refusal("busy", "", "You are at a table already; leave it first.")
_NO_MATCH = Refusal("no-match", "", "There is no such table, or it needs its code.")
_BAD_TOKEN = Refusal("bad-token", "", "That seat is no longer yours.")
_SEATS_FREE = Refusal("seats-free", "", "Every seat needs a player or a bot first.")
_NOT_FREE = Refusal("seat-taken", "", "A person sits there.")
_NOBODY = Refusal("no-person", "", "No other person sits there.")
_NO_SEAT = Refusal("no-seat", "", "There is no such seat at this table.")


class Members:
    """Who is at the table. All methods are called by the table's task, one after the other."""

    def __init__(self, table: Table, play: Play, post: Post) -> None:
        self._table = table
        self._play = play
        self._post = post
        self._announcing = False

    async def found(self, peer: Peer, ref: int, seat: int) -> None:
        """The host sits down at the new table, or (seat -2) stays beside it."""
        table = self._table
        if seat == -2:
            table.host_peer = peer
            self._enter(peer, -1)
            peer.tell(Done(ref))
            return peer.tell(table.state_for(peer))
        taken = table.seating.free_seat(seat)
        if isinstance(taken, Refusal):
            return peer.refuse(ref, taken)
        table.record.host = taken
        await self._sit(peer, ref, taken)
        return None

    async def join(self, peer: Peer, message: Join) -> None:
        """Sit down before the start."""
        refusal = self._closed_to(peer, message.code)
        if refusal is None and self._table.record.phase != TablePhase.GATHERING:
            refusal = STARTED
        seat = refusal or self._table.seating.free_seat(message.seat)
        if isinstance(seat, Refusal):
            return peer.refuse(message.ref, seat)
        await self._sit(peer, message.ref, seat)
        return None

    async def watch(self, peer: Peer, message: Watch) -> None:
        """Look on."""
        refusal = self._closed_to(peer, message.code)
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        self._enter(peer, -1)
        peer.tell(Done(message.ref))
        peer.tell(self._table.state_for(peer))
        self._table.show(peer, message.have)
        self._play.tell_clock(peer)
        self._announce_soon()
        return None

    async def resume(self, peer: Peer, message: Resume) -> None:
        """Take a seat again by its token; whoever held it is replaced."""
        table = self._table
        seat = table.seating.seat_of(message.token)
        if seat is None:
            return peer.refuse(message.ref, _BAD_TOKEN)
        if peer in table.audience:
            return peer.refuse(message.ref, _BUSY)
        chair = table.seating.chairs[seat]
        token = chair.offer_token()
        await table.save()
        previous = table.audience.player(seat)
        if previous is not None:
            self._let_go(previous)
            previous.link.end(Close.REPLACED)
        chair.here, chair.stand_in = True, ""
        self._play.forget_takeover(seat)
        self._enter(peer, seat)
        table.pass_host_on()
        peer.tell(Seated(message.ref, table.record.match, seat, token, self._highest(seat)))
        table.announce()
        table.show(peer, message.have)
        self._play.tell_clock(peer)
        log.info("resumed", match=table.record.match, seat=seat)
        return None

    async def set_bot(self, peer: Peer, message: SetBot) -> None:
        """A bot sits down or gets up."""
        refusal = self._host_only(peer, message.seat)
        if refusal is None and self._table.seating.chairs[message.seat].kind not in (SeatKind.FREE, SeatKind.BOT):
            refusal = _NOT_FREE
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        self._table.seating.chairs[message.seat].record.bot = message.kind
        await self._table.save()
        peer.tell(Done(message.ref))
        self._table.announce()
        return None

    async def kick(self, peer: Peer, message: Kick) -> None:
        """The host frees a person's seat."""
        refusal = self._host_only(peer, message.seat)
        if refusal is None and (
            message.seat == peer.seat
            or self._table.seating.chairs[message.seat].kind not in (SeatKind.PERSON, SeatKind.AWAY)
        ):
            refusal = _NOBODY
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        kicked = self._table.audience.player(message.seat)
        self._table.seating.chairs[message.seat].clear()
        if kicked is not None:
            self._let_go(kicked)
            kicked.tell(Left(0, "kicked", "The host gave your seat to somebody else."))
        await self._table.save()
        peer.tell(Done(message.ref))
        self._table.announce()
        return None

    async def start(self, peer: Peer, message: Start) -> None:
        """The match begins."""
        table = self._table
        refusal = self._host_only(peer, 0)
        if refusal is None and table.seating.taken < len(table.record.chairs):
            refusal = _SEATS_FREE
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        await self._play.begin(partial(peer.tell, Done(message.ref)))
        log.info("begun", match=table.record.match, ruleset=table.record.ruleset)
        return None

    async def leave(self, peer: Peer, message: Leave) -> None:
        """Get up for good, or (during the match) hand over to a bot until one resumes."""
        seat = peer.seat
        self._let_go(peer)
        peer.tell(Left(message.ref, "left", "You left the table."))
        if seat < 0:
            self._table.pass_host_on()
            return self._announce_soon()
        chair = self._table.seating.chairs[seat]
        chair.here = False
        if self._table.record.phase == TablePhase.GATHERING:
            chair.clear()
        elif self._table.record.phase == TablePhase.PLAYING:
            chair.stand_in = STAND_IN_KIND
        self._table.pass_host_on()
        await self._table.save()
        self._table.announce()
        self._play.call_bots()
        return None

    async def dropped(self, peer: Peer) -> None:
        """A connection ended without a word: the seat is held."""
        seat = peer.seat
        self._let_go(peer)
        if seat < 0:
            self._table.pass_host_on()
            self._announce_soon()
        else:
            self._table.seating.chairs[seat].here = False
            if self._table.record.phase == TablePhase.PLAYING:
                self._play.person_dropped(seat)
            self._table.announce()
        self.sweep_later()

    def sweep_later(self) -> None:
        """Look after a while whether those who dropped came back."""
        if self._table.record.phase == TablePhase.GATHERING:
            services = self._table.services
            services.clock.call_later(services.grace, lambda: self._post(self._sweep))

    def is_confirmed(self, peer: Peer) -> bool:
        """Whether the peer's token is known to have arrived."""
        return peer.seat < 0 or not self._table.seating.chairs[peer.seat].record.offered

    async def confirm(self, peer: Peer) -> None:
        """The peer said something after it was seated: its new token has arrived."""
        if peer.seat >= 0 and self._table.seating.chairs[peer.seat].confirm_token():
            await self._table.save()

    async def _sweep(self) -> None:
        table = self._table
        if table.record.phase != TablePhase.GATHERING:
            return
        gone = [chair for chair in table.seating.chairs if chair.kind == SeatKind.AWAY]
        for chair in gone:
            chair.clear()
        table.pass_host_on()
        if gone:
            await table.save()
            table.announce()

    async def _sit(self, peer: Peer, ref: int, seat: int) -> None:
        table = self._table
        chair = table.seating.chairs[seat]
        token = chair.sit(peer.name)
        self._enter(peer, seat)
        try:
            await table.save()
        except StoreError:
            self._let_go(peer)
            chair.clear()
            raise
        table.pass_host_on()
        peer.tell(Seated(ref, table.record.match, seat, token, 0))
        table.announce()

    def _enter(self, peer: Peer, seat: int) -> None:
        peer.seat = seat
        self._table.audience.enter(peer)

    def _let_go(self, peer: Peer) -> None:
        self._table.audience.leave(peer)
        peer.table, peer.seat = None, -1

    def _highest(self, seat: int) -> int:
        return self._table.match.highest_command(seat) if self._table.match else 0

    def _closed_to(self, peer: Peer, code: str) -> Refusal | None:
        record = self._table.record
        if not record.open and not hmac.compare_digest(code.upper().encode(), record.code.encode()):
            return _NO_MATCH
        return _BUSY if peer in self._table.audience else None

    def _host_only(self, peer: Peer, seat: int) -> Refusal | None:
        if not self._table.is_host(peer):
            return NOT_HOST
        if self._table.record.phase != TablePhase.GATHERING:
            return STARTED
        return None if seat < len(self._table.seating.chairs) else _NO_SEAT

    def _announce_soon(self) -> None:
        """Many come and go to look on: tell of it at most twice a second."""
        if not self._announcing:
            self._announcing = True
            self._table.services.clock.call_later(0.5, lambda: self._post(self._announce_now))

    async def _announce_now(self) -> None:
        self._announcing = False
        self._table.announce()
