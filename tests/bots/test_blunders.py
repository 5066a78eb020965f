"""The counter of blunders in Classic, with near misses that it must not count."""

import pytest

from shared.board import BOARD
from shared.kernel import engine
from shared.rulesets.classic import frames
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.table import LEADERS, State
from shared.rulesets.registry import ruleset
from shared.vocabulary.actions import Answer, Fight, Offer
from tests.bench.blunders import ClassicWatch, caesar_left, watched

CLASSIC = ruleset("classic")
HISPANIA, AQUITANIA, LUSITANIA = (BOARD.space(key) for key in ("hispania", "aquitania", "lusitania"))


def duel() -> State:
    """Return a position in which Egyptus is seat 0's and Hispania seat 1's."""
    state: State = engine.start(CLASSIC, 2, {"homes": 2}, engine.ignore_event)
    return state


def host(state: State, seat: int, space: int, *army: int) -> None:
    """Put an army of `seat` there with its first general."""
    state.units[space] = (seat, *army)
    state.leader_at[seat * LEADERS + 1] = space


@pytest.mark.parametrize(("guard", "attackers", "left"), [(1, 7, True), (9, 7, False), (1, 0, False)])
def test_a_caesar_left_in_danger(guard: int, attackers: int, left: bool) -> None:
    state = duel()
    state.units[HISPANIA] = (1, guard, 0, 0)
    if attackers:
        host(state, 0, AQUITANIA, attackers, 0, 0)
    assert caesar_left(state, 1) == left


def test_a_caesar_with_nowhere_to_go_is_no_blunder() -> None:
    state = duel()
    state.units[HISPANIA] = (1, 1, 0, 0)
    host(state, 0, AQUITANIA, 7, 0, 0)
    for to in BOARD.land[HISPANIA]:
        state.units[to] = (0, 7, 0, 0)
    assert not caesar_left(state, 1)


@pytest.mark.parametrize(
    ("army", "defenders", "talents", "blunders"),
    [((2, 0, 0), 28, 0, 1), ((14, 2, 2), 28, 5000, 0), ((14, 2, 2), 28, 0, 1), ((14, 2, 2), 5, 0, 0)],
)
def test_an_attack_without_a_chance_needs_a_reason(
    army: tuple[int, int, int], defenders: int, talents: int, blunders: int
) -> None:
    state, watch = duel(), ClassicWatch()
    state.talents[0] = talents
    state.units[HISPANIA] = (0, *army, 1, defenders, 0, 0)
    state.leader_at[1] = HISPANIA
    state.frames.append(frames.Combat(90, 0, (HISPANIA, 1), (), ()))
    watch.acts(state, 0, Fight(HISPANIA, 1))
    assert watch.made["against_odds"] == blunders


@pytest.mark.parametrize(("accepted", "pays", "blunders"), [(False, 20, 1), (False, 30, 0), (True, 20, 0)])
def test_the_same_bargain_twice(accepted: bool, pays: int, blunders: int) -> None:
    state, watch = duel(), ClassicWatch()
    watch.acts(state, 0, Offer(1, pays=20, takes=(1,)))
    watch.acts(state, 1, Answer(accepted))
    watch.acts(state, 0, Offer(1, pays=pays, takes=(1,)))
    assert watch.made["refused_again"] == blunders


@pytest.mark.parametrize(
    ("units", "later", "pursued", "blunders"), [(5, 1, False, 1), (4, 1, False, 0), (5, 2, False, 0), (5, 1, True, 0)]
)
def test_an_army_that_walks_back(units: int, later: int, pursued: bool, blunders: int) -> None:
    state, watch = duel(), ClassicWatch()
    watch.acts(state, 1, March(HISPANIA, LUSITANIA, (6,), units))
    state.round += later
    if pursued:
        host(state, 0, BOARD.space("baetica"), 7, 0, 0)
    watch.acts(state, 1, March(LUSITANIA, HISPANIA, (6,), units))
    assert watch.made["back_and_forth"] == blunders


def test_a_match_is_watched_to_its_end() -> None:
    made, decisions = watched(CLASSIC, "easy", 2, 1, 6)
    assert set(made) == set(ClassicWatch.NAMES)
    assert decisions > 50
