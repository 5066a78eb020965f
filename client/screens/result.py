"""Screen with the result of a match."""

from __future__ import annotations

from typing import Final

import arcade
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.drawing.fields import Selector
from client.drawing.widgets import Button, Label, Panel, Picture
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, heard
from client.network.model import MatchModel
from client.player.lessons import lesson_of
from client.player.seats import is_private
from client.screens.application import Application
from client.screens.framed import FramedScreen
from client.screens.replay_source import afterwards, can_look_back, look_back
from shared.ids import NONE
from shared.kernel.ruleset import Place
from shared.messages import Invited, ServerMessage
from shared.tables import REMATCH, Arrangement

_ROW = 58.0
_BAR = 62.0
_CHECKED = 44.0
_PLACES: Final = {
    Arrangement.KEEP: _("the same seats"),
    Arrangement.ROTATE: _("all move one seat on"),
    Arrangement.SHUFFLE: _("seats by lot"),
}


class ResultScreen(FramedScreen):
    """Final standings, with the winner above them."""

    def __init__(self, app: Application, match: MatchModel) -> None:
        super().__init__(app)
        self.match = match
        self._places = 0
        self._after = afterwards(app, match)

    def layout(self, width: float, height: float) -> None:
        match = self.match
        places = list(match.rules.standings(match.view)) if match.view is not None else []
        bar = _BAR if self._may_play_again else 0.0
        checked = _CHECKED if self._after is not None else 0.0
        inside = self.frame(860, 290 + bar + checked + (_ROW + 8) * max(2, len(places)), _("The match is over"))
        winner = match.rules.winner(match.view) if match.view is not None else NONE
        self._headline(inside, winner)
        top = inside.top - theme.px(72)
        for place in places:
            self._row(arcade.LBWH(inside.left, top - theme.px(_ROW), inside.width, theme.px(_ROW)), place)
            top -= theme.px(_ROW + 8)
        if self._after is not None:
            self._check(arcade.LBWH(inside.left, inside.bottom + theme.px(bar + 4), inside.width, theme.px(34)))
        if self._may_play_again:
            self._again(arcade.LBWH(inside.left, inside.bottom + theme.px(6), inside.width, theme.px(theme.ROW)))
        words = _("To the menu") if is_private(self.app.remote.access.address) else _("To the lobby")
        leave = Button(self.foot(inside, 245, right=True, parts=3), words, self.app.go.leave)
        board = self.foot(inside, 245, parts=3)
        self.ui.add(Button(board, _("See the final board"), self.back, tip=told(Command.BACK)))
        if can_look_back(match):
            tip = _("Watch the match again, and see charts: who had what, and whose dice were lucky.")
            again = self.foot(inside, 245, 1, parts=3)
            self.ui.add(Button(again, _("Replay and charts"), self._look_back, tip=tip))
        self.ui.set_focus(self.ui.add(leave))

    @property
    def _may_play_again(self) -> bool:
        """Whether a rematch with the same people is possible or already waits for us."""
        remote = self.app.remote
        asks = self.match.seat >= 0 and remote.can(REMATCH) and not lesson_of(remote.access.address)
        return asks or self.match.invited is not None

    def _again(self, row: Rect) -> None:
        """Add the buttons that ask for a rematch or join it."""
        invited = self.match.invited
        go = arcade.LBWH(row.right - theme.px(240), row.bottom, theme.px(240), row.height)
        if invited is not None:
            if invited.seat >= 0:
                said = _("{name} would like to play again. A seat is held for you.", name=invited.name)
            else:
                said = _("{name} would like to play again. You may watch.", name=invited.name)
            self.ui.add(Label(said, row.left, row.y, width=go.left - row.left - theme.px(16)))
            self.ui.add(Button(go, _("Come along"), lambda: self.app.remote.come_along(invited), kind="primary"))
            return
        words = self.ui.add(Label(_("Once more, with"), row.left, row.y))
        places = arcade.LRBT(words.rect.right + theme.px(14), go.left - theme.px(16), row.bottom, row.top)
        self.ui.add(Selector(places, list(_PLACES.values()), self._places, self._choose, tip=_("Who sits where")))
        self.ui.add(Button(go, _("Play again"), self._ask, kind="primary",
                           tip=_("A new table like this one: the others join with one click.")))  # fmt: skip

    def _check(self, row: Rect) -> None:
        """Show the verdict on the record, and a button to save it."""
        known = self._after
        assert known is not None
        save = arcade.LBWH(row.right - theme.px(200), row.bottom, theme.px(200), row.height)
        verdict = known.verdict
        colour = theme.INK_SOFT if verdict is None or verdict.wrong else theme.OLIVE
        self.ui.add(Label(known.words(), row.left, row.y, colour=colour, width=save.left - row.left - theme.px(12)))
        if known.record is not None:
            tip = _("The whole match as a file that anyone can watch and check.")
            self.ui.add(Button(save, _("Save the record …"), self._save, kind="quiet", size=theme.SMALL + 1, tip=tip))

    def _save(self) -> None:
        if self._after is not None and self._after.record is not None:
            self.app.go.save(self._after.record, self._after.data)

    def on_update(self, seconds: float) -> bool:
        new = self._after is not None and self._after.update()
        if new:
            self.relayout()
        return super().on_update(seconds) or new

    def _look_back(self) -> None:
        look_back(self.app, self.match)

    def _choose(self, places: int) -> None:
        self._places = places

    def _ask(self) -> None:
        self.app.remote.rematch(list(_PLACES)[self._places])

    def hear(self, message: ServerMessage) -> None:
        if isinstance(message, Invited):
            self.relayout()

    def _headline(self, inside: Rect, winner: int) -> None:
        match = self.match
        if match.view is not None and not match.rules.finished(match.view):
            words = self._by_agreement()
        elif winner == NONE:
            words = _("No winner")
        elif winner == match.seat:
            words = _("Victory! The empire is yours")
        else:
            words = _("{home} rules the empire", home=match.home(winner))
        self.ui.add(Label(words, inside.x, inside.top - theme.px(26), size=26, title=True, align="center",
                          colour=theme.TERRACOTTA_DEEP, limit=inside.width))  # fmt: skip

    def _by_agreement(self) -> str:
        """Return the text for a match ended by agreement, naming the best seat."""
        best = [place.seat for place in self.match.rules.standings(self.match.view) if place.rank == 1]
        if len(best) != 1:
            return _("Ended by agreement: a tie")
        return _("Ended by agreement: {home} is ahead", home=self.match.home(best[0]))

    def _row(self, rect: Rect, place: Place) -> None:
        match, seat = self.match, place.seat
        first = place.rank == 1
        look = replace(shapes.CARD, line=theme.GOLD, border=2.5) if first else shapes.CARD
        self.ui.add(Panel(rect, look))
        self.ui.add(Label(f"{place.rank}", rect.left + theme.px(28), rect.y, size=22, title=True, align="center",
                          colour=theme.TERRACOTTA if first else theme.INK_SOFT))  # fmt: skip
        side = theme.px(42)
        piece = f"caesar_{seat}" if first else f"marker_{seat}"
        self.ui.add(Picture(arcade.LBWH(rect.left + theme.px(52), rect.y - side / 2, side, side), piece))
        left = rect.left + theme.px(108)
        self.ui.add(Label(match.home(seat), left, rect.y + theme.px(11), size=theme.LARGE, title=True))
        you = _(" (you)") if seat == match.seat else ""
        self.ui.add(Label(match.name(seat) + you, left, rect.y - theme.px(12), colour=theme.INK_SOFT,
                          limit=rect.width * 0.4))  # fmt: skip
        self.ui.add(Label(heard(place.score), rect.right - theme.px(18), rect.y, align="right", limit=rect.width * 0.5))

    def back(self) -> None:
        self.app.go.table()
