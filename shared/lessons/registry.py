"""All lessons and problems: the only module that lists them."""

from collections.abc import Mapping
from typing import Any, Final

from shared.language.sentence import Value, _
from shared.lessons.classic import first_lesson as classic
from shared.lessons.classic.problems import PROBLEMS as CLASSIC
from shared.lessons.classic.siege_lesson import LESSON as SIEGE
from shared.lessons.cote2 import first_lesson as cote2
from shared.lessons.cote2.problems import PROBLEMS as COTE2
from shared.lessons.cote2.senate_lesson import LESSON as SENATE
from shared.lessons.lesson import Lesson
from shared.lessons.mb1984 import first_lesson as mb1984
from shared.lessons.mb1984.problems import PROBLEMS as MB1984
from shared.lessons.mb1984.sea_lesson import LESSON as SEA
from shared.lessons.problem import Problem

SECOND: Final = {"classic": "classic-walls", "mb1984": "mb1984-sea", "cote2": "cote2-senate"}
"""Key of the second lesson of a rule set; that of the first is the rule set's."""
LESSONS: Final[Mapping[str, Lesson[Any]]] = {
    "classic": classic.LESSON, "mb1984": mb1984.LESSON, "cote2": cote2.LESSON,
    SECOND["classic"]: SIEGE, SECOND["mb1984"]: SEA, SECOND["cote2"]: SENATE,
}  # fmt: skip
"""By key."""
PROBLEMS: Final[tuple[Problem, ...]] = (*CLASSIC, *MB1984, *COTE2)
"""In the order of the list."""
BY_KEY: Final = {problem.key: problem for problem in PROBLEMS}
"""By the key of a problem."""
ABOUT: Final[Mapping[str, tuple[Value, Value]]] = {
    "classic": (
        _("A first game"),
        _(
            "War for the throne: legions, cities and money, dice for whole armies. Capture the Caesars of the "
            "others. The best one to begin with."
        ),
    ),
    "mb1984": (
        _("A first game"),
        _("The first edition: every shot is aimed, prices rise for everybody, and captured generals are ransomed."),
    ),
    "cote2": (
        _("A first game"),
        _("Auctions, alliances, cards and votes: influence in the provinces counts, and all play to the end."),
    ),
    SECOND["classic"]: (
        _("Sieges and walls"),
        _("Storm a city behind walls with two armies, then build walls of your own."),
    ),
    SECOND["mb1984"]: (
        _("The sea"),
        _("Take a legion aboard, land it on a far coast, and fight a battle at sea."),
    ),
    SECOND["cote2"]: (
        _("Senate and cards"),
        _("Bribe a senator, use your cards, and win the vote about influence in Rome."),
    ),
}
"""Title and contents of each lesson."""
SEED: Final = 1
"""Seed of the dice: the rolls suit a player who follows the coach."""
