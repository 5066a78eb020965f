"""Advice in words: a bot's action in a sentence and its reasons in one or two, by what its seat sees."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from server.bots.advice import conquest, cote2
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.language.catalogue import ENGLISH
from shared.language.sentence import Sentence, _, render_line

MOST: Final = 2
"""Most reasons that are given."""

BEST: Final = _("This was the best of all options that were compared.")
"""Reason given where nothing can be counted."""

Speaker = Callable[[Any, Seat, Action], tuple[Sentence | None, list[Sentence]]]
"""(view, seat, action) -> the action in a sentence, and reasons, the best first."""

SPEAKERS: Final[dict[str, Speaker]] = {
    "classic": partial(conquest.speak, conquest.CLASSIC),
    "mb1984": partial(conquest.speak, conquest.OLD),
    "cote2": cote2.speak,
}
"""By rule set; for others the action is advised without words."""


def explained(rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> tuple[Action, tuple[Sentence, ...]]:
    """Return the advice for a bot's action: an action that answers the frame, and sentences.

    The first sentence says the action, the others are reasons. There are none for a game without a speaker.
    """
    if isinstance(action, rules.standing.kinds):
        # Advice never suggests conceding.
        action = engine.default(rules, view, seat)
    speaker = SPEAKERS.get(rules.id)
    if speaker is None:
        return action, ()
    words, why = speaker(view, seat, action)
    return action, (words or _("Do that."), *(why[:MOST] or (BEST,)))


def english(sentence: Sentence) -> str:
    """Return a sentence in English, with players named by their seats, as in ``"{2}"``."""
    return render_line(sentence, ENGLISH, lambda seat: f"{{{seat}}}")
