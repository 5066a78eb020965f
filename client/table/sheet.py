"""Sheets over the board: large parts of the table that belong to a game, opened by a button or by a decision."""

from collections.abc import Sequence
from typing import Final, Generic, TypeAlias

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.scrolling import clipped, scroll_bar
from client.drawing.widgets import Widget
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.corner_buttons import HIGH as CORNER
from client.table.desk import Desk
from client.table.pane import WOOD, Pane
from client.table.position import SeatPosition, T_co
from client.table.task import AnyTask
from shared.kernel.frames import Event


class Sheets:
    """The sheets of a game. `lying`: the sheet over the board."""

    def __init__(self, sheets: "Sequence[AnySheet]") -> None:
        self.all = tuple(sheets)
        self.lying: AnySheet | None = None
        self._open_sheet: AnySheet | None = None
        """The sheet that opened by itself last. If the player closes it, it stays closed until another one is
        wanted."""

    def add(self, sheet: "AnySheet") -> None:
        """Add a sheet."""
        self.all = (*self.all, sheet)

    def by_key(self, key: Command | None) -> "AnySheet | None":
        """Return the sheet with that key."""
        return next((sheet for sheet in self.all if sheet.key is key), None)

    @property
    def coming(self) -> "AnySheet | None":
        """The sheet over the board, or the one that will open by itself."""
        return self.lying or next((sheet for sheet in self.all if sheet.is_due()), None)

    def open(self, sheet: "AnySheet | None") -> None:
        """Lay a sheet over the board, or close the present one."""
        before, self.lying = self.lying, sheet
        if before is not None and before is not sheet:
            before.put_away()

    def put_away(self) -> None:
        """Clean all up, as the match is at another moment."""
        for sheet in self.all:
            sheet.put_away()

    def follow(self, free: bool) -> bool:
        """Open and close sheets by themselves; return True if one did. `free`: whether anything may lie over the
        board."""
        if self.lying is not None and self.lying.lasting:
            return False
        sheet_due = next((sheet for sheet in self.all if sheet.is_due()), None) if free else None
        if sheet_due is self._open_sheet:
            return False
        mine, self._open_sheet = self._open_sheet, sheet_due
        # A sheet that the player opened meanwhile is not closed for them.
        if sheet_due is None and self.lying is not mine:
            return False
        self.open(sheet_due)
        return True


_WHOLE: Final = 560.0
"""Design height that is enough for any sheet: one of this visible height is not scrolled."""
_BAR: Final = 10.0
_PAGE: Final = 0.85
_NOTCH: Final = 60.0
"""Distance that a notch of the wheel scrolls."""


class Sheet(Pane, Generic[T_co]):
    """Sheet over the board's part of the window; at most one is shown at a time.

    `caption`: the words of its button. `key`: the key that opens and closes it. `about`: its purpose. `foremost`:
    whether Escape closes it before the task receives the key. `lasting`: whether no other sheet may replace it by
    itself.
    """

    caption = ""
    key: Command | None = None
    about = ""
    foremost = False
    lasting = False
    by_itself = False
    """Whether it opens and closes by itself, because no player is there to close it."""
    yields = False
    """Whether any height is enough for it, because it scrolls by itself."""

    def __init__(self, desk: Desk[T_co]) -> None:
        super().__init__()
        self.desk = desk
        self.task: AnyTask | None = None
        self.seen = self.rect
        """Its visible part; `rect` is all of it."""
        self._offset = self._most = 0.0
        """Scrolled distance, and its maximum (pixels)."""
        self._looked: Widget | None = None
        """Widget to which the sheet was scrolled last, as it had the keyboard."""

    def is_due(self) -> bool:
        """Whether it opens by itself in the present position."""
        return False

    def stays(self) -> bool:
        """Whether a click beside it leaves it open."""
        return self.is_due()

    def hear(self, event: Event) -> None:
        """Handle an event, whether it is open or not."""

    def put_away(self) -> None:
        """Clean up after it was closed or replaced."""

    def confirm(self) -> bool:
        """Handle Enter or Space before the task does; return False if they mean nothing here."""
        return False

    def size(self) -> tuple[float, float]:
        """Return its design width and height. It is centred over the board, and cut to the board's width."""
        return 900.0, 520.0

    def over(self, board: Rect, *, cornered: bool = False) -> None:
        """Place it over the board; a sheet that is higher than the place is scrolled.

        `cornered`: whether there are buttons in the board's lower corner. Their place stays free also without them
        where there is room.
        """
        wide, high = self.size()
        gap = theme.px(12)
        width, height = min(theme.px(wide), board.width - gap), min(theme.px(high), board.height - gap)
        corner = board.bottom + theme.px(CORNER) + gap
        if cornered:
            height = min(height, board.top - gap / 2 - corner)
        highest = board.top - gap / 2 - height
        self.seen = arcade.LBWH(board.x - width / 2, max(board.y - height / 2, min(corner, highest)), width, height)
        self._spread()

    def _spread(self) -> None:
        """Place the whole sheet behind its visible part, moved up by the scrolled distance."""
        seen = self.seen
        height = seen.height if self.yields else max(seen.height, theme.px(min(self.size()[1], _WHOLE)))
        self._most = height - seen.height
        self._offset = min(self._most, max(0.0, self._offset))
        width = seen.width - (theme.px(_BAR) if self._most else 0)
        self.place(arcade.LBWH(seen.left, seen.top - height + self._offset, width, height))

    def scroll(self, by: float) -> bool:
        """Scroll by so many pixels, as far as there is more below; return whether it moved."""
        before, self._offset = self._offset, min(self._most, max(0.0, self._offset + by))
        if self._offset != before:
            self._spread()
        return self._offset != before

    def turn(self, pages: int) -> bool:
        """Scroll so many pages down, or (negative) up; return False if all of it is visible."""
        self.scroll(pages * self.seen.height * _PAGE)
        return self._most > 0

    def _reveal(self) -> None:
        """Scroll to the widget that has the keyboard."""
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
            if not self._surface.painted:
                return  # It comes into sight once it is painted, with its scroll bar.
            shapes.plate(arcade.LRBT(self.rect.right, self.seen.right, self.seen.bottom, self.seen.top), WOOD)
        scroll_bar(self.seen, self._offset, self._most)

    @property
    def _can_wait(self) -> bool:
        return True  # A new sheet may stay invisible for some frames.

    def show(self, task: AnyTask) -> None:
        """Update it to a new position or task."""
        self.task = task
        self.rebuild()


def closes(sheet: Sheet[SeatPosition]) -> str:
    """Return the words about the keys that close it; "" if it closes by itself."""
    if sheet.by_itself:
        return ""
    keys = [told(command) for command in (sheet.key, Command.BACK) if command is not None]
    return _("{key} closes", key=_(" or ").join(keys))


AnySheet: TypeAlias = Sheet[SeatPosition]
"""A sheet of any game."""
