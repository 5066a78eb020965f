"""The rules in short, to be read at any time; closing them comes back to where they were opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import arcade

from client import theme
from client.fields import Tabs
from client.screens.base import Screen
from client.screens.framed import FramedScreen
from client.screens.rules_text import PAGES
from client.scrolling import ScrollText

if TYPE_CHECKING:
    from client.app import App


class HelpScreen(FramedScreen):
    """Tabs over a long text."""

    def __init__(self, app: App, behind: Screen) -> None:
        super().__init__(app)
        self._behind = behind
        self.page = 0

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(900, 740, "The rules in short")
        high = theme.px(38)
        bar = arcade.LBWH(inside.left, inside.top - high, inside.width, high)
        self.ui.add(Tabs(bar, [title for title, _ in PAGES], self.page, self._turn))
        body = arcade.LRBT(inside.left, inside.right, inside.bottom, inside.top - high - theme.px(14))
        words = self.ui.add(ScrollText(body, PAGES[self.page][1]))
        self.back_button(inside)
        self.ui.set_focus(words)

    def _turn(self, page: int) -> None:
        self.page = page
        self.relayout()

    def back(self) -> None:
        self.app.show(self._behind)
