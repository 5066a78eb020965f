"""Plate over the board with the open question, its votes so far and two buttons; or with the news that the match is
paused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.widgets import ButtonKind
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.corner_buttons import HIGH as CORNER
from client.table.text_plate import TextPlate
from client.table.vote_menu import Notice

_WIDE: Final = 404.0


class BallotPlate(TextPlate):
    """Plate with a question and its buttons.

    answer: called with yes or no. go_on: asks to end the pause. read: confirms that a past decision has been read.
    """

    def __init__(
        self, answer: Callable[[bool], object], go_on: Callable[[], object], read: Callable[[], object]
    ) -> None:
        super().__init__()
        self._answer = answer
        self._go_on = go_on
        self._read = read
        self.notice: Notice | None = None

    @property
    def lines(self) -> Sequence[str]:
        return self.notice.lines if self.notice is not None else ()

    @property
    def shown(self) -> bool:
        return self.notice is not None

    @property
    def has_buttons(self) -> bool:
        return self.notice is not None and (self.notice.answers or self.notice.goes_on or self.notice.reads)

    def show(self, notice: Notice | None) -> None:
        """Show this notice; None hides the plate."""
        if notice != self.notice:
            self.notice = notice
            self.over(self._board)

    def over(self, board: Rect) -> None:
        """Place it at the lower left of the board, above the buttons there. The height follows the words."""
        self._board = board
        wide, gap = min(theme.px(_WIDE), board.width * 0.6), theme.px(8)
        bottom = board.bottom + theme.px(CORNER) + 2 * gap
        self.place(arcade.LBWH(board.left + gap, bottom, wide, self.tall(wide)))

    def build(self) -> None:
        notice = self.notice
        if notice is None or not self.has_buttons:
            return
        if notice.reads:
            self.button(0, 1, _("Read"), self._read, "primary", told(Command.AYE))
            return
        if notice.goes_on:
            self.button(0, 1, _("Ask to go on"), self._go_on, "primary", "")
            return
        self.button(0, 2, _("Yes"), lambda: self._answer(True), _kind(notice.choice), told(Command.AYE))
        no = None if notice.choice is None else not notice.choice
        self.button(1, 2, _("No"), lambda: self._answer(False), _kind(no), told(Command.NAY))

    def paint(self) -> None:
        if self.notice is not None:
            self.paint_words(self.notice.asker, self.notice.heading, self.notice.clock)


def _kind(chosen: bool | None) -> ButtonKind:
    """Return the look of an answer: all are alike until one is given."""
    return "primary" if chosen else "plain"
