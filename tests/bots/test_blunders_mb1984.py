"""The counter of blunders in 1984, with near misses that it must not count."""

import pytest

from shared.ids import Army
from shared.rulesets.mb1984 import frames
from shared.rulesets.mb1984.definition import MB1984
from shared.vocabulary.actions import EndMovement, Fight
from shared.vocabulary.frames import Movement
from tests.bench.blunders import watched
from tests.bench.blunders_mb1984 import Mb1984Watch, danger, reach
from tests.support.layout import sp
from tests.support.position1984 import caesar, galley, general, march, position


@pytest.mark.parametrize(("guard", "attackers", "left"), [(1, 7, True), (14, 7, False), (1, 0, False)])
def test_a_caesar_left_in_danger(guard: int, attackers: int, left: bool) -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"hispania": {1: (guard, 0, 0)}, "aquitania": {0: (attackers, 0, 0)}} if attackers else {},
        leaders={"hispania": [caesar(1), general(1)], "aquitania": [general(0)]},
    )
    assert Mb1984Watch().caesar_left(state, 1) == left


@pytest.mark.parametrize(("guard", "talents", "left"), [(14, 0, True), (1, 200, True), (1, 0, False)])
def test_a_home_left_open(guard: int, talents: int, left: bool) -> None:
    """It counts only if the home was safe, or could be made safe by purchases."""
    state = position(
        homes=("italia", "hispania"),
        units={"hispania": {1: (guard, 0, 0)}, "aquitania": {0: (7, 0, 0)}},
        leaders={"hispania": [general(1), general(1, 2)], "aquitania": [general(0)], "baetica": [caesar(1)]},
        turn=1,
    )
    state.talents[1] = talents
    watch = Mb1984Watch()
    watch.acts(state, 1, EndMovement())
    state.units[sp("hispania")] = (1, 1, 0, 0)
    state.frames = [Movement(91, 0)]
    watch.acts(state, 0, EndMovement())
    assert watch.made["home_left"] == left


@pytest.mark.parametrize("generals", [0, 1, 2])
def test_only_led_legions_come(generals: int) -> None:
    state = position(
        homes=("italia", "hispania"),
        leaders={"aquitania": [general(0, k + 1) for k in range(generals)], "hispania": [caesar(1)]},
    )
    state.units[sp("aquitania")] = (0, 12, 0, 0)
    assert reach(state, 0, sp("hispania")) == (min(12, 7 * generals), 0, 0)
    assert danger(state, 1, sp("hispania")) == bool(generals)


def test_a_fleet_in_port_brings_what_it_can_carry_once() -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"italia": {0: (4, 0, 1)}},
        leaders={"italia": [caesar(0), general(0)], "hispania": [caesar(1)]},
        galleys={galley(0): "italia:west", galley(0, 1): "italia:west"},
    )
    assert reach(state, 0, sp("sardinia")) == (4, 0, 1)


@pytest.mark.parametrize(
    ("army", "defenders", "talents", "blunders"),
    [((2, 0, 0), 28, 0, 1), ((14, 2, 0), 28, 500, 0), ((14, 2, 0), 28, 0, 1), ((14, 2, 2), 5, 0, 0)],
)
def test_an_attack_without_a_chance_needs_a_reason(army: Army, defenders: int, talents: int, blunders: int) -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"hispania": {0: army, 1: (defenders, 0, 0)}},
        leaders={"hispania": [*(general(0, k) for k in (1, 2, 3)), caesar(1), *(general(1, k) for k in (1, 2, 3))]},
    )
    state.talents[:] = talents, 100
    state.frames.append(frames.Combat(90, 0, (sp("hispania"), 1)))
    watch = Mb1984Watch()
    watch.acts(state, 0, Fight(sp("hispania"), 1))
    assert watch.made["against_odds"] == blunders


@pytest.mark.parametrize(("pursued", "blunders"), [(False, 1), (True, 0)])
def test_an_army_that_walks_back(pursued: bool, blunders: int) -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"baetica": {0: (7, 0, 0)}} if pursued else {},
        leaders={"baetica": [general(0)]} if pursued else {},
    )
    watch = Mb1984Watch()
    watch.acts(state, 1, march("hispania", "lusitania", general(1), 5))
    state.round += 1
    watch.acts(state, 1, march("lusitania", "hispania", general(1), 5))
    assert watch.made["back_and_forth"] == blunders


def test_a_match_is_watched_to_its_end() -> None:
    made, decisions = watched(MB1984, "easy", 2, 1, 6)
    assert set(made) == set(Mb1984Watch.NAMES)
    assert decisions > 50
