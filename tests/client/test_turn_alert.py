"""Turn alerts: each turn is announced once, in time, and in the focused window; else the system's attention is
requested."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import arcade
import pytest

from client.app import App
from client.games.static_match import LocalMatch
from client.network.local_players import LocalPlayers
from client.network.remote_server import RemoteServer
from client.player.seats import Seats
from client.player.settings import Settings, SoundSettings
from client.sound.mixer import Mixer
from client.sound.sounds import Sound
from client.turn_alert import YOUR_TURN, TurnAlert
from client.window import beckon
from shared.rulesets.classic.actions import Form
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.frames import Auction, Turn
from shared.vocabulary.actions import EndMovement, Fight
from tests.client.test_sound import Clock, Recorder
from tests.support.layout import sp
from tests.support.position import general, march, play, position
from tests.support.screens import screen

ROOT = Path(__file__).parents[2]


class Front:
    """A window that only remembers."""

    def __init__(self) -> None:
        self.attended = True
        self.title = ""
        self.beckons = False

    def entitle(self, words: str) -> None:
        self.title = words

    def beckon(self, on: bool) -> None:
        self.beckons = on


class Evening:
    """A match of which a herald hears."""

    def __init__(self, state: Any, seat: int = 0) -> None:
        match: Any = LocalMatch(CLASSIC, state.seats, seat=seat)
        match.state, match.fresh = state, True
        self.match = match
        self.remote = RemoteServer(Seats(), lambda words: None)
        self.remote.match = self.match
        self.front, self.recorder, self.clock = Front(), Recorder(), Clock()
        self.herald = TurnAlert(
            LocalPlayers(self.remote, Seats(), print), Mixer(SoundSettings(), self.recorder, self.clock), self.front
        )

    def look(self, *, showing: bool = False) -> int:
        """Time passes; how many trumpets were heard."""
        self.clock.now += 60
        self.recorder.heard.clear()
        self.herald.update(showing)
        self.herald.update(showing)
        assert {sound for sound, _ in self.recorder.heard} <= {Sound.TRUMPET}
        return len(self.recorder.heard)

    def play(self, *steps: Any) -> None:
        self.match.state = self.match.state.clone()
        play(self.match.state, *steps)


def turn(seat: int) -> Any:
    return position(homes=("italia", "egyptus"), turn=seat)


def at_war() -> Any:
    return position(
        homes=("italia", "egyptus"), owners={"neapolis": 1},
        units={"italia": {0: (6, 2, 1)}, "neapolis": {1: (4, 1, 1)}},
        leaders={"italia": [general(0)], "neapolis": [general(1)]},
    )  # fmt: skip


def test_a_turn_of_ones_own_has_one_trumpet_and_the_title_says_it_as_long_as_it_lasts() -> None:
    evening = Evening(turn(1))
    assert evening.look() == 0 and evening.front.title == ""
    evening.match.state = turn(0)
    assert evening.look() == 1 and evening.front.title == YOUR_TURN
    assert evening.look() == 0
    evening.play((0, EndMovement()))
    assert evening.look() == 0 and evening.front.title == YOUR_TURN, "the same turn goes on"
    evening.match.state = turn(1)
    assert evening.look() == 0 and evening.front.title == ""
    assert not evening.front.beckons, "he looked all the time"


def test_a_decision_in_the_turn_of_another_is_in_the_title_alone() -> None:
    evening = Evening(at_war(), seat=1)
    evening.play((0, march("italia", "neapolis", general(0), 4, 2, 1)), (0, EndMovement()))
    evening.play((0, Fight(sp("neapolis"), 1)), (0, Form(4, 2, 0)), "ii....")
    assert 1 in evening.match.owed()
    assert evening.look() == 0 and evening.front.title == YOUR_TURN


def test_an_alert_sounds_where_the_window_is_hidden_and_the_system_asked() -> None:
    evening = Evening(at_war(), seat=1)
    evening.front.attended = False
    assert evening.look() == 0 and not evening.front.beckons
    evening.play((0, march("italia", "neapolis", general(0), 4, 2, 1)), (0, EndMovement()))
    evening.play((0, Fight(sp("neapolis"), 1)), (0, Form(4, 2, 0)), "ii....")
    assert evening.look() == 1 and evening.front.beckons
    assert evening.look() == 0 and evening.front.beckons, "until he comes"
    evening.front.attended = True
    assert evening.look() == 0 and not evening.front.beckons
    assert evening.front.title == YOUR_TURN


def test_attention_is_no_longer_asked_for_once_a_bot_has_decided() -> None:
    evening = Evening(turn(1))
    evening.look()
    evening.front.attended = False
    evening.match.state = turn(0)
    assert evening.look() == 1 and evening.front.beckons
    evening.match.state = turn(1)
    assert evening.look() == 0
    assert not evening.front.beckons and evening.front.title == ""


def test_nothing_is_said_before_the_battle_that_led_to_it_has_been_seen() -> None:
    evening = Evening(turn(0))
    assert evening.look(showing=True) == 0 and evening.front.title == ""
    assert evening.look() == 1


def test_missed_events_are_shown_silently() -> None:
    evening = Evening(turn(0))
    evening.match.fresh = False
    evening.front.attended = False
    assert evening.look() == 0
    assert evening.front.title == YOUR_TURN and evening.front.beckons


def test_spectators_and_clients_without_a_table_have_no_turn() -> None:
    evening = Evening(turn(0), seat=-1)
    assert evening.look() == 0 and evening.front.title == ""
    evening = Evening(turn(0))
    evening.look()
    evening.remote.match = None
    assert evening.look() == 0 and evening.front.title == ""


def test_every_round_of_the_second_game_calls_once(window: arcade.Window) -> None:
    """Whole seasons: a fanfare sounds for each auction that reaches the player, and for each turn."""
    evening = Evening(turn(1))
    match: Any = LocalMatch(COTE2, 3, seed=4, seat=0)
    match.fresh = True
    evening.remote.match = match
    calls, trumpets = set(), 0
    for _ in range(400):
        trumpets += evening.look()
        if match.seat in match.owed() and isinstance(match.view.frames[-1], Auction | Turn):
            calls.add((type(match.view.frames[-1]), match.view.season, match.view.round))
        if not match.step():
            break
    assert trumpets == len(calls) >= 10


def test_the_program_lets_its_herald_look_around(window: arcade.Window) -> None:
    front, recorder = Front(), Recorder()
    app = App(window, Settings(name="Livia"), recorder, front)
    match: Any = LocalMatch(CLASSIC, 2, seat=0)
    match.state, match.fresh, match.over = turn(0), True, False
    app.remote.match = match
    app._usher.update = lambda: None  # type: ignore[method-assign]
    app.on_update(1 / 60)
    assert front.title == YOUR_TURN and recorder.heard[0][0] is Sound.TRUMPET
    app.remote.match = None
    app.on_update(1 / 60)
    assert front.title == ""
    app.close()


# The window of the system

LOOK = """
from pyglet.libs.x11 import xlib
from client.window import GameWindow, beckon

window = GameWindow((1024, 680))

def urgent():
    hints = xlib.XGetWMHints(window._x_display, window._window)
    return bool(hints) and bool(hints.contents.flags & xlib.XUrgencyHint)

print(urgent(), beckon(window, True), urgent(), beckon(window, False), urgent())
print(window.attended, end=" ")

def happens(event):
    window.dispatch_event(event)
    window.dispatch_events()  # Until the loop runs they wait in a queue.

happens("on_deactivate")
print(window.attended, end=" ")
happens("on_activate")
print(window.attended, end=" ")
happens("on_hide")
print(window.attended)
window.entitle("Your turn")
print(window.caption)
window.entitle("")
print(window.caption)
"""


@pytest.mark.long
@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="needs Xvfb")
def test_a_window_of_x11_wears_the_hint_and_the_title() -> None:
    clean = {name: value for name, value in os.environ.items() if name != "ARCADE_HEADLESS"}
    with screen(1280, 1024) as display:
        env = clean | {"DISPLAY": display, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", LOOK]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "False True True True False", "True False True False",
        "Your turn · Conquest of the Empire", "Conquest of the Empire",
    ]  # fmt: skip


def test_no_turn_alert_on_systems_without_support(window: arcade.Window) -> None:
    assert not beckon(window, True)
