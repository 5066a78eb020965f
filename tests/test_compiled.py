"""Rules and bots compiled from the same sources: their tests with the packages of `CONQUEST_COMPILED=1 pip install
.`."""

import os
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.wheels import built, copied, run

COMPILER = shutil.which(os.environ.get("CC", "cc"))
pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here: nothing can be compiled"),
]
TESTS = ("tests/kernel", "tests/mechanics", "tests/rulesets", "tests/play", "tests/bots")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the tests, and in `site` the wheel, unpacked."""
    folder = tmp_path_factory.mktemp("compiled")
    wheel = built(folder, CONQUEST_COMPILED="1")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    copied(folder / "home", "tests")
    return folder / "home"


def python(home: Path, *arguments: str) -> str:
    """Return the output of this Python with the compiled rules, and the packages that are installed here."""
    return run(sys.executable, *arguments, cwd=home, PYTHONPATH=str(home.parent / "site"))


def test_the_rules_and_the_bots_are_compiled(home: Path) -> None:
    assert python(home, "-m", "server", "--version").endswith(", rules compiled\n")
    for module in ("shared.rulesets.classic.legions", "server.bots.classic.position_analysis"):
        where = python(home, "-c", f"import {module} as it; print(it.__file__)").strip()
        assert Path(where).is_relative_to(home.parent / "site") and not where.endswith(".py")


def test_their_tests_pass_over_them(home: Path) -> None:
    told = python(home, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS)
    assert " passed" in told.splitlines()[-1]
