"""What the window costs while nothing happens, unseen, and while something moves: `python -m tests.bench.bench_rest`.

Every case is a process of its own with the real loop of the program, in the window of the present screen or, where
there is none, of an Xvfb. By case: the share of a core that the process takes, on all its threads, and frames per
second. The yardstick, "drawn always": the same table with an event for every frame. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import CDLL
from itertools import pairwise
from time import perf_counter, process_time
from typing import Any, Final

from tests.support.screens import screen as hidden_screen

CASES: Final = (
    "menu", "table classic", "table mb1984", "table cote2", "minimised classic", "moving classic", "moving cote2",
    "drawn always classic",
)  # fmt: skip
SETTLE: Final = 4.0
"""Seconds until it is measured."""


@contextmanager
def screen() -> Iterator[dict[str, str]]:
    """The environment of a screen."""
    if "DISPLAY" in os.environ:
        yield dict(os.environ)
        return
    with hidden_screen(1600, 1000) as display:
        yield os.environ | {"DISPLAY": display}


def run(case: str, seconds: float) -> dict[str, object]:
    """One case, in this process."""
    import arcade
    import pyglet

    from client.games.still import LocalMatch
    from client.player.settings import Settings
    from client.screens.table import TableScreen
    from client.window import MOVING, GameWindow
    from shared.rulesets import registry

    drawn: list[float] = []

    class Counted(GameWindow):
        def on_draw(self) -> None:
            drawn.append(perf_counter())
            super().on_draw()

    window = Counted()
    how, _, game = case.rpartition(" ")
    result: dict[str, object] = {}

    def begin(_go: object) -> None:
        if how:
            app: Any = window.app
            match: Any = LocalMatch(registry.ruleset(game), 4, seed=3)
            for _ in range(120):
                match.step()
            match.seat = match.owed()[0]
            app.go.show(TableScreen(app, match))
            app.screen.top.hurry()
        pyglet.clock.schedule_once(lambda _dt: setting[how](), SETTLE / 2)
        pyglet.clock.schedule_once(measure, SETTLE)

    def minimise() -> None:
        # As a window manager does.
        real: Any = window
        CDLL("libX11.so.6").XUnmapWindow(real._x_display, real._window)

    def move() -> None:
        window.dispatch_event("on_mouse_scroll", 400, 400, 0, 4)
        turn(0.0)
        pyglet.clock.schedule_interval(turn, 1.0)

    held = [arcade.key.LEFT, arcade.key.RIGHT]

    def turn(_dt: float) -> None:
        window.dispatch_event("on_key_release", held[0], 0)
        held.reverse()
        window.dispatch_event("on_key_press", held[0], 0)

    def always() -> None:
        pyglet.clock.schedule_interval(lambda _dt: window.dispatch_event("on_activate"), MOVING)

    setting: dict[str, Callable[[], object]] = {
        "": int, "table": int, "minimised": minimise, "moving": move, "drawn always": always,
    }  # fmt: skip

    def measure(_dt: float) -> None:
        drawn.clear()
        began = perf_counter(), process_time()
        pyglet.clock.schedule_once(lambda _dt: done(*began), seconds)

    def done(began: float, spent: float) -> None:
        took = perf_counter() - began
        gaps = sorted(b - a for a, b in pairwise(drawn))
        result["core_percent"] = round(100 * (process_time() - spent) / took, 2)
        result["frames_per_second"] = round(len(drawn) / took, 1)
        if len(gaps) > seconds:
            result["median_ms"] = round(gaps[len(gaps) // 2] * 1000, 1)
            result["slowest_ms"] = round(gaps[-1] * 1000, 1)
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
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.here:
        print(json.dumps(run(args.case[0], args.seconds)))
        return
    with screen() as environment:
        found: dict[str, object] = {"load": os.getloadavg()[0]}
        for case in args.case or CASES:
            command = [sys.executable, "-m", "tests.bench.bench_rest", "--here", "--case", case]
            command += ["--seconds", str(args.seconds)]
            said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
            found[case] = json.loads(said)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
