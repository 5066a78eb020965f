"""Window that passes its events on, once the player has had time to see what a click or key would do."""

import gc
import sys
from collections.abc import Callable, Hashable, Iterable
from time import monotonic
from typing import Any, Final

import arcade
import pyglet
from arcade.context import ArcadeContext
from arcade.types import Rect

from client.app import App
from client.drawing import theme
from client.keyboard.chord import by_place, latin, pressed
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.network.nearby import Nearby
from client.player.settings import Settings
from client.replay.record_files import place_of
from client.screens.navigator import Navigator
from client.sound.speaker import find_speaker

SETTLED: Final = 0.3
"""Seconds after which a control may be used. The second click of a double click comes earlier."""


class InputGuard:
    """Memory of the drawn controls: since when each has had its place and its meaning.

    A meaning is any value that changes when a click would do something else. `clock`: returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._screen: object = None
        self._since: dict[Hashable, list[tuple[Rect, float]]] = {}
        self._scrolled = False
        self._pressed: tuple[object, Hashable] = None, None
        """Screen and meaning of the last press that counted."""

    def draw(self, screen: object, controls: Iterable[tuple[Hashable, Rect]]) -> None:
        """Note what was drawn; everything on another screen is new."""
        before = self._since if screen is self._screen else {}
        now, self._since, self._screen = self._clock(), {}, screen
        for meaning, rect in controls:
            known = (since for old, since in before.get(meaning, ()) if self._scrolled or _same_place(old, rect))
            self._since.setdefault(meaning, []).append((rect, min(known, default=now)))
        self._scrolled = False

    def scroll(self) -> None:
        """Note that the player moves things: they stay known in their new places."""
        self._scrolled = True

    def drawn(self, screen: object) -> bool:
        """Whether that screen is the one that was drawn last."""
        return screen is self._screen

    def settled(self, screen: object, meaning: Hashable) -> bool:
        """Whether the player has had time to see that meaning; None: nothing of importance, so a drawn screen is
        enough."""
        if meaning is None or screen is not self._screen:
            return screen is self._screen
        return any(self._clock() - since >= SETTLED for _rect, since in self._since.get(meaning, ()))

    def press(self, screen: object, meaning: Hashable) -> bool:
        """Note a press of the mouse; return whether it counts."""
        self._pressed = screen, meaning
        return self.settled(screen, meaning)

    def release(self, screen: object, meaning: Hashable) -> bool:
        """Whether a release, with the present meaning of the pressed thing, completes a click."""
        return self._pressed == (screen, meaning)


def _same_place(old: Rect, new: Rect) -> bool:
    """Whether a control has moved by less than half of its size."""
    return abs(old.x - new.x) < new.width / 2 and abs(old.y - new.y) < new.height / 2


def beckon(window: arcade.Window, on: bool) -> bool:
    """Set or clear the urgency hint of X11, which lights up the taskbar; return whether this system has it.

    The library offers nothing of the kind for other systems.
    """
    if pyglet.compat_platform != "linux" or pyglet.options.headless:
        return False
    from pyglet.libs.x11 import xlib  # The module exists on X11 only.
    from pyglet.window.xlib import XlibWindow

    if not isinstance(window, XlibWindow):
        return False
    display, handle = window._x_display, window._window
    hints = xlib.XGetWMHints(display, handle) or xlib.XAllocWMHints()
    flags = hints.contents.flags
    hints.contents.flags = flags | xlib.XUrgencyHint if on else flags & ~xlib.XUrgencyHint
    xlib.XSetWMHints(display, handle, hints)
    xlib.XFree(hints)
    xlib.XFlush(display)
    return True


TITLE: Final = "Conquest of the Empire"
MOVING, RESTING, HIDDEN = 1 / 60, 1 / 20, 1 / 4
"""Seconds between two updates: while something moves, at rest, and while hidden."""
_CALM: Final = 0.5
"""Seconds without a change after which the window is at rest."""
ATLAS: Final = (2048, 1024)
"""Size in pixels of the atlas for all pictures of pieces and icons.

A full atlas is rebuilt, which takes as long as two frames and changes the rounding at the pictures' edges.
"""
SELDOM: Final = (700, 10, 100)
"""Thresholds of the garbage collector, as for `gc.set_threshold`.

A full collection takes two frames, which would show as a stutter during movements. So most full collections run at
rest.
"""
_LITTER: Final = 4
"""Collections of the middle generation after which a full one at rest is worth its time."""
_OWN: Final = {"on_update", "on_fixed_update", "on_draw", "on_refresh"}
"""Events by which the loop drives the window; all others come from the player or the window system."""
_SEEN: Final = {"on_show", "on_expose", "on_activate", "on_mouse_motion", "on_key_press"}
"""Events that occur only while the window is visible."""
_DONE: Final = {"on_key_press", "on_mouse_motion", "on_mouse_press", "on_mouse_scroll"}
"""Events that the player causes."""

_ACTS: Final = (
    Command.PRESS, Command.CONFIRM, Command.END, Command.YES, Command.NO, Command.AYE, Command.NAY, Command.ADVISED,
)  # fmt: skip
"""Keys that act on what is shown, as do the digits."""


class Pace:
    """Timing of drawing and updates. Knows no window."""

    def __init__(self) -> None:
        self.due = True
        """Whether anything changed since the last drawing."""
        self.hidden = False
        """Whether the window is hidden."""
        self._calm = 0.0
        """Seconds since the last change."""

    def hear(self, event: str) -> None:
        """Note an event of the window: any action of the player or the window system may change the picture."""
        if event == "on_hide":
            self.hidden = True
        elif event in _SEEN:
            self.hidden = False
        if event not in _OWN:
            self.stir()

    def stir(self) -> None:
        """Note that something looks different, or may."""
        self.due, self._calm = True, 0.0

    def rest(self, seconds: float) -> bool:
        """Note that nothing changed for that many seconds; return whether the window comes to rest now."""
        before, self._calm = self._calm, self._calm + seconds
        return before < _CALM <= self._calm

    def take(self) -> bool:
        """Return whether to draw now, and mark the present state as drawn."""
        now = self.due and not self.hidden
        self.due = self.due and not now
        return now

    @property
    def interval(self) -> float:
        """Seconds until the next update."""
        if self.hidden:
            return HIDDEN
        return MOVING if self._calm < _CALM else RESTING


class GameWindow(arcade.Window):
    """Single window of the game. It handles the keys that mean the same on all screens.

    It is drawn only after a change: after every event, after every arrival, and while the app reports movement.
    """

    def __init__(self, size: tuple[int, int] = theme.BASE_SIZE, clock: Callable[[], float] = monotonic) -> None:
        """`clock`: returns the seconds by which input is guarded, see `InputGuard`."""
        screen = arcade.get_display_size()
        size = min(size[0], screen[0]), min(size[1], screen[1])
        self.app: App | None = None
        self._stopped = False
        """Whether the program is to end."""
        self._pressed = (0, 0)
        """Last pressed key and its modifiers."""
        self._grip = (0, 0)
        """Place of the last press of a mouse button."""
        self._fresh = False
        """Whether the last pressed key was not repeated yet."""
        self._guard = InputGuard(clock)
        self._active = True
        """Whether it has the keyboard."""
        self._pace = Pace()  # Events arrive while the window is being created.
        self._interval = self._pace.interval
        ArcadeContext.atlas_size = ATLAS
        if sys.platform == "darwin":
            from pyglet.window.cocoa import pyglet_view  # The module exists on macOS only.

            pyglet_view.getSymbol = by_place(pyglet_view.getSymbol)
        # Nothing drawn here has raw polygon edges, and multisampling costs half the frame rate without a graphics card.
        super().__init__(*size, TITLE, resizable=True, center_window=True, visible=False, antialiasing=False)
        self.set_minimum_size(*theme.MIN_SIZE)
        self.set_icon(pyglet.image.load(str(theme.ASSETS / "icon.png")))

    @property
    def _file_drops(self) -> bool:
        """Always True: files may be dropped. Arcade has no option for that, but pyglet reads this attribute."""
        return True

    @_file_drops.setter
    def _file_drops(self, value: bool) -> None:
        """Ignore the value that pyglet sets."""

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        """Open the first of the dropped files as a recorded match."""
        if self.app is not None and paths:
            self.app.go.open_file(place_of(paths[0]))

    def live(self, settings: Settings, begin: Callable[[Navigator], object], *, full: bool = False) -> None:
        """Run the program in the window until it is closed. `full`: the window fills the screen, at least this time."""
        gc.set_threshold(*SELDOM)
        self.app = app = App(self, settings, find_speaker(), self, Nearby(), sys.stdout)
        self.set_visible(True)
        app.filled = full or settings.display_settings.full
        if app.filled:
            self.set_fullscreen(True)
        try:
            begin(app.go)
            arcade.run()
        finally:
            app.close()

    def stop(self) -> None:
        """End the program with the next update. An exception would be lost in a callback of the window system."""
        self._stopped = True

    def dispatch_event(self, *args: Any) -> None:
        """Handle an event of the window; input keeps the pace of drawing and the server connection awake."""
        self._pace.hear(args[0])
        self._keep_pace()
        if args[0] in _DONE and self.app is not None:
            self.app.remote.access.touch()
        super().dispatch_event(*args)

    @property
    def attended(self) -> bool:
        """Whether the window is visible and has the keyboard."""
        return self._active and not self._pace.hidden

    def entitle(self, words: str) -> None:
        """Show text in the title; empty text restores the usual title."""
        self.set_caption(f"{words} · {TITLE}" if words else TITLE)

    def beckon(self, on: bool) -> None:
        """Request the user's attention, or withdraw the request."""
        beckon(self, on)

    def on_activate(self) -> None:
        """Note that the window has the keyboard."""
        self._active = True

    def on_deactivate(self) -> None:
        """Note that the keyboard went to another window."""
        self._active = False

    def _keep_pace(self) -> None:
        """Set the update interval to that of `Pace`."""
        if self._pace.interval != self._interval:
            self._interval = self._pace.interval
            self.set_update_rate(self._interval)

    def draw(self, dt: float) -> None:
        """Draw a frame, unless the last one still shows everything; `dt` is in seconds."""
        if self._pace.take():
            super().draw(dt)

    def on_update(self, delta_time: float) -> None:
        """Advance the program by `delta_time` seconds. While it rests, collect garbage."""
        if self._stopped:
            arcade.exit()
        if self.app is None:
            return
        if self.app.on_update(delta_time):
            self._pace.stir()
        elif self._pace.rest(delta_time) and gc.get_count()[2] >= _LITTER:
            gc.collect()
        self._keep_pace()

    def on_draw(self) -> None:
        """Draw the screen."""
        if self.app is not None:
            self.app.on_draw()
            self._guard.draw(self.app.screen, self.app.screen.meanings())

    def on_resize(self, width: int, height: int) -> None:
        """Lay out the screen for the new size in pixels."""
        super().on_resize(width, height)
        if self.app is not None:
            self.app.on_resize(width, height)

    def on_close(self) -> None:
        """End the program."""
        if self.app is not None:
            self.app.quit()
        else:
            super().on_close()

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        """Pass a movement of the mouse to the screen; the program remembers the place."""
        if self.app is not None:
            self.app.mouse = x, y
            self.app.screen.on_mouse_motion(x, y, dx, dy)

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        """Pass a pressed mouse button to the program."""
        app = self.app
        if app is not None and self._guard.press(app.screen, app.screen.meaning_at(x, y)):
            self._grip = x, y
            app.on_mouse_press(x, y, button, modifiers)

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        """Pass a movement with a pressed button to the screen; the program remembers the place."""
        if self.app is not None:
            self.app.mouse = x, y
            self._guard.scroll()
            self.app.screen.on_mouse_drag(x, y, dx, dy, buttons, modifiers)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        """Pass a released mouse button to the screen, as if outside of the window if the click would mean another
        thing than at the press."""
        if self.app is not None:
            screen = self.app.screen
            x, y = (x, y) if self._guard.release(screen, screen.meaning_at(*self._grip)) else (-1, -1)
            screen.on_mouse_release(x, y, button, modifiers)

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        """Pass a turn of the mouse wheel to the screen."""
        if self.app is not None and self._guard.drawn(self.app.screen):
            self._guard.scroll()
            self.app.screen.on_mouse_scroll(x, y, scroll_x, scroll_y)

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        """Pass a key to the screen. If it does not use it, try the keys for help, full screen and sound."""
        symbol = latin(symbol)
        self._pressed, self._fresh = (symbol, modifiers), True
        if self.app is None or self._too_soon(symbol, modifiers) or self.app.screen.on_key_press(symbol, modifiers):
            return
        match KEYS.command(symbol, modifiers):
            case Command.HELP:
                self.app.go.help()
            case Command.FULL_SCREEN:
                self.app.fill_screen()
            case Command.MUTE:
                self.app.mute()

    def _too_soon(self, symbol: int, modifiers: int) -> bool:
        """Whether this key means something that the player has not seen yet.

        A second, hasty Enter at the curtain would else decide something on a table that the player has not seen.
        """
        app = self.app
        if app is None or not self._guard.drawn(app.screen):
            return True
        acts = bool(pressed(symbol, modifiers).digit) or any(KEYS.hits(each, symbol, modifiers) for each in _ACTS)
        return acts and not self._guard.settled(app.screen, app.screen.focused)

    def on_text_motion(self, motion: int) -> None:
        """Handle repeated Backspace and arrows while they are held down; the first time is a key press."""
        if self._fresh:
            self._fresh = False
        elif self.app is not None and self._guard.drawn(self.app.screen):
            self.app.screen.on_key_press(*self._pressed)

    def on_text_motion_select(self, motion: int) -> None:
        """Handle the same with Shift."""
        self.on_text_motion(motion)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """Pass a released key to the screen."""
        if self.app is not None:
            self.app.screen.on_key_release(latin(symbol), modifiers)

    def on_text(self, text: str) -> None:
        """Pass typed text to the screen."""
        if self.app is not None and self._guard.drawn(self.app.screen):
            self.app.screen.on_text(text)
