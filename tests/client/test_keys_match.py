"""Whole matches against bots, from the menu to the standings, by a player without a mouse."""

from collections.abc import Iterator
from typing import Any

import arcade
import pytest

from client.app import App
from client.drawing.widgets import Button, Ui
from client.games.static_match import LocalMatch
from client.keyboard.commands import Command
from client.screens.create import CreateScreen
from client.screens.menu import MenuScreen
from client.screens.result import ResultScreen
from client.table.mouse_input import MouseInput
from client.table.tabletop import Tabletop
from shared.rulesets.registry import RULESETS
from tests.client.conftest import at_the_board, until
from tests.client.keyboard_player import Pupil
from tests.client.mouse import Mouse
from tests.client.screen_steps import arrive
from tests.support.marks import with_releases

DECISIONS = 12
WANTED = {
    "classic": {"Moving", "Buying", "Placing"},
    "mb1984": {"Moving", "Buying", "Placing"},
    "cote2": {"TakingTurn", "Auctioning", "Deploying"},
}


@pytest.fixture(autouse=True)
def _no_mouse(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make bots fast, and fail the test if the mouse is used."""

    def never(*_: Any) -> None:
        raise AssertionError("there is no mouse")

    monkeypatch.setattr("client.network.server_process.PACE", 0.0)
    for part in (MouseInput, Ui):
        for event in ("mouse_press", "mouse_drag", "mouse_release", "mouse_scroll"):
            monkeypatch.setattr(part, event, never)
    yield


class Alone(Pupil):
    """At a table without a server."""

    def __init__(self, game: str, seed: int) -> None:
        super().__init__(None, seed)
        self.hands = Mouse(LocalMatch(RULESETS[game], 2, seed=seed).state, 0, RULESETS[game])

    @property
    def top(self) -> Tabletop[Any]:
        return self.hands.top

    def key(self, symbol: int, modifiers: int = 0) -> None:
        self.hands.controls.key_press(symbol, modifiers)
        self.hands.controls.key_release(symbol)
        self.top.hear()


@pytest.mark.usefixtures("window")
@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(RULESETS, "mb1984"))
def test_the_first_decisions_are_taken_by_keys(game: str) -> None:
    pupil = Alone(game, 3)
    match = pupil.hands.match
    for _ in range(DECISIONS):
        while not match.is_mine and match.step():
            pupil.hands.settle()
        version = match.version
        pupil.decide(lambda version=version: match.version > version)  # type: ignore[misc]
        pupil.hands.settle()
    assert len(pupil.tasks) > 1


def test_the_menu_of_the_table_is_used_by_keys(window: arcade.Window) -> None:
    pupil = Alone("classic", 3)
    menu = pupil.top.menu
    pupil.do(Command.MENU)
    assert menu.open
    words = []
    for _ in menu.page.entries:
        pupil.do(Command.NEXT)
        focus = menu.ui.focus
        assert isinstance(focus, Button)
        assert focus.marked
        words.append(focus.words)
    assert sorted(words) == sorted(entry.words for entry in menu.page.entries)
    while not (isinstance(menu.ui.focus, Button) and menu.ui.focus.words.startswith("Concede")):
        pupil.do(Command.NEXT)
    pupil.do(Command.PRESS)
    assert menu.page.title == "Concede"
    pupil.do(Command.BACK)
    pupil.do(Command.BACK)
    assert not menu.open


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", RULESETS)
def test_a_whole_match_is_played_by_keys(app: App, game: str) -> None:
    pupil = Pupil(app, 7)
    assert isinstance(app.screen, MenuScreen)
    pupil.button("Play against bots")
    assert isinstance(app.screen, CreateScreen)
    pupil.choose("Rule set", RULESETS[game].title)
    pupil.choose("Players", "2")
    pupil.choose("The others are", "easy")
    if game != "cote2":
        pupil.choose("Round limit", "1")
    pupil.button("To the table")
    until(app, lambda: at_the_board(app))
    pupil.play()
    arrive(app, ResultScreen)
    assert WANTED[game] <= set(pupil.tasks), pupil.tasks
    pupil.button("To the menu")
    assert isinstance(app.screen, MenuScreen)
