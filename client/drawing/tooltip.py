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
    (width, height), (x, y), near = size, at, theme.px(12)
    right, left, above, below = spoken.right + near, spoken.left - near - width, spoken.top + near, spoken.bottom - near
    beside = (x + near, x - near - width), (y - near - height, y + near)
    corners = [(a, b) for b in (*beside[1], below - height, above) for a in (*beside[0], right, left)]
    inside = [
        (max(_EDGE, min(a, window[0] - width - _EDGE)), max(_EDGE, min(b, window[1] - height - _EDGE)))
        for a, b in corners
    ]
    # The pointer itself counts as well: a tablet below it would hide what it points at.
    taken = [arcade.XYWH(x, y, near, near), spoken, *avoid]
    places = [arcade.LBWH(a, b, width, height) for a, b in inside]
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
    width, height = min(a.right, b.right) - max(a.left, b.left), min(a.top, b.top) - max(a.bottom, b.bottom)
    return width * height if width > 0 and height > 0 else 0.0
