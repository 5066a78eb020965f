"""Glide of the map to a battle and back: its picture is moved and scaled, as painting it anew would take too long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing.easing import eased
from client.table.camera import Camera
from client.table.geography import Point

SECONDS: Final = 0.45
"""Seconds that a glide takes."""
_ROOM: Final = 1.5
"""Width and height of the view near a battle, for each unit of what must be in sight."""

_View = tuple[float, float, float]
"""Middle of a view of the world, and its zoom."""


class Glide:
    """Move of a camera. On the way near, the camera itself moves at the end; on the way back, at once."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._home: _View | None = None
        """The view to which it goes back."""
        self._near: _View | None = None
        self._way: tuple[_View, _View] | None = None
        self._age = 0.0

    @property
    def moving(self) -> bool:
        """Whether the view moves."""
        return self._way is not None

    def approach(self, points: Sequence[Point]) -> bool:
        """Go near these points of the world; return False if that changes nothing."""
        camera = self._camera
        start = camera.view
        if self._home is None:
            self._home = start
        xs, ys = [x for x, _y in points], [y for _x, y in points]
        wide, high = (max(xs) - min(xs)) * _ROOM, (max(ys) - min(ys)) * _ROOM
        zoom = min(camera.width / max(wide, 1.0), camera.height / max(high, 1.0), camera.closest)
        goal = camera.fitting((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2, max(zoom, start[2]))
        self._near = goal
        self._begin(start, goal)
        return goal != start

    def leave(self) -> bool:
        """Go back, unless the player has moved the view; return whether the camera changed."""
        self.arrive()
        home, near, self._home, self._near = self._home, self._near, None, None
        if home is None or near is None or self._camera.view != near or home == near:
            return False
        self._camera.turn_to(home)
        self._begin(near, home)
        return True

    def forget(self) -> None:
        """Stay where the view is."""
        self._home = self._near = self._way = None

    def _begin(self, start: _View, goal: _View) -> None:
        self._way, self._age = (start, goal) if start != goal else None, 0.0

    def update(self, seconds: float) -> bool:
        """Advance by some seconds; return whether the camera has arrived and changed now."""
        self._age += seconds
        return self._way is not None and self._age >= SECONDS and self.arrive()

    def arrive(self) -> bool:
        """End the move; return whether the camera changed."""
        way, self._way = self._way, None
        if way is None or self._camera.view == way[1]:
            return False
        self._camera.turn_to(way[1])
        return True

    def seen(self, rect: Rect) -> Rect:
        """Return where the picture of the camera's view appears now, which fills `rect` at rest."""
        assert self._way is not None
        t = min(1.0, self._age / SECONDS)
        gone = eased(t)
        (x0, y0, z0), (x1, y1, z1) = self._way
        zoom = z0 * (z1 / z0) ** gone
        # With a zoom that grows by equal factors, the middle moves evenly on the screen along 1 / zoom.
        share = gone if z0 == z1 else (1 / z0 - 1 / zoom) / (1 / z0 - 1 / z1)
        x, y = x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
        camera = self._camera
        scale = zoom / camera.zoom
        return arcade.XYWH(
            rect.x + (camera.x - x) * zoom, rect.y + (camera.y - y) * zoom, rect.width * scale, rect.height * scale
        )
