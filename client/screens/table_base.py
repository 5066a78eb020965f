"""Base of the screens with a table: a match and its replay."""

from collections.abc import Hashable, Iterator
from typing import Any

from arcade.types import Rect

from client.drawing.overlay import Tone
from client.screens.base import Screen
from client.table.layout import NARROWEST
from client.table.mouse_input import MouseInput
from client.table.tabletop import Tabletop


class TableBaseScreen(Screen):
    """Passes all events to `top` and its `controls`, which subclasses create."""

    narrowest = NARROWEST
    top: Tabletop[Any]
    controls: MouseInput[Any]

    def layout(self, width: float, height: float) -> None:
        self.top.place(width, height)

    def on_draw(self) -> None:
        self.top.draw()

    def back(self) -> None:
        self.top.menu.show()

    def toasts_at(self) -> Rect:
        return self.top.side.notices_area or self.top.board.rect

    # Common part of the table's `TableCallbacks`

    def toast(self, words: str, tone: Tone = "plain", rule: str = "") -> None:
        """Show a toast."""
        self.app.toast(words, tone, rule)

    def show_help(self) -> None:
        """Open the rules at the page of the rule that was cited last."""
        self.app.go.help(self.app.cited)

    def show_settings(self) -> None:
        """Open the settings."""
        self.app.go.settings()

    # Events

    def meanings(self) -> Iterator[tuple[Hashable, Rect]]:
        return self.controls.meanings()

    def meaning_at(self, x: float, y: float) -> Hashable:
        return self.controls.meaning_at(x, y)

    @property
    def focused(self) -> Hashable:
        return self.controls.focused

    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> bool:
        return self.controls.mouse_motion(x, y)

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        return self.controls.mouse_press(x, y, button, modifiers)

    def on_mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> bool:
        return self.controls.mouse_drag(x, y, dx, dy)

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> bool:
        return self.controls.mouse_release(x, y, button)

    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> bool:
        return self.controls.mouse_scroll(x, y, scroll_y)

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        return self.controls.key_press(symbol, modifiers)

    def on_key_release(self, symbol: int, modifiers: int) -> bool:
        return self.controls.key_release(symbol)

    def on_text(self, words: str) -> bool:
        return self.controls.text(words)
