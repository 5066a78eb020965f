"""Sources of chance: the system's secure source, or a seed that repeats a match."""

import hashlib
import random
import secrets
from typing import Final, Protocol

from server.storage.port import DiceRoot
from shared import proof
from shared.kernel.chance import Source
from shared.kernel.frames import Frame

ID_BYTES: Final = 6
_KEYED_ID: Final = 24
"""Letters of an id that is made from a key. With that many, finding another key for the same id is infeasible."""


class Chance(Protocol):
    """The chance of one match."""

    def source(self, version: int, frame: Frame, /) -> Source:
        """Return the source for the outcome that makes `version` and is owed by `frame`."""


class Dice:
    """Chance for matches. With a seed, a new server repeats everything if it is asked in the same order."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._system = random.SystemRandom()
        self._named = 0
        self._keyed: dict[bytes, str] = {}

    def match(self) -> str:
        """Return an id for a new match."""
        self._named += 1
        source = self._system if self._seed is None else random.Random(f"{self._seed}:match:{self._named}")
        return source.randbytes(ID_BYTES).hex()

    def match_of(self, key: bytes) -> str:
        """Return the id of the match that a request with that key creates.

        It is the same on every server at any time. With a seed it is the next id; the same key gets it again while the
        server lives.
        """
        if self._seed is None:
            return hashlib.sha256(b"conquest match of " + key).hexdigest()[:_KEYED_ID]
        # Not `setdefault` alone: it would draw an id, and change all later ones, for a key that has one.
        return self._keyed.get(key) or self._keyed.setdefault(key, self.match())

    def root(self, match: str) -> DiceRoot:
        """Return the root from which the promise of the match's dice is made."""
        if self._seed is None:
            return DiceRoot(secrets.token_bytes(proof.SIZE))
        return DiceRoot(hashlib.sha256(f"{self._seed}:{match}".encode()).digest())

    def source(self, version: int, _frame: Frame | None = None) -> Source:
        """Return the source for the outcome that makes `version` of a match without a promise."""
        return self._system if self._seed is None else random.Random(f"{self._seed}:{version}")

    def seating(self) -> random.Random:
        """Return the source that shuffles seats."""
        return self._system if self._seed is None else random.Random(f"{self._seed}")

    def bot_seed(self, version: int, seat: int) -> int:
        """Return a seed of 32 bits for what a bot on `seat` decides at `version`."""
        if self._seed is None:
            return self._system.getrandbits(32)
        return random.Random(f"{self._seed}:{version}:{seat}").getrandbits(32)
