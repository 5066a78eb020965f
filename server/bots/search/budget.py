"""Limits of a search in rollouts and seconds."""

import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from shared.levels import EXPERT, PATIENCE, SECONDS, level

RATE: Final = 250
"""Rollouts per second of thinking time; a search that completes them ends before its deadline."""


class Thinking(Struct, frozen=True):
    """Limits of a search: the most rollouts, and the seconds after which no rollout is begun (None: no limit)."""

    rollouts: int
    seconds: float | None = None

    @classmethod
    def lasting(cls, seconds: float) -> "Thinking":
        """Return the limits for a thinking time in seconds."""
        return cls(max(1, round(RATE * seconds)), seconds)

    def of(self, name: str) -> "Thinking":
        """Return the limits of a level where a hard bot has these."""
        if level(name) != EXPERT:
            return self
        return Thinking(PATIENCE * self.rollouts, None if self.seconds is None else PATIENCE * self.seconds)


AT_THE_TABLE: Final = Thinking.lasting(SECONDS)
REPEATABLE: Final = Thinking(16)
"""Short and without a clock, for matches that must be repeatable."""


FEWEST: Final = 16
"""Rollouts that a small share of the thinking time is worth at least: fewer tell nothing."""


class Budget:
    """Remaining rollouts of a search that has begun; `clock` gives seconds."""

    def __init__(self, thinking: Thinking, clock: Callable[[], float] = time.monotonic) -> None:
        self.left = thinking.rollouts
        self._clock, self._seconds = clock, thinking.seconds
        self._deadline = None if thinking.seconds is None else clock() + thinking.seconds

    def limit(self, share: float) -> None:
        """Reduce the limits to a share of them, before the first rollout."""
        self.left = min(self.left, max(FEWEST, round(self.left * share)))
        if self._deadline is not None and self._seconds is not None:
            self._deadline -= self._seconds * (1 - share)

    def spend(self) -> bool:
        """Begin one more rollout; return False if no rollout or no time is left."""
        if self.left <= 0 or (self._deadline is not None and self._clock() >= self._deadline):
            return False
        self.left -= 1
        return True
