"""The player of the 1984 game against a random player."""

import random
from typing import Any

import pytest

from server.bots import policy
from server.bots.mb1984.expedition import voyage
from server.bots.mb1984.moving import worthwhile
from server.bots.mb1984.odds import odds
from server.bots.mb1984.position_analysis import PositionAnalysis, reinforcement
from server.bots.mb1984.prisoners import bargain
from server.tools.arena import ArenaMatch
from server.tools.arena import play as play_match
from shared.board import BOARD
from shared.ids import CATAPULT, NATURE, NONE, Army
from shared.kernel import engine
from shared.mechanics import aimed_shots
from shared.mechanics.armies import army_of
from shared.mechanics.pieces import ABOARD
from shared.odds import mb1984 as told
from shared.odds.outcome import ATTACKER, Host
from shared.rulesets.mb1984.actions import Buy, March
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.mb1984.frames import Aiming, CargoLoss
from shared.rulesets.mb1984.shots import ARMS, best_target
from shared.rulesets.mb1984.table import State
from shared.vocabulary.actions import Answer, Concede, EndMovement, Fight, Judge, Offer, PlaceRoad, Retreat, Sail, Stand
from shared.vocabulary.frames import Bargain, Captives, Onward
from tests.support.layout import prison, sp
from tests.support.marks import with_releases
from tests.support.position1984 import caesar, galley, general, march, owed, play, position

LIMIT = 100


def normal(state: State, seat: int) -> Any:
    """Return a normal bot's decision there."""
    return policy.choose("normal", MB1984, MB1984.view(state, seat), seat, random.Random(1))


def winner(seats: int, seed: int, greedy: int) -> int:
    """Return the winner of a game in which only seat `greedy` thinks."""
    rng = random.Random(seed)
    state = engine.start(MB1984, seats, {"round_limit": LIMIT}, engine.ignore_event)
    while not MB1984.finished(state):
        seat = engine.owed(MB1984, state)[0]
        action = engine.chance_action(state, rng) if seat == NATURE else None
        if action is None:
            kind = "normal" if seat == greedy else "random"
            action = policy.choose(kind, MB1984, MB1984.view(state, seat), seat, rng)
        engine.play(MB1984, state, seat, action, engine.ignore_event)
    return MB1984.winner(state)


@pytest.mark.parametrize("seed", range(4))
def test_it_wins_against_chance(seed: int) -> None:
    assert winner(2, seed, seed % 2) == seed % 2


def test_it_plays_a_full_table() -> None:
    assert winner(6, 1, 2) in range(6)


@pytest.mark.exhaustive
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
    assert normal(state, 0) == Fight(sp("noricum"), 1)


def test_it_walks_into_open_land_and_never_leads_with_the_caesar() -> None:
    state = position(homes=("italia", "egyptus"), units={"italia": {0: (4, 0, 0)}}, leaders={"italia": [general(0)]})
    action = normal(state, 0)
    assert type(action) is type(march("italia", "neapolis", general(0)))
    assert caesar(0) not in action.leaders
    alone = position(homes=("italia", "egyptus"))
    assert normal(alone, 0) == EndMovement()


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
        chosen = normal(state, 0)
        assert isinstance(chosen, Stand) == stands


@pytest.mark.parametrize("prey", [caesar(1), general(1, 2)])
def test_it_retreats_where_enemy_leaders_stand_alone(prey: int) -> None:
    """For a Caesar it leaves even a good battle; for a general only a bad one."""
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
    chosen = normal(state, 0)
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
        chosen = normal(state, seat)
        play(state, (seat, chosen))
    assert state.cargo[galley(0)] == (1, 0, 0) and state.cargo[galley(0, 1)] == (2, 0, 0)


def test_it_builds_roads_without_a_home() -> None:
    state = position(
        homes=("italia", "egyptus"), owners={"italia": 1, "rhaetia": 0, "noricum": 0}, phase="placement",
        built={"rhaetia": 1, "noricum": 1}, leaders={"rhaetia": [caesar(0)]},
    )  # fmt: skip
    chosen = normal(state, 0)
    assert isinstance(chosen, PlaceRoad)


def threatened(
    foes: Army, talents: int, phase: str = "movement", army: Army = (4, 0, 0), options: dict[str, int] | None = None
) -> State:
    """Return a position with enemies beside the home of seat 0."""
    return position(
        homes=("italia", "egyptus"), units={"italia": {0: army}, "dalmatia": {1: foes}}, owners={"dalmatia": 1},
        leaders={"italia": [caesar(0)], "dalmatia": [general(1)]}, talents=[talents, 0], phase=phase,
        options=options,
    )  # fmt: skip


@pytest.mark.parametrize(("foes", "talents", "flees"), [(2, 130, False), (7, 130, True), (4, 0, True)])
def test_a_caesar_flees_only_where_no_purchase_can_hold_the_home(foes: int, talents: int, flees: bool) -> None:
    state = threatened((0, 0, foes), talents)
    chosen = normal(state, 0)
    assert chosen == EndMovement() or flees
    assert not flees or (isinstance(chosen, March) and chosen.leaders == (caesar(0),))


def test_a_threatened_home_gets_the_guards_that_hold_it_best() -> None:
    """Three catapults, where infantry with fewer of them would fall."""
    assert normal(threatened((0, 0, 4), 120, "purchase", (3, 0, 1)), 0) == Buy(0, 0, 3, 0, 0, 0)


@pytest.mark.rule("MB-UNIT-03")
def test_bots_buy_none_and_fear_none_where_no_catapults_are_for_sale() -> None:
    for sold in (True, False):
        state = threatened((4, 0, 0), 120, "purchase", (3, 0, 0), {"catapults": int(not sold)})
        view = MB1984.view(state, 0)
        assert (reinforcement(view, 0)[CATAPULT] > 0) == sold
        for level in ("easy", "normal", "hard"):
            action = policy.find(level)(MB1984, view, 0, random.Random(1))
            assert engine.check(MB1984, state, 0, action) is None
            assert isinstance(action, Buy) and (sold or not action.catapults)
            assert not sold or level != "normal" or action.catapults


@pytest.mark.parametrize(("foes", "marches"), [((0, 0, 0), True), ((3, 0, 4), False)])
def test_an_army_stays_at_home_while_an_enemy_is_two_marches_away(foes: Army, marches: bool) -> None:
    own = ("dalmatia", "narbonensis", "neapolis", "noricum", "pannonia", "rhaetia")
    state = position(
        homes=("italia", "egyptus"),
        units={"italia": {0: (5, 0, 2)}, "aquitania": {1: foes}} if any(foes) else {"italia": {0: (5, 0, 2)}},
        leaders={"italia": [caesar(0), general(0)], "aquitania": [general(1)]},
        owners={"aquitania": 1, **dict.fromkeys(own, 0)},
    )
    chosen = normal(state, 0)
    assert isinstance(chosen, March) == marches


@pytest.mark.parametrize(("tribute", "bought"), [(40, (4, 0, 1)), (100, (2, 0, 2))])
def test_with_enough_tribute_it_prefers_catapults_to_claiming_land(tribute: int, bought: Army) -> None:
    fleet = {galley(0): "italia:west", galley(0, 1): "italia:west"}
    state = position(
        homes=("italia", "egyptus"), phase="purchase", galleys=fleet, owners={"dalmatia": 0}, talents=[100, 0]
    )
    state.marker[0] = tribute
    chosen = normal(state, 0)
    assert chosen == Buy(*bought, 0, 0, 0)


@pytest.mark.parametrize(("wants", "accepts"), [(10, True), (75, True), (85, False)])
def test_it_buys_a_general_back_for_a_fair_price(wants: int, accepts: bool) -> None:
    state = position(leaders={prison(0): [general(1)]}, talents=[0, 90])
    play(state, (0, Offer(1, gives=(general(1),), wants=wants)))
    assert normal(state, 1) == Answer(accepts)


def test_it_exchanges_generals_one_for_one() -> None:
    state = position(leaders={prison(0): [general(1), general(1, 2)], prison(1): [general(0)]})
    offer = normal(state, 0)
    assert offer == Offer(1, gives=(general(1),), takes=(general(0),))
    play(state, (0, offer))
    assert normal(state, 1) == Answer(True)


def test_it_raises_its_offer_for_a_general_and_then_lets_it_be() -> None:
    state = position(leaders={prison(1): [general(0)]}, talents=[1000, 0])
    sums = []
    while isinstance(offer := normal(state, 0), Offer):
        sums.append(offer.pays)
        play(state, (0, offer), (1, Answer(False)))
    assert sums == sorted({*sums}) and len(sums) == 3


def test_it_kills_no_prisoner() -> None:
    state = position(units={"dalmatia": {0: (3, 0, 0)}}, leaders={"dalmatia": [general(0)]})
    state.leader_at[general(1)] = 110
    state.frames.append(Captives(90, 0, (general(1),)))
    assert normal(state, 0) == Judge(())


def joint(**changes: Any) -> Any:
    """Return a position with two legions of seat 0 beside Dalmatia, where seat 1 stands. Each is too weak, both
    together are strong."""
    pieces = {
        "homes": ("italia", "egyptus"),
        "units": {"pannonia": {0: (4, 0, 2)}, "moesia": {0: (4, 0, 2)}, "dalmatia": {1: (5, 0, 3)}},
        "leaders": {"pannonia": [general(0)], "moesia": [general(0, 2)], "dalmatia": [general(1), caesar(1)]},
        "owners": {"pannonia": 0, "moesia": 0, "dalmatia": 1},
    }
    return position(**{**pieces, **changes})


def test_two_legions_attack_together_and_neither_alone() -> None:
    state = joint()
    assert odds((4, 0, 2), (5, 0, 3)) < 0.4 < odds((8, 0, 4), (5, 0, 3))
    for _ in range(2):
        march_ = normal(state, 0)
        assert isinstance(march_, March) and march_.to == sp("dalmatia")
        play(state, (0, march_))
    assert army_of(state.units[sp("dalmatia")], 0) == (8, 0, 4)
    alone = joint(units={"pannonia": {0: (4, 0, 2)}, "dalmatia": {1: (5, 0, 3)}}, owners={"pannonia": 0, "dalmatia": 1})
    chosen = normal(alone, 0)
    assert not (isinstance(chosen, March) and chosen.to == sp("dalmatia") and chosen.infantry)


def test_a_strong_fleet_lands_and_a_weak_one_stays_in_port() -> None:
    for army, sails in (((4, 0, 10), True), ((3, 0, 0), False)):
        state = position(
            homes=("italia", "hispania"),
            units={"italia": {0: army}, "hispania": {1: (5, 0, 2)}},
            leaders={"italia": [caesar(0), general(0), general(0, 2)], "hispania": [caesar(1)]},
            galleys={galley(0): "italia:west", galley(0, 1): "italia:west"},
            owners={"dalmatia": 0, "narbonensis": 0, "neapolis": 0, "noricum": 0, "pannonia": 0, "rhaetia": 0},
        )
        chosen = normal(state, 0)
        assert (isinstance(chosen, Sail) and bool(chosen.leaders)) == sails


@pytest.mark.parametrize(
    ("place", "talents", "goal"),
    [
        ("narbonensis", 300, "hispania"),
        ("lugdunensis", 300, "lugdunensis"),
        ("britannia", 300, ""),
        ("lugdunensis", 100, ""),
    ],
)
def test_a_rich_fleet_sails_to_an_army_that_waits_near_the_enemy(place: str, talents: int, goal: str) -> None:
    """It lands on the enemy where the army can join the attack, else beside the army; one far away is no help."""
    state = position(
        homes=("italia", "hispania"),
        units={"italia": {0: (4, 0, 6)}, "hispania": {1: (14, 0, 7)}, place: {0: (7, 0, 6)}},
        leaders={
            "italia": [caesar(0), general(0, 3), general(0, 4)],
            "hispania": [caesar(1), general(1), general(1, 2)],
            place: [general(0), general(0, 2)],
        },
        galleys={galley(0): "italia:west", galley(0, 1): "italia:west"},
        owners={place: 0},
        talents=[talents, 0],
    )
    analysis = PositionAnalysis(MB1984.view(state, 0), 0)
    found = voyage(analysis, state.galley_at[galley(0)], (4, 0, 6))
    assert (found.to if found is not None else None) == (sp(goal) if goal else None)


def test_a_legion_at_sea_does_not_land_to_be_beaten() -> None:
    """However near that brings it to the enemy's Caesar."""
    state = position(
        homes=("italia", "hispania"),
        units={"hispania": {1: (5, 0, 2)}, "italia": {0: (7, 0, 0)}, "baleares": {1: (4, 0, 1)}},
        leaders={"italia": [caesar(0)], "hispania": [caesar(1)], "baleares": [general(1)]},
        galleys={galley(0): "italia:west"},
        owners={"baleares": 1},
    )
    state.galley_at[galley(0)] = next(zone for zone in BOARD.coast_seas[BOARD.coasts[sp("baleares")][0]])
    state.cargo[galley(0)] = (4, 0, 0)
    state.leader_at[general(0)] = ABOARD + galley(0)
    assert odds((4, 0, 0), (4, 0, 1)) < 0.2
    found = worthwhile(PositionAnalysis(MB1984.view(state, 0), 0), MB1984, random.Random(1))
    landings = {action.to for _value, action in found if isinstance(action, Sail) and not BOARD.is_sea(action.to)}
    assert landings and not landings & set(BOARD.coasts[sp("baleares")])


def played_odds(mine: Army, theirs: Army, wall: int, battles: int) -> float:
    """Return the share of battles that the attacker wins, shot by shot, both sides firing as their default does."""
    rng, won = random.Random(7), 0
    for _ in range(battles):
        rows = [list(mine), list(theirs)]
        side = 0
        while all(map(any, rows)):
            foes = rows[1 - side]
            sums = [rows[0][CATAPULT], rows[1][CATAPULT] + wall]
            ahead = aimed_shots.advantage(sums[side], sums[1 - side])
            kind, _galley = best_target([(kind, -1) for kind in ARMS if foes[kind]], False, ahead)
            foes[kind] -= aimed_shots.hits(rng.randrange(6), aimed_shots.needed_roll(kind, False, ahead))
            side = 1 - side
        won += any(rows[0])
    return won / battles


@pytest.mark.long
@pytest.mark.parametrize(
    ("mine", "theirs", "wall"),
    [((28, 0, 0), (7, 0, 7), 1), ((7, 0, 7), (7, 0, 7), 1), ((4, 3, 2), (5, 1, 1), 0), ((2, 0, 1), (3, 0, 0), 1)],
)
def test_odds_are_those_of_battles_that_were_played(mine: Army, theirs: Army, wall: int) -> None:
    assert odds(mine, theirs, wall) == pytest.approx(played_odds(mine, theirs, wall, 3000), abs=0.035)


@pytest.mark.long
@pytest.mark.parametrize("seats", with_releases([2, 4], 2))
def test_its_matches_end(seats: int) -> None:
    entries = [ArenaMatch("mb1984", ("normal",) * seats, seed, 100, {}) for seed in range(3)]
    assert all(play_match(entry).finished for entry in entries)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seats", range(2, 7))
def test_nearly_all_its_matches_end_within_sixty_rounds(seats: int) -> None:
    results = [play_match(ArenaMatch("mb1984", ("normal",) * seats, seed, 60, {})) for seed in range(40)]
    assert sum(result.finished for result in results) >= 37


@pytest.mark.parametrize("seed", range(4))
def test_its_odds_are_those_that_people_are_told(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        mine, theirs = ((rng.randint(0, 9), rng.randint(0, 9), rng.randint(1, 9)) for _ in range(2))
        ships, walls = (rng.randint(1, 4), rng.randint(1, 4)), rng.randint(0, 1)
        on_land = told.duel(Host(), (*mine, 0), (*theirs, 0), False, walls).wins(ATTACKER)
        at_sea = told.duel(Host(), (*mine, ships[0]), (*theirs, ships[1]), True).wins(ATTACKER)
        assert odds(mine, theirs, walls) == pytest.approx(on_land, abs=1e-9)
        assert odds(mine, theirs, ships=ships) == pytest.approx(at_sea, abs=1e-9)


@pytest.mark.parametrize(("seats", "round_", "tribute", "concedes"), [
    (2, 11, 1000, False), (2, 12, 1000, True), (2, 40, 1000, True), (2, 40, 50, False), (3, 40, 1000, False),
])  # fmt: skip
def test_concedes_a_duel_against_far_more_units_and_means(
    seats: int, round_: int, tribute: int, concedes: bool
) -> None:
    state = position(seats)
    state.round, state.marker = round_, [20, tribute, 20][:seats]
    assert (normal(state, 0) == Concede(1)) == concedes
    assert concedes or not isinstance(normal(state, 0), Concede)


def test_takes_a_concession_back_when_there_is_hope_again() -> None:
    state = position(2)
    state.round, state.conceded = 20, [1, NONE]
    assert normal(state, 0) == Concede(NONE)


def test_the_first_offer_for_a_general_is_one_that_bots_accept() -> None:
    state = position(leaders={prison(1): [general(0)]}, talents=[200, 0])
    offer = bargain(PositionAnalysis(MB1984.view(state, 0), 0))
    assert offer is not None
    state.frames.append(Bargain(state.pushed, 1, 0, offer.pays, offer.gives, offer.wants, offer.takes))
    assert normal(state, 1) == Answer(True)


@pytest.mark.parametrize(("asked_before", "pays", "purse"), [(0, 80, 90), (1, 100, 150), (2, 150, 250)])
def test_it_keeps_a_reserve_when_it_offers_for_a_general(asked_before: int, pays: int, purse: int) -> None:
    """The more it offers, the more it keeps."""
    state = position(leaders={prison(1): [general(0)]}, talents=[purse, 0])
    state.offers = 3 - asked_before
    assert bargain(PositionAnalysis(MB1984.view(state, 0), 0)) == Offer(1, pays=pays, takes=(general(0),))
    state.talents[0] -= 1
    assert bargain(PositionAnalysis(MB1984.view(state, 0), 0)) is None


@pytest.mark.parametrize(
    ("tributes", "first"), [([50, 60, 55], 1), ([50, 56, 55], NONE), ([90, 60, 55], NONE), ([50, 60], NONE)]
)
def test_it_turns_against_a_rival_who_is_ahead(tributes: list[int], first: int) -> None:
    state = position(len(tributes))
    state.marker = tributes
    analysis = PositionAnalysis(MB1984.view(state, 0), 0)
    assert analysis.foremost == first
    home = state.home[1]
    assert (analysis.prize(home) > PositionAnalysis(MB1984.view(position(len(tributes)), 0), 0).prize(home)) == (
        first == 1
    )
