"""Repeated runs of the default suite beside busy processes: `python -m tests.repeat [--runs 20] [--busy 2] [PATH ...]`.

Prints a line for each run, with every test that failed in it, and at the end how often each test failed. Exit status 1
if any did, or if a run ended in another way than by its tests.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from msgspec import Struct

from tests.support import signals

ROOT: Final = Path(__file__).parents[1]
TESTS_FAILED: Final = 1
"""Exit status of pytest."""


class Run(Struct, frozen=True):
    """Result of one run: seconds, number of tests that ran, failed tests, and an unusual exit status or 0."""

    seconds: float
    tests: int
    failed: tuple[str, ...]
    status: int

    def summary(self) -> str:
        """Return a line for each failure, after a line for the whole run."""
        lines = [f"{self.seconds:.0f} s, {self.tests} tests, {len(self.failed)} failed"]
        if self.status:
            lines.append(f"  pytest ended with exit status {self.status}")
        return "\n".join([*lines, *(f"  {name}" for name in self.failed)])


def once(arguments: Sequence[str]) -> Run:
    """Run pytest with these arguments."""
    with tempfile.TemporaryDirectory(prefix="repeat-") as folder:
        report = Path(folder, "report.xml")
        command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *arguments]
        began = time.monotonic()
        done = subprocess.run(
            command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        seconds = time.monotonic() - began
        cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
    failed = [
        f"{case.get('classname')}::{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]
    usual = done.returncode == 0 or (done.returncode == TESTS_FAILED and bool(failed))
    return Run(seconds, len(cases), tuple(failed), 0 if usual else done.returncode)


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep so many processes computing all the time."""
    started = [multiprocessing.Process(target=_compute, daemon=True) for _ in range(processes)]
    for process in started:
        process.start()
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.join()


def _compute() -> None:
    while True:
        pass


def largest_process() -> int:
    """Return the peak memory of the largest process of all runs so far in MiB (Linux)."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10


def main() -> int:
    """Run the suite, and print the results."""
    parser = argparse.ArgumentParser("tests.repeat", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=20, help="how many (default: 20)")
    parser.add_argument("--busy", type=int, default=2, help="processes that compute all the time (default: 2)")
    parser.add_argument("paths", nargs="*", help="tests to run (default: the default suite)")
    args = parser.parse_args()
    runs: list[Run] = []
    with busy(args.busy):
        for number in range(1, args.runs + 1):
            runs.append(once(args.paths))
            print(f"{number}: {runs[-1].summary()}", flush=True)
    seconds = [run.seconds for run in runs]
    failures = Counter(name for run in runs for name in run.failed)
    unusual = sum(run.status != 0 for run in runs)
    print(
        f"{len(runs)} runs: {failures.total()} failures, {unusual} ended early; "
        f"{statistics.median(seconds):.0f} s in the median, {max(seconds):.0f} s at most; "
        f"largest process {largest_process()} MiB"
    )
    for name, times in failures.most_common():
        print(f"{times:4} of {len(runs)}  {name}")
    return 1 if failures or unusual else 0


if __name__ == "__main__":
    signals.restore_defaults()
    sys.exit(main())
