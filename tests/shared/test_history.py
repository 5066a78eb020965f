"""The way through a log, with steps back."""

import random

import pytest

from protocol import codec
from shared.history import Course, Deed, Entry, returned
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import RULESETS


def played(rules: AnyRuleset, steps: int) -> tuple[list[Entry], list[bytes]]:
    """Return a random game's log and its encoded positions, including the first one."""
    chance = random.Random(7)
    state = engine.start(rules, 3, {}, engine.ignore_event)
    entries, positions = [], [codec.encode(state)]
    for n in range(1, steps + 1):
        action, seat = engine.chance_action(state, chance), -1
        if action is None:
            seat = engine.owed(rules, state)[0]
            action = chance.choice(engine.options(rules, state, seat))
        engine.play(rules, state, seat, action, engine.ignore_event)
        entries.append(Entry(n, seat, 0, 0, codec.encode(action)))
        positions.append(codec.encode(state))
    return entries, positions


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)
def test_a_log_is_followed_from_position_to_position(rules: AnyRuleset) -> None:
    entries, positions = played(rules, 60)
    course = Course(rules, 3, {})
    assert codec.encode(course.state) == positions[0]
    assert [codec.encode(passed.state) for passed in course.follow(entries)] == positions[1:]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)
@pytest.mark.parametrize("to", [0, 25])
def test_a_step_back_shows_the_old_position_and_owes_it_under_a_new_number(rules: AnyRuleset, to: int) -> None:
    entries, positions = played(rules, 40)
    *_, now, passed = Course(rules, 3, {}).follow([*entries, Entry(41, 0, 0, 0, b"", Deed.BACK, to)])
    assert engine.top(passed.state).no > max(frame.no for frame in now.state.frames)
    then = list(Course(rules, 3, {}).follow(entries[:to]))[-1].state if to else Course(rules, 3, {}).state
    assert codec.encode(returned(now.state, then)) == codec.encode(passed.state)
    assert rules.view(passed.state, 0) != rules.view(now.state, 0)
    again = passed.state.clone()
    again.pushed, again.frames[-1] = then.pushed, then.frames[-1]
    assert codec.encode(again) == positions[to]


def test_an_end_by_agreement_changes_no_position() -> None:
    rules = RULESETS["classic"]
    entries, positions = played(rules, 5)
    *_, passed = Course(rules, 3, {}).follow([*entries, Entry(6, 0, 0, 0, b"", Deed.END)])
    assert codec.encode(passed.state) == positions[-1]
