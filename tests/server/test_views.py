"""Views are built by position, for speed: every value must stand under its own name."""

import pytest
from msgspec.structs import asdict

from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import ruleset

OPEN = ("classic", "mb1984")
"""Games in which everything lies open."""


@pytest.mark.parametrize("rules", [ruleset(name) for name in OPEN], ids=OPEN)
def test_an_open_view_shows_each_field_as_the_state_has_it(rules: AnyRuleset) -> None:
    state = engine.start(rules, rules.min_seats, {}, engine.ignore_event)
    names = rules.view_decoder.type.__struct_fields__
    for name in names:
        setattr(state, name, name)
    for seat in (0, None):
        assert asdict(rules.view(state, seat)) == {name: name for name in names}
