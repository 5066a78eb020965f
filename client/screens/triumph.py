"""Procession of the winner, as a widget: standards, soldiers and the chariot of the victor march past."""

from __future__ import annotations

from math import pi, sin
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.scrolling import clipped
from client.drawing.widgets import Widget
from client.table import figures
from shared.ids import Seat

SECONDS: Final = 4.0
"""Seconds until the procession stands in the middle."""
_TRAIN: Final = ("general", "infantry", "infantry", "cavalry", "caesar", "cavalry", "infantry", "infantry", "general")
_STEP: Final = 0.92
"""Distance from one figure to the next, for each unit of their height."""
_STRIDES: Final = 1.7
"""Strides in a second."""
_STREET: Final = shapes.Plate(
    theme.alpha(theme.GOLD, 70), theme.alpha(theme.BRONZE, 60), theme.alpha(theme.BRONZE_DEEP, 140), 1.5, radius=8
)


class Procession(Widget):
    """Street of the triumph. `moves`: whether the procession marches in; else it stands in the middle."""

    def __init__(self, rect: Rect, seat: Seat, *, moves: bool, age: float = 0.0) -> None:
        super().__init__(rect)
        self._seat = seat
        self.age = age if moves else SECONDS

    def hit(self, x: float, y: float) -> bool:
        return False

    @property
    def marching(self) -> bool:
        """Whether it still moves."""
        return self.age < SECONDS

    def update(self, seconds: float) -> bool:
        """Advance by some seconds; return whether it moved."""
        marching = self.marching
        self.age = min(SECONDS, self.age + seconds)
        return marching

    def draw(self) -> None:
        """Draw the street and the procession on it."""
        rect = self.rect
        shapes.plate(rect, _STREET)
        size = rect.height * 0.92
        step = size * _STEP
        share = 1 - (1 - self.age / SECONDS) ** 2
        head = rect.left + (rect.width + step * (len(_TRAIN) - 1)) / 2 * share
        with clipped(rect):
            for i, kind in enumerate(_TRAIN):
                bounce = abs(sin((self.age * _STRIDES + i * 0.37) * pi)) * size * 0.06 if self.marching else 0.0
                x = head - step * i
                high = size * (1.12 if kind == "caesar" else 1.0)
                if rect.left - size < x < rect.right + size:
                    at = arcade.XYWH(round(x), round(rect.bottom + high / 2 + bounce), round(high), round(high))
                    picture = figures.figure(f"{kind}_{self._seat}", figures.size_for(high))
                    arcade.draw_texture_rect(picture.flip_left_right() if kind == "cavalry" else picture, at)
