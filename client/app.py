"""The window and what stands behind all screens: the link to the server, the models, notices. Drains the link."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal

import arcade
from msgspec import Struct

from client.drawing import theme
from client.drawing.overlay import Banner, Toasts, Tone
from client.network.access import Access
from client.network.link import LinkState
from client.network.model import LobbyModel, MatchModel
from client.plan import Plan
from client.settings import HOSTED, PRIVATE, SavedSeat, Settings
from shared.messages import (
    BotKind,
    Join,
    Left,
    Notice,
    Refused,
    Seated,
    ServerMessage,
    SetBot,
    Start,
    TableState,
    Welcome,
)
from shared.rulesets import registry
from shared.tables import SeatKind, TablePhase

if TYPE_CHECKING:
    from client.screens.base import Screen

RESULT_DELAY: Final = 5.0
"""Seconds that the last move stays in sight before the standings are shown."""

_log = logging.getLogger(__name__)


class App:
    """Shows one screen at a time and holds what they share. Made once; `window` may be a shared one in tests."""

    def __init__(self, window: arcade.Window, settings: Settings) -> None:
        self.window = window
        self.settings = settings
        self.size = (float(window.width), float(window.height))
        self.mouse = (0.0, 0.0)
        self.access = Access()
        self.lobby = LobbyModel()
        self.match: MatchModel | None = None
        self.toasts = Toasts()
        self.banner = Banner()
        self._intent: Callable[[], object] | None = None
        self._after_left: Callable[[], object] | None = None
        self._joining: tuple[str, str] | None = None
        """Id and code of the table at which we last wished to sit down."""
        self._bots: BotKind | Literal[""] = ""
        """Bots to put on all free seats of the table that is being made, to start it at once."""
        self._over_at = 0.0
        self._resized = False
        theme.load_fonts()
        theme.set_window(*self.size)
        from client.screens.menu import MenuScreen

        self.screen: Screen = MenuScreen(self)
        self._enter(self.screen)

    # Screens

    def show(self, screen: Screen) -> None:
        """Replace the screen."""
        self.screen.on_hide()
        self.screen = screen
        self._enter(screen)

    def _enter(self, screen: Screen) -> None:
        screen.relayout()
        screen.on_show()

    def show_menu(self) -> None:
        """Hang up and go to the first screen."""
        from client.screens.menu import MenuScreen

        self.disconnect()
        self.show(MenuScreen(self))

    def show_lobby(self) -> None:
        """Go to the list of tables of the server we are connected to; without a server, to the menu."""
        from client.screens.lobby import LobbyScreen

        self.match = None
        if self.access.session is None:
            self.show_menu()
        else:
            self.show(LobbyScreen(self))

    def show_room(self) -> None:
        """Go to the table's antechamber."""
        from client.screens.room import RoomScreen

        if self.match is not None:
            self.show(RoomScreen(self, self.match))

    def show_table(self) -> None:
        """Go to the board."""
        from client.screens.table import TableScreen

        if self.match is not None:
            self.show(TableScreen(self, self.match))

    def show_result(self) -> None:
        """Go to the standings."""
        from client.screens.result import ResultScreen

        if self.match is not None and not isinstance(self.screen, ResultScreen):
            self.show(ResultScreen(self, self.match))

    def show_help(self) -> None:
        """Open the rules; closing them comes back to the present screen."""
        from client.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.show(HelpScreen(self, self.screen))

    # Server

    def connect(self, place: str, intent: Callable[[], object], seat: SavedSeat | None = None) -> None:
        """Connect to a server and carry out `intent` once it has greeted us; show what happens meanwhile.

        `place` is an address, or PRIVATE or HOSTED: then a server is started first. `seat` is taken up again.
        """
        from client.screens.waiting import WaitingScreen

        self.disconnect()
        try:
            self.access.open(place, self.settings.name, seat)
        except ValueError as error:
            self.toast(str(error), "bad")
            return
        self._intent = intent
        self.show(WaitingScreen(self))

    def disconnect(self) -> None:
        """Hang up, and stop the server if it is ours."""
        self.access.close()
        self.match = self._intent = self._after_left = self._joining = None
        self._bots = ""
        self.lobby = LobbyModel()
        self.banner.clear()

    def send(self, message: Struct | bytes) -> bool:
        """Send to the server; says so and returns False while there is no connection."""
        if self.access.send(message):
            return True
        self.toast("There is no connection to the server at the moment.", "bad")
        return False

    def ref(self) -> int:
        """A fresh number for a request."""
        return self.access.ref()

    def play(self, plan: Plan) -> None:
        """Start a private server, make that table with bots on all other seats, and begin."""

        def create() -> None:
            self._bots = plan.bots
            self.send(plan.request(self.ref()))

        self.connect(PRIVATE, create)

    def host(self, plan: Plan) -> None:
        """Start a server for the network and open that table on it."""
        self.connect(HOSTED, lambda: self.send(plan.request(self.ref())))

    def join(self, match: str, code: str = "") -> None:
        """Sit down at a table, by its id or by its code; look on where the match has begun."""
        self._joining = match, code
        self.send(Join(self.ref(), match, code))

    def watch(self, match: str, code: str = "") -> None:
        """Look on at a table, by its id or by its code."""
        if self.access.session is not None:
            self.send(self.access.session.watch(match, code))

    def leave_table(self) -> None:
        """Get up from the table, and go to the lobby or, from our private server, to the menu.

        A seat in a match that goes on stays ours: a bot plays until we come back.
        """
        if self.access.place == PRIVATE or not self.access.leave():
            self.show_menu()

    def change_seat(self, seat: int) -> None:
        """Before the start: take another seat of this table, or one instead of looking on."""
        if self.match is None or self.match.table is None:
            return
        table = self.match.table
        self._after_left = lambda: self.send(Join(self.ref(), table.match, table.code, seat))
        self.access.leave()

    def toast(self, words: str, tone: Tone = "plain") -> None:
        """Say something in passing. `tone`: plain, good or bad."""
        self.toasts.say(words, tone)

    def quit(self) -> None:
        """Close the window, and with it the program."""
        self.window.close()

    def close(self) -> None:
        """The window goes away: hang up, stop our server, keep the settings."""
        self.disconnect()
        self.settings.save()

    # Events of the window

    def on_update(self, seconds: float) -> None:
        """One step in time: take in what came, then let the screen live."""
        for arrival in self.access.poll():
            self._take(arrival)
            if self.access.session is None:
                break
        if self._resized:
            self._resized = False
            self.screen.relayout()
        self._maybe_result()
        self.toasts.update(seconds)
        self.screen.on_update(seconds)

    def on_draw(self) -> None:
        """Draw the screen, and what is said above it."""
        self.window.clear(color=theme.NIGHT_DEEP)
        self.screen.on_draw()
        self.banner.draw(*self.size)
        self.toasts.draw(*self.screen.notices_at())

    def on_resize(self, width: float, height: float) -> None:
        """The window has another size; the screen is built anew once a frame at most."""
        self.size = width, height
        theme.set_window(width, height)
        self._resized = True

    def _take(self, arrival: ServerMessage | LinkState) -> None:
        if isinstance(arrival, LinkState):
            self._link_changed(arrival)
            return
        self.lobby.heed(arrival)
        if self.match is not None:
            self.match.heed(arrival)
        self._heed(arrival)
        self.screen.on_message(arrival)

    def _link_changed(self, state: LinkState) -> None:
        if state.kind == "up":
            self.banner.clear()
        elif state.kind == "gave-up":
            self._give_up(state.why)
        elif state.kind == "lost":
            self.banner.say(f"{state.why} Trying again …")

    def _give_up(self, why: str) -> None:
        """No server: back to the menu with the reason."""
        self.show_menu()
        self.toast(why, "bad")

    def _heed(self, message: ServerMessage) -> None:
        match message:
            case Welcome():
                self._welcomed()
            case TableState():
                self._table(message)
            case Seated():
                self.settings.seat = SavedSeat(self.access.place, message.match, message.token)
                self.settings.save()
            case Refused():
                self._refused(message)
            case Notice():
                self.toast(message.text)
            case Left():
                self._left(message)
            case _:
                pass

    def _left(self, message: Left) -> None:
        """We are no longer at the table; see `leave_table` and `change_seat`."""
        playing = (
            self.match is not None and self.match.table is not None and self.match.table.phase == TablePhase.PLAYING
        )
        if message.code != "left":
            self.toast(message.text)
        if message.code != "left" or not playing:
            self._forget_seat()
        after, self._after_left = self._after_left, None
        self.match = None
        if after is not None:
            after()
        else:
            self.show_lobby()

    def _welcomed(self) -> None:
        intent, self._intent = self._intent, None
        if intent is not None:
            intent()

    def _table(self, table: TableState) -> None:
        """The table changed; a new one opens the screen that fits it."""
        new = self.match is None or self.match.table is None or self.match.table.match != table.match
        if new:
            assert self.access.session is not None
            try:
                rules = registry.ruleset(table.ruleset)
            except ValueError:
                self._give_up("That table plays a rule set that this version of the game does not know.")
                return
            self.match = MatchModel(rules, table, self.access.session, self.access.send)
            self._over_at = 0.0
            self._joining = None
        seat = self.settings.seat
        if seat is not None and seat.match == table.match and seat.title != table.title:
            seat.title = table.title
            self.settings.save()
        if self._bots and table.phase == TablePhase.GATHERING:
            self._fill(table)
        else:
            self._screen_for(table, new)

    def _fill(self, table: TableState) -> None:
        """Put a bot on the first free seat; once there is none, start."""
        kind, free = self._bots, [seat for seat, info in enumerate(table.seats) if info.kind == SeatKind.FREE]
        if free:
            self.send(SetBot(self.ref(), free[0], kind))
        else:
            self._bots = ""
            self.send(Start(self.ref()))

    def _screen_for(self, table: TableState, new: bool) -> None:
        from client.screens.room import RoomScreen
        from client.screens.waiting import WaitingScreen

        waiting = new or isinstance(self.screen, WaitingScreen)
        if table.phase == TablePhase.GATHERING:
            if waiting:
                self.show_room()
        elif waiting or isinstance(self.screen, RoomScreen):
            self.show_table()

    def _maybe_result(self) -> None:
        """Show the standings once, a while after the last move."""
        model = self.match
        if model is None or model.table is None or not (model.finished or model.table.phase == TablePhase.OVER):
            return
        if self._over_at == 0.0:
            self._over_at = monotonic() + RESULT_DELAY
            self._forget_seat()
        elif 0.0 < self._over_at < monotonic():
            from client.screens.table import TableScreen

            if isinstance(self.screen, TableScreen):
                self._over_at = -1.0
                self.show_result()

    def _refused(self, message: Refused) -> None:
        from client.screens.room import RoomScreen
        from client.screens.waiting import WaitingScreen

        if self._intent is not None:  # Not even greeted: another version, or a name that cannot be.
            self._give_up(message.text)
            return
        if message.code == "started" and self._joining is not None:
            self.toast("The match has begun already: you are looking on.")
            self.watch(*self._joining)
            return
        lost = self.access.resuming and message.code in ("bad-token", "no-match")
        if lost or message.code == "bad-token":
            self._forget_seat()
            self._give_up("That seat is no longer kept for you.")
        elif isinstance(self.screen, WaitingScreen) or (self.match is None and isinstance(self.screen, RoomScreen)):
            self._bots = ""
            self.toast(message.text, "bad")
            self.show_lobby()
        elif self.match is None or message is not self.match.refusal:
            self.toast(message.text, "bad")

    def _forget_seat(self) -> None:
        if self.settings.seat is not None and self.settings.seat.address == self.access.place:
            self.settings.seat = None
            self.settings.save()
