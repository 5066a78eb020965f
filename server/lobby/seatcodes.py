"""Codes that open one seat once: for somebody who lost his key, and asked the operator."""

from collections.abc import Callable
from typing import Final

from server.matches.codes import new_code

HOURS: Final = 24
"""For which a code is good."""
_LENGTH: Final = 12


class SeatCodes:
    """Those that were given out and not used yet; a server that ends forgets them."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._given: dict[str, tuple[str, int, float]] = {}

    def make(self, match: str, seat: int) -> str:
        """A new code; one that was given before for the same seat is void."""
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
        """Another node gave out a code, or (no match) has seen it used."""
        self._given.pop(code, None)
        if match:
            self._given[code] = (match, seat, self._now() + HOURS * 3600)

    def take(self, code: str) -> tuple[str, int] | None:
        """The match and seat that a code opens; it is used up."""
        match, seat, until = self._given.pop(code, ("", 0, 0.0))
        return (match, seat) if until > self._now() else None
