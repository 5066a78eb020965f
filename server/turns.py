"""A queue in which nobody who asks for much keeps others waiting."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from server.addresses import site_of

FORGIVEN: Final = 600.0
"""Seconds after which it does not matter any more how much somebody had."""


class Turns:
    """One turn at a time. Whoever had least of the time lately is next; `now` is any rising clock in seconds.

    Thirty addresses that ask without end wait for each other: a newcomer waits for one turn, and not for theirs.
    Addresses of one /48 of IPv6 count as one.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._waiting: dict[asyncio.Future[None], list[str]] = {}
        self._busy = False
        self._had: Counter[str] = Counter()
        self._since = now()

    @asynccontextmanager
    async def turn(self, names: list[str]) -> AsyncIterator[None]:
        """Wait for a turn, and have it. `names`: addresses that want the same; more may be added meanwhile."""
        await self._wait(names)
        began = self._now()
        try:
            yield
        finally:
            for name in {site_of(name) or name for name in names}:
                self._had[name] += 1 + int(1000 * (self._now() - began))
            self._next()

    async def _wait(self, names: list[str]) -> None:
        if not self._busy:
            self._busy = True
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[mine] = names
        try:
            await mine
        except asyncio.CancelledError:
            if self._waiting.pop(mine, None) is None:
                self._next()  # It was our turn already.
            raise

    def _next(self) -> None:
        """Give the turn to the one that had least, of several to the one that has waited longest."""
        if self._now() - self._since > FORGIVEN:
            self._since = self._now()
            self._had.clear()
        chosen = min(self._waiting, key=lambda each: self._least(self._waiting[each]), default=None)
        self._busy = chosen is not None
        if chosen is not None:
            del self._waiting[chosen]
            chosen.set_result(None)

    def _least(self, names: list[str]) -> int:
        """What the one of them had that had least."""
        return min(self._had[site_of(name) or name] for name in names)
