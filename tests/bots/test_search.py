"""Bots that search: their input, their thinking time, and the benefit."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from math import inf
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from server.bots import policy
from server.bots.cote2 import planning
from server.bots.cote2.fast_policy import FastPolicy as Cote2Hasty
from server.bots.cote2.plans import Plan as Option
from server.bots.cote2.position_analysis import SeatAnalysis
from server.bots.mb1984.assault import planned
from server.bots.mb1984.plans import Temper
from server.bots.mb1984.position_analysis import BOLD_FOR_CAESAR, PositionAnalysis
from server.bots.mb1984.spending import otherwise
from server.bots.search import deciding, learned, standing
from server.bots.search.budget import Budget, Thinking
from server.bots.search.cote2 import OTHERS, kind_of
from server.bots.search.deciding import Luck, PlanRollouts, apart, candidates, decide, distinct, legal
from server.bots.search.game import SearchPlan
from server.bots.search.games import GAMES
from server.command_line import compiled
from server.tools.arena import ArenaMatch
from server.tools.arena import play as play_match
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.classic import actions as classic_actions
from shared.rulesets.classic import frames as classic_frames
from shared.rulesets.cote2.actions import Influence, Use
from shared.rulesets.cote2.alliances import unallied
from shared.rulesets.cote2.data import DATA
from shared.rulesets.cote2.frames import Auction, Deployment, Turn, Vote
from shared.rulesets.mb1984 import frames as mb1984_frames
from shared.rulesets.mb1984.actions import March
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.registry import RULESETS, ruleset
from shared.vocabulary.actions import Concede, EndMovement
from shared.vocabulary.frames import HomeChoice, Movement, Purchase
from tests.bench import learn
from tests.support.layout import sp
from tests.support.position1984 import caesar, general, position
from tests.support.positionii import card, forum
from tests.support.positionii import play as playii

FEW = Thinking(12)
ALL = pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
ONE = pytest.mark.parametrize(
    "rules",
    [pytest.param(rules, id=name, marks=[pytest.mark.long] * (name != "mb1984")) for name, rules in RULESETS.items()],
)


def positions(rules: AnyRuleset, seats: int, seed: int, every: int, most: int = 12) -> Iterator[tuple[Any, Seat]]:
    """Yield positions of a match of normal bots, each with the seat that owes a decision."""
    chance = random.Random(seed)
    state = engine.start(rules, seats, {}, engine.ignore_event)
    for step in range(every * most):
        owed = engine.owed(rules, state)
        if not owed:
            return
        seat = owed[0]
        if seat != NATURE and step % every == 0:
            yield state, seat
        action = engine.chance_action(state, chance) if seat == NATURE else None
        if action is None:
            action = policy.play_normal(rules, rules.view(state, seat), seat, chance)
        engine.play(rules, state, seat, action, engine.ignore_event)


def hard(rules: AnyRuleset, view: Any, seat: Seat, seed: int = 1, thinking: Thinking = FEW) -> Any:
    return policy.play_hard(rules, view, seat, random.Random(seed), thinking)


def ticking(step: float) -> Callable[[], float]:
    """Return a clock that goes on by `step` seconds at each reading."""
    ticks = count()
    return lambda: next(ticks) * step


# --- what is known ---


@ALL
@pytest.mark.parametrize("seats", [2, 4])
def test_a_completed_position_looks_the_same_and_is_sound(rules: AnyRuleset, seats: int) -> None:
    chance = random.Random(seats)
    for state, seat in positions(rules, seats, seats, every=23):
        whole = GAMES[rules.id].complete(rules.view(state, seat), chance)
        assert rules.view(whole, seat) == rules.view(state, seat)
        assert not rules.invariants(whole)


@ALL
def test_a_completed_position_shares_nothing(rules: AnyRuleset) -> None:
    for state, seat in positions(rules, 3, 3, every=31, most=6):
        view = rules.view(state, seat)
        before = msgspec.msgpack.encode(view)
        whole = GAMES[rules.id].complete(view, random.Random(1))
        engine.perform(rules, whole, seat, policy.play_normal(rules, view, seat, random.Random(1)), engine.ignore_event)
        assert msgspec.msgpack.encode(view) == before


def test_unknown_facts_of_a_seat_are_dealt_in_many_ways() -> None:
    rules = RULESETS["cote2"]
    *_, (state, seat) = positions(rules, 4, 5, every=20)
    view = rules.view(state, seat)
    found = [GAMES["cote2"].complete(view, random.Random(seed)) for seed in range(20)]
    assert len({tuple(whole.senators) for whole in found}) > 10
    assert len({tuple(whole.chaos) for whole in found}) > 10
    assert len({tuple(whole.deck) for whole in found}) == 20
    assert {whole.senators[seat] for whole in found} == {state.senators[seat]}
    assert {whole.chaos[seat] for whole in found} == {state.chaos[seat]}


@pytest.mark.long
@ONE
def test_it_is_given_nothing_but_the_view(rules: AnyRuleset) -> None:
    """The encoded view is enough, it is left as it was, and hidden facts change nothing."""
    for state, seat in positions(rules, 3, 9, every=37, most=3):
        encoded = msgspec.msgpack.encode(rules.view(state, seat))
        view = rules.view_decoder.decode(encoded)
        action = hard(rules, view, seat)
        assert msgspec.msgpack.encode(view) == encoded
        other = GAMES[rules.id].complete(view, random.Random(77))
        assert hard(rules, rules.view(other, seat), seat) == action


def test_the_second_game_tries_one_thing_of_a_kind() -> None:
    """Numbers of units and routes are left to the normal player, so each kind of action is tried once."""
    rules, most = RULESETS["cote2"], 0
    for state, seat in positions(rules, 3, 6, every=13):
        plans = GAMES["cote2"].plans(rules, rules.view(state, seat), seat, random.Random(1))
        if isinstance(state.frames[-1], Turn) and state.frames[-1].left:
            assert plans[0].action == policy.play_normal(rules, rules.view(state, seat), seat, random.Random(1))
            assert len({kind_of(plan.action) for plan in plans}) == len(plans)
            most = max(most, len(plans))
    assert most == OTHERS + 1


def test_the_second_game_tries_ways_to_begin_and_to_act_last() -> None:
    """Other places for one leader; in the last auction, passing, and bids for either order. Auctions before it are not
    thought through."""
    rules, tried = RULESETS["cote2"], Counter[str]()
    for state, seat in positions(rules, 4, 6, every=1, most=60):
        view, frame = rules.view(state, seat), state.frames[-1]
        plans = GAMES["cote2"].plans(rules, view, seat, random.Random(1))
        usual = policy.play_normal(rules, view, seat, random.Random(1))
        assert plans[0].action == usual
        assert all(engine.check(rules, view, seat, plan.action) is None for plan in plans)
        if isinstance(frame, Auction):
            last = len(unallied(state)) == 2
            assert (len(distinct(plans)) > 1) == last
            tried["bids"] += last
        elif isinstance(frame, Deployment):
            assert all(_differs_little(plan.action, usual) for plan in plans)
            tried["ways"] += len(distinct(plans)) > 2
    assert min(tried["bids"], tried["ways"]) > 1


def test_the_second_game_shows_no_senators_for_what_it_cannot_have() -> None:
    """Only passing is considered: without chaos, bread and circuses are useless."""
    rules, ways = RULESETS["cote2"], []
    for chaos in (0, 9):
        state = forum(cards={0: ["senate_bread_and_circuses"]}, chaos=(chaos, 9, 9))
        playii(state, (0, Use(card("senate_bread_and_circuses"))))
        ways.append(len(candidates(GAMES["cote2"], rules, rules.view(state, 0), 0, random.Random(1))))
    assert ways[0] == 1 < ways[1]


def _differs_little(way: Any, usual: Any) -> bool:
    return way.galley == usual.galley and bool({way.caesar, way.general} & {usual.caesar, usual.general})


# --- how long it thinks ---


@pytest.mark.long
@ONE
def test_the_same_count_of_rollouts_decides_the_same(rules: AnyRuleset) -> None:
    for state, seat in positions(rules, 2, 4, every=29, most=3):
        view = rules.view(state, seat)
        # A deadline that does not come changes nothing.
        hurried = decide(GAMES[rules.id], rules, view, seat, random.Random(1), Budget(replace(FEW, seconds=1e9)))
        assert hard(rules, view, seat) == hurried == hard(rules, view, seat)


@pytest.mark.long
@ONE
def test_no_rollout_is_begun_after_the_deadline(rules: AnyRuleset) -> None:
    game, searched = replace(GAMES[rules.id], share=lambda _view: 1.0), 0
    for state, seat in positions(rules, 2, 6, every=13, most=9):
        budget = Budget(Thinking(1000, 1.0), ticking(0.125))
        action = decide(game, rules, rules.view(state, seat), seat, random.Random(1), budget)
        assert engine.check(rules, state, seat, action) is None
        assert budget.left in (1000, 1000 - 7)  # The first look at the clock is the beginning.
        searched += budget.left < 1000
    assert searched


def test_no_time_at_all_is_enough_for_the_usual_action() -> None:
    for state, seat in positions(MB1984, 2, 8, every=15, most=4):
        view = MB1984.view(state, seat)
        action = hard(MB1984, view, seat, 3, Thinking(100, 0.0))
        assert action == policy.play_normal(MB1984, view, seat, random.Random(3))


def test_forced_decisions_are_not_searched() -> None:
    plan = SearchPlan(EndMovement())
    assert distinct([plan, SearchPlan(EndMovement(), lambda: policy.play_easy)]) == [plan]
    game = replace(GAMES["mb1984"], plans=lambda *_: [plan, plan])
    state = position(2)
    budget = Budget(Thinking(5), ticking(1))
    assert decide(game, MB1984, MB1984.view(state, 0), 0, random.Random(1), budget) == EndMovement()
    assert budget.left == 5


# --- that it helps ---


def test_the_better_plan_is_found() -> None:
    """A Caesar stands open: capturing it ends the match; ending the movement does not."""
    state = position(
        2,
        homes=("italia", "egyptus"),
        leaders={"italia": [general(0)], "rhaetia": [caesar(1)], "egyptus": [general(1, k) for k in (1, 2, 3)]},
        units={"italia": {0: (5, 0, 0)}, "egyptus": {1: (8, 5, 5)}},
    )
    rules, seat = MB1984, 0
    taking = March(sp("italia"), sp("rhaetia"), (general(0),), 3, 0, 0)
    assert engine.check(rules, state, seat, taking) is None
    plans = [SearchPlan(EndMovement()), SearchPlan(taking, lambda: policy.play_normal)]
    game = replace(GAMES["mb1984"], plans=lambda *_: plans, players=lambda _: policy.play_random)
    assert decide(game, rules, rules.view(state, seat), seat, random.Random(1), Budget(Thinking(20))) == taking
    plans.reverse()
    assert decide(game, rules, rules.view(state, seat), seat, random.Random(1), Budget(Thinking(20))) == taking


def test_two_ways_to_the_same_position_are_one() -> None:
    """The same two marches, in either order; a third plan does only one of them."""
    state = position(
        2,
        homes=("italia", "egyptus"),
        leaders={"italia": [caesar(0), general(0), general(0, 2)], "egyptus": [caesar(1), general(1)]},
        units={"italia": {0: (6, 0, 0)}, "egyptus": {1: (8, 0, 0)}},
    )
    north = March(sp("italia"), sp("rhaetia"), (general(0),), 2, 0, 0)
    south = March(sp("italia"), sp("neapolis"), (general(0, 2),), 2, 0, 0)

    def then(*marches: Action) -> Callable[[], policy.Policy]:
        """Return a policy that does these after the first action, then ends the movement."""
        left = iter(marches)
        return lambda: lambda *_: next(left, EndMovement())

    plans = [SearchPlan(north, then(south)), SearchPlan(south, then(north)), SearchPlan(north, then())]
    view = MB1984.view(state, 0)
    lines = [PlanRollouts(GAMES["mb1984"], MB1984, view, 0, plan, 1) for plan in plans]
    assert apart(lines) == [lines[0], lines[2]]


def test_other_purchases_are_legal_and_spend_what_they_can() -> None:
    found: set[tuple[int, ...]] = set()
    for state, seat in positions(MB1984, 2, 3, 1, 700):
        if type(state.frames[-1]) is Purchase:
            for order in otherwise(MB1984.view(state, seat), seat):
                assert engine.check(MB1984, state, seat, order) is None
                found.add(msgspec.structs.astuple(order))
    assert all(any(order[ware] for order in found) for ware in range(4))
    assert not any(order[4] or order[5] for order in found)


def chosen(values: Sequence[Callable[[int], float]], most: int) -> int:
    """Return the candidate that wins the race, by its value in each sample."""
    left = iter(range(most))
    return deciding.race(len(values), 3, lambda who, i: values[who](i) if next(left, None) is not None else None)


def blurred(value: float, blur: float, i: int) -> float:
    """Return a value, and chance that is the same for all in the i-th sample."""
    return value + blur * random.Random(i).random()


def test_a_race_is_won_by_what_is_clearly_better() -> None:
    level = [0.5, 0.4, 0.6, 0.3]
    values = [partial(blurred, value, 0.05) for value in level]
    assert chosen(values, 60) == 2
    assert chosen(values[:2], 60) == 0


def test_noise_rarely_replaces_the_first_candidate() -> None:
    """Eight candidates of the same strength: the first one is nearly always kept."""

    def noisy(seed: int, who: int) -> Callable[[int], float]:
        return lambda i: random.Random(f"{seed} {who} {i}").random()

    kept = [chosen([noisy(seed, who) for who in range(8)], 120) == 0 for seed in range(60)]
    assert sum(kept) >= 36


def test_a_race_compares_by_common_samples() -> None:
    """Chance that is the same for all hides nothing."""
    values = [partial(blurred, lead, 100.0) for lead in (0.0, 0.05)]
    assert chosen(values, 16) == 1
    assert deciding.difference([1.0, 5.0, 3.0], [2.0, 6.0]) == (1.0, 0.0)


def test_few_or_varied_samples_show_no_lead() -> None:
    steady = deciding.lead([0.5] * 4, [0.55] * 4)
    assert steady > 0 > deciding.lead([0.5] * 4, [0.35, 0.75, 0.35, 0.75])
    assert deciding.lead([0.5] * 64, [0.4, 0.75] * 32) > 0
    assert deciding.lead([0.5] * 16, [0.503] * 16) < 0
    assert deciding.lead([0.5], [0.9]) == -inf


def test_luck_in_one_matter_is_the_same_whatever_else_was_diced_for() -> None:
    one, other = Luck("1"), Luck("1")
    first = [other.of(3, "elsewhere").random(), one.of(3, "here").random()]
    assert other.of(3, "here").random() == first[1] != first[0]
    assert one.of(3, "here").random() == other.of(3, "here").random() != first[1]
    assert Luck("2").of(3, "here").random() != first[1]


@ALL
def test_each_battle_has_a_luck_of_its_own(rules: AnyRuleset) -> None:
    """By round, by turn and by place; two plans that differ elsewhere see it go the same way."""
    chance, battles = random.Random(3), set()
    state = engine.start(rules, 2, {}, engine.ignore_event)
    while owed := engine.owed(rules, state):
        if owed[0] == NATURE and (fought := [frame for frame in state.frames if type(frame).__name__ == "Battle"]):
            mover = next(frame.seat for frame in state.frames if type(frame).__name__ in ("Turn", "Movement"))
            battles.add((state.round, mover, fought[0].space))
            assert GAMES[rules.id].matter(state)[::3] == (state.round, fought[0].space)
            assert GAMES[rules.id].matter(state)[1] == mover
        action = engine.chance_action(state, chance) if owed[0] == NATURE else None
        if action is None:
            action = policy.play_normal(rules, rules.view(state, owed[0]), owed[0], chance)
        engine.play(rules, state, owed[0], action, engine.ignore_event)
    assert len(battles) > 3


def test_first_candidates_get_enough_samples_in_a_short_time() -> None:
    asked, left = list[int](), iter(range(7))

    def sample(who: int, _i: int) -> float | None:
        asked.append(who)
        return (0.5, 0.6, 0.9, 0.9)[who] if next(left, None) is not None else None

    assert deciding.race(4, 3, sample) == 1
    assert asked == [0, 0, 0, 1, 1, 1, 2, 2]


def test_a_race_is_not_run_on_where_it_is_decided() -> None:
    asked: list[int] = []

    def sample(who: int, _i: int) -> float:
        asked.append(who)
        return float(who)

    assert deciding.race(2, 3, sample) == 1
    assert len(asked) == 2 * deciding.ENOUGH


def test_a_race_between_equals_is_over() -> None:
    """Two ways to the same end: nothing more is to be learned of them."""
    asked: list[int] = []

    def sample(who: int, i: int) -> float:
        asked.append(who)
        return random.Random(i).random()

    assert deciding.race(4, 3, sample) == 0
    assert len(asked) == 4 * 3


@ONE
def test_hard_bots_play_by_the_rules(rules: AnyRuleset) -> None:
    options = {"seasons": 4} if rules.id == "cote2" else {"round_limit": 4}
    result = play_match(ArenaMatch(rules.id, ("hard@4", "normal"), 5, 200, options))
    assert result.finished


@ALL
def test_hurried_bots_play_by_the_rules(rules: AnyRuleset) -> None:
    """As in a rollout, but judged; and the match goes on."""
    chance = random.Random(3)
    player = GAMES[rules.id].players(chance)
    options = {"seasons": 4} if rules.id == "cote2" else {"round_limit": 12}
    state = engine.start(rules, 3, options, engine.ignore_event)
    done: Counter[type[Action]] = Counter()
    while owed := engine.owed(rules, state):
        action = engine.chance_action(state, chance)
        if action is None:
            view = rules.view(state, owed[0])
            action = legal(rules, view, owed[0], player(rules, view, owed[0], chance))
            done[type(action)] += 1
        engine.play(rules, state, owed[0], action, engine.ignore_event)
    assert done[Influence] > 20 if rules.id == "cote2" else done[classic_actions.March] + done[March] > 60


@pytest.mark.skipif(compiled(), reason="what is compiled calls what it was compiled with")
def test_hurried_bots_compute_most_values_once_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, player = RULESETS["cote2"], Cote2Hasty()
    state, seat = next(found for found in positions(rules, 2, 5, every=1, most=60) if _begins(found[0]))
    thought = list[Seat]()

    def services(analysis: SeatAnalysis, frame: Turn) -> list[Option]:
        thought.append(analysis.seat)
        return planning.services(analysis, frame)

    monkeypatch.setattr("server.bots.cote2.fast_policy.services", services)
    left = state.frames[-1].left
    while engine.owed(rules, state) == (seat,) and isinstance(state.frames[-1], Turn) and state.frames[-1].left:
        action = player.decide(rules, rules.view(state, seat), seat, random.Random(1))
        engine.play(rules, state, seat, action, engine.ignore_event)
    assert left > 1 and thought == [seat]


def _begins(state: Any) -> bool:
    """Whether a turn of Conquest II is about to begin, in which nothing that interrupts it is near."""
    return isinstance(state.frames[-1], Turn) and state.frames[-1].left == DATA.actions


def test_a_temper_decides_how_bold_one_is() -> None:
    state = position(
        2,
        homes=("italia", "egyptus"),
        leaders={"rhaetia": [general(0)], "noricum": [caesar(1)]},
        units={"rhaetia": {0: (5, 0, 0)}, "noricum": {1: (6, 0, 0)}},
        owners={"rhaetia": 0, "noricum": 1},
    )
    view = MB1984.view(state, 0)
    assert planned(PositionAnalysis(view, 0), sp("noricum")) is None
    plan = planned(PositionAnalysis(view, 0, Temper(boldness=0.3, caution=0.0)), sp("noricum"))
    assert plan is not None and plan.chance < BOLD_FOR_CAESAR


# --- what is learned ---


@ALL
def test_shipped_weights_were_learned_from_these_features(rules: AnyRuleset) -> None:
    game = GAMES[rules.id]
    for state, seat in positions(rules, 3, 2, every=40, most=3):
        assert {len(lead) for lead in game.features(state, seat)} == {len(learned.weights(rules.id))}
        assert 0 < game.value(state, seat) < 1


@pytest.mark.parametrize("name", ["classic", "mb1984"])
def test_chances_of_all_seats_are_one_together(name: str) -> None:
    rules, game = RULESETS[name], GAMES[name]
    for state, _ in positions(rules, 3, 5, every=50, most=4):
        assert sum(game.value(state, seat) for seat in game.judged(state)) == pytest.approx(1.0)


def test_a_caesar_without_guards_is_in_more_danger_the_nearer_the_enemy() -> None:
    """Of three positions that differ by the place of an army only; then the Caesar is guarded."""
    values = []
    for where, guard in (("hispania", 1), ("narbonensis", 1), ("narbonensis", 7)):
        units = {where: {1: (7, 0, 0)}, "italia": {0: (guard, 0, 0)}}
        state = position(units=units, leaders={where: [general(1)]}, homes=("italia", "egyptus"))
        values.append(GAMES["mb1984"].value(state, 0))
    assert values[1] < min(values[0], values[2])


def test_a_city_is_worth_less_the_nearer_the_enemy_and_more_with_a_garrison() -> None:
    """As above, with a city in the place of the Caesar; compared are the features of cities."""
    values = []
    for where, guard in (("hispania", 1), ("narbonensis", 1), ("narbonensis", 7)):
        units = {where: {1: (7, 0, 0)}, "lugdunensis": {0: (guard, 0, 0)}}
        state = position(
            units=units,
            leaders={where: [general(1)], "lugdunensis": [general(0)]},
            owners={"lugdunensis": 0},
            built={"lugdunensis": 1},
            homes=("italia", "egyptus"),
        )
        (lead,) = GAMES["mb1984"].features(state, 0)
        values.append(lead[-standing.FORESEEN :])
    assert values[1] < min(values[0], values[2])


@pytest.mark.long
@ALL
def test_learning_is_repeatable(rules: AnyRuleset) -> None:
    first, again, other = (list(learn.samples(rules.id, seed, 1)) for seed in (3, 3, 4))
    assert first == again != other


def test_a_regression_finds_what_chances_were_made_of() -> None:
    chance, weights = random.Random(2), (1.5, 0.0, 0.5)
    noted = []
    for seats in [2, 3] * 1500:
        rows = [[chance.gauss(0, 1) for _ in weights] for _ in range(seats)]
        leads = [[[a - b for a, b in zip(own, row, strict=True)] for row in rows if row is not own] for own in rows]
        won = chance.choices(leads, [learned.chance(lead, weights) for lead in leads])[0]
        noted.append(learn.Sample(1, seats, won))
    found = learn.regression(noted, ridge=1.0)
    assert found == pytest.approx(weights, abs=0.25) and min(found) >= 0
    assert learn.likelihood(noted, found) > learn.likelihood(noted, [0.0, 0.0, 0.0])
    assert learn.area(noted[::2], [0.0, 0.0, 0.0]) == 0.5 < 0.8 < learn.area(noted[::2], found)


def test_chances_have_no_limits_but_their_own() -> None:
    assert learned.chance([[0.0]], [1.0]) == 0.5
    assert learned.chance([[-1.0]], [1e6]) < 1e-300 and learned.chance([[1.0]], [1e6]) == 1.0


# --- that there is a choice ---


def stuck() -> Any:
    """Return a position of Classic in which no plan finds anything: no land is left, and no army can win anything."""
    state: Any = engine.start(ruleset("classic"), 2, {"homes": 2}, engine.ignore_event)
    for space in range(len(state.owner)):
        state.owner[space] = 0
    state.units = [()] * len(state.units)
    state.units[state.home[0]] = (0, 1, 0, 0)
    return state


def test_a_search_always_has_a_second_plan_while_anything_else_is_legal() -> None:
    rules, state = ruleset("classic"), stuck()
    assert isinstance(state.frames[-1], Movement)
    found = candidates(GAMES["classic"], rules, rules.view(state, 0), 0, random.Random(1))
    assert len(found) > 1 and all(engine.check(rules, state, 0, plan.action) is None for plan in found)


@ALL
@pytest.mark.parametrize(("seats", "every"), [(2, 3), pytest.param(4, 1, marks=pytest.mark.exhaustive)])
def test_no_decision_has_a_single_plan_while_anything_else_is_legal(rules: AnyRuleset, seats: int, every: int) -> None:
    """Except where other answers cannot matter, which get no share of the thinking time, in wars of attrition, and in
    lost matches."""
    game, kinds = GAMES[rules.id], Counter[str]()
    for state, seat in positions(rules, seats, 12, every, most=140 if seats == 2 else 1500):
        view = rules.view(state, seat)
        if not game.share(view):
            assert isinstance(view.frames[-1], HomeChoice | Vote)
            continue
        found = candidates(game, rules, view, seat, random.Random(1))
        assert all(engine.check(rules, state, seat, plan.action) is None for plan in found)
        if found[0].settled:
            continue
        others = any(action != found[0].action for action in engine.options(rules, view, seat))
        assert len({plan.action for plan in found}) > others
        kinds[type(view.frames[-1]).__name__] += others
    assert sum(count > 0 for count in kinds.values()) >= 4


@pytest.mark.parametrize("name", ["classic", "mb1984"])
def test_purchases_and_places_are_compared(name: str) -> None:
    """The normal one comes first. Three purchases and two places stand to choose where money and sites allow."""
    rules, most = ruleset(name), Counter[str]()
    for state, seat in positions(rules, 2, 3, 1, 400):
        frame = state.frames[-1]
        if isinstance(frame, Purchase | classic_frames.Placement | mb1984_frames.Placement):
            view = rules.view(state, seat)
            found = candidates(GAMES[name], rules, view, seat, random.Random(1))
            assert found[0].action == policy.play_normal(rules, view, seat, random.Random(1))
            same = sum(type(plan.action) is type(found[0].action) for plan in found)
            most[type(frame).__name__] = max(most[type(frame).__name__], same)
    assert most["Purchase"] >= 3 and most["Placement"] >= 2


def test_small_decisions_get_a_share_of_the_time() -> None:
    budget = Budget(Thinking(400, 2.0), lambda: 5.0)
    budget.limit(0.1)
    assert budget.left == 40
    budget = Budget(Thinking(24, 2.0), ticking(0.5))
    budget.limit(0.5)
    assert budget.left == 16
    assert [budget.spend() for _ in range(3)] == [True, False, False]  # One second is left of two.


def test_it_concedes_a_lost_duel() -> None:
    """Every rollout of a duel that goes on looks better than a concession: two hard bots never ended one."""
    classic = ruleset("classic")
    state: Any = engine.start(classic, 2, {"homes": 2}, engine.ignore_event)
    seat = engine.owed(classic, state)[0]
    state.round, state.marker = 18, [100, 100]
    assert not isinstance(hard(classic, classic.view(state, seat), seat), Concede)
    state.marker[seat] = 15
    assert hard(classic, classic.view(state, seat), seat) == Concede(1 - seat)
