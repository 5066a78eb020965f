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
from tests.client.test_games_screen import searched
from tests.client.test_program import press, table_of


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


def host(app: App) -> None:
    """Open a table of two for friends."""
    app.remote.access.port = 0
    app.go.host(TableOptions(seats=2))
    until(app, lambda: isinstance(app.screen, RoomScreen))


def joined(app: App, other: App) -> None:
    """A guest sits down, and the match begins."""
    code = table_of(app).code
    other.go.server(f"127.0.0.1:{app.remote.access.port}", lambda: other.remote.join("", code))
    until(other, lambda: isinstance(other.screen, RoomScreen))
    until(app, lambda: table_of(app).seats[1].kind == SeatKind.PERSON)
    press(app, "Start the match")
    until(app, lambda: at_the_board(app))
    until(other, lambda: at_the_board(other))


def test_a_host_without_guests_closes_the_window_at_once(app: App, closed: list[bool]) -> None:
    host(app)
    app.quit()
    assert closed == [True]
    assert not app.remote.begun


def test_a_host_with_guests_is_asked_and_may_stay_or_stop(
    app: App, other: App, closed: list[bool], shoot: Shoot
) -> None:
    host(app)
    joined(app, other)
    board = app.screen
    app.quit()
    assert isinstance(app.screen, AskScreen)
    assert "At your server: Marcus." in app.screen.question.words[0]
    shoot(app, "ask_host")
    asked = app.screen
    app.quit()
    assert app.screen is asked, "it is asked once"
    press(app, "Stay")
    assert app.screen is board
    app.quit()
    assert closed == []
    press(app, "Stop the server")
    assert closed == [True]
    until(other, lambda: other.remote.trouble)
    assert staying_port() == 0


def test_guests_are_thought_of_above_any_other_question(app: App, other: App, closed: list[bool]) -> None:
    app.remote.access.port = 0
    app.go.host(TableOptions(seats=3))
    until(app, lambda: isinstance(app.screen, RoomScreen))
    other.go.server(f"127.0.0.1:{app.remote.access.port}", lambda: other.remote.join("", table_of(app).code))
    until(other, lambda: isinstance(other.screen, RoomScreen))
    until(app, lambda: table_of(app).seats[1].kind == SeatKind.PERSON)
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
    app: App,
    other: App,
    closed: list[bool],
    capsys: pytest.CaptureFixture[str],
    shoot: Shoot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host(app)
    joined(app, other)
    match, port = table_of(app).match, app.remote.access.port
    lost: list[str] = []
    hear_link = other.remote._hear_link

    def note(state: ConnectionState) -> None:
        lost.append(state.kind)
        hear_link(state)

    monkeypatch.setattr(other.remote, "_hear_link", note)
    app.quit()
    press(app, "Leave the server running")
    assert closed == [True]
    assert "conquest stop ends it" in capsys.readouterr().out
    assert staying_port() == port
    until(other, lambda: table_of(other).seats[0].kind in (SeatKind.AWAY, SeatKind.STAND_IN))
    app.go.games()
    searched(app)
    shoot(app, "games_server")
    (seat,) = app.seats.all()
    assert (seat.address, seat.port) == (HOSTED, port)
    press(app, "Continue")
    until(app, lambda: at_the_board(app))
    assert table_of(app).match == match
    assert app.remote.guests == (), "nobody is sent home by our going now"
    until(other, lambda: table_of(other).seats[0].kind == SeatKind.PERSON)
    assert lost == [], "the guest noticed nothing"
    app.go.menu()
    assert main(["stop"]) == 0
    assert "has stopped" in capsys.readouterr().out
    until(other, lambda: other.remote.trouble)
    assert main(["stop"]) == 0
    assert "You have no server running" in capsys.readouterr().out


@pytest.mark.long
def test_a_new_table_is_opened_on_the_server_that_was_left_running(app: App, other: App, closed: list[bool]) -> None:
    host(app)
    joined(app, other)
    first, port = table_of(app).match, app.remote.access.port
    app.quit()
    press(app, "Leave the server running")
    app.go.menu()
    app.go.host(TableOptions(seats=3))
    until(app, lambda: isinstance(app.screen, RoomScreen))
    assert table_of(app).match != first
    assert app.remote.access.port == port, "this is told to friends"
    assert {seat.match for seat in app.seats.all()} == {first, table_of(app).match}


def test_a_server_that_was_left_running_is_stopped_from_the_list(app: App, other: App, closed: list[bool]) -> None:
    host(app)
    joined(app, other)
    app.quit()
    press(app, "Leave the server running")
    app.go.games()
    press(app, "Stop the server")
    assert isinstance(app.screen, AskScreen)
    press(app, "Stop the server")
    assert isinstance(app.screen, GamesScreen)
    assert staying_port() == 0
    assert not app.screen._stays
    searched(app)


@pytest.mark.long
def test_the_way_from_the_lobby_to_the_menu_is_asked_too(app: App, other: App) -> None:
    host(app)
    joined(app, other)
    app.go.leave()
    until(app, lambda: isinstance(app.screen, LobbyScreen))
    press(app, "Menu")
    assert isinstance(app.screen, AskScreen)
    press(app, "Stay")
    assert isinstance(app.screen, LobbyScreen)
    press(app, "Menu")
    press(app, "Stop the server")
    assert isinstance(app.screen, MenuScreen)
    assert not app.remote.begun


def test_spectators_count_as_guests(app: App, other: App) -> None:
    host(app)
    other.go.server(f"127.0.0.1:{app.remote.access.port}", lambda: other.remote.watch("", table_of(app).code))
    until(other, lambda: isinstance(other.screen, RoomScreen))
    until(app, lambda: app.remote.guests == ("1 watching",))


def test_getting_up_where_the_server_cannot_be_told_is_asked_too(
    app: App, other: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    host(app)
    joined(app, other)
    monkeypatch.setattr(app.remote.access, "leave", lambda: False)
    app.go.leave()
    assert isinstance(app.screen, AskScreen) and "Marcus" in app.screen.question.words[0]
    press(app, "Stay")
    assert at_the_board(app) and app.remote.access.hosting


@pytest.mark.long
def test_a_server_that_does_not_answer_is_not_left(app: App, other: App, closed: list[bool]) -> None:
    host(app)
    joined(app, other)
    app.quit()
    app.remote.access.stay = lambda: False  # type: ignore[method-assign]
    press(app, "Leave the server running")
    assert closed == []
    assert app.toasts.words == ["The server did not answer; it would stop when this window closes."]
    assert app.remote.begun


def test_leftovers_of_a_killed_server_are_no_server(home: Path) -> None:
    (home / "hosted").mkdir(parents=True)
    for words in ('{"address": "ws://0.0.0.0:9", "pid": 1}', "{", '{"address": "x"}'):
        (home / "hosted" / "running.json").write_text(words)
        assert staying_port() == 0
