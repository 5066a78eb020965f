"""Plate over the board with the open question, its votes so far and two buttons; or with the news that the match is
paused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
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
from shared.messages import Motion
from shared.tables import Matter

_WIDE: Final = 404.0
_COLUMNS: Final = 2
"""Questions about an absent player that stand side by side."""


class BallotPlate(TextPlate):
    """Plate with a question and its buttons.

    answer: called with yes or no. ask: puts a question to the others. read: confirms that a past decision has been
    read. wait: closes the words about an absent player.
    """

    def __init__(
        self,
        answer: Callable[[bool], object],
        ask: Callable[[Motion], object],
        read: Callable[[], object],
        wait: Callable[[], object],
    ) -> None:
        super().__init__()
        self._answer = answer
        self._ask = ask
        self._read = read
        self._wait = wait
        self.notice: Notice | None = None

    @property
    def lines(self) -> Sequence[str]:
        return self.notice.lines if self.notice is not None else ()

    @property
    def rows(self) -> int:
        return -(-(1 + len(self.notice.offers)) // _COLUMNS) if self.notice is not None and self.notice.waits else 1

    @property
    def shown(self) -> bool:
        return self.notice is not None

    @property
    def has_buttons(self) -> bool:
        notice = self.notice
        return notice is not None and (notice.answers or notice.goes_on or notice.reads or notice.waits)

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
        if notice.waits:
            self._build_offers(notice)
            return
        if notice.goes_on:
            self.button(0, 1, _("Ask to go on"), lambda: self._ask(Motion(Matter.GO_ON)), "primary", "")
            return
        self.button(0, 2, _("Yes"), lambda: self._answer(True), _kind(notice.choice), told(Command.AYE))
        no = None if notice.choice is None else not notice.choice
        self.button(1, 2, _("No"), lambda: self._answer(False), _kind(no), told(Command.NAY))

    def _build_offers(self, notice: Notice) -> None:
        asks = [
            (words, partial(self._ask, motion), _("The others are asked first.")) for words, motion in notice.offers
        ]
        buttons: list[tuple[str, Callable[[], object], str]] = [(_("Wait"), self._wait, told(Command.NAY)), *asks]
        for place, (words, act, tip) in enumerate(buttons):
            above, column = divmod(place, _COLUMNS)
            count = min(_COLUMNS, len(buttons) - above * _COLUMNS)
            self.button(column, count, words, act, "plain", tip, self.rows - 1 - above)

    def paint(self) -> None:
        if self.notice is not None:
            self.paint_words(self.notice.asker, self.notice.heading, self.notice.clock)


def _kind(chosen: bool | None) -> ButtonKind:
    """Return the look of an answer: all are alike until one is given."""
    return "primary" if chosen else "plain"
