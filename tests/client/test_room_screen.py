"""The room before a match, by mouse at a real server: seats, bots, who is here."""

import arcade
import pytest

from client import message_router
from client.app import App
from client.drawing.fields import Selector
from client.player.presence import listed
from client.player.table_options import TableOptions
from client.screens.lobby import LobbyScreen
from client.screens.result import ResultScreen
from client.screens.room import RoomScreen
from client.screens.table import TableScreen
from shared.messages import TableState
from shared.tables import SeatKind, TablePhase
from shared.vocabulary.actions import Concede
from tests.client.conftest import Server, Shoot, at_the_board, until
from tests.client.screen_steps import arrive, enter_room, press, remote, screen_of, table_of


def open_room(app: App, server: Server, plan: TableOptions) -> RoomScreen:
    """Make that table and arrive in its room."""
    app.settings.address = server.address
    app.go.server(server.address, lambda: app.remote.create(plan))
    return arrive(app, RoomScreen)


def selector(app: App, words: str) -> Selector:
    """The control that shows these words."""
    (found,) = [w for w in app.screen.ui.widgets if isinstance(w, Selector) and w._labels[w.index] == words]
    return found


def click(app: App, x: float, y: float) -> None:
    app.screen.on_mouse_motion(x, y, 0, 0)
    app.screen.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    app.screen.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)


def more(app: App, words: str) -> None:
    """Click the right arrow of that control."""
    rect = selector(app, words).rect
    click(app, rect.right - 8, rect.y)


def less(app: App, words: str) -> None:
    rect = selector(app, words).rect
    click(app, rect.left + 8, rect.y)


def seats(app: App) -> list[str]:
    return [info.bot or info.name for info in table_of(app).seats]


def join(other: App, server: Server, table: TableState) -> None:
    enter_room(other, server, table.code)


@pytest.mark.long
def test_bots_of_a_level_take_all_free_seats_by_one_click(app: App, server: Server, shoot: Shoot) -> None:
    open_room(app, server, TableOptions(seats=5))
    press(app, "+ bot")
    until(app, lambda: seats(app)[1] == "normal")
    more(app, "strong bots")
    press(app, "Fill with bots")
    until(app, lambda: all(seats(app)))
    assert seats(app) == ["Livia", "normal", "hard", "hard", "hard"]
    arrive(app, RoomScreen)
    shoot(app, "room_full_of_bots")
    press(app, "Start the match")
    arrive(app, TableScreen)


@pytest.mark.long
def test_the_host_changes_the_number_of_seats_but_not_below_those_taken(
    app: App, other: App, server: Server, shoot: Shoot
) -> None:
    open_room(app, server, TableOptions(seats=2))
    more(app, "2 seats")
    until(app, lambda: len(seats(app)) == 3)
    more(app, "3 seats")
    until(app, lambda: len(seats(app)) == 4)
    join(other, server, table_of(app))
    until(app, lambda: seats(app)[1] == "Marcus")
    other.remote.change_seat(3)
    until(other, lambda: other.remote.match is not None and table_of(other).you == 3)
    until(app, lambda: seats(app)[3] == "Marcus")
    less(app, "4 seats")
    until(app, lambda: seats(app) == ["Livia", "", "Marcus"])
    less(app, "3 seats")
    until(app, lambda: seats(app) == ["Livia", "Marcus"])
    until(other, lambda: table_of(other).you == 1)
    (seat,) = other.seats.all()
    assert seat.seat == 1, "the way back leads to the seat that he has now"
    shoot(app, "room_two")
    less(app, "2 seats")
    assert selector(app, "2 seats").index == 0, "no fewer are offered"
    assert not any(isinstance(w, Selector) and "seats" in w._labels[0] for w in other.screen.ui.widgets)
    press(app, "Start the match")
    arrive(other, TableScreen)
    until(other, lambda: other.remote.match is not None and other.remote.match.view is not None)
    assert other.remote.match is not None and other.remote.match.seat == 1


@pytest.mark.long
def test_disconnected_players_are_away_in_room_list_and_table(
    app: App, other: App, server: Server, shoot: Shoot, window: arcade.Window
) -> None:
    room = open_room(app, server, TableOptions(seats=3))
    join(other, server, table_of(app))
    until(app, lambda: seats(app)[1] == "Marcus")
    other.close()
    until(app, lambda: table_of(app).seats[1].kind == SeatKind.AWAY)
    words = [getattr(widget, "words", "") for widget in room.ui.widgets]
    assert {"Livia (host) (new) (you)", "Marcus (new) (away)"} <= set(words), words
    assert any(w.startswith("1 of 3 here, 1 away") for w in words), words
    shoot(app, "room_away")
    looking = App(window, app.settings)
    try:
        remote(looking, server)
        until(looking, lambda: isinstance(looking.screen, LobbyScreen) and looking.remote.lobby.tables)
        (table,) = looking.remote.lobby.listed()
        assert listed(table).words == "1 of 3 here, 1 away"
        shoot(looking, "lobby_away")
    finally:
        looking.close()
    press(app, "Fill with bots")
    until(app, lambda: all(seats(app)))
    press(app, "Start the match")
    until(app, lambda: isinstance(app.screen, TableScreen) and app.remote.match is not None and app.remote.match.view)
    board = screen_of(app, TableScreen)
    until(app, lambda: board.top.side.roster.scene is not None)
    assert board.top.side.roster.scene is not None and board.top.side.roster.scene.away == 1
    shoot(app, "table_away")


def ended(app: App, other: App, server: Server, monkeypatch: pytest.MonkeyPatch) -> str:
    """A match of Livia and Marcus that is over; returns its id. Both see how it ended."""
    monkeypatch.setattr(message_router, "RESULT_DELAY", 0.1)
    open_room(app, server, TableOptions(seats=2, title="Ides of March"))
    join(other, server, table_of(app))
    until(app, lambda: seats(app)[1] == "Marcus")
    press(app, "Start the match")
    until(other, lambda: at_the_board(other))
    concede(other)
    for each in (app, other):
        until(each, lambda each=each: isinstance(each.screen, ResultScreen))  # type: ignore[misc]
    return table_of(app).match


def concede(app: App) -> None:
    """To the only other player."""
    assert app.remote.match is not None
    assert app.remote.match.act(Concede(1 - app.remote.match.seat)) is None


@pytest.mark.long
def test_a_click_after_the_end_brings_the_same_people_to_another_table(
    app: App, other: App, server: Server, shoot: Shoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = ended(app, other, server, monkeypatch)
    shoot(app, "result_again")
    more(app, "the same seats")
    press(app, "Play again")
    arrive(app, RoomScreen)
    until(other, lambda: other.remote.match is not None and other.remote.match.invited)
    shoot(other, "result_invited")
    table = table_of(app)
    assert (table.match != old, table.title, table.you, table.host) == (True, "Ides of March", 1, True)
    assert seats(app) == ["Marcus", "Livia"] and table.seats[0].kind == SeatKind.AWAY
    shoot(app, "room_again")
    press(other, "Come along")
    arrive(other, RoomScreen)
    assert table_of(other).you == 0 and not table_of(other).host
    for each in (app, other):
        (seat,) = each.seats.all()
        assert seat.match == table.match, "the way to the match that is over is not kept"
    until(app, lambda: table_of(app).seats[0].kind == SeatKind.PERSON)
    press(app, "Start the match")
    until(other, lambda: at_the_board(other))


@pytest.mark.long
def test_the_final_board_leads_to_the_rematch_invitation(
    app: App, other: App, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended(app, other, server, monkeypatch)
    press(app, "See the final board")
    press(other, "Play again")
    arrive(app, ResultScreen)
    assert "Marcus would like to play again." in app.toasts.words
    arrive(other, RoomScreen)
    press(app, "Come along")
    arrive(app, RoomScreen)


@pytest.mark.long
def test_a_lost_seat_leads_to_the_list(app: App, other: App, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ended(app, other, server, monkeypatch)
    press(app, "Play again")
    arrive(app, RoomScreen)
    until(other, lambda: other.remote.match is not None and other.remote.match.invited)
    press(app, "Send away")
    press(app, "Send Marcus away")
    until(app, lambda: not seats(app)[1])
    press(other, "Come along")
    arrive(other, LobbyScreen)
    assert other.remote.match is None and any("no longer yours" in words for words in other.toasts.words)
    other.remote.join(table_of(app).match)
    until(app, lambda: seats(app)[1] == "Marcus")


def test_against_bots_another_match_begins_at_once(app: App, shoot: Shoot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_router, "RESULT_DELAY", 0.1)
    app.go.play(TableOptions(seats=2, bots=("easy",)))
    until(app, lambda: at_the_board(app))
    old = table_of(app).match
    concede(app)
    arrive(app, ResultScreen)
    press(app, "Play again")
    until(app, lambda: at_the_board(app) and table_of(app).match != old)
    assert (table_of(app).phase, seats(app)) == (TablePhase.PLAYING, ["Livia", "easy"])
