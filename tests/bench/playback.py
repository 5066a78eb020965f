"""A match that is played back to a player at the table, and a meter of how evenly what moves is drawn."""

from collections.abc import Callable
from itertools import cycle, pairwise
from time import perf_counter, process_time
from typing import Any, Final

from msgspec import Struct

from client.games.static_match import LocalMatch
from client.network.model import VersionedEvent
from client.table.tabletop import Tabletop
from shared.kernel.frames import Action
from shared.messages import Done
from shared.refusal import Refusal
from shared.rulesets import registry

BEFORE: Final = 120
"""Actions before what is played back."""
MOST: Final = 2000
"""Actions that are played back at most."""
APART: Final = 0.3
"""Seconds from one to the next while something moves; while nothing does the next comes at once."""


class _Moment(Struct, frozen=True):
    """Version of a match, as a seat is told of it."""

    version: int
    state: Any
    view: Any
    told: list[VersionedEvent]


class Recorded(LocalMatch):
    """A match that was played beforehand, as one seat sees it: so a version costs what it does where others play."""

    def __init__(self, game: str) -> None:
        super().__init__(registry.ruleset(game), 4, seed=3)
        for _ in range(BEFORE):
            self.step()
        self.seat = self.owed()[0]
        self.take_events()
        self._now = self._moment()
        self._to_come = cycle([self._moment() for _ in range(MOST) if self.step()])
        self._go_to(self._now)

    def _moment(self) -> _Moment:
        return _Moment(self.version, self.state, super().view, self.take_events())

    def _go_to(self, moment: _Moment) -> None:
        self._now, self._sent = moment, False
        self.version, self.state, self._told = moment.version, moment.state, list(moment.told)

    @property
    def view(self) -> Any:
        return self._now.view

    @property
    def pending(self) -> bool:
        return self._sent

    @property
    def is_mine(self) -> bool:
        return super().is_mine and not self._sent

    def act(self, action: Action) -> Refusal | None:
        """Ignore the seat's action: the recording determines the result."""
        self._sent = True
        return None

    def advance(self) -> None:
        """The next action; after the last one the first again."""
        self._go_to(next(self._to_come))


class Player:
    """Lets a recorded match arrive at the table, as if it came over the network."""

    def __init__(self, match: Recorded, top: Tabletop[Any]) -> None:
        self._match, self._top = match, top
        self._since = 0.0

    def poll(self) -> list[Done]:
        """Return the next step of the match once the last battle has been shown to its end."""
        now = perf_counter()
        if self._top.playback.busy or (self._top.events.moving and now - self._since < APART):
            return []
        self._since = now
        self._match.advance()
        return [Done(0)]


class _Frame(Struct, frozen=True):
    """When it was drawn, how long the processor had worked until then, and whether something is still to move."""

    at: float
    spent: float
    moving: bool


class Meter:
    """Measures from frame to frame. `moving`: whether something is still to move after the one that was just drawn."""

    def __init__(self, moving: Callable[[], bool]) -> None:
        self.moving = moving
        self._frames: list[_Frame] = []

    def clear(self) -> None:
        """Begin anew."""
        self._frames.clear()

    def frame(self) -> None:
        """Count a drawn frame."""
        self._frames.append(_Frame(perf_counter(), process_time(), self.moving()))

    @property
    def count(self) -> int:
        """Number of frames."""
        return len(self._frames)

    @property
    def seconds(self) -> float:
        """Seconds of motion."""
        return sum(after.at - before.at for before, after in self._pairs())

    def _pairs(self) -> list[tuple[_Frame, _Frame]]:
        """A frame and the next, of all after which something still moved."""
        return [(before, after) for before, after in pairwise(self._frames) if before.moving]

    def read(self) -> dict[str, float]:
        """Return the results: seconds in motion, frames per second of motion, milliseconds from frame to frame, and
        processor milliseconds per frame.

        The last one counts all cores; it is the most reliable on a busy machine."""
        pairs = self._pairs()
        if not pairs:
            return {}
        return {
            "seconds_in_motion": round(self.seconds, 1),
            "frames_per_second_of_motion": round(len(pairs) / self.seconds, 1),
            **_spread("gap", [after.at - before.at for before, after in pairs]),
            **_spread("work", [after.spent - before.spent for before, after in pairs]),
        }


def _spread(name: str, seconds: list[float]) -> dict[str, float]:
    """Milliseconds of most, nearly all and the worst, and how many are more than a thirtieth of a second."""
    ordered = sorted(seconds)
    return {
        f"{name}_median_ms": _milliseconds(ordered[len(ordered) // 2]),
        f"{name}_p95_ms": _milliseconds(ordered[len(ordered) * 95 // 100]),
        f"{name}_slowest_ms": _milliseconds(ordered[-1]),
        f"{name}s_over_33_ms": sum(each > 1 / 30 for each in seconds),
    }


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 1)
