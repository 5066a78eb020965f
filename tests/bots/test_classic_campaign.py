"""The war of attrition in Classic: a seat that outlasts its enemy gathers all units beside it and lays siege."""

import random
from itertools import pairwise
from typing import Any

import pytest

from server.bots.classic import decide, spending
from server.bots.classic.campaign import campaign, war_road
from server.bots.classic.position_analysis import HOME_GUARD, PositionAnalysis
from server.bots.search.deciding import candidates
from server.bots.search.game import SearchPlan
from server.bots.search.games import GAMES
from shared.board import BOARD
from shared.ids import NONE
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.mechanics.armies import army_of, total
from shared.mechanics.pieces import OFF
from shared.mechanics.table import Built
from shared.rulesets.classic.actions import Buy, March
from shared.rulesets.classic.table import CITIES, GALLEYS, LEADERS, State
from shared.rulesets.conquest.pieces import LEGION
from shared.rulesets.registry import ruleset
from shared.vocabulary.actions import EndMovement, Raze
from shared.vocabulary.frames import Purchase

CLASSIC = ruleset("classic")
EGYPTUS, HISPANIA, BAETICA, TINGITANA, CAESARIENSIS, NUMIDIA, AFRICA, CYRENAICA = WAY = [
    BOARD.space(key)
    for key in (
        "egyptus",
        "hispania",
        "baetica",
        "tingitana",
        "caesariensis",
        "numidia",
        "africa_proconsularis",
        "cyrenaica",
    )
]


def war(here: tuple[int, int, int] = (10, 6, 3)) -> State:
    """Return a position in which seat 0 in Hispania is far richer than seat 1, which has all its units in Egyptus."""
    state: State = engine.start(CLASSIC, 2, {"homes": 2}, engine.ignore_event)
    state.home = [HISPANIA, EGYPTUS]
    state.owner = [NONE] * len(state.owner)
    for space in WAY[1:]:
        state.owner[space] = 0
    state.owner[EGYPTUS] = 1
    state.units = [()] * len(state.units)
    state.units[HISPANIA], state.units[EGYPTUS] = (0, *here), (1, 16, 14, 4)
    for leader in range(2 * LEADERS):
        state.leader_at[leader] = HISPANIA if leader < LEADERS else EGYPTUS
    state.talents, state.marker, state.inflation, state.round = [3000, 0], [300, 15], 3, 30
    return state


def moved(state: State) -> list[Action]:
    """Return the actions of the movement phase of seat 0, which are played."""
    taken = []
    while not isinstance(action := decide(CLASSIC, CLASSIC.view(state, 0), 0, random.Random(1)), EndMovement):
        assert engine.check(CLASSIC, state, 0, action) is None
        engine.play(CLASSIC, state, 0, action, engine.ignore_event)
        taken.append(action)
    return taken


def purchased(state: State) -> Buy:
    """Return the purchase of seat 0."""
    state.frames.append(Purchase(state.pushed, 0))
    action = decide(CLASSIC, CLASSIC.view(state, 0), 0, random.Random(1))
    assert isinstance(action, Buy)
    assert engine.check(CLASSIC, state, 0, action) is None
    return action


def test_the_army_of_a_seat_that_outlasts_its_enemy_goes_to_it() -> None:
    state = war()
    moved(state)
    assert total(army_of(state.units[BAETICA], 0)) > LEGION


@pytest.mark.parametrize("change", [{"talents": [0, 3000]}, {"marker": [30, 30], "talents": [0, 0]}])
def test_others_make_no_campaign(change: dict[str, Any]) -> None:
    state = war()
    for name, value in change.items():
        setattr(state, name, value)
    assert campaign(PositionAnalysis(state, 0)) is None


def test_generals_of_a_small_camp_fetch_waiting_units() -> None:
    state = war()
    state.units[CYRENAICA] = (0, 8, 2, 1)
    state.leader_at[1:LEADERS] = [CYRENAICA] * (LEADERS - 1)
    moved(state)
    away = [leader for leader in range(1, LEADERS) if state.leader_at[leader] != CYRENAICA]
    assert 2 <= len(away) <= LEADERS - 2, "one stays with the army"
    assert army_of(state.units[CYRENAICA], 0) == (8, 2, 1)


def test_generals_do_not_pace_between_the_camp_and_waiting_units() -> None:
    state = war((3, 6, 0))
    state.units[CYRENAICA], state.units[BAETICA] = (0, 8, 8, 4), (0, 4, 0, 1)
    for space in (TINGITANA, *WAY[4:]):
        state.built[space] = Built.CITY
    state.roads = [BOARD.edge_index[min(pair), max(pair)] for pair in pairwise(WAY[3:])]
    state.leader_at[1:LEADERS] = [CYRENAICA, TINGITANA, TINGITANA, TINGITANA]
    marches = [march for march in moved(state) if isinstance(march, March)]
    assert BAETICA in {march.to for march in marches}, "a general fetches the units that wait"
    bare = {(march.leaders, march.source, march.to) for march in marches if not march.infantry}
    assert not any((leaders, to, source) in bare for leaders, source, to in bare)


def test_the_army_goes_round_where_an_enemy_bars_the_way() -> None:
    """The camp at the end of the road could not be reached, so generals without units paced before it."""
    state = war()
    state.units[NUMIDIA] = (1, 2, 0, 0)
    moved(state)
    assert total(army_of(state.units[HISPANIA], 0)) < LEGION


def test_small_parties_join_even_where_the_enemy_could_come() -> None:
    """Each waited for the others to make the camp safe, for ever."""
    state = war((0, 0, 0))
    state.units[AFRICA] = state.units[CYRENAICA] = (0, 3, 1, 1)
    state.leader_at[1:LEADERS] = [AFRICA, CYRENAICA, OFF, OFF]
    moved(state)
    assert sorted(total(army_of(state.units[space], 0)) for space in (AFRICA, CYRENAICA)) == [0, 10]


@pytest.mark.parametrize(("army", "attacks"), [((12, 10, 5), True), ((8, 4, 2), False)])
def test_a_siege_waits_until_it_is_large_enough(army: tuple[int, int, int], attacks: bool) -> None:
    state = war()
    state.units[CYRENAICA] = (0, *army)
    state.leader_at[1:LEADERS] = [CYRENAICA] * (LEADERS - 1)
    moved(state)
    assert (total(army_of(state.units[EGYPTUS], 0)) >= 3 * LEGION) == attacks
    assert bool(total(army_of(state.units[EGYPTUS], 0))) == attacks


def test_the_way_to_the_enemy_leads_through_own_land() -> None:
    assert war_road(PositionAnalysis(war(), 0)) == [
        HISPANIA,
        BAETICA,
        TINGITANA,
        CAESARIENSIS,
        NUMIDIA,
        AFRICA,
        CYRENAICA,
    ]


def test_cities_and_roads_are_bought_along_the_way() -> None:
    state = war((20, 20, 6))
    for space in (HISPANIA, BAETICA, NUMIDIA, AFRICA):
        state.built[space] = Built.CITY
    order = purchased(state)
    assert order.cities >= 3
    assert order.roads == 2


def test_an_army_goes_by_road_in_one_march() -> None:
    state = war((0, 0, 0))
    for space in WAY[3:]:
        state.built[space] = Built.CITY
    state.roads = [BOARD.edge_index[min(pair), max(pair)] for pair in pairwise(WAY[3:])]
    state.units[HISPANIA] = (0, 10, 0, 0)
    state.units[TINGITANA] = (0, 12, 8, 4)
    state.leader_at[1:LEADERS] = [TINGITANA] * (LEADERS - 1)
    marches = moved(state)
    assert isinstance(marches[0], March)
    assert (marches[0].source, marches[0].to) == (TINGITANA, CYRENAICA)


def test_cities_elsewhere_make_room_for_those_on_the_way() -> None:
    state = war()
    others = [space for space in range(BOARD.provinces) if space not in WAY][:CITIES]
    for space in others:
        state.built[space], state.owner[space] = Built.CITY, 0
    assert spending.raze(PositionAnalysis(state, 0)) == Raze(others[0])
    state.talents[0] = 0
    assert not isinstance(spending.raze(PositionAnalysis(state, 0)), Raze)


@pytest.mark.parametrize("galleys", [0, 1, 3])
def test_units_stay_at_home_while_an_enemy_fleet_could_come(galleys: int) -> None:
    state = war()
    state.round, state.talents = 8, [0, 0]
    coast = BOARD.coasts[EGYPTUS][0]
    state.galley_at[GALLEYS : GALLEYS + galleys] = [coast] * galleys
    assert (PositionAnalysis(state, 0).garrison(HISPANIA) >= HOME_GUARD) == (galleys > 0)


def compared(state: State) -> list[SearchPlan]:
    """Return the plans that a hard bot compares."""
    return candidates(GAMES["classic"], CLASSIC, CLASSIC.view(state, 0), 0, random.Random(1))


def test_a_war_of_attrition_is_not_compared_with_waiting() -> None:
    """Rollouts see its losses, not its end: hard bots waited for 16 rounds before an enemy who stayed at home."""
    state = war()
    while not isinstance(action := decide(CLASSIC, CLASSIC.view(state, 0), 0, random.Random(1)), EndMovement):
        assert [plan.action for plan in compared(state)] == [action]
        engine.play(CLASSIC, state, 0, action, engine.ignore_event)
    assert total(army_of(state.units[BAETICA], 0)) > LEGION
    assert len(compared(state)) > 1, "nothing else is to be done"
