"""Moving pieces: marches, voyages and retreats as short flights over the board. They never block the player."""

from collections.abc import Callable, Sequence
from math import hypot
from typing import Final, Generic

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing.curves import eased
from client.drawing.scrolling import clipped
from client.player.settings import PlaySettings
from client.table import figures
from client.table.camera import Camera
from client.table.geography import Geography, Point
from client.table.pieces import ARMS, leader_figure
from client.table.position import T
from shared.ids import Seat, Space
from shared.kernel.frames import Event

SHORTEST, LONGEST = 0.35, 0.8
"""Seconds that a flight takes, at least and at most."""
_SPEED: Final = 900.0
"""Pixels of the painting per second."""
_STAGGER: Final = 0.16
"""Seconds between the starts of flights that begin together."""
MOST: Final = 8
"""Largest number of flights at once; beyond it the oldest ones land at once."""


class Leap(Struct, frozen=True):
    """Pictures that go from one point to another. `space`: where they land."""

    pictures: tuple[str, ...]
    start: Point
    goal: Point
    space: Space


class Flight(Struct):
    """A leap that is being shown."""

    leap: Leap
    seconds: float
    waits: float = 0.0
    gone: float = 0.0

    @property
    def over(self) -> bool:
        """Whether it has landed."""
        return self.gone >= self.seconds

    def spot(self) -> Point:
        """Return its present point: slow, fast, slow, on a low arc."""
        t = min(1.0, max(0.0, self.gone / self.seconds))
        gone = eased(t)
        start, goal = self.leap.start, self.leap.goal
        arc = 46 * 4 * gone * (1 - gone)
        return (
            start[0] + (goal[0] - start[0]) * gone,
            start[1] + (goal[1] - start[1]) * gone + arc,
        )


class Flights(Generic[T]):
    """All flights, at the player's speed."""

    def __init__(
        self,
        geography: Geography,
        leaps: Callable[[Event, T | None, Geography], Sequence[Leap]],
        play_settings: PlaySettings,
    ) -> None:
        self._play_settings = play_settings
        self._geography = geography
        self._leaps = leaps
        self._flights: list[Flight] = []

    @property
    def landing(self) -> frozenset[Space]:
        """Spaces in which pieces are about to land."""
        return frozenset(flight.leap.space for flight in self._flights)

    @property
    def flying(self) -> bool:
        """Whether any pieces are moving."""
        return bool(self._flights)

    def hear(self, event: Event, before: T | None) -> None:
        """Start the flights of an event. `before`: the position before it, if it is known."""
        if not self._play_settings.moves:
            return
        for leap in self._leaps(event, before, self._geography):
            distance = hypot(leap.goal[0] - leap.start[0], leap.goal[1] - leap.start[1])
            seconds = min(LONGEST, max(SHORTEST, distance / _SPEED))
            waits = _STAGGER * len(self._flights)
            self._flights = [*self._flights[1 - MOST :], Flight(leap, seconds, waits)]

    def update(self, seconds: float) -> bool:
        """Advance by some seconds; return whether a flight landed."""
        if not self._play_settings.moves:
            return self.skip()
        if not self._flights:
            return False
        seconds *= self._play_settings.speed
        for flight in self._flights:
            # A frame that ends the wait also begins the flight, so flights do not depend on the frame rate.
            spare = max(0.0, seconds - flight.waits)
            flight.waits = max(0.0, flight.waits - seconds)
            flight.gone += spare
        left = [flight for flight in self._flights if not flight.over]
        landed = len(left) != len(self._flights)
        self._flights = left
        return landed

    def skip(self) -> bool:
        """Let all flights land at once; return False if there were none."""
        flew = bool(self._flights)
        self._flights = []
        return flew

    def draw(self, camera: Camera, rect: Rect, figure: float) -> None:
        """Draw the flights over the board; `figure` is the height of a piece in pixels."""
        if not self._flights:
            return
        size = figures.size_for(figure * 1.15)
        with clipped(rect):
            for flight in self._flights:
                if flight.waits > 0:
                    continue
                x, y = camera.to_window(*flight.spot())
                first = x - figure * 0.75 * (len(flight.leap.pictures) - 1) / 2
                for i, picture in enumerate(flight.leap.pictures):
                    at = arcade.XYWH(first + i * figure * 0.75, y, figure * 1.15, figure * 1.15)
                    arcade.draw_texture_rect(figures.figure(picture, size), at)


def force_pictures(seat: Seat, leaders: Sequence[int], army: Sequence[int], each: int) -> tuple[str, ...]:
    """Return at most four pictures that stand for a force; `each`: number of leaders per colour, the Caesar first."""
    pictures = [leader_figure(leader, seat, each) for leader in leaders[:1]]
    pictures += [f"{ARMS[arm]}_{seat}" for arm in range(3) if army[arm]]
    return tuple(pictures) or (f"general_{seat}",)
