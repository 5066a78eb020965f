"""Controls that scroll: lists and long texts. Their interface is that of widgets.py."""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

import arcade
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.drawing.chapters import Chapter
from client.drawing.shapes import text
from client.drawing.widgets import Widget
from client.keyboard.commands import Command, KeyContext
from client.keyboard.keys import KEYS

T = TypeVar("T")
ROWS: Final[dict[Command | None, int]] = {Command.UP: -1, Command.DOWN: 1}
PAGES: Final[dict[Command | None, int]] = {Command.PAGE_UP: -1, Command.PAGE_DOWN: 1, Command.PRESS: 1}
ENDS: Final[dict[Command | None, int]] = {Command.FIRST: -1, Command.LAST: 1}
"""Scrolling by keys: by rows, by pages, and to which end."""
_PICTURE: Final = 48.0
_ROW: Final = shapes.Plate(theme.alpha(theme.IVORY, 150), theme.alpha(theme.IVORY, 110),
                          theme.alpha(theme.BRONZE, 110), 1.0, radius=5)  # fmt: skip
_ROW_LIT: Final = replace(_ROW, top=theme.IVORY, bottom=theme.IVORY, line=theme.BRONZE_DEEP)
_FOUND: Final = shapes.Plate(theme.alpha(theme.GOLD, 70), theme.alpha(theme.GOLD, 70), theme.CLEAR, 0.0, radius=4)
_LIT: Final = replace(_FOUND, top=theme.alpha(theme.GOLD, 150), bottom=theme.alpha(theme.GOLD, 150),
                      line=theme.TERRACOTTA, border=1.5)  # fmt: skip
"""Background of found text, and of the current result."""
_BAR: Final = shapes.Plate(theme.BRONZE_LIGHT, theme.BRONZE, theme.BRONZE_DEEP, 1.0, radius=4)


@contextmanager
def clipped(rect: Rect) -> Iterator[None]:
    """Draw only inside `rect` (pixels of the window)."""
    window = arcade.get_window()
    ratio = window.get_pixel_ratio()
    screen = window.ctx.active_framebuffer
    # Kept, because clipped areas may be nested.
    before = screen.scissor
    left, bottom = int(rect.left * ratio), int(rect.bottom * ratio)
    screen.scissor = left, bottom, max(0, int(rect.width * ratio)), max(0, int(rect.height * ratio))
    try:
        yield
    finally:
        screen.scissor = before


def scroll_bar(rect: Rect, offset: float, most: float) -> None:
    """Show the scroll position at the right edge of `rect`; nothing if everything fits."""
    if most <= 0:
        return
    share = rect.height / (rect.height + most)
    height = max(theme.px(28), rect.height * share)
    top = rect.top - (rect.height - height) * offset / most
    width = theme.px(7)
    shapes.plate(arcade.LBWH(rect.right - width, rect.bottom, width, rect.height), shapes.WELL)
    shapes.plate(arcade.LBWH(rect.right - width, top - height, width, height), _BAR)


class ScrollList(Widget, Generic[T]):
    """List of rows; wheel, dragging, Page Up/Down and arrows scroll it.

    `paint(item, rect, chosen)` draws one row inside `rect`. `chosen` is called with the row that was clicked or on
    which Enter was pressed. `ended` is called, maybe often, while the last rows are visible or near.
    """

    focusable = True

    def __init__(
        self,
        rect: Rect,
        row: float,
        paint: Callable[[T, Rect, bool], object],
        chosen: Callable[[T], object],
        *,
        ended: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(rect)
        self._ended = ended
        self.items: Sequence[T] = ()
        self.index = -1
        self.offset = 0.0
        self._row = theme.px(row)
        self._paint = paint
        self._chosen = chosen
        self._y = 0.0
        self._over = -1

    @property
    def meaning(self) -> Hashable:
        return super().meaning, tuple(map(_row_identity, self.items))

    def meanings(self) -> Iterator[tuple[Hashable, Rect]]:
        """Yield the meaning of each visible row first, so that a row that moves under the pointer counts as new."""
        for i, item in enumerate(self.items):
            row = arcade.LBWH(self.rect.left, self._top(i) - self._row, self.rect.width, self._row)
            if row.top > self.rect.bottom and row.bottom < self.rect.top:
                yield (super().meaning, _row_identity(item)), row
        yield from super().meanings()

    def _top(self, row: int) -> float:
        """Return the upper edge of a row."""
        return self.rect.top - row * self._row + self.offset

    @property
    def _most(self) -> float:
        return max(0.0, len(self.items) * self._row - self.rect.height)

    def scroll_to(self, offset: float) -> None:
        """Scroll so that `offset` pixels are above the upper edge."""
        self.offset = min(self._most, max(0.0, offset))
        if self._ended is not None and self.offset + self.rect.height > self._most:
            self._ended()

    def on_scroll(self, steps: float) -> bool:
        self.scroll_to(self.offset - steps * self._row)
        return True

    def on_press(self, x: float, y: float) -> None:
        self._y = y
        self._over = int((self.rect.top - y + self.offset) // self._row)

    def on_drag(self, x: float, y: float) -> None:
        # A small move is still a click; more is scrolling, and selects nothing.
        if abs(y - self._y) > 4:
            self._over = -1
        self.scroll_to(self.offset + y - self._y)
        self._y = y

    def on_click(self) -> None:
        if 0 <= self._over < len(self.items):
            self.index = self._over
            self._chosen(self.items[self.index])

    def on_key(self, symbol: int, modifiers: int) -> bool:
        page = max(1, int(self.rect.height // self._row))
        command = KEYS.command(symbol, modifiers, KeyContext.CONTROLS)
        if command is Command.PRESS:
            self._over = self.index
            self.on_click()
            return 0 <= self.index < len(self.items)
        step = ROWS.get(command, 0) or page * PAGES.get(command, 0)
        if not step or not self.items:
            return False
        target = self.index + step
        if command in ROWS and not 0 <= target < len(self.items):
            return False
        self.index = min(len(self.items) - 1, max(0, target))
        if self.index * self._row < self.offset:
            self.scroll_to(self.index * self._row)
        elif (self.index + 1) * self._row > self.offset + self.rect.height:
            self.scroll_to((self.index + 1) * self._row - self.rect.height)
        return True

    def draw(self) -> None:
        # The list may have become shorter since the last frame.
        self.scroll_to(self.offset)
        with clipped(self.rect):
            for i, item in enumerate(self.items):
                top = self._top(i)
                if top - self._row > self.rect.top or top < self.rect.bottom:
                    continue
                width = self.rect.width - theme.px(14)
                cell = arcade.LBWH(self.rect.left, top - self._row + 3, width, self._row - 6)
                shapes.plate(cell, _ROW_LIT if i == self.index else _ROW)
                self._paint(item, cell, i == self.index)
        scroll_bar(self.rect, self.offset, self._most)


def _row_identity(item: object) -> Hashable:
    """Return the value by which a row is the same, though its words change: its match or address, if it has one."""
    return getattr(item, "match", "") or getattr(item, "address", "") or repr(item)


def _chapter(title: str, width: float) -> arcade.Text:
    size, colour = theme.LARGE + 1, theme.TERRACOTTA_DEEP
    return text(title, 0, 0, size=size, title=True, colour=colour, anchor_y="top", width=width)


def _lines(chapter: Chapter, width: float) -> Iterator[tuple[arcade.Text, float]]:
    """Yield title and paragraphs, each with the gap below it."""
    yield _chapter(chapter.title, width), 6
    for paragraph in chapter.words.split("\n") if chapter.words else ():
        yield text(paragraph, 0, 0, anchor_y="top", width=width), 7


class ScrollText(Widget):
    """Long text of titled chapters; the wheel, Page Up/Down, Home, End and the arrows scroll it."""

    focusable = True

    def __init__(self, rect: Rect, chapters: Sequence[Chapter]) -> None:
        super().__init__(rect)
        self.offset = 0.0
        self._y = 0.0
        self._lines: list[tuple[float, float, arcade.Text]] = []
        """Depth, distance from the left, and text."""
        self._rules: list[float] = []
        self._pictures: list[tuple[float, tuple[tuple[str, str], ...]]] = []
        self._spans: dict[tuple[int, int], tuple[float, float]] = {}
        """Upper and lower edge of each part of each chapter."""
        self._found: Collection[tuple[int, int]] = ()
        self._now: tuple[int, int] | None = None
        depth = theme.px(4)
        for number, chapter in enumerate(chapters):
            depth = self._put_chapter(number, chapter, depth, rect.width - theme.px(26)) + theme.px(14)
        self._depth = depth

    def _put_chapter(self, number: int, chapter: Chapter, depth: float, width: float) -> float:
        part = 0
        for line, gap in _lines(chapter, width):
            self._spans[number, part] = depth, depth + line.content_height
            depth, part = self._put(line, depth, gap), part + 1
        if chapter.pictures:
            self._pictures.append((depth, chapter.pictures))
            depth += theme.px(_PICTURE + 26)
        for i, row in enumerate(chapter.rows):
            below = self._put_row(row, depth, width, head=i == 0)
            self._spans[number, part] = depth, below - theme.px(4)
            depth, part = below, part + 1
        return depth

    def mark(self, found: Collection[tuple[int, int]], now: tuple[int, int] | None) -> None:
        """Highlight these parts (chapter and part, as `parts` counts them), `now` more strongly; scroll to `now`."""
        self._found, self._now = found, now
        if now is not None:
            begins, ends = self._spans[now]
            if not self.offset <= begins <= ends <= self.offset + self.rect.height:
                self.scroll_to(begins - theme.px(14))

    def _put(self, line: arcade.Text, depth: float, gap: float) -> float:
        self._lines.append((depth, 0.0, line))
        return depth + line.content_height + theme.px(gap)

    def _put_row(self, row: tuple[str, str, str], depth: float, width: float, head: bool) -> float:
        """Add a line of a table, with a rule below it."""
        height, left = 0.0, 0.0
        for i, (words, share) in enumerate(zip(row, (0.2, 0.4, 0.4), strict=True)):
            bold = head or i == 0
            colour = theme.TERRACOTTA_DEEP if head else theme.INK
            if words:
                room = width * share - theme.px(14)
                cell = text(words, 0, 0, anchor_y="top", width=room, bold=bold, colour=colour, size=theme.BODY - 0.5)
                self._lines.append((depth, left, cell))
                height = max(height, cell.content_height)
            left += width * share
        self._rules.append(depth + height + theme.px(3))
        return depth + height + theme.px(7)

    def scroll_to(self, offset: float) -> None:
        """Scroll so that `offset` pixels are above the upper edge."""
        self.offset = min(max(0.0, self._depth - self.rect.height), max(0.0, offset))

    def on_scroll(self, steps: float) -> bool:
        self.scroll_to(self.offset - steps * theme.px(60))
        return True

    def on_press(self, x: float, y: float) -> None:
        self._y = y

    def on_drag(self, x: float, y: float) -> None:
        self.scroll_to(self.offset + y - self._y)
        self._y = y

    def on_key(self, symbol: int, modifiers: int) -> bool:
        command = KEYS.command(symbol, modifiers, KeyContext.CONTROLS)
        page = self.rect.height * 0.85
        step = theme.px(60) * ROWS.get(command, 0) + page * PAGES.get(command, 0) + self._depth * ENDS.get(command, 0)
        self.scroll_to(self.offset + step)
        return bool(step)

    def draw(self) -> None:
        with clipped(self.rect):
            for part in self._found:
                self._light_rows(*self._spans[part], now=part == self._now)
            for depth in self._rules:
                y = self.rect.top - depth + self.offset
                right = self.rect.right - theme.px(26)
                arcade.draw_line(self.rect.left, y, right, y, theme.alpha(theme.BRONZE, 110), 1)
            for depth, left, line in self._lines:
                top = self.rect.top - depth + self.offset
                if top > self.rect.bottom and top - line.content_height < self.rect.top:
                    line.position = round(self.rect.left + theme.px(4) + left), round(top)
                    line.draw()
            for depth, pictures in self._pictures:
                self._row(self.rect.top - depth + self.offset, pictures)
        scroll_bar(self.rect, self.offset, self._depth - self.rect.height)

    def _light_rows(self, begins: float, ends: float, *, now: bool) -> None:
        top, air = self.rect.top + self.offset, theme.px(3)
        right = self.rect.right - theme.px(14)
        shapes.plate(arcade.LRBT(self.rect.left, right, top - ends - air, top - begins + air), _LIT if now else _FOUND)

    def _row(self, top: float, pictures: tuple[tuple[str, str], ...]) -> None:
        side, x = theme.px(_PICTURE), self.rect.left + theme.px(4)
        for name, words in pictures:
            shapes.piece(name, arcade.LBWH(x, top - side, side, side))
            shapes.say(words, x + side / 2, top - side - theme.px(10), size=theme.SMALL, align="center",
                      colour=theme.INK_SOFT)  # fmt: skip
            x += side + theme.px(44)
