"""Advice in words: a bot's action in a sentence and its reasons in one or two, by what its seat sees."""

from collections.abc import Callable
from typing import Any, Final

from server.bots.advice import conquest, cote2
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset

MOST: Final = 2
"""Most reasons that are given."""

BEST: Final = "Of all that was weighed up here, this came out best."
"""Reason given where nothing can be counted."""

Speaker = Callable[[Any, Seat, Action], tuple[str, list[str]]]
"""(view, seat, action) -> the action in a sentence, and reasons, the best first.

Players are named by their seats, as in ``"{2}"``.
"""

SPEAKERS: Final[dict[str, Speaker]] = {
    "classic": conquest.in_classic,
    "mb1984": conquest.in_1984,
    "cote2": cote2.speak,
}
"""By rule set; for others the action is advised without words."""


def explained(rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> tuple[Action, str, tuple[str, ...]]:
    """Return the advice for a bot's action: an action that answers the frame, a sentence, and reasons."""
    if isinstance(action, rules.standing.kinds):
        # Advice never suggests conceding.
        action = engine.default(rules, view, seat)
    speaker = SPEAKERS.get(rules.id)
    if speaker is None:
        return action, "", ()
    words, why = speaker(view, seat, action)
    return action, words, tuple(why[:MOST]) or (BEST,)
