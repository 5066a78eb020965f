"""Verifiable dice: draws follow from a secret of the server and a random number of each player.

The server commits to its secret before it knows the numbers, so neither side can steer the dice. At first it shows
`commitment`; then each client sends a random number; at the end the secret is published. Then anyone can repeat all
draws. SPEC.md has the scheme with examples.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

from shared.kernel import chance
from shared.kernel.frames import Action, Deal, Dice, Draw, Frame
from shared.refusal import BrokenRules

SIZE: Final = 32
"""Bytes of a secret, a number, a key, a commitment."""
_DOMAIN: Final = b"conquest dice 1\n"
_WORD: Final = 4
_WORDS: Final = 256**_WORD


def commitment(secret: bytes, key: bytes) -> bytes:
    """Return the commitment that is shown at first. It reveals nothing, and no other secret and key have the same
    one.
    """
    return hashlib.sha256(_DOMAIN + b"commitment" + secret + key).digest()


class Lots:
    """All draws of a match. `numbers`: of each seat, empty if its client sent none."""

    def __init__(self, secret: bytes, key: bytes, match: str, numbers: Sequence[bytes]) -> None:
        self._secret = secret
        given = b"".join(bytes((len(number),)) + number for number in numbers)
        self._terms = _DOMAIN + commitment(secret, key) + _short(match.encode()) + bytes((len(numbers),)) + given

    def source(self, version: int, frame: Frame) -> "Stream":
        """Return the source of chance for the version and the frame that owes it."""
        return Stream(self._secret, self._terms + b"".join(map(_word, (version, *_drawn(frame)))))

    def draw(self, version: int, frame: Frame) -> Action:
        """Return the answer of chance to a frame."""
        return chance.draw(frame, self.source(version, frame))


class Stream:
    """A source of chance: HMAC-SHA256 of a text and a counter, cut into words of 32 bits."""

    def __init__(self, secret: bytes, text: bytes) -> None:
        self._secret = secret
        self._text = text
        self._counter = 0
        self._left = b""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to `stop` - 1. Words above the last multiple of `stop` are thrown away, so that all
        are equally likely.
        """
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
    """Return kind of draw, number of pieces, and number taken of them."""
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
