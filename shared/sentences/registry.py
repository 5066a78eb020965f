"""Sentences of every game: the only module that lists them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from shared.kernel.frames import Event
from shared.language.sentence import Prompt, Sentence
from shared.sentences import classic, cote2, mb1984


class GameSentences(Struct, frozen=True):
    """Sentences of one game. `tell`: for an event, None for events that need none. `prompt`: the decision owed in a
    view."""

    tell: Callable[[Event], Sentence | None]
    prompt: Callable[[Any], Prompt]


SENTENCES: Final[Mapping[str, GameSentences]] = {
    "classic": GameSentences(classic.tell, classic.prompt),
    "mb1984": GameSentences(mb1984.tell, mb1984.prompt),
    "cote2": GameSentences(cote2.tell, cote2.prompt),
}
"""By the id of the rule set."""
