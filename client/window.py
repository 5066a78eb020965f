"""The window: passes its events to the app and the screen that is shown."""

from __future__ import annotations

from collections.abc import Callable

import arcade
import pyglet
from arcade import key

from client.app import App
from client.drawing import theme
from client.player.settings import Settings
from client.screens.navigator import Navigator


class GameWindow(arcade.Window):
    """The one window of the game. F11 switches to full screen and back, F1 opens the rules."""

    def __init__(self, size: tuple[int, int] = theme.BASE_SIZE) -> None:
        screen = arcade.get_display_size()
        size = min(size[0], screen[0]), min(size[1], screen[1])
        # Nothing drawn here has raw polygon edges, and multisampling costs half the frame rate without a graphics card.
        super().__init__(
            *size, "Conquest of the Empire", resizable=True, center_window=True, visible=False, antialiasing=False
        )
        self.set_minimum_size(*theme.MIN_SIZE)
        self.set_icon(pyglet.image.load(str(theme.ASSETS / "pieces" / "caesar_0.png")))
        self.app: App | None = None
        self._fresh = 0

    def live(self, settings: Settings, begin: Callable[[Navigator], object]) -> None:
        """Show it with the program in it, begin, and live until it is closed."""
        self.app = app = App(self, settings)
        self.set_visible(True)
        try:
            begin(app.go)
            arcade.run()
        finally:
            app.close()

    def on_update(self, delta_time: float) -> None:
        if self.app is not None:
            self.app.on_update(delta_time)

    def on_draw(self) -> None:
        if self.app is not None:
            self.app.on_draw()

    def on_resize(self, width: int, height: int) -> None:
        super().on_resize(width, height)
        if self.app is not None:
            self.app.on_resize(width, height)

    def on_close(self) -> None:
        if self.app is not None:
            self.app.quit()
        else:
            super().on_close()

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        if self.app is not None:
            self.app.mouse = x, y
            self.app.screen.on_mouse_motion(x, y, dx, dy)

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        if self.app is not None:
            self.app.screen.on_mouse_press(x, y, button, modifiers)

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        if self.app is not None:
            self.app.mouse = x, y
            self.app.screen.on_mouse_drag(x, y, dx, dy, buttons, modifiers)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        if self.app is not None:
            self.app.screen.on_mouse_release(x, y, button, modifiers)

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        if self.app is not None:
            self.app.screen.on_mouse_scroll(x, y, scroll_x, scroll_y)

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        self._fresh = symbol
        if self.app is None or self.app.screen.on_key_press(symbol, modifiers):
            return
        if symbol == key.F1:
            self.app.go.help()
        elif symbol == key.F11:
            self.set_fullscreen(not self.fullscreen)

    def on_text_motion(self, motion: int) -> None:
        """Backspace and arrows come again and again while they are held down; the first time is a key press."""
        if motion == self._fresh:
            self._fresh = 0
        elif self.app is not None:
            self.app.screen.on_key_press(motion, 0)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        if self.app is not None:
            self.app.screen.on_key_release(symbol, modifiers)

    def on_text(self, text: str) -> None:
        if self.app is not None:
            self.app.screen.on_text(text)
