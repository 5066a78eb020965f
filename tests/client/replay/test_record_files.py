"""Recorded matches in files: opened from the command line and from the list, refused in words."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from arcade import key

from client import command_line
from client.app import App
from client.replay.film import BadFilm
from client.replay.record_files import opened, place_of, recorded_matches, shown
from client.screens.navigator import Navigator
from client.screens.records import OpenScreen
from client.screens.replay import ReplayScreen
from client.window import GameWindow
from protocol import codec
from protocol.record import BadRecord, Record, Sitter, write
from shared.history import GENESIS, chain
from shared.rulesets.registry import ruleset
from tests.client.conftest import Shoot
from tests.client.replay.films import entries_of, film_of, recorded
from tests.client.screen_steps import screen_of

SEATS = (Sitter("Livia"), Sitter("Marcus", "hard"), Sitter("", "easy"), Sitter("Gaius"))


def record_of(game: str = "cote2", **changed: object) -> Record:
    """A recorded match as it stands in a file."""
    recording = recorded(game)
    log = tuple(codec.encode(entry) for entry in entries_of(recording))
    check = GENESIS
    for written in log:
        check = chain(check, written)
    whole = Record("m1", "Friday", game, ruleset(game).version, recording.options, SEATS, log, check)
    return msgspec.structs.replace(whole, **changed)


@pytest.fixture
def kept(tmp_path: Path, home: Path) -> Path:
    """A file where the program looks for it."""
    path = home / "matches" / "friday.conquest"
    path.parent.mkdir(parents=True)
    path.write_bytes(write(record_of()))
    return path


def test_a_file_is_a_film(kept: Path) -> None:
    match = opened(kept)
    film = film_of(recorded("cote2"))
    assert match.title == "Friday"
    assert [info.name for info in match.seats] == ["Livia", "Marcus", "", "Gaius"]
    assert match.film.last == film.last
    assert all(match.film.view(film.last, one) == film.view(film.last, one) for one in film.audiences)


def test_hands_that_were_not_open_stay_closed() -> None:
    assert shown(record_of(open_hands=False)).film.audiences == (None,)
    assert shown(record_of()).film.audiences == (None, 0, 1, 2, 3)


def test_undisplayable_matches_are_refused_in_words(tmp_path: Path, kept: Path) -> None:
    with pytest.raises(BadFilm, match=r"nothing\.conquest cannot be read: No such file"):
        opened(tmp_path / "nothing.conquest")
    large = tmp_path / "large.conquest"
    with large.open("wb") as file:
        file.truncate(1 << 24)
    with pytest.raises(BadFilm, match="too large"):
        opened(large)
    kept.write_bytes(kept.read_bytes()[:-9])
    with pytest.raises(BadRecord):
        opened(kept)
    with pytest.raises(BadFilm, match="by other rules"):
        shown(record_of(version=1))
    with pytest.raises(ValueError, match="tic-tac-toe"):
        shown(record_of(ruleset="tic-tac-toe"))
    with pytest.raises(BadFilm, match="cannot be followed"):
        shown(record_of("classic", ruleset="mb1984", version=ruleset("mb1984").version, options={}))


def test_files_are_found_and_named(kept: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    older = tmp_path / "older.conquest"
    older.write_bytes(b"")
    os.utime(older, (1, 1))
    assert recorded_matches() == [kept.resolve(), older.resolve()]
    assert place_of(f" '{kept}' ") == kept
    assert place_of("file:///tmp/my%20match.conquest") == Path("/tmp/my match.conquest")
    assert place_of("~/a.conquest") == tmp_path / "a.conquest"


@pytest.mark.parametrize("words", [["replay"], []], ids=["typed", "handed over by the system"])
def test_the_command_opens_it(app: App, kept: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    begun: list[Callable[[Navigator], object]] = []

    def window(_settings: object, begin: Callable[[Navigator], object], **_more: str) -> int:
        begun.append(begin)
        return 0

    monkeypatch.setattr(command_line, "_open_window", window)
    assert command_line.main([*words, str(kept)]) == 0
    begun[0](app.go)
    screen = screen_of(app, ReplayScreen)
    assert screen.screening.name(0) == "Livia"
    screen.replay_control.close()
    assert app.screen is not screen


def test_the_command_refuses_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["replay", str(tmp_path / "no.conquest")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert isinstance(command_line.parser(), argparse.ArgumentParser)


def test_it_is_opened_from_the_list(app: App, kept: Path, shoot: Shoot) -> None:
    app.go.games()
    app.go.open()
    screen = screen_of(app, OpenScreen)
    assert kept.resolve() in screen.files
    shoot(app, "open_match")
    app.screen.on_key_press(key.TAB, 0)
    screen.files = [kept]
    screen.relayout()
    screen._list.index = 0
    screen.confirm()
    replay: object = app.screen
    assert isinstance(replay, ReplayScreen)
    replay.replay_control.close()
    assert screen is app.screen
    screen.ui.set_focus(screen.field)
    for letter in "/nowhere.conquest":
        app.screen.on_text(letter)
    screen.confirm()
    assert any("cannot be read" in words for words in app.toasts.words)
    screen.back()
    shown_then: object = app.screen
    assert shown_then is not screen


class Pane:
    """A window that has nothing but the program."""

    def __init__(self, app: App) -> None:
        self.app = app

    def drop(self, *paths: Path) -> None:
        GameWindow.on_file_drop(self, 5, 5, [str(path) for path in paths])  # type: ignore[arg-type]


def test_a_file_that_is_dropped_on_the_window_is_opened(app: App, kept: Path) -> None:
    pane, before = Pane(app), app.screen
    pane.drop()
    pane.drop(kept.with_name("none.conquest"))
    assert app.screen is before
    assert any("cannot be read" in words for words in app.toasts.words)
    pane.drop(kept)
    replay: object = app.screen
    assert isinstance(replay, ReplayScreen)
    replay.replay_control.close()
