"""Screen with one titled panel in the middle of the dimmed board, and a back button."""

from __future__ import annotations

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.widgets import Button, Panel
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.screens import backdrop
from client.screens.base import Screen

PAD = 40.0
"""Design distance of the contents from the panel's edge."""


class FramedScreen(Screen):
    """Base of framed screens: `frame` adds the panel, `back_button` the back button."""

    def draw_below(self) -> None:
        backdrop.draw(self.width, self.height, dim=0.5)

    def frame(self, wide: float, high: float, title: str, *, elastic: bool = False) -> Rect:
        """Add a panel of that design size.

        Return the pixels inside, below the title and above a row of buttons. A panel higher than the window is
        scrolled, or if `elastic` made lower.
        """
        wide = min(theme.px(wide), self.width - theme.px(24))
        most = self.height - theme.window_px(24)
        high = min(theme.px(high), most) if elastic else theme.px(high)
        left, bottom = round((self.width - wide) / 2), round((self.height - high) / 2)
        if high > most:
            bottom = round(self.height - theme.window_px(12) - high + self.scrolled)
        panel = arcade.LBWH(left, bottom, wide, high)
        self.ui.add(Panel(panel, title=title))
        pad, low = theme.px(PAD), theme.px(92)
        return arcade.LRBT(panel.left + pad, panel.right - pad, panel.bottom + low, panel.top - theme.px(82))

    def foot(self, inside: Rect, wide: float, place: int = 0, *, right: bool = False, parts: int = 2) -> Rect:
        """Return a button's rect in the row below `inside`, counted from the left or from the right.

        It takes at most one of `parts` equal parts of the row.
        """
        width = min(theme.px(wide), (inside.width - (parts - 1) * theme.px(theme.GAP)) / parts)
        step = place * (width + theme.px(theme.GAP))
        left = inside.right - width - step if right else inside.left + step
        return arcade.LBWH(left, inside.bottom - theme.px(64), width, theme.px(theme.ROW))

    def back_button(self, inside: Rect, words: str = "") -> Button:
        """Return a button that does the same as Escape."""
        return self.ui.add(Button(self.foot(inside, 150), words or _("Back"), self.back, tip=told(Command.BACK)))
