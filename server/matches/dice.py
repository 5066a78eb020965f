"""Where chance comes from: the system's secure source, or a seed that repeats a match."""

import hashlib
import random
import secrets
from typing import Final, Protocol

from shared import proof
from shared.kernel.chance import Source
from shared.kernel.frames import Frame

_ID_BYTES: Final = 6
_KEYED_ID: Final = 24
"""Letters of an id that is made from a key: so many that nobody finds another key for it."""


class Chance(Protocol):
    """The chance of one match."""

    def source(self, version: int, frame: Frame, /) -> Source:
        """The source for the outcome that makes `version` and is owed by `frame`."""


class Dice:
    """Chance for matches. With a seed all of it comes again, on a new server in the same order."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._system = random.SystemRandom()
        self._named = 0
        self._keyed: dict[bytes, str] = {}

    def match(self) -> str:
        """An id for a new match."""
        self._named += 1
        source = self._system if self._seed is None else random.Random(f"{self._seed}:match:{self._named}")
        return source.randbytes(_ID_BYTES).hex()

    def match_of(self, key: bytes) -> str:
        """The id of the match that is made by a request with that key: on any server, at any time the same. With a
        seed it is the next one, and the same once more while the server lives."""
        if self._seed is None:
            return hashlib.sha256(b"conquest match of " + key).hexdigest()[:_KEYED_ID]
        return self._keyed.get(key) or self._keyed.setdefault(key, self.match())

    def root(self, match: str) -> bytes:
        """What the promise of the match's dice is made from; see `shared.proof`."""
        if self._seed is None:
            return secrets.token_bytes(proof.SIZE)
        return hashlib.sha256(f"{self._seed}:{match}".encode()).digest()

    def source(self, version: int, _frame: Frame | None = None) -> Source:
        """The source for the outcome that makes `version` of a match without a promise."""
        return self._system if self._seed is None else random.Random(f"{self._seed}:{version}")

    def seating(self) -> random.Random:
        """The source for who sits where."""
        return self._system if self._seed is None else random.Random(f"{self._seed}")

    def bot_seed(self, version: int, seat: int) -> int:
        """A seed for what a bot on `seat` decides at `version`: 32 bits."""
        if self._seed is None:
            return self._system.getrandbits(32)
        return random.Random(f"{self._seed}:{version}:{seat}").getrandbits(32)
