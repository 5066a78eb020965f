"""Connection that cuts clients that flood, stall or read slowly, which the WebSocket library does not do.

Measured with websockets 17: a reader that stops is never cut once its write buffer is full. A flood of pings is
answered without bound, and one read of tiny frames delays all clients. Hence budgets in bytes and in frames before
anything is parsed, and a deadline for stalled writes. Both end connections with `transport.abort()`, the only call that
works on a full buffer.
"""

import asyncio
import re
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
from server.addresses import behind, counted, forwarded, is_among, is_private
from server.connections.admission import PROXY, Admission, AdmittedConnection
from server.delivery.outbox import UNSEEN, Outbox, Taker

_MESSAGE_ENDS: Final = (Opcode.BINARY, Opcode.TEXT, Opcode.CONT)
_WHOLE: Final = 0x82
"""First byte of a whole binary message."""
_MASKED: Final = 0x80
"""Mask bit in the second byte, beside the size of a short message."""
_SHORT: Final = 6
"""Bytes before the payload of a short message, including the mask."""
_HEAD_ENDS: Final = b"\r\n\r\n"
_POST: Final = b"POST "
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *([0-9]{1,9}) *(?=\r\n|$)", re.IGNORECASE)
"""Header with the size of a request's body."""
_FORWARDING: Final = (
    "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via", "CF-Connecting-IP",
    "True-Client-IP",
)  # fmt: skip
"""Headers that reveal a proxy, trusted or not."""
_UNFAIR: Final = ("flood", "handshake")
"""Reasons for which an address is cooled down."""


_MASK: Final = 4
_WIDE: Final = {126: 2, 127: 8}
"""Bytes of an extended length, by the value of the 7-bit length."""


class FrameCounter:
    """Counter of the frames that begin in a stream of bytes, including control and continuation frames."""

    def __init__(self) -> None:
        self._skip = 0
        self._head = b""

    @property
    def is_between(self) -> bool:
        """Whether the next byte begins a frame."""
        return not self._skip and not self._head

    def count(self, data: bytes, most: int) -> int:
        """Return how many frames begin in the next bytes.

        Counting stops above `most`; the stream cannot be counted further then.
        """
        found, at, end = 0, self._skip, len(data)
        if self._head:
            data = self._head + data
            end, at, self._head = len(data), 0, b""
            found -= 1  # It was counted when its first byte came.
        while at < end and found <= most:
            found += 1
            size = self._size(data, at)
            if size == 0:
                self._head = data[at:]
                at = end
            else:
                at += size
        self._skip = at - end
        return found

    def _size(self, data: bytes, at: int) -> int:
        """Return the size of the frame that begins at `at`, 0 if its header is incomplete."""
        if len(data) < at + 2:
            return 0
        short = data[at + 1] & 0x7F
        wide = _WIDE.get(short, 0)
        if len(data) < at + 2 + wide:
            return 0
        length = int.from_bytes(data[at + 2 : at + 2 + wide], "big") if wide else short
        return 2 + wide + _MASK * (data[at + 1] >> 7) + length


class GuardedConnection(ServerConnection):
    """Connection with budgets, a deadline for stalled writes, and a bounded outbox."""

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
        """Called when a slow reader reads again and has missed a part of the match's stream."""
        self.outbox: Outbox
        """Sends without blocking; it is closed before the handshake and once the connection closes."""
        self.socket: socket.socket | None = None
        """Its socket, if the event loop does not expose it."""
        self.newcomer: AdmittedConnection | None = None
        """Entry in the admission that this connection replaces, because its first byte was awaited."""
        self.is_encrypted = False
        """Whether this server itself speaks TLS with the client."""
        self.take_now: Callable[[bytes], bool] = _not_now
        """Called with a single message while no other waits; returns False if the message must queue up as usual."""
        self._first = False
        self._unheard = 0
        self.posted: bytes | None = None
        """Body of the request if it is a POST, which the library cannot parse."""
        self._post: bytes | None = b""
        """Bytes of a request that may be a POST; None once it is another."""

    @property
    def is_proxied(self) -> bool:
        """Whether a trusted proxy made the connection, and names its client."""
        return is_among(self._peer, self._admission.limits.trusted)

    @property
    def is_near(self) -> bool:
        """Whether the client is in a local network, or its proxy is trusted."""
        return self.is_proxied or is_private(self._peer)

    @property
    def is_open(self) -> bool:
        """Whether neither side has ended it, nor the network."""
        return self.protocol.state is State.OPEN and not self.transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or end it at once."""
        shown = transport.get_extra_info("socket")
        self.is_encrypted = transport.get_extra_info("sslcontext") is not None
        # Bytes past a TLS transport would arrive unencrypted.
        taker = UNSEEN if self.is_encrypted else _taker(self.socket, shown)
        self.outbox = Outbox(self._write, lambda: self.catch_up(), lambda: self.cut("overflow"), taker)
        super().connection_made(transport)
        if self.is_encrypted:
            # TLS transports pause at their limit, others above it; so the limit of 0 has paused this one.
            self.transport.set_write_buffer_limits(1)
        peer = transport.get_extra_info("peername")
        self._peer = peer[0] if peer else ""
        self.address = self._admission.counted(self._peer)
        if shown is not None:
            shown.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._admission.limits.send_buffer)
        # The same connection would otherwise count twice, and the limits would be half as high.
        if self.newcomer is not None:
            self._admission.leave(self.newcomer)
        if not self._admission.enter(self):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.outbox.close()
        self._admission.leave(self)
        self._still()
        super().connection_lost(exc)

    def send_data(self) -> None:
        """Write the library's data, and open the outbox only between the handshake and the closing."""
        try:
            super().send_data()
        finally:
            if self.protocol.state is State.OPEN:
                self.outbox.open()
            else:
                self.outbox.close()

    def _write(self, data: bytes) -> None:
        """Give the transport the bytes that the socket did not take."""
        if not self.transport.is_closing():
            self.transport.write(data)

    def process_event(self, event: Any) -> None:
        """Handle an event; after the first one, the request, the connection is no longer half open."""
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

        An unknown proxy may run on this machine, too: then all its clients count as one.
        """
        if self.address == PROXY:
            named = request.headers.get_all("X-Forwarded-For")
            if not named and request.headers.get("Upgrade"):
                log.seldom("proxy-names-no-client", proxy=self._peer, advice="let it send X-Forwarded-For")
            self._count_at(forwarded(counted(behind(self._peer, named, self._admission.limits.trusted))))
        elif self._admission.is_lenient(self.address) and any(name in request.headers for name in _FORWARDING):
            log.seldom("unknown-proxy", proxy=self._peer, advice=f"--behind-proxy {self._peer}")
            self._count_at(forwarded(self.address))

    def _count_at(self, address: str) -> None:
        """Count this connection under another address, or end it if that address is not admitted."""
        self._admission.leave(self)
        self.address = address
        if not self._admission.admits(address) or not self._admission.enter(self):
            self.transport.abort()

    def heard(self) -> None:
        """Note that a queued message was handled."""
        self._unheard -= 1

    def _is_quiet(self) -> bool:
        """Whether a message may be handled at once: the first of a read, if no other is queued.

        Otherwise one read full of messages could delay all other clients.
        """
        first, self._first = self._first, False
        return first and not self._unheard

    def data_received(self, data: bytes) -> None:
        """Check the budgets before parsing, and the size of the write buffer after it, because pongs may fill it."""
        if self.transport.is_closing():
            return None
        self._heard += len(data)
        self.heard_at = self._admission.now()
        if self.half_open and self._heard > self._admission.limits.handshake:
            return self.cut("handshake")
        alone = self._count.is_between and not self.half_open
        if not self._has_budget_for(data):
            return self.cut("flood")
        self._first = True
        if alone and self._is_taken_now(data):
            return None
        super().data_received(self._without_body(data) if self.half_open else data)
        if self.transport.get_write_buffer_size() > self._admission.limits.write_cap:
            self.cut("unread")
        return None

    def _without_body(self, data: bytes) -> bytes:
        """Return what the library may parse of a request: a POST, once it is complete, as a GET without the body."""
        if self._post is None:
            return data
        post = self._post = self._post + data
        if not post.startswith(_POST[: len(post)]):
            self._post = None
            return post
        head, end, body = post.partition(_HEAD_ENDS)
        size = _LENGTH.search(head)
        if not end or (size is not None and len(body) < int(size[1])):
            return b""
        self._post, self.posted = None, body
        return b"GET " + _LENGTH.sub(b"", head).removeprefix(_POST) + end

    def _is_taken_now(self, data: bytes) -> bool:
        """Handle a short single message without the library's parser, if possible; return whether it was."""
        size = len(data) - _SHORT
        if not 0 < size < 126 or data[:2] != bytes((_WHOLE, _MASKED | size)):
            return False
        protocol = self.protocol
        if protocol.state is not State.OPEN or protocol.current_size is not None:
            return False  # The connection closes, or this is not the beginning of a message.
        return self._is_quiet() and self.take_now(apply_mask(data[_SHORT:], data[2:_SHORT]))

    def _has_budget_for(self, data: bytes) -> bool:
        """Whether the budgets of the connection and its address allow these bytes and their frames."""
        admission = self._admission
        # Counted for unlimited clients too: the counter must follow the stream to know where frames begin.
        frames = self._count.count(self._after_handshake(data), int(admission.limits.frames_here.at_once))
        if admission.is_unlimited(self.address):
            return True
        if not (self._bytes.take(len(data)) and self._frames.take(frames)):
            return False
        return admission.is_lenient(self.address) or (
            admission.bytes.take(self.address, len(data)) and admission.frames.take(self.address, frames)
        )

    def _after_handshake(self, data: bytes) -> bytes:
        """Return the part of the data after the handshake's request."""
        if not self.half_open:
            return data
        # The end of the head may be split between two reads; the last three bytes are kept for that.
        behind_tail = self._tail + data
        self._tail = behind_tail[1 - len(_HEAD_ENDS) :]
        return behind_tail.partition(_HEAD_ENDS)[2]

    def pause_writing(self) -> None:
        """Pause the outbox, because the client does not read; cut it after `stall` seconds."""
        super().pause_writing()
        self.outbox.pause()
        self._stalled = self.loop.call_later(self._admission.limits.stall, self.cut, "stalled")

    def resume_writing(self) -> None:
        """Resume the outbox, because the client reads again."""
        self._still()
        super().resume_writing()
        self.outbox.resume()

    def _still(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def cut(self, why: str) -> None:
        """End the connection without a closing handshake; after misbehaviour the address cools down."""
        if self.transport.is_closing():
            return
        log.warning("cut", why=why, source=log.source(self.address))
        metrics.CUTS.labels(why).inc()
        # Slow readers are not punished: a bad network is no attack.
        if why in _UNFAIR:
            self._admission.cool_down(self.address)
        self.outbox.close()
        self.transport.abort()


def _taker(own: socket.socket | None, shown: object) -> Taker:
    """Return the socket, for writing past its transport.

    On Windows the system may still be sending a part of the earlier data, so it is not used there.
    """
    found: Taker | None = own or getattr(shown, "_sock", None)  # asyncio wraps it.
    return UNSEEN if found is None or sys.platform == "win32" else found


def _nothing() -> None:
    """Do nothing: there is no peer yet."""


def _not_now(_data: bytes) -> bool:
    """Decline a message: there is no peer yet."""
    return False
