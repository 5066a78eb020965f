"""Marks on the things that the coach or a hint mentions: rings on spaces, bright edges around controls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
_RING: Final = 31.0


class Mark(Struct, frozen=True):
    """A marked place, in pixels; `round`: on the board, else around a control."""

    rect: Rect
    round: bool


def marks_on(
    lit: Lit, points: Iterable[tuple[float, float]], panes: Iterable[Pane], named: Mapping[str, Pane]
) -> list[Mark]:
    """Return the marks. `points`: those of the board in the window; `panes`: those whose controls can be marked."""
    side = 2 * theme.px(_RING)
    found = [Mark(arcade.XYWH(*point, side, side), True) for point in points]
    widgets = [widget for pane in panes for widget in pane.ui.widgets]
    found += [Mark(widget.rect, False) for widget in meant(lit, widgets)]
    if lit.pane:
        found.append(Mark(named[lit.pane].rect, False))
    return found


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
        for extra, colour, wide in ((1.5, _EDGE, 8), (0.0, _LIGHT, 4)):
            if mark.round:
                arcade.draw_circle_outline(rect.x, rect.y, rect.width / 2 + extra, colour, theme.px(wide), 0, 48)
            else:
                arcade.draw_rect_outline(rect, colour, theme.px(wide))
