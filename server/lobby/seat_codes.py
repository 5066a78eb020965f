"""Single-use codes for a seat, which operators give to players who lost their token."""

from collections.abc import Callable
from typing import Final

from server.matches.codes import new_code

HOURS: Final = 24
"""Hours for which a code is valid."""
_LENGTH: Final = 12


class SeatCodes:
    """Codes that were given out and not used yet; they are lost when the server ends."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._given: dict[str, tuple[str, int, float]] = {}

    def make(self, match: str, seat: int) -> str:
        """Return a new code; an earlier one for the same seat becomes void."""
        now = self._now()
        self._given = {
            code: given for code, given in self._given.items() if given[2] > now and given[:2] != (match, seat)
        }
        code = new_code(_LENGTH)
        self._given[code] = (match, seat, now + HOURS * 3600)
        return code

    def __contains__(self, code: object) -> bool:
        return code in self._given

    def learn(self, code: str, match: str, seat: int) -> None:
        """Learn from another node that it gave out a code or (empty `match`) that the code was used."""
        self._given.pop(code, None)
        if match:
            self._given[code] = (match, seat, self._now() + HOURS * 3600)

    def take(self, code: str) -> tuple[str, int] | None:
        """Return the match and seat that a code opens, and use it up; None if it is unknown or expired."""
        match, seat, until = self._given.pop(code, ("", 0, 0.0))
        return (match, seat) if until > self._now() else None
