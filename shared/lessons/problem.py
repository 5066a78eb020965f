"""Problems: a position and a task, judged by the exact chance that the player's decision leaves. Knows no window."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from shared.ids import Seat, Space
from shared.kernel import engine
from shared.kernel.chance import Source
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Value, _
from shared.odds.outcome import percent


def chance_words(worth: float) -> Value:
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
    title: Value
    task: Value
    hint: Value
    solution: Value
    judged: tuple[type[Action], ...]
    counts: Callable[[Any], bool]
    worth: Callable[[Any, Seat], float]
    enough: float
    spaces: tuple[Space, ...] = ()
    piece: str = ""
    words: Callable[[float], Value] = chance_words

    def value(self, rules: AnyRuleset, view: Any, seat: Seat, action: Action, chance: Source) -> float | None:
        """Return the worth of a legal action; None if it is not judged. `chance` completes the view."""
        if not isinstance(action, self.judged) or not self.counts(view):
            return None
        state = self.complete(view, chance)
        engine.play(rules, state, seat, action, engine.ignore_event)
        return self.worth(state, seat)

    def verdict(self, worth: float) -> Value:
        """Return the verdict on a decision of that worth."""
        words = self.words(worth)
        if worth >= self.enough:
            return _("Solved! {worth}", worth=words)
        return _("Not yet. {worth} There is a better way.", worth=words)
