"""Sentences of every game: the only module that lists them all."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from shared.kernel.frames import Event
from shared.language.sentence import Prompt, Sentence
from shared.rulesets.classic.table import LEADERS as CLASSIC_LEADERS
from shared.rulesets.cote2.state import LEADERS as COTE2_LEADERS
from shared.rulesets.mb1984.table import LEADERS as MB1984_LEADERS
from shared.sentences import classic, cote2, mb1984


class GameSentences(Struct, frozen=True):
    """Sentences of one game. `tell`: for an event, None for events that need none. `prompt`: the decision owed in a
    view. `leaders`: number of leaders of a colour, the Caesar first."""

    tell: Callable[[Event], Sentence | None]
    prompt: Callable[[Any], Prompt]
    leaders: int


SENTENCES: Final[Mapping[str, GameSentences]] = {
    "classic": GameSentences(classic.tell, classic.prompt, CLASSIC_LEADERS),
    "mb1984": GameSentences(mb1984.tell, mb1984.prompt, MB1984_LEADERS),
    "cote2": GameSentences(cote2.tell, cote2.prompt, COTE2_LEADERS),
}
"""By the id of the rule set."""
