"""Injected time, so that tests control it."""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from server import metrics


class Timer(Protocol):
    """Callback that will be called unless it is cancelled."""

    def cancel(self) -> None:
        """Forget it."""


class Clock(Protocol):
    """Monotonic clock in seconds."""

    def now(self) -> float:
        """Return the seconds since some fixed moment."""

    def call_later(self, delay: float, callback: Callable[[], object]) -> Timer:
        """Call back in `delay` seconds."""


class Loop(Protocol):
    """Event loop as far as the clock needs it."""

    def time(self) -> float:
        """Return monotonic seconds."""

    def call_later(self, delay: float, callback: Callable[[], object], /) -> Timer:
        """Call back in `delay` seconds."""


BEAT: Final = 0.25
"""Seconds between two readings of the loop's clock."""
FROZEN: Final = 1.0
"""Seconds without a reading that show that the process stood still: stopped, suspended, or blocked."""


class LoopClock:
    """Clock of an event loop, less the time for which the process stood still: no player could act then."""

    def __init__(self, loop: Loop | None = None) -> None:
        self._loop: Loop = loop or asyncio.get_running_loop()
        self._looked = self._loop.time()
        self._stood = 0.0
        self._due = self._looked
        self._beat()

    def now(self) -> float:
        """Return the seconds of the loop's clock, less the time for which the process stood still."""
        time = self._loop.time()
        gap, self._looked = time - self._looked, time
        if gap > FROZEN:
            self._stood += gap
        return time - self._stood

    def call_later(self, delay: float, callback: Callable[[], object]) -> Timer:
        """Call back in `delay` seconds of this clock."""
        return _Alarm(self, self._loop, self.now() + delay, callback)

    def _beat(self) -> None:
        metrics.LAG.observe(max(0.0, self._loop.time() - self._due))
        # A reading of its own: else an idle server would seem to have stood still.
        self.now()
        self._due = self._loop.time() + BEAT
        self._loop.call_later(BEAT, self._beat)


class _Alarm:
    """Timer of a `LoopClock`; set again if the loop's own time ran ahead."""

    def __init__(self, clock: LoopClock, loop: Loop, due: float, callback: Callable[[], object]) -> None:
        self._clock = clock
        self._loop = loop
        self._due = due
        self._callback = callback
        self._set()

    def cancel(self) -> None:
        """Forget it."""
        self._timer.cancel()

    def _set(self) -> None:
        self._timer = self._loop.call_later(self._due - self._clock.now(), self._ring)

    def _ring(self) -> None:
        if self._clock.now() < self._due - _HAIR:
            self._set()
        else:
            self._callback()


_HAIR: Final = 0.001
"""Seconds: event loops call back early by up to their resolution."""
