"""Rule sets described to a program that knows none of them."""

import pytest

from protocol import codec
from protocol.description import description, ranges
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.levels import LEVELS
from shared.rulesets.registry import RULESETS


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_described_options_are_those_that_can_be_chosen(rules: AnyRuleset) -> None:
    told = codec.decode_server(codec.encode(description(rules, 7)))
    assert told == description(rules, 7)
    assert (told.ruleset, told.version, told.title, told.suits) == (rules.id, rules.version, rules.title, rules.suits)
    assert (told.min_seats, told.max_seats) == (rules.min_seats, rules.max_seats) and told.suits
    assert [setting.key for setting in told.options] == [option.key for option in rules.options]
    for setting, option in zip(told.options, rules.options, strict=True):
        values = [value for first, last in setting.ranges for value in range(first, last + 1)]
        assert values == [*option.values] and setting.default in values
        called = dict(setting.labels)
        assert [called.get(value, str(value)) for value in values] == [*option.labels]
        assert (setting.label, setting.help) == (option.label, option.help)
        assert engine.checked_options(rules, rules.min_seats, {setting.key: values[-1]})[setting.key] == values[-1]
    assert told.levels == LEVELS and len(told.about_levels) == len(LEVELS)
    assert len(codec.encode(told)) < 4096


def test_numbers_that_follow_each_other_are_ranges() -> None:
    assert ranges((0, 1)) == ((0, 1),)
    assert ranges((8, 10, 12)) == ((8, 8), (10, 10), (12, 12))
    assert ranges((0, 2, 3, 4, 9)) == ((0, 0), (2, 4), (9, 9))
    assert ranges(()) == ()
