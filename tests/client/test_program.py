"""The program against real servers: play, lobby, room, talk, losing the server, and the end of a match."""

from pathlib import Path

import arcade
import pytest

from client import message_router
from client.app import App
from client.drawing.fields import Selector, Toggle
from client.player.seats import PRIVATE
from client.player.table_options import TableOptions
from client.screens import replay_source
from client.screens.ask import AskScreen
from client.screens.lobby import LobbyScreen
from client.screens.menu import MenuScreen
from client.screens.records import SaveScreen
from client.screens.replay import ReplayScreen
from client.screens.result import ResultScreen
from client.screens.room import RoomScreen
from client.screens.table import TableScreen
from protocol import record
from shared.messages import Leave, LobbyList, Say, TableInfo
from shared.rulesets.registry import RULESETS
from shared.tables import TablePhase
from tests.client.conftest import Server, Shoot, at_the_board, until
from tests.client.screen_steps import (
    add_bot,
    arrive,
    begin_with_bot,
    enter_lobby,
    enter_room,
    open_table,
    press,
    remote,
    screen_of,
    table_of,
)


def test_playing_against_bots_and_continuing_another_time(app: App, shoot: Shoot) -> None:
    app.go.play(TableOptions(seats=3, home=0))
    until(
        app, lambda: isinstance(app.screen, TableScreen) and app.remote.match is not None and app.remote.match.is_mine
    )
    pledge = table_of(app).pledge
    assert pledge is not None and pledge.numbers[0] and not any(pledge.numbers[1:]), "one's own number counts at once"
    model = app.remote.match
    assert model is not None
    assert model.home(model.seat) == "Macedonia"
    assert model.act(model.options()[0]) is None
    until(app, lambda: model.version > 0 and not model.pending)
    shoot(app, "played")
    (seat,) = app.seats.all()
    assert seat.address == PRIVATE
    app.go.menu()
    press(app, "Continue your game")
    until(app, lambda: at_the_board(app))
    assert app.remote.match is not None
    assert app.remote.match is not model
    assert (app.remote.match.seat, table_of(app).match) == (0, seat.match)
    assert app.remote.match.version >= model.version


def test_the_list_shows_one_game_or_waiting_tables_and_more_when_scrolled(
    app: App, server: Server, shoot: Shoot
) -> None:
    lobby = enter_lobby(app, server)
    rows = [TableInfo(f"m{i}", f"Table {i}", "classic", 4, 1, 0, TablePhase.GATHERING) for i in range(30)]
    app.remote.hear(LobbyList(app.remote.lobby._list_ref, tuple(rows), below=1))
    lobby.hear(LobbyList(0, ()))
    shoot(app, "list")
    assert app.remote.lobby.more, "the end is far"
    lobby._list.scroll_to(1e6)
    assert not app.remote.lobby.more, "the next page was asked for"
    (games,) = [widget for widget in lobby.ui.widgets if isinstance(widget, Selector)]
    games.step(1)
    until(app, lambda: app.remote.lobby.known)
    assert app.remote.lobby.ruleset == next(iter(RULESETS)) and not app.remote.lobby.tables
    (waiting,) = [widget for widget in lobby.ui.widgets if isinstance(widget, Toggle)]
    waiting.on_click()
    until(app, lambda: app.remote.lobby.known)
    assert app.remote.lobby.gathering and lobby._empty.words == "No such table at the moment. Make one!"


def test_a_friend_joins_from_the_list_talks_and_the_match_begins(app: App, other: App, server: Server) -> None:
    open_table(app, server)
    remote(other, server)
    until(other, lambda: isinstance(other.screen, LobbyScreen) and other.remote.lobby.tables)
    lobby = screen_of(other, LobbyScreen)
    lobby._choose(other.remote.lobby.listed()[0])
    press(other, "Join")
    arrive(other, RoomScreen)
    other.remote.send(Say(other.remote.ref(), "Ave!"))
    until(app, lambda: app.remote.match is not None and any(said.text == "Ave!" for said in app.remote.match.chat))
    press(app, "Start the match")
    arrive(app, TableScreen)
    arrive(other, TableScreen)
    assert [info.name for info in table_of(app).seats] == ["Livia", "Marcus"]
    other.go.leave()
    arrive(other, LobbyScreen)
    assert other.seats.all(), "the seat of a match that goes on is kept"


@pytest.mark.long
def test_players_hear_spectators_if_they_wish_and_the_host_mutes_them(
    app: App, other: App, server: Server, shoot: Shoot
) -> None:
    open_table(app, server)
    other.go.server(server.address, lambda: other.remote.watch("", table_of(app).code))
    arrive(other, RoomScreen)
    add_bot(app)
    other.remote.send(Say(other.remote.ref(), "Before it begins."))
    until(app, lambda: heard(app) == ["Before it begins."])
    press(app, "Start the match")
    until(other, lambda: at_the_board(other))
    until(app, lambda: at_the_board(app))
    other.remote.send(Say(other.remote.ref(), "Among ourselves."))
    until(other, lambda: heard(other)[-1] == "Among ourselves.")
    screen = screen_of(app, TableScreen)
    screen.listen(True)
    assert app.settings.listens
    app.remote.send(Say(app.remote.ref(), "Who is there?"))
    until(other, lambda: heard(other)[-1] == "Who is there?")
    other.remote.send(Say(other.remote.ref(), "Aloud."))
    until(app, lambda: heard(app)[-1] == "Aloud.")
    assert heard(app) == ["Before it begins.", "Who is there?", "Aloud."]
    assert app.remote.match is not None
    app.remote.match.mute("Marcus", True)
    until(app, lambda: app.remote.match is not None and app.remote.match.muted)
    other.remote.send(Say(other.remote.ref(), "Is nobody there?"))
    until(other, lambda: any("does not want you to speak" in words for words in other.toasts.words))
    app.remote.match.mute("Nobody", True)
    until(app, lambda: any("There is no person of that name" in words for words in app.toasts.words))
    assert app.remote.match.muted == {"Marcus"}, "what was refused is not so"
    app.remote.match.mute("Marcus", False)
    until(app, lambda: app.remote.match is not None and not app.remote.match.muted)


def heard(app: App) -> list[str]:
    assert app.remote.match is not None
    return [said.text for said in app.remote.match.chat]


@pytest.mark.long
def test_the_host_mutes_a_person_in_the_room(app: App, other: App, server: Server, shoot: Shoot) -> None:
    open_table(app, server)
    press(app, "Mute …")
    assert app.toasts.words == ["You are alone at the table."]
    enter_room(other, server, table_of(app).code)
    until(app, lambda: table_of(app).seats[1].kind == 1)
    shoot(app, "room_host")
    press(app, "Mute …")
    shoot(app, "ask_mute")
    press(app, "Mute Marcus")
    until(app, lambda: app.remote.match is not None and app.remote.match.muted)
    other.remote.send(Say(other.remote.ref(), "Ave!"))
    until(other, lambda: other.toasts.words)
    press(app, "Mute …")
    press(app, "Unmute Marcus")
    until(app, lambda: app.remote.match is not None and not app.remote.match.muted)


@pytest.mark.long
def test_hearing_spectators_applies_to_every_table(app: App, server: Server) -> None:
    app.remote.listens = True
    open_table(app, server)
    begin_with_bot(app)
    match, seat = table_of(app).match, app.seats.all()[0]
    app.go.server(server.address, lambda: None, seat)
    until(app, lambda: at_the_board(app))
    app.remote.send(Say(app.remote.ref(), "Who is there?"))
    until(app, lambda: "Who is there?" in heard(app))
    assert table_of(app).match == match


def test_bots_are_put_on_seats_and_taken_away(app: App, server: Server) -> None:
    open_table(app, server)
    add_bot(app)
    press(app, "Remove")
    until(app, lambda: table_of(app).seats[1].kind == 0)


def test_the_code_leads_to_a_table_and_the_host_may_send_a_person_away(app: App, other: App, server: Server) -> None:
    open_table(app, server)
    enter_room(other, server, table_of(app).code.lower())
    until(app, lambda: table_of(app).seats[1].kind == 1)
    press(app, "Send away")
    press(app, "Let them stay")
    assert table_of(app).seats[1].kind == 1
    press(app, "Send away")
    press(app, "Send Marcus away")
    arrive(other, LobbyScreen)
    assert other.toasts.words
    assert other.seats.all() == []


def test_spectators_may_sit_down_before_the_start(app: App, other: App, server: Server) -> None:
    open_table(app, server)
    remote(other, server)
    until(other, lambda: isinstance(other.screen, LobbyScreen) and other.remote.lobby.tables)
    other.remote.watch(table_of(app).match)
    arrive(other, RoomScreen)
    assert table_of(other).you == -1
    press(other, "Sit here")
    until(other, lambda: other.remote.match is not None and table_of(other).you == 1)
    assert isinstance(other.screen, RoomScreen)


@pytest.mark.long
def test_giving_up_a_seat_is_confirmed(app: App, other: App, server: Server, shoot: Shoot) -> None:
    open_table(app, server)
    enter_room(other, server, table_of(app).code)
    until(app, lambda: table_of(app).seats[1].kind == 1)
    press(app, "Leave")
    shoot(app, "ask_room")
    assert isinstance(app.screen, AskScreen)
    assert app.screen.question.words[1] == "Marcus becomes the host."
    press(app, "Stay")
    assert isinstance(app.screen, RoomScreen)
    press(app, "Leave")
    press(app, "Leave the table")
    arrive(app, LobbyScreen)
    until(other, lambda: table_of(other).host)
    other.screen.on_key_press(arcade.key.ESCAPE, 0)
    assert isinstance(other.screen, AskScreen)
    assert other.screen.question.words == ("You are alone here: the table is closed.",)


def test_a_seat_that_was_taken_meanwhile_leads_to_the_lobby(app: App, other: App, server: Server) -> None:
    open_table(app, server)
    remote(other, server)
    until(other, lambda: isinstance(other.screen, LobbyScreen) and other.remote.lobby.tables)
    other.remote.watch(table_of(app).match)
    arrive(other, RoomScreen)
    add_bot(app)
    other.remote.change_seat(1)
    arrive(other, LobbyScreen)
    assert "That seat is taken." in other.toasts.words


def test_late_joiners_become_spectators(app: App, other: App, server: Server) -> None:
    open_table(app, server)
    add_bot(app)
    press(app, "Start the match")
    until(app, lambda: table_of(app).phase == TablePhase.PLAYING)
    remote(other, server, table_of(app).code)
    arrive(other, TableScreen)
    assert other.remote.match is not None
    assert other.remote.match.seat == -1
    assert "you are watching" in other.toasts.words[0]


def test_an_invisible_name_is_refused_before_the_lobby(app: App, server: Server) -> None:
    app.settings.name = "\u200b"
    app.go.server(server.address, app.go.lobby)
    arrive(app, MenuScreen)
    assert "visible character" in app.toasts.words[0]


def test_a_server_without_tls_is_reached_by_its_name_once_that_was_said(
    app: App, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.routes._is_near", lambda host: False)
    app.go.server(f"localhost:{server.port}", app.go.lobby)
    arrive(app, AskScreen)
    assert app.remote.access.link is None
    press(app, "Connect all the same")
    until(app, lambda: isinstance(app.screen, LobbyScreen) and app.remote.lobby.known)


def test_no_server_ends_in_the_menu_with_a_reason(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.network.server_access.PATIENCE", (0.2, 0.2))
    app.go.server("127.0.0.1:9", lambda: None)
    arrive(app, MenuScreen)
    assert app.toasts.words == ["No server is listening at that address."]


def test_a_port_that_is_taken_ends_in_the_menu_with_a_reason(app: App, server: Server) -> None:
    app.remote.access.port = server.port
    app.go.host(TableOptions())
    arrive(app, MenuScreen)
    assert f"Port {server.port} is taken" in app.toasts.words[0]


def test_a_lost_server_is_shown_and_found_again(app: App, server: Server, shoot: Shoot) -> None:
    open_table(app, server)
    begin_with_bot(app)
    server.kill()
    until(app, lambda: app.remote.trouble)
    shoot(app, "server_lost")
    again = Server(server.data, server.port)
    try:
        until(app, lambda: not app.remote.trouble)
        until(app, lambda: table_of(app).seats[0].kind == 1)
    finally:
        again.kill()
    assert isinstance(app.screen, TableScreen)


@pytest.mark.long
def test_the_end_of_a_match_shows_the_standings(
    app: App, server: Server, shoot: Shoot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(message_router, "RESULT_DELAY", 0.2)
    app.settings.address = server.address
    app.go.server(
        server.address,
        lambda: app.remote.send(TableOptions(seats=2, options={"round_limit": 1}).request(app.remote.ref())),
    )
    arrive(app, RoomScreen)
    press(app, "Fill with bots")
    until(app, lambda: table_of(app).seats[1].kind == 3)
    press(app, "Start the match")
    until(app, lambda: table_of(app).phase == TablePhase.PLAYING)
    app.remote.access.send(Leave(app.remote.ref()))
    arrive(app, LobbyScreen)
    match = next(iter(app.remote.lobby.tables), "")
    until(
        app, lambda: app.remote.lobby.tables and next(iter(app.remote.lobby.tables.values())).phase == TablePhase.OVER
    )
    app.remote.watch(match or next(iter(app.remote.lobby.tables)))
    arrive(app, ResultScreen)
    assert app.remote.match is not None
    known = replay_source.afterwards(app, app.remote.match)
    assert known is not None
    until(app, lambda: known.verdict)
    assert known.verdict is not None and known.verdict.rolls and not known.verdict.wrong.startswith("The ")
    shoot(app, "result_played")
    press(app, "Replay and charts")
    assert isinstance(app.screen, ReplayScreen) and len(app.screen.screening.film.audiences) == 3
    app.screen.leave_table()
    press(app, "Save the record …")
    assert isinstance(app.screen, SaveScreen)
    app.screen._typed = str(tmp_path / "saved")
    press(app, "Save")
    assert isinstance(app.screen, ResultScreen)
    assert record.read((tmp_path / "saved.conquest").read_bytes()) == known.record
    press(app, "See the final board")
    assert isinstance(app.screen, TableScreen)
    app.go.result()
    press(app, "To the lobby")
    arrive(app, LobbyScreen)


def test_dice_commitment_and_number_are_saved_with_the_seat(app: App, server: Server) -> None:
    app.settings.address = server.address
    app.go.server(server.address, lambda: app.remote.send(TableOptions(seats=2).request(app.remote.ref())))
    arrive(app, RoomScreen)
    until(app, lambda: table_of(app).pledge is not None and any(table_of(app).pledge.numbers))  # type: ignore[union-attr]
    pledge = table_of(app).pledge
    until(app, lambda: app.seats.all() and app.seats.all()[0].number)
    (seat,) = app.seats.all()
    assert pledge is not None and (seat.bound, seat.number) == (pledge.commitment, pledge.numbers[0])
    app.remote.begin(server.address, "Livia", lambda: None, seat)
    session = app.remote.access.session
    assert session is not None
    assert (session.stake.commitment, session.stake.number) == (seat.bound, seat.number)
