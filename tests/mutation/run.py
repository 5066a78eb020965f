"""Putting faults into a copy of the tree and asking the tests that stand nearest first."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from tests.mutation.faults import Fault, faults_of, put_in

ROOT: Final = Path(__file__).parents[2]
MUTATED: Final = ("shared/kernel", "shared/mechanics", "shared/rulesets", "protocol", "server")
LEFT_OUT: Final = ("server/bots", "server/command_line.py")
COPIED: Final = ("shared", "protocol", "server", "client", "tests", "deploy", "pyproject.toml")
LIMIT: Final = 300.0
"""Seconds for one round of tests. A fault that makes them hang counts as noticed."""


class Tests(NamedTuple):
    """Tests for faults of the files below `folder`: the nearest first, then the wider ones."""

    folder: str
    near: tuple[str, ...]
    wide: tuple[str, ...]


_KEPT: Final = ("tests/play/test_recorded.py", "tests/play/test_verdicts.py")
_RULES: Final = (*_KEPT, "tests/play", "tests/server/test_match.py", "tests/server/test_views.py")
_SERVER: Final = ("tests/server", "tests/protocol", "tests/faults", "tests/bots/test_pool.py")


def _server(*names: str) -> tuple[str, ...]:
    return tuple([f"tests/server/test_{name}.py" for name in names])


TESTS: Final = (
    Tests("shared/rulesets/classic", ("tests/rulesets/classic",), (*_RULES, "tests/bots/test_classic_player.py")),
    Tests("shared/rulesets/mb1984", ("tests/rulesets/mb1984",), (*_RULES, "tests/bots/test_mb1984.py")),
    Tests("shared/rulesets/cote2", ("tests/rulesets/cote2",), (*_RULES, "tests/bots/test_cote2.py")),
    Tests("shared/rulesets/conquest", tuple(f"tests/rulesets/{game}" for game in ("conquest", "classic", "mb1984")),
          (*_RULES, "tests/bots/test_classic_player.py", "tests/bots/test_mb1984.py")),
    Tests("shared/rulesets", ("tests/shared",), ("tests/bots",)),
    Tests("shared/kernel", ("tests/kernel", "tests/server/test_match.py"), ("tests/bots", "tests/rulesets", *_RULES)),
    Tests("shared/mechanics", ("tests/mechanics", "tests/rulesets"), _RULES),
    Tests("protocol", ("tests/protocol",), ("tests/server",)),
    Tests("server/storage", _server("last_acknowledged", "database", "sqlite", "store_contract", "repair", "durability",
                                    "fencing"), _SERVER),
    Tests("server/matches", _server("match", "names", "members", "seats", "table", "table_bots", "membership",
                                    "match_history", "views", "abuse_limits", "durability", "fencing"), _SERVER),
    Tests("server/lobby", _server("lobby", "table", "abuse_limits", "seats", "fencing"), _SERVER),
    Tests("server/connections", _server("listener", "client_connection", "connection_limits", "admission", "framing",
                                        "sockets", "address_limits"), (*_SERVER, "tests/protocol/test_spec.py")),
    Tests("server/delivery", _server("delivery", "framing", "connection_limits", "admission"), _SERVER),
    Tests("server/tools", (*_server("serve", "headless_client", "repair", "seat_keys", "commands"),
                           "tests/bots/test_simulate.py"), ("tests/play", *_SERVER)),
    Tests("server", _server("log", "clock", "bus", "admission", "lobby"), _SERVER),
)  # fmt: skip


Verdict: TypeAlias = Literal["noticed", "hangs", "survived"]


class Finding(Struct, frozen=True):
    """Outcome of a fault; `by` is the test that noticed it."""

    fault: Fault
    verdict: Verdict
    by: str
    seconds: float


def sources() -> list[Path]:
    """Return the files that faults are put into."""
    return sorted(
        path
        for folder in MUTATED
        for path in (ROOT / folder).rglob("*.py")
        if not path.relative_to(ROOT).as_posix().startswith(LEFT_OUT)
    )


def sample(size: int, seed: int, only: str = "") -> list[Fault]:
    """Return `size` faults out of all, the same ones for the same code and seed."""
    named = [(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in sources()]
    found = [fault for name, source in named if only in name for fault in faults_of(name, source)]
    return random.Random(seed).sample(found, min(size, len(found)))


def run(faults: Sequence[Fault], jobs: int, wide: bool = True) -> Iterator[Finding]:
    """Try each fault, `jobs` at once, in the order in which they are given."""
    with tempfile.TemporaryDirectory(prefix="faults-") as folder, ThreadPoolExecutor(jobs) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for i in range(jobs):
            trees.put(_copy(Path(folder) / str(i)))
        yield from pool.map(lambda fault: _try(fault, trees, wide), faults)


def _copy(tree: Path) -> Path:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__", "shots"))
        else:
            shutil.copy(source, tree / name)
    return tree


def _try(fault: Fault, trees: "SimpleQueue[Path]", wide: bool) -> Finding:
    tree = trees.get()
    started = time.monotonic()
    file = tree / fault.path
    sound = file.read_text(encoding="utf-8")
    try:
        file.write_text(put_in(fault, sound), encoding="utf-8")
        tests = tests_of(fault.path)
        verdict, by = _ask(tree, tests.near)
        if verdict == "survived" and wide:
            verdict, by = _ask(tree, tests.wide)
    finally:
        file.write_text(sound, encoding="utf-8")
        trees.put(tree)
    return Finding(fault, verdict, by, time.monotonic() - started)


def tests_of(path: str) -> Tests:
    """The tests that are asked about a file."""
    return next(tests for tests in TESTS if path.startswith(tests.folder))


def _ask(tree: Path, tests: Sequence[str]) -> tuple[Verdict, str]:
    """Run tests until the first one fails; return the verdict and that test."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:randomly",
               "-o", "addopts=-m 'not long and not exhaustive'", "-o", "timeout=60", *tests]  # fmt: skip
    # Without files of byte code: two versions of a source can have the same size and second.
    surroundings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tree)}
    try:
        done = subprocess.run(
            command, cwd=tree, env=surroundings, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return "hangs", ""
    if done.returncode == 0:
        return "survived", ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return "noticed", lines[0].partition(" - ")[0].split(" ", 1)[1] if lines else done.stderr.strip()[-200:]


def is_sound(tests: Sequence[str]) -> bool:
    """Whether the tests pass where nothing is wrong."""
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        return _ask(_copy(Path(folder) / "sound"), tests)[0] == "survived"
