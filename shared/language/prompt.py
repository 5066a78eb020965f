"""Prompt for the decision that a match waits for."""

from __future__ import annotations

from msgspec import Struct

from shared.language.sentence import Sentence, Value


class Prompt(Struct, frozen=True, array_like=True):
    """Decision owed.

    `seat` owes it (NONE: no decision is owed; NATURE: chance). `what`: the decision. `how`: an instruction for its
    owner; `hand`: how that is done on the board, for players who see it. `news`: what all others may like to know.
    """

    seat: int
    what: Sentence
    how: Value = ""
    hand: Value = ""
    news: Value = ""
