"""Random games of every size, and clumsy or hostile actions, asked at every step whether anything is wrong."""

import pytest

from shared.kernel import engine
from shared.rulesets.mb1984.game import MB1984
from shared.rulesets.mb1984.property import in_play, supply
from shared.rulesets.mb1984.state import GALLEYS, LEADERS, POOL, State
from tests.support.fuzz import Game, Habits, stuck
from tests.support.wild1984 import absurd, wild

OPTIONS: tuple[dict[str, int], ...] = (
    {},
    {"city_limit": 1, "galley_leaders": 1, "galley_targets": 1, "income_cap": 1, "resign": 1, "homes": 1},
    {"mesopotamia_arabia_adjacent": 1, "enemy_coasts": 1, "homes": 2, "resign": 1},
)


def conserved(state: State) -> list[str]:
    """Pieces neither appear nor vanish."""
    wrong = stuck(state)
    here = in_play(state)
    for seat in range(state.seats):
        left = supply(state, seat)
        if any(left[k] + here[k] != POOL[k] or left[k] < 0 for k in range(3)) or left[3] < 0:
            wrong.append(f"supply {left} and {here} on the board")
    if len(state.leader_at) != state.seats * LEADERS or len(state.galley_at) != state.seats * GALLEYS:
        wrong.append("leaders or galleys were lost")
    return wrong


HABITS = Habits(MB1984, wild, absurd, conserved, others=0.2, leaving=0.005)


def random_game(seats: int, seed: int, steps: int) -> Game:
    """A game from the printed start."""
    game = Game(HABITS, engine.start(MB1984, seats, OPTIONS[seed % len(OPTIONS)], engine.silent), seed)
    game.play(steps)
    return game


@pytest.mark.rule("MB-D03", "MB-D04", "MB-D47")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("seats", range(2, 7))
def test_random_games(seats: int, seed: int) -> None:
    random_game(seats, seed, 400)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 112))
@pytest.mark.parametrize("seats", range(2, 7))
def test_many_random_games(seats: int, seed: int) -> None:
    random_game(seats, seed, 4000)
