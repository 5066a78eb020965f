"""What the WebSocket library does not do by itself: cut those who flood, stall or creep.

Measured with websockets 17: a reader that stops is never cut once its write buffer is full, a flood of pings is
answered without bound, and one read of tiny frames holds up everybody. Hence budgets before parsing and a deadline for
stalled writes; both overrule by `transport.abort()`, the only thing that works on a full buffer.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from typing import Any, Final

from msgspec import Struct
from websockets.asyncio.server import ServerConnection
from websockets.frames import Opcode
from websockets.protocol import State

from protocol.session import TokenBucket
from server import log
from server.delivery.outbox import Outbox
from server.delivery.outgoing import Outgoing

_MESSAGE_ENDS: Final = (Opcode.BINARY, Opcode.TEXT, Opcode.CONT)


class Limits(Struct, frozen=True):
    """How much strangers may take. Sizes in bytes, times in seconds; loopback has its own count and no cool-down.

    `proxied`: all players come from a proxy's address, which does the counting; no address is held against anybody.
    `send_buffer`: what the system may hold for one reader; more would hide a stalled one from us.
    """

    connections: int = 2000
    proxied: bool = False
    per_address: int = 32
    half_open: int = 64
    local_connections: int = 1000
    bytes_rate: float = 16 * 1024
    bytes_burst: float = 64 * 1024
    handshake: int = 8192
    send_buffer: int = 64 * 1024
    write_high: int = 32 * 1024
    write_cap: int = 256 * 1024
    stall: float = 4.0
    cool_down: float = 60.0


class Gate:
    """Who may come in: counts connections by address and remembers who was cut."""

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self.limits = limits
        self.now = now
        self.connections: set[GuardedConnection] = set()
        self._open: Counter[str] = Counter()
        self._half_open: Counter[str] = Counter()
        self._cooling: dict[str, float] = {}

    @property
    def total(self) -> int:
        """Connections, half-open ones included."""
        return len(self.connections)

    def enter(self, connection: "GuardedConnection", address: str) -> bool:
        """Count a new connection; False if it is one too many."""
        self.connections.add(connection)
        self._open[address] += 1
        self._half_open[address] += 1
        limits = self.limits
        local = self._is_lenient(address)
        return (
            self.total <= limits.connections
            and self._open[address] <= (limits.local_connections if local else limits.per_address)
            and self._half_open[address] <= (limits.local_connections if local else limits.half_open)
            and not self._is_cooling(address)
        )

    def greeted(self, address: str) -> None:
        """A connection is no longer half open."""
        _discount(self._half_open, address)

    def leave(self, connection: "GuardedConnection", address: str, half_open: bool) -> None:
        """A connection is gone."""
        self.connections.discard(connection)
        _discount(self._open, address)
        if half_open:
            _discount(self._half_open, address)

    def cut_all(self) -> None:
        """End every connection now, whether it reads or not."""
        for connection in tuple(self.connections):
            connection.transport.abort()

    def cool_down(self, address: str) -> None:
        """An address misbehaved: none of its connections for a while."""
        if self._is_lenient(address):
            return
        now = self.now()
        if len(self._cooling) > self.limits.connections:
            self._cooling = {known: end for known, end in self._cooling.items() if end > now}
        self._cooling[address] = now + self.limits.cool_down

    def _is_lenient(self, address: str) -> bool:
        return self.limits.proxied or _is_local(address)

    def _is_cooling(self, address: str) -> bool:
        return self._cooling.get(address, 0.0) > self.now()


def address_of(transport: asyncio.BaseTransport) -> str:
    """The peer's address as limits count it: IPv4 whole, IPv6 by its /64."""
    peer = transport.get_extra_info("peername")
    if not peer:
        return "?"
    address = ip_address(peer[0].partition("%")[0])
    if address.version == 6 and not address.is_loopback:
        return str(ip_network((address, 64), strict=False))
    return str(address)


def _is_local(address: str) -> bool:
    return address == "::1" or address.startswith("127.")


def _discount(counter: Counter[str], address: str) -> None:
    counter[address] -= 1
    if counter[address] <= 0:
        del counter[address]


class GuardedConnection(ServerConnection):
    """A connection with budgets, a deadline for stalled writes, and a bounded outbox."""

    def __init__(self, gate: Gate, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._gate = gate
        self._address = ""
        self._half_open = True
        self._heard = 0
        self._budget = TokenBucket(gate.limits.bytes_rate, gate.limits.bytes_burst, gate.now)
        self._stalled: asyncio.TimerHandle | None = None
        self.catch_up: Callable[[], None] = _nothing
        """Called when a slow reader is back and missed a part of the match's stream."""
        self.outbox: Outbox
        self.take_now: Callable[[bytes], bool] = _not_now
        """Offered each message that comes alone while nothing waits; False: it queues up as usual."""
        self._first = False
        self._unheard = 0

    def offer(self, message: Outgoing) -> None:
        """Send without waiting; nothing happens once the connection closes."""
        if self.protocol.state is State.OPEN and not self.transport.is_closing():
            self.outbox.send(message)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it, or cut it at once."""
        super().connection_made(transport)
        self.outbox = Outbox(self.transport.write, lambda: self.catch_up(), lambda: self._cut("overflow"))
        self._address = address_of(transport)
        peer_socket = transport.get_extra_info("socket")
        if peer_socket is not None:
            peer_socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._gate.limits.send_buffer)
        if not self._gate.enter(self, self._address):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Uncount it."""
        self._gate.leave(self, self._address, self._half_open)
        self._still()
        super().connection_lost(exc)

    def process_event(self, event: Any) -> None:
        """After the first event, the request, the connection is no longer half open."""
        if self._half_open:
            super().process_event(event)
            self._half_open = False
            return self._gate.greeted(self._address)
        if event.fin and event.opcode in _MESSAGE_ENDS:
            if self._is_quiet() and event.opcode is Opcode.BINARY and self.take_now(event.data):
                return None
            self._unheard += 1
        return super().process_event(event)

    def heard(self) -> None:
        """A message that queued up has been dealt with."""
        self._unheard -= 1

    def _is_quiet(self) -> bool:
        """Once per read, and if all before was heard: one read full of messages shall not hold up everybody."""
        first, self._first = self._first, False
        return first and not self._unheard

    def data_received(self, data: bytes) -> None:
        """Count before parsing; look at what the answers (pongs) left in the buffer afterwards."""
        self._heard += len(data)
        if self._half_open and self._heard > self._gate.limits.handshake:
            return self._cut("handshake")
        if not self._budget.take(len(data)):
            return self._cut("flood")
        self._first = True
        super().data_received(data)
        if self.transport.get_write_buffer_size() > self._gate.limits.write_cap:
            self._cut("unread")
        return None

    def pause_writing(self) -> None:
        """The peer does not read: give it a while."""
        super().pause_writing()
        self.outbox.pause()
        self._stalled = self.loop.call_later(self._gate.limits.stall, self._cut, "stalled")

    def resume_writing(self) -> None:
        """It reads again."""
        self._still()
        super().resume_writing()
        self.outbox.resume()

    def _still(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _cut(self, why: str) -> None:
        if self.transport.is_closing():
            return
        log.warning("cut", why=why, address=self._address)
        if why in ("flood", "handshake"):
            self._gate.cool_down(self._address)
        self.transport.abort()


def _nothing() -> None:
    """Nobody to catch up yet."""


def _not_now(_data: bytes) -> bool:
    """Nobody to hear it yet."""
    return False
