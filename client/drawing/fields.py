"""Controls that hold a value: text fields, toggles, choices, tabs. Their interface is that of widgets.py."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise
from time import monotonic
from typing import Final

import arcade
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.drawing.shapes import advances, fit, fit_again, text
from client.drawing.widgets import Widget
from client.keyboard.chord import pressed
from client.keyboard.commands import Command, KeyContext
from client.keyboard.keys import KEYS
from client.language import _

_WORD: Final = re.compile(r"\w+|[^\w\s]+")


class EditedLine:
    """Line being edited. `caret`, `anchor`: places between letters, from 0; the selection is between them.

    `limit`: the maximum number of letters.
    """

    def __init__(self, words: str, limit: int) -> None:
        self.limit = limit
        self.full = False
        """Whether the last typed text did not fit."""
        self.words = words
        self.caret = self.anchor = len(words)

    @property
    def selected(self) -> tuple[int, int]:
        """Start and end of the selection; both the same without a selection."""
        return min(self.caret, self.anchor), max(self.caret, self.anchor)

    @property
    def chosen(self) -> str:
        """Selected text."""
        start, end = self.selected
        return self.words[start:end]

    def set(self, words: str) -> None:
        """Replace the text and put the caret at its end."""
        self.words = words[: self.limit]
        self.caret = self.anchor = len(self.words)

    def go(self, place: int, *, select: bool = False) -> None:
        """Move the caret; with `select`, extend the selection."""
        self.caret = min(len(self.words), max(0, place))
        if not select:
            self.anchor = self.caret

    def step(self, by: int, *, select: bool = False) -> None:
        """Move one letter left or right; without `select`, start from the selection's end on that side."""
        if self.chosen and not select:
            self.go(self.selected[by > 0])
        else:
            self.go(self.caret + by, select=select)

    def word(self, by: int) -> int:
        """Return the start of the word to the left of the caret, or the end of the one to its right."""
        if by > 0:
            found = _WORD.search(self.words, self.caret)
            return found.end() if found else len(self.words)
        return max((found.start() for found in _WORD.finditer(self.words[: self.caret])), default=0)

    def select_word(self, place: int) -> None:
        """Select the word around a place, or the gap between two."""
        for found in re.finditer(r"\w+|\s+|[^\w\s]+", self.words):
            if found.start() <= place < found.end() or found.end() == place == len(self.words):
                self.anchor, self.caret = found.span()

    def select_all(self) -> None:
        """Select the whole text."""
        self.anchor, self.caret = 0, len(self.words)

    def write(self, words: str) -> None:
        """Replace the selection with text."""
        start, end = self.selected
        whole = self.words[:start] + words + self.words[end:]
        self.full = len(whole) > self.limit
        if not self.full:  # A text that is too long is refused, not cut: without its end it could mean something else.
            self.words = whole
            self.go(start + len(words))

    def erase(self, to: int) -> None:
        """Erase the selection; without one, erase from the caret to that place."""
        if not self.chosen:
            self.go(to, select=True)
        self.write("")


_FIELD: Final = shapes.Plate(theme.IVORY, theme.PARCHMENT_LIGHT, theme.BRONZE_DEEP, 1.2, radius=5, grain=0.06)
_FIELD_FOCUS: Final = replace(_FIELD, line=theme.TERRACOTTA, border=2.0)
_BLINK: Final = 1.06
"""Seconds of one blink of the caret."""
_BLINKS: Final = 10
"""Blinks until the caret stays lit: each needs a new frame, and an idle window should draw none."""
_READ: Final = 4
"""Length of pasted text that is examined, in multiples of the field's limit: some of it may be unprintable."""
_DOUBLE: Final = 0.35
"""Seconds between the clicks of a double click."""
_LINE_END: Final = re.compile(r"(?<=\S)[\r\n]+(?=\S)")
"""Line breaks in pasted text, which become spaces between words."""
_SELECTED: Final = theme.alpha(theme.GOLD, 130)
_TO: Final[Mapping[Command | None, Callable[[EditedLine, bool], None]]] = {
    Command.LEFT: lambda line, select: line.step(-1, select=select),
    Command.RIGHT: lambda line, select: line.step(1, select=select),
    Command.WORD_LEFT: lambda line, select: line.go(line.word(-1), select=select),
    Command.WORD_RIGHT: lambda line, select: line.go(line.word(1), select=select),
    Command.FIRST: lambda line, select: line.go(0, select=select),
    Command.LAST: lambda line, select: line.go(len(line.words), select=select),
    Command.ALL: lambda line, _: line.select_all(),
}
"""Movements of the caret, by command."""
_ERASE: Final[Mapping[Command | None, Callable[[EditedLine], int]]] = {
    Command.ERASE: lambda line: line.caret - 1,
    Command.ERASE_AFTER: lambda line: line.caret + 1,
    Command.ERASE_WORD: lambda line: line.word(-1),
    Command.ERASE_WORD_AFTER: lambda line: line.word(1),
}
"""End of the erased text, by command."""
_CHOSEN: Final = shapes.Plate(theme.TERRACOTTA, theme.TERRACOTTA_DEEP, theme.TERRACOTTA_DEEP, 1.0, radius=5,
                             bevel=0.3)  # fmt: skip


class TextField(Widget):
    """Field for one line of text. `changed` is called with each new value, `done` on Enter."""

    focusable = True
    typing = True

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
        self._edited = EditedLine(value, limit)
        self._changed = changed
        self._done = done
        self._blink = 0.0
        """Seconds since the caret appeared or moved."""
        self._first = 0
        """First visible letter."""
        left = rect.left + theme.px(12)
        self._line = text("", left, rect.y, size=theme.BODY + 0.5)
        self._stops: list[float] = [0.0]
        """Pixels from the first visible letter to each place between visible letters."""
        self._hint = text(hint, left, rect.y, size=theme.BODY, colour=theme.INK_FAINT)
        self._clicks = 0
        self._clicked = (-1.0, -1)
        """Time and place of the last press."""
        self._show()

    @property
    def value(self) -> str:
        """Typed text."""
        return self._edited.words

    @value.setter
    def value(self, value: str) -> None:
        self._edited.set(value)
        self._show()

    @property
    def caret(self) -> int:
        """Place of the caret between letters, from 0."""
        return self._edited.caret

    @property
    def selected(self) -> str:
        """Selected text."""
        return self._edited.chosen

    def select_all(self) -> None:
        """Select the whole text, so that typing replaces it."""
        self._edited.select_all()
        self._moved()

    @property
    def _caret_at(self) -> float:
        """Pixels from the first visible letter to the caret."""
        return self._stops[self.caret - self._first]

    def _show(self) -> None:
        """Show the part around the caret if the text is too long for the field; only that part is laid out."""
        room = self.rect.width - theme.px(28)
        shapes.choose_font(self._line, self.value)
        ends = list(accumulate(advances(self._line, self.value), initial=0.0))
        first = min(self._first, self.caret)
        # Keep the caret visible, and leave no gap while there is more text.
        first = max(first, bisect_left(ends, ends[self.caret] - room))
        first = min(first, bisect_left(ends, ends[-1] - room))
        last = bisect_right(ends, ends[first] + room) - 1
        self._first, self._stops = first, [end - ends[first] for end in ends[first : last + 1]]
        shapes.put_typed(self._line, self.value[first:last])

    def _moved(self) -> None:
        """Update the view after a move of the caret."""
        self._blink = 0.0
        self._show()

    def _typed(self) -> None:
        """Update the view and report the new value after a change."""
        self._moved()
        if self._changed is not None:
            self._changed(self.value)

    # The mouse

    def _place(self, x: float) -> int:
        """Return the place between letters that is nearest to a point; beside the field, the next hidden place."""
        at = x - self._line.x
        if x < self.rect.left:
            return self._first - 1
        if x > self.rect.right:
            return self._first + len(self._stops)
        return self._first + min(range(len(self._stops)), key=lambda i: abs(self._stops[i] - at))

    def on_press(self, x: float, y: float) -> None:
        place, now = self._place(x), monotonic()
        again = now - self._clicked[0] < _DOUBLE and place == self._clicked[1] and not self.shifted
        self._clicks, self._clicked = self._clicks + 1 if again else 1, (now, place)
        if self._clicks == 2:
            self._edited.select_word(place)
        elif self._clicks > 2:
            self._edited.select_all()
        else:
            self._edited.go(place, select=self.shifted)
        self._moved()

    def on_drag(self, x: float, y: float) -> None:
        # After a double click a shaking hand must not shrink the selected word.
        if self._clicks == 1:
            self._edited.go(self._place(x), select=True)
            self._moved()

    def on_click(self) -> None:
        """Do nothing: the press did everything."""

    # Keys

    def on_text(self, words: str) -> bool:
        limit = self._edited.limit
        line = _LINE_END.sub(" ", words[: _READ * limit])
        # One letter more than allowed, so that a text that is too long is noticed and refused.
        typed = "".join(c for c in line if c.isprintable())[: limit + 1]
        if typed:
            self._edited.write(typed)
            self._typed()
        return bool(typed)

    def on_key(self, symbol: int, modifiers: int) -> bool:
        command = KEYS.command(symbol, modifiers, KeyContext.TEXT, KeyContext.CONTROLS)
        held = pressed(symbol, modifiers)
        if command in _TO:
            _TO[command](self._edited, "shift" in held.held)
            self._moved()
        elif command in _ERASE:
            self._edited.erase(_ERASE[command](self._edited))
            self._typed()
        elif command is Command.PRESS and not held.typed and self._done is not None:
            self._done()
        else:
            return self._use_clipboard(command) or held.typed
        return True

    def _use_clipboard(self, command: Command | None) -> bool:
        """Copy, cut or paste."""
        if command is Command.PASTE:
            self.on_text(arcade.get_window().get_clipboard_text())
        elif command in (Command.COPY, Command.CUT):
            if self.selected:
                arcade.get_window().set_clipboard_text(self.selected)
            if self.selected and command is Command.CUT:
                self._edited.write("")
                self._typed()
        else:
            return False
        return True

    @property
    def _lit(self) -> bool:
        """Whether the caret is visible at present."""
        return self.focused and (self._blink % _BLINK < _BLINK / 2 or self._blink > _BLINKS * _BLINK)

    def update(self, seconds: float) -> bool:
        lit = self._lit
        self._blink = self._blink + seconds if self.focused else 0.0
        # A frame is drawn only when the caret appears or disappears.
        return lit != self._lit

    def draw(self) -> None:
        shapes.plate(self.rect, _FIELD_FOCUS if self.focused else _FIELD)
        if self.focused and self.selected:
            self._draw_selected()
        if self.value:
            self._line.draw()
        else:
            self._hint.draw()
        if self._lit:
            x = self._line.x + self._caret_at + 1
            y, half = self.rect.y, theme.px(9)
            arcade.draw_line(x, y - half, x, y + half, theme.TERRACOTTA, 1.5)
        if self.complaint:
            self._complain()

    def _draw_selected(self) -> None:
        """Draw the background of the visible part of the selection."""
        left, right = (min(max(0, place - self._first), len(self._stops) - 1) for place in self._edited.selected)
        x, y, half = self._line.x, self.rect.y, theme.px(10)
        ground = arcade.LRBT(x + self._stops[left], x + self._stops[right], y - half, y + half)
        arcade.draw_rect_filled(ground, _SELECTED)

    @property
    def complaint(self) -> str:
        """Reason why typed text was refused; empty if it was not."""
        return _("At most {most} letters", most=self._edited.limit) if self._edited.full and self.focused else ""

    def _complain(self) -> None:
        """Draw the complaint at the end of the field, on a background of its own."""
        line = shapes.kept(self.complaint, size=theme.SMALL, colour=theme.TERRACOTTA_DEEP, align="right",
                          anchor_y="center", limit=self.rect.width - theme.px(20))  # fmt: skip
        right, half = self.rect.right - theme.px(8), theme.px(11)
        left = right - line.content_width - theme.px(8)
        shapes.plate(arcade.LRBT(left, right, self.rect.y - half, self.rect.y + half), _FIELD)
        line.position = round(right - theme.px(4)), round(self.rect.y)
        line.draw()


class Toggle(Widget):
    """Switch with its text to the right."""

    focusable = True

    def __init__(self, rect: Rect, words: str, on: bool, changed: Callable[[bool], object], *, tip: str = "") -> None:
        super().__init__(rect, tip=tip)
        self.on = on
        self._changed = changed
        self._line = text(words, rect.left + theme.px(54), rect.y)
        fit(self._line, rect.width - theme.px(58), rect.height)

    def on_click(self) -> None:
        self.on = not self.on
        self._changed(self.on)

    def draw(self) -> None:
        width, height = theme.px(42), theme.px(22)
        slot = arcade.LBWH(self.rect.left, self.rect.y - height / 2, width, height)
        fill = theme.OLIVE if self.on else theme.PARCHMENT_DEEP
        if self.hovered:
            fill = theme.mix(fill, theme.IVORY, 0.2)
        shaded = theme.mix(fill, theme.NIGHT, 0.2)
        shapes.plate(slot, shapes.Plate(shaded, fill, theme.BRONZE_DEEP, 1.2, radius=11))
        knob = slot.right - height + 3 if self.on else slot.left + 3
        side = height - 6
        shapes.plate(
            arcade.LBWH(knob, slot.bottom + 3, side, side),
            shapes.Plate(theme.IVORY, theme.PARCHMENT_DEEP, theme.BRONZE_DEEP, 1.0, radius=10, bevel=0.3),
        )
        self._line.color = theme.INK if self.enabled else theme.INK_FAINT
        self._line.draw()


class Selector(Widget):
    """Choice of one of several values by the arrows at its ends, the wheel, or left and right."""

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
        first: int = 1,
    ) -> None:
        """`wrap`: whether the first value follows on the last; `first`: index of the value that follows on the first
        one."""
        super().__init__(rect, tip=tip)
        self._labels = labels
        self._first = first
        self.index = index
        self._changed = changed
        self._wrap = wrap
        self._side = 0
        self._line = text("", rect.x, rect.y, align="center")
        self._points = self._line.font_size
        self._show()

    def _show(self) -> None:
        room = self.rect.width - 2 * self.rect.height - theme.px(4)
        fit_again(self._line, self._labels[self.index], self._points, room, self.rect.height)

    def step(self, by: int) -> None:
        """Move on by `by` values."""
        count = len(self._labels)
        by = self._first if by == 1 and not self.index else by
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

    def on_key(self, symbol: int, modifiers: int) -> bool:
        command = KEYS.command(symbol, modifiers, KeyContext.CONTROLS)
        if command in (Command.LEFT, Command.RIGHT):
            self.step(-1 if command is Command.LEFT else 1)
            return True
        return super().on_key(symbol, modifiers)

    def draw(self) -> None:
        shapes.plate(self.rect, _FIELD_FOCUS if self.focused else _FIELD)
        self._line.color = theme.INK if self.enabled else theme.INK_FAINT
        self._line.draw()
        if not self.enabled or len(self._labels) < 2:
            return
        height, r = self.rect.height, theme.px(5)
        for side in (-1, 1):
            x = (self.rect.left if side < 0 else self.rect.right) - side * height / 2
            if not self._wrap and self.index == (0 if side < 0 else len(self._labels) - 1):
                colour = theme.alpha(theme.BRONZE, 90)
            else:
                colour = theme.TERRACOTTA if self.hovered else theme.BRONZE_DEEP
            y = self.rect.y
            back = x - side * r
            arcade.draw_polygon_filled([(x + side * r, y), (back, y + r * 1.3), (back, y - r * 1.3)], colour)


class Tabs(Widget):
    """Tabs side by side, one of which is chosen."""

    focusable = True

    def __init__(self, rect: Rect, labels: Sequence[str], index: int, changed: Callable[[int], object]) -> None:
        super().__init__(rect)
        self.index = index
        self._changed = changed
        self._at = index
        self._lines = [text(label, 0, rect.y, title=True, align="center") for label in labels]
        self._cells = self._divided()
        for cell, line in zip(self._cells, self._lines, strict=True):
            line.x = round(cell.x)
            fit(line, cell.width - theme.px(8), cell.height)

    def _divided(self) -> list[Rect]:
        """Return cells of the same width or, if that is too narrow for one, as wide as their texts need."""
        needs = [line.content_width + theme.px(8) for line in self._lines]
        whole, same = sum(needs), self.rect.width / len(needs)
        if max(needs) <= same:
            needs = [same] * len(needs)
        elif whole > self.rect.width:
            needs = [need * self.rect.width / whole for need in needs]
        else:
            needs = [need + (self.rect.width - whole) / len(needs) for need in needs]
        rights = list(accumulate(needs, initial=self.rect.left))
        return [arcade.LRBT(left, right, self.rect.bottom, self.rect.top) for left, right in pairwise(rights)]

    def on_press(self, x: float, y: float) -> None:
        self._at = next((i for i, cell in enumerate(self._cells) if x < cell.right), len(self._cells) - 1)

    def on_click(self) -> None:
        self._choose(self._at)

    def on_key(self, symbol: int, modifiers: int) -> bool:
        command = KEYS.command(symbol, modifiers, KeyContext.CONTROLS)
        if command in (Command.LEFT, Command.RIGHT):
            self._choose((self.index + (1 if command is Command.RIGHT else -1)) % len(self._cells))
            return True
        return False

    def _choose(self, index: int) -> None:
        self._at = index
        if index != self.index:
            self.index = index
            self._changed(index)

    def draw(self) -> None:
        shapes.plate(self.rect, shapes.WELL)
        for i, (cell, line) in enumerate(zip(self._cells, self._lines, strict=True)):
            if i == self.index:
                shapes.plate(cell, _CHOSEN)
            line.color = theme.IVORY if i == self.index else theme.INK
            line.draw()
