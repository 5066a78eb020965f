"""Full list of the pieces in a province: every force in a row of pictures, below other words about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.tooltip import place_tooltip
from client.language import Who
from client.table import figures
from client.table.geography import Point
from client.table.pane import seat_disc
from client.table.pieces import ARMS, Force, leader_figure
from client.table.words import force_line

_SIDE: Final = 30.0
"""Height of a picture."""
_STEP: Final = 30.0
_NAME: Final = 120.0
"""Width of a name with its disc."""
_ROW: Final = 36.0
_PAD: Final = 9.0
_WIDTH: Final = 330.0
"""Largest width of the words."""
_MANY: Final = 3
"""Number of leaders of one kind above which they are one picture with their number."""


def pictures(force: Force, each: int) -> list[tuple[str, int]]:
    """Return the pieces of a force as pictures, each with its number of pieces. `each`: number of leaders per colour,
    the Caesar first."""
    return [*_leaders(force, each), *[(f"{ARMS[k]}_{force.seat}", n) for k, n in enumerate(force.army) if n]]


def _leaders(force: Force, each: int) -> Iterator[tuple[str, int]]:
    names = [leader_figure(leader, force.seat, each) for leader in sorted(force.leaders, key=lambda x: x % each)]
    for name in dict.fromkeys(names):
        count = names.count(name)
        yield from [(name, count)] if count > _MANY else [(name, 1)] * count


def beside(words: str, forces: Sequence[Force], who: Who, each: int) -> str:
    """Return the words about a province without the lines about its forces, which are drawn."""
    shown = {force_line(who, force.seat, force.leaders, force.army, each) for force in forces}
    return "\n".join(line for line in words.split("\n") if line not in shown)


def draw_province_list(
    words: str, forces: Sequence[Force], who: Who, each: int, at: Point, spoken: Rect, avoid: Iterable[Rect]
) -> None:
    """Draw the list beside a point of the window, see `place_tooltip`. `words`: the words about the province."""
    rows = [(force.seat, pictures(force, each)) for force in forces]
    pad, high, name = theme.px(_PAD), theme.px(_ROW), theme.px(_NAME)
    words = beside(words, forces, who, each)
    label = shapes.kept(words, size=theme.SMALL, colour=theme.IVORY, width=theme.px(_WIDTH))
    longest = max(len(row) for _, row in rows)
    wide = max(label.content_width, name + theme.px(_STEP) * longest + pad) + 2 * pad
    tall = label.content_height + high * len(rows) + 2.5 * pad
    window = arcade.get_window()
    place = place_tooltip((wide, tall), at, spoken, avoid, (window.width, window.height))
    left, top = place.left, place.top
    shapes.plate(place, shapes.TIP)
    label.position = round(left + pad), round(top - pad)
    label.draw()
    middle = top - 1.5 * pad - label.content_height - high / 2
    for seat, row in rows:
        seat_disc(seat, left + pad + theme.px(11), middle, theme.px(22))
        shapes.say(who(seat), left + pad + theme.px(28), middle, size=theme.BODY, colour=theme.IVORY,
                  limit=name - theme.px(34))  # fmt: skip
        _draw_row(row, left + pad + name, middle)
        middle -= high


def _draw_row(row: Sequence[tuple[str, int]], left: float, y: float) -> None:
    side, step = theme.px(_SIDE), theme.px(_STEP)
    for i, (picture, count) in enumerate(row):
        x = left + step * i + side / 2
        shapes.piece(picture, arcade.XYWH(x, y, side, side))
        if count > 1:
            _draw_number(count, x + side * 0.3, y - side * 0.28)


def _draw_number(count: int, x: float, y: float) -> None:
    ratio = arcade.get_window().get_pixel_ratio()
    disc = figures.number(count, round(theme.px(14) * ratio))
    arcade.draw_texture_rect(disc, arcade.XYWH(x, y, disc.width / ratio, disc.height / ratio))
