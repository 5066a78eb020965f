"""Marks on the things that the coach or a hint mentions: rings on spaces, bright edges around controls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import cos, hypot, radians, sin
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import theme
from client.drawing.widgets import Button, Widget
from client.table.lesson import Lit
from client.table.pane import Figure, Pane, Stepper

_EDGE: Final = (92, 30, 18, 255)
_LIGHT: Final = (255, 214, 74, 255)
_LINE: Final = 4.0
"""Width of the bright line."""
_RADII: Final = (31.0, 26.0, 21.0, 16.0, 12.0)
_SHIFTS: Final = (0.0, 6.0, 12.0, 18.0, 24.0, 30.0)
_TRIED: Final = sorted(
    ((radius, shift) for radius, shift in product(_RADII, _SHIFTS) if shift <= radius / 2),
    key=lambda way: 2 * (_RADII[0] - way[0]) + way[1],
)
"""Radii of a ring, and distances by which it may be moved to keep off names, the best first."""


class Mark(Struct, frozen=True):
    """A marked place, in pixels; `round`: on the board, else around a control."""

    rect: Rect
    round: bool


def marks_on(
    lit: Lit, points: Iterable[tuple[float, float]], names: Sequence[Rect], panes: Iterable[Pane],
    named: Mapping[str, Pane],
) -> list[Mark]:  # fmt: skip
    """Return the marks. `points`: those of the board in the window; `names`: rectangles of the painted names there;
    `panes`: those whose controls can be marked."""
    found = [Mark(ring(*point, names), True) for point in points]
    widgets = [widget for pane in panes for widget in pane.ui.widgets]
    found += [Mark(widget.rect, False) for widget in meant(lit, widgets)]
    if lit.pane:
        found.append(Mark(named[lit.pane].rect, False))
    return found


def ring(x: float, y: float, names: Sequence[Rect]) -> Rect:
    """Return the square of a ring that holds a point and touches no name, as large and as close as possible."""
    near = 2 * theme.px(_RADII[0] + _SHIFTS[-1])
    names = [name for name in names if name.overlaps(arcade.XYWH(x, y, near, near))]
    for (radius, shift), turn in product(_TRIED, range(0, 360, 30)):
        side, away = 2 * theme.px(radius), theme.px(shift)
        found = arcade.XYWH(x + away * cos(radians(turn)), y + away * sin(radians(turn)), side, side)
        if not any(_touches(found, name) for name in names):
            return found
    return arcade.XYWH(x, y, 2 * theme.px(_RADII[0]), 2 * theme.px(_RADII[0]))


def _touches(found: Rect, name: Rect) -> bool:
    """Whether a ring, with its line, meets a name."""
    across = found.x - max(name.left, min(found.x, name.right))
    up = found.y - max(name.bottom, min(found.y, name.top))
    return hypot(across, up) < found.width / 2 + theme.px(_LINE)


def meant(lit: Lit, widgets: Sequence[Widget]) -> Iterator[Widget]:
    """Yield the button and the piece that can be clicked now."""
    for start in lit.buttons:
        buttons = [w for w in widgets if isinstance(w, Button) and w.enabled and w.words.startswith(start)]
        if buttons:
            yield buttons[0]
            break
    if lit.piece:
        pieces = [w for w in widgets if isinstance(w, Figure | Stepper) and w.picture.startswith(lit.piece)]
        yield from pieces[:1]


def draw_marks(marks: Iterable[Mark]) -> None:
    """Draw a bright edge around each."""
    for mark in marks:
        rect = mark.rect
        for extra, colour, wide in ((1.5, _EDGE, 2 * _LINE), (0.0, _LIGHT, _LINE)):
            if mark.round:
                arcade.draw_circle_outline(rect.x, rect.y, rect.width / 2 + extra, colour, theme.px(wide), 0, 48)
            else:
                arcade.draw_rect_outline(rect, colour, theme.px(wide))
