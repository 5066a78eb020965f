"""Random matches of the second game, to the final scoring.

A failure names its seed: ``random_game(seats, seed)`` plays it again. Hundreds of games: ``pytest -m long``.
"""

from itertools import product

import pytest

from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.rulesets.cote2.definition import COTE2
from tests.support.cote2_games import ENCODER, crowded_game, random_game, scarce
from tests.support.marks import mostly_long, pairs_in_stages, with_releases

STRANGE = {option.key: option.values[-1] for option in COTE2.options} | {"strait_zones": 0}
"""Every option as it is not by default."""
SEATS = range(2, 7)


@pytest.mark.parametrize("seats", mostly_long(SEATS, 2))
def test_to_the_final_scoring(seats: int) -> None:
    game = random_game(seats, seats)
    state = game.state
    assert COTE2.finished(state)
    assert state.winner != NONE
    assert game.acted == {(s, r, seat): 2 for s in range(1, 5) for r in range(1, 5) for seat in range(seats)}
    assert engine.owed(COTE2, state) == ()


@pytest.mark.parametrize("seats", mostly_long(SEATS, 5))
def test_with_every_option(seats: int) -> None:
    state = random_game(seats, 40 + seats, 250, STRANGE).state
    assert state.season > 1


CHOICES = [(option.key, value) for option in COTE2.options for value in option.values if value != option.default]


@pytest.mark.long
@pytest.mark.parametrize(("number", "key", "value"), [(n, *choice) for n, choice in enumerate(CHOICES)])
def test_with_each_option_alone(number: int, key: str, value: int) -> None:
    random_game(2 + number % 5, 60 + number, 150, {key: value})


@pytest.mark.parametrize(("seats", "seed"), pairs_in_stages(product(SEATS, range(6)), [(3, 0), (6, 1)]))
def test_from_a_crowded_board(seats: int, seed: int) -> None:
    crowded_game(seats, seed, 60)


@pytest.mark.parametrize(("seats", "seed"), pairs_in_stages(product(SEATS, range(3)), [(4, 0)]))
def test_with_hardly_a_piece_left(seats: int, seed: int) -> None:
    crowded_game(seats, seed, 60, scarce)


@pytest.mark.long
@pytest.mark.parametrize("seed", with_releases(range(100, 120), 100))
@pytest.mark.parametrize("seats", SEATS)
def test_many_to_the_final_scoring(seats: int, seed: int) -> None:
    assert COTE2.finished(random_game(seats, seed, chosen=STRANGE if seed % 3 == 0 else {}).state)


@pytest.mark.long
@pytest.mark.parametrize("seed", with_releases(range(100, 180), 100))
@pytest.mark.parametrize("seats", SEATS)
def test_many_from_a_crowded_board(seats: int, seed: int) -> None:
    crowded_game(seats, seed, 150)


@pytest.mark.long
@pytest.mark.parametrize("seed", with_releases(range(100, 120), 100))
@pytest.mark.parametrize("seats", SEATS)
def test_many_with_hardly_a_piece_left(seats: int, seed: int) -> None:
    crowded_game(seats, seed, 150, scarce)


@pytest.mark.parametrize("seats", mostly_long(SEATS, 3))
def test_the_same_actions_give_the_same_match(seats: int) -> None:
    game = random_game(seats, 11, 150)
    state = engine.start(COTE2, seats, {}, engine.ignore_event)
    for seat, action in game.trace:
        engine.play(COTE2, state, seat, action, engine.ignore_event)
    assert ENCODER.encode(state) == ENCODER.encode(game.state)
    assert any(seat == NATURE for seat, _action in game.trace)
