"""Positions of the second game with a known best decision, and the player's answer."""

import random

import pytest

from server.bots import policy
from server.bots.cote2 import planning
from server.bots.cote2.cards import WORTH
from server.bots.cote2.position_analysis import SeatAnalysis
from server.bots.cote2.sailing import afloat, battles
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.data import CARDS, DATA, SEAS
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.effects import Taken
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.state import State
from shared.vocabulary.actions import Retreat, Stand
from tests.support.layout import sp
from tests.support.positionii import auction, caesar, card, forum, galley, general, play, position


def answer(state: State, seat: Seat) -> Action:
    """Return the bot's decision on its seat's view; it must be legal."""
    view = COTE2.view(state, seat)
    action = policy.play_normal(COTE2, view, seat, random.Random(1))
    assert engine.check(COTE2, view, seat, action) is None
    return action


# --- influence ---


@pytest.mark.parametrize(("state", "action"), [
    pytest.param(position(
        left=1, round=DATA.rounds, season=DATA.seasons, leaders={"egyptus": [caesar(0)]}, tokens={"egyptus": 2},
        influence={"egyptus": {1: 2}}, units={"egyptus": {1: (1, 0, 0)}},
    ), a.Influence(sp("egyptus"), (NONE, NONE)), id="what scores in the last action"),
    pytest.param(position(
        left=1, round=DATA.rounds, leaders={"asia": [general(0)]}, tokens={"asia": 1},
        influence={"asia": {0: 1, 1: 1}}, units={"asia": {0: (1, 0, 0)}},
    ), a.Influence(sp("asia"), (1,)), id="unguarded tokens of the rival"),
    pytest.param(position(
        row=["slave_revolt"], units={"egyptus": {1: (1, 0, 0)}, "asia": {1: (9, 2, 1)}}, talents=(80, 80),
        influence={"egyptus": {1: 2}, "asia": {1: 2}}, leaders={"egyptus": [caesar(0)]},
    ), a.Incite(sp("egyptus"), (1,)), id="slaves rise where a rival has a lone guard"),
])  # fmt: skip
def test_it_buys_and_takes_the_tokens_that_count_most(state: State, action: Action) -> None:
    """The second prize of Egypt is worth less than a share of the first; the only tokens in a province are worth it."""
    assert answer(state, 0) == action


def test_it_raises_money_for_what_it_could_buy() -> None:
    state = position(
        4, talents=(0, 50, 50, 50), chaos=(0, 9, 9, 9), leaders={"egyptus": [caesar(0)]}, tokens={"egyptus": 2}
    )
    assert isinstance(answer(state, 0), a.Levy)


# --- marches and landings ---


def test_a_march_leads_to_where_the_caesar_can_buy() -> None:
    state = position(leaders={"narbonensis": [caesar(0)]}, units={"narbonensis": {0: (3, 0, 0)}}, tokens={"italia": 2})
    action = answer(state, 0)
    assert isinstance(action, a.Move)
    assert (caesar(0), sp("italia")) in action.leaders
    assert sum(army[1] for army in action.armies if army[0] == sp("italia")) >= 1, "somebody guards what he buys"


def test_guards_go_to_unguarded_tokens() -> None:
    state = position(
        leaders={"galatia": [general(0)]}, units={"galatia": {0: (4, 0, 0)}}, talents=(80, 80),
        influence={"galatia": {0: 1}, "asia": {0: 2}, "mesopotamia": {0: 2}},
    )  # fmt: skip
    view = COTE2.view(state, 0)
    frame = view.frames[-1]
    assert isinstance(frame, Turn)
    found = planning.plans(SeatAnalysis(view, 0), frame)
    best = max([plan for plan in found if isinstance(plan.action, a.Move)], key=lambda plan: plan.worth)
    action = best.action
    assert isinstance(action, a.Move) and best.worth > 0
    assert {(sp("asia"), 1, 0, 0), (sp("mesopotamia"), 1, 0, 0)} <= set(action.armies)
    assert sum(army[1] for army in action.armies) < 4, "somebody stays behind"


def overseas(zone: str) -> State:
    """Return a strong army on Sicilia that the enemy's fleet keeps there, and a weak guard of rich Egypt."""
    return position(
        leaders={"sicilia": [caesar(0), general(0)]},
        units={"sicilia": {0: (4, 2, 1)}, "egyptus": {1: (1, 0, 0)}, "neapolis": {1: (9, 4, 2)}},
        galleys={galley(0): zone, galley(0, 1): zone, galley(1): "mare_tyrrhenum"},
        influence={"sicilia": {0: 1}, "egyptus": {1: 3}},
    )  # fmt: skip


def test_it_lands_where_the_guard_is_weak_or_sails_to_where_it_can_land() -> None:
    action = answer(overseas("mare_alexandria"), 0)
    assert isinstance(action, a.Move)
    assert {to for _leader, to in action.leaders} == {sp("egyptus")}
    assert sum(sum(army[1:]) for army in action.armies) >= 4
    action = answer(overseas("mare_amisus"), 0)
    assert isinstance(action, a.Sail) and action.to in SEAS[sp("egyptus")] and action.enemy == NONE


def test_it_sinks_galleys_when_it_is_much_stronger() -> None:
    many = {galley(0, k): "mare_alexandria" for k in range(6)}
    state = position(galleys={**many, galley(1): "mare_epirus"}, left=1)
    action = answer(state, 0)
    assert isinstance(action, a.Sail)
    assert (action.zone, action.enemy) == (sp("mare_epirus"), 1)


# --- battles ---


def beside(mine: tuple[int, int, int], theirs: tuple[int, int, int], **more: int) -> State:
    """Return a position with two armies in Egypt, where the rival's tokens lie under the guard of the rival's army."""
    return position(
        left=more.get("left", 2), units={"egyptus": {0: mine, 1: theirs}}, leaders={"egyptus": [general(0)]},
        influence={"egyptus": {1: 2}}, talents=(40, 40),
    )  # fmt: skip


def test_it_attacks_the_guard_of_tokens_that_it_wants_but_not_without_a_chance() -> None:
    assert answer(beside((5, 1, 1), (1, 0, 0)), 0) == a.Attack(sp("egyptus"), 1)
    for left in (1, 2):
        assert not isinstance(answer(beside((1, 0, 0), (8, 3, 2), left=left), 0), a.Attack)


def test_it_leaves_a_lost_battle_and_stands_in_a_won_one() -> None:
    lost, won = beside((8, 3, 2), (2, 0, 0)), beside((3, 0, 0), (8, 3, 2))
    for state in (lost, won):
        play(state, (0, a.Attack(sp("egyptus"), 1)), "....", "...")
    assert isinstance(answer(lost, 1), Retreat)
    assert answer(won, 1) == Stand()


def test_galleys_join_a_battle_that_they_can_turn_and_no_other() -> None:
    fleet = {galley(1): "mare_alexandria", galley(1, 1): "mare_pelusium"}
    for attackers, joined in (((2, 0, 0), fleet), ((12, 5, 3), {})):
        state = position(
            units={"egyptus": {0: attackers, 1: (1, 0, 0)}}, leaders={"egyptus": [general(0)]}, galleys=fleet,
            influence={"egyptus": {1: 1}},
        )  # fmt: skip
        play(state, (0, a.Attack(sp("egyptus"), 1)))
        assert answer(state, 1) == a.Commit(tuple(sorted(joined)))


@pytest.mark.parametrize(("enemies", "away"), [(5, True), (1, False)])
def test_the_wind_is_for_the_weak(enemies: int, away: bool) -> None:
    mine = {galley(1, k): "mare_epirus" for k in range(3)}
    theirs = {galley(0, k): "mare_epirus" for k in range(enemies)}
    state = position(cards={1: ["favorable_wind"]}, galleys={**mine, **theirs})
    play(state, (0, a.Sail(NONE, (), sp("mare_epirus"), 1)))
    assert answer(state, 1) == a.Slip(away)


def test_leaders_who_must_go_join_their_own() -> None:
    state = position(
        units={"egyptus": {0: (5, 0, 0)}, "palestina": {0: (4, 0, 0)}, "cyrenaica": {1: (3, 0, 0)}},
        leaders={"egyptus": [general(1)]},
    )  # fmt: skip
    play(state, (0, a.Attack(sp("egyptus"), 1)))
    assert answer(state, 1) == a.Withdraw(sp("cyrenaica"))


# --- alliances ---


@pytest.mark.parametrize(("unguarded", "proposal"), [(1, (1, 3)), (3, (3, 1))])
def test_bots_choose_enemies_with_unguarded_tokens(unguarded: int, proposal: tuple[int, int]) -> None:
    """The leader of the others and the last of them come first; the bot hopes for the last place, on side B."""
    state = auction(4)
    state.points = [0, 20, 10, 5]
    state.influence[sp("egyptus")] = tuple([int(seat == unguarded) for seat in range(4)])
    assert answer(state, 0) == a.Bid(0, *proposal)


# --- cards ---


@pytest.mark.parametrize("key", [printed.key for printed in CARDS])
def test_every_card_is_worth_something_where_it_decides_something(key: str) -> None:
    """A wealthy player with influence, armies and galleys, beside guards and fleets of others: no card is nothing."""
    state = forum(row=[key], chaos=(12, 3, 3))
    for k in range(3):
        state.galley_at[galley(1, k)] = sp("mare_rhodus")
    state.influence[sp("egyptus")] = (1, 3, 0)
    for other in ("numidia", "achaia", "mesopotamia"):
        state.units[sp(other)] = (0, 1, 0, 0, 1, 2, 0, 0)
        state.influence[sp(other)] = (1, 1, 0)
    view = COTE2.view(state, 0)
    analysis = SeatAnalysis(view, 0)
    ways = [action for action in engine.options(COTE2, view, 0) if isinstance(action, Taken)]
    assert max(WORTH.of(card(key)).taken(analysis, way) for way in ways) > 0.0


def test_a_campaign_for_points_is_worth_the_march() -> None:
    state = position(
        row=["barbarians_germania"], leaders={"narbonensis": [general(0)]}, units={"narbonensis": {0: (6, 0, 0)}},
        influence={"narbonensis": {0: 1}}, left=1,
    )  # fmt: skip
    assert isinstance(answer(state, 0), a.Campaign)


def test_a_card_without_use_is_not_paid_for() -> None:
    """No influence in Egypt, no galleys, no enemy to fight."""
    row = ["merchant_egypt", "diplomacy_pirates", "diplomacy_numidia", "build_city_asia_galatia"]
    state = position(row=row, left=1, leaders={"britannia": [caesar(0)]})
    assert not isinstance(answer(state, 0), a.Obtain)


def test_a_senator_is_worth_most_where_it_turns_a_vote() -> None:
    """Three more votes decide which player is hailed as Caesar, or change nothing."""
    worths = {}
    for known, others in (("close", 2), ("far ahead", 0), ("no card", 2)):
        cards = {1: ["senate_hail_caesar"] if known != "no card" else []}
        state = position(row=["senator_3"], cards=cards, senators={0: (0, 2, 0, 0), 1: (0, 0, others, 0)})
        worths[known] = WORTH.of(card("senator_3")).taken(
            SeatAnalysis(COTE2.view(state, 0), 0), a.Obtain(card("senator_3"))
        )
    assert worths["close"] > 1.2 * worths["far ahead"] > 1.2 * worths["no card"]


def test_battles_against_evasive_fleets_are_worth_less() -> None:
    """A fleet with nothing else to do tries: perhaps the other fleet stays."""
    many = {galley(0, k): "mare_alexandria" for k in range(6)}
    fleets = {**many, galley(1): "mare_epirus"}
    free, slipping = [
        max(plan.worth for plan in battles(SeatAnalysis(COTE2.view(state, 0), 0), afloat(state, 0)))
        for state in (position(galleys=fleets, cards={1: held}) for held in ([], ["favorable_wind"]))
    ]
    assert 0.0 < slipping < free / 2


def test_customers_who_are_about_to_be_won_count() -> None:
    def worth(tokens: int) -> float:
        state = position(
            row=["merchant_egypt"], leaders={"egyptus": [caesar(0)]}, influence={"egyptus": {0: 1}},
            tokens={"egyptus": tokens},
        )  # fmt: skip
        return WORTH.of(card("merchant_egypt")).taken(
            SeatAnalysis(COTE2.view(state, 0), 0), a.Obtain(card("merchant_egypt"))
        )

    assert worth(2) > 1.5 * worth(0) > 0.0


def test_no_senators_are_shown_for_what_one_cannot_have() -> None:
    """Not even against who would win it."""
    shown = []
    for chaos in (0, 9):
        state = position(
            cards={1: ["senate_bread_and_circuses"]}, senators={0: (1, 1, 0, 0), 1: (0, 1, 1, 0)}, chaos=(chaos, 9),
            turn=1, left=0, round=DATA.rounds,
        )  # fmt: skip
        play(state, (1, a.Use(card("senate_bread_and_circuses"))), (1, a.Show(0, 1)))
        shown.append(isinstance(answer(state, 0), a.Show))
    assert shown == [False, True]


@pytest.mark.parametrize("key", ["build_city_egypt_numidia", "senate_bread_and_circuses"])
def test_chaos_that_is_still_to_come_is_taken_off_too(key: str) -> None:
    """A seat without chaos will have some when it is counted; but in the last action nothing more comes."""
    worths = []
    for now in (1, DATA.rounds):
        state = position(
            row=[key], senators={0: (0, 0, 2, 0)}, units={"egyptus": {0: (1, 0, 0)}}, round=now, season=DATA.seasons
        )
        view = COTE2.view(state, 0)
        ways = [way for way in engine.options(COTE2, view, 0) if isinstance(way, a.Obtain) and way.card == card(key)]
        worths.append(max(WORTH.of(card(key)).taken(SeatAnalysis(view, 0), way) for way in ways))
    assert worths[0] > 2 * worths[1]


def test_the_only_leader_gets_company() -> None:
    """A second general saves a march in every round of a whole match."""
    state = position(
        left=1, leaders={"italia": [caesar(0)]}, units={"italia": {0: (4, 0, 0)}}, influence={"italia": {0: 1}},
        talents=(120, 80),
    )  # fmt: skip
    action = answer(state, 0)
    assert isinstance(action, a.Recruit)
    assert action.armies[0][4] >= 1
