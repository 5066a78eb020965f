"""Playable versions of a rule set: a match ends under the rules with which it began.

Versions of a rule set differ by amendments alone. The newest version has all of them; each one before it has one less.
Versions before the first amendment cannot be played any more.
"""

from collections.abc import Mapping

from msgspec import structs

from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import _


class UnknownRules(ValueError):
    """Raised for a match of a rule set, or of a version of it, that cannot be played here; the text is a sentence."""


def as_of(rules: AnyRuleset, version: int) -> AnyRuleset | None:
    """Return the rules by which a match of that version is played; None if this program cannot play it."""
    later = rules.version - version
    if later == 0:
        return rules
    if not 0 < later <= len(rules.amendments):
        return None
    return structs.replace(rules, version=version, amendments=rules.amendments[:-later])


def oldest(rules: AnyRuleset) -> int:
    """Return the oldest version of the rules that can still be played."""
    return rules.version - len(rules.amendments)


def rules_of(rulesets: Mapping[str, AnyRuleset], key: str, version: int) -> AnyRuleset:
    """Return the rules by which a match of that rule set and version is played.

    Raises UnknownRules, with a sentence for people, if none of `rulesets` can play it.
    """
    rules = rulesets.get(key)
    if rules is None:
        raise UnknownRules(_("The rule set {game} cannot be played here.", game=key))
    found = as_of(rules, version)
    if found is None:
        first, last = oldest(rules), rules.version
        raise UnknownRules(
            _(
                "This match was begun with version {version} of its rules; it is kept, but only versions {first} to "
                "{last} can go on here.",
                version=version,
                first=first,
                last=last,
            )
        )
    return found
