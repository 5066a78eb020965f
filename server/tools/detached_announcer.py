"""Announcement of a table on the local network (DNS-SD), after the window that started the server is gone.

It runs on a thread of its own with a small share of the processor, whatever strangers send. It processes no requests,
and its failures do not affect the server.
"""

import asyncio
import selectors
import threading
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from time import sleep, thread_time
from typing import Final

from protocol.announcement import SERVICE, Announcement
from server import log
from server.lobby.lobby import Lobby
from server.tools.invitation_text import reached
from shared.tables import TablePhase

TICK: Final = 1.0
"""Seconds between two looks at the tables."""
GOODBYE: Final = 1.5
"""Most seconds that stopping may take."""
_SHARE: Final = 0.02
"""Share of one core that the thread may use; it sleeps to stay below that."""
_LONGEST: Final = 0.5
"""Longest sleep at once, in seconds."""

Look = Callable[[], Awaitable[Announcement | None]]
"""Returns the table to announce; called on the beacon's thread."""


def table_of(lobby: Lobby) -> Announcement | None:
    """Return the public table to announce: the first that waits for players, else one that can be watched."""
    tables = [task.table for task in lobby.tasks if task.table.record.open]
    going = [table for table in tables if table.info.phase is not TablePhase.OVER]
    if not going:
        return None
    table = min(going, key=lambda table: table.info.phase)
    info, chairs = table.info, table.seating.chairs
    names = [chair.record.name for chair in chairs if chair.record.name and not chair.record.bot]
    host = chairs[table.record.host].record.name if 0 <= table.record.host < len(chairs) else ""
    return Announcement(
        info.match, info.ruleset, info.title, host or next(iter(names), info.title), info.seats, info.taken, info.phase
    )


class _Thrifty(selectors.DefaultSelector):
    """Selector that sleeps between two steps of its loop to limit the share of the processor.

    Packets that do not fit into the socket's buffer meanwhile are lost.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lavish = False
        self._worked = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Select as usual, after the sleep."""
        worked, self._worked = self._worked, thread_time()
        if not self.lavish:
            sleep(min(_LONGEST, (self._worked - worked) / _SHARE))
        return super().select(timeout)


class DetachedAnnouncer:
    """Announcement of a server's table on a thread of its own.

    look: returns the table to announce. port: of the server.
    """

    def __init__(
        self, look: Look, port: int, reached: Callable[[], Sequence[str]], interfaces: Sequence[str] | None = None,
        service: str = SERVICE,
    ) -> None:  # fmt: skip
        """Prepare the thread. `reached`: own addresses; `interfaces`: those of the network cards to use, None for
        all."""
        self._look, self._port, self._reached = look, port, reached
        self._interfaces, self._service = interfaces, service
        self._selector = _Thrifty()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="beacon", daemon=True)

    def start(self) -> None:
        """Announce from now on, if the server can be reached at any address."""
        if self._reached():
            self._thread.start()

    def stop(self) -> None:
        """Take the announcement back, and end the thread."""
        # The farewell must not wait for the thread's share.
        self._selector.lavish = True
        self._ending.set()
        if self._thread.ident is not None:
            self._thread.join(GOODBYE)

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(self._selector)) as runner:
                runner.run(self._announce_until_end())
        except Exception as error:  # The library is missing, or the network does not allow multicast.
            log.warning("not-announced", error=f"{error}" or type(error).__name__)

    async def _announce_until_end(self) -> None:
        from server.tools.dns_sd import Light

        light = Light(self._service, self._port, self._interfaces)
        try:
            while not self._ending.is_set():
                await light.say(await self._look(), self._reached())
                # In another thread: this loop must go on to answer packets.
                await asyncio.to_thread(self._ending.wait, TICK)
        finally:
            await light.close()


def beacon_of(lobby: Lobby, host: str, port: int, loop: asyncio.AbstractEventLoop) -> DetachedAnnouncer:
    """Return a beacon for the tables of a lobby that lives in `loop`, of a server that listens on `host`.

    If no machine nearby can reach the server, nothing is announced.
    """

    async def look() -> Announcement | None:
        async def there() -> Announcement | None:
            return table_of(lobby)

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(there(), loop))

    return DetachedAnnouncer(look, port, partial(reached, host))
