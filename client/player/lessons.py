"""The lessons: first games with a coach, one for each rule set, against easy bots on this computer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

TAUGHT: Final = ("classic", "mb1984", "cote2")
"""The rule sets that have one."""
SEED: Final = 1
"""Of the dice: they fall as they should for whoever does as the coach says."""
PACE: Final = 0.9
"""Seconds that a bot waits before it acts: who learns wants to see what it does."""
_FILES: Final = Path(__file__).resolve().parents[1] / "assets" / "lessons"
_HOME: Final = "lesson "


def lesson_home(ruleset: str) -> str:
    """The address of the seat in a lesson, and the folder that keeps it. No host is called so."""
    return _HOME + ruleset


def lesson_of(address: str) -> str:
    """The rule set that is taught there; empty elsewhere."""
    return address.removeprefix(_HOME) if address.startswith(_HOME) else ""


def position(ruleset: str) -> Path:
    """The match up to where its lesson begins, for a server to lay out."""
    return _FILES / f"{ruleset}.json"
