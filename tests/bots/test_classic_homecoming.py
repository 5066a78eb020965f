"""Classic bots without a home return to it; generals who are cut off break out; openings vary."""

import random

import pytest

from server.bots.classic import decide
from server.bots.classic.campaign import _break_out
from server.bots.classic.expedition import voyage
from server.bots.classic.homecoming import gather_at_home, reconquer
from server.bots.classic.position_analysis import WAR, PositionAnalysis
from server.bots.policy import play_normal
from shared.board import BOARD
from shared.ids import NONE
from shared.kernel import engine
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.table import LEADERS, State
from shared.rulesets.registry import ruleset
from tests.bench.learn import movers
from tests.support.layout import sp

CLASSIC = ruleset("classic")
HOME, NEAR, NEXT, FAR = sp("hispania"), sp("baetica"), sp("tingitana"), sp("caesariensis")
EGYPTUS, AFRICA, CYRENAICA = sp("egyptus"), sp("africa_proconsularis"), sp("cyrenaica")
CAESAR, GENERAL = 0, 1


def homeless(guard: tuple[int, int, int], **armies: tuple[int, int, int]) -> State:
    """Return a position in which an enemy's guard holds the home of seat 0; armies: those of seat 0, by province.

    The leader of the first army is the Caesar.
    """
    state: State = engine.start(CLASSIC, 2, {"homes": 2}, engine.ignore_event)
    state.home = [HOME, EGYPTUS]
    state.owner, state.units = [NONE] * len(state.owner), [()] * len(state.units)
    state.owner[HOME] = state.owner[EGYPTUS] = 1
    state.units[HOME] = (1, *guard)
    state.leader_at = [EGYPTUS] * len(state.leader_at)
    state.units[EGYPTUS] = (1, 20 - guard[0], 0, 0)
    for leader, (key, army) in enumerate(armies.items()):
        state.units[sp(key)], state.leader_at[leader], state.owner[sp(key)] = (0, *army), sp(key), 0
    for leader in range(len(armies), LEADERS):
        state.leader_at[leader] = state.leader_at[0]
    state.round = 20
    return state


@pytest.mark.parametrize(
    ("at", "guard", "to"),
    [
        ("baetica", (3, 0, 0), HOME),
        ("tingitana", (3, 0, 0), NEAR),
        ("baetica", (14, 4, 1), None),
    ],
)
def test_a_caesar_wins_back_a_home_that_is_hardly_guarded(at: str, guard: tuple[int, int, int], to: int | None) -> None:
    action = reconquer(PositionAnalysis(homeless(guard, **{at: (5, 3, 2)}), 0))
    if to is None:
        assert action is None
    else:
        assert isinstance(action, March)
        assert (action.source, action.to, action.leaders) == (sp(at), to, (CAESAR,))


def test_a_caesar_stays_while_the_home_is_not_lost() -> None:
    state = homeless((3, 0, 0), baetica=(5, 3, 2))
    state.owner[HOME] = 0
    assert reconquer(PositionAnalysis(state, 0)) is None


@pytest.mark.parametrize(("guard", "goes"), [((5, 0, 0), True), ((19, 9, 3), False)])
def test_armies_return_to_a_lost_home_if_they_could_win_it(guard: tuple[int, int, int], goes: bool) -> None:
    state = homeless(guard, cyrenaica=(1, 0, 0), caesariensis=(4, 2, 1), tingitana=(4, 2, 1))
    action = gather_at_home(PositionAnalysis(state, 0))
    if goes:
        assert isinstance(action, March)
        assert (action.source, action.to) in {(NEXT, NEAR), (FAR, NEXT)}
    else:
        assert action is None


def test_a_fleet_returns_to_a_lost_home() -> None:
    state = homeless((1, 0, 0), cyrenaica=(1, 0, 0))
    at = BOARD.coast_seas[BOARD.coasts[HOME][0]][0]
    assert (goal := voyage(PositionAnalysis(state, 0), at, ((4, 2, 1), 1))) is not None
    assert goal.to == HOME
    state.home[0], state.owner[CYRENAICA] = CYRENAICA, 0
    assert (goal := voyage(PositionAnalysis(state, 0), at, ((4, 2, 1), 1))) is None or goal.to != CYRENAICA


def test_generals_beyond_a_small_garrison_break_out() -> None:
    """Cut off from home and its units, they would wait for ever."""
    state = homeless((0, 0, 0), hispania=(9, 9, 2), africa_proconsularis=(3, 2, 1))
    state.owner[HOME], state.units[sp("numidia")], state.owner[sp("numidia")] = 0, (1, 1, 0, 0), 1
    state.leader_at[CAESAR] = HOME
    state.leader_at[GENERAL:LEADERS] = [AFRICA] * (LEADERS - 1)
    state.marker, state.talents, state.round = [300, 15], [5000, 0], 40
    s = PositionAnalysis(state, 0)
    assert s.route(HOME)[AFRICA] > len(state.units), "the way home is barred"
    for taken in (decide(CLASSIC, CLASSIC.view(state, 0), 0, random.Random(1)), _break_out(s, EGYPTUS)):
        assert isinstance(taken, March)
        assert (taken.source, taken.to) == (AFRICA, sp("numidia"))


def test_openings_vary() -> None:
    found = set()
    for seed in range(8):
        state: State = engine.start(CLASSIC, 2, {}, engine.ignore_event)
        for _ in movers(CLASSIC, state, [play_normal] * 2, random.Random(seed), WAR - 3):
            pass
        found.add((tuple(state.owner), tuple(state.units)))
    assert len(found) == 8


def test_decisions_are_repeatable() -> None:
    state: State = engine.start(CLASSIC, 2, {"homes": 2}, engine.ignore_event)
    actions = {str(decide(CLASSIC, CLASSIC.view(state, 0), 0, random.Random(7))) for _ in range(5)}
    assert len(actions) == 1
