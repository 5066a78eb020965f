"""Games that the text client knows: the only module that lists them all."""

from typing import Any, Final

from client.text_client.classic import CLASSIC
from client.text_client.cote2 import COTE2
from client.text_client.game_text import GameText
from client.text_client.mb1984 import MB1984

GAME_TEXTS: Final[dict[str, GameText[Any]]] = {"classic": CLASSIC, "mb1984": MB1984, "cote2": COTE2}
"""By the id of the rule set."""


def voice(ruleset: str) -> GameText[Any]:
    """Return the texts of that rule set's game; raise ValueError if it is unknown."""
    if ruleset not in GAME_TEXTS:
        raise ValueError(f"The table in words does not know the rule set {ruleset!r}.")
    return GAME_TEXTS[ruleset]
