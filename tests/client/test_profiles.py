"""Profile of the player and the status of their matches: the same on every device, queried in the background."""

import json
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import arcade
import pytest
from arcade import key
from msgspec.structs import replace

from client.app import App
from client.command_line import main
from client.drawing.widgets import Label
from client.network.status_poller import StatusPoller
from client.network.status_query import NoAnswer, ServerQuery, handed_over, holdings, membership
from client.player.match_status import is_awaited, span, timing_text, waits
from client.player.profiles import Profile, Profiles, fresh_secret
from client.player.seats import PRIVATE, SavedSeat, Seats
from client.player.settings import Settings, profiles_of, seats_of
from client.player.table_options import TableOptions
from client.screens.games import GamesScreen
from client.screens.menu import MenuScreen
from client.screens.profile import ProfileScreen
from client.text_client.text_program import TextProgram
from tests.client.conftest import Server, Shoot, at_the_board, has_begun, until
from tests.client.screen_steps import arrive, join_room, open_table, press, screen_of, table_of
from tests.client.test_name import wait_for
from tests.client.test_turn_alert import Front

HOUR = 3600.0


@pytest.fixture
def other(window: arcade.Window) -> Iterator[App]:
    """Another program, of the same name."""
    made = App(window, Settings(name="Livia"))
    yield made
    made.close()


@pytest.fixture
def friend(window: arcade.Window) -> Iterator[App]:
    """A friend's program."""
    made = App(window, Settings(name="Marcus"))
    yield made
    made.close()


def begin(app: App, friend: App, server: Server) -> str:
    """A match of two that has begun; its id."""
    open_table(app, server)
    code = table_of(app).code
    join_room(friend, server.address, code)
    until(app, lambda: len([seat for seat in table_of(app).seats if seat.name]) == 2)
    press(app, "Start the match")
    until(friend, lambda: has_begun(friend))
    until(app, lambda: has_begun(app))
    return table_of(app).match


def asked(app: App) -> GamesScreen:
    """The list of games, once all servers have answered."""
    app.go.games()
    until(app, lambda: not app.rounds.asking)
    assert isinstance(app.screen, GamesScreen)
    return app.screen


def listed(app: App) -> dict[str, SavedSeat]:
    return {seat.match: seat for seat in asked(app)._list.items}


def whose(*apps: App) -> tuple[App, App]:
    """Return the player who must decide at their match, and the other."""
    first, second = apps
    assert first.remote.match is not None
    mine = first.remote.match.seat in first.remote.match.owed()
    return (first, second) if mine else (second, first)


@pytest.mark.long
def test_the_list_says_whose_turn_it_is_without_taking_the_seat(
    app: App, friend: App, server: Server, shoot: Shoot
) -> None:
    match = begin(app, friend, server)
    active, waiting = whose(app, friend)
    waiting.go.menu()
    active.remote.match.act(active.remote.match.options()[0])  # type: ignore[union-attr]
    seat = listed(waiting)[match]
    assert (seat.state, seat.unread) == ("playing", 0) and (seat.mine or seat.turn == active.settings.name)
    assert 0 < time.time() - seat.since < 60
    assert waiting.rounds.trouble(seat) == ""
    shoot(waiting, "my_games")
    press(waiting, "Continue")
    until(waiting, lambda: at_the_board(waiting))


def test_it_is_told_in_the_menu_and_the_title_that_others_wait(app: App, friend: App, server: Server) -> None:
    match = begin(app, friend, server)
    active, other = whose(app, friend)
    front = Front()
    front.attended = False
    active._herald._front = front
    active.go.menu()
    active.seats.keep(replace(active.seats.all()[0], mine=False, turn="Marcus"))
    active.rounds._asked_at = -1000.0
    until(active, lambda: active.rounds.waiting == 1)
    active.on_update(1 / 60)
    assert isinstance(active.screen, MenuScreen)
    assert waits(1) in [widget.words for widget in active.screen.ui.widgets if isinstance(widget, Label)]
    assert front.title == waits(1) == "1 game waits for you" and front.beckons
    assert listed(active)[match].mine and not other.rounds.waiting


@pytest.mark.long
def test_a_seat_is_on_another_device_of_the_same_person(
    app: App, other: App, friend: App, server: Server, shoot: Shoot
) -> None:
    match = begin(app, friend, server)
    app.go.menu()
    press(app, "My games")
    press(app, "My profile …")
    assert isinstance(app.screen, ProfileScreen)
    press(app, "Make a code")
    until(app, lambda: isinstance(app.screen, ProfileScreen) and app.screen._passage is not None)
    code = app.screen._passage.code  # type: ignore[union-attr]
    shoot(app, "another_device")
    other.go.games()
    press(other, "My profile …")
    assert isinstance(other.screen, ProfileScreen)
    other.screen._set_address(server.address)
    other.screen._set_code(code.lower())
    press(other, "Go on")
    until(other, lambda: match in {seat.match for seat in other.seats.all()})
    seat = other.seats.all()[0]
    assert seat.people == ("Marcus",) and app.profiles.all()[0].secret != other.profiles.all()[0].secret
    press(other, "Continue")
    until(other, lambda: at_the_board(other))
    assert table_of(other).seats[table_of(other).you].name == "Livia"
    assert listed(app)[match].state == "playing", "and back again"
    press(app, "Continue")
    until(app, lambda: at_the_board(app))
    arrive(other, MenuScreen)
    newer = sign_out_other(other, shoot)
    assert "can end older ones after a day" in newer._notes[True]
    assert [device.here for device in newer._devices] == [False, True], "the list stays after a refusal"
    app.go.menu()
    older = sign_out_other(app, shoot)
    assert [device.here for device in older._devices] == [True] and "signed out" in older._notes[True]


def sign_out_other(app: App, shoot: Shoot) -> ProfileScreen:
    """Sign the other device out in the window; return the screen with the answer."""
    app.go.profile()
    screen = screen_of(app, ProfileScreen)
    press(app, "Your devices")
    until(app, lambda: len(screen._devices) == 2)
    other = next(place for place, device in enumerate(screen._devices) if not device.here)
    screen._point(other)
    shoot(app, "your_devices")
    press(app, "Sign out")
    press(app, "Sign out: are you sure?")
    until(app, lambda: screen._errand is None)
    return screen


def test_the_text_client_lists_devices_and_signs_one_out(server: Server) -> None:
    said: list[str] = []
    reader = TextProgram(Settings(name="Livia"), said.append)
    reader.open(server.address, TableOptions(seats=3))
    wait_for(reader, lambda: reader.remote.match is not None)
    session = reader.remote.access.session
    assert session is not None
    mine = ServerQuery(server.address, "Livia", secret=session.secret())
    membership(replace(mine, secret=fresh_secret()), handed_over(mine).code)
    for typed, answer in (
        ("devices", "2. Conquest, "),
        ("devices end 1", "“devices end 2” signs"),
        ("devices end 2", "out? Type yes"),
    ):
        reader.read(typed)
        wait_for(reader, partial(_was_said, said, answer))
    said.clear()
    reader.read("yes")
    wait_for(reader, partial(_was_said, said, ": this device"))
    assert not _was_said(said, "2. Conquest, ")


def test_the_text_client_shows_stores_and_deletes_what_a_server_has_of_the_player(
    server: Server, tmp_path: Path
) -> None:
    said: list[str] = []
    reader = TextProgram(Settings(name="Livia"), said.append)
    reader.open(server.address, TableOptions(seats=3))
    wait_for(reader, lambda: reader.remote.match is not None)
    session = reader.remote.access.session
    assert session is not None
    elsewhere = ServerQuery(server.address, "Livia", secret=fresh_secret())
    for typed, answer in (
        ("me", "You are Livia here, a guest. With an invitation"),
        ("me member livia@example.org", "sends no mails"),
        ("me what", "Say “me”"),
        (f"me data {tmp_path / 'me.json'}", "All that is stored of you is in"),
        (f"me data {tmp_path / 'me.json' / 'in'}", "cannot be written"),
        (f"me code {handed_over(elsewhere).code}", "This device is signed in: you are Livia here."),
        ("me delete", "for good? You lose your seats. Type yes"),
    ):
        said.clear()
        reader.read(typed)
        wait_for(reader, partial(_was_said, said, answer))
    found = json.loads((tmp_path / "me.json").read_text())
    assert (found["name"], found["matches"][0]["seats"]) == ("Livia", [1])
    reader.read("yes")
    wait_for(reader, partial(_was_said, said, "day"))  # The device is new to the profile that it has got.
    assert not reader.ended


def test_the_text_client_ends_once_the_player_is_deleted(server: Server) -> None:
    said: list[str] = []
    reader = TextProgram(Settings(name="Livia"), said.append)
    reader.open(server.address, TableOptions(seats=3))
    wait_for(reader, lambda: reader.remote.match is not None)
    reader.read("me delete")
    reader.read("yes")
    wait_for(reader, lambda: reader.ended)
    assert _was_said(said, "All that was stored of you there is deleted.")
    profiles = reader.remote.profiles()
    assert profiles is not None and profiles.all() == []


def _was_said(said: list[str], words: str) -> bool:
    return any(words in line for line in said)


def test_a_wrong_code_is_told_in_a_sentence(app: App, server: Server) -> None:
    app.go.profile()
    assert isinstance(app.screen, ProfileScreen)
    app.screen._set_address(server.address)
    app.screen._set_code("WRONGONE")
    press(app, "Go on")
    until(app, lambda: isinstance(app.screen, ProfileScreen) and app.screen._errand is None)
    assert "does nothing here" in app.screen._notes[False] and app.profiles.all() == []
    app.screen.on_key_press(key.ESCAPE, 0)
    assert isinstance(app.screen, MenuScreen)


def test_a_player_fetches_and_deletes_what_a_server_has_of_them(
    app: App, server: Server, shoot: Shoot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.screens.profile.usual_place", lambda: tmp_path)
    open_table(app, server)
    app.go.menu()
    press(app, "My games")
    press(app, "My profile …")
    screen = screen_of(app, ProfileScreen)
    screen._set_address(server.address)
    screen._set_code("livia@example.org")
    press(app, "Go on")
    until(app, lambda: screen._errand is None)
    assert "sends no mails" in screen._notes[False]
    press(app, "My data")
    until(app, lambda: screen._errand is None)
    (file,) = tmp_path.glob("conquest-*.json")
    assert json.loads(file.read_text())["name"] == "Livia" and file.name in screen._notes[True]
    shoot(app, "my_profile")
    press(app, "Delete me")
    shoot(app, "delete_me")
    press(app, "Delete me there")
    until(app, lambda: screen._errand is None)
    assert "is deleted" in screen._notes[True] and app.profiles.all() == []


def test_clients_of_one_name_both_have_it_at_tables_of_their_own(app: App, other: App, server: Server) -> None:
    open_table(app, server)
    open_table(other, server)
    assert table_of(other).seats[0].name == table_of(app).seats[0].name == "Livia"
    assert not any("Livia" in words for words in other.toasts.words)


def test_a_player_may_stay_without_a_profile(app: App, other: App, server: Server) -> None:
    app.settings.known = other.settings.known = False
    open_table(app, server)
    open_table(other, server)
    assert table_of(other).seats[0].name == "Livia" and app.profiles.all() == other.profiles.all() == []
    assert [seat.state for seat in listed(app).values()] == ["gathering"], "asked by its token"


def test_a_match_against_bots_needs_no_profile(app: App) -> None:
    app.remote.access.address = PRIVATE
    assert app.remote.access._secret() == b"" and app.profiles.all() == []


@pytest.mark.long
def test_a_match_left_for_good_does_not_come_back_by_the_profile(app: App, friend: App, server: Server) -> None:
    match = begin(app, friend, server)
    assert match in listed(app)
    app.go.hand_back(app.seats.all()[0])
    until(app, lambda: isinstance(app.screen, GamesScreen) and not app.seats.all())
    assert listed(app) == {}


@pytest.mark.long
def test_a_dead_server_is_told_in_words_and_its_seats_stay(app: App, server: Server, shoot: Shoot) -> None:
    open_table(app, server)
    app.go.menu()
    server.kill()
    seats = listed(app)
    assert [seat.state for seat in seats.values()] == ["gathering"]
    assert [app.rounds.trouble(seat) for seat in seats.values()] == ["No server is listening at that address."]
    shoot(app, "my_games_dead")


def test_a_seat_of_which_a_server_knows_nothing_is_not_given_up(app: App, server: Server) -> None:
    open_table(app, server)
    (seat,) = app.seats.all()
    app.go.menu()
    app.seats.keep(replace(seat, match="nowhere", state="playing", mine=True))
    app.rounds.ask(at_once=True)
    seats = listed(app)
    assert (seats["nowhere"].state, seats[seat.match].state) == ("playing", "gathering")
    assert (
        "does not know this match" in app.rounds.trouble(seats["nowhere"])
        and app.rounds.trouble(seats[seat.match]) == ""
    )
    assert app.rounds.waiting == 0, "nobody waits there, as far as is known"


def test_a_server_is_one_however_its_address_is_typed(app: App) -> None:
    app.profiles.keep(Profile("Play.example.org", b"s" * 32))
    app.seats.keep(SavedSeat("play.example.org ", "m1", bytes(32)))
    (question,) = app.rounds._questions()
    assert (question.secret, question.held) == (b"s" * 32, (("m1", bytes(32)),))


def test_ones_own_turns_come_first(app: App) -> None:
    seats = [SavedSeat("127.0.0.1:9", f"m{n}", bytes(32), f"Title {n}", seen=HOUR * n, mine=n == 1) for n in range(3)]
    for seat in (*seats, SavedSeat(PRIVATE, "bots", bytes(32), mine=True, seen=HOUR * 9)):
        app.seats.keep(seat)
    app.go.games()
    assert isinstance(app.screen, GamesScreen)
    assert [seat.match for seat in app.screen._list.items] == ["m1", "bots", "m2", "m0"]


@pytest.mark.long
def test_the_command_line_lists_them_too(
    app: App, friend: App, server: Server, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = begin(app, friend, server)
    app.go.menu()
    kept = seats_of(Settings(file=str(home / "settings.json")))
    kept.keep(app.seats.all()[0])
    kept.keep(SavedSeat("127.0.0.1:9", "m9", bytes(32), "Elsewhere", game="classic", state="playing"))
    assert main(["games", "--json"]) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    found = first if first["match"] == match else second
    assert (found["server"], found["state"], found["unread"]) == (server.address, "playing", 0)
    assert found["mine"] or found["turn"] == "Marcus"
    assert "listening" in (second if found is first else first)["trouble"]
    assert main(["games"]) == 0
    said = capsys.readouterr().out
    assert "Elsewhere" in said and "No server is listening" in said and server.address in said
    assert not (home / "profiles").exists(), "to ask makes nobody known"


def test_a_question_is_asked_at_most_once_a_minute_and_never_waits(app: App) -> None:
    app.seats.keep(SavedSeat("127.0.0.1:9", "m1", bytes(32)))
    rounds = StatusPoller(app.seats, app.profiles, app.settings)
    rounds.ask()
    first = rounds._query
    rounds.ask(at_once=True)
    assert first is not None and rounds._query is first
    rounds.wait()
    assert rounds.news == 1
    rounds.ask()
    assert not rounds.asking


@pytest.mark.parametrize(("address", "why"), [
    ("1.2.3.4:9", "not be encrypted"), ("wss://127.0.0.1:1", "listening"), ("a b", "HOST or HOST:PORT"),
    ("hosted", "not running"),
])  # fmt: skip
def test_why_a_server_does_not_answer(address: str, why: str) -> None:
    with pytest.raises(NoAnswer, match=why):
        holdings(ServerQuery(address, "Livia", secret=bytes(32), bare=False))


def test_a_secret_made_in_safety_is_never_said_in_the_open(app: App) -> None:
    app.profiles.keep(Profile("127.0.0.1:9", b"s" * 32, secure=True))
    app.remote.begin("127.0.0.1:9", "Livia", lambda: None)
    assert app.remote.access._secret() == b""
    app.profiles.keep(Profile("127.0.0.1:9", b"s" * 32))
    assert app.remote.access._secret() == b"s" * 32


def test_profiles_are_one_small_file_each_and_a_damaged_one_is_put_aside(tmp_path: Path) -> None:
    seats = Seats()
    profiles = profiles_of(Settings(file=str(tmp_path / "settings.json")), seats)
    made = profiles.made("Play.example.org", secure=True)
    assert profiles.made(" play.example.org", secure=False) == made and len(made.secret) == 32
    assert profiles.made("other", secure=False).secret != made.secret
    for match in range(300):
        profiles.dismiss("play.example.org", f"m{match}")
    kept = Profiles(tmp_path / "profiles").of("play.example.org")
    assert (
        kept is not None and kept.secret == made.secret and kept.dismissed[-1] == "m299" and len(kept.dismissed) == 200
    )
    (file,) = [path for path in (tmp_path / "profiles").glob("*.json") if b"example" in path.read_bytes()]
    file.write_bytes(b"{")
    assert profiles.of("play.example.org") is None and [each.address for each in profiles.all()] == ["other"]
    assert seats.words == [f"A profile on a server cannot be read. Its file is {file.name}.damaged-1."]
    assert profiles.made("play.example.org", secure=True).secret != made.secret


def test_times_are_told_in_their_largest_unit() -> None:
    assert [span(seconds) for seconds in (-5, 59, 7199, 7200, 2 * 86400 - 1, 2 * 86400)] == [
        "0 min", "0 min", "119 min", "2 h", "47 h", "2 days",
    ]  # fmt: skip
    seat = SavedSeat("a", "m", bytes(32), since=1000.0, until=1000.0 + 10 * HOUR, unread=3, mine=True)
    assert timing_text(seat, 1000.0 + 3 * HOUR) == "since 3 h · 7 h left · 3 unread"
    assert timing_text(replace(seat, state="over", unread=0), 0.0) == ""
    assert is_awaited(seat) and not is_awaited(replace(seat, state="gone"))
    assert not is_awaited(replace(seat, address=PRIVATE))


def test_seats_in_memory_are_rekeyed_as_files_are() -> None:
    seats, seat = Seats(), SavedSeat("a", "m", bytes(32))
    seats.keep(seat)
    seats.rekey(replace(seat, token=b"x" * 32), b"y" * 32)
    assert seats.all() == [seat], "another window holds it"
    seats.rekey(seat, b"y" * 32)
    assert seats.all()[0].token == b"y" * 32
