"""Time, injected, so that tests decide how fast it goes."""

import asyncio
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """Something that will happen unless cancelled."""

    def cancel(self) -> None:
        """Forget it."""


class Clock(Protocol):
    """A monotonic clock in seconds."""

    def now(self) -> float:
        """Seconds since some fixed moment."""

    def call_later(self, delay: float, callback: Callable[[], object]) -> Timer:
        """Call back in `delay` seconds."""


class LoopClock:
    """The clock of the running event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def now(self) -> float:
        """Seconds of the loop's monotonic clock."""
        return self._loop.time()

    def call_later(self, delay: float, callback: Callable[[], object]) -> Timer:
        """Call back in `delay` seconds."""
        return self._loop.call_later(delay, callback)
