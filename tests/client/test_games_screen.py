"""The list of one's games: every seat can be gone back to, whatever was begun after it; leaving one is asked twice."""

import time
from pathlib import Path

import arcade
import pytest
from arcade import key
from msgspec.structs import replace

from client.app import App
from client.drawing import theme
from client.drawing.widgets import Button
from client.network.orphaned_matches import OrphanSearch
from client.player.seats import HOSTED, PRIVATE, SavedSeat
from client.player.table_options import TableOptions
from client.screens.ask import AskScreen
from client.screens.connect import ConnectingScreen
from client.screens.games import GamesScreen
from client.screens.menu import MenuScreen
from client.screens.room import RoomScreen
from server.command_line import main
from shared.tables import SeatKind
from tests.client.conftest import Server, Shoot, at_the_board, has_begun, until
from tests.client.test_program import open_table, press, table_of

NOW = time.time()
FRIENDS = SavedSeat("127.0.0.1:9", "m1", bytes(32), "Ides", 2, "classic", ("Marcus",), NOW - 90, turn="Marcus")


def games_of(app: App) -> GamesScreen:
    assert isinstance(app.screen, GamesScreen), app.screen
    return app.screen


def row(app: App, index: int) -> None:
    """Click a row of the list."""
    listed = games_of(app)._list
    x, y = listed.rect.x, listed.rect.top - (index + 0.5) * theme.px(92)
    app.screen.on_mouse_motion(x, y, 0, 0)
    app.screen.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    app.screen.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)


def searched(app: App) -> None:
    """The databases of this computer were looked through."""
    until(app, lambda: games_of(app)._search is None)


def play(app: App) -> str:
    """Begin a match against bots; its id."""
    app.go.play(TableOptions(seats=2))
    until(app, lambda: at_the_board(app))
    return table_of(app).match


@pytest.mark.long
def test_a_game_against_bots_leaves_the_way_back_to_a_friends_match_and_to_another_one(app: App) -> None:
    app.seats.keep(FRIENDS)
    first, second = play(app), play(app)
    app.go.menu()
    assert {seat.match for seat in app.seats.all()} == {"m1", first, second}
    press(app, "My games")
    searched(app)
    at = [seat.match for seat in games_of(app)._list.items].index(first)
    row(app, at)
    press(app, "Continue")
    until(app, lambda: at_the_board(app))
    assert table_of(app).match == first


def together(app: App, other: App, server: Server) -> None:
    """A friend sits down at our table, and the match begins."""
    open_table(app, server)
    code = table_of(app).code
    other.go.server(server.address, lambda: other.remote.join("", code))
    until(other, lambda: isinstance(other.screen, RoomScreen))
    until(app, lambda: table_of(app).seats[1].kind == SeatKind.PERSON)
    press(app, "Start the match")
    until(other, lambda: at_the_board(other))


@pytest.mark.long
def test_a_seat_at_a_friends_server_survives_a_game_against_bots(app: App, other: App, server: Server) -> None:
    together(app, other, server)
    until(other, lambda: has_begun(other))
    play(other)
    other.go.games()
    searched(other)
    seats = {seat.address: seat for seat in other.seats.all()}
    assert set(seats) == {server.address, PRIVATE}
    friends = seats[server.address]
    known = (friends.title, friends.game, friends.people, friends.state)
    assert known == (
        "Livia's table",
        "classic",
        ("Livia",),
        "playing",
    )
    assert friends.mine or friends.turn == "Livia"
    row(other, games_of(other)._list.items.index(friends))
    press(other, "Continue")
    until(other, lambda: at_the_board(other))
    assert table_of(other).match == friends.match


def test_the_hosts_own_seat_is_kept_too(app: App) -> None:
    app.remote.access.port = 0
    app.go.host(TableOptions(seats=2))
    until(app, lambda: isinstance(app.screen, RoomScreen))
    match = table_of(app).match
    app.go.menu()
    play(app)
    app.go.menu()
    seats = {seat.match: seat for seat in app.seats.all()}
    assert seats[match].address == HOSTED
    assert seats[match].state == "gathering"


def test_a_match_against_bots_to_which_nothing_led_back_is_found_again(app: App, shoot: Shoot) -> None:
    match = play(app)
    app.go.menu()
    (seat,) = app.seats.all()
    app.seats.forget(seat)
    app.go.games()
    assert app.seats.all() == []
    searched(app)
    (found,) = app.seats.all()
    assert (found.match, found.address, found.game, found.seat) == (match, PRIVATE, "classic", 0)
    assert found.token != seat.token
    assert NOW - 5 < found.seen < time.time() + 5
    press(app, "Continue")
    until(app, lambda: at_the_board(app))
    assert table_of(app).match == match


def test_the_older_key_opens_the_seat_until_the_new_one_is_used(app: App) -> None:
    play(app)
    app.go.menu()
    (seat,) = app.seats.all()
    search = OrphanSearch(())
    search.join()
    assert [found.match for found in search.take()] == [seat.match]
    app.go.server(seat.address, lambda: None, seat)
    until(app, lambda: at_the_board(app))


def test_matches_that_are_known_or_used_by_another_window_are_left_alone(app: App) -> None:
    play(app)
    known = OrphanSearch(app.seats.all())
    used = OrphanSearch(())
    for search in (known, used):
        search.join()
        assert search.take() == []


def test_leaving_a_match_against_bots_is_asked_twice_and_deletes_it(app: App, home: Path, shoot: Shoot) -> None:
    match = play(app)
    app.go.games()
    searched(app)
    press(app, "Leave for good …")
    assert isinstance(app.screen, AskScreen)
    shoot(app, "ask_leave")
    press(app, "Leave for good …")
    assert isinstance(app.screen, AskScreen)
    shoot(app, "ask_leave_again")
    assert app.seats.all(), "not yet"
    press(app, "Yes, leave for good")
    searched(app)
    assert app.seats.all() == []
    search = OrphanSearch(())
    search.join()
    assert search.take() == [], "it is not found again"
    assert match


@pytest.mark.long
def test_a_seat_at_a_server_that_is_left_for_good_is_played_by_a_bot(app: App, other: App, server: Server) -> None:
    together(app, other, server)
    other.go.games()
    press(other, "Leave for good …")
    press(other, "Leave for good …")
    press(other, "Yes, leave for good")
    assert isinstance(other.screen, ConnectingScreen)
    until(other, lambda: isinstance(other.screen, GamesScreen))
    assert other.seats.all() == []
    until(app, lambda: table_of(app).seats[1].kind == SeatKind.STAND_IN)


@pytest.mark.parametrize(("answer", "left"), [("Keep my seat", 1), ("Take it off my list", 0)])
def test_a_seat_whose_server_is_away_can_be_taken_off_the_list(
    app: App, monkeypatch: pytest.MonkeyPatch, shoot: Shoot, answer: str, left: int
) -> None:
    monkeypatch.setattr("client.network.server_access.PATIENCE", (0.2, 0.2))
    app.seats.keep(FRIENDS)
    app.go.games()
    press(app, "Leave for good …")
    press(app, "Leave for good …")
    press(app, "Yes, leave for good")
    until(app, lambda: isinstance(app.screen, AskScreen))
    shoot(app, "ask_away")
    press(app, answer)
    assert isinstance(app.screen, GamesScreen)
    assert len(app.seats.all()) == left
    searched(app)


@pytest.mark.parametrize("presses", [[key.ESCAPE], [key.ENTER]])
def test_nothing_is_left_by_keys_that_did_not_mean_it(app: App, presses: list[int]) -> None:
    app.seats.keep(FRIENDS)
    app.go.games()
    press(app, "Leave for good …")
    for symbol in presses:
        app.screen.on_key_press(symbol, 0)
    assert isinstance(app.screen, GamesScreen)
    assert app.seats.all() == [FRIENDS]


def test_the_arrows_pick_and_enter_goes_there(app: App) -> None:
    app.seats.keep(replace(FRIENDS, match="m2", seen=NOW))
    app.seats.keep(FRIENDS)
    app.go.games()
    app.screen.on_key_press(key.DOWN, 0)
    assert games_of(app).chosen == FRIENDS
    app.screen.on_key_press(key.ENTER, 0)
    assert isinstance(app.screen, ConnectingScreen)
    assert app.remote.holding.seat == FRIENDS


def test_a_click_picks_and_a_second_one_goes_there(app: App) -> None:
    app.seats.keep(FRIENDS)
    app.go.games()
    row(app, 0)
    assert isinstance(app.screen, GamesScreen)
    row(app, 0)
    assert isinstance(app.screen, ConnectingScreen)


def test_finished_matches_can_be_opened_and_tidied_up_but_lost_ones_cannot(app: App) -> None:
    app.seats.keep(replace(FRIENDS, state="over"))
    app.seats.keep(replace(FRIENDS, match="m2", state="gone", seen=1.0))
    app.go.games()
    press(app, "See the end")
    app.go.games()
    row(app, 1)
    assert not next(w for w in app.screen.ui.widgets if isinstance(w, Button) and w.words == "Continue").enabled
    press(app, "Tidy up")
    assert games_of(app)._list.items == []
    assert app.toasts.words == ["2 games are off the list."]


def test_a_game_that_is_gone_is_taken_off_the_list_without_a_question(app: App) -> None:
    app.seats.keep(replace(FRIENDS, state="gone"))
    app.go.games()
    press(app, "Leave for good …")
    assert isinstance(app.screen, GamesScreen)
    assert app.seats.all() == []


def test_the_menu_leads_back_to_the_game_that_was_played_last(app: App) -> None:
    app.seats.keep(FRIENDS)
    app.seats.keep(replace(FRIENDS, match="m2", seen=NOW))
    app.go.menu()
    assert isinstance(app.screen, MenuScreen)
    press(app, "Continue your game")
    assert app.remote.holding.seat is not None
    assert app.remote.holding.seat.match == "m2"


def test_a_disk_that_is_full_is_said_and_the_game_goes_on(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(seat: SavedSeat) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(app.seats, "keep", full)
    play(app)
    assert app.toasts.words == ["The way back to this seat cannot be kept (No space left on device)."]


def test_the_server_lists_nothing_where_there_is_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["seats", "--data", str(tmp_path / "none")]) == 0
    assert capsys.readouterr().out == ""
    assert not (tmp_path / "none").exists()
