"""The player of the second game: legal, quick, and much better than chance."""

import random
import time

import pytest

from server.bots import policy
from server.bots.cote2.cards import WORTH
from server.bots.cote2.position_analysis import SeatAnalysis
from shared.ids import NATURE, Army
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Attack, Bid, Lend, Pass, Use
from shared.rulesets.cote2.data import CARDS, DATA, MULTI_USE
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.effects import Taken
from shared.rulesets.cote2.frames import Auction
from shared.rulesets.cote2.state import State
from shared.vocabulary.actions import EndTurn
from tests.support.layout import sp
from tests.support.marks import with_releases
from tests.support.positionii import card, forum, general, play, position


def match(kinds: list[str], seed: int) -> State:
    """Return a whole match between policies, each on its own seat's view."""
    rng = random.Random(seed)
    state: State = engine.start(COTE2, len(kinds), {}, engine.ignore_event)
    while not COTE2.finished(state):
        (seat,) = engine.owed(COTE2, state)
        if seat == NATURE:
            action = engine.chance_action(state, rng)
        else:
            view = COTE2.view(state, seat)
            action = policy.POLICIES[kinds[seat]](COTE2, view, seat, rng)
            assert engine.check(COTE2, view, seat, action) is None, (kinds[seat], action)
        assert action is not None
        engine.play(COTE2, state, seat, action, engine.ignore_event)
    return state


def wins(seeds: range) -> int:
    """Return the number of matches that the greedy player wins alone, on alternating seats."""
    won = 0
    for seed in seeds:
        kinds = ["random", "random"]
        kinds[seed % 2] = "normal"
        won += match(kinds, seed).winners == (seed % 2,)
    return won


@pytest.mark.long
def test_beats_chance() -> None:
    assert wins(range(10)) >= 9


@pytest.mark.exhaustive
def test_beats_chance_at_least_95_times_in_100() -> None:
    assert wins(range(100, 200)) >= 95


@pytest.mark.parametrize("seats", [2, *with_releases(range(3, 7))])
def test_plays_whole_matches_against_itself(seats: int) -> None:
    state = match(["normal"] * seats, seats)
    assert min(state.points) > 0


def asked(ally: Army) -> Action:
    """Return the answer of a player whose ally, with one infantry, is attacked by three."""
    units = {"italia": {0: (3, 0, 0), 1: (1, 0, 0), 3: ally}}
    state = position(4, sides=(0, 1, 0, 1), units=units, leaders={"italia": [general(0), general(3)]})
    play(state, (0, Attack(sp("italia"), 1)))
    return policy.play_normal(COTE2, COTE2.view(state, 3), 3, random.Random(1))


def test_helps_an_ally_where_that_turns_the_battle() -> None:
    assert asked((5, 1, 0)) == Lend(5, 1, 0)
    assert asked((1, 0, 0)) == Lend(), "both would be lost"


@pytest.mark.long
def test_decides_quickly() -> None:
    rng = random.Random(1)
    state = engine.start(COTE2, 4, {}, engine.ignore_event)
    slowest = 0.0
    for _ in range(200):
        (seat,) = engine.owed(COTE2, state)
        action = engine.chance_action(state, rng)
        if action is None:
            view = COTE2.view(state, seat)
            before = time.process_time()
            action = policy.play_normal(COTE2, view, seat, rng)
            slowest = max(slowest, time.process_time() - before)
            again = policy.play_normal(COTE2, COTE2.view(state, seat), seat, rng)
            assert again == action, "same view, same action"
        engine.play(COTE2, state, seat, action, engine.ignore_event)
    assert slowest < 0.25


@pytest.mark.parametrize("key", [printed.key for printed in CARDS])
def test_knows_what_every_card_is_worth(key: str) -> None:
    """Whatever lies open or before it: the player weighs each way, and decides."""
    worth = WORTH.of(card(key))
    state = forum(row=[key], cards={0: [key] if CARDS[card(key)].copies > 1 else []})
    view = COTE2.view(state, 0)
    analysis = SeatAnalysis(view, 0)
    taken = [action for action in engine.options(COTE2, view, 0) if isinstance(action, Taken)]
    assert taken
    assert all(isinstance(worth.taken(analysis, action), float) for action in taken)
    assert all(worth.won(analysis, seat) >= 0.0 for seat in range(3)), "nobody wins a vote to his harm"
    assert engine.check(COTE2, view, 0, policy.play_normal(COTE2, view, 0, random.Random(1))) is None


@pytest.mark.parametrize("key", [printed.key for printed in CARDS if printed.kind == MULTI_USE])
def test_uses_in_the_last_round_what_it_has(key: str) -> None:
    state = forum(cards={0: [key]}, round=DATA.rounds, left=0, chaos=(10, 0, 0))
    state.senators[0] = (2, 2, 1, 1)
    state.influence[sp("italia")] = (1, 2, 0)
    answer = policy.play_normal(COTE2, COTE2.view(state, 0), 0, random.Random(1))
    assert isinstance(answer, Use)
    assert answer.card == card(key)


@pytest.mark.parametrize("key", [printed.key for printed in CARDS if printed.key.startswith("senate_")])
def test_it_calls_no_vote_for_others_to_win(key: str) -> None:
    state = forum(cards={0: [key]}, round=DATA.rounds, left=0)
    state.senators[:] = [(1, 0, 0, 0), (0, 0, 3, 2), (0, 2, 2, 1)]
    assert policy.play_normal(COTE2, COTE2.view(state, 0), 0, random.Random(1)) == EndTurn()


@pytest.mark.parametrize("order", [(1, 0), (0, 1)])
def test_it_bids_to_act_last(order: tuple[int, int]) -> None:
    """It opens with itself in the second place. It passes on bids that put it there and overbids all others."""
    state = engine.start(COTE2, 2, {}, engine.ignore_event)
    rng = random.Random(3)
    while not isinstance(state.frames[-1], Auction):
        action = engine.chance_action(state, rng)
        assert action is not None
        engine.play(COTE2, state, NATURE, action, engine.ignore_event)
    (opener,) = engine.owed(COTE2, state)
    view = COTE2.view(state, opener)
    assert policy.play_normal(COTE2, view, opener, rng) == Bid(0, 1 - opener, opener)
    engine.play(COTE2, state, opener, Bid(0, order[0], order[1]), engine.ignore_event)
    (other,) = engine.owed(COTE2, state)
    answer = policy.play_normal(COTE2, COTE2.view(state, other), other, rng)
    assert answer == (Pass() if order[1] == other else Bid(5, 1 - other, other))
