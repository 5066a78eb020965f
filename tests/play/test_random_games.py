"""Random games of every size, put at every step to every question that `tests.support.random_games` knows to ask.

A failure names its seed: ``random_game(seats, seed, steps)`` plays it again. Hundreds of games: ``pytest -m long``.
"""

from itertools import product
from random import Random

import pytest

from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.rulesets.classic.definition import CLASSIC
from tests.support.fuzz import ENCODER
from tests.support.marks import mostly_long, pairs_in_stages, with_releases
from tests.support.random_games import crowded, crowded_game, random_game
from tests.support.wild import MAKERS, wild

STRANGE = {"homes": 1, "resign": 1, "captured_supply": 0, "mesopotamia_arabia_adjacent": 1}
SEATS = range(2, 7)


@pytest.mark.parametrize(("seats", "seed"), pairs_in_stages(product(SEATS, range(2)), [(3, 0), (6, 1)]))
def test_from_the_start(seats: int, seed: int) -> None:
    random_game(seats, seed, 250, STRANGE if seed % 2 else {})


@pytest.mark.parametrize(("seats", "seed"), pairs_in_stages(product(SEATS, range(4)), [(2, 0), (5, 1)]))
def test_from_a_crowded_board(seats: int, seed: int) -> None:
    crowded_game(seats, seed, 150, STRANGE if seed % 2 else {})


@pytest.mark.long
@pytest.mark.parametrize("seed", with_releases(range(100, 120), 100))
@pytest.mark.parametrize("seats", SEATS)
def test_many_from_the_start(seats: int, seed: int) -> None:
    random_game(seats, seed, 400, STRANGE if seed % 2 else {})


@pytest.mark.long
@pytest.mark.parametrize("seed", with_releases(range(100, 140), 100))
@pytest.mark.parametrize("seats", SEATS)
def test_many_from_a_crowded_board(seats: int, seed: int) -> None:
    crowded_game(seats, seed, 400, STRANGE if seed % 2 else {})


@pytest.mark.parametrize("seats", mostly_long(SEATS, 3))
def test_a_round_limit_ends_every_match(seats: int) -> None:
    game = random_game(seats, 7, 3000, {"round_limit": 2, "homes": 2})
    assert game.state.winner != NONE
    assert game.state.round <= 2
    assert engine.owed(CLASSIC, game.state) == ()


@pytest.mark.parametrize("seats", SEATS)
def test_a_table_of_sleepers_goes_round(seats: int) -> None:
    """Defaults play for seats that never answer: no dead end, and nothing is lost."""
    state = engine.start(CLASSIC, seats, {"homes": 2}, engine.ignore_event)
    for _ in range(seats * 40):
        (seat,) = engine.owed(CLASSIC, state)
        assert seat != NATURE
        engine.play(CLASSIC, state, seat, engine.default(CLASSIC, state, seat), engine.ignore_event)
    assert state.round > 10
    assert state.marker == [15] * seats


@pytest.mark.parametrize("seats", mostly_long(SEATS, 4))
def test_the_same_actions_give_the_same_match(seats: int) -> None:
    game = random_game(seats, 11, 120)
    state = engine.start(CLASSIC, seats, {}, engine.ignore_event)
    for seat, action in game.trace:
        engine.play(CLASSIC, state, seat, action, engine.ignore_event)
    assert ENCODER.encode(state) == ENCODER.encode(game.state)


@pytest.mark.parametrize("seats", SEATS)
def test_crowded_boards_are_sound_and_busy(seats: int) -> None:
    for seed in range(5):
        state = crowded(seats, seed)
        assert CLASSIC.invariants(state) == []
        assert ENCODER.encode(crowded(seats, seed)) == ENCODER.encode(state)


def test_wild_actions_are_of_every_kind_and_often_legal() -> None:
    """The fuzz is worth something only if it is accepted now and then."""
    rng = Random(3)
    state = crowded(4, 3)
    (seat,) = engine.owed(CLASSIC, state)
    tried = [wild(rng, state, seat) for _ in range(2000)]
    assert len({type(action) for action in tried}) >= len(set(MAKERS)) - 1
    accepted = {type(a).__name__ for a in tried if engine.check(CLASSIC, state, seat, a) is None}
    assert {"March", "Sail", "EndMovement", "Concede"} <= accepted
