"""All lessons and problems: the only module that lists them."""

from collections.abc import Mapping
from typing import Any, Final

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
SEED: Final = 1
"""Seed of the dice: the rolls suit a player who follows the coach."""
