"""Where chance comes from: the system's secure source, or a seed that repeats a match."""

import random

from shared.kernel.chance import Source


class Dice:
    """Chance for matches. With a seed, what is drawn depends on the version only, so a restart draws the same."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._system = random.SystemRandom()

    def source(self, version: int) -> Source:
        """The source for the outcome that makes `version`."""
        return self._system if self._seed is None else random.Random(f"{self._seed}:{version}")

    def seating(self) -> random.Random:
        """The source for who sits where."""
        return self._system if self._seed is None else random.Random(f"{self._seed}")

    def bot_seed(self, version: int, seat: int) -> int:
        """A seed for what a bot on `seat` decides at `version`: 32 bits."""
        if self._seed is None:
            return self._system.getrandbits(32)
        return random.Random(f"{self._seed}:{version}:{seat}").getrandbits(32)
