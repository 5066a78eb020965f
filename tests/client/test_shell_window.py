"""The real window, in a process of its own: its events reach the screen that is shown, and its end is the program's."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

EVENING = """
import os
os.environ["ARCADE_HEADLESS"] = os.environ["ARCADE_TEST"] = "True"  # No screen, and a single turn of the loop.

from arcade import key

from client.player.settings import Settings
from client.window import GameWindow

window = GameWindow()
shown = []

def name():
    shown.append(type(window.app.screen).__name__)

def begin(go):
    name()
    window.on_key_press(key.F1, 0)
    name()
    window.on_key_press(key.F1, 0)
    window.on_key_press(key.ESCAPE, 0)
    name()
    go.connect(watch=False)
    for letter in "rome":
        window.on_text(letter)
    window.on_text_motion(key.MOTION_BACKSPACE)
    name()
    shown.append(window.app.screen.ui.focus.value)
    window.on_mouse_motion(10, 20, 0, 0)
    window.on_resize(1400, 900)
    shown.append(str(window.app.mouse) + str(window.app.size))

settings = Settings(name="Livia", file="settings.json")
window.live(settings, begin)
shown.append(str(os.path.exists("settings.json")))
print(*shown, sep="|")
"""


def test_the_window_passes_its_events_on_and_keeps_the_settings_at_the_end(tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", EVENING]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    shown = done.stdout.strip().split("|")
    assert shown == ["MenuScreen", "HelpScreen", "MenuScreen", "ConnectScreen", "rom", "(10, 20)(1400, 900)", "True"]
