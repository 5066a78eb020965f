"""Who may come in, and who must go when places run short."""

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct

from server import log
from server.addresses import A_SITE, Network, is_local, site_of
from server.rate_limits import MOST, Budget, Rate

_FORGOTTEN: Final = 2
"""Addresses that are looked at whether they may come again, whenever one may not: so few that it costs nothing."""
PROXY: Final = "proxy"
"""The address of whoever comes by a trusted proxy and has not yet said for whom."""


class Limits(Struct, frozen=True):
    """How much strangers may take. Sizes in bytes, times in seconds; loopback has its own count and no cool-down.

    connections: places in all; `spare` more are for those who come back to their seats when all are taken, and who have
    `patience` seconds to say so. trusted: proxies whose word about addresses is taken. *_here: of one connection; the
    others of that name: of one address, over all its connections. requests: whatever is no act; beyond
    that an address is not refused, but waits for its turn.
    send_buffer: what the system may hold for one reader; more would hide a stalled one from us.
    """

    connections: int = 2000
    spare: int = 100
    patience: float = 5.0
    trusted: tuple[Network, ...] = ()
    per_address: int = 32
    half_open: int = 16
    local_connections: int = 1000
    knocks: Rate = Rate(2.0, 40.0)
    bytes_here: Rate = Rate(16 * 1024, 64 * 1024)
    bytes: Rate = Rate(64 * 1024, 256 * 1024)
    frames_here: Rate = Rate(40.0, 160.0)
    frames: Rate = Rate(120.0, 480.0)
    requests: Rate = Rate(4.0, 12.0)
    handshake: int = 8192
    send_buffer: int = 64 * 1024
    write_cap: int = 256 * 1024
    stall: float = 4.0
    cool_down: float = 60.0


GENEROUS: Final = Limits(bytes_here=Rate(1e9, 1e9), frames_here=Rate(1e9, 1e9))
"""For a server that knows all its clients: bots, which are faster than people."""


class AdmittedConnection(Protocol):
    """A connection as the gate knows it."""

    address: str
    half_open: bool
    at_table: bool
    """Whether it takes part in something: it plays or looks on."""
    heard_at: float
    """When it last said something."""

    def cut(self, why: str) -> None:
        """End it now."""


class Admission:
    """Counts connections by address and remembers who was cut."""

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self.limits = limits
        self.now = now
        self.guests: dict[AdmittedConnection, None] = {}
        self.bytes = Budget(limits.bytes, now)
        self.frames = Budget(limits.frames, now)
        self._requests = Budget(limits.requests, now)
        self._knocks = Budget(limits.knocks, now)
        self._open: Counter[str] = Counter()
        self._half_open: Counter[str] = Counter()
        self._cooling: dict[str, float] = {}

    @property
    def total(self) -> int:
        """Connections, half-open ones included."""
        return len(self.guests)

    @property
    def is_full(self) -> bool:
        """Whether only those may stay who come back to a seat."""
        return self.total > self.limits.connections

    def admits(self, address: str) -> bool:
        """Whether a connection from there may be made at all; too many knocks cool an address down."""
        if self.is_lenient(address):
            return True
        if self._is_cooling(address):
            return False
        if not self._knocks.take(address):
            self.cool_down(address)
            return False
        return True

    def enter(self, guest: AdmittedConnection) -> bool:
        """Count a new connection, for which others may have to go; False if it is one too many."""
        self.guests[guest] = None
        _count(self._open, guest.address)
        if guest.half_open:
            _count(self._half_open, guest.address)
        self.make_room(guest)
        return self._has_room(guest.address) and not self._is_cooling(guest.address)

    def greeted(self, guest: AdmittedConnection) -> None:
        """A connection is no longer half open."""
        guest.half_open = False
        _discount(self._half_open, guest.address)

    def wait_of(self, address: str, cost: float = 1.0) -> float:
        """Seconds that one more request from there has to wait for its turn."""
        return 0.0 if self.is_lenient(address) else self._requests.owe(address, cost)

    def leave(self, guest: AdmittedConnection) -> None:
        """A connection is gone."""
        if guest in self.guests:
            del self.guests[guest]
            _discount(self._open, guest.address)
            if guest.half_open:
                _discount(self._half_open, guest.address)

    def make_room(self, besides: AdmittedConnection) -> None:
        """Where places run short, the stranger who was silent longest goes first, besides the one who needs a place."""
        while self.is_full:
            idle = [
                guest for guest in self.guests if not guest.at_table and not guest.half_open and guest is not besides
            ]
            guest = min(idle, key=lambda each: each.heard_at, default=None)
            if guest is None or self.now() - guest.heard_at < self.limits.patience:
                return
            self.leave(guest)
            guest.cut("idle")

    def cut_all(self) -> None:
        """End every connection now, whether it reads or not."""
        for guest in tuple(self.guests):
            guest.cut("stop")

    def cool_down(self, address: str) -> None:
        """An address misbehaved: no new connections of its for a while."""
        if self.is_lenient(address):
            return
        now = self.now()
        self._cooling.pop(address, None)
        self._cooling[address] = now + self.limits.cool_down
        for known, end in tuple(itertools.islice(self._cooling.items(), _FORGOTTEN)):  # The first end first.
            if end <= now or len(self._cooling) > MOST:
                del self._cooling[known]
        log.warning("cooling", address=address, seconds=self.limits.cool_down)

    def is_lenient(self, address: str) -> bool:
        """Whether nothing is held against an address: it is this machine's own, or that of a proxy which has not yet
        named its client. A forwarded request has neither, see `addresses.forwarded`."""
        return address == PROXY or is_local(address)

    def _has_room(self, address: str) -> bool:
        limits, site = self.limits, site_of(address)
        local = self.is_lenient(address)
        return (
            self.total <= limits.connections + limits.spare
            and self._open[address] <= (limits.local_connections if local else limits.per_address)
            and self._half_open[address] <= (limits.local_connections if local else limits.half_open)
            and self._open[site] <= A_SITE * limits.per_address
            and self._half_open[site] <= A_SITE * limits.half_open
        )

    def _is_cooling(self, address: str) -> bool:
        return self._cooling.get(address, 0.0) > self.now()


def _count(counter: Counter[str], address: str) -> None:
    """One more of that address and, for IPv6, of its /48."""
    for name in filter(None, (address, site_of(address))):
        counter[name] += 1


def _discount(counter: Counter[str], address: str) -> None:
    for name in filter(None, (address, site_of(address))):
        counter[name] -= 1
        if counter[name] <= 0:
            del counter[name]
