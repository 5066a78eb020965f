"""Commands of every game: the only module that lists them all."""

from collections.abc import Mapping
from typing import Final

from shared.phrases import classic, cote2, mb1984
from shared.phrases.grammar import Grammar

GRAMMARS: Final[Mapping[str, Grammar]] = {
    "classic": classic.GRAMMAR,
    "mb1984": mb1984.GRAMMAR,
    "cote2": cote2.GRAMMAR,
}
"""By the id of the rule set."""
