"""The rules in short, to be read at any time; closing them comes back to where they were opened."""

from __future__ import annotations

from collections.abc import Callable

import arcade

from client.drawing import theme
from client.drawing.fields import Tabs
from client.drawing.scrolling import Chapter, ScrollText
from client.drawing.widgets import Button
from client.games.registry import GUIDES
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.screens.framed import FramedScreen
from client.screens.keys_text import keys_page
from client.screens.rules_text import SHARED
from client.screens.shell import Shell


class HelpScreen(FramedScreen):
    """Tabs over a long text: the pages of one game, then those of all. A button changes the game."""

    def __init__(self, shell: Shell, game: str, *, close: Callable[[], object]) -> None:
        """`game`: whose rules lie on top, by its id; empty for any. `close` leads back to where it was opened."""
        super().__init__(shell)
        self._close = close
        self.page = 0
        self.game = game or next(iter(GUIDES))

    @property
    def pages(self) -> tuple[tuple[str, tuple[Chapter, ...]], ...]:
        """The tabs, each with its chapters."""
        return (*GUIDES[self.game].pages, *SHARED, keys_page())

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(940, 740, f"The rules in short: {GUIDES[self.game].name}")
        high = theme.px(38)
        bar = arcade.LBWH(inside.left, inside.top - high, inside.width, high)
        self.ui.add(Tabs(bar, [title for title, _ in self.pages], self.page, self._turn))
        body = arcade.LRBT(inside.left, inside.right, inside.bottom, inside.top - high - theme.px(14))
        words = self.ui.add(ScrollText(body, self.pages[self.page][1]))
        self.back_button(inside)
        games = list(GUIDES)
        other = games[(games.index(self.game) + 1) % len(games)]
        label = f"Rules of {GUIDES[other].name}"
        self.ui.add(Button(self.foot(inside, 240, right=True), label, lambda: self._change(other), kind="quiet"))
        self.ui.set_focus(words)

    def _turn(self, page: int) -> None:
        self.page = page
        self.relayout()

    def _change(self, game: str) -> None:
        self.game, self.page = game, 0
        self.relayout()

    def back(self) -> None:
        self._close()

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """The key that opens the rules finds them open."""
        return super().on_key_press(symbol, modifiers) or KEYS.hits(Command.HELP, symbol, modifiers)
