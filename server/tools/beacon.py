"""Announces a table of ours on the local network (DNS-SD), in place of the window that started the server and is gone.

That is done on a thread of its own, which takes little of the processor whatever strangers send. It hears nobody, and
nothing that fails here is in anybody's way.
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
from server.tools.inviting import reached
from shared.tables import TablePhase

TICK: Final = 1.0
"""Seconds from one look at our tables to the next."""
GOODBYE: Final = 1.5
"""Seconds that the end may take."""
_SHARE: Final = 0.02
"""Of one core that the thread takes; then it waits until its work is paid for."""
_LONGEST: Final = 0.5
"""Seconds that it waits at once."""

Look = Callable[[], Awaitable[Announcement | None]]
"""What is to be announced; called on the beacon's thread."""


def table_of(lobby: Lobby) -> Announcement | None:
    """The table that everybody may come to: the first that waits for players, else one at which one can look on."""
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
    """Waits between two steps of its loop until the work that was done is paid for; what has no room meanwhile is
    lost."""

    def __init__(self) -> None:
        super().__init__()
        self.lavish = False
        self._worked = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """As any selector's, later."""
        worked, self._worked = self._worked, thread_time()
        if not self.lavish:
            sleep(min(_LONGEST, (self._worked - worked) / _SHARE))
        return super().select(timeout)


class Beacon:
    """See the module's docstring. `look`: what is to be announced; `port`: where the server listens."""

    def __init__(
        self, look: Look, port: int, reached: Callable[[], Sequence[str]], interfaces: Sequence[str] | None = None,
        service: str = SERVICE,
    ) -> None:  # fmt: skip
        """`reached`: our addresses; `interfaces`: those of the network cards to use, None for all."""
        self._look, self._port, self._reached = look, port, reached
        self._interfaces, self._service = interfaces, service
        self._selector = _Thrifty()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="beacon", daemon=True)

    def start(self) -> None:
        """Announce from now on, if there is an address to be found at."""
        if self._reached():
            self._thread.start()

    def stop(self) -> None:
        """Say goodbye, if it is to be said at all."""
        self._selector.lavish = True
        self._ending.set()
        if self._thread.ident is not None:
            self._thread.join(GOODBYE)

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(self._selector)) as runner:
                runner.run(self._shine())
        except Exception as error:  # The library is missing, or the network carries none of this.
            log.warning("not-announced", error=f"{error}" or type(error).__name__)

    async def _shine(self) -> None:
        from server.tools.shining import Light

        light = Light(self._service, self._port, self._interfaces)
        try:
            while not self._ending.is_set():
                await light.say(await self._look(), self._reached())
                await asyncio.to_thread(self._ending.wait, TICK)
        finally:
            await light.close()


def beacon_of(lobby: Lobby, host: str, port: int, loop: asyncio.AbstractEventLoop) -> Beacon:
    """One that announces tables of a lobby, which lives in that loop; of a server that listens on `host`. Where nobody
    near can reach that, nothing is announced."""

    async def look() -> Announcement | None:
        async def there() -> Announcement | None:
            return table_of(lobby)

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(there(), loop))

    return Beacon(look, port, partial(reached, host))
