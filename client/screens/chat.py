"""List of the chat messages at a table, newest below, scrolled by wheel and keys."""

from __future__ import annotations

from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.scrolling import ENDS, PAGES, ROWS, clipped, scroll_bar
from client.drawing.widgets import Widget
from client.keyboard.commands import Place
from client.keyboard.keys import KEYS
from client.language import _
from client.table.event_text import spoken
from shared.messages import Said

_PAGE: Final = 0.85
"""Fraction of the visible height that a page scrolls."""


class ChatLog(Widget):
    """Chat lines; the wheel, the arrows, Page Up and Down, Home and End scroll through time."""

    focusable = True

    def __init__(self, rect: Rect) -> None:
        super().__init__(rect)
        self.lines: list[Said] = []
        self._offset = 0.0
        self._depth = 0.0

    def on_scroll(self, steps: float) -> bool:
        self._back(steps * theme.px(40))
        return True

    def on_key(self, symbol: int, modifiers: int) -> bool:
        command = KEYS.command(symbol, modifiers, Place.CONTROLS)
        page = self.rect.height * _PAGE
        step = -theme.px(40) * ROWS.get(command, 0) - page * PAGES.get(command, 0) - self._depth * ENDS.get(command, 0)
        self._back(step)
        return bool(step)

    def _back(self, by: float) -> None:
        """Scroll back in time by that many pixels; a negative number scrolls forward."""
        most = max(0.0, self._depth - self.rect.height)
        self._offset = min(most, max(0.0, self._offset + by))

    def draw(self) -> None:
        shapes.plate(self.rect, shapes.WELL)
        inside = arcade.LRBT(self.rect.left + theme.px(10), self.rect.right - theme.px(14),
                             self.rect.bottom + theme.px(6), self.rect.top - theme.px(6))  # fmt: skip
        if not self.lines:
            shapes.say(
                _("Nothing has been said yet."), self.rect.x, self.rect.y, colour=theme.INK_FAINT, align="center"
            )
        y = inside.bottom - self._offset
        with clipped(inside):
            for said in reversed(self.lines):
                y += self._line(said, inside, y) + theme.px(5)
        self._depth = y + self._offset - inside.bottom
        most = max(0.0, self._depth - inside.height)
        scroll_bar(inside, most - self._offset, most)

    def _line(self, said: Said, inside: Rect, y: float) -> float:
        """Draw one line with its lower edge at `y`; return its height."""
        table = said.seat == -2
        words = spoken(said)
        colour = theme.INK_FAINT if table else theme.mix(theme.seat_colour(said.seat), theme.INK, 0.35)
        line = shapes.kept(words, size=theme.SMALL + 0.5, colour=colour, anchor_y="bottom", italic=table,
                          width=inside.width - theme.px(10))  # fmt: skip
        high = float(line.content_height)
        if y + high > inside.bottom and y < inside.top:
            line.position = round(inside.left), round(y)
            line.draw()
        return high
