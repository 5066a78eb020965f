"""The real window, in a process of its own: its events reach the screen that is shown, and its end is the program's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.drawing import theme

ROOT = Path(__file__).parents[2]

EVENING = """
import os
os.environ["ARCADE_HEADLESS"] = os.environ["ARCADE_TEST"] = "True"  # No screen, and a single turn of the loop.

from arcade import key

from client.drawing import shapes
from client.player.settings import Settings
from client.screens.table_base import TableBaseScreen
from client.table.pane import Stepper
from client.window import GameWindow
from tests.client.test_table_keys import marching

now = [0.0]
window = GameWindow(clock=lambda: now[0])
print(shapes.kept("Rome").label.document.get_font().name)
shown = []

def name():
    shown.append(type(window.app.screen).__name__)

def pause(seconds=0.4):
    window.on_draw()
    now[0] += seconds

def click(widget):
    window.on_mouse_press(int(widget.rect.x), int(widget.rect.y), 1, 0)
    window.on_mouse_release(int(widget.rect.x), int(widget.rect.y), 1, 0)
    pause(0.1)  # The second click of a double click comes then.

def haste(go):
    hands = marching(talents=(200, 0))
    board = TableBaseScreen(window.app)
    board.top, board.controls, bar = hands.top, hands.controls, hands.top.tasks.bar
    ends = lambda: next(w for w in bar.ui.widgets if "nd" in getattr(w, "words", "") and w.focusable)
    go.show(board)
    click(ends())  # It was not drawn yet.
    pause()
    click(ends())
    click(ends())
    said = [ends().words]
    pause()
    window.on_key_press(key.ESCAPE, 0)
    pause()
    window.on_key_press(key.SPACE, 0)
    pause(0.1)
    window.on_key_press(key.SPACE, 0)
    said.append(ends().words)
    pause()
    window.on_key_press(key.SPACE, 0)
    said.append(type(hands.top.task).__name__)
    hands.settle()
    pause()
    said.append(type(hands.top.task).__name__)
    more = lambda: next(w for w in bar.ui.widgets if isinstance(w, Stepper))
    for _ in range(3):
        click(more())
    shown.append(" ".join([*said, str(more().count)]))

def begin(go):
    name()
    window.on_draw()
    window.on_key_press(None, 0)
    window.on_key_press(key.F1, 0)
    name()
    window.on_draw()
    window.on_key_press(key.F1, 0)
    window.on_draw()
    window.on_key_press(key.ESCAPE, 0)
    name()
    go.connect(watch=False)
    window.on_text("lost")
    window.on_draw()
    for letter in "rome":
        window.on_text(letter)
    window.on_key_press(key.BACKSPACE, 0)
    window.on_text_motion(key.MOTION_BACKSPACE)
    window.on_text_motion(key.MOTION_BACKSPACE)
    name()
    shown.append(window.app.screen.ui.focus.value)
    window.on_mouse_motion(10, 20, 0, 0)
    window.on_resize(1400, 900)
    shown.append(str(window.app.mouse) + str(window.app.size))
    class Hosting(type(window.app.remote)):
        guests = ("Marcus",)
    window.app.remote.__class__ = Hosting
    window.on_close()
    name()
    window.on_draw()
    window.on_key_press(key.ESCAPE, 0)
    name()

    taken = []
    window.app.screen.on_key_press = lambda symbol, modifiers: taken.append(symbol)
    for press in (key.ENTER, key.TAB):
        window.on_key_press(press, 0)
    window.on_draw()
    window.on_key_press(key.TAB, 0)
    window.on_key_press(key.ENTER, 0)
    pause()
    window.on_key_press(key.ENTER, 0)
    shown.append(str(taken == [key.TAB, key.ENTER]))
    haste(go)

settings = Settings(name="Livia", file="settings.json")
window.live(settings, begin)
shown.append(str(os.path.exists("settings.json")))
print(*shown, sep="|")
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines that the evening prints."""
    room = tmp_path_factory.mktemp("evening")
    env = os.environ | {"PYTHONPATH": str(ROOT), "CONQUEST_HOME": str(room / "home")}
    command = [sys.executable, "-c", EVENING]
    done = subprocess.run(command, cwd=room, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.long
def test_the_first_words_are_already_in_the_font_of_the_game(said: list[str]) -> None:
    assert said[0] == theme.TEXT_FONT[0]


def test_the_window_passes_its_events_on_and_keeps_the_settings_at_the_end(said: list[str]) -> None:
    shown = said[1].split("|")
    assert shown == ["MenuScreen", "HelpScreen", "MenuScreen", "ConnectScreen", "ro", "(10, 20)(1400, 900)",
                     "AskScreen", "ConnectScreen", "True",
                     "Really end? Really end? Buying Buying 3", "True"]  # fmt: skip
