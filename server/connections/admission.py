"""Admission control: limits, reserved places, eviction."""

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct

from server import log
from server.addresses import A_SITE, Network, counted, is_among, is_local, site_of
from server.rate_limits import MOST, Budget, Rate

_FORGOTTEN: Final = 2
"""Expired cool-downs that are removed whenever an address is cooled down: so few that it costs nothing."""
PROXY: Final = "proxy"
"""Address of a connection from a trusted proxy that has not named its client yet."""


class Limits(Struct, frozen=True):
    """Limits of clients. Sizes in bytes, times in seconds; loopback has its own count and no cool-down.

    connections: places in all. spare: further places for players who return to their seats when all are taken; they
    have `patience` seconds to say so. trusted: proxies whose headers about addresses are believed. *_here: of one
    connection; the others of that name: of one address, over all its connections. requests: all messages but actions;
    beyond that an address is not refused, but delayed. send_buffer: size of the system's buffer for one reader; a
    larger one would hide a stalled reader. local_bots: connections from this computer may send as fast as they can.
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
    local_bots: bool = False


GENEROUS: Final = Limits(bytes_here=Rate(1e9, 1e9), frames_here=Rate(1e9, 1e9))
"""For a server whose clients are all trusted: bots, which are faster than people."""


class AdmittedConnection(Protocol):
    """Connection as the gate sees it."""

    address: str
    half_open: bool
    at_table: bool
    """Whether it plays or watches."""
    heard_at: float
    """When its last data came."""

    def cut(self, why: str) -> None:
        """End the connection now."""


class Admission:
    """Admission control: counts connections by address and remembers addresses that misbehaved."""

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
        """Number of connections, including half-open ones."""
        return len(self.guests)

    @property
    def is_full(self) -> bool:
        """Whether all places are taken, so that only players who return to a seat may stay."""
        return self.total > self.limits.connections

    def counted(self, peer: str) -> str:
        """Return the address under which a connection of that peer counts at first."""
        return PROXY if is_among(peer, self.limits.trusted) else counted(peer)

    def admits(self, address: str) -> bool:
        """Whether a connection from that address may be made; too many attempts cool the address down."""
        if self.is_lenient(address):
            return True
        if self._is_cooling(address):
            return False
        if not self._knocks.take(address):
            self.cool_down(address)
            return False
        return True

    def enter(self, guest: AdmittedConnection) -> bool:
        """Count a new connection and evict others if needed; return False if it is one too many."""
        self.guests[guest] = None
        _count(self._open, guest.address)
        if guest.half_open:
            _count(self._half_open, guest.address)
        # Counted first: the newcomer may be the one too many that makes room necessary.
        self.make_room(guest)
        return self._has_room(guest.address) and not self._is_cooling(guest.address)

    def greeted(self, guest: AdmittedConnection) -> None:
        """Note that a connection is no longer half open."""
        guest.half_open = False
        _discount(self._half_open, guest.address)

    def is_unlimited(self, address: str) -> bool:
        """Whether bots at that address may send as fast as they can."""
        return self.limits.local_bots and self.is_lenient(address)

    def wait_of(self, address: str, cost: float = 1.0) -> float:
        """Return the seconds that one more request from that address must wait."""
        return 0.0 if self.is_lenient(address) else self._requests.owe(address, cost)

    def leave(self, guest: AdmittedConnection) -> None:
        """Forget a connection."""
        if guest in self.guests:
            del self.guests[guest]
            _discount(self._open, guest.address)
            if guest.half_open:
                _discount(self._half_open, guest.address)

    def make_room(self, besides: AdmittedConnection) -> None:
        """Evict the clients without a table that were silent longest, but never `besides`, until there is a place."""
        while self.is_full:
            idle = [
                guest for guest in self.guests if not guest.at_table and not guest.half_open and guest is not besides
            ]
            guest = min(idle, key=lambda each: each.heard_at, default=None)
            # A client that was heard just now may be about to say which seat it returns to.
            if guest is None or self.now() - guest.heard_at < self.limits.patience:
                return
            self.leave(guest)
            guest.cut("idle")

    def cut_all(self) -> None:
        """End every connection now, whether it reads or not."""
        for guest in tuple(self.guests):
            guest.cut("stop")

    def cool_down(self, address: str) -> None:
        """Refuse new connections of an address that misbehaved, for a while."""
        if self.is_lenient(address):
            return
        now = self.now()
        # Removed and added again, so that the dictionary stays sorted by the end.
        self._cooling.pop(address, None)
        self._cooling[address] = now + self.limits.cool_down
        for known, end in tuple(itertools.islice(self._cooling.items(), _FORGOTTEN)):  # Sorted by their end.
            if end <= now or len(self._cooling) > MOST:
                del self._cooling[known]
        log.warning("cooling", source=log.source(address), seconds=self.limits.cool_down)

    def is_lenient(self, address: str) -> bool:
        """Whether limits do not apply to an address: it is this machine's own, or a proxy's that has not named its
        client yet.

        A forwarded request never has such an address, see `addresses.forwarded`.
        """
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
    """Count an address and, for IPv6, its /48."""
    for name in filter(None, (address, site_of(address))):
        counter[name] += 1


def _discount(counter: Counter[str], address: str) -> None:
    for name in filter(None, (address, site_of(address))):
        counter[name] -= 1
        # Zeros are removed: every address that ever came would otherwise stay in memory.
        if counter[name] <= 0:
            del counter[name]
