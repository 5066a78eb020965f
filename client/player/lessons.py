"""Lessons and problems: matches with a coach against easy bots on this computer, from a prepared position."""

from pathlib import Path
from typing import Final

TAUGHT: Final = ("classic", "mb1984", "cote2")
"""Rule sets that have a first lesson; its key is the rule set's."""
SECOND: Final = {"classic": "classic-walls", "mb1984": "mb1984-sea", "cote2": "cote2-senate"}
"""Key of the second lesson of a rule set."""
SEED: Final = 1
"""Seed of the dice: the rolls suit a player who follows the coach."""
PACE: Final = 0.9
"""Seconds that a bot waits before it acts, so that learners can follow."""
_FILES: Final = Path(__file__).resolve().parents[1] / "assets" / "lessons"
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
