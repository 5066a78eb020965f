"""Whole matches against bots, from the menu to the standings, by somebody who has no mouse."""

from collections.abc import Iterator
from typing import Any

import pytest

from client.app import App
from client.drawing.widgets import Ui
from client.screens.create import CreateScreen
from client.screens.menu import MenuScreen
from client.screens.result import ResultScreen
from client.table.controls import Controls
from shared.rulesets.registry import RULESETS
from tests.client.conftest import at_the_board, until
from tests.client.pupil import Pupil

WANTED = {
    "classic": {"Moving", "Buying", "Placing"},
    "mb1984": {"Moving", "Buying", "Placing"},
    "cote2": {"TakingTurn", "Auctioning", "Deploying"},
}


@pytest.fixture(autouse=True)
def _no_mouse(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Bots are hasty, and whoever used the mouse would be told."""

    def never(*_: Any) -> None:
        raise AssertionError("there is no mouse")

    monkeypatch.setattr("client.network.child.PACE", 0.0)
    for part in (Controls, Ui):
        for event in ("mouse_press", "mouse_drag", "mouse_release", "mouse_scroll"):
            monkeypatch.setattr(part, event, never)
    yield


@pytest.mark.long
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
    until(app, lambda: isinstance(app.screen, ResultScreen))
    print(pupil.pressed, pupil.tasks)
    assert WANTED[game] <= set(pupil.tasks), pupil.tasks
    pupil.button("To the menu")
    assert isinstance(app.screen, MenuScreen)
