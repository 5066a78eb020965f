"""What the WebSocket library does not do by itself: cut those who flood, stall or creep.

Measured with websockets 17: a reader that stops is never cut once its write buffer is full, a flood of pings is
answered without bound, and one read of tiny frames holds up everybody. Hence budgets in bytes and in frames before
anything is parsed, and a deadline for stalled writes; both overrule by `transport.abort()`, the only thing that works
on a full buffer.
"""

import asyncio
import socket
import sys
from collections.abc import Callable
from typing import Any, Final

from websockets.asyncio.server import ServerConnection
from websockets.frames import Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.utils import apply_mask

from server import log, metrics
from server.addresses import behind, counted, forwarded, is_among
from server.connections.admission import PROXY, Admission
from server.connections.frame_counter import FrameCounter
from server.delivery.outbox import UNSEEN, Outbox, Taker

_MESSAGE_ENDS: Final = (Opcode.BINARY, Opcode.TEXT, Opcode.CONT)
_WHOLE: Final = 0x82
"""First byte of a whole binary message."""
_MASKED: Final = 0x80
"""In its second one, beside the size of a short one."""
_SHORT: Final = 6
"""Bytes before its payload, the mask included."""
_HEAD_ENDS: Final = b"\r\n\r\n"
_FORWARDING: Final = (
    "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via", "CF-Connecting-IP",
    "True-Client-IP",
)  # fmt: skip
"""Headers by which proxies are known, whether or not we trust them."""
_UNFAIR: Final = ("flood", "handshake")
"""Reasons for which an address stays out for a while."""


class GuardedConnection(ServerConnection):
    """A connection with budgets, a deadline for stalled writes, and a bounded outbox."""

    def __init__(self, admission: Admission, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._admission = admission
        self._peer = ""
        self.address = ""
        self.half_open = True
        self.at_table = False
        self.heard_at = admission.now()
        self._heard = 0
        self._tail = b""
        self._bytes = admission.limits.bytes_here.bucket(admission.now)
        self._frames = admission.limits.frames_here.bucket(admission.now)
        self._count = FrameCounter()
        self._stalled: asyncio.TimerHandle | None = None
        self.catch_up: Callable[[], None] = _nothing
        """Called when a slow reader is back and missed a part of the match's stream."""
        self.outbox: Outbox
        """Sends without waiting; nothing happens before the handshake and once the connection closes."""
        self.socket: socket.socket | None = None
        """Its own, where the loop does not show it."""
        self.take_now: Callable[[bytes], bool] = _not_now
        """Offered each message that comes alone while nothing waits; False: it queues up as usual."""
        self._first = False
        self._unheard = 0

    @property
    def is_proxied(self) -> bool:
        """Whether a proxy that we trust brought it, and says whose it is."""
        return is_among(self._peer, self._admission.limits.trusted)

    @property
    def is_open(self) -> bool:
        """Whether neither side has ended it, nor the network."""
        return self.protocol.state is State.OPEN and not self.transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it, or cut it at once."""
        super().connection_made(transport)
        shown = transport.get_extra_info("socket")
        taker = _taker(self.socket, shown)
        self.outbox = Outbox(self._write, lambda: self.catch_up(), lambda: self.cut("overflow"), taker)
        peer = transport.get_extra_info("peername")
        self._peer = peer[0] if peer else ""
        self.address = PROXY if is_among(self._peer, self._admission.limits.trusted) else counted(self._peer)
        if shown is not None:
            shown.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._admission.limits.send_buffer)
        if not self._admission.enter(self):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Uncount it."""
        self.outbox.close()
        self._admission.leave(self)
        self._still()
        super().connection_lost(exc)

    def send_data(self) -> None:
        """All that the library writes: between its answer to the request and its goodbye our messages may go out."""
        try:
            super().send_data()
        finally:
            if self.protocol.state is State.OPEN:
                self.outbox.open()
            else:
                self.outbox.close()

    def _write(self, data: bytes) -> None:
        """What the socket did not take."""
        if not self.transport.is_closing():
            self.transport.write(data)

    def process_event(self, event: Any) -> None:
        """After the first event, the request, the connection is no longer half open."""
        if self.half_open:
            super().process_event(event)
            self._admission.greeted(self)
            return self._look_behind(event)
        if event.fin and event.opcode in _MESSAGE_ENDS:
            if self._is_quiet() and event.opcode is Opcode.BINARY and self.take_now(event.data):
                return None
            self._unheard += 1
        return super().process_event(event)

    def _look_behind(self, request: Request) -> None:
        """Count a forwarded request by the address that a trusted proxy names, and never as one of this machine.

        A proxy of which we were not told may stand on this machine, too: then all behind it count as one stranger.
        """
        if self.address == PROXY:
            named = request.headers.get_all("X-Forwarded-For")
            if not named and request.headers.get("Upgrade"):
                log.seldom("proxy-names-no-client", proxy=self._peer, advice="let it send X-Forwarded-For")
            self._recount(forwarded(counted(behind(self._peer, named, self._admission.limits.trusted))))
        elif self._admission.is_lenient(self.address) and any(name in request.headers for name in _FORWARDING):
            log.seldom("unknown-proxy", proxy=self._peer, advice=f"--behind-proxy {self._peer}")
            self._recount(forwarded(self.address))

    def _recount(self, address: str) -> None:
        """Count this connection under another address from now on, or end it where that one may not come in."""
        self._admission.leave(self)
        self.address = address
        if not self._admission.admits(address) or not self._admission.enter(self):
            self.transport.abort()

    def heard(self) -> None:
        """A message that queued up has been dealt with."""
        self._unheard -= 1

    def _is_quiet(self) -> bool:
        """Once per read, and if all before was heard: one read full of messages shall not hold up everybody."""
        first, self._first = self._first, False
        return first and not self._unheard

    def data_received(self, data: bytes) -> None:
        """Count before parsing; look at what the answers (pongs) left in the buffer afterwards."""
        if self.transport.is_closing():
            return None
        self._heard += len(data)
        self.heard_at = self._admission.now()
        if self.half_open and self._heard > self._admission.limits.handshake:
            return self.cut("handshake")
        alone = self._count.is_between and not self.half_open
        if not self._affords(data):
            return self.cut("flood")
        self._first = True
        if alone and self._is_taken_now(data):
            return None
        super().data_received(data)
        if self.transport.get_write_buffer_size() > self._admission.limits.write_cap:
            self.cut("unread")
        return None

    def _is_taken_now(self, data: bytes) -> bool:
        """The short way of a short message that comes alone: a parser has nothing to add to it."""
        size = len(data) - _SHORT
        if not 0 < size < 126 or data[:2] != bytes((_WHOLE, _MASKED | size)):
            return False
        protocol = self.protocol
        if protocol.state is not State.OPEN or protocol.current_size is not None:
            return False  # It closes, or this is no beginning.
        return self._is_quiet() and self.take_now(apply_mask(data[_SHORT:], data[2:_SHORT]))

    def _affords(self, data: bytes) -> bool:
        """Whether its own budgets and those of its address allow so many bytes, and the frames in them."""
        admission = self._admission
        frames = self._count.count(self._framed(data), int(admission.limits.frames_here.at_once))
        if not (self._bytes.take(len(data)) and self._frames.take(frames)):
            return False
        return admission.is_lenient(self.address) or (
            admission.bytes.take(self.address, len(data)) and admission.frames.take(self.address, frames)
        )

    def _framed(self, data: bytes) -> bytes:
        """The part behind the request."""
        if not self.half_open:
            return data
        behind_tail = self._tail + data
        self._tail = behind_tail[1 - len(_HEAD_ENDS) :]
        return behind_tail.partition(_HEAD_ENDS)[2]

    def pause_writing(self) -> None:
        """The peer does not read: give it a while."""
        super().pause_writing()
        self.outbox.pause()
        self._stalled = self.loop.call_later(self._admission.limits.stall, self.cut, "stalled")

    def resume_writing(self) -> None:
        """It reads again."""
        self._still()
        super().resume_writing()
        self.outbox.resume()

    def _still(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def cut(self, why: str) -> None:
        """End it without a word; for what is unfair the address cools down."""
        if self.transport.is_closing():
            return
        log.warning("cut", why=why, address=self.address)
        metrics.CUTS.labels(why).inc()
        if why in _UNFAIR:
            self._admission.cool_down(self.address)
        self.outbox.close()
        self.transport.abort()


def _taker(own: socket.socket | None, shown: object) -> Taker:
    """The socket itself, to write without a detour by its transport. On Windows the system may still be busy with a
    part of what came before."""
    found: Taker | None = own or getattr(shown, "_sock", None)  # asyncio shows it in a wrapping.
    return UNSEEN if found is None or sys.platform == "win32" else found


def _nothing() -> None:
    """Nobody to catch up yet."""


def _not_now(_data: bytes) -> bool:
    """Nobody to hear it yet."""
    return False
