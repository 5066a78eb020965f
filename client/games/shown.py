"""The rule sets that this table can show. The rules know more games than there are tables for. Knows no window."""

from typing import Final

from shared.kernel.engine import Ruleset
from shared.rulesets import registry

SHOWN: Final = ("classic", "mb1984")
"""Ids of the games with a guide, see `client.games.registry`."""

RULESETS: Final[dict[str, Ruleset]] = {key: registry.RULESETS[key] for key in SHOWN}


def ruleset(key: str) -> Ruleset:
    """The rule set with that id; ValueError names those that can be shown."""
    rules = registry.ruleset(key)
    if key not in RULESETS:
        raise ValueError(f"There is no table for {rules.title} yet; there is one for {' and '.join(SHOWN)}.")
    return rules
