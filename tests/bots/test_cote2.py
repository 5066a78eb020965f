"""The player of the second game: legal, quick, and much better than chance."""

import random
import time

import pytest

from server.bots import policy
from shared.ids import NATURE
from shared.kernel import engine
from shared.rulesets.cote2.game import COTE2
from shared.rulesets.cote2.state import State


def match(kinds: list[str], seed: int) -> State:
    """A whole match between policies, each on its own seat's view."""
    rng = random.Random(seed)
    state: State = engine.start(COTE2, len(kinds), {}, engine.silent)
    while not COTE2.finished(state):
        (seat,) = engine.owed(COTE2, state)
        if seat == NATURE:
            action = engine.chance_action(state, rng)
        else:
            view = COTE2.view(state, seat)
            action = policy.POLICIES[kinds[seat]](COTE2, view, seat, rng)
            assert engine.check(COTE2, view, seat, action) is None, (kinds[seat], action)
        assert action is not None
        engine.play(COTE2, state, seat, action, engine.silent)
    return state


def wins(seeds: range) -> int:
    """Matches that the greedy player wins alone, sitting now here, now there."""
    won = 0
    for seed in seeds:
        kinds = ["random", "random"]
        kinds[seed % 2] = "greedy"
        won += match(kinds, seed).winners == (seed % 2,)
    return won


def test_beats_chance() -> None:
    assert wins(range(20)) >= 19


@pytest.mark.long
def test_beats_chance_at_least_95_times_in_100() -> None:
    assert wins(range(100, 200)) >= 95


@pytest.mark.parametrize("seats", range(2, 7))
def test_plays_whole_matches_against_itself(seats: int) -> None:
    state = match(["greedy"] * seats, seats)
    assert min(state.points) > 0


def test_decides_quickly() -> None:
    rng = random.Random(1)
    state = engine.start(COTE2, 4, {}, engine.silent)
    slowest = 0.0
    for _ in range(200):
        (seat,) = engine.owed(COTE2, state)
        action = engine.chance_action(state, rng)
        if action is None:
            view = COTE2.view(state, seat)
            before = time.perf_counter()
            action = policy.play_greedy(COTE2, view, seat, rng)
            slowest = max(slowest, time.perf_counter() - before)
            again = policy.play_greedy(COTE2, COTE2.view(state, seat), seat, rng)
            assert again == action, "same view, same action"
        engine.play(COTE2, state, seat, action, engine.silent)
    assert slowest < 0.25
