"""Matches under every value of every option are played to their end."""

import random
from collections.abc import Iterator

import pytest

from server.bots.policy import find, play_random
from shared.ids import NATURE
from shared.kernel import engine
from shared.rulesets.registry import RULESETS, ruleset

ROUNDS = 12
"""Limit of the older games; Conquest II ends by itself."""


def settings() -> Iterator[tuple[str, str, int]]:
    """Yield the values that differ from the usual one, with game and key."""
    for game, rules in RULESETS.items():
        for option in rules.options:
            if option.key != "round_limit":
                yield from ((game, option.key, value) for value in option.values if value != option.default)


@pytest.mark.long
@pytest.mark.parametrize("setting", [*settings()], ids=str)
def test_matches_end_and_bots_keep_to_the_option(setting: tuple[str, str, int]) -> None:
    """A bot's action must be legal as it is: a table would replace an illegal one by the usual answer."""
    game, key, value = setting
    rules, rng = ruleset(game), random.Random(key)
    limit = {} if game == "cote2" else {"round_limit": ROUNDS}
    for seats in (rules.min_seats, 4):
        state = engine.start(rules, seats, {**limit, key: value}, engine.ignore_event)
        while owed := engine.owed(rules, state):
            seat = rng.choice(owed)
            if seat == NATURE:
                action = engine.chance_action(state, rng)
            else:
                policy = play_random if rng.random() < 1 / 4 else find("normal")
                action = policy(rules, rules.view(state, seat), seat, rng)
            assert action is not None and engine.check(rules, state, seat, action) is None, action
            engine.play(rules, state, seat, action, engine.ignore_event)
            assert rules.invariants(state) == []
        assert rules.finished(state)
