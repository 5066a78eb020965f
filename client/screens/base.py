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

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.widgets import Ui
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.screens.shell import Shell
from shared.messages import ServerMessage


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

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.ui = Ui()

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

    def relayout(self) -> None:
        """Build everything anew, keeping the focus on the widget with the same place in the order."""
        widgets, focus = self.ui.widgets, self.ui.focus
        place = widgets.index(focus) if focus in widgets else -1
        self.ui.clear()
        self.layout(self.width, self.height)
        if 0 <= place < len(self.ui.widgets) and self.ui.widgets[place].focusable:
            self.ui.set_focus(self.ui.widgets[place])
        self.ui.mouse_motion(*self.shell.mouse)

    def toasts_at(self) -> Rect:
        """Where toasts rise."""
        return arcade.LRBT(0, self.width, theme.px(52), self.height)

    def hear(self, message: ServerMessage) -> None:
        """A message arrived; the models have heard it already."""

    def on_update(self, seconds: float) -> bool:
        """Time passes; whether anything looks different now: else the window shows what it showed before."""
        return self.ui.update(seconds)

    def draw_below(self) -> None:
        """Draw what lies under the widgets."""
        arcade.draw_rect_filled(arcade.LBWH(0, 0, self.width, self.height), theme.NIGHT)

    def on_draw(self) -> None:
        """Draw everything."""
        self.draw_below()
        self.ui.draw()

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
        return self.ui.mouse_scroll(x, y, scroll_y)

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """A key went down."""
        if self.ui.key_press(symbol, modifiers):
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
