"""Cost of the window at rest, unseen, and in motion: `python -m tests.bench.bench_rest`.

Every case is a process of its own with the real loop of the program. It runs in the window of the present screen or, if
there is none, of an Xvfb. By case: the share of a core that the process takes, on all its threads, and frames per
second.

"moving": a match of bots is played back to a player at the table, faster than people play. "panning": the board is
pulled to and fro, close by. Both last until there was motion for as long as is to be measured. Of that motion: frames
for each second, the milliseconds from each frame to the next, and the work in each. The yardstick, "drawn always": the
same table with an event for every frame. Prints one JSON object."""

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import CDLL
from time import perf_counter, process_time
from typing import Any, Final

from tests.support.screens import screen as hidden_screen

CASES: Final = (
    "menu", "table classic", "table mb1984", "table cote2", "minimised classic", "moving classic", "moving mb1984",
    "moving cote2", "panning classic", "drawn always classic",
)  # fmt: skip
SETTLE: Final = 4.0
"""Seconds until it is measured."""
LONGEST: Final = 120.0
"""Seconds that a case lasts at most."""
_PULL: Final = 6
"""Pixels from one event of a mouse that pulls to the next."""
_TURN: Final = 40
"""So many of them, and it goes back."""


@contextmanager
def screen() -> Iterator[dict[str, str]]:
    """The environment of a screen."""
    # Without a window nothing ever rests: Arcade then draws as fast as it can, and the clock that ends the run stands.
    shown = {name: value for name, value in os.environ.items() if name != "ARCADE_HEADLESS"}
    if "DISPLAY" in shown:
        yield shown
        return
    with hidden_screen(1600, 1000) as display:
        yield shown | {"DISPLAY": display}


def run(case: str, seconds: float, warm: float) -> dict[str, object]:
    """Run one case in this process."""
    import arcade
    import pyglet

    from client.player.settings import Settings
    from client.screens.table import TableScreen
    from client.window import MOVING, GameWindow
    from tests.bench.playback import Meter, Player, Recorded

    class Counted(GameWindow):
        def on_draw(self) -> None:
            super().on_draw()
            meter.frame()

    how, _, game = case.rpartition(" ")
    meter = Meter(lambda: how in ("panning", "drawn always"))
    window = Counted()
    result: dict[str, object] = {}

    def begin(_go: object) -> None:
        if how:
            app: Any = window.app
            match: Any = Recorded(game)
            gc.freeze()  # No player has all positions of a match to come.
            app.go.show(TableScreen(app, match))
            app.screen.top.events.hurry()
        pyglet.clock.schedule_once(lambda _dt: setting[how](), SETTLE / 2)
        pyglet.clock.schedule_once(measure, SETTLE + (warm if how in lively else 0.0))

    def minimise() -> None:
        # As a window manager does.
        real: Any = window
        CDLL("libX11.so.6").XUnmapWindow(real._x_display, real._window)

    def move() -> None:
        app: Any = window.app
        top: Any = app.screen.top
        app.remote.poll, meter.moving = Player(app.screen.match, top).poll, lambda: top.events.moving

    def pan() -> None:
        window.dispatch_event("on_mouse_scroll", 500, 400, 0, 4)
        window.dispatch_event("on_mouse_press", 500, 400, arcade.MOUSE_BUTTON_LEFT, 0)
        pyglet.clock.schedule_interval(pull, MOVING)

    pulled = 0

    def pull(_dt: float) -> None:
        nonlocal pulled
        way, pulled = (_PULL if pulled // _TURN % 2 else -_PULL), pulled + 1
        window.dispatch_event("on_mouse_drag", 500, 400, way, 0, arcade.MOUSE_BUTTON_LEFT, 0)

    def always() -> None:
        pyglet.clock.schedule_interval(lambda _dt: window.dispatch_event("on_activate"), MOVING)

    setting: dict[str, Callable[[], object]] = {
        "": int, "table": int, "minimised": minimise, "moving": move, "panning": pan, "drawn always": always,
    }  # fmt: skip
    lively = ("moving", "panning")

    def measure(_dt: float) -> None:
        meter.clear()
        wait(perf_counter(), process_time())

    def wait(began: float, spent: float) -> None:
        """Wait until enough was seen."""
        past = perf_counter() - began
        seen = meter.seconds if how in lively else past
        if seen < seconds and past < LONGEST:
            pyglet.clock.schedule_once(lambda _dt: wait(began, spent), max(0.1, min(seconds - seen, LONGEST - past)))
        else:
            done(past, process_time() - spent)

    def done(took: float, spent: float) -> None:
        result["core_percent"] = round(100 * spent / took, 2)
        result["frames_per_second"] = round(meter.count / took, 1)
        result.update(meter.read())
        result["renderer"] = window.ctx.info.RENDERER
        window.close()

    with tempfile.TemporaryDirectory() as home:
        os.environ["CONQUEST_HOME"] = home
        window.live(Settings(name="Livia"), begin)
    return result


def main() -> None:
    """Measure all cases, or those that are named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--case", choices=CASES, action="append", help="only these (default: all)")
    parser.add_argument("--seconds", type=float, default=8.0, help="how long each is measured (default: 8)")
    parser.add_argument("--warm", type=float, default=0.0, help="for how long it moves before that (default: 0)")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.here:
        print(json.dumps(run(args.case[0], args.seconds, args.warm)))
        return
    with screen() as environment:
        found: dict[str, object] = {"load": os.getloadavg()[0]}
        for case in args.case or CASES:
            command = [sys.executable, "-m", "tests.bench.bench_rest", "--here", "--case", case]
            command += ["--seconds", str(args.seconds), "--warm", str(args.warm)]
            said = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
            found[case] = json.loads(said)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
