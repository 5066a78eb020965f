"""Sheets over the board: large parts of the table that a game brings along, opened by a button or by what is owed."""

from __future__ import annotations

from typing import Generic, TypeAlias

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.desk import Desk
from client.table.pane import Pane
from client.table.position import T_co, Table
from client.table.task import AnyTask
from shared.kernel.frames import Event


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

    def __init__(self, desk: Desk[T_co]) -> None:
        super().__init__()
        self.desk = desk
        self.task: AnyTask | None = None

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
        """Its design width and height; it lies in the middle of the board's part, and is cut to it."""
        return 900.0, 520.0

    def over(self, board: Rect) -> None:
        """Take its place."""
        wide, high = self.size()
        gap = theme.px(12)
        width, height = min(theme.px(wide), board.width - gap), min(theme.px(high), board.height - gap)
        self.place(arcade.XYWH(board.x, board.y, width, height))

    @property
    def _can_wait(self) -> bool:
        return True  # For one frame it is not there yet.

    def show(self, task: AnyTask) -> None:
        """The position or the task is different: show it."""
        self.task = task
        self.rebuild()


def closes(sheet: Sheet[Table]) -> str:
    """By which keys it is put away."""
    keys = [told(command) for command in (sheet.key, Command.BACK) if command is not None]
    return _("{key} closes", key=_(" or ").join(keys))


AnySheet: TypeAlias = Sheet[Table]
"""A sheet of any game."""
