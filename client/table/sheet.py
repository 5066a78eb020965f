"""Sheets over the board: large parts of the table that a game brings along, opened by a button or by what is owed."""

from __future__ import annotations

from typing import Final, Generic, TypeAlias

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.scrolling import clipped, scroll_bar
from client.drawing.widgets import Widget
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.desk import Desk
from client.table.pane import WOOD, Pane
from client.table.position import T_co, Table
from client.table.task import AnyTask
from shared.kernel.frames import Event

_WHOLE: Final = 560.0
"""Height that is enough for any sheet: one that is seen to this height is not scrolled."""
_BAR: Final = 10.0
_PAGE: Final = 0.85
_NOTCH: Final = 60.0
"""How far a notch of the wheel scrolls."""


class Sheet(Pane, Generic[T_co]):
    """A sheet. The table shows at most one at a time, over the board's part of the window.

    `caption`: the words of its button; `key`: what its key does: it opens and closes it; `about`: what it is good for.
    `foremost`: whether Escape closes it before the task hears of it. `lasting`: whether no other takes its place by
    itself.
    """

    caption = ""
    key: Command | None = None
    about = ""
    foremost = False
    lasting = False
    by_itself = False
    """Whether nobody is there to close it: it comes and goes by itself."""
    yields = False
    """Whether it does with any height, and scrolls by itself."""

    def __init__(self, desk: Desk[T_co]) -> None:
        super().__init__()
        self.desk = desk
        self.task: AnyTask | None = None
        self.seen = self.rect
        """What of it is seen; `rect` is all of it."""
        self._offset = self._most = 0.0
        """How far it is scrolled, and can be (pixels)."""
        self._looked: Widget | None = None
        """What had the keyboard when it was scrolled to that."""

    def wanted(self) -> bool:
        """Whether it opens by itself while the position is as it is."""
        return False

    def stays(self) -> bool:
        """Whether a click beside it leaves it open."""
        return self.wanted()

    def hear(self, event: Event) -> None:
        """Something happened, whether it lies open or not."""

    def put_away(self) -> None:
        """It was closed, or another sheet took its place."""

    def confirm(self) -> bool:
        """Enter or Space, before the task hears of it; False where it means nothing here."""
        return False

    def size(self) -> tuple[float, float]:
        """Its design width and height; it lies in the middle of the board's part, and is cut to its width."""
        return 900.0, 520.0

    def over(self, board: Rect) -> None:
        """Take its place; what is higher than the place is scrolled there."""
        wide, high = self.size()
        gap = theme.px(12)
        width, height = min(theme.px(wide), board.width - gap), min(theme.px(high), board.height - gap)
        self.seen = arcade.XYWH(board.x, board.y, width, height)
        self._spread()

    def _spread(self) -> None:
        """Lie behind what is seen, as far up as it is scrolled."""
        seen = self.seen
        high = seen.height if self.yields else max(seen.height, theme.px(min(self.size()[1], _WHOLE)))
        self._most = high - seen.height
        self._offset = min(self._most, max(0.0, self._offset))
        width = seen.width - (theme.px(_BAR) if self._most else 0)
        self.place(arcade.LBWH(seen.left, seen.top - high + self._offset, width, high))

    def scroll(self, by: float) -> bool:
        """Move it up by so many pixels, as far as something is below; whether it moved."""
        before, self._offset = self._offset, min(self._most, max(0.0, self._offset + by))
        if self._offset != before:
            self._spread()
        return self._offset != before

    def turn(self, pages: int) -> bool:
        """So many pages down, or (negative) up; False where all of it is seen."""
        self.scroll(pages * self.seen.height * _PAGE)
        return self._most > 0

    def _reveal(self) -> None:
        """Scroll to what has come to have the keyboard."""
        focus, self._looked = self.ui.focus, self.ui.focus
        if focus is not None:
            edge, rect = theme.px(10), focus.rect
            self.scroll(max(0.0, self.seen.bottom + edge - rect.bottom) - max(0.0, rect.top + edge - self.seen.top))

    def holds(self, x: float, y: float) -> bool:
        return bool(self.seen.point_in_rect((x, y)))

    def mouse_motion(self, x: float, y: float) -> None:
        super().mouse_motion(x, y if self.holds(x, y) or not self._most else -1.0)

    def mouse_scroll(self, x: float, y: float, steps: float) -> bool:
        return self.holds(x, y) and (self.scroll(-steps * theme.px(_NOTCH)) or super().mouse_scroll(x, y, steps))

    def draw(self) -> None:
        if self._most and self.ui.focus is not None and self.ui.focus is not self._looked:
            self._reveal()
        if not self._most:
            super().draw()
            return
        with clipped(self.seen):
            super().draw()
            shapes.plate(arcade.LRBT(self.rect.right, self.seen.right, self.seen.bottom, self.seen.top), WOOD)
        scroll_bar(self.seen, self._offset, self._most)

    @property
    def _can_wait(self) -> bool:
        return True  # For some frames it is not there yet.

    def show(self, task: AnyTask) -> None:
        """The position or the task is different: show it."""
        self.task = task
        self.rebuild()


def closes(sheet: Sheet[Table]) -> str:
    """By which keys it is put away; nothing where it goes by itself."""
    if sheet.by_itself:
        return ""
    keys = [told(command) for command in (sheet.key, Command.BACK) if command is not None]
    return _("{key} closes", key=_(" or ").join(keys))


AnySheet: TypeAlias = Sheet[Table]
"""A sheet of any game."""
