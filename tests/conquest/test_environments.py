"""Environments pass the checks of PettingZoo and Gymnasium, and know only what a seat knows."""

import copy
import pickle
import sys
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import conquest
from conquest import environments


@pytest.mark.parametrize("game", conquest.GAMES)
@pytest.mark.filterwarnings("ignore")
def test_pettingzoos_own_test_passes(game: str) -> None:
    api_test(conquest.env(game, seats=3, most_steps=150), num_cycles=60, verbose_progress=False)


@pytest.mark.filterwarnings("ignore")
def test_pettingzoos_test_of_seeds_passes() -> None:
    seed_test(lambda: conquest.env("classic", seats=2, most_steps=60), num_cycles=40)


@pytest.mark.filterwarnings("ignore")
def test_gymnasiums_own_check_passes() -> None:
    check_env(conquest.gym_env("classic", seats=2, players=["random"], most_steps=50), skip_render_check=True)


def test_a_match_by_masks_ends_with_a_winner() -> None:
    table, chance = conquest.env("cote2", seats=3, most_steps=3000), np.random.default_rng(5)
    table.reset(seed=5)
    rewards = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, over, cut, _ = table.last()
        rewards[agent] += reward
        table.step(None if over or cut else int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    assert sorted(rewards.values()) in ([-1, -1, 1], [-1, 1, 1])


def test_steps_outside_of_the_mask_are_refused() -> None:
    table = conquest.env("classic", seats=2)
    table.reset(seed=1)
    with pytest.raises(ValueError, match=r"outside of the mask; 19 are legal"):
        table.step(200)


def test_info_names_the_decision_and_replaced_actions() -> None:
    table: Any = conquest.gym_env("cote2", seats=2, players=["random"])
    _, before = table.reset(seed=1)
    assert before == {"seat": 0, "round": 1, "decision": "Auction", "to_move": 0, "played": "", "replaced": False}
    with pytest.warns(UserWarning, match="Action 200 is outside of the mask"):
        *_, after = table.step(200)
    assert after["replaced"] and after["played"] in ("Bid", "Pass")
    assert not table.step(0)[-1]["replaced"]


def test_info_of_a_seat_tells_only_its_own_last_action() -> None:
    table = conquest.env("classic", seats=2)
    table.reset(seed=1)
    table.step(0)
    told = table.unwrapped.infos
    assert [told[agent]["played"] for agent in ("seat_0", "seat_1")] == ["EndMovement", ""]
    assert {each["decision"] for each in told.values()} == {"Destruction"}


def test_observations_have_the_described_layout() -> None:
    game = conquest.new("classic", seats=2, seed=1)
    parts = {part.name: slice(part.start, part.stop) for part in environments.layout("classic", 2)}
    for seat in range(2):
        vector = environments.observation(game.observe(seat), seat)
        assert vector[parts["owned"]].sum() == vector[parts["owned by others"]].sum() == 1
        assert vector[parts["infantry"]].sum() == pytest.approx(0.5)
        assert vector[parts["seat to move"]].argmax() == (0 - seat) % 2


def test_observations_show_leaders_and_what_only_conquest_ii_has() -> None:
    game = conquest.new("cote2", seats=3, seed=1)
    chance = Random(1)
    while game.round < 3:
        game.play(game.legal().pick(chance))
    parts = {part.name: slice(part.start, part.stop) for part in environments.layout("cote2", 3)}
    for seat in range(3):
        view = game.observe(seat)
        vector = environments.observation(view, seat)
        mine = [leader for leader in view.leaders if leader.seat == seat]
        assert vector[parts["leaders"]].sum() == len(mine)
        assert vector[parts["caesar"]].argmax() == conquest.MAP[mine[0].place].number
        assert vector[parts["cards"]].sum() == len(view["cards"][seat])
        assert vector[parts["influence"]].sum() == sum(tokens[seat] for tokens in view["influence"] if tokens)
        assert vector[parts["points by seat"]].tolist() == pytest.approx(
            [view["points"][(seat + other) % 3] / 100 for other in range(3)]
        )
        assert vector[parts["allies"]][0] == (view["side"][seat] != -1)


@pytest.mark.parametrize(("game", "kind"), [("classic", "March"), ("mb1984", "Sail"), ("cote2", "Move")])
def test_rows_tell_movements_apart(game: str, kind: str) -> None:
    match, chance = conquest.new(game, seats=3, seed=2), Random(2)
    while not (found := [action for action in match.legal().choices if action.kind == kind]):
        match.play(match.legal().pick(chance))
    rows = {tuple(row) for row in environments.features(found, len(found))}
    assert len(rows) == len(found)


def test_vectors_step_together_and_reset_themselves() -> None:
    many: Any = conquest.vector_env(3, game="classic", seats=2, players=["random"], most_steps=4)
    first, _ = many.reset(seed=3)
    assert first["action_mask"].shape == (3, 256)
    for _ in range(8):
        seen, _, _, cut, _ = many.step(np.zeros(3, int))
    assert seen["observation"].shape[0] == 3 and cut.shape == (3,)
    many.close()
    with pytest.raises(ValueError, match="2 players are needed"):
        conquest.gym_env(seats=3, players=["normal"])


@pytest.mark.parametrize("game", conquest.GAMES)
def test_environments_copy_pickle_and_play_on_identically(game: str) -> None:
    table = conquest.env(game, seats=3)
    table.reset(seed=np.int64(4))
    table.step(0)
    for other in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        for _ in range(5):
            other.step(0)
        assert other.unwrapped.game.count > table.unwrapped.game.count
    seat = conquest.gym_env(game, seats=2, players=["normal"])
    seat.reset(seed=np.int64(4))
    several = (seat, copy.deepcopy(seat), pickle.loads(pickle.dumps(seat)))
    first, *others = [[float(each.step(np.int64(0))[0]["observation"].sum()) for _ in range(3)] for each in several]
    assert first == others[0] == others[1]


def test_gymnasium_makes_environments_by_name_and_renders_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in conquest.GAMES:
        text = gymnasium.make(f"conquest/{game.capitalize()}-v0", seats=2, players=["random"], render_mode="ansi")
        text.reset(seed=1)
        assert str(text.render()).count("\n") == 2 and "talents" in str(text.render())
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    pixels = conquest.gym_env(seats=2, players=["random"], render_mode="rgb_array")
    pixels.reset(seed=1)
    with pytest.raises(gymnasium.error.DependencyNotInstalled, match="pip install cairosvg pillow"):
        pixels.render()
    with pytest.raises(ValueError, match="no render mode 'human'; there is svg, ansi, rgb_array"):
        conquest.env(render_mode="human")
