"""Settings of the player: pages of choices that apply and are saved at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.fields import Selector, Tabs
from client.drawing.widgets import Button, Label, Picture
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.language import _
from client.screens.application import Application
from client.screens.display_settings import display_page
from client.screens.framed import FramedScreen
from client.screens.game_settings import game_page
from client.screens.question import Answer, Question
from client.screens.settings_page import Choice, Page
from client.screens.sound_settings import sound_page

PAGES: Final[tuple[Callable[[Application], Page], ...]] = (game_page, display_page, sound_page)
"""All pages, in the order of their tabs."""
_ROW: Final = 54.0
_GAP: Final = 44.0
"""Design distance between rows and between the two columns."""
_WIDE: Final = 206.0
"""Design width of a control."""
_FULL: Final = 1060.0
"""Design width from which on there are two columns."""
_MORE: Final = 64.0
"""Additional design height for the page's note if there is one column."""
_PICTURE: Final = 46.0
"""Design side length of a picture that shows the colours."""


class SettingsScreen(FramedScreen):
    """Choices of one page, in two columns if the window is wide enough."""

    def __init__(self, app: Application, *, close: Callable[[], object]) -> None:
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._close = close
        self._turned = 0

    @property
    def page(self) -> Page:
        """The visible page."""
        return PAGES[self._turned](self.app)

    def layout(self, width: float, height: float) -> None:
        page = self.page
        columns = 2 if width >= theme.px(_FULL) else 1
        rows = -(-len(page.choices) // columns)
        more = _PICTURE * bool(page.pictures) + (0 if columns > 1 else _ROW + _MORE)
        inside = self.frame(_FULL, 316 + _ROW * rows + more, _("Settings"))
        top = self._tabs(inside)
        for i, choice in enumerate(page.choices):
            self._choice(choice, self._cell(inside, top, columns, i // rows, i % rows))
        words = Label(page.words, inside.left, top - theme.px(_ROW * rows + 12), anchor_y="top",
                      width=inside.width, colour=theme.INK_SOFT)  # fmt: skip
        self.ui.add(words)
        self._pictures(page.pictures, inside.left, words.rect.bottom - theme.px(12))
        self.ui.set_focus(self.back_button(inside))
        self.ui.add(Button(self.foot(inside, 150, 1), _("Keys"), self.app.go.keys,
                           tip=_("All keys, and how to change them.")))  # fmt: skip
        self._resets(inside, 0.0 if columns > 1 else theme.px(_ROW))

    def _resets(self, inside: Rect, lift: float) -> None:
        """Add the reset buttons, `lift` above the other buttons."""
        wishes = ((_("Reset everything"), self._ask_all), (_("Reset this page"), self._ask_page))
        for place, (label, action) in enumerate(wishes):
            foot = self.foot(inside, 270, place, right=True)
            rect = arcade.LBWH(foot.left, foot.bottom + lift, foot.width, foot.height)
            self.ui.add(Button(rect, label, action, kind="quiet"))

    def _pictures(self, names: Sequence[str], left: float, top: float) -> None:
        side = theme.px(_PICTURE)
        for i, name in enumerate(names):
            self.ui.add(Picture(arcade.LBWH(left + i * side * 1.2, top - side, side, side), name))

    def _tabs(self, inside: Rect) -> float:
        """Add the tabs; return the upper edge of the choices."""
        bar = arcade.LBWH(inside.left, inside.top - theme.px(38), inside.width, theme.px(38))
        self.ui.add(Tabs(bar, [make(self.app).title for make in PAGES], self._turned, self._turn))
        return bar.bottom - theme.px(14)

    def _cell(self, inside: Rect, top: float, columns: int, column: int, row: int) -> Rect:
        wide = (inside.width - theme.px(_GAP) * (columns - 1)) / columns
        left = inside.left + column * (wide + theme.px(_GAP))
        return arcade.LBWH(left, top - theme.px(_ROW * (row + 1)), wide, theme.px(_ROW))

    def _choice(self, choice: Choice, cell: Rect) -> None:
        high, wide = theme.px(40), theme.px(_WIDE)
        self.ui.add(Label(choice.words, cell.left, cell.y, title=True, limit=cell.width - wide - theme.px(10)))
        rect = arcade.LBWH(cell.right - wide, cell.y - high / 2, wide, high)
        self.ui.add(
            Selector(rect, choice.labels, choice.index(), partial(self._choose, choice), tip=choice.tip, wrap=False)
        )

    def _turn(self, page: int) -> None:
        self._turned, self.scrolled = page, 0.0
        self.relayout()

    def _choose(self, choice: Choice, index: int) -> None:
        """Apply and save a choice at once."""
        choice.choose(index)
        self.app.settings.save()

    def _ask_page(self) -> None:
        self._ask(_("Reset this page?"), _("{page}: everything has been reset.", page=self.page.title), [self.page])

    def _ask_all(self) -> None:
        words = _("This resets all pages of the settings and all keys. Your name and your games stay as they are.")
        self._ask(_("Reset all settings?"), words, [make(self.app) for make in PAGES], keys=True)

    def _ask(self, title: str, words: str, pages: Sequence[Page], *, keys: bool = False) -> None:
        reset = Answer(_("Reset"), partial(self._reset, pages, keys), grave=True)
        self.app.go.ask(Question(title, (words,), (reset,)))

    def _reset(self, pages: Sequence[Page], keys: bool) -> None:
        for page in pages:
            page.reset()
        if keys:
            KEYS.reset()
            self.app.settings.keys = KEYS.kept()
        self.app.settings.save()
        self.relayout()

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Rebuild after the mute key, so that the page shows its effect."""
        if not KEYS.hits(Command.MUTE, symbol, modifiers):
            return super().on_key_press(symbol, modifiers)
        self.app.mute()
        self.relayout()
        return True

    def on_hide(self) -> None:
        self.app.settings.save()

    def back(self) -> None:
        self._close()
