"""An event loop that takes no more of a processor than its share, however much comes in: what it has no time for waits
in its sockets, and what finds no room there is lost."""

from __future__ import annotations

import selectors
from collections.abc import Callable
from time import monotonic, sleep, thread_time

SHARE = 0.02
"""Of one core."""
PURSE = 0.2
"""Seconds of work that are saved up, for the beginning and for what comes now and then."""


class ThrottledLoop(selectors.DefaultSelector):
    """Between two steps of its loop: waits until the work that was done is paid for. The thread is the loop's alone."""

    def __init__(
        self,
        share: float = SHARE,
        purse: float = PURSE,
        *,
        spent: Callable[[], float] = thread_time,
        now: Callable[[], float] = monotonic,
        wait: Callable[[float], object] = sleep,
    ) -> None:
        super().__init__()
        self.lavish = False
        """Whether nothing is counted any more: the loop is to end soon."""
        self._share, self._most, self._purse = share, purse, purse
        self._spent, self._now, self._wait = spent, now, wait
        self._at: tuple[float, float] | None = None
        """When it was counted last, and how much the thread had worked until then."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """As any selector's, later."""
        self._settle()
        return super().select(timeout)

    def _settle(self) -> None:
        now, spent = self._now(), self._spent()
        before = self._at or (now, spent)
        self._at = now, spent
        self._purse = min(self._most, self._purse + (now - before[0]) * self._share) - (spent - before[1])
        if self._purse < 0 and not self.lavish:
            self._wait(-self._purse / self._share)
