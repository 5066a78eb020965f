"""Players can follow bots: what a bot did stays in sight for a moment, until a click or a key goes on."""

from collections.abc import Iterator
from typing import Any

import arcade
import pytest

from client.app import App
from client.drawing import theme
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.network.server_connection import Arrival
from client.screens.menu import MenuScreen
from client.table.tabletop import Tabletop
from shared import messages as m
from shared.rulesets.classic.definition import CLASSIC

CHAT = m.Said(0, "Livia", "Salve!")


@pytest.fixture
def top(window: arcade.Window) -> Tabletop[Any]:
    """Table at which another seat decides, and a bot's deed is looked at for a second."""
    match = LocalMatch(CLASSIC, 3, seed=5, seat=0)
    while match.is_mine:
        match.step()
    made: Tabletop[Any] = Tabletop(match, guide("classic"), RecordedCallbacks())
    made.callbacks.play_settings.bots = "short"
    made.place(*theme.BASE_SIZE)
    made.hear()
    made.events.hurry()
    made.events.linger()
    return made


def test_what_a_bot_did_stays_in_sight_for_a_moment(top: Tabletop[Any]) -> None:
    assert top.events.lingers
    top.update(0.3)
    assert top.events.lingers
    top.update(0.3)
    assert not top.events.lingers


def test_a_click_or_enter_goes_on(top: Tabletop[Any]) -> None:
    assert top.events.hurry(), "the click means nothing else"
    assert not top.events.lingers
    assert not top.events.hurry()


def test_nothing_is_looked_at_while_the_player_skips_to_their_turn(top: Tabletop[Any]) -> None:
    assert top.events.go_ahead()
    top.events.linger()
    assert not top.events.lingers


@pytest.mark.long
def test_pieces_that_fly_and_battles_take_no_time_from_it(top: Tabletop[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(top.display.motion), "flying", property(lambda motion: True))
    top.update(2.0)
    assert top.events.lingers


def test_messages_wait_while_the_table_shows_what_came_before(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Arrival] = []
    arrived: list[Arrival] = [CHAT, CHAT, CHAT]

    def poll() -> Iterator[Arrival]:
        while arrived:
            yield arrived.pop(0)

    monkeypatch.setattr(app.remote, "poll", poll)
    monkeypatch.setattr(app, "_hear", heard.append)
    monkeypatch.setattr(MenuScreen, "holding", property(lambda screen: len(heard) == 2), raising=False)
    app.on_update(0.1)
    app.on_update(0.1)
    assert (len(heard), len(arrived)) == (2, 1)
    monkeypatch.setattr(MenuScreen, "holding", False)
    app.on_update(0.1)
    assert (len(heard), len(arrived)) == (3, 0)
