"""A match ends under the rules with which it began."""

import pytest
from msgspec import structs

from shared.kernel import engine
from shared.kernel.ruleset import Amendment, AnyRuleset, Option, UnknownRules, as_of, oldest, rules_of
from shared.mechanics.amendments import chosen, in_force, later_option
from shared.rulesets.classic.options import AMENDED as CLASSIC_AMENDED
from shared.rulesets.cote2.options import AMENDED as COTE2_AMENDED
from shared.rulesets.mb1984.options import AMENDED as MB1984_AMENDED
from shared.rulesets.registry import RULESETS
from tests.server.toy import TOY

THREE = tuple([Amendment(number, "T-1", "A sentence.") for number in (1, 2, 3)])
AMENDED_AT = {"classic": CLASSIC_AMENDED, "mb1984": MB1984_AMENDED, "cote2": COTE2_AMENDED}
"""Index of the number of amendments in a position's options: options that came later stand behind it."""
AMENDED = structs.replace(TOY, version=5, amendments=THREE)


def test_each_version_has_one_amendment_less_than_the_next() -> None:
    assert as_of(AMENDED, 5) is AMENDED
    for version, count in ((4, 2), (3, 1), (2, 0)):
        older = as_of(AMENDED, version)
        assert older is not None and (older.version, older.amendments) == (version, THREE[:count])
    assert oldest(AMENDED) == 2 and oldest(TOY) == TOY.version


@pytest.mark.parametrize("version", [0, 1, 6, 2**32 - 1])
def test_other_versions_cannot_be_played_and_it_is_said_why(version: int) -> None:
    assert as_of(AMENDED, version) is None
    with pytest.raises(UnknownRules, match=f"begun with version {version} .* only versions 2 to 5"):
        rules_of({"toy": AMENDED}, "toy", version)
    with pytest.raises(UnknownRules, match="rule set chess"):
        rules_of({"toy": AMENDED}, "chess", version)


def test_amendments_are_in_force_up_to_the_number_of_a_match() -> None:
    assert not in_force((7, 0), 2, 1), "it began before the first"
    assert [in_force((7, 0, 2), 2, number) for number in (1, 2, 3)] == [True, True, False]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_the_amendments_of_a_rule_set_are_numbered_and_make_its_version(rules: AnyRuleset) -> None:
    assert [amendment.number for amendment in rules.amendments] == list(range(1, len(rules.amendments) + 1))
    assert rules.version == 2 + len(rules.amendments), "2 is the first that was released"
    assert all(amendment.rule and amendment.text.endswith(".") for amendment in rules.amendments)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_positions_and_views_tell_the_amendments_in_force(rules: AnyRuleset) -> None:
    for version in range(oldest(rules), rules.version + 1):
        older = as_of(rules, version)
        assert older is not None
        state = engine.start(older, 3, {}, engine.ignore_event)
        count = (len(older.amendments),) if older.amendments else ()
        for seen in (state, *[older.view(state, audience) for audience in (0, 2, None)]):
            assert seen.options[AMENDED_AT[rules.id] :] == count


def test_an_option_that_is_added_later_leaves_older_matches_as_they_were() -> None:
    old = Option("old", "Old", "", (0, 1), ("no", "yes"), 1)
    new = Option("new", "New", "", (0, 1), ("no", "yes"), 0)
    for number in (0, 2):
        before = chosen((old,), {"old": 1}, number, 1)
        assert chosen((old, new), {"old": 1, "new": 0}, number, 1) == before
        changed = chosen((old, new), {"old": 1, "new": 1}, number, 1)
        assert later_option(changed, 2) == 1 and later_option(before, 2) == 0
        assert in_force(changed, 1, 2) == in_force(before, 1, 2) == (number == 2)
