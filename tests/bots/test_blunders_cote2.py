"""The counter of blunders in the second game, with near misses that it must not count."""

from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Attack, Influence, Obtain, Show
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.state import State
from tests.bench.blunders import watched
from tests.bench.blunders_cote2 import Cote2Watch
from tests.support.layout import sp
from tests.support.positionii import card, forum, galley, general, move, obtain, play, position, use


def counted(state: State, *actions: Action) -> dict[str, int]:
    """Return the blunders counted when seat 0 does these actions in turn (they are not carried out)."""
    watch = Cote2Watch()
    for action in actions:
        watch.acts(state, 0, action)
    return {name: number for name, number in watch.made.items() if number}


def test_an_attack_without_a_chance() -> None:
    state = position(units={"egyptus": {0: (1, 0, 0), 1: (8, 2, 1)}, "asia": {0: (8, 2, 1), 1: (1, 0, 0)}})
    assert counted(state, Attack(sp("egyptus"), 1)) == {"against_odds": 1}
    assert counted(state, Attack(sp("asia"), 1)) == {}


def test_leaders_who_walk_back_without_having_done_anything() -> None:
    state = position(leaders={"italia": [general(0)]})
    there = move("italia", leaders=[(general(0), "narbonensis")])
    back = move("narbonensis", leaders=[(general(0), "italia")])
    assert counted(state, there, back) == {"back_and_forth": 1}
    assert counted(state, there, Influence(sp("narbonensis"), (1,)), back) == {}
    assert counted(state, there, move("narbonensis", leaders=[(general(0), "hispania")])) == {}


def test_cards_that_can_do_nothing() -> None:
    row = ["merchant_egypt", "diplomacy_numidia", "naval_training"]
    bare = position(row=row)
    ready = position(
        row=row, influence={"egyptus": {0: 1}}, units={"numidia": {0: (1, 0, 0)}}, galleys={galley(0): "mare_epirus"}
    )
    cards: list[Obtain] = [obtain(key) for key in row]
    assert counted(bare, *cards) == {"card_without_use": 3}
    assert counted(ready, *cards) == {}


def test_votes_for_others_to_win() -> None:
    state = forum(cards={0: ["senate_hail_caesar"]})
    call = use("senate_hail_caesar")
    state.senators[:] = [(1, 1, 0, 0), (0, 0, 2, 1), (1, 0, 0, 0)]
    assert counted(state, call) == {"called_for_others": 1}
    state.senators[0] = (0, 1, 1, 0)
    assert counted(state, call) == {}


def test_senators_for_nothing() -> None:
    for chaos, wrong in ((0, {"voted_for_nothing": 1}), (3, {})):
        state = forum(cards={0: ["senate_bread_and_circuses"]}, chaos=(chaos, 0, 0))
        assert card("senate_bread_and_circuses") in state.cards[0]
        play(state, (0, use("senate_bread_and_circuses")))
        assert counted(state, Show(1)) == wrong


def test_whole_matches_are_looked_at() -> None:
    made, decisions = watched(COTE2, "random", 3, 1, 9)
    assert decisions > 100
    assert set(made) == set(Cote2Watch.NAMES)
    assert made["card_without_use"] > 0
