"""The question for the player's name at the first contact, and the mark behind a name."""

from pathlib import Path

import pytest

from client.app import App
from client.player import settings
from client.player.presence import mark_words
from client.screens.menu import MenuScreen
from client.screens.name import NameScreen
from shared.messages import SeatInfo
from shared.tables import SeatKind


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


def test_the_first_start_asks_for_a_name_and_goes_on(app: App) -> None:
    app.settings.name, app.settings.guessed = "Ada", True
    app.go.ask_name(app.go.menu)
    screen = app.screen
    assert isinstance(screen, NameScreen)
    screen._type(" Livia ")
    screen.confirm()
    assert (app.settings.name, app.settings.guessed) == ("Livia", False)
    assert isinstance(app.screen, MenuScreen)


def test_a_mark_is_explained_where_it_stands() -> None:
    assert mark_words([SeatInfo(SeatKind.PERSON, "Ada")]) == ""
    assert mark_words([SeatInfo(SeatKind.PERSON, "Ada*")]).startswith("* behind a name:")
