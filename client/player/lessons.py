"""Lessons and problems: matches with a coach against easy bots on this computer, from a prepared position."""

from collections.abc import Collection
from pathlib import Path
from typing import Final

from client.language import _, say
from shared.lessons.registry import PROBLEMS
from shared.rulesets.registry import RULESETS

TAUGHT: Final = ("classic", "mb1984", "cote2")
"""Rule sets that have a first lesson; its key is the rule set's."""
PACE: Final = 0.9
"""Seconds that a bot waits before it acts, so that learners can follow."""
_FILES: Final = Path(__file__).resolve().parents[2] / "shared" / "data" / "lessons"
_HOME: Final = "lesson "


def lesson_home(key: str) -> str:
    """Return the seat address of a lesson or problem, which is also its folder. No host has such a name.

    `key`: that of a lesson or problem.
    """
    return _HOME + key


def lesson_of(address: str) -> str:
    """Return the key of the lesson or problem at that address; empty for other addresses."""
    return address.removeprefix(_HOME) if address.startswith(_HOME) else ""


def position(key: str) -> Path:
    """Return the path of the match up to the start of that lesson or problem, for a server to load."""
    return _FILES / f"{key}.json"


def problem_list(solved: Collection[str]) -> list[str]:
    """Return a line for each problem. `solved`: keys of the solved ones."""
    lines = []
    for number, problem in enumerate(PROBLEMS, 1):
        game = RULESETS[problem.ruleset].title
        state = _("{game}, solved", game=game) if problem.key in solved else game
        lines.append(f"{number}. {say(problem.title)} ({state})")
    return lines
