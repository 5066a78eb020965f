"""What a screen is: the part of the program that has the window to itself for a while.

`Navigation` (client/navigation.py) shows one `Screen` at a time; the window passes it every event. A screen

* is built with the shell, the program around it (`TableScreen(shell, match)` gets its match as well), and makes
  nothing that needs the window's size before `layout`;
* rebuilds its widgets in `layout(width, height)`, which is called before the first drawing and after a resize;
* reads models (`shell.visit.lobby`, `shell.visit.match`) in `on_update` or when it hears that something arrived. The
  models have heard it before;
* is drawn after every event of the window, after everything that arrived, and where `on_update` says that it looks
  different; else not at all. So nothing in it may move by a clock that `on_update` does not know of;
* sends with `shell.visit.send(message)`, says something in passing with `shell.toast(words, tone)`;
* goes to another screen with a verb of `shell.go`, and knows none of them;
* always has a way out: `back` is what Escape and the back button do.

Key, mouse and text handlers return True where they used the event. The base class hands everything to
`self.ui`, so that a screen made of widgets alone overrides `layout` and perhaps `draw_below`.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.cached_surface import CachedSurface
from client.drawing.widgets import Panel, Ui
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.screens.shell import Shell
from shared.messages import ServerMessage

_NOTCH: Final = 60.0
"""Design length that a notch of the wheel scrolls."""


class Part(Enum):
    """How far a screen has come on the way to a table; whoever leads on asks for that, not for its class."""

    OUTSIDE = auto()
    """Without a table, or beside it for a while by one's own wish."""
    WAITING = auto()
    """Until the first table or list comes."""
    ROOM = auto()
    """At a table that gathers."""
    TABLE = auto()
    """At the board."""


class Screen:
    """One screen; see the module's docstring."""

    part = Part.OUTSIDE
    narrowest = 0.0
    """Design width below which its parts find no room beside each other: so far the size of texts goes."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.ui = Ui()
        self._ground: CachedSurface | None = None
        """What lies below all controls: it is painted once for many pictures."""
        self._panels: list[Panel] = []
        """Those that are part of it."""
        self.scrolled = 0.0
        """Pixels of what is shown that lie above the window, where it is higher than that."""
        self._most = 0.0
        """How far it can be scrolled."""

    @property
    def width(self) -> float:
        """Width of the window in pixels."""
        return self.shell.size[0]

    @property
    def height(self) -> float:
        """Height of the window in pixels."""
        return self.shell.size[1]

    @property
    def showing(self) -> bool:
        """Whether something is still shown that came before what is awaited now."""
        return False

    def on_show(self) -> None:
        """It has just become the screen that is shown (after the first `layout`)."""

    def on_hide(self) -> None:
        """Another screen takes its place."""

    def layout(self, width: float, height: float) -> None:
        """Make or place everything for a window of that size."""

    @property
    def share(self) -> float:
        """How much larger everything is, for the sake of its letters."""
        wished = self.shell.settings.looks.share
        return max(1.0, min(wished, self.width / theme.window_px(self.narrowest))) if self.narrowest else wished

    def relayout(self) -> None:
        """Build everything anew, keeping the focus on the widget with the same place in the order."""
        theme.enlarge(self.share, self.shell.settings.looks.share / self.share)
        self.touch()
        widgets, focus = self.ui.widgets, self.ui.focus
        place = widgets.index(focus) if focus in widgets else -1
        self.ui.clear()
        self.layout(self.width, self.height)
        self._measure()
        if 0 <= place < len(self.ui.widgets) and self.ui.widgets[place].focusable:
            self.ui.set_focus(self.ui.widgets[place])
        self.ui.mouse_motion(*self.shell.mouse)

    def _measure(self) -> None:
        """How far it reaches below the window."""
        lowest = min((widget.rect.bottom for widget in self.ui.widgets if widget.visible), default=0.0)
        self._most = max(0.0, self.scrolled - lowest + theme.px(12)) if lowest - self.scrolled < 0 else 0.0
        if self.scrolled > self._most:
            self.scroll(0.0)

    @property
    def below(self) -> float:
        """Pixels of it that lie below the window."""
        return self._most - self.scrolled

    def scroll(self, by: float) -> bool:
        """Move what is shown up by so many pixels, as far as there is something below; whether it moved."""
        before, self.scrolled = self.scrolled, min(self._most, max(0.0, self.scrolled + by))
        if self.scrolled != before:
            self.relayout()
        return self.scrolled != before

    def _reveal(self) -> None:
        """Scroll to what has the keyboard."""
        if self._most and self.ui.focus is not None:
            rect = self.ui.focus.rect
            edge = theme.px(12)
            self.scroll(max(0.0, edge - rect.bottom) - max(0.0, rect.top - self.height + edge))

    def toasts_at(self) -> Rect:
        """Where toasts rise."""
        return arcade.LRBT(0, self.width, theme.px(52), self.height)

    def hear(self, message: ServerMessage) -> None:
        """A message arrived; the models have heard it already."""

    def on_update(self, seconds: float) -> bool:
        """Time passes; whether anything looks different now: else the window shows what it showed before."""
        return self.ui.update(seconds)

    def draw_below(self) -> None:
        """Draw what lies under the widgets; it looks the same until the next `layout`."""
        arcade.draw_rect_filled(arcade.LBWH(0, 0, self.width, self.height), theme.NIGHT)

    def touch(self) -> None:
        """Paint all anew."""
        self._ground = None

    def on_draw(self) -> None:
        """Draw everything."""
        panels = self.ui.panels
        seen = [panel for panel in panels if panel.visible]
        if self._ground is None or seen != self._panels:
            self._panels = seen
            self._ground = CachedSurface(arcade.LBWH(0, 0, self.width, self.height))
            with self._ground.painting():
                self._paint_ground()
        self._ground.draw()
        self.ui.draw(len(panels))

    def _paint_ground(self) -> None:
        self.draw_below()
        for panel in self._panels:
            panel.draw()

    def back(self) -> None:
        """Leave for where one came from: Escape, and the back button."""
        self.shell.go.depart()

    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> bool:
        """The mouse moved."""
        self.ui.mouse_motion(x, y)
        return False

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        """A mouse button went down."""
        return self.ui.mouse_press(x, y, button, modifiers)

    def on_mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> bool:
        """The mouse moved with a button down."""
        self.ui.mouse_drag(x, y)
        return False

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> bool:
        """A mouse button went up."""
        return self.ui.mouse_release(x, y)

    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> bool:
        """The wheel turned."""
        return self.ui.mouse_scroll(x, y, scroll_y) or self.scroll(-scroll_y * theme.px(_NOTCH))

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """A key went down."""
        if self.ui.key_press(symbol, modifiers):
            self._reveal()
            return True
        if KEYS.hits(Command.BACK, symbol, modifiers):
            self.back()
            return True
        return False

    def on_key_release(self, symbol: int, modifiers: int) -> bool:
        """A key went up."""
        return False

    def on_text(self, words: str) -> bool:
        """Characters were typed."""
        return self.ui.text(words)
