"""The player of the 1984 game against one who plays at random."""

import random

import pytest

from server.bots import policy
from server.bots.mb1984.odds import odds
from shared.ids import NATURE
from shared.kernel import engine
from shared.rulesets.mb1984.actions import Answer, EndMovement, Fight, Judge, Offer, PlaceRoad, Retreat, Stand
from shared.rulesets.mb1984.frames import Aiming, CargoLoss, Onward
from shared.rulesets.mb1984.game import MB1984
from tests.support.position1984 import caesar, galley, general, march, owed, play, position, prison, sp

LIMIT = 100


def winner(seats: int, seed: int, greedy: int) -> int:
    """Who wins a game in which seat `greedy` thinks and the others do not."""
    rng = random.Random(seed)
    state = engine.start(MB1984, seats, {"round_limit": LIMIT}, engine.silent)
    while not MB1984.finished(state):
        seat = engine.owed(MB1984, state)[0]
        action = engine.chance_action(state, rng) if seat == NATURE else None
        if action is None:
            kind = "greedy" if seat == greedy else "random"
            action = policy.choose(kind, MB1984, MB1984.view(state, seat), seat, rng)
        engine.play(MB1984, state, seat, action, engine.silent)
    return MB1984.winner(state)


@pytest.mark.parametrize("seed", range(4))
def test_it_wins_against_chance(seed: int) -> None:
    assert winner(2, seed, seed % 2) == seed % 2


def test_it_plays_a_full_table() -> None:
    assert winner(6, 1, 2) in range(6)


@pytest.mark.long
def test_it_wins_nearly_always() -> None:
    assert sum(winner(2, seed, seed % 2) == seed % 2 for seed in range(100)) >= 95


def test_odds_know_combat_advantage() -> None:
    assert odds((0, 0, 7), (7, 0, 0)) > 0.95
    assert odds((1, 0, 0), (7, 0, 0)) < 0.05
    assert odds((3, 0, 0), (0, 0, 0)) == 1.0
    assert odds((0, 0, 0), (1, 0, 0)) == 0.0
    assert odds((4, 0, 1), (4, 0, 0)) > odds((4, 0, 1), (4, 0, 0), 1)


def test_it_takes_a_lone_caesar_first() -> None:
    state = position(
        3,
        homes=("italia", "egyptus", "hispania"),
        units={"dalmatia": {0: (3, 0, 0), 1: (3, 0, 0)}, "noricum": {0: (2, 0, 0)}},
        leaders={"dalmatia": [general(0), general(1)], "noricum": [general(0, 2), caesar(1)]},
        owners={"dalmatia": 1},
        phase="combat",
    )
    rng = random.Random(1)
    assert policy.choose("greedy", MB1984, MB1984.view(state, 0), 0, rng) == Fight(sp("noricum"), 1)


def test_it_walks_into_open_land_and_never_leads_with_the_caesar() -> None:
    state = position(homes=("italia", "egyptus"), units={"italia": {0: (4, 0, 0)}}, leaders={"italia": [general(0)]})
    action = policy.choose("greedy", MB1984, MB1984.view(state, 0), 0, random.Random(1))
    assert type(action) is type(march("italia", "neapolis", general(0)))
    assert caesar(0) not in action.leaders
    alone = position(homes=("italia", "egyptus"))
    assert policy.choose("greedy", MB1984, MB1984.view(alone, 0), 0, random.Random(1)) == EndMovement()


def test_it_gives_up_a_hopeless_attack_and_goes_on_with_a_good_one() -> None:
    for mine, stands in (((5, 0, 3), True), ((2, 0, 0), False)):
        state = position(
            homes=("italia", "egyptus"),
            units={"dalmatia": {0: mine, 1: (4, 0, 0)}},
            leaders={"dalmatia": [general(0), general(0, 2), general(1)]},
            owners={"dalmatia": 1},
            phase="combat",
        )
        play(state, (0, Fight(sp("dalmatia"), 1)))
        while owed(state) != (0,) or not hasattr(state.frames[-1], "space") or hasattr(state.frames[-1], "ahead"):
            seat = owed(state)[0]
            play(state, "1" if seat == NATURE else (seat, engine.default(MB1984, state, seat)))
        chosen = policy.choose("greedy", MB1984, MB1984.view(state, 0), 0, random.Random(1))
        assert isinstance(chosen, Stand) == stands


@pytest.mark.parametrize("prey", [caesar(1), general(1, 2)])
def test_it_retreats_where_enemy_leaders_stand_alone(prey: int) -> None:
    """To a Caesar also out of a good battle, to a general out of a bad one."""
    good = prey == caesar(1)
    state = position(
        homes=("italia", "egyptus"),
        units={"dalmatia": {0: (5, 0, 3) if good else (3, 0, 0), 1: (4, 0, 0)}},
        leaders={"dalmatia": [general(0), general(0, 2), general(1)], "pannonia": [prey]},
        owners={"dalmatia": 1, "pannonia": 0},
        phase="combat",
    )
    play(state, (0, Fight(sp("dalmatia"), 1)))
    while not isinstance(state.frames[-1], Onward):
        seat = owed(state)[0]
        play(state, "1" if seat == NATURE else (seat, engine.default(MB1984, state, seat)))
    chosen = policy.choose("greedy", MB1984, MB1984.view(state, 0), 0, random.Random(1))
    assert chosen == Retreat(sp("pannonia"))


def test_it_names_the_galleys_of_a_battle_at_sea() -> None:
    state = position(
        homes=("italia", "egyptus"),
        phase="combat",
        galleys=dict.fromkeys((galley(0), galley(0, 1), galley(1), galley(1, 1)), "mare_tyrrhenum"),
        cargo={galley(0): (1, 0, 0), galley(0, 1): (3, 0, 0)},
        leaders={60 + galley(0): [general(0)], 60 + galley(0, 1): [general(0, 2)], 60 + galley(1): [general(1)]},
    )
    play(state, (0, Fight(sp("mare_tyrrhenum"), 1)))
    for seat, asked in ((0, Aiming), (1, None), (0, CargoLoss)):
        if asked is None:
            play(state, "1", "6")
            continue
        assert isinstance(state.frames[-1], asked) and owed(state) == (seat,)
        chosen = policy.choose("greedy", MB1984, MB1984.view(state, seat), seat, random.Random(1))
        play(state, (seat, chosen))
    assert state.cargo[galley(0)] == (1, 0, 0) and state.cargo[galley(0, 1)] == (2, 0, 0)


def test_it_builds_roads_without_a_home() -> None:
    state = position(
        homes=("italia", "egyptus"), owners={"italia": 1, "rhaetia": 0, "noricum": 0}, phase="placement",
        built={"rhaetia": 1, "noricum": 1}, leaders={"rhaetia": [caesar(0)]},
    )  # fmt: skip
    chosen = policy.choose("greedy", MB1984, MB1984.view(state, 0), 0, random.Random(1))
    assert isinstance(chosen, PlaceRoad)


def test_it_sells_a_general_for_a_good_price_and_kills_nobody() -> None:
    for wants, accepts in ((10, True), (50, False)):
        state = position(leaders={prison(0): [general(1)]}, talents=[0, 90])
        play(state, (0, Offer(1, gives=(general(1),), wants=wants)))
        chosen = policy.choose("greedy", MB1984, MB1984.view(state, 1), 1, random.Random(1))
        assert chosen == Answer(accepts)
    assert Judge(()) != Judge((1,))
