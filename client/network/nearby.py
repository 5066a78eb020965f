"""Tables near us: ours is announced on the local network, and others are heard of.

That is done on a thread of its own, which takes little of the processor whatever anybody sends. Nothing is connected
to, and nothing that fails here is in anybody's way.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from msgspec import Struct

from client.network.addresses import lan_addresses
from client.network.throttled_loop import ThrottledLoop
from protocol.announcement import SERVICE, Announcement, Near
from shared.tables import TablePhase

_log = logging.getLogger(__name__)
_STATION: Final = "client.network.dns_sd"
_TICK: Final = 1.0
"""Seconds from one look around to the next."""
_AGAIN: Final = 15.0
"""Seconds until it is tried again where the network does not carry it."""
_GOODBYE: Final = 1.5
"""Seconds that the end may take."""
_LOOK: Final = 5
"""Looks around from one look at our own addresses to the next."""
NOBODY: Final[tuple[str, ...]] = ()
"""Network cards of a computer that is to stay alone."""


class _Wish(Struct, frozen=True):
    """What is to be done."""

    table: Announcement | None = None
    port: int = 0
    listening: bool = False

    @property
    def any(self) -> bool:
        return self.table is not None or self.listening


class Nearby:
    """See the module's docstring. `tables` and `trouble` may be read at any time."""

    def __init__(self, interfaces: Sequence[str] | None = None, service: str = SERVICE) -> None:
        """`interfaces`: addresses of the network cards to use, None for all, NOBODY to stay alone."""
        self.tables: tuple[Near, ...] = ()
        """What was announced and still holds, first those where one can sit down."""
        self.trouble = ""
        """Why nothing can be heard or announced, as the system says it; empty while all is well."""
        self.ready = False
        """Whether it hears, and is heard."""
        self._interfaces, self._service = interfaces, service
        self._wish = _Wish()
        self._closing = False
        self._thrift: ThrottledLoop | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stirred = asyncio.Event()
        self._thread: threading.Thread | None = None

    def announce(self, table: Announcement | None, port: int = 0) -> None:
        """Tell everybody near of our table, whose server listens there; None: no longer."""
        self._want(_Wish(table, port, self._wish.listening))

    def listen(self, on: bool) -> None:
        """Hear of others, or no longer."""
        self._want(_Wish(self._wish.table, self._wish.port, on))

    def _want(self, wish: _Wish) -> None:
        if wish == self._wish or self._interfaces == NOBODY or self._closing:
            return
        self._wish = wish
        if self._loop is None:
            self._begin()
        self._stir_up()

    def _begin(self) -> None:
        self._thrift = ThrottledLoop()
        self._loop = asyncio.SelectorEventLoop(self._thrift)
        self._thread = threading.Thread(target=self._run, args=(self._loop,), name="nearby", daemon=True)
        self._thread.start()

    def _stir_up(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stirred.set)

    def close(self) -> None:
        """Say goodbye, if there is anybody to say it to."""
        if self._closing:
            return
        self._closing = True
        if self._thread is not None and self._thrift is not None:
            self._thrift.lavish = True
            self._stir_up()
            self._thread.join(_GOODBYE)

    # On the thread

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(ImportError):  # It is said as soon as it is missed.
            import_module(_STATION)  # Before anything is counted: on a small computer it takes a while.
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(self._live())

    async def _live(self) -> None:
        while not self._closing:
            if not self._wish.any:
                await self._stir(None)
                continue
            try:
                await self._work()
            except Exception as error:  # A table needs none of this, whatever the network or the library makes of it.
                self._complain(error)
                await self._stir(_AGAIN)

    async def _work(self) -> None:
        """Announce and listen, for as long as that is wished and our addresses stay."""
        from client.network.dns_sd import DnsSd  # The library may be missing.

        addresses, rounds = self._own(), 0
        station = DnsSd(self._interfaces, self._service)
        try:
            self.trouble = ""
            while self._wish.any and not self._closing:
                wish, rounds = self._wish, rounds + 1
                await station.listen(wish.listening)
                await station.announce(wish.table, wish.port, addresses)
                self.tables = tuple(sorted(station.tables(), key=_rank)) if wish.listening else ()
                self.ready = True
                await self._stir(_TICK)
                if rounds % _LOOK == 0 and self._own() != addresses:
                    return
        finally:
            self.tables, self.ready = (), False
            await station.close()

    async def _stir(self, seconds: float | None) -> None:
        """Wait until something else is wished, at most so long."""
        try:
            await asyncio.wait_for(self._stirred.wait(), seconds)
        except TimeoutError:
            return
        self._stirred.clear()

    def _own(self) -> list[str]:
        return list(self._interfaces) if self._interfaces is not None else lan_addresses()

    def _complain(self, error: Exception) -> None:
        """Once for each kind of trouble."""
        words = f"{error}" or type(error).__name__
        if words != self.trouble:
            _log.warning("tables near cannot be announced or heard of: %s", words)
        self.trouble = words


def _rank(near: Near) -> tuple[bool, int, str, str]:
    """Where one can sit down, then where one can look on."""
    table = near.table
    full = table.phase == TablePhase.GATHERING and table.taken == table.seats
    return full, table.phase, table.title, near.address
