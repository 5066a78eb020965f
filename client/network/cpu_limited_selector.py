"""Event loop limited to a share of the processor, however much arrives.

Data beyond its share waits in the sockets; data beyond their buffers is lost.
"""

from __future__ import annotations

import selectors
from collections.abc import Callable
from time import monotonic, sleep, thread_time

SHARE = 0.02
"""Share of one core."""
PURSE = 0.2
"""Seconds of work that can be saved up, for the start and for occasional bursts."""


class ThrottledLoop(selectors.DefaultSelector):
    """Selector that waits, between two steps of the loop, until the work done is paid for.

    The thread is the loop's alone.
    """

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
        """Whether the limit is off because the loop is about to end."""
        self._share, self._most, self._purse = share, purse, purse
        self._spent, self._now, self._wait = spent, now, wait
        self._at: tuple[float, float] | None = None
        """Time of the last measurement, and the thread's processor time until then."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Select as any selector does, after waiting for the budget."""
        self._settle()
        return super().select(timeout)

    def _settle(self) -> None:
        now, spent = self._now(), self._spent()
        before = self._at or (now, spent)
        self._at = now, spent
        self._purse = min(self._most, self._purse + (now - before[0]) * self._share) - (spent - before[1])
        if self._purse < 0 and not self.lavish:
            self._wait(-self._purse / self._share)
