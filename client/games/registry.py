"""Games that the table supports. This is the only file that names them all."""

from typing import Any, Final

from client.games.classic.game_guide import CLASSIC
from client.games.cote2.game_guide import COTE2
from client.games.mb1984.game_guide import MB1984
from client.table.guide import Guide

GUIDES: Final[dict[str, Guide[Any]]] = {"classic": CLASSIC, "mb1984": MB1984, "cote2": COTE2}
"""Guides by the id of the rule set."""


def guide(ruleset: str) -> Guide[Any]:
    """Return the guide for a rule set. Raise ValueError if the table does not support it."""
    if ruleset not in GUIDES:
        raise ValueError(f"This table does not know the rule set {ruleset!r}.")
    return GUIDES[ruleset]
