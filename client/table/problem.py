"""Problems: a position and a task, judged by the exact chance that the player's decision leaves. Knows no window."""

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from msgspec import Struct

from client.language import _
from shared.ids import Seat, Space
from shared.kernel import engine
from shared.kernel.chance import Source
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.odds.outcome import percent


def chance_words(worth: float) -> str:
    """Return the chance that a decision leaves, in words."""
    return _("Your chance is {chance}.", chance=percent(worth))


class Problem(Struct, frozen=True):
    """A problem. Its position is the file `key` beside those of the lessons.

    `complete`: makes a position of a view. `judged`: the actions that are judged; `counts`: whether they are, in that
    position. `worth`: the worth of the position after the action, before chance decides anything. `enough`: the least
    worth that solves it. `spaces`, `piece`: what the solution points at, see `Lit`. `words`: the worth in words.
    """

    key: str
    ruleset: str
    complete: Callable[[Any, Source], Any]
    title: str
    task: str
    hint: str
    solution: str
    judged: tuple[type[Action], ...]
    counts: Callable[[Any], bool]
    worth: Callable[[Any, Seat], float]
    enough: float
    spaces: tuple[Space, ...] = ()
    piece: str = ""
    words: Callable[[float], str] = chance_words

    def value(self, rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> float | None:
        """Return the worth of a legal action; None if it is not judged."""
        if not isinstance(action, self.judged) or not self.counts(view):
            return None
        state = self.complete(view, Random(0))
        engine.play(rules, state, seat, action, engine.ignore_event)
        return self.worth(state, seat)


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
        value = None if self.done else self.problem.value(rules, view, seat, action)
        if value is None:
            return False
        self.worth = value
        if self.done:
            self._solved()
        return True

    @property
    def verdict(self) -> str:
        """The verdict in words; empty before there is one."""
        if self.worth is None:
            return ""
        words = self.problem.words(self.worth)
        return _("Solved! {worth}", worth=words) if self.done else _("Not yet. {worth} There is a better way.",
                                                                      worth=words)  # fmt: skip


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
