"""Random games of every size, asked at every step whether anything is wrong."""

import pytest

from tests.support.random_games import random_game

EVERYTHING = {"homes": 1, "resign": 1, "captured_supply": 0, "mesopotamia_arabia_adjacent": 1}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("seats", range(2, 7))
def test_random_games(seats: int, seed: int) -> None:
    random_game(seats, seed, 400)
