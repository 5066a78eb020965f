"""Seasons, rounds, taxes, victory points, chaos, the end."""

import pytest

from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.kernel.frames import Deal, Dealt, Event
from shared.rulesets.cote2.actions import Bid, Influence, Levy, Pass
from shared.rulesets.cote2.data import CARDS, KEYS
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.events import ChaosShown, SeasonBegan, SeasonEnded, Taxed, TurnBegan, Why, Won
from shared.rulesets.cote2.frames import Alliances, Season
from shared.rulesets.cote2.property import reward
from shared.rulesets.cote2.scoring import count_chaos, province_points, ranking, score, tax_of
from shared.rulesets.cote2.season import STEPS
from shared.rulesets.cote2.stages import SeasonStep
from shared.rulesets.cote2.state import FROM_CARD, FROM_CHAOS, State
from shared.vocabulary.actions import Concede, EndTurn
from tests.support.layout import sp
from tests.support.positionii import (
    begin,
    caesar,
    card,
    chance,
    deal,
    finish_season,
    legal,
    obtain,
    owed,
    play,
    position,
    refused,
    tokens_of,
    use,
)
from tests.support.referee import of, top


def sleepers(seats: int, **chosen: int) -> tuple[State, list[Event]]:
    """Play a whole match in which no seat does anything voluntarily; return the state and its events."""
    state = begin(seats, **chosen)
    happened: list[Event] = []
    while not COTE2.finished(state):
        (who,) = owed(state)
        frame = top(state)
        if who == NATURE:
            assert isinstance(frame, Deal)
            action = Dealt(tuple(range(frame.size)))
            engine.play(COTE2, state, NATURE, action, happened.append)
        else:
            engine.play(COTE2, state, who, engine.default(COTE2, state, who), happened.append)
        assert COTE2.invariants(state) == []
    return state, happened


def test_the_choices_of_seasons_are_called_by_their_numbers() -> None:
    (seasons,) = [option for option in COTE2.options if option.key == "seasons"]
    assert (seasons.values, seasons.labels) == ((4, 5), ("4", "5"))


@pytest.mark.rule("II-SEASON-01")
@pytest.mark.parametrize(("chosen", "seasons"), [(4, 4), (5, 5)])
def test_four_or_five_seasons_of_four_rounds(chosen: int, seasons: int) -> None:
    assert [*STEPS, SeasonStep.OVER] == list(SeasonStep)
    state, happened = sleepers(3, seasons=chosen)
    assert [event.season for event in of(happened, SeasonBegan)] == list(range(1, seasons + 1))
    turns = [(event.season, event.round) for event in of(happened, TurnBegan)]
    assert len(turns) == seasons * 4 * 3
    assert len(set(turns)) == seasons * 4
    assert state.winner != NONE
    with pytest.raises(ValueError, match="seasons"):
        begin(3, seasons=6)


@pytest.mark.rule("II-TOKENS-01", "II-ROW-EX")
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_two_tokens_and_two_cards_for_each_player(seats: int) -> None:
    state = begin(seats)
    play(state, (0,))
    for _ in range(seats):
        chance(state, deal(state, *("egyptus", "asia", "numidia", "sicilia")))
    frame = top(state)
    assert isinstance(frame, Deal)
    assert frame.size == 2 * seats
    chance(state, Dealt(tuple(range(2 * seats))))
    assert sum(state.tokens) == 2 * seats
    assert state.tokens[KEYS[0]] == min(8, 2 * seats)
    frame = top(state)
    assert isinstance(frame, Deal)
    assert frame.size == 2 * seats
    chance(state, Dealt(tuple(range(2 * seats))))
    assert sum(state.row) == 5 + 2 * seats
    if seats == 6:
        assert sum(state.tokens) == 12
        assert sum(state.row) == 5 + 12
    before = list(state.tokens)
    while state.season == 1:
        (who,) = owed(state)
        play(state, (who, engine.default(COTE2, state, who)))
    assert state.tokens == before
    frame = top(state)
    assert isinstance(frame, Deal)
    chance(state, Dealt(tuple(range(frame.size))))
    assert sum(state.tokens) == 4 * seats, "older tokens stay"


@pytest.mark.rule("II-ROW-01", "II-D05")
def test_unsold_cards_stay() -> None:
    state = position(row=["assassin", "politician"], round=4, turn=1, left=1)
    play(state, (1, Pass()))
    frame = top(state)
    assert isinstance(frame, Deal)
    chance(state, Dealt(tuple(range(frame.size))))
    chance(state, deal(state, "army_training", "army_training", "slave_revolt", "merchant_asia"))
    open_cards = {CARDS[k].key: n for k, n in enumerate(state.row) if n}
    assert open_cards == {
        "assassin": 1, "politician": 1, "army_training": 2, "slave_revolt": 1, "merchant_asia": 1,
    }  # fmt: skip


@pytest.mark.rule("II-D03")
def test_the_rest_is_dealt_and_then_nothing() -> None:
    state = position(3, round=4, turn=2, left=1)
    state.pool = [0] * 10 + [4]
    state.gone = [n + m for n, m in zip(state.gone, state.deck, strict=True)]
    state.deck = [0] * len(CARDS)
    play(state, (2, Pass()))
    frame = top(state)
    assert isinstance(frame, Deal)
    assert (frame.count, frame.size) == (4, 4)
    chance(state, Dealt((0, 1, 2, 3)))
    assert state.tokens[KEYS[10]] == 4
    assert isinstance(state.frames[1], Alliances)
    assert not any(state.deck)


@pytest.mark.rule("II-ACT-01")
def test_two_actions_each_a_card_only_once_a_round() -> None:
    state = position(row=["politician", "army_training", "army_training"], influence={"italia": {0: 1}})
    play(state, (0, obtain("army_training")))
    assert refused(state, 0, obtain("army_training")) == "II-ACT-01"
    assert refused(state, 0, EndTurn()) == "II-ACT-01"
    play(state, (0, Levy(5)))
    assert owed(state) == (1,)
    play(state, (1, Levy(5)), (1, Levy(5)))
    assert (state.round, owed(state)) == (2, (0,))
    play(state, (0, obtain("army_training")))
    assert state.cards[0] == (card("army_training"),) * 2


def test_no_action_is_left_after_two() -> None:
    state = position(cards={0: ["loot_the_countryside"]}, left=0)
    assert refused(state, 0, Levy(5)) == "II-ACT-01"
    assert refused(state, 0, Pass()) == "II-ACT-01"
    play(state, (0, EndTurn()))
    assert owed(state) == (1,)


@pytest.mark.rule("II-ACT-02")
def test_the_eight_actions_are_all_on_the_list() -> None:
    state = position(
        leaders={"italia": [caesar(0)]},
        units={"italia": {0: (2, 0, 0), 1: (1, 0, 0)}},
        influence={"italia": {0: 1}},
        tokens={"italia": 1},
        galleys={0: "mare_narbo", 8: "mare_narbo"},
        row=["army_training"],
    )
    kinds = {type(action).__name__ for action in engine.options(COTE2, state, 0)}
    assert kinds == {"Obtain", "Recruit", "Influence", "Levy", "Move", "Attack", "Sail", "Pass"}
    assert refused(state, 0, Bid(0, 0, 1)) == "II-ACT-02"


@pytest.mark.rule("II-ACT-03")
def test_rounds_advance_and_after_four_the_season_is_scored() -> None:
    state = position(3, order=(2, 0, 1), turn=2)
    for round_ in range(1, 5):
        assert state.round == round_
        for seat in (2, 0, 1):
            assert owed(state) == (seat,)
            happened = play(state, (seat, Pass()), (seat, Pass()))
    assert of(happened, Taxed)
    assert state.season == 2
    assert state.round == 1


@pytest.mark.rule("II-PASS-01")
def test_passing_bars_nothing() -> None:
    state = position()
    play(state, (0, Pass()), (0, Levy(25)), (1, Pass()), (1, Pass()))
    assert legal(state, 0, Levy(5))


@pytest.mark.rule("II-TAXES-01", "II-D61")
def test_taxes() -> None:
    state = position(
        influence={"italia": {0: 2, 1: 1}, "egyptus": {0: 3}}, cities={"italia": 0, "egyptus": 1}, talents=(10, 20)
    )
    assert tax_of(state, 0) == 2 * 10 + 3 * 5
    assert tax_of(state, 1) == 5
    finish_season(state)
    assert state.talents == [45, 25]
    rich = position(talents=(1_000_000, 0), influence={"italia": {0: 18}})
    finish_season(rich)
    assert rich.talents[0] == 1_000_090


@pytest.mark.rule("II-VP-01", "II-D54")
def test_ranks_in_a_key_province() -> None:
    state = position(4, influence={"italia": {0: 1, 1: 3, 2: 2, 3: 1}})
    assert province_points(state, sp("italia")) == [5, 20, 10, 5]
    state = position(4, influence={"asia": {2: 1}})
    assert province_points(state, sp("asia")) == [0, 0, 10, 0]
    assert province_points(state, sp("egyptus")) == [0, 0, 0, 0]
    state = position(4, influence={"asia": {0: 2, 1: 2, 2: 1, 3: 1}})
    assert province_points(state, sp("asia")) == [10, 10, 5, 5]
    score(state, engine.ignore_event)
    assert state.points == [10, 10, 5, 5]


@pytest.mark.rule("II-VP-EX")
def test_the_printed_example_of_neapolis() -> None:
    angela, charles, blake, dave = range(4)
    state = position(4, influence={"neapolis": {angela: 3, charles: 3, blake: 2, dave: 1}})
    assert province_points(state, sp("neapolis")) == [15, 15, 5, 0]


@pytest.mark.rule("II-CHAOS-02", "II-D53")
def test_cities_calm_and_chaos_costs_points() -> None:
    state = position(3, chaos=(10, 9, 4), cities={"italia": 0, "asia": 0, "egyptus": 2})
    count_chaos(state, engine.ignore_event)
    assert state.chaos == [4, 9, 1]
    assert state.points == [-5, -10, 0]
    state = position(2, chaos=(2, 0), cities={"italia": 0})
    count_chaos(state, engine.ignore_event)
    assert state.chaos == [0, 0]
    assert state.points == [0, 0]


@pytest.mark.rule("II-D55", "II-D57")
def test_ties_for_most_chaos() -> None:
    state = position(4, chaos=(7, 7, 3, 0))
    count_chaos(state, engine.ignore_event)
    assert state.points == [-10, -10, -5, 0]
    state = position(4, chaos=(0, 0, 0, 0))
    count_chaos(state, engine.ignore_event)
    assert state.points == [0, 0, 0, 0]
    state = position(2, chaos=(1, 0))
    count_chaos(state, engine.ignore_event)
    assert state.points == [-10, 0]


@pytest.mark.rule("II-D55")
def test_no_chaos_may_be_counted_like_any_other_number() -> None:
    def counted(*chaos: int, cities: dict[str, int] | None = None) -> list[int]:
        state = position(len(chaos), chaos=chaos, options={"zero_chaos": 1}, cities=cities)
        count_chaos(state, engine.ignore_event)
        return state.points

    assert counted(1, 0) == [-10, -5]
    assert counted(7, 0, 7, 0) == [-10, -5, -10, -5]
    assert counted(7, 3, 0) == [-10, -5, 0]
    assert counted(0, 0) == [-10, -10]
    assert counted(3, 2, cities={"asia": 0}) == [-5, -10], "cities come first"


@pytest.mark.rule("II-CHAOS-03", "II-D56")
def test_chaos_is_shown_when_counted_and_stays() -> None:
    state = position(2, chaos=(7, 3))
    assert COTE2.view(state, 1).chaos == [-1, 3]
    assert COTE2.view(state, None).chaos == [-1, -1]
    happened = finish_season(state)
    assert of(happened, ChaosShown)[0].chaos == (7, 3)
    assert of(happened, ChaosShown)[0].points == (-10, -5)
    assert state.chaos == [7, 3]
    assert COTE2.view(state, 1).chaos == [-1, 3]


@pytest.mark.rule("II-VP-01", "II-CHAOS-02", "II-C-11")
def test_the_ledger_tells_where_points_came_from() -> None:
    state = position(3, season=2, chaos=(1, 4, 4), influence={"asia": {0: 2, 1: 1}, "egyptus": {2: 1}})
    score(state, engine.ignore_event)
    count_chaos(state, engine.ignore_event)
    reward(state, 1, card("senate_hail_caesar"), 0, 15, engine.ignore_event)
    assert state.ledger == [
        (2, sp("asia"), 10, 5, 0),
        (2, sp("egyptus"), 0, 0, 15),
        (2, FROM_CHAOS, -5, -10, -10),
        (2, FROM_CARD + card("senate_hail_caesar"), 0, 15, 0),
    ]
    assert state.points == [5, 10, 5]
    assert COTE2.view(state, None).ledger == state.ledger
    state.points[0] += 5
    assert COTE2.invariants(state) != []


def test_the_end_of_a_season() -> None:
    state = position(
        2,
        order=(1, 0),
        cards={0: ["diplomacy_italia", "loot_the_countryside", "army_training"], 1: ["diplomacy_pirates"]},
    )
    play(state, (1, Pass()), (1, Pass()), (0, use("loot_the_countryside")))
    assert state.used[0] == (card("loot_the_countryside"),)
    happened = finish_season(state)
    assert state.used == [(), ()]
    assert state.cards == [(card("loot_the_countryside"), card("army_training")), ()]
    assert state.row[card("diplomacy_italia")] == state.row[card("diplomacy_pirates")] == 1
    assert of(happened, SeasonEnded)[0].cards == (card("diplomacy_italia"), card("diplomacy_pirates"))
    frame = state.frames[0]
    assert isinstance(frame, Season)
    assert frame.opener == 0


@pytest.mark.rule("II-END-01")
def test_most_points_win_then_most_influence() -> None:
    state = position(2, points=(30, 40), season=4, round=4, turn=1, left=1)
    happened = play(state, (1, Pass()))
    assert (state.winner, state.winners) == (1, (1,))
    assert of(happened, Won) == [Won((1,), Why.POINTS)]
    assert owed(state) == ()
    assert engine.check(COTE2, state, 0, Pass()) is not None
    tokens = {"italia": {0: 1, 1: 1}, "asia": {1: 1}, "egyptus": {0: 1, 1: 1}}
    state = position(2, points=(40, 30), influence=tokens, season=4, round=4, turn=1, left=1)
    play(state, (1, Pass()))
    assert state.points == [75, 75]
    assert state.winner == 1
    assert [(place.seat, place.rank) for place in COTE2.standings(state)] == [(1, 1), (0, 2)]
    state = position(2, season=4, round=4, turn=1, left=1, options={"seasons": 5})
    play(state, (1, Pass()))
    assert state.winner == NONE
    assert state.season == 5


@pytest.mark.rule("II-D58")
def test_shared_victory() -> None:
    state = position(3, points=(40, 40, 0), season=4, round=4, turn=2, left=1, influence={"asia": {0: 2, 1: 2}})
    play(state, (2, Pass()))
    assert state.winners == (0, 1)
    assert [place.rank for place in COTE2.standings(state)] == [1, 1, 3]
    assert state.winner == 0
    assert COTE2.finished(state)


def test_conceding_ends_the_match() -> None:
    state = position(3)
    assert legal(state, 2, Concede(1))
    assert engine.check(COTE2, state, 1, Concede(1)) is not None
    happened = play(state, (2, Concede(1)), (0, Concede(1)))
    assert of(happened, Won) == [Won((1,), Why.CONCEDED)] and (Why.POINTS, Why.CONCEDED) == (0, 1)
    assert state.winners == (1,)
    assert ranking(state)[0] == (1, 1)


@pytest.mark.rule("II-TOKENS-02")
def test_a_bought_token_is_gone_for_good() -> None:
    state = position(leaders={"italia": [caesar(0)]}, tokens={"italia": 2})
    total = sum(state.pool) + sum(state.tokens)
    play(state, (0, Influence(sp("italia"), (NONE, NONE))))
    assert tokens_of(state, "italia", 0) == 2
    assert sum(state.pool) + sum(state.tokens) == total - 2
