"""The server's age is kept, and matches are woken in which somebody's time is up although nobody is there."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final

from server.clock import Timer
from server.matches.table import Services
from server.storage.port import StoreError

SAVED: Final = 5.0
"""Seconds between two times that the age is kept: who kills the server takes at most so much from all clocks, which is
time given to everybody."""
AGREED: Final = 1.0
"""Seconds between two times where several servers have one age."""
LOOKED: Final = 3.0
"""Seconds between two looks, there, for matches in which somebody's time runs and which nobody runs who is alive."""
RETRY: Final = 600_000
"""Milliseconds until a match that could not be woken is tried again."""


class Timekeeper:
    """See the module. `wake` brings a match into memory, None where that failed."""

    def __init__(self, services: Services, wake: Callable[[str], Awaitable[object]]) -> None:
        self._services = services
        self._wake = wake
        self._due: dict[str, int] = {}
        self._alarm: Timer | None = None
        self._saving: Timer | None = None
        self._looking: Timer | None = None
        self._shared = services.store.shared
        self._work: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Look after all that the store knows. Raises StoreError."""
        await self._look()
        self._save_later()
        if self._shared:
            await self._save()
            self._look_later()

    def sleeps(self, match: str, due: int) -> None:
        """A match is no longer in memory, and is to be woken at that age of the server; 0: never."""
        if due:
            self._due[match] = due
            self._set_alarm()

    def wakes(self, match: str) -> None:
        """A match is in memory and looks after itself."""
        self._due.pop(match, None)

    async def stop(self) -> None:
        """Keep how old the server has become."""
        for timer in (self._alarm, self._saving, self._looking):
            if timer is not None:
                timer.cancel()
        for task in self._work:
            task.cancel()
        await self._save()

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._due:
            delay = self._services.age.until(min(self._due.values()))
            self._alarm = self._services.clock.call_later(delay, lambda: self._do(self._wake_all()))

    async def _look(self) -> None:
        """What others have taken meanwhile stays noted: a claim will say so."""
        self._due |= await self._services.store.due()
        self._set_alarm()

    def _look_later(self) -> None:
        self._looking = self._services.clock.call_later(LOOKED, lambda: self._do(self._look_and_go_on()))

    async def _look_and_go_on(self) -> None:
        with contextlib.suppress(StoreError):
            await self._look()
        self._look_later()

    def _save_later(self) -> None:
        delay = AGREED if self._shared else SAVED
        self._saving = self._services.clock.call_later(delay, lambda: self._do(self._save_and_go_on()))

    def _do(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _wake_all(self) -> None:
        """One after the other: nobody waits for them. Where servers share, the next look finds what stays behind."""
        self._alarm = None
        now = self._services.age.now
        for match, due in sorted(self._due.items(), key=lambda item: item[1]):
            if due <= now and self._due.pop(match, 0) and await self._wake(match) is None and not self._shared:
                self._due[match] = now + RETRY
        self._set_alarm()

    async def _save_and_go_on(self) -> None:
        await self._save()
        self._save_later()

    async def _save(self) -> None:
        age = self._services.age
        with contextlib.suppress(StoreError):
            greatest = await self._services.store.keep_age(age.now)
            if self._shared:
                age.reach(greatest)
