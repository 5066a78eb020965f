"""Tooltips: words on a small dark tablet that covers as little of importance as possible."""

from collections.abc import Iterable
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme

_EDGE: Final = 4.0
"""Least distance in pixels from the window's edge."""
_WIDTH: Final = 290.0
"""Largest width of the words."""


def place_tooltip(
    size: tuple[float, float], at: tuple[float, float], spoken: Rect, avoid: Iterable[Rect], window: tuple[float, float]
) -> Rect:  # fmt: skip
    """Return the rectangle near the pointer that covers least.

    Arguments in pixels: the tooltip's `size`, the pointer `at`, the thing `spoken` of, rectangles to `avoid` where
    possible, and the size of the `window`.
    """
    (wide, high), (x, y), near = size, at, theme.px(12)
    right, left, above, below = spoken.right + near, spoken.left - near - wide, spoken.top + near, spoken.bottom - near
    beside = (x + near, x - near - wide), (y - near - high, y + near)
    corners = [(a, b) for b in (*beside[1], below - high, above) for a in (*beside[0], right, left)]
    inside = [
        (max(_EDGE, min(a, window[0] - wide - _EDGE)), max(_EDGE, min(b, window[1] - high - _EDGE))) for a, b in corners
    ]
    taken = [arcade.XYWH(x, y, near, near), spoken, *avoid]
    places = [arcade.LBWH(a, b, wide, high) for a, b in inside]
    return min(places, key=lambda place: sum(_shared(place, rect) for rect in taken))


def draw_tooltip(words: str, at: tuple[float, float], spoken: Rect, avoid: Iterable[Rect] = ()) -> None:
    """Draw words beside the pointer, see `place_tooltip`."""
    pad, window = theme.px(10), arcade.get_window()
    label = shapes.kept(words, size=theme.read(theme.SMALL), colour=theme.IVORY, width=theme.read(theme.px(_WIDTH)))
    size = label.content_width + 2 * pad, label.content_height + 2 * pad
    place = place_tooltip(size, at, spoken, avoid, (window.width, window.height))
    shapes.plate(place, shapes.TIP)
    label.position = round(place.left + pad), round(place.top - pad)
    label.draw()


def _shared(a: Rect, b: Rect) -> float:
    """Return the area in pixels that two rectangles share."""
    wide, high = min(a.right, b.right) - max(a.left, b.left), min(a.top, b.top) - max(a.bottom, b.bottom)
    return wide * high if wide > 0 and high > 0 else 0.0
