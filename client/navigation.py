"""Navigation between screens: the only module that knows them all. A screen knows only the interface `Navigator`."""

import gc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from weakref import WeakKeyDictionary, WeakSet

from client.language import _, heard
from client.network.model import MatchModel
from client.network.remote_server import RemoteServer
from client.player.lessons import lesson_home
from client.player.seats import HOSTED, PRIVATE, SavedSeat, is_private
from client.player.table_options import TableOptions
from client.replay.film import AnyFilm
from client.replay.film_analysis import Reading
from client.replay.film_match import FilmMatch
from client.replay.record_files import opened
from client.screens.absence_replay import AbsenceScreen
from client.screens.application import Application
from client.screens.ask import AskScreen
from client.screens.base import Screen
from client.screens.charts import ChartsScreen
from client.screens.connect import ConnectingScreen, ConnectScreen
from client.screens.create import CreateScreen
from client.screens.credits import CreditsScreen
from client.screens.curtain import CurtainScreen
from client.screens.finished_matches import FinishedMatchesScreen
from client.screens.games import GamesScreen
from client.screens.hand import HandScreen
from client.screens.help import HelpScreen
from client.screens.hook import HookScreen
from client.screens.invitation import InviteScreen
from client.screens.keys import KeysScreen
from client.screens.large_screen import LargeScreen
from client.screens.lessons import LessonsScreen, ProblemsScreen
from client.screens.lobby import LobbyScreen
from client.screens.menu import MenuScreen
from client.screens.name import NameScreen
from client.screens.navigator import Purpose
from client.screens.notices import NoticesScreen
from client.screens.profile import ProfileScreen
from client.screens.question import Answer, Question
from client.screens.records import OpenScreen, SaveScreen
from client.screens.replay import ReplayScreen
from client.screens.replay_source import since_last_turn
from client.screens.result import ResultScreen
from client.screens.room import RoomScreen
from client.screens.settings import SettingsScreen
from client.screens.table import TableScreen
from client.screens.turning_points import TurningPointsScreen
from protocol.record import Record
from shared.ids import Seat
from shared.messages import SeatInfo


class Navigation:
    """Shows one screen at a time. Its methods are those of `Navigator`, and a few for the message router alone."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self.screen = Screen(app)
        self._form: ConnectScreen | None = None
        """Form from which we set out, until we are at a table or see the list of tables."""
        self._asking_screen: Screen | None = None
        """Question about the people on our server, once it was asked."""
        self.exhibiting = False
        """Whether the table is shown on a large screen: then only the table is shown."""
        self._board_behind = False
        """Whether the user watched with controls before."""
        self._shared: WeakKeyDictionary[MatchModel, Screen] = WeakKeyDictionary()
        """Tables of the people who share this computer, by their matches."""
        self._boards: WeakSet[Screen] = WeakSet()
        """All shown tables that are still alive."""

    @property
    def _remote(self) -> RemoteServer:
        return self._app.remote

    def show(self, screen: Screen) -> None:
        """Replace the screen."""
        self.screen.on_hide()
        self.screen = screen
        screen.relayout()  # First: what `on_show` starts needs the widgets.
        screen.on_show()

    # Before a table

    def menu(self) -> None:
        """Disconnect and go to the first screen."""
        self._form = None
        self.exhibiting = False
        self._app.people.end()
        self._clear_away(MenuScreen(self._app))

    def depart(self, then: Callable[[], object] | None = None) -> None:
        """Disconnect and go to the first screen or call `then`; if others play on our server, ask first."""
        then = then or self.menu
        guests = self._remote.guests
        if not guests:
            then()
        elif self.screen is not self._asking_screen:
            self.ask(self._farewell_question(guests, then))
            self._asking_screen = self.screen

    def _farewell_question(self, guests: Sequence[str], then: Callable[[], object]) -> Question:
        """Return the question what happens to the people at our server."""
        words = (
            _(
                "At your server: {join}. When it stops, their matches wait until you host again; every match is kept.",
                join=", ".join(guests),
            ),
            _(
                "It can keep running on this computer. “My games” leads you back to it, and the command “conquest "
                "stop” ends it."
            ),
        )
        stay = Answer(_("Leave the server running"), partial(self._leave_running, then))
        stop = Answer(_("Stop the server"), then, grave=True)
        return Question(_("Your guests are still here"), words, (stay, stop), keep=_("Stay"))

    def _leave_running(self, then: Callable[[], object]) -> None:
        if self._remote.access.stay():
            print("conquest: your server goes on by itself; conquest stop ends it.", flush=True)
            self._app.toast(_("Your server keeps running. The command “conquest stop” ends it."), "good")
            then()
        else:
            self._app.toast(_("The server did not answer; it would stop when this window closes."), "bad")

    def games(self, *, deleted: SavedSeat | None = None) -> None:
        """Disconnect and go to the list of all held seats; `deleted` as in `GamesScreen`."""
        self._app.people.end()
        self._clear_away(GamesScreen(self._app, deleted))

    def ask(self, question: Question) -> None:
        """Ask a question above the present screen, which returns before the answer's action runs."""
        behind = self.screen
        self.show(AskScreen(self._app, question, close=lambda: self.show(behind)))

    def hook(self) -> None:
        """Go to the webhook settings of the host; closing returns to the present screen."""
        behind, match = self.screen, self._remote.match
        if match is not None:
            self.show(HookScreen(self._app, match, close=lambda: self.show(behind)))

    def invite(self) -> None:
        """Go to the link for friends; closing returns to the present screen."""
        behind, match = self.screen, self._remote.match
        if match is not None:
            self.show(InviteScreen(self._app, match, close=lambda: self.show(behind)))

    def notices(self) -> None:
        """Go to the settings of notices outside of the game; closing returns to the present screen."""
        behind, match = self.screen, self._remote.match
        table = match.table.match if match is not None and match.table is not None else ""
        self.show(NoticesScreen(self._app, table, close=lambda: self.show(behind)))

    def hand(self) -> None:
        """Go to the page that connects another device to the player's hand; closing returns to the present screen."""
        behind, match = self.screen, self._remote.match
        if match is not None:
            self.show(HandScreen(self._app, match, close=lambda: self.show(behind)))

    def profile(self) -> None:
        """Go to the profile, with devices, member and own data; closing returns to the present screen."""
        behind = self.screen
        self.show(ProfileScreen(self._app, close=lambda: self.show(behind)))

    def ask_name(self, close: Callable[[], object]) -> None:
        """Ask for the player's name, then call `close`."""
        self.show(NameScreen(self._app, close=close))

    def rename(self) -> None:
        """Ask for another name at the present table; closing returns to the present screen."""
        behind, match, people = self.screen, self._remote.match, self._app.people
        if match is None or match.table is None:
            return
        before = match.name(match.seat)

        def keep(name: str) -> None:
            if name != before:
                people.rename(name, self._app.settings.keep_name)

        about = _("How shall the others call you at this table, and at later ones?")
        self.show(NameScreen(self._app, close=lambda: self.show(behind), keep=keep, name=before, about=about))

    def credits(self) -> None:
        """Go to the credits."""
        self.show(CreditsScreen(self._app))

    def create(self, purpose: Purpose) -> None:
        """Go to the form for a table."""
        self.show(CreateScreen(self._app, purpose))

    def lessons(self) -> None:
        """Go to the choice of a lesson."""
        self.show(LessonsScreen(self._app))

    def connect(
        self, *, watch: bool, address: str = "", code: str = "", people: Sequence[str] = (), curtain: bool = False
    ) -> None:
        """Go to the form for an address; if an address is given, connect at once. `people`: as in `TableOptions`."""
        form = ConnectScreen(self._app, watch=watch, address=address, code=code, people=people, curtain=curtain)
        self.show(form)
        if address:
            form.confirm()

    def turn_back(self, why: str = "") -> bool:
        """Disconnect and return to the form that led here, which shows `why`; return whether there is one."""
        form, self._form = self._form, None
        if form is not None:
            self._app.people.end()
            self.show(form)
            form.tell(why)
        return form is not None

    def lobby(self) -> None:
        """Go to the table list of the connected server; without a server, to the menu."""
        self._form = None
        self._remote.match = None
        if self._remote.begun:
            self._clear_away(LobbyScreen(self._app))
        else:
            self.menu()

    def _clear_away(self, screen: Screen) -> None:
        """Show a screen after the last table, and collect garbage.

        The parts of a table form reference cycles that hold window-sized pictures. They are freed now instead of at
        some later collection.
        """
        self.show(screen)
        if self._boards:
            gc.collect()

    # At a table

    def room(self) -> None:
        """Go to the table's waiting room."""
        self._form = None
        if self.exhibiting:
            self.table()
        elif self._remote.match is not None:
            self.show(RoomScreen(self._app, self._remote.match))

    def table(self) -> None:
        """Go to the board."""
        self._form = None
        match = self._remote.match
        if match is None:
            return
        board = self._shared.get(match)
        if board is None:
            board = (LargeScreen if self.exhibiting else TableScreen)(self._app, match)
            self._boards.add(board)
        if self._app.people.many:
            self._shared[match] = board
        self.show(board)

    def curtain(self, place: int) -> None:
        """Hide the table until a person who shares this computer says that they are there."""
        people = self._app.people
        if people.hidden and people.at == place and isinstance(self.screen, CurtainScreen):
            return
        people.hide(place)
        self._app.hush()
        self.show(CurtainScreen(self._app, people.name(place), self._open_curtain))

    def _open_curtain(self) -> None:
        """Show the table to the person who is there, and what happened since they were last there."""
        self._app.people.hidden = False
        self.table()
        match, board = self._remote.match, self.screen
        if match is None or not isinstance(board, TableScreen):
            return
        board.top.events.hurry()  # The replay shows it.
        summary = since_last_turn(match)
        if summary is not None and match.table is not None:
            film, scenes = summary
            words = _("Since your last turn: {n} of {all}. Any key skips to the present.")
            self.away(film, match.table.seats, match.seat, scenes, words)

    def change_person(self, place: int) -> None:
        """Let another person who shares this computer take the screen, in a game without secrets."""
        people = self._app.people
        people.sit(place)
        self.table()
        if isinstance(self.screen, TableScreen):
            self.screen.top.events.hurry()  # They have seen it with the others.
        self._app.toast(_("Now {name}.", name=people.name(place)), "good")

    def exhibit(self, address: str = "", code: str = "") -> None:
        """Show a table on a large screen, as `Navigator` describes."""
        match = self._remote.match
        if not address and (match is None or match.seat >= 0):
            return None  # A seat's view must not be shown to all.
        self.exhibiting, self._board_behind = True, not address
        if not address:
            return self.table()
        self.show(ConnectScreen(self._app, watch=True, address=address, code=code))
        return self.server(address, lambda: self._remote.watch("", code) if code else self._remote.list_tables())

    def take_down(self) -> None:
        """Leave the large view, as `Navigator` describes."""
        if self._board_behind:
            self.exhibiting = False
            self.table()
        else:
            self.depart()

    def result(self) -> None:
        """Go to the standings; a screen for all shows them beside the board already."""
        if self._remote.match is not None and not self.exhibiting:
            self.show(ResultScreen(self._app, self._remote.match))

    # From anywhere

    def open(self) -> None:
        """Go to the choice of a recorded match; closing returns to the present screen."""
        behind = self.screen
        self.show(OpenScreen(self._app, close=lambda: self.show(behind)))

    def open_file(self, path: Path) -> None:
        """Show the match in a file; an invalid file is refused with a message."""
        try:
            match = opened(path)
        except ValueError as error:
            self._app.toast(heard(str(error)), "bad")
        else:
            self.replay(match.film, match.seats)

    def turning_points(self, film: AnyFilm, seats: Sequence[SeatInfo]) -> None:
        """Show the turning points of a match; closing returns to the present screen."""
        behind = self.screen
        self.show(TurningPointsScreen(self._app, film, seats, close=lambda: self._clear_away(behind)))

    def replay(self, film: AnyFilm, seats: Sequence[SeatInfo], at: int | None = None) -> None:
        """Replay a match, running from version `at` if that is given; closing returns to the present screen."""
        behind = self.screen
        board = ReplayScreen(self._app, film, seats, close=lambda: self._clear_away(behind), at=at)
        self._boards.add(board)
        self.show(board)

    def away(self, film: AnyFilm, seats: Sequence[SeatInfo], seat: Seat, scenes: list[int], words: str = "") -> None:
        """Replay the scenes that a player missed; then return to the present screen. `words`: as in `AbsenceScreen`."""
        behind = self.screen
        board = AbsenceScreen(self._app, film, seats, seat=seat, scenes=scenes, words=words,
                           close=lambda: self._clear_away(behind))  # fmt: skip
        self._boards.add(board)
        self.show(board)

    def past(self) -> None:
        """Go to the list of finished matches; closing returns to the present screen."""
        behind = self.screen
        self.show(FinishedMatchesScreen(self._app, close=lambda: self.show(behind)))

    def save(self, record: Record, data: bytes) -> None:
        """Go to the choice of a file for a record; closing returns to the present screen."""
        behind = self.screen
        self.show(SaveScreen(self._app, record, data, close=lambda: self.show(behind)))

    def charts(self, reading: Reading, screening: FilmMatch, *, see: Callable[[int], object]) -> None:
        """Show the statistics of a match; closing, or choosing a moment to `see`, returns to the present screen."""
        behind = self.screen

        def choose(n: int) -> None:
            self.show(behind)
            see(n)

        self.show(ChartsScreen(self._app, reading, screening, see=choose, close=lambda: self.show(behind)))

    def help(self, rule: str = "") -> None:
        """Open the rules, at the page of `rule` if given; closing returns to the present screen."""
        behind = self.screen
        self.show(HelpScreen.of(self._app, self._remote.match, close=lambda: self.show(behind), rule=rule))

    def settings(self) -> None:
        """Open the settings; closing returns to the present screen."""
        behind = self.screen
        self.show(SettingsScreen(self._app, close=lambda: self.show(behind)))

    def keys(self) -> None:
        """Open the list of keys, to change them; closing returns to the present screen."""
        behind = self.screen
        self.show(KeysScreen(self._app, close=lambda: self.show(behind)))

    # To a server, and back

    def server(self, address: str, wish: Callable[[], object], seat: SavedSeat | None = None, *,
               people: Sequence[str] = (), curtain: bool = False) -> None:  # fmt: skip
        """Connect to a server as `RemoteServer.begin` does, and show the progress; `people`: as in `TableOptions`."""
        form = self.screen if isinstance(self.screen, ConnectScreen) else None
        self._app.people.end()
        if seat is not None:
            seat = self._app.people.return_to(seat)
        elif people:
            self._app.people.share(people, curtain=curtain)
        self._connect(form, address, wish, seat)

    def _connect(
        self, form: ConnectScreen | None, address: str, wish: Callable[[], object], seat: SavedSeat | None
    ) -> None:
        self._remote.access.unattended = self.exhibiting
        usual = self._app.people.leader or self._app.settings.name
        name = _("Large screen") if self.exhibiting else usual
        if self._remote.begin(address, name, wish, seat):
            self._form = form
            self.wait()

    def wait(self) -> None:
        """Show that a connection is in progress."""
        self._clear_away(ConnectingScreen(self._app))

    def hand_back(self, seat: SavedSeat) -> None:
        """Leave a seat for good, on whichever server; then go back to the list."""
        if seat.private:
            for each in self._app.seats.shared(seat) or [seat]:
                self._app.seats.forget(each)
            self.games(deleted=seat)
            return
        self._app.people.end()
        self._connect(None, seat.address, lambda: None, seat)
        self._remote.handing_back = True  # After connecting, which resets it.

    def play(self, plan: TableOptions) -> None:
        """Start a private server, create that table with bots on all other seats, and begin."""
        self.server(PRIVATE, lambda: self._remote.create(plan, bots=plan.bots), people=plan.people,
                    curtain=plan.curtain)  # fmt: skip

    def learn(self, key: str) -> None:
        """Open a lesson where it was left, or from its beginning."""
        left = self._unfinished_lesson(key)
        if left is None:
            return self.server(lesson_home(key), lambda: None)
        again = Answer(_("Start over"), partial(self._learn_anew, key))
        go_on = Answer(_("Continue it"), partial(self.server, left.address, lambda: None, left))
        words = (_("You left this lesson before its end. Its match is still as you left it."),)
        return self.ask(Question(_("Your lesson"), words, (go_on, again)))

    def problems(self) -> None:
        """Go to the list of problems."""
        self.show(ProblemsScreen(self._app))

    def solve(self, key: str) -> None:
        """Begin a problem from its first position."""
        self._learn_anew(key)

    def _unfinished_lesson(self, key: str) -> SavedSeat | None:
        """Return the seat in that unfinished lesson, None if there is none."""
        home = lesson_home(key)
        return next((seat for seat in self._app.seats.all() if seat.address == home and seat.live), None)

    def _learn_anew(self, key: str) -> None:
        while (left := self._unfinished_lesson(key)) is not None:
            self._app.seats.forget(left)
        self.server(lesson_home(key), lambda: None)

    def host(self, plan: TableOptions, port: int = 0) -> None:
        """Open that table on the server that it names, else on our own. `port`: where ours listens; 0: the last."""
        access = self._app.people.first.access
        access.port, access.opens_router = port or access.port, plan.public
        self.server(plan.at or HOSTED, lambda: self._remote.create(plan), people=plan.people, curtain=plan.curtain)

    def leave(self) -> None:
        """Leave the table for the lobby or, from our private server, for the menu.

        A seat in a running match stays ours: a bot plays until we come back.
        """
        if is_private(self._remote.access.address):
            self.menu()
        elif not self._app.people.leave():
            self.depart()
