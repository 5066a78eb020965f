"""Playback of a film: start and stop, rate, and when the next version is due. Knows no window and no clock."""

from typing import Final

from client.player.settings import PlaySettings

RATES: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
MOST_RATE: Final = 2.0
"""Maximum rate at which movements are shown and sounds are played."""
_PAUSE: Final = 0.7
"""Seconds from one decision to the next, at normal rate."""


class FilmPlayer:
    """Playback state of a film."""

    def __init__(self) -> None:
        self.playing = False
        self.rate = 1.0
        self._waited = 0.0

    @property
    def shown(self) -> bool:
        """Whether movements are shown and sounds are played."""
        return self.rate <= MOST_RATE

    def turn(self) -> None:
        """Start or stop."""
        self.playing, self._waited = not self.playing, 0.0

    def due(self, seconds: float, *, busy: bool) -> int:
        """Return the number of versions due after that many seconds; none while animations run (`busy`)."""
        if not self.playing or busy:
            return 0
        pause = _PAUSE / self.rate
        self._waited += seconds
        due = int(self._waited / pause)
        # The rest counts for the next call, so that the rate holds whatever a frame takes.
        self._waited -= due * pause
        # Movements are shown for one version at a time.
        return min(due, 1) if self.shown else due


class ReplayPlaySettings(PlaySettings):
    """Display settings for a film: the player's, but with all battles, at the film's rate; at higher rates nothing
    moves.
    """

    rate: float = 1.0

    @property
    def speed(self) -> float:
        return super().speed * self.rate if self.rate <= MOST_RATE else 0.0
