"""Right side of the table: coach, players, chronicle and news, folded onto each other where room is short."""

from typing import Final, Generic

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.language import _
from client.table.advising import AdvicePlate
from client.table.chronicle import Chronicle
from client.table.coach import Coach
from client.table.layout import Layout, SidePart, divide
from client.table.match import TableMatch
from client.table.news import HintPlate, TurnNews, TurnSummaryPlate
from client.table.position import T
from client.table.roster import Roster
from client.table.sheet import AnySheet
from client.table.tabs import Tabs
from shared.ids import MAX_SEATS

_CAPTIONS: Final = {
    SidePart.COACH: _("Coach"),
    SidePart.PLAYERS: _("Players"),
    SidePart.CHRONICLE: _("Chronicle"),
    SidePart.NEWS: _("News"),
}
"""Captions of the folded parts. At the top of a module, so that they are renewed with the language."""
_NOTICE: Final = 180.0
"""Design height that is enough for any notice."""


class SideColumn(Generic[T]):
    """Parts of the right side, and the choice of the one that is shown where they are folded."""

    def __init__(
        self, match: TableMatch[T], chronicle: Chronicle, coach: Coach[T] | None, news: TurnNews[T],
        advice: AdvicePlate,
    ) -> None:  # fmt: skip
        """`news`, `advice`: their plates can lie over the chronicle."""
        self.roster = Roster(match.name)
        self.chronicle = chronicle
        self.coach = coach
        self.tabs = Tabs(_CAPTIONS, self.unfold)
        self._advice = advice
        self._hint = None if news.hinting is None else news.hinting.plate
        self._plates = (news.plate,) if self._hint is None else (self._hint, news.plate)
        self._turned = SidePart.PLAYERS if coach is None else SidePart.COACH
        """The part to show of those that are folded."""
        self._news = False
        """Whether there is a hint, or something that happened since the player's turn."""
        self._before_news = SidePart.PLAYERS
        self._size, self._seats = (1.0, 1.0), MAX_SEATS
        self._board = arcade.LBWH(0, 0, 1, 1)
        self.layout = self._divided()

    def divide(self, width: float, height: float, seats: int) -> Layout:
        """Divide a window of that size among the parts of the table, for so many players."""
        self._size, self._seats = (width, height), seats
        self.layout = self._divided()
        return self.layout

    def _divided(self) -> Layout:
        coached = self.coach is not None
        return divide(*self._size, self._seats, coached=coached, news=self._news, turned=self._turned)

    def place(self) -> None:
        """Give all parts but the plates their places."""
        layout = self.layout
        if self.coach is not None:
            self.coach.place(layout.coach)
        self.tabs.place(layout.tabs)
        if layout.folded:
            self._turned = self._turned if self._turned in layout.folded else SidePart.PLAYERS
            self.tabs.show(layout.folded, self._turned)
        self.roster.place(layout.roster)
        self.chronicle.place(layout.chronicle)

    def place_plates(self, board: Rect) -> None:
        """Place the plates over the chronicle, and the advice over it or over the board."""
        self._board = board
        for plate in self._plates:
            plate.over(self._reading_area)
        self._advice.beside(self.roster.inside if self.chronicle.is_hidden else self.chronicle.rect)
        self._advice.over(board)

    @property
    def _reading_area(self) -> Rect:
        """The area of the chronicle's lines, or of the part that replaces them."""
        news, edge = self.layout.news, theme.px(12)
        if news.width > 0:
            return arcade.LRBT(news.left + edge, news.right - edge, news.bottom + edge, news.top)
        return self.roster.inside if self.chronicle.is_hidden else self.chronicle.inside

    def unfold(self, part: SidePart) -> None:
        """Turn to a part, if it is folded away."""
        if part in self.layout.folded and part is not self._turned:
            self._turned = part
            self._place_anew()

    def show_news(self, there: bool) -> None:
        """Turn to the news when there are some, and back to the part before them when there are none."""
        if self._news == there:
            return
        self._news = there
        before, self._before_news = self._before_news, self._turned
        if there:
            self._turned = SidePart.NEWS
        elif self._turned is SidePart.NEWS:
            self._turned = before
        self._place_anew()

    def _place_anew(self) -> None:
        """Place all anew, as another part is turned to."""
        self.layout = self._divided()
        self.place()
        self.place_plates(self._board)

    def plates(self, sheet: AnySheet | None) -> tuple[HintPlate | TurnSummaryPlate, ...]:
        """Return the plates with news that are in sight. They wait while their part is folded away, or the sheet lies
        in their place."""
        if self.layout.folded and self.layout.news.width <= 0:
            return ()
        return tuple(plate for plate in self._plates if sheet is None or not sheet.seen.overlaps(plate.rect))

    @property
    def hint_areas(self) -> list[Rect]:
        """The rectangle of the hint that is shown."""
        return [self._hint.rect] if self._hint is not None and self._hint.shown else []

    @property
    def notices_area(self) -> Rect | None:
        """The area for short notices: over the chronicle, or over the players if they have more room. Elsewhere
        a notice could cover controls. None if both are folded away."""
        spots = [pane.inside for pane in (self.chronicle, self.roster) if not pane.is_hidden]
        if not spots:
            return None
        room, more = max(spots, key=lambda rect: min(rect.height, theme.px(_NOTICE))), theme.px(20)
        return arcade.LRBT(room.left - more, room.right + more, room.bottom + theme.px(4), room.top)
