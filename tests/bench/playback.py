"""A match that is played back to a player at the table, and a meter of how evenly what moves is drawn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, pairwise
from time import perf_counter
from typing import Any, Final

from msgspec import Struct

from client.games.still import LocalMatch
from client.network.model import Told
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
    """One version of a match, as a seat is told of it."""

    version: int
    state: Any
    view: Any
    told: list[Told]


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
        """What the seat does is recorded: that is what comes of it."""
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
        """What has arrived; a battle is looked at to its end."""
        now = perf_counter()
        if self._top.theatre.busy or (self._top.moving and now - self._since < APART):
            return []
        self._since = now
        self._match.advance()
        return [Done(0)]


class Meter:
    """Measures from frame to frame. `moving`: whether something is still to move after the one that was just drawn."""

    def __init__(self, moving: Callable[[], bool]) -> None:
        self.moving = moving
        self._frames: list[tuple[float, bool]] = []

    def clear(self) -> None:
        """Begin anew."""
        self._frames.clear()

    def frame(self) -> None:
        """One was drawn."""
        self._frames.append((perf_counter(), self.moving()))

    @property
    def count(self) -> int:
        """How many frames there were."""
        return len(self._frames)

    @property
    def gaps(self) -> list[float]:
        """Seconds to the next frame, of all after which something still moved."""
        return [after - before for (before, moving), (after, _) in pairwise(self._frames) if moving]

    def read(self) -> dict[str, float]:
        """What came of it: seconds in motion, frames for each of them, and milliseconds from frame to frame."""
        gaps = sorted(self.gaps)
        if not gaps:
            return {}
        return {
            "seconds_in_motion": round(sum(gaps), 1),
            "frames_per_second_of_motion": round(len(gaps) / sum(gaps), 1),
            "median_ms": _milliseconds(gaps[len(gaps) // 2]),
            "p95_ms": _milliseconds(gaps[len(gaps) * 95 // 100]),
            "slowest_ms": _milliseconds(gaps[-1]),
            "over_33_ms": sum(gap > 1 / 30 for gap in gaps),
        }


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 1)
