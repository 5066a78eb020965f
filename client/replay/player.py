"""How a film runs: on and off, how fast, and when the next version is due. Knows no window and no clock."""

from __future__ import annotations

from typing import Final

from client.player.play_settings import PlaySettings

RATES: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
SEEN: Final = 2.0
"""So fast at most, what happens is seen on its way, and heard."""
_PAUSE: Final = 0.7
"""Seconds from one decision to the next, at the usual rate."""


class Player:
    """See the module's docstring."""

    def __init__(self) -> None:
        self.playing = False
        self.rate = 1.0
        self._waited = 0.0

    @property
    def shown(self) -> bool:
        """Whether what happens is seen on its way, and heard."""
        return self.rate <= SEEN

    def turn(self) -> None:
        """Go on, or stop."""
        self.playing, self._waited = not self.playing, 0.0

    def due(self, seconds: float, *, busy: bool) -> int:
        """How many versions are due after so much more time; while something is still to be seen (`busy`), none."""
        if not self.playing or busy:
            return 0
        pause = _PAUSE / self.rate
        self._waited += seconds
        due = int(self._waited / pause)
        self._waited -= due * pause
        return min(due, 1) if self.shown else due


class FilmManner(PlaySettings):
    """How the table shows a film: as the player wishes, all battles, and so fast as it runs; faster, nothing moves."""

    rate: float = 1.0

    @property
    def speed(self) -> float:
        return super().speed * self.rate if self.rate <= SEEN else 0.0
