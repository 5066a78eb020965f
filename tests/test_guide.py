"""The guide of CONTRIBUTING.md is complete: its trial option is added to a copy of the sources by its steps alone."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from shared.rulesets.registry import RULESETS
from tests.regenerate import PARTS

ROOT: Final = Path(__file__).parents[1]
FOLDERS: Final = ("client", "protocol", "server", "shared", "tests", "deploy")
OPTIONS: Final = "shared/rulesets/classic/options.py"
GERMAN: Final = "client/language/de/rules.po"
HELP: Final = "A fortified city gives its defender three extra dice, not two."
ENTRY: Final = f'    Option("high_walls", "High walls", "{HELP}", ON_OFF, ("no", "yes"), 0),\n)\n\n# Indices'
QUICK: Final = ("recordings", "schema", "texts", "page")
"""Generators that are run here. The others of the guide only add lines for the option and take minutes."""

SAY: Final = """\
import os
os.environ["CONQUEST_LANGUAGE"] = "de"
from client.language import _
print(_("High walls"))
"""

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def guide() -> str:
    """Return the section about options."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return re.split(r"^##+ ", text.partition("### An option\n")[2], flags=re.MULTILINE)[0]


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the sources with the option, by steps 1 to 5 of the guide."""
    copy = tmp_path_factory.mktemp("trial")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for path in ROOT.glob("*.*"):
        if path.is_file():
            shutil.copy(path, copy)
    before = [option.key for option in RULESETS["classic"].options]
    replace(copy / OPTIONS, ")\n\n# Indices", ENTRY)
    replace(copy / OPTIONS, "\nAMENDED = 5\n", f"\nAMENDED = 5\nHIGH_WALLS = AMENDED + {len(before) - 4}\n")
    replace(copy / OPTIONS, "def wall_worth(_table: HasOptions)", "def wall_worth(table: HasOptions)")
    replace(copy / OPTIONS, "return WALL_DICE\n", "return WALL_DICE + later_option(table.options, HIGH_WALLS)\n")
    run(copy, "-m", "tests.regenerate", *(part for part in QUICK if part != "page"))
    replace(copy / GERMAN, 'msgid "High walls"\nmsgstr ""', 'msgid "High walls"\nmsgstr "Hohe Mauern"')
    replace(copy / GERMAN, f'msgid "{HELP}"\nmsgstr ""', f'msgid "{HELP}"\nmsgstr "Mauern geben drei Würfel mehr."')
    run(copy, "-m", "tests.regenerate", "page")
    return copy


def replace(path: Path, old: str, new: str) -> None:
    """Replace the only place of a text."""
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{path}: {old!r} is there {text.count(old)} times"
    path.write_text(text.replace(old, new), "utf-8")


def run(folder: Path, *arguments: str, status: int = 0) -> str:
    """Run Python in a folder and return its output; `status`: what it must exit with."""
    surroundings = dict(os.environ, PYTHONPATH=str(folder), CONQUEST_LANGUAGE="en")
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout + done.stderr


def changed(folder: Path) -> set[str]:
    """Return the files that differ from ours, or are new."""
    ours = {path: path.relative_to(folder).as_posix() for name in FOLDERS for path in (folder / name).rglob("*.*")}
    return {
        name
        for path, name in ours.items()
        if path.is_file() and "__pycache__" not in name
        if not (ROOT / name).exists() or path.read_bytes() != (ROOT / name).read_bytes()
    }


def test_the_guide_names_every_file_that_an_option_changes(guide: str, trial: Path) -> None:
    parts = set(re.findall(r"[a-z]+", " ".join(re.findall(r"`python -m tests\.regenerate ([a-z ]+)`", guide))))
    generated = [output for part in PARTS if part.name in parts for output in part.outputs]
    assert set(QUICK) <= parts <= {part.name for part in PARTS}
    unnamed = {name for name in changed(trial) if f"`{name}`" not in guide and not name.startswith(tuple(generated))}
    assert not unnamed
    assert all(f"`{edited}`" in guide for edited in (OPTIONS, GERMAN))


def test_recorded_matches_stay_as_they_were(trial: Path) -> None:
    recorded = {name for name in changed(trial) if name.startswith("tests/play/recorded")}
    assert recorded == {"tests/play/recorded/classic-5/high_walls-1.json"}
    run(trial, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "tests/play/test_recorded.py", "-k", "classic")


def test_odds_bots_and_rules_agree_on_the_option(guide: str, trial: Path) -> None:
    assert "`pytest tests/odds/test_options.py`" in guide
    checks = ("-m", "pytest", "-n0", "-p", "no:cacheprovider", "tests/odds/test_options.py", "-k", "high_walls")
    assert re.search(r"[1-9]\d* passed", run(trial, *checks))


def test_the_option_is_offered_and_translated(trial: Path) -> None:
    assert "high_walls=0 (no) | 1 (yes): High walls" in run(trial, "-m", "client", "play", "--option", "help", status=2)
    told = run(trial, "-c", SAY)
    assert "Hohe Mauern" in told
