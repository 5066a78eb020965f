"""Small set of controls: all of them usable by mouse alone, and by Tab, arrows and Enter alone.

A screen makes widgets with a `rect` (pixels, origin at the bottom left; `theme.px` turns design lengths into pixels).
It adds them to its `Ui` and passes its events on; `Ui` keeps the focus, the hover and the tooltip. A widget calls back
after an action. Rebuild it on resize; state that must survive belongs to the screen.

Our own, since arcade.gui has the focus by keyboard and scrolling only as experiments without a stable interface, and
no tooltips.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from math import inf
from typing import ClassVar, Final, Literal, TypeVar

import arcade
from arcade import key
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.drawing.shapes import Align, AnchorY, fit, fit_again, text
from client.drawing.theme import Colour
from client.drawing.tooltip import draw_tooltip
from client.keyboard.commands import Command, KeyContext
from client.keyboard.keys import KEYS

W = TypeVar("W", bound="Widget")
_STEPS: Final[dict[Command | None, int]] = {
    Command.NEXT: 1, Command.DOWN: 1, Command.RIGHT: 1,
    Command.PREVIOUS: -1, Command.UP: -1, Command.LEFT: -1,
}  # fmt: skip
"""Movement of the focus by keys."""


class Widget:
    """Element of a screen. Subclasses draw themselves and handle the events they need."""

    focusable = False
    typing = False
    """Whether text is typed into it."""

    def __init__(self, rect: Rect, *, tip: str = "") -> None:
        self.rect = rect
        self.tip = tip
        self.enabled = True
        self.visible = True
        self.hovered = False
        self.focused = False
        self.marked = False
        """Whether it shows its focus: only if the keyboard set the focus."""
        self.pressed = False
        self.deed: Callable[..., object] | None = None
        """Its action, which identifies it after a rebuild."""
        self.shifted = False
        """Whether Shift was held during the press."""

    @property
    def effect(self) -> Hashable:
        """Kind and action with arguments, by which it is recognised after a rebuild."""
        deed = self.deed.func if isinstance(self.deed, partial) else self.deed
        # By name and text, because a rebuilt screen has new functions and values of equal content.
        args = self.deed.args if isinstance(self.deed, partial) else ()
        return type(self), getattr(deed, "__qualname__", ""), repr(args)

    @property
    def meaning(self) -> Hashable:
        """Effect of a click on it, as far as the player can see."""
        return self.effect, self.enabled

    def meanings(self) -> Iterator[tuple[Hashable, Rect]]:
        """Yield the meaning of a click on each of its parts, and last its own."""
        yield self.meaning, self.rect

    def draw(self) -> None:
        """Draw it as it is now."""

    def hit(self, x: float, y: float) -> bool:
        """Whether the point is on it."""
        return self.visible and bool(self.rect.point_in_rect((x, y)))

    def on_press(self, x: float, y: float) -> None:
        """Handle a press of the mouse on it."""

    def on_drag(self, x: float, y: float) -> None:
        """Handle a move of the mouse with the button that was pressed on it."""

    def on_click(self) -> None:
        """Handle a click: the mouse went down and up on it, or Enter was pressed while it has the focus."""

    def on_scroll(self, steps: float) -> bool:
        """Handle the wheel over it; return whether it was used."""
        return False

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Handle a key while it has the focus; return whether it was used."""
        if KEYS.hits(Command.PRESS, symbol, modifiers) and self.enabled:
            self.on_click()
            return True
        return False

    def on_text(self, words: str) -> bool:
        """Handle typed characters while it has the focus; return whether they were used."""
        return False

    def update(self, seconds: float) -> bool:
        """Advance time; return whether it looks different now."""
        return False


class Ui:
    """Widgets of one screen, with one focus, one hover and one tooltip."""

    TIP_DELAY: Final = 0.35
    by_keys: ClassVar[bool] = False
    """Whether the player used the keyboard last: only then the focus is shown."""

    def __init__(self, *, shy: bool = False) -> None:
        """`shy`: the mouse focuses text fields only, because keys have other meanings on that screen."""
        self._shy = shy
        self.widgets: list[Widget] = []
        self.focus: Widget | None = None
        self._hover: Widget | None = None
        self._held: Widget | None = None
        self._mouse = (0.0, 0.0)
        self._waited = 0.0

    def add(self, widget: W) -> W:
        """Put a widget on top of the others."""
        self.widgets.append(widget)
        return widget

    def clear(self) -> None:
        """Remove all widgets."""
        self.widgets.clear()
        self.focus = self._hover = self._held = None

    def set_focus(self, widget: Widget | None) -> None:
        """Set the keyboard focus to `widget`."""
        if self.focus is not None:
            self.focus.focused = self.focus.marked = False
        self.focus = widget
        if widget is not None:
            widget.focused, widget.marked = True, Ui.by_keys

    def mark(self, widget: Widget) -> None:
        """Set the keyboard focus to `widget`, and show it."""
        Ui.by_keys = True
        self.set_focus(widget)

    @property
    def ring(self) -> list[Widget]:
        """Return all widgets that could have the focus now, in order."""
        return [w for w in self.widgets if w.focusable and w.enabled and w.visible]

    @property
    def panels(self) -> "list[Panel]":
        """Panels below all other widgets."""
        return list(takewhile(lambda widget: isinstance(widget, Panel), self.widgets))  # type: ignore[arg-type]

    def meanings(self) -> Iterator[tuple[Hashable, Rect]]:
        """Yield the meaning and the place of each visible control."""
        shown = (widget for widget in self.widgets if widget.focusable and widget.visible)
        return (part for widget in shown for part in widget.meanings())

    def meaning_at(self, x: float, y: float) -> Hashable:
        """Return the meaning of the control under the point; None if there is none."""
        widget = self.at(x, y)
        parts = widget.meanings() if widget is not None and widget.focusable else ()
        return next((meaning for meaning, rect in parts if rect.point_in_rect((x, y))), None)

    @property
    def focused(self) -> Hashable:
        """Meaning of the control that has the keyboard; None without one."""
        return self.focus.meaning if self.focus is not None else None

    def draw(self, first: int = 0) -> None:
        """Draw all widgets in order, from that one on, then the tooltip."""
        for widget in self.widgets[first:]:
            if widget.visible:
                widget.draw()
        self.draw_focus()
        hover = self._hover
        if hover is not None and hover.visible and hover.tip and self._waited >= self.TIP_DELAY:
            draw_tooltip(hover.tip, self._mouse, hover.rect, (w.rect for w in self.widgets if w.focusable))

    def draw_focus(self) -> None:
        """Mark the widget with the keyboard focus."""
        if self.focus is not None and self.focus.marked and self.focus.visible:
            focus_ring(self.focus.rect)

    def update(self, seconds: float) -> bool:
        """Advance time for carets and the tooltip; return whether anything looks different now."""
        waited, self._waited = self._waited, self._waited + seconds
        tipped = waited < self.TIP_DELAY <= self._waited and self._hover is not None and bool(self._hover.tip)
        return self.animate(seconds) or tipped

    def end_tip(self) -> None:
        """Hide the tooltip until the mouse comes to another widget."""
        self._waited = -inf

    def animate(self, seconds: float) -> bool:
        """Advance time for the widgets alone."""
        # A list: `any` over a generator would stop at the first change, and the others would stand still.
        changed = [widget.update(seconds) for widget in self.widgets]
        return any(changed)

    def at(self, x: float, y: float) -> Widget | None:
        """Return the topmost widget under the point."""
        return next((w for w in reversed(self.widgets) if w.hit(x, y)), None)

    def mouse_motion(self, x: float, y: float) -> None:
        """Handle a move of the mouse to (x, y)."""
        self._mouse = x, y
        found = self.at(x, y)
        if found is not self._hover:
            self._waited = 0.0
            if self._hover is not None:
                self._hover.hovered = False
            self._hover = found
            if found is not None:
                found.hovered = True

    def mouse_press(self, x: float, y: float, button: int, modifiers: int = 0) -> bool:
        """Handle a press of a button; return whether a widget took it."""
        self.mouse_motion(x, y)
        self.end_tip()
        widget = self._hover
        if button != arcade.MOUSE_BUTTON_LEFT or widget is None:
            return widget is not None
        Ui.by_keys = False
        if widget.focusable and widget.enabled and (widget.typing or not self._shy):
            self.set_focus(widget)
        elif self._shy:
            self.set_focus(None)
        if widget.enabled:
            self._held = widget
            widget.pressed, widget.shifted = True, bool(modifiers & key.MOD_SHIFT)
            widget.on_press(x, y)
        return True

    def mouse_drag(self, x: float, y: float) -> None:
        """Handle a move of the mouse with the button down."""
        self.mouse_motion(x, y)
        if self._held is not None:
            self._held.on_drag(x, y)

    def mouse_release(self, x: float, y: float) -> bool:
        """Handle the release of the button; return whether a widget took it."""
        # Released first: the click may rebuild the screen, and this widget with it.
        widget, self._held = self._held, None
        if widget is None:
            return False
        widget.pressed = False
        if widget.enabled and widget.hit(x, y):
            widget.on_click()
        return True

    def mouse_scroll(self, x: float, y: float, steps: float) -> bool:
        """Handle the wheel; return whether a widget under the mouse used it."""
        return any(w.on_scroll(steps) for w in reversed(self.widgets) if w.hit(x, y))

    def key_press(self, symbol: int, modifiers: int) -> bool:
        """Handle a key; return whether it was used (Tab and arrows move the focus)."""
        self.end_tip()
        # Typing in a field is no sign that the player steers by keys.
        if self.focus is None or not self.focus.typing:
            self._show_keys()
        if self.focus is not None and self.focus.enabled and self.focus.on_key(symbol, modifiers):
            return True
        Ui.by_keys = True
        step = _STEPS.get(KEYS.command(symbol, modifiers, KeyContext.CONTROLS), 0)
        return bool(step) and self._move(step)

    def text(self, words: str) -> bool:
        """Handle typed characters; return whether the focused widget used them."""
        return self.focus is not None and self.focus.enabled and self.focus.on_text(words)

    def _show_keys(self) -> None:
        """Note that the keyboard is used: the focus is visible from now on."""
        Ui.by_keys = True
        if self.focus is not None:
            self.focus.marked = True

    def _move(self, step: int) -> bool:
        ring = self.ring
        if not ring:
            return False
        if self.focus in ring:
            self.set_focus(ring[(ring.index(self.focus) + step) % len(ring)])
        else:
            self.set_focus(ring[0 if step > 0 else -1])
        return True


class Label(Widget):
    """Text. It ignores the mouse unless it has a tooltip."""

    def __init__(
        self,
        words: str,
        x: float,
        y: float,
        *,
        size: float = theme.BODY,
        colour: Colour = theme.INK,
        title: bool = False,
        align: Align = "left",
        anchor_y: AnchorY = "center",
        width: float = 0,
        limit: float = 0,
        height: float = 0,
        tip: str = "",
    ) -> None:
        self.line = text(words, x, y, size=size, colour=colour, title=title, align=align, anchor_y=anchor_y,
                         width=width)  # fmt: skip
        self._set, self._title = words, title
        if limit:
            fit(self.line, limit, height)
        super().__init__(self._bounds(), tip=tip)

    @property
    def words(self) -> str:
        """Displayed text."""
        return self.line.text

    @words.setter
    def words(self, words: str) -> None:
        if words != self._set:
            self._set = words
            shapes.put(self.line, words, title=self._title)
            self.rect = self._bounds()

    def move(self, x: float, y: float) -> None:
        """Move to that position."""
        self.line.position = round(x), round(y)
        self.rect = self._bounds()

    def _bounds(self) -> Rect:
        line = self.line
        return arcade.LRBT(line.left, line.right, line.bottom, line.top)

    def hit(self, x: float, y: float) -> bool:
        return bool(self.tip) and super().hit(x, y)

    def draw(self) -> None:
        self.line.draw()


class Panel(Widget):
    """Surface below other widgets; with a `title`, an inscription under a Greek key."""

    def __init__(self, rect: Rect, look: shapes.Plate = shapes.PANEL, *, title: str = "") -> None:
        super().__init__(rect)
        self.look = look
        self._title: arcade.Text | None = None
        if title:
            self._title = text(title, rect.x, rect.top - theme.px(34), size=theme.HEADING, title=True,
                               align="center", colour=theme.TERRACOTTA_DEEP)  # fmt: skip
            fit(self._title, rect.width - theme.px(72))

    def hit(self, x: float, y: float) -> bool:
        return False

    def draw(self) -> None:
        shapes.plate(self.rect, self.look)
        if self._title is not None:
            self._title.draw()
            width = self.rect.width - theme.px(64)
            shapes.rule(self.rect.x, self.rect.top - theme.px(60), width)


class Picture(Widget):
    """Painted piece by its name, such as ``"marker_0"``."""

    def __init__(self, rect: Rect, name: str, *, tip: str = "") -> None:
        super().__init__(rect, tip=tip)
        self.name = name

    def hit(self, x: float, y: float) -> bool:
        return bool(self.tip) and super().hit(x, y)

    def draw(self) -> None:
        shapes.piece(self.name, self.rect)


ButtonKind = Literal["primary", "plain", "quiet", "danger"]
_FACES: Final[dict[ButtonKind, shapes.Plate]] = {
    "primary": shapes.Plate(theme.TERRACOTTA_LIGHT, theme.TERRACOTTA_DEEP, (84, 32, 20, 255), 1.5,
                           theme.alpha(theme.GOLD, 130), 4.5, notch=7, shadow=7, grain=0.1, bevel=0.5),
    "plain": shapes.Plate(theme.PARCHMENT_LIGHT, theme.PARCHMENT_DEEP, theme.BRONZE_DEEP, 1.5,
                         theme.alpha(theme.BRONZE, 110), 4.5, notch=7, shadow=6, grain=0.1, bevel=0.2),
    "quiet": shapes.Plate(theme.alpha(theme.BRONZE, 26), theme.alpha(theme.BRONZE, 26),
                         theme.alpha(theme.BRONZE, 120), 1.0, radius=5),
    "danger": shapes.Plate((150, 48, 50, 255), (104, 22, 30, 255), (70, 14, 20, 255), 1.5,
                          theme.alpha(theme.GOLD, 110), 4.5, notch=7, shadow=7, grain=0.1, bevel=0.4),
}  # fmt: skip


def _lit(look: shapes.Plate, share: float) -> shapes.Plate:
    """Return the same surface with more (or, negative, less) light on it."""
    towards = theme.IVORY if share > 0 else theme.NIGHT_DEEP
    opaque = max(look.top[3], 60)
    return replace(
        look,
        top=theme.alpha(theme.mix(look.top, towards, abs(share)), opaque if share > 0 else look.top[3]),
        bottom=theme.alpha(theme.mix(look.bottom, towards, abs(share)), max(look.bottom[3], 60)),
    )


_OFF: Final = theme.mix(theme.PARCHMENT_DEEP, theme.BRONZE, 0.12)
"""Face of a disabled button: opaque, so that it is clean on wood as on paper."""
_OFF_EDGE: Final = theme.mix(theme.BRONZE, theme.PARCHMENT_DEEP, 0.35)


def _is_in_title_letters(words: str) -> bool:
    """Whether words are written in the letters of titles, in which the digit 1 looks like I."""
    return not any(letter.isdigit() for letter in words)


class Button(Widget):
    """Button. `kind`: primary (the main action now), plain, quiet (for side actions), danger."""

    focusable = True

    @staticmethod
    def width(words: str, least: float) -> float:
        """Return the width in pixels that its text needs in the size of the body; at least `least` units."""
        carved = _is_in_title_letters(words)
        line = shapes.kept(words, size=theme.BODY, title=carved, bold=not carved)
        return max(theme.px(least), line.content_width + theme.px(20))

    def __init__(
        self,
        rect: Rect,
        words: str,
        action: Callable[[], object],
        *,
        kind: ButtonKind = "plain",
        size: float = theme.LARGE,
        tip: str = "",
        enabled: bool = True,
    ) -> None:
        super().__init__(rect, tip=tip)
        self.enabled = enabled
        self.deed = self.action = action
        self.kind: ButtonKind = kind
        light = kind in ("primary", "danger")
        self._colour = theme.IVORY if light else theme.INK
        carved = kind != "quiet" and _is_in_title_letters(words)
        self._line = text(words, rect.x, rect.y, size=size, colour=self._colour, title=carved,
                          bold=kind != "quiet" and not carved, align="center")  # fmt: skip
        self._points = self._line.font_size
        fit(self._line, *self._room)

    @property
    def words(self) -> str:
        """Displayed text."""
        return self._line.text

    @words.setter
    def words(self, words: str) -> None:
        if words != self._line.text:
            fit_again(self._line, words, self._points, *self._room)

    @property
    def _room(self) -> tuple[float, float]:
        """Maximum width and height of its text."""
        return self.rect.width - theme.px(14), self.rect.height - theme.px(2)

    @property
    def meaning(self) -> Hashable:
        return super().meaning, self.words

    def on_click(self) -> None:
        self.action()

    def draw(self) -> None:
        look = _FACES[self.kind]
        down = self.pressed and self.hovered
        if not self.enabled:
            look = replace(look, top=_OFF, bottom=_OFF, line=_OFF_EDGE, shadow=0, bevel=0, inner=theme.CLEAR, grain=0)
        elif down:
            look = _lit(replace(look, shadow=2), -0.14)
        elif self.hovered or self.marked:
            look = _lit(look, 0.16)
        shapes.plate(self.rect, look)
        self._line.color = self._colour if self.enabled else theme.mix(theme.INK_SOFT, _OFF, 0.25)
        self._line.y = round(self.rect.y - (1 if down else 0))
        self._line.draw()


_RINGS: Final = (
    (5.0, shapes.Plate(theme.CLEAR, theme.CLEAR, theme.NIGHT_DEEP, 2.0, radius=6)),
    (3.0, shapes.Plate(theme.CLEAR, theme.CLEAR, theme.IVORY, 2.5, radius=5)),
    (0.5, shapes.Plate(theme.CLEAR, theme.CLEAR, theme.LAPIS, 2.5, radius=4)),
)
"""Light ring between dark ones, visible on any background, each with its distance beyond the edge."""


def focus_reach() -> float:
    """Return by how many pixels the mark of the focus exceeds its control: less in small windows, which have less
    room between controls and words."""
    return _RINGS[0][0] * min(1.0, theme.window_px(1))


def focus_ring(rect: Rect) -> None:
    """Mark the keyboard focus."""
    for beyond, ring in _RINGS:
        by = beyond * focus_reach() / _RINGS[0][0]
        shapes.plate(arcade.LRBT(rect.left - by, rect.right + by, rect.bottom - by, rect.top + by), ring)


def column(left: float, top: float, width: float, heights: Sequence[float], gap: float = theme.GAP) -> list[Rect]:
    """Return rects below each other, from the top down; `heights` and `gap` are design lengths, the rest pixels."""
    rects: list[Rect] = []
    for height in heights:
        rects.append(arcade.LBWH(left, top - theme.px(height), width, theme.px(height)))
        top -= theme.px(height + gap)
    return rects
