"""Controls that hold a value: text fields, toggles, choices, tabs. They work as those of widgets.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import arcade
from arcade import key
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import brush, theme
from client.drawing.brush import advances, fit, text
from client.drawing.widgets import Widget, focus_ring

_FIELD: Final = brush.Plate(theme.IVORY, theme.PARCHMENT_LIGHT, theme.BRONZE_DEEP, 1.2, radius=5, grain=0.06)
_FIELD_FOCUS: Final = replace(_FIELD, line=theme.TERRACOTTA, border=2.0)
_BLINK: Final = 1.06
"""Seconds from one blink of the caret to the next."""
_READ: Final = 4
"""How many times more than fits into a field is looked at of what is pasted: some of it cannot be printed."""
_CHOSEN: Final = brush.Plate(theme.TERRACOTTA, theme.TERRACOTTA_DEEP, theme.TERRACOTTA_DEEP, 1.0, radius=5,
                             bevel=0.3)  # fmt: skip


class TextField(Widget):
    """One line of text to be typed. `changed` is called with each new value, `done` on Enter."""

    focusable = True

    def __init__(
        self,
        rect: Rect,
        value: str = "",
        *,
        hint: str = "",
        limit: int = 40,
        changed: Callable[[str], object] | None = None,
        done: Callable[[], object] | None = None,
        tip: str = "",
    ) -> None:
        super().__init__(rect, tip=tip)
        self._value = value
        self._limit = limit
        self._changed = changed
        self._done = done
        self._blink = 0.0
        self._full = False
        """Whether something that was typed last found no room."""
        self._caret = len(value)
        left = rect.left + theme.px(12)
        self._line = text("", left, rect.y, size=theme.BODY + 0.5)
        self._caret_at = 0.0
        """Pixels from the first letter shown to the caret."""
        self._hint = text(hint, left, rect.y, size=theme.BODY, colour=theme.INK_FAINT)
        self._show()

    @property
    def value(self) -> str:
        """What was typed."""
        return self._value

    @value.setter
    def value(self, value: str) -> None:
        self._value = value[: self._limit]
        self._caret = len(self._value)
        self._show()

    def _show(self) -> None:
        """Show the part around the caret of a text that is too long for the field; that part alone is laid out."""
        room = self.rect.width - theme.px(28)
        wide = advances(self._line, self._value)
        start = end = self._caret
        used = 0.0
        while start and used + wide[start - 1] <= room:
            start -= 1
            used += wide[start]
        self._caret_at = used
        while end < len(wide) and used + wide[end] <= room:
            used += wide[end]
            end += 1
        shown = self._value[start:end]
        if shown != self._line.text:
            self._line.text = shown

    def _put(self, before: str, after: str) -> None:
        """The text on either side of the caret changes."""
        self._full = len(before + after) > self._limit
        self._value = (before + after)[: self._limit]
        self._caret = min(len(before), self._limit)
        self._blink = 0.0
        self._show()
        if self._changed is not None:
            self._changed(self._value)

    def _go(self, place: int) -> None:
        self._caret = min(len(self._value), max(0, place))
        self._blink = 0.0
        self._show()

    def on_click(self) -> None:
        """A click only gives it the focus."""

    def on_text(self, words: str) -> bool:
        typed = "".join(c for c in words[: _READ * self._limit] if c.isprintable())[: self._limit + 1]
        if typed:
            self._put(self._value[: self._caret] + typed, self._value[self._caret :])
        return bool(typed)

    def on_key(self, symbol: int, modifiers: int) -> bool:
        before, after = self._value[: self._caret], self._value[self._caret :]
        if symbol == key.BACKSPACE:
            word = modifiers & key.MOD_CTRL
            self._put(before.rstrip().rpartition(" ")[0] if word else before[:-1], after)
        elif symbol == key.DELETE:
            self._put(before, after[1:])
        elif symbol in (key.LEFT, key.RIGHT):
            self._go(self._caret + (1 if symbol == key.RIGHT else -1))
        elif symbol in (key.HOME, key.END):
            self._go(len(self._value) if symbol == key.END else 0)
        elif symbol == key.V and modifiers & key.MOD_ACCEL:
            self.on_text(arcade.get_window().get_clipboard_text())
        elif symbol in (key.ENTER, key.NUM_ENTER) and self._done is not None:
            self._done()
        else:
            return symbol == key.SPACE
        return True

    @property
    def _lit(self) -> bool:
        """Whether the caret is to be seen."""
        return self.focused and self._blink < _BLINK / 2

    def update(self, seconds: float) -> bool:
        lit = self._lit
        self._blink = (self._blink + seconds) % _BLINK
        return lit != self._lit

    def draw(self) -> None:
        brush.plate(self.rect, _FIELD_FOCUS if self.focused else _FIELD)
        if self._value:
            self._line.draw()
        else:
            self._hint.draw()
        if self._lit:
            x = self._line.x + self._caret_at + 1
            y, half = self.rect.y, theme.px(9)
            arcade.draw_line(x, y - half, x, y + half, theme.TERRACOTTA, 1.5)
        if self.complaint:
            self._complain()

    @property
    def complaint(self) -> str:
        """Why not all that was typed stands there; empty where it does."""
        return f"no more than {self._limit} letters" if self._full and self.focused else ""

    def _complain(self) -> None:
        """At the end of the field, on a ground of its own."""
        line = brush.kept(self.complaint, size=theme.SMALL, colour=theme.TERRACOTTA_DEEP, align="right",
                          anchor_y="center", limit=self.rect.width - theme.px(20))  # fmt: skip
        right, half = self.rect.right - theme.px(8), theme.px(11)
        left = right - line.content_width - theme.px(8)
        brush.plate(arcade.LRBT(left, right, self.rect.y - half, self.rect.y + half), _FIELD)
        line.position = round(right - theme.px(4)), round(self.rect.y)
        line.draw()


class Toggle(Widget):
    """A switch with its words to the right."""

    focusable = True

    def __init__(self, rect: Rect, words: str, on: bool, changed: Callable[[bool], object], *, tip: str = "") -> None:
        super().__init__(rect, tip=tip)
        self.on = on
        self._changed = changed
        self._line = text(words, rect.left + theme.px(54), rect.y)
        fit(self._line, rect.width - theme.px(58))

    def on_click(self) -> None:
        self.on = not self.on
        self._changed(self.on)

    def draw(self) -> None:
        wide, high = theme.px(42), theme.px(22)
        slot = arcade.LBWH(self.rect.left, self.rect.y - high / 2, wide, high)
        fill = theme.OLIVE if self.on else theme.PARCHMENT_DEEP
        if self.hovered:
            fill = theme.mix(fill, theme.IVORY, 0.2)
        shaded = theme.mix(fill, theme.NIGHT, 0.2)
        brush.plate(slot, brush.Plate(shaded, fill, theme.BRONZE_DEEP, 1.2, radius=11))
        if self.marked:
            focus_ring(slot)
        knob = slot.right - high + 3 if self.on else slot.left + 3
        side = high - 6
        brush.plate(
            arcade.LBWH(knob, slot.bottom + 3, side, side),
            brush.Plate(theme.IVORY, theme.PARCHMENT_DEEP, theme.BRONZE_DEEP, 1.0, radius=10, bevel=0.3),
        )
        self._line.color = theme.INK if self.enabled else theme.INK_FAINT
        self._line.draw()


class Selector(Widget):
    """One of several values, stepped through with the arrows at its ends, the wheel, or left and right."""

    focusable = True

    def __init__(
        self,
        rect: Rect,
        labels: Sequence[str],
        index: int,
        changed: Callable[[int], object],
        *,
        tip: str = "",
        wrap: bool = True,
    ) -> None:
        super().__init__(rect, tip=tip)
        self._labels = labels
        self.index = index
        self._changed = changed
        self._wrap = wrap
        self._side = 0
        self._line = text("", rect.x, rect.y, align="center")
        self._show()

    def _show(self) -> None:
        self._line.text = self._labels[self.index]
        fit(self._line, self.rect.width - 2 * self.rect.height - theme.px(4))

    def step(self, by: int) -> None:
        """Go on by so many values."""
        count = len(self._labels)
        index = (self.index + by) % count if self._wrap else min(count - 1, max(0, self.index + by))
        if index != self.index and self.enabled:
            self.index = index
            self._show()
            self._changed(index)

    def on_press(self, x: float, y: float) -> None:
        self._side = -1 if x < self.rect.left + self.rect.height else 1

    def on_click(self) -> None:
        self.step(self._side or 1)
        self._side = 0

    def on_scroll(self, steps: float) -> bool:
        self.step(-1 if steps > 0 else 1)
        return True

    def on_key(self, symbol: int, modifiers: int) -> bool:
        if symbol in (key.LEFT, key.RIGHT):
            self.step(-1 if symbol == key.LEFT else 1)
            return True
        return super().on_key(symbol, modifiers)

    def draw(self) -> None:
        brush.plate(self.rect, _FIELD_FOCUS if self.focused else _FIELD)
        self._line.color = theme.INK if self.enabled else theme.INK_FAINT
        self._line.draw()
        if not self.enabled or len(self._labels) < 2:
            return
        high, r = self.rect.height, theme.px(5)
        for side in (-1, 1):
            x = (self.rect.left if side < 0 else self.rect.right) - side * high / 2
            if not self._wrap and self.index == (0 if side < 0 else len(self._labels) - 1):
                colour = theme.alpha(theme.BRONZE, 90)
            else:
                colour = theme.TERRACOTTA if self.hovered else theme.BRONZE_DEEP
            y = self.rect.y
            back = x - side * r
            arcade.draw_polygon_filled([(x + side * r, y), (back, y + r * 1.3), (back, y - r * 1.3)], colour)


class Tabs(Widget):
    """One of a few things to look at, all of them shown side by side."""

    focusable = True

    def __init__(self, rect: Rect, labels: Sequence[str], index: int, changed: Callable[[int], object]) -> None:
        super().__init__(rect)
        self.index = index
        self._changed = changed
        self._at = index
        wide = rect.width / len(labels)
        self._cells = [arcade.LBWH(rect.left + i * wide, rect.bottom, wide, rect.height) for i in range(len(labels))]
        self._lines = [
            fit(text(label, cell.x, cell.y, title=True, align="center"), cell.width - theme.px(8))
            for label, cell in zip(labels, self._cells, strict=True)
        ]

    def on_press(self, x: float, y: float) -> None:
        self._at = min(len(self._cells) - 1, int((x - self.rect.left) / self._cells[0].width))

    def on_click(self) -> None:
        self._choose(self._at)

    def on_key(self, symbol: int, modifiers: int) -> bool:
        if symbol in (key.LEFT, key.RIGHT):
            self._choose((self.index + (1 if symbol == key.RIGHT else -1)) % len(self._cells))
            return True
        return False

    def _choose(self, index: int) -> None:
        self._at = index
        if index != self.index:
            self.index = index
            self._changed(index)

    def draw(self) -> None:
        brush.plate(self.rect, brush.WELL)
        for i, (cell, line) in enumerate(zip(self._cells, self._lines, strict=True)):
            if i == self.index:
                brush.plate(cell, _CHOSEN)
            line.color = theme.IVORY if i == self.index else theme.INK
            line.draw()
        if self.marked:
            focus_ring(self.rect)
