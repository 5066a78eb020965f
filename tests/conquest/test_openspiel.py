"""The games in OpenSpiel."""

from typing import Any

import numpy as np
import pytest

from conquest import GAMES
from conquest.environments import layout
from tests.support.marks import with_releases

pyspiel = pytest.importorskip("pyspiel", reason="no OpenSpiel on this machine")
openspiel = pytest.importorskip("conquest.openspiel")


def begun(game: str, seed: int = 4, players: int = 2) -> Any:
    """Return a match of OpenSpiel up to its first decision."""
    state = pyspiel.load_game(f"conquest_{game}", {"players": players, "seed": seed}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(["classic", "cote2"], "cote2"))
def test_openspiel_plays_random_matches_to_their_end(game: str) -> None:
    pyspiel.random_sim_test(
        pyspiel.load_game(f"conquest_{game}", {"seed": 1}), num_sims=1, serialize=False, verbose=False
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_seed_repeats_a_match_of_openspiel(game: str) -> None:
    first, second = begun(game), begun(game)
    for _ in range(40):
        if first.is_chance_node():
            actions = [outcome for outcome, _ in first.chance_outcomes()]
        else:
            actions = first.legal_actions()
        first.apply_action(actions[-1])
        second.apply_action(actions[-1])
    assert first.game.view == second.game.view and str(first) == str(second)


def test_a_copy_of_openspiel_goes_on_alone() -> None:
    state = begun("classic")
    before, copy = str(state), state.clone()
    words = copy.action_to_string(copy.current_player(), 0)
    copy.apply_action(0)
    assert words == "end movement"
    assert str(state) == before != str(copy)
    assert isinstance(copy, openspiel.SpielState)


def test_observers_of_openspiel_know_only_what_their_seat_knows() -> None:
    state = begun("cote2", players=3)
    observer = state.get_game().make_py_observer()
    for seat in range(3):
        observer.set_from(state, seat)
        assert observer.dict["talents by seat"].tolist() == pytest.approx([0.8] * 3)
        assert observer.string_from(state, seat) == str(state.game.observe(seat).raw)
    assert observer.tensor.shape == (layout("cote2", 3)[-1].stop,) and np.any(observer.tensor)


def test_ends_are_worth_one_to_winners_and_minus_one_to_others() -> None:
    state = begun("cote2", players=3)
    chance = np.random.default_rng(2)
    assert state.returns() == [0, 0, 0]
    while not state.is_terminal():
        state.apply_action(0 if state.is_chance_node() else int(chance.choice(state.legal_actions())))
    assert [value == 1 for value in state.returns()] == [seat in state.game.winners for seat in range(3)]
