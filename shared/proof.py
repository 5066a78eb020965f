"""Dice that nobody can argue with: what is drawn follows from a secret that the server committed to before everybody's
number was known, and from all those numbers.

At first the server shows `commitment`; then each client sends a random number; at the end the secret is published, and
whoever wishes draws everything again. SPEC.md has the scheme with examples.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from shared import signature
from shared.kernel import chance
from shared.kernel.frames import Action, Deal, Dice, Draw, Frame
from shared.refusal import BrokenRules

SIZE: Final = 32
"""Bytes of a secret, a number, a key, a commitment."""
_DOMAIN: Final = b"conquest dice 1\n"
_WORD: Final = 4
_WORDS: Final = 256**_WORD


class Promise(Struct, frozen=True):
    """What a server makes for one match from 32 random bytes that it never shows: the secret that it will publish, and
    a key that signs the log once."""

    secret: bytes
    seed: bytes
    key: bytes
    """The public half of the key."""


def promise(root: bytes) -> Promise:
    """The promise from its root. Takes a millisecond."""
    secret, seed = (hmac.digest(root, _DOMAIN + name, "sha256") for name in (b"secret", b"seed"))
    return Promise(secret, seed, signature.public(seed))


def commitment(secret: bytes, key: bytes) -> bytes:
    """What is shown at first: it gives nothing away, and no other secret and key have it."""
    return hashlib.sha256(_DOMAIN + b"commitment" + secret + key).digest()


class Lots:
    """All that is drawn in a match. `numbers`: of each seat, empty where its client sent none."""

    def __init__(self, secret: bytes, key: bytes, match: str, numbers: Sequence[bytes]) -> None:
        self._secret = secret
        given = b"".join(bytes((len(number),)) + number for number in numbers)
        self._terms = _DOMAIN + commitment(secret, key) + _short(match.encode()) + bytes((len(numbers),)) + given

    def source(self, version: int, frame: Frame) -> "Stream":
        """The chance for what makes `version` and is owed by that frame."""
        return Stream(self._secret, self._terms + b"".join(map(_word, (version, *_drawn(frame)))))

    def draw(self, version: int, frame: Frame) -> Action:
        """What chance answers."""
        return chance.draw(frame, self.source(version, frame))


class Stream:
    """A source of chance: HMAC-SHA256 of a text and a counter, cut into words of 32 bits."""

    def __init__(self, secret: bytes, text: bytes) -> None:
        self._secret = secret
        self._text = text
        self._counter = 0
        self._left = b""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to `stop` - 1, all equally likely: words of the uneven rest at the top are thrown away."""
        limit = _WORDS - _WORDS % stop
        while True:
            word = self._next()
            if word < limit:
                return word % stop

    def _next(self) -> int:
        if not self._left:
            self._left = hmac.digest(self._secret, self._text + _word(self._counter), "sha256")
            self._counter += 1
        word, self._left = self._left[:_WORD], self._left[_WORD:]
        return int.from_bytes(word, "big")


def _drawn(frame: Frame) -> tuple[int, int, int]:
    """What is drawn: its kind, how much there is, and how much is taken of it."""
    match frame:
        case Dice():
            return 0, frame.count, frame.count
        case Draw():
            return 1, frame.count, frame.count
        case Deal():
            return 2, frame.count, frame.size
        case _:
            raise BrokenRules(f"{frame!r} is not owed by chance")


def _short(text: bytes) -> bytes:
    return bytes((len(text),)) + text


def _word(number: int) -> bytes:
    return number.to_bytes(_WORD, "big")
