"""Random games of every size, and clumsy or hostile actions, asked at every step whether anything is wrong."""

from itertools import product
from random import Random

import pytest

from shared.ids import NO_ARMY
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.mechanics.armies import plus
from shared.mechanics.pieces import ABOARD, PRISON
from shared.rulesets.conquest.pieces import galleys_at
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.mb1984.frames import Battle
from shared.rulesets.mb1984.options import unit_pool
from shared.rulesets.mb1984.property import in_play, supply
from shared.rulesets.mb1984.table import GALLEYS, LEADERS, State
from shared.vocabulary.actions import Fight
from shared.vocabulary.events import Fell
from tests.support.fuzz import Game, Habits, stuck
from tests.support.layout import aboard, sp
from tests.support.marks import pairs_in_stages, with_releases
from tests.support.position1984 import galley, general, play, position
from tests.support.wild1984 import absurd, wild


def conserved(state: State) -> list[str]:
    """Return complaints about pieces that appeared or vanished."""
    wrong = stuck(state)
    here, pool = in_play(state), unit_pool(state)
    for seat in range(state.seats):
        left = supply(state, seat)
        if any(left[k] + here[k] != pool[k] or left[k] < 0 for k in range(3)) or left[3] < 0:
            wrong.append(f"supply {left} and {here} on the board")
    if len(state.leader_at) != state.seats * LEADERS or len(state.galley_at) != state.seats * GALLEYS:
        wrong.append("leaders or galleys were lost")
    return wrong


HABITS = Habits(MB1984, wild, absurd, conserved, others=0.2, leaving=0.005)


def any_options(seed: int) -> dict[str, int]:
    """Return a value for every option but the round limit; each fourth seed gives the defaults."""
    rng = Random(seed)
    options = {option.key: rng.choice(option.values) for option in MB1984.options if option.key != "round_limit"}
    return options if seed % 4 else {}


def random_game(seats: int, seed: int, steps: int) -> Game:
    """Return a game from the printed start."""
    game = Game(HABITS, engine.start(MB1984, seats, any_options(seed * 7 + seats), engine.ignore_event), seed)
    game.play(steps)
    return game


@pytest.mark.rule("MB-D03", "MB-D04", "MB-D47")
@pytest.mark.parametrize(("seats", "seed"), pairs_in_stages(product(range(2, 7), range(3)), [(2, 0), (4, 1), (6, 2)]))
def test_random_games(seats: int, seed: int) -> None:
    random_game(seats, seed, 400)


@pytest.mark.long
@pytest.mark.parametrize("seed", with_releases(range(100, 112), 100))
@pytest.mark.parametrize("seats", with_releases(range(2, 7), 3, 6))
def test_many_random_games(seats: int, seed: int) -> None:
    random_game(seats, seed, 4000)


def fleets(seed: int) -> State:
    """Return galleys of two players in one zone, loaded at random; seat 0 attacks."""
    rng = Random(seed)
    ships = [galley(seat, k) for seat in (0, 1) for k in range(rng.randint(1, 4))]
    crews: dict[str | int, list[int]] = {
        aboard(ship): [general(ship // GALLEYS, ship % GALLEYS + 1)] for ship in ships if rng.random() < 0.8
    }
    loads = {ship: tuple(rng.choices(range(3), k=3)) for ship in ships if aboard(ship) in crews}
    return position(
        homes=("galatia", "egyptus"),
        galleys=dict.fromkeys(ships, "mare_alexandria"),
        cargo={ship: (a, b, c) for ship, (a, b, c) in loads.items() if a + b + c},
        leaders=crews,
        phase="combat",
        options={"galley_targets": seed % 2, "galley_leaders": seed % 3 % 2},
    )


def afloat(state: State) -> set[int]:
    """Return leaders aboard a galley."""
    return {leader for leader, at in enumerate(state.leader_at) if ABOARD <= at < PRISON}


@pytest.mark.rule("MB-NAVAL-06", "MB-D29", "MB-D31")
@pytest.mark.parametrize("seed", range(30))
def test_random_battles_at_sea(seed: int) -> None:
    """Only galleys that were there sink, and leaders stay aboard until the last galley of their side has sunk."""
    state, rng = fleets(seed), Random(seed)
    zone, before, crews = sp("mare_alexandria"), in_play(state), afloat(state)
    sides = {seat: {leader for leader in crews if leader // LEADERS == seat} for seat in (0, 1)}
    fallen = NO_ARMY
    play(state, (0, Fight(zone, 1)))
    while any(isinstance(frame, Battle) for frame in state.frames):
        owing = engine.owed(MB1984, state)[0]
        action = engine.chance_action(state, rng) or rng.choice(engine.options(MB1984, state, owing))
        for event in play_out(state, owing, action):
            fallen = plus(fallen, event.army) if isinstance(event, Fell) else fallen
        assert MB1984.invariants(state) == [] and plus(in_play(state), fallen) == before
        for seat, crew in sides.items():
            assert (crew <= afloat(state)) == (not crew or bool(galleys_at(state, seat, zone)))


def play_out(state: State, seat: int, action: Action) -> list[Event]:
    """Play one action and return its events with those that follow from it."""
    happened: list[Event] = []
    engine.play(MB1984, state, seat, action, happened.append)
    return happened
