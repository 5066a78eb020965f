"""Comparison with an older release: `python -m tests.bench OTHER_PYTHON`, about ten minutes on a quiet machine.

OTHER_PYTHON belongs to an environment in which that release is installed. The benchmarks of this checkout run in turn
with each of the two, so that a busy minute slows both. A figure that is 15 % worse in the middle of all pairs is named,
and the exit status is then 1. Benchmarks that the older release cannot run are named too. Where internal names have
changed, give its own benchmarks with `--tests`: figures of the same name are compared then."""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct

ROOT: Final = Path(__file__).parents[2]
WORSE: Final = 1.15
"""Ratio from which a figure is named."""
Figures: TypeAlias = dict[str, float]


class Benchmark(Struct, frozen=True):
    """Arguments of a benchmark and of its shortest form; patterns of the figures that should be low, or high."""

    arguments: str
    short: str
    low: str
    high: str = "(?!)"


BENCHMARKS: Final = {
    "bench_kernel": Benchmark("--rounds 3", "--rounds 1", r"\.us$", r"\.per_second$"),
    "bench_bytes": Benchmark("--ruleset cote2 --seats 4", "--ruleset classic --seats 2", "_mean$|snapshot|story"),
    "bench_odds": Benchmark("--rounds 3", "--rounds 1", r"\.ms$"),
    "bench_choices": Benchmark("--matches 3", "--matches 1", r"\.us\w*\.median$|\.bytes\w*\.median$"),
    "bench_wire": Benchmark(
        *("--actions 300 --players 6 --spectators 20", "--actions 2 --players 2 --spectators 1"),
        "_per_probe_echo$|per_bare_commit$|delta_mean$|snapshot$",
    ),
    "bench_replay": Benchmark(
        "--ruleset cote2 --positions 50", "--ruleset cote2 --positions 2", "pass$|seek_median$|from_start$"
    ),
    "bench_wake": Benchmark("--matches 50", "--matches 2 --long 1 --finished 2 --seconds 0.2", "ready_s$|wake_longest"),
    "bench_crowd": Benchmark("--spectators 500", "--spectators 2 --rounds 1", "ours_per_send$"),
}


def documents(printed: str) -> Iterator[Any]:
    """Yield all JSON objects in a program's output."""
    decoder, at = json.JSONDecoder(), printed.find("{")
    while at >= 0:
        found, end = decoder.raw_decode(printed, at)
        yield found
        at = printed.find("{", end)


def figures(printed: str) -> Figures:
    """Return the numbers in a program's output, by the path of names that leads to each."""
    found: Figures = {}
    for number, document in enumerate(documents(printed)):
        _collect(str(document.get("game", number)), document, found)
    return found


def _collect(path: str, value: object, found: Figures) -> None:
    if isinstance(value, Mapping):
        for name, part in value.items():
            _collect(f"{path}.{name}", part, found)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        found[path] = float(value)


def worse(benchmark: Benchmark, pairs: Sequence[tuple[Figures, Figures]]) -> list[str]:
    """Return a sentence for each figure that became worse. `pairs`: the older release's figures, and this one's."""
    found = []
    for name in pairs[0][1]:
        low = re.search(benchmark.low, name) is not None
        both = [(old[name], new[name]) for old, new in pairs if old.get(name, 0.0) > 0.0 and new.get(name, 0.0) > 0.0]
        if not both or not (low or re.search(benchmark.high, name)):
            continue
        ratio = statistics.median([new / old if low else old / new for old, new in both])
        if ratio >= WORSE:
            before, now = (statistics.median(side) for side in zip(*both, strict=True))
            found.append(f"{name.removeprefix('0.')}: {now:g} instead of {before:g}, {ratio:.2f} times as bad")
    return found


def measured(python: str, directory: Path, name: str, arguments: str) -> Figures | None:
    """Return the figures of a benchmark with one of the two interpreters; None if it failed."""
    command = [python, "-m", f"tests.bench.{name}", *arguments.split()]
    ran = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    if ran.returncode == 0:
        return figures(ran.stdout)
    print(f"{name} with {python}: {(ran.stderr.splitlines() or ['no output'])[-1]}", file=sys.stderr)
    return None


def compared(other: str, tests: Path, name: str, pairs: int, short: bool) -> list[str] | None:
    """Return what became worse in one benchmark; None if one of the two cannot run it."""
    benchmark = BENCHMARKS[name]
    arguments = benchmark.short if short else benchmark.arguments
    found: list[tuple[Figures, Figures]] = []
    with tempfile.TemporaryDirectory() as directory:
        # The other interpreter finds these tests, but its own packages.
        (Path(directory) / "tests").symlink_to(tests.absolute())
        for _ in range(pairs):
            old = measured(other, Path(directory), name, arguments)
            new = None if old is None else measured(sys.executable, ROOT, name, arguments)
            if old is None or new is None:
                return None
            found.append((old, new))
    return worse(benchmark, found)


def main() -> int:
    """Compare, and print what became worse."""
    parser = argparse.ArgumentParser("tests.bench", description=__doc__.split("\n")[0])
    parser.add_argument("other", metavar="OTHER_PYTHON", help="interpreter of the environment with the older release")
    parser.add_argument("--tests", type=Path, default=ROOT / "tests", help="folder of its tests (default: ours)")
    parser.add_argument("--only", action="append", choices=BENCHMARKS, help="only that benchmark; repeatable")
    parser.add_argument("--pairs", type=int, default=5, help="runs with each of the two (default: 5)")
    parser.add_argument("--short", action="store_true", help="the shortest form of each: its figures mean little")
    args = parser.parse_args()
    status = 0
    for name in args.only or BENCHMARKS:
        found = compared(args.other, args.tests, name, args.pairs, args.short)
        status = status or int(found != [])
        says = ["cannot be compared"] if found is None else found or ["not worse"]
        print("\n".join(f"{name}: {each}" for each in says), flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
