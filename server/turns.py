"""Fair queue: clients that ask for much do not delay others."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from server.addresses import site_of

FORGIVEN: Final = 600.0
"""Seconds after which all used time is forgotten."""


class Turns:
    """Fair queue with one turn at a time; the address that used the least time lately is next.

    If thirty addresses ask without end, they wait for each other, and a new one waits for a single turn. Addresses of
    one IPv6 /48 count as one. `now` is any rising clock in seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._waiting: dict[asyncio.Future[None], list[str]] = {}
        self._busy = False
        self._had: Counter[str] = Counter()
        self._since = now()

    @asynccontextmanager
    async def turn(self, names: list[str]) -> AsyncIterator[None]:
        """Context that waits for a turn and holds it. `names`: addresses that want the same; more may be added
        meanwhile."""
        await self._wait(names)
        began = self._now()
        try:
            yield
        finally:
            for name in {site_of(name) or name for name in names}:
                # One more each time: turns of less than a millisecond would be free.
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
                self._next()  # The turn was given to this caller already.
            raise

    def _next(self) -> None:
        """Give the turn to the waiting entry that used the least time; of equal ones, to the oldest."""
        if self._now() - self._since > FORGIVEN:
            self._since = self._now()
            self._had.clear()
        chosen = min(self._waiting, key=lambda each: self._least(self._waiting[each]), default=None)
        # Handed over, not set free: a newcomer could take the turn before the chosen one wakes.
        self._busy = chosen is not None
        if chosen is not None:
            del self._waiting[chosen]
            chosen.set_result(None)

    def _least(self, names: list[str]) -> int:
        """Return the least time that one of the addresses used."""
        return min(self._had[site_of(name) or name] for name in names)
