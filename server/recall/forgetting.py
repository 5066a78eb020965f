"""Finished matches go after a while, where the operator wishes it."""

import asyncio
import math
from collections.abc import Callable
from typing import Final

from server import log
from server.clock import Clock, Timer
from server.storage.port import Owned, Store, StoreError

DAY: Final = 86_400.0
BETWEEN: Final = 0.05
"""Seconds between two that go: whoever wants to save something waits for one only."""


class Forgetting:
    """Looks once a day for what is older than that. `in_use`: whether somebody is at a match; `date`: seconds since
    1970."""

    def __init__(
        self, store: Store, clock: Clock, date: Callable[[], float], days: float, in_use: Callable[[str], bool]
    ) -> None:
        self._store = store
        self._clock = clock
        self._date = date
        self._days = days
        self._in_use = in_use
        self._timer: Timer | None = None
        self._work: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Look now, and every day; never, where all is kept."""
        if self._days == math.inf:
            return
        self._work = asyncio.create_task(self._look())
        self._timer = self._clock.call_later(DAY, self.begin)

    async def stop(self) -> None:
        """What is left stays until the next start."""
        if self._timer is not None:
            self._timer.cancel()
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _look(self) -> None:
        try:
            old = await self._store.over_since(self._date() - self._days * DAY)
            gone = [match for match in old if await self._forget(match)]
        except StoreError as error:
            log.warning("not-forgotten", error=str(error))
            return
        if gone:
            log.info("forgotten", matches=len(gone), days=self._days)

    async def _forget(self, match: str) -> bool:
        """Whether it is gone; what is damaged stays for whoever repairs it."""
        if self._in_use(match):
            return False
        try:
            kept = await self._store.claim(match)
            if kept is None:
                return False
            await self._store.delete(match, kept.epoch)
        except Owned:
            return False
        except StoreError as error:
            log.warning("not-forgotten", match=match, error=str(error))
            return False
        await asyncio.sleep(BETWEEN)
        return True
