"""The player of Classic: odds, and its decisions in positions with an obvious answer."""

import random
from collections.abc import Iterator
from itertools import islice, takewhile
from typing import Any

import pytest

from server.bots.classic import decide, march_plans, odds, spending
from server.bots.classic.march_plans import gather
from server.bots.classic.position_analysis import HOST, SAFE, PositionAnalysis, load, without
from server.bots.order_builder import OrderBuilder
from server.tools.arena import ArenaMatch, play
from shared.board import BOARD
from shared.ids import NONE, Army, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.mechanics.armies import army_of, total
from shared.mechanics.pieces import ABOARD, OFF, PRISON
from shared.mechanics.table import Built
from shared.mechanics.wares import Ware
from shared.odds import classic as told
from shared.odds.outcome import ATTACKER, Host
from shared.rulesets.classic import frames
from shared.rulesets.classic.actions import Buy, Form, Lose, March, Withdraw
from shared.rulesets.classic.options import WALL_DICE
from shared.rulesets.classic.stages import Stage
from shared.rulesets.classic.table import CITIES, LEADERS, State
from shared.rulesets.conquest.pieces import LEGION
from shared.rulesets.registry import ruleset
from shared.vocabulary.actions import Answer, Concede, EndMovement, Judge, Offer, Retreat, Sail, Stand
from shared.vocabulary.frames import Bargain, Captives, Onward, Purchase

CLASSIC = ruleset("classic")
HISPANIA, AQUITANIA, NARBONENSIS, BAETICA, LUSITANIA, EGYPTUS, CYRENAICA = (
    BOARD.space(key) for key in ("hispania", "aquitania", "narbonensis", "baetica", "lusitania", "egyptus", "cyrenaica")
)


def duel() -> State:
    """Return a position in which Egyptus (seat 0) moves first against Hispania (seat 1)."""
    state: State = engine.start(CLASSIC, 2, {"homes": 2}, engine.ignore_event)
    assert state.home == [EGYPTUS, HISPANIA]
    return state


def decided(state: State, seat: int, frame: Any = None) -> Action:
    """Return the bot's decision, on a frame of our choice if given; it must be legal."""
    if frame is not None:
        state.frames.append(frame)
    action = decide(CLASSIC, CLASSIC.view(state, seat), seat, random.Random(1))
    assert engine.check(CLASSIC, state, seat, action) is None
    return action


def put(state: State, seat: int, space: int, army: tuple[int, int, int], *leaders: int) -> None:
    """Put an army of `seat` alone in a province, with leaders (0 the Caesar)."""
    state.units[space] = (seat, *army) if any(army) else ()
    for leader in leaders:
        state.leader_at[seat * LEADERS + leader] = space


def marches(state: State) -> Iterator[March]:
    """Let seat 0 play its marches one after the other, and yield each before it takes place."""
    while isinstance(action := decided(state, 0), March):
        yield action
        engine.play(CLASSIC, state, 0, action, engine.ignore_event)


# --- odds ---


def test_hits_are_capped_by_the_units_that_match() -> None:
    assert odds.hits((6, 0, 0), 6, 0) == pytest.approx(2.0)
    assert odds.hits((1, 0, 0), 6, 0) < 1
    assert odds.hits((0, 6, 0), 6, 0) == pytest.approx(1.0)
    assert odds.hits((6, 0, 0), 6, 6) == pytest.approx(3.0), "catapults of the reserve hit too"


@pytest.mark.parametrize(("attacker", "leading", "defender", "defending", "walls", "within"), [
    ((5, 0, 0), 1, (3, 0, 0), 1, True, 0.03), ((7, 3, 2), 2, (6, 2, 0), 2, True, 0.03),
    ((9, 3, 1), 1, (9, 3, 1), 1, False, 0.03), ((9, 3, 1), 4, (9, 3, 1), 1, False, 0.03),
    ((4, 6, 0), 2, (8, 0, 2), 0, True, 0.03),
    # Large battles are reckoned by their expected course.
    ((14, 8, 6), 4, (15, 20, 6), 5, True, 0.1), ((20, 14, 6), 4, (15, 15, 3), 1, True, 0.1),
    # Battles as good as decided are reckoned nearly right.
    ((7, 2, 1), 2, (14, 4, 2), 1, True, odds.DOUBT), ((16, 8, 4), 2, (9, 2, 1), 1, True, odds.DOUBT),
])  # fmt: skip
def test_the_chance_is_that_which_people_are_told(
    attacker: Army, leading: int, defender: Army, defending: int, walls: bool, within: float
) -> None:
    dice = WALL_DICE * walls
    sides = Host(attacker, leaders=leading), Host(defender, leaders=defending, walls=dice)
    exact = told.odds(*sides, naval=False).wins(ATTACKER)
    assert odds.odds(attacker, leading, defender, defending, dice) == pytest.approx(exact, abs=within)
    assert within != 0.1 or sum(attacker) + sum(defender) > odds.MOST
    assert within != odds.DOUBT or min(exact, 1 - exact) < 2 * odds.DOUBT


def test_empty_armies_lose_to_any_unit() -> None:
    assert odds.odds((1, 0, 0), 1, (0, 0, 0), 1) == 1.0
    assert odds.odds((0, 0, 0), 1, (1, 0, 0), 0) == 0.0


def test_the_battle_legion_is_mixed() -> None:
    legion = odds.best_legion((10, 5, 3), 7)
    assert sum(legion) == 7
    assert legion[0] > legion[1] > 0
    assert legion[2] == 0, "catapults hit from the reserve"
    assert odds.best_legion((1, 0, 6), 6) == (1, 0, 5)


def test_loads_are_mixed_and_complete() -> None:
    assert load((20, 10, 5), 7) == (5, 1, 1)
    assert load((1, 2, 3), 7) == (1, 2, 3)
    assert load((0, 9, 0), 7) == (0, 7, 0)
    assert without((3, 2, 1), 4) == (0, 1, 1)


# --- movement ---


def test_the_first_turn_takes_four_provinces_or_all_there_are_each_with_one_infantry_first() -> None:
    state = duel()
    first = next(marches(state))
    assert (first.infantry, first.cavalry, first.catapults) == (1, 0, 0)
    assert 0 not in first.leaders, "the Caesar stays at home"
    assert list(marches(state))
    assert decided(state, 0) == EndMovement()
    assert sum(cell[:1] == (0,) for cell in state.units) == 4


def test_attacks_a_weak_neighbour_and_not_a_strong_one() -> None:
    state = duel()
    put(state, 1, HISPANIA, (2, 0, 0), 0)
    put(state, 0, AQUITANIA, (9, 3, 2), 1, 2)
    action = next(marches(state))
    assert (action.source, action.to) == (AQUITANIA, HISPANIA)
    state = duel()
    put(state, 1, HISPANIA, (18, 8, 4), 0, 1, 2)
    put(state, 0, AQUITANIA, (3, 0, 0), 1)
    assert all(action.to != HISPANIA for action in islice(marches(state), 20))


def test_armies_meet_for_an_attack_none_of_them_could_make_alone() -> None:
    state = duel()
    put(state, 1, HISPANIA, (6, 1, 0), 0)
    put(state, 0, AQUITANIA, (5, 1, 1), 1)
    put(state, 0, NARBONENSIS, (5, 1, 1), 2)
    state.owner[AQUITANIA] = state.owner[NARBONENSIS] = 0
    assert [action.to for action in islice(marches(state), 3)][:2] == [HISPANIA, HISPANIA]
    assert state.units[HISPANIA][0] == 0
    assert sum(state.units[HISPANIA][1:4]) > LEGION


def test_a_single_unit_does_not_stop_an_army_which_comes_with_as_many_as_hold_the_place() -> None:
    """A single legion would win too, but the next enemy army would beat it.

    An infantry lies between the spare legions in Aquitania and two more armies of the enemy."""
    state = duel()
    put(state, 1, HISPANIA, (11, 18, 5), 0)
    put(state, 1, NARBONENSIS, (1, 0, 0))
    put(state, 1, BOARD.space("italia"), (9, 2, 1), 1, 2, 3, 4)
    put(state, 0, AQUITANIA, (15, 8, 4), 1, 2, 3, 4)
    state.owner[AQUITANIA], state.owner[NARBONENSIS] = 0, 1
    assert list(marches(state))
    assert sum(army_of(state.units[NARBONENSIS], 0)) > 2 * LEGION


# --- the sea ---


def docked(enemy: tuple[int, int, int]) -> State:
    """Return a position with three galleys and an army of seat 0 in its port, and an enemy's army with its Caesar."""
    state = duel()
    state.round = 7
    put(state, 0, EGYPTUS, (14, 5, 3), 0, 1, 2, 3)
    put(state, 1, HISPANIA, enemy, 0)
    state.galley_at[:3] = [BOARD.coasts[EGYPTUS][0]] * 3
    return state


def test_a_fleet_puts_to_sea_only_against_a_caesar_that_it_can_take() -> None:
    action = decided(docked((3, 0, 0)), 0)
    assert isinstance(action, Sail) and action.leaders
    assert action.infantry + action.cavalry + action.catapults == LEGION
    assert not isinstance(decided(docked((18, 9, 4)), 0), Sail)


def test_a_fleet_stays_together() -> None:
    state = docked((3, 0, 0))
    while not isinstance(action := decided(state, 0), EndMovement):
        engine.play(CLASSIC, state, 0, action, engine.ignore_event)
    laden = [galley for galley in range(3) if state.cargo[galley]]
    assert len(laden) >= 2
    assert len({state.galley_at[galley] for galley in laden}) == 1


def test_legions_land_and_march_to_the_same_battle() -> None:
    """Neither the galley off Hispania nor the legion in Aquitania could attack alone."""
    state = duel()
    put(state, 1, HISPANIA, (6, 1, 0), 0)
    put(state, 0, AQUITANIA, (5, 1, 1), 1)
    state.owner[AQUITANIA] = 0
    zone = BOARD.coast_seas[BOARD.coasts[HISPANIA][0]][0]
    state.galley_at[0], state.cargo[0], state.leader_at[2] = zone, (5, 1, 1), ABOARD
    kinds = set()
    for _ in range(2):
        action = decided(state, 0)
        kinds.add(type(action))
        engine.play(CLASSIC, state, 0, action, engine.ignore_event)
    assert kinds == {March, Sail}
    assert army_of(state.units[HISPANIA], 0) == (9, 2, 2), "one stays, that the Caesar cannot flee to Aquitania"
    alone = duel()
    put(alone, 1, HISPANIA, (6, 1, 0), 0)
    put(alone, 0, AQUITANIA, (5, 1, 1), 1)
    assert decided(alone, 0) != March(AQUITANIA, HISPANIA, (1,), 5, 1, 1)


# --- where generals are of use ---


def all_but_hispania(state: State, seat: Seat) -> None:
    """Leave nothing to take without a battle."""
    state.owner = [1 - seat if space == HISPANIA else seat for space in range(BOARD.provinces)]


def test_generals_without_an_army_go_to_the_port_when_the_war_begins() -> None:
    state = duel()
    state.round = 7
    put(state, 0, EGYPTUS, (14, 0, 0), 0)
    put(state, 0, CYRENAICA, (1, 0, 0), 1, 2, 3, 4)
    all_but_hispania(state, 0)
    action = next(marches(state))
    assert (action.source, action.to) == (CYRENAICA, EGYPTUS)


def test_generals_walk_back_only_with_the_army_that_they_fetched() -> None:
    state = duel()
    state.round = 20
    put(state, 0, EGYPTUS, (0, 15, 6), 0)
    put(state, 0, CYRENAICA, (0, 2, 0), 1, 2, 3, 4)
    all_but_hispania(state, 0)
    came, went = set[int](), set[int]()
    for action in marches(state):
        if action.to == EGYPTUS:
            came.update(action.leaders)
        elif came.intersection(action.leaders) and action.source == EGYPTUS:
            went.update(action.leaders)
            assert action.cavalry + action.catapults >= HOST
    assert came and went


def test_an_army_that_would_be_beaten_where_it_stands_leaves() -> None:
    state = duel()
    put(state, 1, AQUITANIA, (14, 4, 3), 1, 2, 3)
    put(state, 0, NARBONENSIS, (3, 0, 0), 1)
    state.owner[NARBONENSIS] = 0
    assert list(marches(state))
    assert state.leader_at[1] not in (NARBONENSIS, AQUITANIA)


def test_generals_flee_home_if_that_is_safe_and_not_away_from_their_troops() -> None:
    state = duel()
    put(state, 1, HISPANIA, (12, 4, 1), 0, 1)
    put(state, 1, BAETICA, (0, 1, 0), 2)
    put(state, 0, LUSITANIA, (14, 0, 2), 1, 2, 3)
    analysis = PositionAnalysis(state, 1)
    assert 0 < analysis.risk(HISPANIA, analysis.army(HISPANIA), 3) <= SAFE
    flight = gather(analysis)
    assert isinstance(flight, March) and (flight.source, flight.to) == (BAETICA, HISPANIA)


def test_a_caesar_leaves_home_only_where_it_will_probably_fall() -> None:
    """Its escort leaves the home to the enemy: that is no answer to a small risk."""
    fled = set()
    for guard in range(2, 12):
        state = duel()
        state.talents = [0, 0]
        put(state, 0, EGYPTUS, (guard, 2, 1), 0, 1)
        put(state, 1, CYRENAICA, (7, 3, 2), 1, 2)
        analysis = PositionAnalysis(state, 0)
        risk = analysis.risk(EGYPTUS, analysis.army(EGYPTUS), 2)
        fled.add((risk > march_plans.STAYS, risk > SAFE, march_plans.flee(analysis) is not None))
    assert {(True, True, True), (False, True, False), (False, False, False)} <= fled
    assert (False, True, True) not in fled


@pytest.mark.parametrize(("talents", "besieges"), [(2000, True), (0, False)])
def test_the_rich_wear_down_a_player_who_cannot_replace_losses_with_all_who_can_come(
    talents: int, besieges: bool
) -> None:
    state = duel()
    state.talents = [talents, 0]
    put(state, 1, HISPANIA, (18, 16, 4), 0, 1, 2)
    put(state, 0, AQUITANIA, (14, 8, 6), 1, 2, 3, 4)
    state.owner[AQUITANIA] = 0
    siege = list(takewhile(lambda action: action.to == HISPANIA, marches(state)))
    assert bool(siege) == besieges
    assert not besieges or sum(army_of(state.units[HISPANIA], 0)) >= 3 * LEGION


def test_a_home_is_held_by_fewer_in_a_long_match() -> None:
    state = duel()
    put(state, 0, EGYPTUS, (14, 4, 2), 0, 1, 2)
    put(state, 1, CYRENAICA, (10, 4, 2), 1, 2, 3)
    garrisons = []
    for state.round in (10, 25, 32, 60):
        garrisons.append(PositionAnalysis(state, 0).garrison(EGYPTUS))
    assert garrisons[0] == garrisons[1] > garrisons[2] == garrisons[3] > 0


@pytest.mark.parametrize(("generals", "besieges"), [((1, 2, 3, 4), True), ((1, 2), False)])
def test_many_leaders_wear_down_an_enemy_that_they_could_not_beat(generals: tuple[int, ...], besieges: bool) -> None:
    state = duel()
    state.marker, state.round = [150, 15], 28
    state.leader_at[LEADERS + 1 :] = [OFF] * (LEADERS - 1)
    put(state, 1, HISPANIA, (20, 18, 4), 0)
    put(state, 0, AQUITANIA, (16, 8, 6), *generals)
    state.owner[AQUITANIA] = 0
    action = decided(state, 0)
    assert (isinstance(action, March) and action.to == HISPANIA) == besieges


# --- battles ---


def battle(attacker: tuple[int, int, int], defender: tuple[int, int, int]) -> State:
    """Return a battle of seat 0 against seat 1 in Aquitania."""
    state = duel()
    state.units[AQUITANIA] = (0, *attacker, 1, *defender)
    state.leader_at[1] = state.leader_at[LEADERS + 1] = AQUITANIA
    state.frames += [
        frames.Combat(80, 0, (), ()),
        frames.Battle(81, AQUITANIA, 0, 1, 2, Stage.ATTACKER_DECIDED, (0, 0, 0), (0, 0, 0), (0, 0, 0)),
    ]
    return state


def test_runs_from_a_lost_battle_and_stays_in_a_won_one() -> None:
    assert decided(battle((9, 3, 1), (2, 0, 0)), 0, Onward(82, 0, AQUITANIA)) == Stand()
    assert isinstance(decided(battle((2, 0, 0), (9, 3, 1)), 0, Onward(82, 0, AQUITANIA)), Retreat)
    assert isinstance(decided(battle((9, 3, 1), (2, 0, 0)), 1, Onward(82, 1, AQUITANIA)), Retreat)


@pytest.mark.parametrize(
    ("enemy", "turn", "stands"), [((16, 20, 6), 40, False), ((16, 20, 6), 60, False), ((1, 9, 1), 40, True)]
)
def test_a_siege_is_broken_off_before_a_round_could_leave_none(
    enemy: tuple[int, int, int], turn: int, stands: bool
) -> None:
    state = battle((3, 3, 1), enemy)
    state.talents, state.marker, state.round = [3000, 0], [300, 15], turn
    state.leader_at[1:LEADERS] = state.leader_at[LEADERS + 1 :] = [AQUITANIA] * (LEADERS - 1)
    assert (decided(state, 0, Onward(82, 0, AQUITANIA)) == Stand()) == stands


def test_leaders_whose_troops_are_gone_withdraw_to_their_own() -> None:
    state = battle((5, 0, 0), (5, 0, 0))
    state.units[AQUITANIA] = ()
    put(state, 0, NARBONENSIS, (19, 0, 0))
    assert decided(state, 0, frames.Withdrawal(82, 0, AQUITANIA)) == Withdraw(NARBONENSIS)


def test_loses_infantry_first_kills_the_dearest_in_pursuit_and_forms_the_whole_legion() -> None:
    own = frames.Casualties(82, 0, AQUITANIA, 0, (4, 2, 0), 2)
    assert decided(battle((5, 2, 1), (4, 2, 1)), 0, own) == Lose(2, 0, 0)
    fleeing = frames.Casualties(82, 0, AQUITANIA, 1, (4, 2, 1), 2)
    assert decided(battle((5, 2, 1), (4, 2, 1)), 0, fleeing) == Lose(0, 1, 1)
    action = decided(battle((5, 2, 1), (4, 2, 1)), 0, frames.Formation(82, 0, AQUITANIA, 6))
    assert isinstance(action, Form)
    assert action.infantry + action.cavalry + action.catapults == 6


def test_prisoners_live() -> None:
    state = battle((5, 2, 1), (4, 2, 1))
    state.leader_at[LEADERS + 2] = PRISON
    assert decided(state, 0, Captives(82, 0, (LEADERS + 2,))) == Judge(())


# --- money ---


def test_spends_on_units_and_keeps_to_the_purse() -> None:
    state = duel()
    state.talents[0] = 95
    action = decided(state, 0, Purchase(80, 0))
    assert isinstance(action, Buy)
    assert action.infantry + action.cavalry + action.catapults >= 3


@pytest.mark.parametrize(("seats", "general", "saved"), [(3, PRISON + 1, 60), (3, OFF, 0), (2, PRISON + 1, 0)])
def test_a_ransom_is_put_by_where_troops_wait_for_a_general(seats: int, general: int, saved: int) -> None:
    state: State = engine.start(CLASSIC, seats, {"homes": 2}, engine.ignore_event)
    state.leader_at[1:LEADERS] = [general] * (LEADERS - 1)
    state.talents[0] = 120
    put(state, 0, state.home[0], (12, 2, 0), 0)
    action = decided(state, 0, Purchase(80, 0))
    assert isinstance(action, Buy)
    assert 120 - 10 * action.infantry - 20 * action.cavalry - 30 * action.catapults - 20 * action.galleys == saved


def test_threatened_bots_buy_no_more_walls_than_cities() -> None:
    state = duel()
    put(state, 0, EGYPTUS, (2, 0, 0), 0)
    put(state, 0, BOARD.space("britannia"), (18, 20, 6), 1)
    put(state, 1, CYRENAICA, (20, 20, 6), 1, 2, 3, 4)
    others = CITIES - len(state.home)
    state.built[:others] = [Built.CITY] * others
    state.built[EGYPTUS], state.talents[0] = Built.CITY, 500
    action = decided(state, 0, Purchase(80, 0))
    assert isinstance(action, Buy) and action.fortifications == 1


def bargain(seats: int) -> State:
    """Return a position in which seat 0 holds a general of seat 1."""
    state: State = engine.start(CLASSIC, seats, {"homes": 2}, engine.ignore_event)
    state.leader_at[LEADERS + 1] = PRISON
    state.talents = [200] * seats
    return state


@pytest.mark.parametrize(("seats", "answering", "wants", "gives", "pays", "takes", "accepted"), [
    pytest.param(3, 0, 5, (), 0, (LEADERS + 1,), False, id="too cheap"),
    pytest.param(3, 0, 100, (), 0, (LEADERS + 1,), True, id="a fair ransom"),
    pytest.param(2, 0, 0, (1,), 0, (LEADERS + 1,), True, id="an exchange, also with the last enemy"),
    pytest.param(2, 0, 200, (), 0, (LEADERS + 1,), False, id="no general for the last enemy's money"),
    pytest.param(3, 1, 0, (LEADERS + 1,), 20, (), True, id="bought back for a fair price"),
    pytest.param(3, 1, 0, (LEADERS + 1,), 190, (), False, id="too dear"),
])  # fmt: skip
def test_a_ransom_must_be_fair(
    seats: int, answering: int, wants: int, gives: tuple[int, ...], pays: int, takes: tuple[int, ...], accepted: bool
) -> None:
    state = bargain(seats)
    if gives == (1,):
        state.leader_at[1] = PRISON + 1
    offered = Bargain(80, answering, 1 - answering, wants, gives, pays, takes)
    assert decided(state, answering, offered) == Answer(accepted)


@pytest.mark.parametrize(("seats", "offers"), [(2, False), (3, True)])
def test_the_last_enemy_is_not_asked_for_a_general_that_is_not_for_sale(seats: int, offers: bool) -> None:
    state = bargain(seats)
    state.frames.append(frames.Placement(80, 1, 0, 0, 0, 0, 1, 3))
    actions = [decide(CLASSIC, CLASSIC.view(state, 1), 1, random.Random(seed)) for seed in range(20)]
    assert any(isinstance(action, Offer) for action in actions) == offers


# --- the end ---


@pytest.mark.long
def test_it_finishes_a_duel_with_itself() -> None:
    assert play(ArenaMatch("classic", ("normal", "normal"), 1, 40, {})).finished


def test_concedes_a_duel_only_when_it_is_lost() -> None:
    state = duel()
    state.round = 50
    assert not isinstance(decided(state, 0), Concede)
    for general in range(1, LEADERS):
        state.leader_at[general] = OFF
    assert decided(state, 0) == Concede(1), "no other leader is left to attack"
    state.leader_at[LEADERS + 1 : 2 * LEADERS] = [OFF] * (LEADERS - 1)
    assert not isinstance(decided(state, 0), Concede)


@pytest.mark.parametrize(("round_", "tribute", "general", "concedes"), [
    # A duel without end goes against it.
    (51, 20, OFF, False), (52, 20, OFF, True), (52, 15, OFF, False),
    # Late in a duel the other has far more units and means.
    (17, 100, EGYPTUS, False), (18, 100, EGYPTUS, True), (18, 50, EGYPTUS, False), (30, 50, EGYPTUS, True),
    (30, 30, EGYPTUS, False), (40, 30, EGYPTUS, True),
])  # fmt: skip
def test_concedes_a_duel_that_goes_against_it(round_: int, tribute: int, general: int, concedes: bool) -> None:
    state = duel()
    assert state.leader_at[1] == EGYPTUS
    state.round, state.marker, state.leader_at[1] = round_, [15, tribute], general
    assert isinstance(decided(state, 0), Concede) == concedes


def test_concedes_without_its_home_only_against_three_times_the_means() -> None:
    state = duel()
    state.round, state.owner[EGYPTUS] = 20, 1
    put(state, 1, EGYPTUS, (5, 0, 0), 1)
    put(state, 0, CYRENAICA, (9, 0, 0), 0, 1)
    assert not isinstance(decided(state, 0), Concede)
    state.talents[1] = 300
    assert decided(state, 0) == Concede(1)


@pytest.mark.parametrize(("round_", "concedes"), [(9, False), (10, True)])
def test_concedes_a_duel_without_a_home_and_an_army(round_: int, concedes: bool) -> None:
    state = duel()
    state.round = round_
    put(state, 0, CYRENAICA, (2, 0, 0), 0, 1)
    put(state, 1, EGYPTUS, (9, 0, 0), 1)
    state.owner[EGYPTUS] = 1
    assert isinstance(decided(state, 0), Concede) == concedes


def three_seats(tribute: list[int]) -> State:
    """Return a position in a round in which some give up."""
    state: State = engine.start(CLASSIC, 3, {"homes": 2}, engine.ignore_event)
    state.round, state.marker = 30, tribute
    return state


def test_concedes_to_the_foremost_of_several_who_cannot_be_caught_up_with_once() -> None:
    assert isinstance(decided(three_seats([15, 55, 30]), 0), March)
    state = three_seats([15, 60, 30])
    action = decided(state, 0)
    assert action == Concede(1)
    engine.play(CLASSIC, state, 0, action, engine.ignore_event)
    assert isinstance(decided(state, 0), March)


def test_takes_a_concession_back_when_there_is_hope_again() -> None:
    state = three_seats([20, 60, 30])
    state.conceded[0] = 1
    assert decided(state, 0) == Concede(NONE)


# --- the analysis ---


def test_threats_count_what_leaders_can_lead() -> None:
    state = duel()
    put(state, 1, AQUITANIA, (20, 0, 0), 1)
    state.leader_at[LEADERS] = BOARD.space("britannia")
    state.leader_at[LEADERS + 2 : LEADERS * 2] = [OFF] * 3
    put(state, 0, NARBONENSIS, (1, 0, 0))
    s = PositionAnalysis(CLASSIC.view(state, 0), 0)
    ((force, leaders),) = s.threats(NARBONENSIS)
    assert (sum(force), leaders) == (7, 1)
    assert s.threats(NARBONENSIS, AQUITANIA) == [], "nobody comes from a province that is about to fall"
    assert s.threats(EGYPTUS) == []
    assert s.risk(NARBONENSIS, (1, 0, 0)) > 0.5
    assert s.risk(EGYPTUS, (1, 0, 0)) == 0.0


@pytest.mark.parametrize(("hired", "berths", "waiting", "galleys"), [(3, 2, 14, 0), (4, 3, 15, 1)])
def test_half_of_the_units_that_could_be_hired_are_counted(hired: int, berths: int, waiting: int, galleys: int) -> None:
    """For the leaders that they need, and for the galleys that carry them."""
    state = duel()
    state.marker[0] = 0
    state.talents[0] = 10 * hired
    put(state, 0, EGYPTUS, (13, 0, 0), 0)
    analysis = PositionAnalysis(state, 0)
    assert total(analysis.muster()) == hired
    assert analysis.berths() + len(analysis.crew(analysis.port)) == berths
    assert march_plans._waiting(analysis, EGYPTUS) == waiting
    put(state, 0, EGYPTUS, (5, 0, 0), 0, 1, 2, 3)
    assert spending._galleys_wanted(PositionAnalysis(state, 0)) == galleys, "seven make an armada"


@pytest.mark.parametrize(("free", "inflation", "asked"), [(0, 1, 60), (1, 1, 50), (3, 2, 60), (4, 1, 20), (4, 3, 60)])
def test_a_general_is_the_dearer_the_fewer_there_are(free: int, inflation: int, asked: int) -> None:
    """And the dearer, the higher prices are. Generals aboard count; prisoners and the dead do not."""
    state = duel()
    state.inflation = inflation
    places = [EGYPTUS, ABOARD, CYRENAICA, EGYPTUS][:free] + [PRISON + 1, OFF, PRISON + 1, OFF][: 4 - free]
    state.leader_at[1:LEADERS] = places
    state.galley_at[0] = BOARD.space("mare_alexandria")
    assert spending.price(PositionAnalysis(state, 0), 0) == asked
    state.units = [() if cell[:1] == (1,) else cell for cell in state.units]
    state.lord[1], state.leader_at[LEADERS + 1 : 2 * LEADERS] = 0, [CYRENAICA] * (LEADERS - 1)
    assert spending.price(PositionAnalysis(state, 0), 0) == 20 * inflation, "more than four make no difference"


def test_a_basket_has_room_for_so_many_units_and_any_number_of_other_things() -> None:
    basket = OrderBuilder((10, 20, 30, 20, 30, 20, 10), (9, 9, 9, 9, 9, 9, 9), 1000, 3)
    assert basket.take(Ware.INFANTRY, 2) == 2
    assert basket.take(Ware.CITIES, 4) == 4, "buildings take no room"
    assert basket.take(Ware.GALLEYS, 2) == 2, "nor do galleys"
    assert basket.take(Ware.CATAPULTS, 2) == 1, "there is room for one more"
    assert basket.take(Ware.CAVALRY) == 0 and basket.take(Ware.ROADS) == 1
    assert basket.counts == [2, 0, 1, 2, 4, 0, 1] and basket.money == 1000 - 20 - 30 - 40 - 120 - 10
    assert basket.left == [7, 9, 8, 7, 5, 9, 8]


def test_a_basket_without_limit_has_room_for_all_that_is_left() -> None:
    basket = OrderBuilder((10, 20, 30), (2, 3, 1), 1000)
    assert [basket.take(ware, 9) for ware in (Ware.INFANTRY, Ware.CAVALRY, Ware.CATAPULTS)] == [2, 3, 1]
    assert basket.take(Ware.INFANTRY, -1) == 0
