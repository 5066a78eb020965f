"""Plates over the board: a few lines, the first emphasised, and buttons; and the plate with the open question."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.widgets import Button, ButtonKind
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.corner_buttons import HIGH as CORNER
from client.table.pane import Popup
from client.table.vote_menu import Notice, VoteMenu, VotingMatch
from shared.ids import NONE
from shared.messages import Motion
from shared.tables import Matter

_HEAD: Final = 38.0
_PAD: Final = 14.0
_GAP: Final = 6.0
_FOOT: Final = 50.0
_ROW: Final = 40.0


class TextPlate(Popup):
    """Plate with lines of text; subclasses define the lines."""

    edge = 4.0

    def __init__(self) -> None:
        super().__init__()
        self._board = self.rect

    @property
    def lines(self) -> Sequence[str]:
        """Its lines; it is hidden without any."""
        raise NotImplementedError

    @property
    def pending(self) -> bool:
        """Whether its words are only provisional."""
        return False

    @property
    def has_buttons(self) -> bool:
        """Whether there are any buttons."""
        raise NotImplementedError

    @property
    def rows(self) -> int:
        """Number of rows of buttons, if there are any."""
        return 1

    @property
    def matter(self) -> Hashable:
        return tuple(self.lines[:1])

    @property
    def shown(self) -> bool:
        return bool(self.lines)

    def tall(self, width: float) -> float:
        """Return its height (pixels) at that width."""
        words = sum(line.content_height + theme.px(_GAP) for line in self._text_lines(width))
        foot = _FOOT + _ROW * (self.rows - 1) if self.has_buttons else _PAD
        return theme.px(_HEAD + _GAP) + words + theme.px(foot)

    def button(
        self, place: int, count: int, words: str, action: Callable[[], object], kind: ButtonKind, tip: str, row: int = 0
    ) -> None:
        """Add the button at index `place` of `count` in a row; row 0 is the lowest."""
        height, gap, pad = theme.px(32), theme.px(8), theme.px(_PAD)
        room = (self.rect.width - 2 * pad - gap * (count - 1)) / count
        rect = arcade.LBWH(
            self.rect.left + pad + place * (room + gap), self.rect.bottom + theme.px(12 + row * _ROW), room, height
        )
        self.ui.add(Button(rect, words, action, kind=kind, size=theme.BODY, tip=tip))

    def paint_words(self, seat: int, heading: str, clock: str = "") -> None:
        """Draw the heading with the Caesar of a seat, a time at its end, and the lines."""
        rect = self.rect
        y, side, left = rect.top - theme.px(_HEAD / 2 + 4), theme.px(30), rect.left + theme.px(_PAD)
        if seat != NONE:
            shapes.piece(f"caesar_{seat}", arcade.XYWH(left + side / 2, y, side, side))
            left += side + theme.px(8)
        shapes.say(heading, left, y, size=theme.HEADING - 2, title=True, colour=theme.TERRACOTTA_DEEP)
        if clock:
            shapes.say(clock, rect.right - theme.px(_PAD), y, size=theme.BODY, align="right", colour=theme.INK_SOFT)
        top = rect.top - theme.px(_HEAD + 4)
        for line in self._text_lines(rect.width):
            line.position = round(rect.left + theme.px(_PAD)), round(top)
            line.draw()
            top -= line.content_height + theme.px(_GAP)

    def over(self, board: Rect) -> None:
        """Place it on the board, as high as the words need."""
        raise NotImplementedError

    def _text_lines(self, width: float) -> list[arcade.Text]:
        room = round(width - theme.px(2 * _PAD))
        return [
            shapes.kept(line, size=theme.BODY if place else theme.LARGE - 1, bold=not place and not self.pending,
                       colour=theme.INK_SOFT if place else theme.INK, italic=self.pending, width=room)
            for place, line in enumerate(self.lines)
        ]  # fmt: skip


_WIDE: Final = 404.0
_COLUMNS: Final = 2
"""Questions about an absent player that stand side by side."""


class BallotPlate(TextPlate):
    """Plate with the open question of a match, or words about an absent player, and their buttons."""

    def __init__(self, match: VotingMatch) -> None:
        super().__init__()
        self._match = match
        self._menu = VoteMenu(match)
        self.notice: Notice | None = None

    @property
    def lines(self) -> Sequence[str]:
        return self.notice.lines if self.notice is not None else ()

    @property
    def rows(self) -> int:
        # One more than the offers: the button to wait.
        return -(-(1 + len(self.notice.offers)) // _COLUMNS) if self.notice is not None and self.notice.waits else 1

    @property
    def shown(self) -> bool:
        return self.notice is not None

    @property
    def has_buttons(self) -> bool:
        notice = self.notice
        return notice is not None and (notice.answers or notice.goes_on or notice.reads or notice.waits)

    def follow(self) -> None:
        """Show what is asked now; hide the plate if nothing is."""
        notice = self._menu.notice()
        if notice != self.notice:
            self.notice = notice
            self.over(self._board)

    def vote(self, yes: bool) -> bool:
        """Answer the open question, or close the notice that was read; return False if nothing is asked."""
        voting = self._match.voting
        if voting.missed:
            self._read()
        elif voting.asks(self._match.seat):
            self._match.vote(yes)
        elif not yes and self.notice is not None and self.notice.waits:
            self._wait()
        else:
            return False
        return True

    def _read(self) -> None:
        self._menu.read()
        self.follow()

    def _wait(self) -> None:
        self._menu.wait()
        self.follow()

    def over(self, board: Rect) -> None:
        """Place it at the lower left of the board, above the buttons there. The height follows the words."""
        self._board = board
        width, gap = min(theme.px(_WIDE), board.width * 0.6), theme.px(8)
        bottom = board.bottom + theme.px(CORNER) + 2 * gap
        self.place(arcade.LBWH(board.left + gap, bottom, width, self.tall(width)))

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
            self.button(0, 1, _("Ask to go on"), lambda: self._match.propose(Motion(Matter.GO_ON)), "primary", "")
            return
        self.button(0, 2, _("Yes"), lambda: self._match.vote(True), _kind(notice.choice), told(Command.AYE))
        no = None if notice.choice is None else not notice.choice
        self.button(1, 2, _("No"), lambda: self._match.vote(False), _kind(no), told(Command.NAY))

    def _build_offers(self, notice: Notice) -> None:
        asks = [
            (words, partial(self._match.propose, motion), _("The others are asked first."))
            for words, motion in notice.offers
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
