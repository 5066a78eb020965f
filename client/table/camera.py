"""View of the board: zoom and centre, always inside the board. Pure arithmetic."""

from typing import Final

from client.table.geography import FRAME

CLOSEST: Final = 1.25
"""Largest zoom: screen pixels for one pixel of the painting, at the design size of the window."""
STEP: Final = 1.18
"""Zoom of one notch of the wheel."""


class Camera:
    """Mapping of the world into a rectangle of the window, given by its left, bottom, width and height."""

    def __init__(self, world_width: float, world_height: float) -> None:
        self._world = world_width, world_height
        self.left = self.bottom = 0.0
        self.width = self.height = 1.0
        self.zoom = 1.0
        self.x = world_width / 2
        self.y = world_height / 2
        self._home = True
        self._scale = 1.0

    def place(self, left: float, bottom: float, width: float, height: float, scale: float) -> None:
        """Use that rectangle; `scale` is the size of everything relative to the design size."""
        centre = self.x, self.y
        self.left, self.bottom, self.width, self.height, self._scale = left, bottom, width, height, scale
        # A view that the player never moved shows the whole board in every window.
        if self._home:
            self.reset()
        else:
            self.x, self.y = centre
            self.set_zoom(self.zoom)

    @property
    def home_zoom(self) -> float:
        """The zoom at which the painted world without its frame just fills the width or the height."""
        inner = self._world[0] - 2 * FRAME, self._world[1] - 2 * FRAME
        return min(self.width / inner[0], self.height / inner[1])

    @property
    def farthest(self) -> float:
        """The smallest zoom: everything is visible, with the frame."""
        return min(self.home_zoom, self.width / self._world[0], self.height / self._world[1])

    @property
    def closest(self) -> float:
        """The largest zoom."""
        return max(CLOSEST * self._scale, self.home_zoom)

    @property
    def sees_beyond(self) -> bool:
        """Whether the view is larger than the board."""
        return self.width / self.zoom > self._world[0] or self.height / self.zoom > self._world[1]

    def reset(self) -> None:
        """Show the whole board."""
        self.zoom = self.home_zoom
        self.x, self.y = self._world[0] / 2, self._world[1] / 2
        self._home = True

    @property
    def view(self) -> tuple[float, float, float]:
        """Middle of the view, and its zoom."""
        return self.x, self.y, self.zoom

    def turn_to(self, view: tuple[float, float, float]) -> None:
        """Show that view."""
        self.x, self.y, self.zoom = view
        self._home = view == (self._world[0] / 2, self._world[1] / 2, self.home_zoom)

    def fitting(self, x: float, y: float, zoom: float) -> tuple[float, float, float]:
        """Return the view that is nearest to that one and inside the board."""
        zoom = min(self.closest, max(self.farthest, zoom))
        return (
            _clamped_centre(x, self.width / zoom, self._world[0]),
            _clamped_centre(y, self.height / zoom, self._world[1]),
            zoom,
        )

    def set_zoom(self, zoom: float) -> None:
        """Zoom at the middle of the view."""
        self.zoom = min(self.closest, max(self.farthest, zoom))
        self._clamp()

    def zoom_at(self, x: float, y: float, steps: float) -> None:
        """Zoom by notches of the wheel; the world point under that point of the window stays there."""
        before = self.to_world(x, y)
        self._home = False
        self.zoom = min(self.closest, max(self.farthest, self.zoom * STEP**steps))
        after = self.to_world(x, y)
        self.x += before[0] - after[0]
        self.y += before[1] - after[1]
        self._clamp()

    def pan(self, dx: float, dy: float) -> None:
        """Move the board by pixels of the window."""
        self._home = False
        self.x -= dx / self.zoom
        self.y -= dy / self.zoom
        self._clamp()

    def look_at(self, x: float, y: float) -> None:
        """Bring a point of the world into sight if it is outside or near the edge of the view."""
        half = self.width / self.zoom * 0.42, self.height / self.zoom * 0.42
        target = (
            min(max(self.x, x - half[0]), x + half[0]),
            min(max(self.y, y - half[1]), y + half[1]),
        )
        if target != (self.x, self.y):
            self.x, self.y = target
            self._clamp()

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the world under a point of the window."""
        return (
            self.x + (x - self.left - self.width / 2) / self.zoom,
            self.y + (y - self.bottom - self.height / 2) / self.zoom,
        )

    def to_window(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the window at which a point of the world appears."""
        return (
            self.left + self.width / 2 + (x - self.x) * self.zoom,
            self.bottom + self.height / 2 + (y - self.y) * self.zoom,
        )

    def holds(self, x: float, y: float) -> bool:
        """Whether a point of the window shows the board."""
        return self.left <= x < self.left + self.width and self.bottom <= y < self.bottom + self.height

    def _clamp(self) -> None:
        """Keep the view inside the board, as far as the board fills it."""
        self.x = _clamped_centre(self.x, self.width / self.zoom, self._world[0])
        self.y = _clamped_centre(self.y, self.height / self.zoom, self._world[1])


def _clamped_centre(centre: float, view: float, world: float) -> float:
    if view >= world:
        return world / 2
    return min(world - view / 2, max(view / 2, centre))
