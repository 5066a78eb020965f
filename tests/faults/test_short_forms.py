"""Every program of `tests/bench` and `tests/faults` runs in its shortest form, and prints what it is for."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Struct

from tests.faults.floods import can_enter
from tests.support.browsers import CHROMIUM

ROOT: Final = Path(__file__).parents[2]
MODULES: Final = {
    f"{folder}.{path.stem}": path
    for folder in ("bench", "faults")
    for path in sorted((ROOT / "tests" / folder).glob("*.py"))
    if not path.name.startswith(("test_", "__"))
}
PROGRAMS: Final = [name for name, path in MODULES.items() if '__name__ == "__main__"' in path.read_text("utf-8")]


class Short(Struct, frozen=True):
    """Arguments of a program's shortest run, what its output must contain (a pattern), and its exit status."""

    arguments: str
    output: str
    status: int = 0


SHORT: Final = {
    "bench.advice": Short("--positions 1 --rollouts 1 --seats 2", r"\n1 positions of 1 matches, \d+ faults"),
    "bench.bench_abandoned": Short("--matches 2 --seconds 0.1 --settled 0.1", '"resting_matches": '),
    "bench.bench_bots": Short("--matches 1 --actions 40", '"bot_p95": '),
    "bench.bench_browsers": Short("--pairs 1 --seconds 0.2", '"action_ratio": '),
    "bench.bench_bytes": Short("--ruleset classic --seats 2", '"delta_mean": '),
    "bench.bench_catan": Short("--rounds 1 --json", '"beside": '),
    "bench.bench_choices": Short("--matches 1", '"ratio_of_labels": (.|\n)*"ratio_of_labels": '),
    "bench.bench_cluster": Short("--actions 80 --crowd 2 --parts cost", '"append_per_commit": '),
    "bench.bench_crowd": Short("--spectators 2 --rounds 1", '"uvloop, 2 spectators": '),
    "bench.bench_drain": Short("--tables 2 --people 1", '"pause": (.|\n)*"wrong": \\[\\]'),
    "bench.bench_kernel": Short("--rounds 1", '"normal_6_seats": '),
    "bench.bench_library": Short("--rounds 1 --json", '"share": '),
    "bench.bench_loop": Short("--ruleset mb1984 --spectators 1 --rounds 1", '"uvloop_per_asyncio": '),
    "bench.bench_nearby": Short("--seconds 0.5 --rate 200", '"honest_listed": '),
    "bench.bench_odds": Short("--rounds 1", '"ratio": '),
    "bench.bench_page": Short("--taps 2 --hidden 0.1", '"hidden_share_of_a_core": '),
    "bench.bench_recall": Short("--exports 6 --connections 1 --each 1 --seconds 0.2", '"record_median": '),
    "bench.bench_replay": Short("--ruleset cote2 --positions 2", '"seek_worst": '),
    "bench.bench_rest": Short("--seconds 0.2 --case menu", '"menu": '),
    "bench.bench_start": Short("--runs 1", '"private table": {\n *"seconds": [1-9.]'),
    "bench.bench_screens": Short("640x480 --pictures 1", "sheet cote2, battle: Odds"),
    "bench.bench_table": Short("640x480 cote2 --frames 1", '"battle": '),
    "bench.bench_typing": Short("--repeats 1", '"keystroke_at_the_table": '),
    "bench.bench_wake": Short("--matches 2 --long 1 --finished 2 --seconds 0.2", '{".*}'),
    "bench.bench_watching": Short("--ruleset classic --seats 2 --onlookers 1", '"plain": '),
    "bench.bench_wire": Short("--actions 2 --players 2 --spectators 1", '"per_bare_commit": '),
    "bench.blunders": Short("--games 1 --seats 2 --rounds 2", '"games": 1, "decisions": [1-9]'),
    "bench.comparison": Short(f"{sys.executable} --only bench_bytes --pairs 1 --short", "bench_bytes: not worse"),
    "bench.learn": Short("--ruleset classic --games 1 --check", r"all: [1-9]\d* positions; likelihood -\d"),
    "bench.play_now": Short("--people 300 --days 1", r"play now +\d+\.\d%(.|\n)*queues +\d"),
    "bench.tune": Short("--ruleset cote2 --games 1", r"sailing\.STRAIT: "),
    "bench.usage": Short("--seats 2 --games 1 --level easy --json", "^{"),
    "faults.attacks": Short("greetings --target 127.0.0.1:9 --seconds 1", '"tried":[1-9]'),
    "faults.cluster": Short("--minutes 0.1 --faults 1 --kind owner-killed --longest 1 --json", '"lost":\\[\\]'),
    "faults.conformance": Short("--suite /nowhere --python false", r"The suite did not run\.", 1),
    "faults.cuts": Short("--cuts 10 --workloads 1 --seed 2", "0 of 10 cuts lost or mixed up something"),
    "faults.evening": Short("--guests 10 --members 2 --seconds 3", "every abuse stayed within its limits"),
    "faults.files": Short("--files 20", '"most_bytes": '),
    "faults.flips": Short("--flips 10 --workloads 1", "0 matches were served as what they were not"),
    "faults.floods": Short("--seconds 0.2 --attackers 1 --only chat", r"\nchat +1 "),
    "faults.interruptions": Short("example --rounds 1", "example: {'well': 1}"),
    "faults.kills": Short("--kills 4", "4 kills, [1-9][0-9]* acknowledged actions, none lost"),
    "faults.messages": Short("--count 100", "\n0 faults"),
    "faults.sabotage": Short("forget-the-fence serve --help", "conquest-server serve"),
    "faults.simulation": Short("--seeds 1 --processes 1", "0 of 1 seeds went wrong"),
    "faults.soak": Short("--minutes 0.05 --tables 1", "memory of the server: "),
    "faults.tampering": Short("--files 5", '"accepted": {}'),
}
SPEED: Final = ("faults.evening", "faults.floods", "faults.soak")
"""Programs whose verdict a busy machine may turn: here their output counts, and a verdict against is no failure."""
ABSENT: Final = {
    "bench.bench_catan": importlib.util.find_spec("catanatron") is None,
    "bench.bench_page": not CHROMIUM,
    "faults.floods": not can_enter(),
}
"""Whether what a program needs is missing on this machine."""


def test_every_program_has_a_short_form() -> None:
    assert sorted(SHORT) == sorted(PROGRAMS)


@pytest.mark.long
def test_modules_that_are_no_programs_can_be_imported() -> None:
    for name in set(MODULES) - set(PROGRAMS):
        importlib.import_module(f"tests.{name}")


@pytest.mark.long
@pytest.mark.parametrize("name", SHORT)
def test_a_program_runs_in_its_shortest_form(name: str) -> None:
    if ABSENT.get(name):
        pytest.skip("what it needs is not on this machine")
    short = SHORT[name]
    command = [sys.executable, "-m", f"tests.{name}", *short.arguments.split()]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    # In a group of its own: a program that hangs is ended with all that it has started.
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True, **pipes) as program:
        try:
            printed, _ = program.communicate(timeout=110)
        except BaseException:
            os.killpg(program.pid, signal.SIGKILL)
            raise
    assert program.returncode in ((0, 1) if name in SPEED else (short.status,)), printed
    assert re.search(short.output, printed), printed
    assert "Traceback" not in printed
