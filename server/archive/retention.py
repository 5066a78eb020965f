"""Deletion of old finished matches, if the operator wishes it, and of matches that no person ever played."""

import asyncio
import math
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Final

from msgspec import structs

from server import log
from server.clock import Clock, Timer
from server.storage.port import OwnedElsewhere, Store, StoreError

DAY: Final = 86_400.0
UNPLAYED: Final = DAY
"""Seconds after its last change for which a match is kept that no person ever played."""
OFTEN: Final = 3600.0
"""Seconds between two searches for those. Each examines changes within two such periods before `UNPLAYED`."""
BETWEEN: Final = 0.05
"""Seconds between two deletions, so that a write to the store waits for one of them only."""


class Retention:
    """Deleter of finished matches that are older than `days`, once a day, and of unplayed ones, once an hour.

    in_use: whether a match is loaded. date: seconds since 1970. forgot: called with each match that is deleted.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        date: Callable[[], float],
        days: float,
        in_use: Callable[[str], bool],
        forgot: Callable[[str], object] = str,
    ) -> None:
        self._forgot = forgot
        self._store = store
        self._clock = clock
        self._date = date
        self._days = days
        self._in_use = in_use
        self._timers: dict[str, Timer] = {}
        self._work: set[asyncio.Task[None]] = set()

    def begin(self) -> None:
        """Search now and then periodically."""
        if self._days < math.inf:
            self._look_for_finished()
        self._look_for_unplayed(0.0)

    async def stop(self) -> None:
        """Stop searching. Matches that are not deleted yet stay until the next start."""
        for timer in self._timers.values():
            timer.cancel()
        for task in self._work:
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)

    def _look_for_finished(self) -> None:
        self._do(self._look())
        self._timers["finished"] = self._clock.call_later(DAY, self._look_for_finished)

    def _look_for_unplayed(self, since: float) -> None:
        before = self._date() - UNPLAYED
        self._do(self._delete_unplayed(since, before))
        again = partial(self._look_for_unplayed, before - OFTEN)
        self._timers["unplayed"] = self._clock.call_later(OFTEN, again)

    def _do(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _delete_unplayed(self, since: float, before: float) -> None:
        try:
            matches = await self._store.unplayed(since, before)
            gone = [match for match in matches if await self.forget(match, only_unplayed=True)]
        except StoreError as error:
            log.warning("not-forgotten", error=str(error))
            return
        if gone:
            log.info("unplayed-deleted", matches=len(gone))

    async def _look(self) -> None:
        try:
            old = await self._store.over_since(self._date() - self._days * DAY)
            gone = [match for match in old if await self.forget(match)]
        except StoreError as error:
            log.warning("not-forgotten", error=str(error))
            return
        if gone:
            log.info("forgotten", matches=len(gone), days=self._days)

    async def forget(self, match: str, only_unplayed: bool = False) -> bool:
        """Delete a match unless it is in use or damaged. True if it is gone."""
        if self._in_use(match):
            return False
        try:
            stored = await self._store.claim(match)
            if stored is None:
                return False
            if only_unplayed and any(entry.command for entry in stored.entries):
                # A node of an earlier version ran the match and does not know the mark `unplayed`.
                await self._store.release(structs.replace(stored.table, unplayed=False), stored.epoch)
                return False
            await self._store.delete(match, stored.epoch)
            self._forgot(match)
        except OwnedElsewhere:
            return False
        except StoreError as error:
            log.warning("not-forgotten", match=match, error=str(error))
            return False
        await asyncio.sleep(BETWEEN)
        return True
