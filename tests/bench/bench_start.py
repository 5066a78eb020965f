"""Time from the start of the program to a playable board: `python -m tests.bench.bench_start`.

Seconds from the start of the process to the first drawn menu, and to the drawn board of a private table: by the clock,
and of processor time on all threads. It runs in the window of the present screen or, if there is none, of an Xvfb.
Beside it: the times of the private server, and of the shutdown of both. The yardstick: a process that only loads
Arcade. The best of some runs counts, since the machine may be busy. Prints one JSON object."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.bench.bench_rest import screen

PROGRAMS: Final = {
    "yardstick: arcade": "import arcade; tell()",
    "menu": """
from client import command_line
from client.app import App

class First(App):
    def on_draw(self):
        super().on_draw()
        self.window.ctx.finish()
        tell()
        self.quit()

import client.window
client.window.App = First
command_line.main([])
""",
    "private table": """
from client import command_line
from client.app import App
from client.screens.table import TableScreen

class First(App):
    def on_draw(self):
        super().on_draw()
        if isinstance(self.screen, TableScreen) and self.screen.match.view is not None:
            self.window.ctx.finish()
            tell()
            self.quit()

import client.window
client.window.App = First
command_line.main(["play", "--ruleset", RULESET])
""",
}
"""Each calls `tell` once it is there."""
_TELL: Final = """
import time, json
def tell():
    print(json.dumps([time.time(), time.process_time()]), flush=True)
"""


def once(program: str, ruleset: str, environment: dict[str, str]) -> tuple[float, float, float]:
    """Seconds by the clock and of processor time, and what other processes took for it."""
    with tempfile.TemporaryDirectory() as home:
        environment = environment | {"CONQUEST_HOME": home}
        Path(home, "settings.json").write_text('{"name": "Ada"}')  # The program does not ask for one.
        words = f"RULESET = {ruleset!r}\n{_TELL}\n{program}"
        before = sum(os.times()[2:4])
        began = time.time()
        done = subprocess.run(
            [sys.executable, "-c", words], env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        whole = sum(os.times()[2:4]) - before
    at, spent = json.loads(done.stdout.splitlines()[0])
    return at - began, spent, whole - spent


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="of each (default: 5)")
    parser.add_argument("--ruleset", default="classic", help="the game at the table (default: classic)")
    args = parser.parse_args()
    found: dict[str, object] = {"load": os.getloadavg()[0]}
    with screen() as environment:
        for name, program in PROGRAMS.items():
            runs = [once(program, args.ruleset, environment) for _ in range(args.runs)]
            found[name] = {
                key: round(min(run[i] for run in runs), 2)
                for i, key in enumerate(("seconds", "processor_seconds", "and_after_or_beside"))
            }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
