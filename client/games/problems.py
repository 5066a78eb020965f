"""All problems, in the order of their list. Knows no window."""

from collections.abc import Collection
from typing import Final

from client.games.classic.problems import PROBLEMS as CLASSIC
from client.games.cote2.problems import PROBLEMS as COTE2
from client.games.mb1984.problems import PROBLEMS as MB1984
from client.language import _
from client.table.problem import Problem
from shared.rulesets.registry import RULESETS

PROBLEMS: Final[tuple[Problem, ...]] = (*CLASSIC, *MB1984, *COTE2)
BY_KEY: Final = {problem.key: problem for problem in PROBLEMS}
"""By the key of a problem."""


def problem_list(solved: Collection[str]) -> list[str]:
    """Return a line for each problem. `solved`: keys of the solved ones."""
    lines = []
    for number, problem in enumerate(PROBLEMS, 1):
        game = RULESETS[problem.ruleset].title
        state = _("{game}, solved", game=game) if problem.key in solved else game
        lines.append(f"{number}. {problem.title} ({state})")
    return lines
