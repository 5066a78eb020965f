"""The games that the table in words knows: the only file that names them all."""

from typing import Any, Final

from client.textual.classic import CLASSIC
from client.textual.cote2 import COTE2
from client.textual.mb1984 import MB1984
from client.textual.voice import Voice

VOICES: Final[dict[str, Voice[Any]]] = {"classic": CLASSIC, "mb1984": MB1984, "cote2": COTE2}
"""By the id of the rule set."""


def voice(ruleset: str) -> Voice[Any]:
    """The game of that rule set; ValueError where it is not known."""
    if ruleset not in VOICES:
        raise ValueError(f"The table in words does not know the rule set {ruleset!r}.")
    return VOICES[ruleset]
