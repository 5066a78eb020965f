"""Attempts of a player at a problem. Knows no window."""

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from shared.ids import Seat
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Value
from shared.lessons.problem import Problem


class Attempt:
    """Attempt of a player at a problem. `solved` is called when it succeeds."""

    def __init__(self, problem: Problem, solved: Callable[[], object]) -> None:
        self.problem = problem
        self.worth: float | None = None
        """Worth of the last judged decision; that of a solution stays."""
        self.hinted = False
        self.shown = False
        """Whether the solution was shown."""
        self._solved = solved

    @property
    def done(self) -> bool:
        """Whether the problem is solved."""
        return self.worth is not None and self.worth >= self.problem.enough

    def judge(self, rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> bool:
        """Judge an action that is about to be sent; return whether there is a new verdict."""
        value = None if self.done else self.problem.value(rules, view, seat, action, Random(0))
        if value is None:
            return False
        self.worth = value
        if self.done:
            self._solved()
        return True

    @property
    def verdict(self) -> Value:
        """The verdict in words; empty before there is one."""
        if self.worth is None:
            return ""
        return self.problem.verdict(self.worth)


class JudgedMatch(Protocol):
    """Match whose actions are judged; `client.network.model.MatchModel` is one."""

    rules: AnyRuleset
    seat: Seat
    judge: Callable[[Action], object] | None

    @property
    def view(self) -> Any:
        """Position as this seat sees it."""


def attempted(match: JudgedMatch, problem: Problem, keep: Callable[[str], object]) -> Attempt:
    """Return an attempt at a problem that judges each action of a match from now on. `keep`: notes its solution."""
    attempt = Attempt(problem, lambda: keep(problem.key))
    match.judge = lambda action: attempt.judge(match.rules, match.view, match.seat, action)
    return attempt
