"""Random codes that people pass on (tables, seats, profiles, hands), and ids of profiles."""

import secrets
from collections.abc import Callable
from typing import Final

_ID_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LENGTH: Final = 12
_CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits without those that look alike."""
SHORT: Final = 6
LONG: Final = 8
"""Letters of a code that is hard to guess."""


def new_id() -> str:
    """Return a new id; its length makes a collision practically impossible."""
    return _random(_ID_LETTERS, _ID_LENGTH)


def new_code(length: int) -> str:
    """Return a random code of that many letters."""
    return _random(_CODE_LETTERS, length)


def _random(letters: str, length: int) -> str:
    return "".join(secrets.choice(letters) for _ in range(length))


SEAT_CODE_HOURS: Final = 24
"""Hours for which a code for a seat is valid."""
_SEAT_CODE_LENGTH: Final = 12


class SeatCodes:
    """Single-use codes for a seat, which operators give to players who lost their token; lost when the server ends."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._given: dict[str, tuple[str, int, float]] = {}

    def make(self, match: str, seat: int) -> str:
        """Return a new code; an earlier one for the same seat becomes void."""
        now = self._now()
        self._given = {
            # Expired codes are dropped here too, so the dictionary needs no timer.
            code: given
            for code, given in self._given.items()
            if given[2] > now and given[:2] != (match, seat)
        }
        code = new_code(_SEAT_CODE_LENGTH)
        self._given[code] = (match, seat, now + SEAT_CODE_HOURS * 3600)
        return code

    def __contains__(self, code: object) -> bool:
        return code in self._given

    def learn(self, code: str, match: str, seat: int) -> None:
        """Learn from another node that it gave out a code or (empty `match`) that the code was used."""
        self._given.pop(code, None)
        if match:
            self._given[code] = (match, seat, self._now() + SEAT_CODE_HOURS * 3600)

    def take(self, code: str) -> tuple[str, int] | None:
        """Return the match and seat that a code opens, and use it up; None if it is unknown or expired."""
        match, seat, until = self._given.pop(code, ("", 0, 0.0))
        return (match, seat) if until > self._now() else None
