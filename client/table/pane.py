"""A docked part of the table that is painted only after a change, and the controls made for it."""

from collections.abc import Callable, Hashable, Sequence
from typing import Final, TypeAlias

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.cached_surface import CachedSurface
from client.drawing.widgets import Ui, Widget
from client.keyboard.commands import Command, KeyContext
from client.keyboard.keys import KEYS
from client.language import pgettext
from shared.ids import Seat

WOOD: Final = shapes.Plate((74, 50, 34, 255), (52, 35, 24, 255), theme.BRONZE_DEEP, 1.0, grain=0.35)
CARD: Final = shapes.Plate(
    theme.PARCHMENT_LIGHT,
    theme.PARCHMENT,
    theme.BRONZE_DEEP,
    1.5,
    theme.alpha(theme.BRONZE, 120),
    4.5,
    radius=6,
    shadow=8,
    grain=0.14,
)
SLOT: Final = shapes.Plate(
    theme.alpha(theme.IVORY, 150),
    theme.alpha(theme.PARCHMENT_LIGHT, 120),
    theme.alpha(theme.BRONZE, 130),
    1.0,
    radius=6,
)
SLOT_ON: Final = shapes.Plate((255, 246, 214, 255), (246, 222, 160, 255), theme.TERRACOTTA, 2.0, radius=6)


TEXTS: Final = 6
"""Largest number of texts that are made in a frame while something moves."""
_LAYER: Final = 0.3
"""Texts that could be made while a widget is drawn twice whose texts are there."""
Plates: TypeAlias = Sequence[tuple[Rect, shapes.Plate]]
"""Surfaces and their rectangles, the lowest first."""
_NOWHERE: Final = arcade.LBWH(0, 0, 1, 1)
_COUNTS: Final[dict[Command | None, int]] = {
    Command.MORE: 1, Command.UP: 1, Command.PRESS: 1, Command.FEWER: -1, Command.DOWN: -1,
}  # fmt: skip
"""Change of a count by keys."""


class Pane:
    """Widgets on a surface. Subclasses paint the background of the widgets, and build the widgets."""

    def __init__(self) -> None:
        self.rect = arcade.LBWH(0, 0, 1, 1)
        self.ui = Ui(shy=True)
        self._surface = self._bare = CachedSurface(self.rect)
        self._plates: object = None
        """The surfaces that were painted below everything else."""
        self._stale = True
        self._next_surface: CachedSurface | None = None
        """The next picture, as far as it is painted."""
        self._layers: list[Callable[[], object]] = []
        """What is drawn on it, one above the other."""
        self._layers_done = 0
        """How many of these are drawn."""
        self._layered = False
        """Whether the next picture takes several frames, each of which goes on where the last one stopped."""
        self.patient = False
        """Whether it shows its old picture for now because other parts are painted first."""
        self.sparing = False
        """Whether it is painted in several frames, if that takes long."""

    def place(self, rect: Rect) -> None:
        """Use that rectangle of the window."""
        self.rect = arcade.LBWH(round(rect.left), round(rect.bottom), round(rect.width), round(rect.height))
        self._surface = CachedSurface(self.rect)
        self.rebuild()

    @property
    def is_hidden(self) -> bool:
        """Whether there is no room for it now: then it has no controls and is not drawn."""
        return self.rect.width <= 0 or self.rect.height <= 0

    @property
    def matter(self) -> Hashable:
        """The matter that its buttons are about, if they look alike for another one."""
        return None

    def rebuild(self) -> None:
        """Build the widgets anew. The widget with the keyboard keeps it; if it is gone, the first one gets it."""
        focus, ring = self.ui.focus, self.ui.ring
        # Before the widgets are cleared: a name counts equal widgets by their order.
        names = _names(ring)
        self.ui.clear()
        if not self.is_hidden:
            self.build()
        if focus is not None and focus in ring:
            self._regain(names[ring.index(focus)], focus.marked)
        self.touch()

    def _regain(self, name: object, marked: bool) -> None:
        ring = self.ui.ring
        found = next((w for w, other in zip(ring, _names(ring), strict=True) if other == name), None)
        if found is not None or marked:
            self.ui.set_focus(found or next(iter(ring), None))

    def touch(self) -> None:
        """Request a new picture."""
        self._forget_layers()
        self._stale = True

    def typed(self) -> None:
        """React to a key that went to a line of text."""
        self.touch()

    def build(self) -> None:
        """Add the widgets to `ui`."""

    def plates(self) -> Plates:
        """Return its surfaces. They lie below everything else, and are painted once for many pictures."""
        return [(self.rect, WOOD)]

    def paint(self) -> None:
        """Draw on the surfaces, below the widgets."""

    @property
    def stale(self) -> bool:
        """Whether it differs from the last picture drawn."""
        return self._stale

    def update(self, seconds: float) -> None:
        """Advance by some seconds; a text field with the focus blinks."""
        if self.ui.animate(seconds):
            self.touch()

    def draw(self) -> None:
        """Draw it; paint a new picture first, if one is due and need not wait."""
        if self.is_hidden:
            self._stale = False
            return
        if self._stale and not (self.patient and self._can_wait):
            if self.sparing and self._can_wait:
                self._paint_some()
            else:
                self._paint_plates()
                self._paint_on(self._surface)
        self._surface.draw()

    def _paint_some(self) -> None:
        """Paint as much of it as one frame allows; the old picture stays until the new one is complete."""
        if self._paint_plates():
            return
        fresh = CachedSurface(self.rect)
        with shapes.sparing(TEXTS):
            try:
                self._paint_layers() if self._layered else self._paint_on(fresh)
            except shapes.Enough:
                self._layered = self._stale = True
                return
        # Exchanged only when complete; a half-painted pane is never seen.
        self._surface = self._next_surface or fresh
        self._forget_layers()
        self._stale = self._layered = False

    def _paint_layers(self) -> None:
        """Paint the next layers. Raises Enough before the budget is exceeded."""
        if self._next_surface is None:
            self._next_surface, self._layers = CachedSurface(self.rect), self._all_layers()
        for layer in self._layers[self._layers_done :]:
            # Into nothing first: the budget may be used up halfway, and translucent strokes must not be drawn twice.
            with CachedSurface(_NOWHERE).painting():
                layer()
            with self._next_surface.painting(anew=not self._layers_done):
                layer()
            self._layers_done += 1
            shapes.spend(_LAYER)

    def _forget_layers(self) -> None:
        self._next_surface, self._layers, self._layers_done = None, [], 0

    def _paint_on(self, surface: CachedSurface) -> None:
        self._forget_layers()
        self._stale = False
        with surface.painting():
            for layer in self._all_layers():
                layer()

    def _all_layers(self) -> list[Callable[[], object]]:
        """Return what is drawn, one above the other."""
        widgets = [widget.draw for widget in self.ui.widgets if widget.visible]
        return [self._bare.draw, self.paint, *widgets, self.ui.draw_focus]

    @property
    def _can_wait(self) -> bool:
        """Whether there is an older picture to show until it is painted."""
        return self._surface.painted

    def _paint_plates(self) -> bool:
        """Paint the surfaces if they changed; return whether they did."""
        plates = self.plates(), theme.px(1), arcade.get_window().get_pixel_ratio()
        if plates == self._plates:
            return False
        self._plates, self._bare = plates, CachedSurface(self.rect)
        with self._bare.painting():
            for rect, look in plates[0]:
                shapes.plate(rect, look)
        return True

    # Events: each handler returns whether the pane lies under the mouse or used the event.

    def holds(self, x: float, y: float) -> bool:
        """Whether the point is on it."""
        return not self.is_hidden and bool(self.rect.point_in_rect((x, y)))

    def tip(self, x: float, y: float) -> str:
        """Return the tooltip of the widget under the mouse."""
        widget = self.ui.at(x, y)
        return widget.tip if widget is not None else ""

    def person_at(self, x: float, y: float) -> tuple[str, str]:
        """Return the name of the person who is shown there, and the words that they said; "" for none."""
        return "", ""

    def mouse_motion(self, x: float, y: float) -> None:
        """Handle a move of the mouse, here or elsewhere."""
        hovered = [w.hovered for w in self.ui.widgets]
        self.ui.mouse_motion(x, y)
        if hovered != [w.hovered for w in self.ui.widgets]:
            self.touch()

    def mouse_press(self, x: float, y: float, button: int, modifiers: int = 0) -> bool:
        """Handle a pressed button."""
        if not self.holds(x, y):
            self.ui.set_focus(None)
            return False
        self.touch()
        if not self.ui.mouse_press(x, y, button, modifiers):
            self.ui.set_focus(None)
        return True

    def mouse_drag(self, x: float, y: float) -> None:
        """Handle a move of the mouse with the button down."""
        self.ui.mouse_drag(x, y)
        self.touch()

    def mouse_release(self, x: float, y: float) -> bool:
        """Handle a released button."""
        self.touch()
        return self.ui.mouse_release(x, y)

    def mouse_scroll(self, x: float, y: float, steps: float) -> bool:
        """Handle a turn of the wheel."""
        if not self.holds(x, y):
            return False
        self.ui.mouse_scroll(x, y, steps)
        self.touch()
        return True


class Popup(Pane):
    """Pane over others, like a card, that is visible only while it has something to show."""

    edge = 3.0
    """Width of its border in a window of the base size."""

    @property
    def shown(self) -> bool:
        """Whether it is visible."""
        raise NotImplementedError

    def holds(self, x: float, y: float) -> bool:
        return self.shown and super().holds(x, y)

    def plates(self) -> Plates:
        return framed_card(self.rect, theme.px(self.edge))

    def draw(self) -> None:
        if self.shown:
            super().draw()
        else:
            self._stale = False


def within(rect: Rect, edge: float) -> Rect:
    """Return a rectangle without an edge of so many pixels."""
    return arcade.LRBT(rect.left + edge, rect.right - edge, rect.bottom + edge, rect.top - edge)


def framed_card(rect: Rect, edge: float) -> Plates:
    """Return a card in a wooden frame of so many pixels."""
    return [(rect, WOOD), (within(rect, edge), CARD)]


def _names(widgets: Sequence[Widget]) -> list[object]:
    """Return keys by which widgets are recognised after a rebuild: their effects, and index among equal ones."""
    effects = [widget.effect for widget in widgets]
    return [(name, effects[:place].count(name)) for place, name in enumerate(effects)]


class Figure(Widget):
    """A piece that can be chosen: its picture, lit while chosen, and a word below it."""

    focusable = True

    def __init__(
        self, rect: Rect, picture: str, caption: str, on: bool, action: Callable[[], object], *, tip: str = "",
        enabled: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(rect, tip=tip)
        self.picture = picture
        self.caption = caption
        self.on = on
        self.enabled = enabled
        self.deed = self._action = action

    def on_click(self) -> None:
        self._action()

    def draw(self) -> None:
        rect = self.rect
        shapes.plate(rect, SLOT_ON if self.on else SLOT)
        room = theme.px(22) if self.caption else theme.px(4)
        side = min(rect.width - theme.px(4), rect.height - room - theme.px(2))
        draw_picture(self.picture, arcade.XYWH(rect.x, rect.top - theme.px(2) - side / 2, side, side))
        if not self.enabled:
            arcade.draw_rect_filled(rect, theme.alpha(theme.PARCHMENT_DEEP, 150))
        elif self.hovered:
            arcade.draw_rect_filled(rect, theme.alpha(theme.IVORY, 50))
        if self.caption:
            colour = theme.TERRACOTTA_DEEP if self.on else theme.INK_SOFT
            shapes.say(
                self.caption,
                rect.x,
                rect.bottom + theme.px(11),
                size=theme.SMALL,
                colour=colour,
                align="center",
                bold=self.on,
                limit=rect.width,
            )


class Stepper(Widget):
    """A number of pieces: picture, price or caption, and the count between minus and plus. The wheel works too.

    `more`, `less`: whether one more or fewer is possible. `left`: the number in the supply.
    """

    focusable = True

    def __init__(
        self,
        rect: Rect,
        picture: str,
        count: int,
        caption: str,
        step: Callable[[int], object],
        *,
        more: bool = True,
        less: bool | None = None,
        left: int | None = None,
        tip: str = "",
    ) -> None:
        super().__init__(rect, tip=tip)
        self.left = left
        self.picture = picture
        self.count = count
        self.caption = caption
        self.more = more
        self.less = count > 0 if less is None else less
        self.deed = self.step = step
        self._side = 1

    @property
    def _bar(self) -> float:
        return theme.px(27)

    def on_press(self, x: float, y: float) -> None:
        below = y < self.rect.bottom + self._bar
        self._side = -1 if below and x < self.rect.x else 1

    def on_click(self) -> None:
        self.step(self._side)

    def on_key(self, symbol: int, modifiers: int) -> bool:
        by = _COUNTS.get(KEYS.command(symbol, modifiers, KeyContext.CONTROLS), 0)
        if by and (self.more if by > 0 else self.less):
            self.step(by)
        return bool(by)

    def on_scroll(self, steps: float) -> bool:
        self.step(1 if steps > 0 else -1)
        return True

    def draw(self) -> None:
        rect, bar = self.rect, self._bar
        shapes.plate(rect, SLOT_ON if self.count else SLOT)
        side = min(rect.width - theme.px(8), rect.height - bar - theme.px(20))
        x, y = rect.x, rect.bottom + bar + theme.px(16) + side / 2
        if self.left is not None:
            x = rect.left + theme.px(4) + side / 2
            middle = (x + side / 2 + rect.right) / 2
            colour = theme.INK_SOFT if self.left else theme.INK_FAINT
            shapes.say(str(self.left), middle, y + theme.px(8), bold=True, align="center", colour=colour)
            shapes.say(
                pgettext("in the supply", "left"),
                middle,
                y - theme.px(7),
                size=theme.SMALL - 1,
                align="center",
                colour=colour,
            )
        draw_picture(self.picture, arcade.XYWH(x, y, side, side))
        shapes.say(
            self.caption,
            rect.x,
            rect.bottom + bar + theme.px(8),
            size=theme.SMALL,
            colour=theme.INK_SOFT,
            align="center",
            limit=rect.width - theme.px(4),
        )
        y = rect.bottom + bar / 2 + theme.px(1.5)
        shapes.say(
            str(self.count),
            rect.x,
            y + theme.px(2.5),  # Text leaves room below its digits; this centres them on the signs.
            size=theme.LARGE,
            bold=True,
            align="center",
            colour=theme.INK if self.count else theme.INK_FAINT,
        )
        self._sign(rect.left + bar / 2, y, False, self.less)
        self._sign(rect.right - bar / 2, y, True, self.more)

    def _sign(self, x: float, y: float, plus: bool, usable: bool) -> None:
        r = theme.px(9)
        lit = self.hovered and usable
        face = theme.TERRACOTTA_LIGHT if lit else theme.TERRACOTTA if usable else theme.alpha(theme.BRONZE, 90)
        shapes.plate(arcade.XYWH(x, y, 2 * r, 2 * r), shapes.Plate(face, face, theme.CLEAR, radius=4))
        arm = r * 0.5
        arcade.draw_line(x - arm, y, x + arm, y, theme.IVORY, 2)
        if plus:
            arcade.draw_line(x, y - arm, x, y + arm, theme.IVORY, 2)


def draw_picture(name: str, rect: Rect) -> None:
    """Draw a painted piece; a road is drawn as lines, as on the board."""
    if name != "road":
        shapes.piece(name, rect)
        return
    half, width = rect.width * 0.42, rect.width * 0.3
    a, b = (rect.x - half, rect.y - half * 0.55), (rect.x + half, rect.y + half * 0.55)
    arcade.draw_line(*a, *b, theme.INK, width)
    arcade.draw_line(*a, *b, theme.PARCHMENT_DEEP, width * 0.72)
    for i in range(1, 5):
        x, y = a[0] + (b[0] - a[0]) * i / 5, a[1] + (b[1] - a[1]) * i / 5
        arcade.draw_line(x - width * 0.14, y + width * 0.3, x + width * 0.14, y - width * 0.3, theme.INK_FAINT, 1.5)


def seat_disc(seat: Seat, x: float, y: float, size: float) -> None:
    """Draw the marker of a seat, or of fighters without a player, in its colour. Nothing is drawn for a negative
    seat."""
    if seat >= 0:
        shapes.piece(f"marker_{seat}", arcade.XYWH(x, y, size, size))
