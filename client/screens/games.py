"""List of all matches in which this player holds a seat, here or elsewhere: to resume, leave or delete."""

import time
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.scrolling import ScrollList
from client.drawing.theme import Colour
from client.drawing.widgets import Button, Label
from client.language import _
from client.network.orphaned_matches import OrphanSearch
from client.network.server_process import end_staying, staying_port
from client.player.match_status import awaited, description, is_awaited, place, stand, timing_text
from client.player.seats import SavedSeat, one_row_each
from client.screens.application import Application
from client.screens.base import FramedScreen
from client.screens.question import Answer, Question

_ROW: Final = 92.0
_EMPTY: Final = _("No games yet. What you play, host or join is kept here until you leave it.")


class GamesScreen(FramedScreen):
    """List of matches to resume. It also finds orphaned matches against bots on this computer."""

    narrowest = 980.0

    def __init__(self, app: Application, deleted: SavedSeat | None = None) -> None:
        """`deleted`: an abandoned match against bots, whose file is deleted now."""
        super().__init__(app)
        self._picked = ""
        """Match that was picked last; picking it again opens it."""
        self._deleted = deleted
        self._search: OrphanSearch | None = None
        self._heard = app.rounds.news
        """Number of the last shown news from the servers."""
        self._stays = False
        """Whether a server process of ours was left running."""

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(1000, 700, _("My games"), elastic=True)
        body = arcade.LRBT(inside.left, inside.right, inside.bottom + theme.px(34), inside.top)
        self._list = self.ui.add(ScrollList[SavedSeat](body, _ROW, self._paint, self._choose))
        self._empty = self.ui.add(Label("", body.x, body.y, align="center", colour=theme.INK_SOFT))
        self._looking = self.ui.add(
            Label("", inside.left, inside.bottom + theme.px(12), size=theme.SMALL, colour=theme.INK_SOFT)
        )
        wide, high = theme.px(190), theme.px(30)
        device = arcade.LBWH(inside.right - wide, inside.top + theme.px(34), wide, high)
        self.ui.add(Button(device, _("My profile …"), self.app.go.profile, kind="quiet", size=theme.SMALL + 1,
                           tip=_("Your devices, your mail address, and what servers store of you.")))  # fmt: skip
        self._server_row(inside)
        self.back_button(inside)
        self._tidy = self.ui.add(
            Button(self.foot(inside, 210, 2, right=True), _("Tidy up"), self._tidy_up,
                   tip=_("Remove finished games and lost seats from this list."))
        )  # fmt: skip
        self._leave = self.ui.add(
            Button(self.foot(inside, 210, 1, right=True), _("Leave for good …"), self._ask_to_leave)
        )
        self._go = self.ui.add(
            Button(self.foot(inside, 210, right=True), _("Continue"), self._continue, kind="primary")
        )
        self._refresh()
        # The back button: the three others of the row follow it.
        self.ui.set_focus(self._list if self._list.items else self.ui.widgets[-4])

    def _server_row(self, inside: Rect) -> None:
        """Show the row for matches in files and for a server of ours that was left running."""
        width, height = theme.px(170), theme.px(30)
        files = arcade.LBWH(inside.right - width, inside.bottom - theme.px(2), width, height)
        tip = _("Watch a match again from a file.")
        self.ui.add(Button(files, _("Open a file …"), self.app.go.open, kind="quiet", size=theme.SMALL + 1, tip=tip))
        past = arcade.LBWH(files.left - width - theme.px(8), files.bottom, width, height)
        tip = _("Matches that you or your servers finished: results and replays.")
        to_past = Button(past, _("Finished matches"), self.app.go.past, kind="quiet", size=theme.SMALL + 1, tip=tip)
        self.ui.add(to_past)
        if self._stays:
            stop = arcade.LBWH(past.left - width - theme.px(8), files.bottom, width, height)
            self.ui.add(Button(stop, _("Stop the server"), self._ask_to_stop, kind="quiet", size=theme.SMALL + 1))
            self.ui.add(
                Label(
                    _("Your own server keeps running."),
                    stop.left - theme.px(14),
                    stop.y,
                    size=theme.SMALL,
                    align="right",
                    colour=theme.INK_SOFT,
                )
            )

    def on_show(self) -> None:
        self._look_for_server()
        self.app.rounds.ask(at_once=True)
        self._search = OrphanSearch(self.app.seats.all(), self._deleted)
        self._deleted = None

    def on_hide(self) -> None:
        if self._search is not None:
            self._search.stop()
            self._take_found()
            self._search = None

    def on_update(self, seconds: float) -> bool:
        changed = super().on_update(seconds)
        return self._look() or changed

    def _look(self) -> bool:
        """Continue the search for matches; return whether there is anything new."""
        done = self._search is not None and self._search.done
        new = self._take_found() or done or self._heard != self.app.rounds.news
        self._heard = self.app.rounds.news
        if done:
            self._search = None
        if new:
            self._refresh()
        before, self._looking.words = self._looking.words, self._what_is_awaited()
        return new or self._looking.words != before

    def _what_is_awaited(self) -> str:
        if self.app.rounds.asking:
            return _("Asking your servers …")
        return "" if self._search is None else _("Looking for matches on this computer …")

    def _take_found(self) -> bool:
        """Save the seats that were found; return whether there are any."""
        found = self._search.take() if self._search is not None else []
        for seat in found:
            try:
                self.app.seats.keep(seat)
            except OSError as error:
                self.app.toast(
                    _("A match that was found again cannot be listed ({strerror}).", strerror=error.strerror), "bad"
                )
        return bool(found)

    @property
    def chosen(self) -> SavedSeat | None:
        """The selected match."""
        index = self._list.index
        return self._list.items[index] if 0 <= index < len(self._list.items) else None

    def _refresh(self) -> None:
        """Refresh the list and keep the selection, at first the top entry."""
        before, seats = self.chosen, sorted(one_row_each(self.app.seats.all()), key=lambda seat: not is_awaited(seat))
        self._list.items = seats
        at = [i for i, seat in enumerate(seats) if before is not None and seat.key == before.key]
        self._list.index = at[0] if at else min(0, len(seats) - 1)
        self._empty.words = "" if seats else _EMPTY
        self._show_what_can_be_done()

    def _show_what_can_be_done(self) -> None:
        chosen, seats = self.chosen, self._list.items
        self._go.enabled = chosen is not None and chosen.state != "gone"
        self._go.words = _("See the end") if chosen is not None and chosen.state == "over" else _("Continue")
        self._leave.enabled = chosen is not None
        self._tidy.enabled = any(not seat.live for seat in seats)

    def _paint(self, seat: SavedSeat, rect: Rect, chosen: bool) -> None:
        left, right = rect.left + theme.px(18), rect.right - theme.px(18)
        room = rect.width * 0.64
        shapes.say(seat.title or _("A table"), left, rect.y + theme.px(24), size=theme.LARGE, title=True, limit=room)
        shapes.say(description(seat) or _("Nothing more is known of it yet."), left, rect.y, limit=room)
        trouble = self.app.rounds.trouble(seat)
        where = f"{place(seat)}. {trouble}" if trouble else place(seat)
        shapes.say(where, left, rect.y - theme.px(23), size=theme.SMALL, colour=theme.INK_SOFT, limit=room)
        shapes.say(stand(seat), right, rect.y + theme.px(23), colour=colour(seat), align="right", bold=True,
                  limit=rect.width * 0.28)  # fmt: skip
        shapes.say(awaited(seat), right, rect.y, align="right", limit=rect.width * 0.28)
        shapes.say(timing_text(seat, time.time()), right, rect.y - theme.px(23), size=theme.SMALL,
                  colour=theme.INK_SOFT, align="right", limit=rect.width * 0.34)  # fmt: skip

    def _choose(self, seat: SavedSeat) -> None:
        """Select with a click; a second click or Enter opens the match."""
        again, self._picked = seat.key == self._picked, seat.key
        self._show_what_can_be_done()
        if again and self._go.enabled:
            self._continue()

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Select with the arrow keys."""
        # Also before the key: Enter opens the marked match, though no click has picked it.
        self._pick()
        used = super().on_key_press(symbol, modifiers)
        self._pick()
        return used

    def _pick(self) -> None:
        self._picked = self.chosen.key if self.chosen is not None else ""
        self._show_what_can_be_done()

    def _continue(self) -> None:
        seat = self.chosen
        if seat is not None:
            self.app.go.server(seat.address, lambda: None, seat)

    def _look_for_server(self) -> None:
        if self._stays != bool(staying_port()):
            self._stays = not self._stays
            self.relayout()

    def _ask_to_stop(self) -> None:
        words = _("Players there cannot go on until you host again. Every match is kept.")
        sure = Answer(_("Stop the server"), self._stop, grave=True)
        self.app.go.ask(Question(_("Stop your server?"), (words,), (sure,), keep=_("Keep it running")))

    def _stop(self) -> None:
        if not end_staying():
            self.app.toast(_("Your server does not stop; its log is beside its matches."), "bad")
        self._look_for_server()

    def _tidy_up(self) -> None:
        count = self.app.seats.tidy()
        self._refresh()
        self.app.toast(
            _("One game is off the list.") if count == 1 else _("{count} games are off the list.", count=count)
        )

    def _ask_to_leave(self) -> None:
        seat = self.chosen
        if seat is None:
            return
        if not seat.live:
            self.app.seats.forget(seat)
            self._refresh()
            return
        sure = Answer(_("Leave for good …"), lambda: self._ask_again(seat), grave=True)
        words = (f"{seat.title or _('A table')}. {place(seat)}.", what_follows(seat))
        self.app.go.ask(Question(_("Leave this game?"), words, (sure,), keep=_("Keep my seat")))

    def _ask_again(self, seat: SavedSeat) -> None:
        sure = Answer(_("Yes, leave for good"), lambda: self.app.go.hand_back(seat), grave=True)
        words = _("The key to your seat is deleted: not even the host can bring you back.")
        self.app.go.ask(Question(_("For good?"), (words,), (sure,), keep=_("No, keep my seat")))


def what_follows(seat: SavedSeat) -> str:
    """Return the consequences of leaving that seat for good."""
    if seat.private:
        return _("This match against bots is deleted from this computer, with all that happened in it.")
    if seat.state == "gathering":
        return _("Your seat becomes free for another player; the match has not begun.")
    return _("The match goes on without you: a bot plays for you to its end. The others are told that you left.")


def colour(seat: SavedSeat) -> Colour:
    """Return the colour for a match's status."""
    if not seat.live:
        return theme.INK_FAINT
    if seat.state == "gathering":
        return theme.OLIVE
    return theme.TERRACOTTA if seat.mine else theme.LAPIS
