"""The list of one's games: every seat can be gone back to, whatever was begun after it; leaving one is asked twice."""

import time
from pathlib import Path

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
from tests.client.screen_steps import arrive, click, join_room, open_table, press, screen_of, seat_kind, table_of

NOW = time.time()
FRIENDS = SavedSeat("127.0.0.1:9", "m1", bytes(32), "Ides", 2, "classic", ("Marcus",), NOW - 90, turn="Marcus")


def row(app: App, index: int) -> None:
    """Click a row of the list."""
    rect = screen_of(app, GamesScreen)._list.rect
    click(app, rect.x, rect.top - (index + 0.5) * theme.px(92))


def searched(app: App) -> None:
    """Wait until the databases of this computer were looked through."""
    until(app, lambda: screen_of(app, GamesScreen)._search is None)


def play(app: App) -> str:
    """Begin a match against bots; its id."""
    app.go.play(TableOptions(seats=2))
    until(app, lambda: at_the_board(app))
    return table_of(app).match


def orphans(*known: SavedSeat) -> list[str]:
    """Return the matches on this computer that are found beside the known ones."""
    search = OrphanSearch(known)
    search.join()
    return [seat.match for seat in search.take()]


def leave_for_good(app: App) -> None:
    """Press the button, and answer both questions."""
    for words in ("Leave for good …", "Leave for good …", "Yes, leave for good"):
        press(app, words)


@pytest.mark.long
def test_a_game_against_bots_leaves_the_way_back_to_a_friends_match_and_to_another_one(app: App) -> None:
    app.seats.keep(FRIENDS)
    first, second = play(app), play(app)
    app.go.menu()
    assert {seat.match for seat in app.seats.all()} == {"m1", first, second}
    press(app, "My games")
    searched(app)
    row(app, [seat.match for seat in screen_of(app, GamesScreen)._list.items].index(first))
    press(app, "Continue")
    until(app, lambda: at_the_board(app))
    assert table_of(app).match == first


def together(app: App, other: App, server: Server) -> None:
    """A friend sits down at our table, and the match begins."""
    open_table(app, server)
    join_room(other, server.address, table_of(app).code)
    seat_kind(app, 1, SeatKind.PERSON)
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
    assert (friends.title, friends.game, friends.state) == ("Livia's table", "classic", "playing")
    assert friends.people == ("Livia",) and (friends.mine or friends.turn == "Livia")
    row(other, screen_of(other, GamesScreen)._list.items.index(friends))
    press(other, "Continue")
    until(other, lambda: at_the_board(other))
    assert table_of(other).match == friends.match


def test_the_hosts_own_seat_is_kept_too(app: App) -> None:
    app.remote.access.port = 0
    app.go.host(TableOptions(seats=2))
    arrive(app, RoomScreen)
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
    assert orphans() == [seat.match]
    app.go.server(seat.address, lambda: None, seat)
    until(app, lambda: at_the_board(app))


def test_matches_that_are_known_or_used_by_another_window_are_left_alone(app: App) -> None:
    play(app)
    assert orphans(*app.seats.all()) == [], "it is known"
    assert orphans() == [], "it is used"


def test_leaving_a_match_against_bots_is_asked_twice_and_deletes_it(app: App, home: Path, shoot: Shoot) -> None:
    play(app)
    app.go.games()
    searched(app)
    for picture in ("ask_leave", "ask_leave_again"):
        press(app, "Leave for good …")
        assert isinstance(app.screen, AskScreen)
        shoot(app, picture)
    assert app.seats.all(), "not yet"
    press(app, "Yes, leave for good")
    searched(app)
    assert app.seats.all() == []
    assert orphans() == [], "it is not found again"


@pytest.mark.long
def test_a_seat_at_a_server_that_is_left_for_good_is_played_by_a_bot(app: App, other: App, server: Server) -> None:
    together(app, other, server)
    other.go.games()
    leave_for_good(other)
    assert isinstance(other.screen, ConnectingScreen)
    arrive(other, GamesScreen)
    assert other.seats.all() == []
    seat_kind(app, 1, SeatKind.STAND_IN)


@pytest.mark.parametrize(("answer", "left"), [("Keep my seat", 1), ("Take it off my list", 0)])
def test_a_seat_whose_server_is_away_can_be_taken_off_the_list(
    app: App, monkeypatch: pytest.MonkeyPatch, shoot: Shoot, answer: str, left: int
) -> None:
    monkeypatch.setattr("client.network.server_access.PATIENCE", (0.2, 0.2))
    app.seats.keep(FRIENDS)
    app.go.games()
    leave_for_good(app)
    arrive(app, AskScreen)
    shoot(app, "ask_away")
    press(app, answer)
    assert isinstance(app.screen, GamesScreen)
    assert len(app.seats.all()) == left
    searched(app)


@pytest.mark.parametrize("symbol", [key.ESCAPE, key.ENTER])
def test_nothing_is_left_by_keys_that_did_not_mean_it(app: App, symbol: int) -> None:
    app.seats.keep(FRIENDS)
    app.go.games()
    press(app, "Leave for good …")
    app.screen.on_key_press(symbol, 0)
    assert isinstance(app.screen, GamesScreen)
    assert app.seats.all() == [FRIENDS]


def test_the_arrows_pick_and_enter_goes_there(app: App) -> None:
    app.seats.keep(replace(FRIENDS, match="m2", seen=NOW))
    app.seats.keep(FRIENDS)
    app.go.games()
    app.screen.on_key_press(key.DOWN, 0)
    assert screen_of(app, GamesScreen).chosen == FRIENDS
    app.screen.on_key_press(key.ENTER, 0)
    assert isinstance(app.screen, ConnectingScreen)
    assert app.remote.holding.seat == FRIENDS


def test_a_click_picks_and_a_second_one_goes_there(app: App) -> None:
    app.seats.keep(FRIENDS)
    app.go.games()
    for expected in (GamesScreen, ConnectingScreen):
        row(app, 0)
        assert isinstance(app.screen, expected)


def test_finished_matches_can_be_opened_and_tidied_up_but_lost_ones_cannot(app: App) -> None:
    app.seats.keep(replace(FRIENDS, state="over"))
    app.seats.keep(replace(FRIENDS, match="m2", state="gone", seen=1.0))
    app.go.games()
    press(app, "See the end")
    app.go.games()
    row(app, 1)
    assert not next(w for w in app.screen.ui.widgets if isinstance(w, Button) and w.words == "Continue").enabled
    press(app, "Tidy up")
    assert screen_of(app, GamesScreen)._list.items == []
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
