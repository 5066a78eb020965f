"""Deletion of old finished matches, if the operator wishes it, of chat, and of matches that no person ever played."""

import asyncio
import contextlib
import math
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Final

from msgspec import structs

from server import log
from server.clock import Clock, Timer
from server.storage.port import Damaged, OwnedElsewhere, Store, StoreError, TableRecord

DAY: Final = 86_400.0
CHAT: Final = 365.0
"""Days after its end for which the chat of a match is kept."""
UNPLAYED: Final = DAY
"""Seconds after its last change for which a match is kept that no person ever played."""
OFTEN: Final = 3600.0
"""Seconds between two searches for those. Each examines changes within two such periods before `UNPLAYED`."""
BETWEEN: Final = 0.05
"""Seconds between two deletions, so that a write to the store waits for one of them only."""


class Retention:
    """Deleter of finished matches that are older than `days`, once a day, and of unplayed ones, once an hour.

    chat: days after which the words of a finished match are deleted, and the marks of people that its host removed or
    muted, among them addresses. The match stays.
    in_use: whether a match is loaded. date: seconds since 1970. forgot: called with each match that is deleted.
    hourly: other work of that kind, which raises nothing.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        date: Callable[[], float],
        days: float,
        in_use: Callable[[str], bool],
        forgot: Callable[[str], object] = str,
        chat: float = CHAT,
        hourly: Callable[[], Coroutine[object, object, None]] | None = None,
    ) -> None:
        self._hourly = hourly
        self._chat = chat
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
        if self._hourly is not None:
            self._do(self._hourly())
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
            gone = [match for match in await self._old() if await self.forget(match)]
            old = await self._store.over_since(self._date() - self._chat * DAY)
            quiet = [match for match in old if await self._delete_chat(match)]
            if quiet:
                await self._store.scrub()
        except StoreError as error:
            log.warning("not-forgotten", error=str(error))
            return
        if gone:
            log.info("forgotten", matches=len(gone), days=self._days)
        if quiet:
            log.info("chat-deleted", matches=len(quiet), days=self._chat)

    async def _old(self) -> list[str]:
        """Return the matches that ended `days` ago. Raises StoreError."""
        limit = self._date() - self._days * DAY
        if limit == -math.inf:
            return []
        old = await self._store.over_since(limit)
        if self._days > self._chat:  # The deletion of their chat was a later change.
            for match in await self._store.over_since(self._date()):
                record = await self._record(match)
                if match not in old and record is not None and 0 < record.ended < limit:
                    old.append(match)
        return old

    async def _record(self, match: str) -> TableRecord | None:
        """Return the record of a match, None if it is gone or damaged."""
        with contextlib.suppress(Damaged):
            glance = await self._store.look(match)
            return None if glance is None else glance.table
        return None

    async def _delete_chat(self, match: str) -> bool:
        """Delete the words of a match that is not in use. True if there were any."""
        record = await self._record(match)
        if record is None or self._in_use(match) or not (record.talk or record.kicked or record.muted):
            return False
        try:
            if (stored := await self._store.claim(match)) is None:
                return False
            await self._store.release(structs.replace(stored.table, talk=[], kicked=(), muted=()), stored.epoch)
        except (OwnedElsewhere, Damaged):
            return False
        await asyncio.sleep(BETWEEN)
        return True

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
