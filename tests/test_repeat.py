"""The script that repeats the suite beside busy processes: it counts failures, and notices a suite that cannot run."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UNSTEADY = """
from pathlib import Path

def test_steady() -> None:
    pass

def test_unsteady() -> None:
    mark = Path(__file__).with_name("was-here")
    mark.touch(exist_ok=False)
"""
"""It passes in the first run only."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("content", "runs", "status", "lines"),
    [
        (
            UNSTEADY,
            2,
            1,
            ["2 tests, 0 failed", "2 tests, 1 failed", "::test_unsteady", "2 runs: 1 failures", "1 of 2  "],
        ),
        ("def test_steady() -> None: pass", 1, 0, ["1 tests, 0 failed", "1 runs: 0 failures, 0 ended early"]),
        ("", 1, 1, ["0 tests, 0 failed", "pytest ended with exit status 5", "1 runs: 0 failures, 1 ended early"]),
    ],
    ids=["unsteady", "steady", "empty"],
)
def test_failures_of_all_runs_are_counted(
    tmp_path: Path, content: str, runs: int, status: int, lines: list[str]
) -> None:
    (tmp_path / "test_it.py").write_text(content)
    command = [sys.executable, "-m", "tests.repeat", "--runs", str(runs), "--busy", "1", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    told = done.stdout
    for line in lines:
        _, found, told = told.partition(line)
        assert found, (line, done.stdout)
