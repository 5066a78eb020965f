"""The window: passes its events to the app and the screen that is shown."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any, Final

import arcade
import pyglet
from arcade.context import ArcadeContext

from client.app import App
from client.drawing import theme
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.network.nearby import Nearby
from client.player.settings import Settings
from client.replay.opening import place_of
from client.screens.navigator import Navigator
from client.sound.speaker import find_speaker
from client.window_attention import beckon

TITLE: Final = "Conquest of the Empire"
MOVING, RESTING, HIDDEN = 1 / 60, 1 / 20, 1 / 4
"""Seconds from one look around for what came, or moves, to the next: while something does, at rest, and unseen."""
_CALM: Final = 0.5
"""Seconds without a change after which the window is at rest."""
_ATLAS: Final = (2048, 1024)
"""Pixels for all pictures of pieces and signs. Where these find no room all are moved to other places, which takes as
long as two frames, and changes the rounding at their edges."""
_SELDOM: Final = (700, 10, 100)
"""When the garbage collector looks by itself; see `gc.set_threshold`. Through everything it takes two frames, which one
would see while something moves: so that is mostly done at rest."""
_LITTER: Final = 4
"""How often it looked at what is younger, until it is worth while then."""
_OWN: Final = {"on_update", "on_fixed_update", "on_draw", "on_refresh"}
"""Events by which the loop drives the window; all others are the player's, or the window system's."""
_SEEN: Final = {"on_show", "on_expose", "on_activate", "on_mouse_motion", "on_key_press"}
"""Events that come only where the window can be seen."""
_DONE: Final = {"on_key_press", "on_mouse_motion", "on_mouse_press", "on_mouse_scroll"}
"""Events that the player causes."""


class Pace:
    """When the window is drawn, and how often it looks around. Knows no window."""

    def __init__(self) -> None:
        self.due = True
        """Whether something looks different from what was drawn last."""
        self.hidden = False
        """Whether nobody can see the window."""
        self._calm = 0.0
        """Seconds since something changed."""

    def hear(self, event: str) -> None:
        """The window has an event: whatever the player or the window system does may change what is seen."""
        if event == "on_hide":
            self.hidden = True
        elif event in _SEEN:
            self.hidden = False
        if event not in _OWN:
            self.stir()

    def stir(self) -> None:
        """Something looks different, or may."""
        self.due, self._calm = True, 0.0

    def rest(self, seconds: float) -> bool:
        """Nothing did for so long; whether the window is at rest from now on."""
        before, self._calm = self._calm, self._calm + seconds
        return before < _CALM <= self._calm

    def take(self) -> bool:
        """Whether to draw now; what is drawn then is not drawn again."""
        now = self.due and not self.hidden
        self.due = self.due and not now
        return now

    @property
    def interval(self) -> float:
        """Seconds until the next look around."""
        if self.hidden:
            return HIDDEN
        return MOVING if self._calm < _CALM else RESTING


class GameWindow(arcade.Window):
    """The one window of the game. It knows the keys that mean the same everywhere.

    It is drawn only where something changed: after every event, after everything that arrived, and while the app says
    that something moves.
    """

    def __init__(self, size: tuple[int, int] = theme.BASE_SIZE) -> None:
        screen = arcade.get_display_size()
        size = min(size[0], screen[0]), min(size[1], screen[1])
        self.app: App | None = None
        self._pressed = (0, 0)
        """The key that was pressed last, and what was held with it."""
        self._fresh = False
        """Whether it was not repeated yet."""
        self._active = True
        """Whether it has the keyboard."""
        self._pace = Pace()  # There are events while the window is made.
        self._interval = self._pace.interval
        ArcadeContext.atlas_size = _ATLAS
        # Nothing drawn here has raw polygon edges, and multisampling costs half the frame rate without a graphics card.
        super().__init__(*size, TITLE, resizable=True, center_window=True, visible=False, antialiasing=False)
        self.set_minimum_size(*theme.MIN_SIZE)
        self.set_icon(pyglet.image.load(str(theme.ASSETS / "icon.png")))

    @property
    def _file_drops(self) -> bool:
        """Files may be dropped here. Arcade has no way to say so, and what it stands on asks for this."""
        return True

    @_file_drops.setter
    def _file_drops(self, value: bool) -> None:
        """It is settled."""

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        """Files were dropped on it: the first of them may be a recorded match."""
        if self.app is not None and paths:
            self.app.go.open_file(place_of(paths[0]))

    def live(self, settings: Settings, begin: Callable[[Navigator], object], *, full: bool = False) -> None:
        """Show it with the program in it, begin, and live until it is closed. `full`: it fills the screen, this time at
        least."""
        gc.set_threshold(*_SELDOM)
        self.app = app = App(self, settings, find_speaker(), self, Nearby(), sys.stdout)
        self.set_visible(True)
        app.filled = full or settings.looks.full
        if app.filled:
            self.set_fullscreen(True)
        try:
            begin(app.go)
            arcade.run()
        finally:
            app.close()

    def dispatch_event(self, *args: Any) -> None:
        self._pace.hear(args[0])
        self._keep_pace()
        if args[0] in _DONE and self.app is not None:
            self.app.remote.access.touch()
        super().dispatch_event(*args)

    @property
    def attended(self) -> bool:
        """Whether the player has it before him."""
        return self._active and not self._pace.hidden

    def entitle(self, words: str) -> None:
        """Say something in the title, or (no words) no longer."""
        self.set_caption(f"{words} · {TITLE}" if words else TITLE)

    def beckon(self, on: bool) -> None:
        """Ask the system to show that the window wants attention, or no longer."""
        beckon(self, on)

    def on_activate(self) -> None:
        self._active = True

    def on_deactivate(self) -> None:
        self._active = False

    def _keep_pace(self) -> None:
        """Look around as often as there is reason to."""
        if self._pace.interval != self._interval:
            self._interval = self._pace.interval
            self.set_update_rate(self._interval)

    def draw(self, dt: float) -> None:
        if self._pace.take():
            super().draw(dt)

    def on_update(self, delta_time: float) -> None:
        if self.app is None:
            return
        if self.app.on_update(delta_time):
            self._pace.stir()
        elif self._pace.rest(delta_time) and gc.get_count()[2] >= _LITTER:
            gc.collect()
        self._keep_pace()

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
            self.app.on_mouse_press(x, y, button, modifiers)

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
        self._pressed, self._fresh = (symbol, modifiers), True
        if self.app is None or self.app.screen.on_key_press(symbol, modifiers):
            return
        match KEYS.command(symbol, modifiers):
            case Command.HELP:
                self.app.go.help()
            case Command.FULL_SCREEN:
                self.app.fill_screen()
            case Command.MUTE:
                self.app.mute()

    def on_text_motion(self, motion: int) -> None:
        """Backspace and arrows come again and again while they are held down; the first time is a key press."""
        if self._fresh:
            self._fresh = False
        elif self.app is not None:
            self.app.screen.on_key_press(*self._pressed)

    def on_text_motion_select(self, motion: int) -> None:
        """The same, with Shift."""
        self.on_text_motion(motion)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        if self.app is not None:
            self.app.screen.on_key_release(symbol, modifiers)

    def on_text(self, text: str) -> None:
        if self.app is not None:
            self.app.screen.on_text(text)
