"""How long a search may think."""

import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from shared.levels import SECONDS

RATE: Final = 250
"""Rollouts for which a second is meant to be enough: thinking that is done before its deadline ends."""


class Thinking(Struct, frozen=True):
    """At most so many rollouts, and none is begun after so many seconds (None: as long as it takes)."""

    rollouts: int
    seconds: float | None = None

    @classmethod
    def lasting(cls, seconds: float) -> "Thinking":
        """Up to so many seconds."""
        return cls(max(1, round(RATE * seconds)), seconds)


AT_THE_TABLE: Final = Thinking.lasting(SECONDS)
REPEATABLE: Final = Thinking(16)
"""Short, and without a clock, where whole matches are to go the same way again."""


class Budget:
    """What is left of a `Thinking` that has begun; `clock` gives seconds."""

    def __init__(self, thinking: Thinking, clock: Callable[[], float] = time.monotonic) -> None:
        self.left = thinking.rollouts
        self._clock = clock
        self._deadline = None if thinking.seconds is None else clock() + thinking.seconds

    def spend(self) -> bool:
        """Begin one more rollout; False where there is no time or none is left."""
        if self.left <= 0 or (self._deadline is not None and self._clock() >= self._deadline):
            return False
        self.left -= 1
        return True
