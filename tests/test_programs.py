"""Every program of `tests/bench` and `tests/faults` starts: what it imports is there, and it says what it does."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAMS = sorted(
    f"tests.{folder}.{path.stem}"
    for folder in ("bench", "faults")
    for path in (ROOT / "tests" / folder).glob("*.py")
    if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
)


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_says_how_it_is_used(program: str) -> None:
    """The folder gives the list, so a new program cannot be forgotten."""
    asked = subprocess.run([sys.executable, "-m", program, "--help"], cwd=ROOT, capture_output=True, text=True)
    if "ModuleNotFoundError: No module named 'catanatron'" in asked.stderr:
        pytest.skip("compared with a library that is installed for that alone")
    assert asked.returncode == 0, asked.stderr
    assert asked.stdout.startswith("usage:")


def test_programs_are_found() -> None:
    assert {"tests.bench.bench_wire", "tests.faults.kills"} <= set(PROGRAMS)
