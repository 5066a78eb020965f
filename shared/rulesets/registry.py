"""The rule sets that can be played: the only file that knows them all."""

from typing import Final

from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.mb1984.definition import MB1984

RULESETS: Final[dict[str, AnyRuleset]] = {rules.id: rules for rules in (CLASSIC, MB1984, COTE2)}


def ruleset(key: str) -> AnyRuleset:
    """Return the rule set with that id; ValueError names the known ones."""
    try:
        return RULESETS[key]
    except KeyError:
        raise ValueError(f"There is no rule set {key!r}; there is {', '.join(RULESETS)}.") from None
