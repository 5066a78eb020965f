"""Closing a host's window: the host is asked first, and may leave the server running for the guests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.app import App
from client.command_line import main
from client.network.server_connection import ConnectionState
from client.network.server_process import end_staying, staying_port
from client.player.seats import HOSTED
from client.player.table_options import TableOptions
from client.screens.ask import AskScreen
from client.screens.games import GamesScreen
from client.screens.lobby import LobbyScreen
from client.screens.menu import MenuScreen
from client.screens.room import RoomScreen
from shared.tables import SeatKind
from tests.client.conftest import Shoot, at_the_board, until
from tests.client.screen_steps import arrive, join_room, press, screen_of, seat_kind, start_match, table_of
from tests.client.test_games_screen import searched


@pytest.fixture
def closed(app: App, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """The window is not closed in earnest: the other tests need it."""
    found: list[bool] = []
    monkeypatch.setattr(app.window, "close", lambda: found.append(True))
    return found


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    yield
    assert end_staying()


def host(app: App, seats: int = 2) -> None:
    """Open a table for friends."""
    app.remote.access.port = 0
    app.go.host(TableOptions(seats=seats))
    arrive(app, RoomScreen)


def guest_joins(app: App, other: App) -> None:
    """A guest sits down in the room."""
    join_room(other, f"127.0.0.1:{app.remote.access.port}", table_of(app).code)
    seat_kind(app, 1, SeatKind.PERSON)


@pytest.fixture
def hosted(app: App, other: App) -> App:
    """Return a host's program at the board of a match with a guest, the other program."""
    host(app)
    guest_joins(app, other)
    start_match(app)
    until(other, lambda: at_the_board(other))
    return app


def test_a_host_without_guests_closes_the_window_at_once(app: App, closed: list[bool]) -> None:
    host(app)
    app.quit()
    assert closed == [True]
    assert not app.remote.begun


def test_a_host_with_guests_is_asked_and_may_stay_or_stop(
    hosted: App, other: App, closed: list[bool], shoot: Shoot
) -> None:
    board = hosted.screen
    hosted.quit()
    asked = screen_of(hosted, AskScreen)
    assert "At your server: Marcus." in asked.question.words[0]
    shoot(hosted, "ask_host")
    hosted.quit()
    assert hosted.screen is asked, "it is asked once"
    press(hosted, "Stay")
    assert hosted.screen is board
    hosted.quit()
    assert closed == []
    press(hosted, "Stop the server")
    assert closed == [True]
    until(other, lambda: other.remote.trouble)
    assert staying_port() == 0


def test_guests_are_thought_of_above_any_other_question(app: App, other: App, closed: list[bool]) -> None:
    host(app, seats=3)
    guest_joins(app, other)
    press(app, "Leave")
    leaving = app.screen
    app.quit()
    assert app.screen is not leaving
    press(app, "Stay")
    assert app.screen is leaving
    app.quit()
    press(app, "Stop the server")
    assert closed == [True]


@pytest.mark.long
def test_a_server_that_is_left_running_keeps_its_guests_and_its_host_comes_back(
    hosted: App, other: App, closed: list[bool], capsys: pytest.CaptureFixture[str], shoot: Shoot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    match, port = table_of(hosted).match, hosted.remote.access.port
    lost: list[str] = []
    hear_link = other.remote._hear_link

    def note(state: ConnectionState) -> None:
        lost.append(state.kind)
        hear_link(state)

    monkeypatch.setattr(other.remote, "_hear_link", note)
    hosted.quit()
    press(hosted, "Leave the server running")
    assert closed == [True]
    assert "conquest stop ends it" in capsys.readouterr().out
    assert staying_port() == port
    until(other, lambda: table_of(other).seats[0].kind in (SeatKind.AWAY, SeatKind.STAND_IN))
    hosted.go.games()
    searched(hosted)
    shoot(hosted, "games_server")
    (seat,) = hosted.seats.all()
    assert (seat.address, seat.port) == (HOSTED, port)
    press(hosted, "Continue")
    until(hosted, lambda: at_the_board(hosted))
    assert table_of(hosted).match == match
    assert hosted.remote.guests == (), "nobody is sent home by our going now"
    seat_kind(other, 0, SeatKind.PERSON)
    assert lost == [], "the guest noticed nothing"
    hosted.go.menu()
    assert main(["stop"]) == 0
    assert "has stopped" in capsys.readouterr().out
    until(other, lambda: other.remote.trouble)
    assert main(["stop"]) == 0
    assert "You have no server running" in capsys.readouterr().out


@pytest.mark.long
def test_a_new_table_is_opened_on_the_server_that_was_left_running(hosted: App, closed: list[bool]) -> None:
    first, port = table_of(hosted).match, hosted.remote.access.port
    hosted.quit()
    press(hosted, "Leave the server running")
    hosted.go.menu()
    hosted.go.host(TableOptions(seats=3))
    arrive(hosted, RoomScreen)
    assert table_of(hosted).match != first
    assert hosted.remote.access.port == port, "this is told to friends"
    assert {seat.match for seat in hosted.seats.all()} == {first, table_of(hosted).match}


def test_a_server_that_was_left_running_is_stopped_from_the_list(hosted: App, closed: list[bool]) -> None:
    hosted.quit()
    press(hosted, "Leave the server running")
    hosted.go.games()
    press(hosted, "Stop the server")
    assert isinstance(hosted.screen, AskScreen)
    press(hosted, "Stop the server")
    assert not screen_of(hosted, GamesScreen)._stays
    assert staying_port() == 0
    searched(hosted)


@pytest.mark.long
def test_the_way_from_the_lobby_to_the_menu_is_asked_too(hosted: App) -> None:
    hosted.go.leave()
    arrive(hosted, LobbyScreen)
    press(hosted, "Menu")
    assert isinstance(hosted.screen, AskScreen)
    press(hosted, "Stay")
    assert isinstance(hosted.screen, LobbyScreen)
    press(hosted, "Menu")
    press(hosted, "Stop the server")
    assert isinstance(hosted.screen, MenuScreen)
    assert not hosted.remote.begun


def test_spectators_count_as_guests(app: App, other: App) -> None:
    host(app)
    other.go.server(f"127.0.0.1:{app.remote.access.port}", lambda: other.remote.watch("", table_of(app).code))
    arrive(other, RoomScreen)
    until(app, lambda: app.remote.guests == ("1 watching",))


def test_getting_up_where_the_server_cannot_be_told_is_asked_too(hosted: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosted.remote.access, "leave", lambda: False)
    hosted.go.leave()
    assert "Marcus" in screen_of(hosted, AskScreen).question.words[0]
    press(hosted, "Stay")
    assert at_the_board(hosted) and hosted.remote.access.hosting


@pytest.mark.long
def test_a_server_that_does_not_answer_is_not_left(hosted: App, closed: list[bool]) -> None:
    hosted.quit()
    hosted.remote.access.stay = lambda: False  # type: ignore[method-assign]
    press(hosted, "Leave the server running")
    assert closed == []
    assert hosted.toasts.words == ["The server did not answer; it would stop when this window closes."]
    assert hosted.remote.begun


def test_leftovers_of_a_killed_server_are_no_server(home: Path) -> None:
    (home / "hosted").mkdir(parents=True)
    for words in ('{"address": "ws://0.0.0.0:9", "pid": 1}', "{", '{"address": "x"}'):
        (home / "hosted" / "running.json").write_text(words)
        assert staying_port() == 0
