"""Tables on the local network: ours is announced, and others are discovered.

This runs in a thread of its own, with a small share of the processor however much others send. It connects to no table,
and no failure here disturbs the program.
"""

import asyncio
import contextlib
import logging
import selectors
import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from time import monotonic, sleep, thread_time
from typing import Final

from msgspec import Struct

from client.language import _
from client.network.addresses import lan_addresses
from protocol.announcement import SERVICE, Announcement, Near
from protocol.version import common
from shared.rulesets.registry import RULESETS
from shared.tables import TablePhase

SHARE = 0.02
"""Share of one core."""
PURSE = 0.2
"""Seconds of work that can be saved up, for the start and for occasional bursts."""


class ThrottledLoop(selectors.DefaultSelector):
    """Selector that waits, between two steps of the loop, until the work done is paid for.

    The thread is the loop's alone.
    """

    def __init__(
        self,
        share: float = SHARE,
        purse: float = PURSE,
        *,
        spent: Callable[[], float] = thread_time,
        now: Callable[[], float] = monotonic,
        wait: Callable[[float], object] = sleep,
    ) -> None:
        super().__init__()
        self.lavish = False
        """Whether the limit is off because the loop is about to end."""
        self._share, self._most, self._purse = share, purse, purse
        self._spent, self._now, self._wait = spent, now, wait
        self._at: tuple[float, float] | None = None
        """Time of the last measurement, and the thread's processor time until then."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Select as any selector does, after waiting for the budget."""
        self._settle()
        return super().select(timeout)

    def _settle(self) -> None:
        now, spent = self._now(), self._spent()
        before = self._at or (now, spent)
        self._at = now, spent
        self._purse = min(self._most, self._purse + (now - before[0]) * self._share) - (spent - before[1])
        if self._purse < 0 and not self.lavish:
            # A debt is paid by waiting, so that the share holds however many announcements arrive.
            self._wait(-self._purse / self._share)


_log = logging.getLogger(__name__)
_STATION: Final = "client.network.dns_sd"
_TICK: Final = 1.0
"""Seconds between two checks for changes."""
_AGAIN: Final = 15.0
"""Seconds until the next try if the network does not carry multicast."""
_GOODBYE: Final = 1.5
"""Maximum seconds for withdrawing the announcement at the end."""
_LOOK: Final = 5
"""Checks between two looks at our own addresses."""
NO_INTERFACES: Final[tuple[str, ...]] = ()
"""Empty list of network cards: no announcement and no discovery."""


def stranger(near: Near) -> str:
    """Return why this program cannot join that table; empty if it can."""
    if not common(near.table.protocol, near.table.newest) or near.table.game not in RULESETS:
        return _("That table plays another version of this program.")
    return ""


class _NearbyGoal(Struct, frozen=True):
    """Desired state of announcing and listening."""

    table: Announcement | None = None
    port: int = 0
    listening: bool = False

    @property
    def any(self) -> bool:
        return self.table is not None or self.listening


class Nearby:
    """Announcer and list of tables. `tables` and `trouble` may be read at any time."""

    def __init__(self, interfaces: Sequence[str] | None = None, service: str = SERVICE) -> None:
        """`interfaces`: addresses of the network cards to use, None for all, empty for no network."""
        self.tables: tuple[Near, ...] = ()
        """Valid announcements, those with a free seat first."""
        self.trouble = ""
        """Reason why announcing or listening fails, as the system words it; empty if all is well."""
        self.ready = False
        """Whether the network is announced to and listened on."""
        self._interfaces, self._service = interfaces, service
        self._goal = _NearbyGoal()
        self._closing = False
        self._thrift: ThrottledLoop | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._woken = asyncio.Event()
        self._thread: threading.Thread | None = None

    def announce(self, table: Announcement | None, port: int = 0) -> None:
        """Announce our table, whose server listens at `port`; None withdraws it."""
        self._set_goal(_NearbyGoal(table, port, self._goal.listening))

    def listen(self, on: bool) -> None:
        """Start or stop listening for other tables."""
        self._set_goal(_NearbyGoal(self._goal.table, self._goal.port, on))

    def _set_goal(self, goal: _NearbyGoal) -> None:
        if goal == self._goal or self._interfaces == NO_INTERFACES or self._closing:
            return
        self._goal = goal
        if self._loop is None:
            self._begin()
        self._wake()

    def _begin(self) -> None:
        self._thrift = ThrottledLoop()
        self._loop = asyncio.SelectorEventLoop(self._thrift)
        self._thread = threading.Thread(target=self._run, args=(self._loop,), name="nearby", daemon=True)
        self._thread.start()

    def _wake(self) -> None:
        if self._loop is not None:
            # Events of asyncio are not safe across threads: only the thread of the loop may set them.
            self._loop.call_soon_threadsafe(self._woken.set)

    def close(self) -> None:
        """Withdraw the announcement, if there is one, and end the thread."""
        if self._closing:
            return
        self._closing = True
        if self._thread is not None and self._thrift is not None:
            # The farewell must not wait for the budget: the program is about to end.
            self._thrift.lavish = True
            self._wake()
            self._thread.join(_GOODBYE)

    # Code that runs in the thread

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(ImportError):  # `_work` reports a missing library.
            import_module(_STATION)  # Before the time budget counts: the import is slow on a small computer.
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        while not self._closing:
            if not self._goal.any:
                await self._sleep_until_woken(None)
                continue
            try:
                await self._work()
            except Exception as error:  # Whatever the network or the library does, a table needs none of this.
                self._complain(error)
                await self._sleep_until_woken(_AGAIN)

    async def _work(self) -> None:
        """Announce and listen while that is desired and our addresses stay the same."""
        from client.network.dns_sd import DnsSd  # The library may be missing.

        addresses, rounds = self._own(), 0
        station = DnsSd(self._interfaces, self._service)
        try:
            self.trouble = ""
            while self._goal.any and not self._closing:
                goal, rounds = self._goal, rounds + 1
                await station.listen(goal.listening)
                await station.announce(goal.table, goal.port, addresses)
                self.tables = tuple(sorted(station.tables(), key=_rank)) if goal.listening else ()
                self.ready = True
                await self._sleep_until_woken(_TICK)
                # The sockets belong to the old network cards; `_serve` opens new ones.
                if rounds % _LOOK == 0 and self._own() != addresses:
                    return
        finally:
            self.tables, self.ready = (), False
            await station.close()

    async def _sleep_until_woken(self, seconds: float | None) -> None:
        """Wait until the desired state changes, at most that many seconds."""
        try:
            await asyncio.wait_for(self._woken.wait(), seconds)
        except TimeoutError:
            return
        self._woken.clear()

    def _own(self) -> list[str]:
        return list(self._interfaces) if self._interfaces is not None else lan_addresses()

    def _complain(self, error: Exception) -> None:
        """Log an error, once for each kind."""
        words = f"{error}" or type(error).__name__
        if words != self.trouble:
            _log.warning("tables near cannot be announced or heard of: %s", words)
        self.trouble = words


def _rank(near: Near) -> tuple[bool, int, str, str]:
    """Return a sort key: tables with a free seat first, then those to watch."""
    table = near.table
    full = table.phase == TablePhase.GATHERING and table.taken == table.seats
    return full, table.phase, table.title, near.address
