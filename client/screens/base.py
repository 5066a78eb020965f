"""Base class of screens: the parts of the program that fill the window for a while.

`Navigation` (client/navigation.py) shows one `Screen` at a time; the window passes it every event. A screen

* is built with the `app` (`TableScreen(app, match)` gets its match as well). It makes nothing
  that needs the window's size before `layout`;
* rebuilds its widgets in `layout(width, height)`, which is called before the first drawing and after a resize;
* reads models (`app.remote.lobby`, `app.remote.match`) in `on_update` or when `hear` reports a message. The models
  have processed that message before;
* is drawn after every event of the window, after every message, and when `on_update` returns True. So nothing in it may
  move by a clock that `on_update` does not know of;
* sends with `app.remote.send(message)` and shows a short notice with `app.toast(words, tone)`;
* goes to another screen with a method of `app.go`, and imports none of them;
* always has a way out: Escape and the back button call `back`.

Key, mouse and text handlers return True if they used the event. The base class hands everything to `self.ui`. So a
screen made of widgets alone overrides `layout` and perhaps `draw_below`.
"""

from collections.abc import Hashable, Iterator
from enum import Enum, auto
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.cached_surface import CachedSurface
from client.drawing.scrolling import scroll_bar
from client.drawing.widgets import Button, Panel, Ui
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS, told
from client.language import _
from client.screens import backdrop
from client.screens.application import Application
from shared.messages import ServerMessage

_NOTCH: Final = 60.0
"""Design length that one notch of the wheel scrolls."""

_BAR: Final = 14.0
"""Design width of the right edge of the window where the mouse takes hold of the scroll bar."""


class ScreenStage(Enum):
    """Stage of a screen on the way to a table. Navigation asks for the stage instead of the screen's class."""

    OUTSIDE = auto()
    """Without a table, or temporarily away from it."""
    WAITING = auto()
    """Until the first table or list comes."""
    ROOM = auto()
    """At a table whose match has not begun."""
    TABLE = auto()
    """At the board."""


class Screen:
    """Base class of all screens."""

    part = ScreenStage.OUTSIDE
    narrowest = 0.0
    """Design width below which the parts of the screen would overlap; it limits the enlargement of texts."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.ui = Ui()
        self._ground: CachedSurface | None = None
        """Everything below the controls, painted once and reused for many frames."""
        self._panels: list[Panel] = []
        """Panels that are part of the cached ground."""
        self.scrolled = 0.0
        """Pixels of a screen higher than the window that are scrolled out above it."""
        self._most = 0.0
        """Maximum of `scrolled` in pixels."""
        self._dragging = False
        """Whether the mouse holds the scroll bar."""

    @property
    def width(self) -> float:
        """Width of the window in pixels."""
        return self.app.size[0]

    @property
    def height(self) -> float:
        """Height of the window in pixels."""
        return self.app.size[1]

    @property
    def holding(self) -> bool:
        """Whether messages of the server wait until what came before has been shown."""
        return False

    @property
    def showing(self) -> bool:
        """Whether an old state is still shown while a new one is awaited."""
        return False

    def on_show(self) -> None:
        """React to becoming the visible screen, after the first `layout`."""

    def on_hide(self) -> None:
        """React to being replaced by another screen."""

    def layout(self, width: float, height: float) -> None:
        """Make or place everything for a window of that size in pixels."""

    @property
    def share(self) -> float:
        """Factor by which everything is enlarged for larger text."""
        wished = self.app.settings.display_settings.share
        return max(1.0, min(wished, self.width / theme.window_px(self.narrowest))) if self.narrowest else wished

    def relayout(self) -> None:
        """Rebuild everything, keeping the focus on the widget at the same position in the order."""
        theme.enlarge(self.share, self.app.settings.display_settings.share / self.share)
        self.touch()
        widgets, focus = self.ui.widgets, self.ui.focus
        place = widgets.index(focus) if focus in widgets else -1
        self.ui.clear()
        self.layout(self.width, self.height)
        self._measure()
        if 0 <= place < len(self.ui.widgets) and self.ui.widgets[place].focusable:
            self.ui.set_focus(self.ui.widgets[place])
        # Something else may lie below a mouse that rests.
        self.ui.mouse_motion(*self.app.mouse)

    def _measure(self) -> None:
        """Measure how far the content reaches below the window."""
        lowest = min((widget.rect.bottom for widget in self.ui.widgets if widget.visible), default=0.0)
        self._most = max(0.0, self.scrolled - lowest + theme.px(12)) if lowest - self.scrolled < 0 else 0.0
        if self.scrolled > self._most:
            self.scroll(0.0)

    @property
    def below(self) -> float:
        """Pixels of the content that lie below the window."""
        return self._most - self.scrolled

    def scroll(self, by: float) -> bool:
        """Scroll down by that many pixels, as far as there is content; return whether anything moved."""
        before, self.scrolled = self.scrolled, min(self._most, max(0.0, self.scrolled + by))
        if self.scrolled != before:
            self.relayout()
            self.ui.end_tip()  # Something else may have come under a mouse that rests.
        return self.scrolled != before

    def _reveal(self) -> None:
        """Scroll to the widget that has the keyboard focus."""
        if self._most and self.ui.focus is not None:
            rect = self.ui.focus.rect
            edge = theme.px(12)
            self.scroll(max(0.0, edge - rect.bottom) - max(0.0, rect.top - self.height + edge))

    def toasts_at(self) -> Rect:
        """Rectangle in which toasts rise."""
        return arcade.LRBT(0, self.width, theme.px(52), self.height)

    def meanings(self) -> Iterator[tuple[Hashable, Rect]]:
        """Yield the meaning and the place of everything that a click or key may mean, see `InputGuard`."""
        yield from self.ui.meanings()

    def meaning_at(self, x: float, y: float) -> Hashable:
        """Return the meaning of a click there; None if it does nothing of importance."""
        return self.ui.meaning_at(x, y)

    @property
    def focused(self) -> Hashable:
        """Meaning of a key that confirms; None if it does nothing of importance."""
        return self.ui.focused

    def hear(self, message: ServerMessage) -> None:
        """React to a message; the models have processed it already."""

    def on_update(self, seconds: float) -> bool:
        """Advance time; return whether anything looks different, else the window is not redrawn."""
        return self.ui.update(seconds)

    def draw_below(self) -> None:
        """Draw what lies under the widgets; it stays the same until the next `layout`."""
        arcade.draw_rect_filled(arcade.LBWH(0, 0, self.width, self.height), theme.NIGHT)

    def touch(self) -> None:
        """Discard the cached ground, so that all of it is painted again."""
        self._ground = None

    def on_draw(self) -> None:
        """Draw everything."""
        panels = self.ui.panels
        shown = [panel for panel in panels if panel.visible]
        if self._ground is None or shown != self._panels:
            self._panels = shown
            self._ground = CachedSurface(arcade.LBWH(0, 0, self.width, self.height))
            with self._ground.painting():
                self._paint_ground()
        self._ground.draw()
        self.ui.draw(len(panels))
        edge = theme.px(3)
        scroll_bar(arcade.LBWH(0, edge, self.width - edge, self.height - 2 * edge), self.scrolled, self._most)

    def _paint_ground(self) -> None:
        self.draw_below()
        for panel in self._panels:
            panel.draw()

    def back(self) -> None:
        """Return to the previous screen: for Escape and the back button."""
        self.app.go.depart()

    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> bool:
        """Handle a move of the mouse."""
        self.ui.mouse_motion(x, y)
        return False

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        """Handle a press of a mouse button."""
        self._dragging = self._most > 0 and x > self.width - theme.px(_BAR)
        return self._scroll_by_bar(y) or self.ui.mouse_press(x, y, button, modifiers)

    def on_mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> bool:
        """Handle a move of the mouse with a button down."""
        if not self._scroll_by_bar(y):
            self.ui.mouse_drag(x, y)
        return False

    def _scroll_by_bar(self, y: float) -> bool:
        """Scroll so that the middle of the bar comes to the mouse that holds it; return False if none does."""
        if self._dragging:
            self.scroll((1 - y / self.height) * (self._most + self.height) - self.height / 2 - self.scrolled)
        return self._dragging

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> bool:
        """Handle the release of a mouse button."""
        self._dragging = False
        return self.ui.mouse_release(x, y)

    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> bool:
        """Handle a turn of the wheel."""
        return self.ui.mouse_scroll(x, y, scroll_y) or self.scroll(-scroll_y * theme.px(_NOTCH))

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Handle a press of a key."""
        if self.ui.key_press(symbol, modifiers):
            self._reveal()
            return True
        if KEYS.hits(Command.BACK, symbol, modifiers):
            self.back()
            return True
        return False

    def on_key_release(self, symbol: int, modifiers: int) -> bool:
        """Handle the release of a key."""
        return False

    def on_text(self, words: str) -> bool:
        """Handle typed characters."""
        return self.ui.text(words)


PAD = 40.0
"""Design distance of the contents from the panel's edge."""


class FramedScreen(Screen):
    """Base of framed screens: `frame` adds the panel, `back_button` the back button."""

    def draw_below(self) -> None:
        backdrop.draw(self.width, self.height, dim=0.5)

    def frame(self, width: float, height: float, title: str, *, elastic: bool = False) -> Rect:
        """Add a panel of that design size.

        Return the pixels inside, below the title and above a row of buttons. A panel higher than the window is
        scrolled, or if `elastic` made lower.
        """
        width = min(theme.px(width), self.width - theme.px(24))
        most = self.height - theme.window_px(24)
        height = min(theme.px(height), most) if elastic else theme.px(height)
        left, bottom = round((self.width - width) / 2), round((self.height - height) / 2)
        if height > most:
            bottom = round(self.height - theme.window_px(12) - height + self.scrolled)
        panel = arcade.LBWH(left, bottom, width, height)
        self.ui.add(Panel(panel, title=title))
        pad, low = theme.px(PAD), theme.px(92)
        return arcade.LRBT(panel.left + pad, panel.right - pad, panel.bottom + low, panel.top - theme.px(82))

    def toasts_at(self) -> Rect:
        return arcade.LRBT(0, self.width, self.height - theme.px(84), self.height)  # Over the title, not over buttons.

    def foot(self, inside: Rect, wide: float, place: int = 0, *, right: bool = False, parts: int = 2) -> Rect:
        """Return a button's rect in the row below `inside`, counted from the left or from the right.

        It takes at most one of `parts` equal parts of the row.
        """
        width = min(theme.px(wide), (inside.width - (parts - 1) * theme.px(theme.GAP)) / parts)
        step = place * (width + theme.px(theme.GAP))
        left = inside.right - width - step if right else inside.left + step
        return arcade.LBWH(left, inside.bottom - theme.px(64), width, theme.px(theme.ROW))

    def back_button(self, inside: Rect, words: str = "") -> Button:
        """Return a button that does the same as Escape."""
        return self.ui.add(Button(self.foot(inside, 150), words or _("Back"), self.back, tip=told(Command.BACK)))
