"""Timekeeping: the server's age is stored, and deserted matches are woken when a player's time is up."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final

from server.clock import Timer
from server.matches.table import Services
from server.storage.port import StoreError

SAVED: Final = 5.0
"""Seconds between two writes of the server's age.

After a crash all clocks are behind by up to that much, which is extra time for every player.
"""
AGREED: Final = 1.0
"""Seconds between two writes if several servers share one age."""
SEARCH_PAUSE: Final = 3.0
"""Seconds between two searches, on a shared store, for matches with a running clock but without a living owner."""
RETRY: Final = 600_000
"""Milliseconds until waking a match is tried again after a failure."""


class Wakeups:
    """Keeper of the server's age and of the matches that are due.

    `wake` loads a match into memory; it returns None if that failed.
    """

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
        """Read due matches from the store and start the timers. Raises StoreError."""
        await self._look()
        self._save_later()
        if self._shared:
            await self._save()
            self._look_later()

    def sleeps(self, match: str, due: int) -> None:
        """Note that a match left memory and must wake at the age `due` of the server in milliseconds; 0: never."""
        if due:
            self._due[match] = due
            self._set_alarm()

    def wakes(self, match: str) -> None:
        """Note that a match is in memory and keeps its own alarm."""
        self._due.pop(match, None)

    async def stop(self) -> None:
        """Stop all timers and store the server's age."""
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
        """Read due matches.

        Matches that other nodes have claimed meanwhile stay noted: claiming them here fails harmlessly.
        """
        self._due |= await self._services.store.due()
        self._set_alarm()

    def _look_later(self) -> None:
        self._looking = self._services.clock.call_later(SEARCH_PAUSE, lambda: self._do(self._look_and_go_on()))

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
        """Wake all matches that are due, one after the other: no player waits for them.

        On a shared store the next search finds those that failed; otherwise they are tried again later.
        """
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
