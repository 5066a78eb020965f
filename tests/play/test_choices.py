"""Actions that a player is offered: legal, of every kind, few; and all other legal actions lie within their
description."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from protocol import codec
from protocol.choices import choices
from protocol.limits import MAX_CHOICES
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import RULESETS
from tests.protocol.schema import ANSWERS
from tests.support import cote2_games, random_games, wild, wild1984
from tests.support.marks import in_stages
from tests.support.reach import Wild, decisions, outside, plainly, thrown


def begun(game: str) -> Callable[[int, int], Any]:
    """Return a function that starts a match with random options."""
    rules = RULESETS[game]

    def start(seats: int, seed: int) -> Any:
        rng = Random(seed)
        chosen = {option.key: rng.choice(option.values) for option in rules.options if option.key != "round_limit"}
        return engine.start(rules, seats, chosen, engine.ignore_event)

    return start


class Way(Struct, frozen=True):
    """A rule set with the start and length of its random games, and actions that a player might try in them."""

    rules: AnyRuleset
    begin: Callable[[int, int], Any]
    steps: int
    wild: Wild


WAYS = {
    "classic": Way(RULESETS["classic"], begun("classic"), 300, wild.wild),
    "classic, a crowded board": Way(RULESETS["classic"], random_games.crowded, 150, wild.wild),
    "mb1984": Way(RULESETS["mb1984"], begun("mb1984"), 600, wild1984.wild),
    "cote2": Way(RULESETS["cote2"], begun("cote2"), 600, cote2_games.wild),
    "cote2, a crowded board": Way(RULESETS["cote2"], cote2_games.crowded, 150, cote2_games.wild),
    "cote2, hardly a piece left": Way(RULESETS["cote2"], cote2_games.scarce, 150, cote2_games.wild),
}


@pytest.mark.parametrize("seed", in_stages(range(3), [1], []))
@pytest.mark.parametrize("way", WAYS)
def test_told_choices_are_legal_of_every_kind_and_small(way: str, seed: int) -> None:
    rules, rng = WAYS[way].rules, Random(seed)
    complete = set()
    answers = ANSWERS[rules.id]
    for view, seat in decisions(rules, WAYS[way].begin(2 + seed * 2, seed), rng, WAYS[way].steps):
        told = choices(rules, view, seat)
        assert told.frame == view.frames[-1].no
        assert len(codec.encode(told)) <= MAX_CHOICES
        actions = [rules.action_decoder.decode(raw) for raw in told.actions]
        options = list(engine.options(rules, view, seat))
        assert {*actions} <= {*options} and {*map(type, actions)} == {*map(type, options)}
        assert len({*actions}) == len(actions)
        assert {type(action).__name__ for action in actions} <= {*answers[type(view.frames[-1]).__name__]}
        assert told.complete == (not told.space)
        assert {*actions} == {*options} or not told.complete
        complete.add(told.complete)
    assert complete == {True, False}


@pytest.mark.parametrize("seed", in_stages(range(3), [1], []))
@pytest.mark.parametrize("way", WAYS)
def test_unlisted_legal_actions_lie_within_the_ranges(way: str, seed: int) -> None:
    rules, rng = WAYS[way].rules, Random(seed)
    tried = 0
    for view, seat in decisions(rules, WAYS[way].begin(6 - seed * 2, seed), rng, WAYS[way].steps):
        told = choices(rules, view, seat)
        listed = {plainly(rules.action_decoder.decode(raw)) for raw in told.actions}
        for action in map(plainly, thrown(rules, rng, WAYS[way].wild, view, seat)):
            tried += 1
            assert action in listed or not outside(told, action), (action, outside(told, action), told.space)
    assert tried > 50
