"""The question for the player's name at the first contact, and the mark behind a name."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from client import command_line
from client.app import App
from client.drawing.fields import TextField
from client.network.local_players import LocalPlayers
from client.network.remote_server import RemoteServer
from client.player import settings
from client.player.seats import Seats
from client.player.settings import Settings
from client.player.table_options import TableOptions
from client.screens.create import CreateScreen
from client.screens.menu import MenuScreen
from client.screens.name import NameScreen
from client.screens.navigator import Navigator
from client.screens.room import RoomScreen
from client.text_client.text_program import TextProgram
from protocol.session import ClientSession
from shared.messages import Done, Refused, Rename
from tests.client.conftest import Server, until
from tests.client.screen_steps import arrive, press, screen_of, table_of


def wait_for(reader: TextProgram, reached: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not reached():
        assert time.monotonic() < end
        reader.update()
        time.sleep(0.001)


@pytest.mark.parametrize(("login", "offered"), [("ada", "Ada"), ("root", "Player"), ("", "Player")])
def test_the_login_name_is_offered_until_the_player_has_confirmed_one(
    login: str, offered: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.player.settings.settings_file", lambda: tmp_path / "settings.json")
    monkeypatch.setattr("getpass.getuser", lambda: login)
    mine = settings.load()
    assert (mine.name, mine.guessed) == (offered, True)
    mine.save()
    assert settings.load().guessed, "it was never confirmed"
    mine.guessed = False
    mine.save()
    again = settings.load()
    assert (again.name, again.guessed) == (offered, False)


def test_people_who_share_a_computer_are_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.player.settings.settings_file", lambda: tmp_path / "settings.json")
    mine = command_line._settings("", ("Ada", "Bob"))
    assert (mine.name, mine.guessed) == ("Ada", False)
    mine.keep_name("Livia")
    assert command_line._settings("", ("Ada", "Bob")).name == "Livia"


def test_the_first_start_asks_for_a_name_and_goes_on(app: App) -> None:
    app.settings.name, app.settings.guessed = "Ada", True
    app.go.ask_name(app.go.menu)
    screen = screen_of(app, NameScreen)
    field = screen.ui.focus
    assert isinstance(field, TextField) and field.selected == "Ada", "the first letter replaces a suggestion"
    screen._type(" Livia ")
    screen.confirm()
    assert (app.settings.name, app.settings.guessed) == ("Livia", False)
    assert isinstance(app.screen, MenuScreen)


def test_an_empty_name_is_refused_in_a_sentence(app: App) -> None:
    app.settings.name, app.settings.guessed = "Ada", False
    app.go.ask_name(app.go.menu)
    asked = screen_of(app, NameScreen)
    asked._type("  ")
    asked.confirm()
    assert app.screen is asked and app.toasts.words == ["Please enter your name."]
    app.toasts.clear()
    form = CreateScreen(app, "play")
    app.go.show(form)
    form._name("  ")
    form.confirm()
    assert isinstance(app.screen, CreateScreen) and app.toasts.words == ["Please enter your name."]
    assert app.settings.name == "Ada", "the name before is not lost"


def test_the_program_goes_on_to_the_menu_after_the_question(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Callable[[Navigator], object]] = []

    def opened(_mine: Settings, begin: Callable[[Navigator], object], *, in_words: Callable[[], int]) -> int:
        begun.append(begin)
        return 0 if callable(in_words) else 1

    monkeypatch.setattr(command_line, "_open_window", opened)
    assert command_line.main([]) == 0
    app.settings.guessed = True
    command_line._after_name(app.settings, begun[0])(app.go)
    screen = screen_of(app, NameScreen)
    screen.confirm()
    assert isinstance(app.screen, MenuScreen)


def test_names_are_changed_in_the_room(app: App, server: Server) -> None:
    app.settings.file = None
    app.go.server(server.address, lambda: app.remote.create(TableOptions(seats=3)))
    arrive(app, RoomScreen)
    press(app, "Change name")
    assert isinstance(app.screen, NameScreen)
    app.screen._type(" Octavia ")
    app.screen.confirm()
    assert isinstance(app.screen, RoomScreen)
    until(app, lambda: table_of(app).seats[0].name == "Octavia" == app.settings.name)
    assert app.remote.access.session is not None
    assert app.remote.access.session.name == "Octavia", "for the greeting after a lost connection"
    press(app, "Change name")
    app.screen.back()
    assert table_of(app).seats[0].name == "Octavia"


def test_the_text_client_changes_the_name(server: Server) -> None:
    said: list[str] = []
    reader = TextProgram(Settings(name="Ada"), said.append)
    reader.open(server.address, TableOptions(seats=3))
    wait_for(reader, lambda: reader.remote.match is not None)
    for typed in ("name", "name " + "x" * 25, "name Octavia"):
        reader.read(typed)
    wait_for(reader, lambda: reader._settings.name == "Octavia")
    wait_for(reader, lambda: any("Octavia (new) (host) (you)" in line for line in said))
    assert "Say which name: “name Livia”." in said
    assert any(line.startswith("A name has at most 24 letters") for line in said)


def test_a_person_at_a_shared_computer_changes_only_their_name_at_the_table() -> None:
    first = RemoteServer(Seats(), print)
    sent: list[Rename] = []

    def send(message: Rename) -> bool:
        sent.append(message)
        return True

    first.send = send  # type: ignore[method-assign, assignment]
    people, kept = LocalPlayers(first, Seats(), print), list[str]()
    people.share(("Ada", "Bob"))
    people.rename("Ida", kept.append)
    first.hear(Refused(sent[0].ref, "name", "", "No."))
    assert people.leader == "Ada"
    people.rename("Ida", kept.append)
    first.access.session = ClientSession("Ada")
    first.hear(Done(sent[1].ref))
    assert (people.name(0), people.name(1), first.holding.person, kept) == ("Ida", "Bob", "Ida", [])
