"""How old a server is, or all nodes of a cluster together: the time by which the clocks of matches go."""

from copy import copy

from server.clock import Clock


class Age:
    """Milliseconds in which the server ran and did not stand still, with those that were `kept` of it before. For
    `settling` seconds at first it grows no older: so long people may take to come back. It begins with 1: logs in which
    nobody looked at clocks say 0.

    Nodes of a cluster are of one age: each keeps its own every second and jumps to the greatest that was kept.
    """

    def __init__(self, clock: Clock, kept: int = 0, settling: float = 0.0) -> None:
        self._clock = clock
        self._kept = max(1, kept)
        self._settling = settling
        self._settled = clock.now() + settling

    @property
    def now(self) -> int:
        """How old it is."""
        return self._kept + max(0, round((self._clock.now() - self._settled) * 1000))

    def until(self, age: int) -> float:
        """Seconds until it is that old."""
        ahead = (age - self.now) / 1000
        return max(0.0, self._settled - self._clock.now()) + ahead if ahead > 0 else 0.0

    def reach(self, age: int) -> None:
        """Another node is that old: be no younger."""
        self._kept += max(0, age - self.now)

    def of_match(self, lag: int, least: int, taken: bool = False) -> "Age":
        """The age by which one match goes as long as it is awake: so many milliseconds less than this one, but no less
        than `least`; it feels nothing when this one jumps. Of a match that was `taken` from a dead owner it stands
        still until its people may have come back."""
        own = copy(self)
        if taken:
            own._kept, own._settled = self.now, max(self._settled, self._clock.now() + self._settling)
        own._kept += max(-lag, least - self.now)
        return own

    def lag_of(self, own: "Age") -> int:
        """By how much the age of a match is less than this one, once both grow."""
        return self._kept - own._kept + round((own._settled - self._settled) * 1000)
