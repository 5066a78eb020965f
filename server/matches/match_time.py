"""MatchTime of a server or a whole cluster: the time base of match clocks."""

from copy import copy

from server.clock import Clock


class MatchTime:
    """Milliseconds for which the server ran, plus the `age` ones of earlier runs.

    The age stands still for the first `settling` seconds, so that people can reconnect after a restart. It starts at 1,
    because logs written without clocks contain 0.

    All nodes of a cluster share one age: each stores its own every second and jumps to the greatest stored one.
    """

    def __init__(self, clock: Clock, age: int = 0, settling: float = 0.0) -> None:
        self._clock = clock
        self._age = max(1, age)
        self._settling = settling
        self._settled = clock.now() + settling

    @property
    def now(self) -> int:
        """The age in milliseconds."""
        return self._age + max(0, round((self._clock.now() - self._settled) * 1000))

    def until(self, age: int) -> float:
        """Return the seconds until that age is reached, 0 if it is past."""
        ahead = (age - self.now) / 1000
        return max(0.0, self._settled - self._clock.now()) + ahead if ahead > 0 else 0.0

    def reach(self, age: int) -> None:
        """Catch up with the age of another node; a smaller age changes nothing."""
        self._age += max(0, age - self.now)

    def of_match(self, lag: int, least: int, taken: bool = False) -> "MatchTime":
        """Return the age of one match that is awake.

        It is `lag` milliseconds less than this age, but at least `least`, and does not follow later jumps of this age.
        `taken`: the match comes from a dead owner; its age stands still until its people may have reconnected.
        """
        own = copy(self)
        if taken:
            own._age, own._settled = self.now, max(self._settled, self._clock.now() + self._settling)
        own._age += max(-lag, least - self.now)
        return own

    def lag_of(self, own: "MatchTime") -> int:
        """Return by how many milliseconds the age of a match is less than this one, once both have settled."""
        return self._age - own._age + round((own._settled - self._settled) * 1000)
