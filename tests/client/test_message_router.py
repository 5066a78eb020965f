"""Message router: the screen to which each message of the server leads, over a connection without a socket."""

from collections.abc import Callable, Iterator

import pytest
from arcade import key
from msgspec import Struct
from msgspec.structs import replace

from client import message_router
from client.app import App
from client.network import server_access
from client.network.server_connection import Arrival, ConnectionState
from client.player.seats import SavedSeat
from client.player.table_options import TableOptions
from client.screens.ask import AskScreen
from client.screens.base import Screen
from client.screens.connect import ConnectingScreen
from client.screens.create import CreateScreen
from client.screens.help import HelpScreen
from client.screens.lobby import LobbyScreen
from client.screens.menu import MenuScreen
from client.screens.result import ResultScreen
from client.screens.room import RoomScreen
from client.screens.table import TableScreen
from protocol import codec
from protocol.session import ClientSession
from shared import messages as m
from shared.kernel import engine
from shared.rulesets.registry import ruleset
from shared.tables import SeatKind, TablePhase
from tests.client.conftest import Shoot
from tests.client.screen_steps import press, screen_of, table_of

ADDRESS = "play.example.org"
FREE = m.SeatInfo(SeatKind.FREE)
BOT = m.SeatInfo(SeatKind.BOT, "", "greedy")
ME = m.SeatInfo(SeatKind.PERSON, "Livia")
ROOM = m.TableState("m1", "Ides", "classic", {}, True, "VENI42", TablePhase.GATHERING, 0, True, 0, 0, (ME, FREE), 0)
BOARD = replace(ROOM, phase=TablePhase.PLAYING, seats=(ME, BOT))
GREETING = (ConnectionState("up"), m.Welcome(1, "Livia", "house", ()))
SEATED = m.Seated(1, "m1", 0, bytes(32))
NO = "Not this time."
OVER = replace(BOARD, phase=TablePhase.OVER)


class Wire:
    """A link whose other end is the test."""

    def __init__(self, url: str, session: ClientSession, patience: tuple[float, float] = (12.0, 1800.0)) -> None:
        self.url = url
        self.sent: list[Struct] = []
        self.arriving: list[Arrival] = []

    def send(self, message: Struct | bytes) -> bool:
        self.sent.append(codec.decode_client(message) if isinstance(message, bytes) else message)
        return True

    def poll(self) -> Iterator[Arrival]:
        while self.arriving:
            yield self.arriving.pop(0)

    def close(self) -> None:
        """Nothing to hang up."""


@pytest.fixture(autouse=True)
def wired(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_access, "ServerConnection", Wire)


def wire(app: App) -> Wire:
    link = app.remote.access.link
    assert isinstance(link, Wire)
    return link


def told(app: App, *arrivals: Arrival) -> None:
    """The server says that, and the program lives for a moment."""
    wire(app).arriving.extend(arrivals)
    app.on_update(0.0)


def visited(app: App, *arrivals: Arrival, wish: Callable[[], object] = lambda: None) -> None:
    """At a server that has greeted us, and has said that since."""
    app.go.server(ADDRESS, wish)
    told(app, *GREETING, *arrivals)


def start_match(app: App) -> None:
    """The position comes as well."""
    assert app.remote.match is not None
    rules = ruleset("classic")
    state = engine.start(rules, 2, engine.checked_options(rules, 2, {}), engine.ignore_event)
    app.remote.match.view = rules.view(state, 0)


def test_a_table_that_gathers_opens_the_room_and_its_match_the_board(app: App) -> None:
    visited(app)
    screen_of(app, ConnectingScreen)
    told(app, ROOM)
    room = screen_of(app, RoomScreen)
    told(app, replace(ROOM, seats=(ME, BOT)))
    assert app.screen is room, "what changes in the room does not open another"
    told(app, BOARD)
    assert isinstance(app.screen, TableScreen)


def test_a_table_that_comes_while_a_form_is_filled_in_opens_its_room(app: App) -> None:
    visited(app, wish=app.go.lobby)
    app.go.create("lobby")
    assert isinstance(app.screen, CreateScreen)
    told(app, ROOM)
    assert isinstance(app.screen, RoomScreen)


def test_the_board_opens_behind_the_rules(app: App) -> None:
    visited(app, ROOM)
    app.go.help()
    told(app, BOARD)
    assert isinstance(app.screen, HelpScreen)
    assert app.screen.on_key_press(key.F1, 0), "the key that opens the rules finds them open"
    app.screen.back()
    assert isinstance(app.screen, TableScreen)


def test_a_table_for_one_is_filled_with_bots_and_begun_while_one_waits(app: App) -> None:
    plan = TableOptions(seats=3, bots=("easy", "normal"))
    visited(app, replace(ROOM, seats=(ME, FREE, FREE)), wish=lambda: app.remote.create(plan, bots=plan.bots))
    told(app, replace(ROOM, seats=(ME, BOT, FREE)), replace(ROOM, seats=(ME, BOT, BOT)))
    asked = [(each.seat, each.kind) for each in wire(app).sent if isinstance(each, m.SetBot)]
    assert asked == [(1, "easy"), (2, "normal")]
    assert isinstance(wire(app).sent[-1], m.Start)
    assert isinstance(app.screen, ConnectingScreen)
    told(app, BOARD)
    assert isinstance(app.screen, TableScreen)


def test_the_state_of_another_table_does_not_change_ours(app: App) -> None:
    visited(app, ROOM)
    ours = app.remote.match
    told(app, replace(ROOM, match="m2", title="Nones"))
    assert ours is not None and ours.table == ROOM
    assert app.remote.match is not ours and table_of(app).title == "Nones"


def test_a_game_that_this_program_does_not_know_ends_in_the_menu(app: App) -> None:
    visited(app, replace(ROOM, ruleset="chess"))
    assert isinstance(app.screen, MenuScreen)
    assert "does not know" in app.toasts.words[0]
    assert not app.remote.begun


def test_the_seat_that_one_holds_is_kept_with_the_name_of_its_table(app: App) -> None:
    visited(app, m.Seated(1, "m1", 0, bytes(32)), ROOM)
    (seat,) = app.seats.all()
    assert (seat.address, seat.match, seat.token, seat.title) == (ADDRESS, "m1", bytes(32), "Ides")


def kept_seat(app: App) -> SavedSeat:
    app.seats.keep(SavedSeat(ADDRESS, "m1", bytes(32), "Ides"))
    return app.seats.all()[0]


@pytest.mark.parametrize("code", ["bad-token", "no-match"])
def test_a_seat_that_is_not_kept_any_more_is_said_so_in_the_list(app: App, code: str) -> None:
    app.go.server(ADDRESS, lambda: None, kept_seat(app))
    told(app, m.Welcome(1, "Livia", "house", ()), m.Refused(1, code, "", "No."))
    assert isinstance(app.screen, MenuScreen)
    assert [seat.state for seat in app.seats.all()] == ["gone"]
    assert app.toasts.words == ["That seat is no longer kept for you."]


@pytest.mark.parametrize(("arrivals", "screen", "words", "seats"), [
    pytest.param([m.Refused(0, "name", "", NO)], MenuScreen, [NO], 0, id="refused before the greeting"),
    pytest.param([*GREETING, m.Refused(1, "full", "", NO)], LobbyScreen, [NO], 0, id="refused while waiting"),
    pytest.param([*GREETING, ROOM, m.Refused(1, "not-host", "", NO)], RoomScreen, [NO], 0, id="refused at a table"),
    pytest.param([*GREETING, ROOM, m.Notice("stopping", NO)], RoomScreen, [NO], 0, id="a word of the server"),
    pytest.param([*GREETING, SEATED, ROOM, m.Left(0, "kicked", NO)], LobbyScreen, [NO], 0, id="sent away"),
    pytest.param([*GREETING, SEATED, ROOM, m.Left(1, "left", NO)], LobbyScreen, [], 0, id="left the room"),
    pytest.param([*GREETING, SEATED, BOARD, m.Left(1, "left", NO)], LobbyScreen, [], 1, id="left a running match"),
])  # fmt: skip
def test_an_answer_leads_to_its_screen(
    app: App, arrivals: list[Arrival], screen: type[Screen], words: list[str], seats: int
) -> None:
    """Only the seat of a running match is kept after leaving."""
    app.go.server(ADDRESS, lambda: None)
    told(app, *arrivals)
    assert isinstance(app.screen, screen) and app.toasts.words == words
    assert len(app.seats.all()) == seats


def test_late_invitees_watch_instead(app: App) -> None:
    visited(app, wish=lambda: app.remote.join("m1", "VENI42"))
    assert isinstance(wire(app).sent[-1], m.Join)
    told(app, m.Refused(1, "started", "", "The match has begun."))
    watch = wire(app).sent[-1]
    assert isinstance(watch, m.Watch) and (watch.match, watch.code) == ("m1", "VENI42")


def test_a_lost_link_is_said_until_it_is_found_again(app: App) -> None:
    visited(app, BOARD, ConnectionState("lost", "The connection to the server was lost."))
    assert app.remote.trouble == "The connection to the server was lost. Trying again …"
    assert isinstance(app.screen, TableScreen)
    told(app, ConnectionState("connecting"))
    assert app.remote.trouble
    told(app, ConnectionState("up"))
    assert not app.remote.trouble


def test_a_link_that_gave_up_ends_in_the_menu_and_nothing_after_it_is_heard(app: App) -> None:
    visited(app, ROOM)
    told(app, ConnectionState("gave-up", "The server is gone."), BOARD)
    assert isinstance(app.screen, MenuScreen)
    assert app.toasts.words == ["The server is gone."]
    assert app.remote.match is None


def test_another_seat_is_asked_for_once_the_first_is_left(app: App) -> None:
    visited(app, ROOM)
    app.remote.change_seat(1)
    assert not [each for each in wire(app).sent if isinstance(each, m.Join)]
    told(app, m.Left(1, "left", ""))
    join = wire(app).sent[-1]
    assert isinstance(join, m.Join) and (join.match, join.code, join.seat) == ("m1", "VENI42", 1)
    assert isinstance(app.screen, RoomScreen), "it stays in sight until the answer comes"
    told(app, m.Refused(join.ref, "taken", "", "That seat is taken."))
    assert isinstance(app.screen, LobbyScreen)


def test_the_standings_are_shown_once_and_not_over_the_rules(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_router, "RESULT_DELAY", -1.0)
    visited(app, m.Seated(1, "m1", 0, bytes(32)), BOARD)
    start_match(app)
    app.go.help()
    told(app, OVER)
    assert [seat.state for seat in app.seats.all()] == ["over"], "there is nothing to go on with"
    app.on_update(0.0)
    assert isinstance(app.screen, HelpScreen)
    app.screen.back()
    app.on_update(0.0)
    assert isinstance(app.screen, ResultScreen)
    app.screen.back()
    app.on_update(0.0)
    assert isinstance(app.screen, TableScreen)


def test_a_name_is_tried_with_tls_first_and_without_it_only_after_a_question(app: App, shoot: Shoot) -> None:
    app.go.server(ADDRESS, app.go.lobby)
    assert wire(app).url == "wss://play.example.org"
    told(app, ConnectionState("gave-up", "No server is listening at that address."))
    app.on_update(0.0)
    assert app.remote.access.link is None, "nothing is sent before the answer"
    asked = screen_of(app, AskScreen)
    assert "tried first: no server is listening at that address." in asked.question.words[0]
    shoot(app, "ask_bare")
    press(app, "Connect all the same")
    assert wire(app).url == "ws://play.example.org:8600"
    assert isinstance(app.screen, ConnectingScreen)
    told(app, *GREETING)
    assert isinstance(app.screen, LobbyScreen)


def test_a_number_outside_the_local_network_is_asked_about_at_once_and_may_be_left(app: App) -> None:
    app.go.server("8.8.8.8", app.go.lobby)
    app.on_update(0.0)
    assert app.remote.access.link is None
    app.screen.on_key_press(key.ESCAPE, 0)
    assert isinstance(app.screen, MenuScreen)
    assert not app.remote.begun


@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.1.20:9000", "atrium.local", "wss://play.example.org"])
def test_local_or_encrypted_connections_need_no_confirmation(app: App, address: str) -> None:
    app.go.server(address, app.go.lobby)
    told(app, *GREETING)
    assert isinstance(app.screen, LobbyScreen)


def test_a_connection_that_was_encrypted_once_is_not_made_again_without(app: App) -> None:
    visited(app, m.Seated(1, "m1", 0, bytes(32)), BOARD)
    told(app, ConnectionState("gave-up", "The server is gone."))
    assert isinstance(app.screen, MenuScreen)
    (seat,) = app.seats.all()
    assert seat.secure
    app.go.server(seat.address, lambda: None, seat)
    assert wire(app).url == "wss://play.example.org"
    told(app, ConnectionState("gave-up", "No server is listening at that address."))
    assert isinstance(app.screen, MenuScreen)
    assert app.toasts.words[-1] == "No server is listening at that address."


def test_a_seat_that_was_taken_in_the_clear_is_asked_about_again(app: App) -> None:
    app.go.server("ws://play.example.org", lambda: None, kept_seat(app))
    app.on_update(0.0)
    assert isinstance(app.screen, AskScreen)
