"""What the player may wish: pages of choices that hold at once and are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.fields import Selector, Tabs
from client.drawing.widgets import Button, Label
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.language import _
from client.screens.framed import FramedScreen
from client.screens.settings_page import Choice, Page
from client.screens.shell import Shell
from client.screens.sound_settings import sound_page

PAGES: Final[tuple[Callable[[Shell], Page], ...]] = (sound_page,)
"""All pages, in the order of their tabs; a single one needs none."""
_ROW: Final = 54.0
_GAP: Final = 44.0
"""Design lengths: from row to row, and between the two columns."""
_WIDE: Final = 158.0
"""Of a control."""


class SettingsScreen(FramedScreen):
    """The choices of one page in two columns."""

    def __init__(self, shell: Shell, *, close: Callable[[], object]) -> None:
        """`close` leads back to where it was opened."""
        super().__init__(shell)
        self._close = close
        self._turned = 0

    @property
    def page(self) -> Page:
        """What is shown."""
        return PAGES[self._turned](self.shell)

    def layout(self, width: float, height: float) -> None:
        page = self.page
        rows = -(-len(page.choices) // 2)
        inside = self.frame(900, 262 + _ROW * rows, _("Settings"))
        top = inside.top
        if len(PAGES) > 1:
            top = self._tabs(inside)
        for i, choice in enumerate(page.choices):
            self._choice(choice, self._cell(inside, top, i // rows, i % rows))
        self.ui.add(Label(page.words, inside.left, top - theme.px(_ROW * rows + 12), anchor_y="top",
                          width=inside.width, colour=theme.INK_SOFT))  # fmt: skip
        self.ui.set_focus(self.back_button(inside))
        self.ui.add(Button(self.foot(inside, 240, right=True), _("As at first"), self._reset, kind="quiet",
                           tip=_("Reset this page: {page}.", page=page.title)))  # fmt: skip

    def _tabs(self, inside: Rect) -> float:
        """The names of the pages; returns where the choices begin."""
        bar = arcade.LBWH(inside.left, inside.top - theme.px(38), inside.width, theme.px(38))
        self.ui.add(Tabs(bar, [make(self.shell).title for make in PAGES], self._turned, self._turn))
        return bar.bottom - theme.px(14)

    def _cell(self, inside: Rect, top: float, column: int, row: int) -> Rect:
        wide = (inside.width - theme.px(_GAP)) / 2
        left = inside.left + column * (wide + theme.px(_GAP))
        return arcade.LBWH(left, top - theme.px(_ROW * (row + 1)), wide, theme.px(_ROW))

    def _choice(self, choice: Choice, cell: Rect) -> None:
        high, wide = theme.px(40), theme.px(_WIDE)
        self.ui.add(Label(choice.words, cell.left, cell.y, title=True, limit=cell.width - wide - theme.px(10)))
        rect = arcade.LBWH(cell.right - wide, cell.y - high / 2, wide, high)
        self.ui.add(Selector(rect, choice.labels, choice.index(), choice.choose, tip=choice.tip, wrap=False))

    def _turn(self, page: int) -> None:
        self._turned = page
        self.relayout()

    def _reset(self) -> None:
        self.page.reset()
        self.relayout()

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """The key that switches sound off shows here that it did."""
        if not KEYS.hits(Command.MUTE, symbol, modifiers):
            return super().on_key_press(symbol, modifiers)
        self.shell.mute()
        self.relayout()
        return True

    def on_hide(self) -> None:
        self.shell.settings.save()

    def back(self) -> None:
        self._close()
