"""Bots' decisions: legal in every frame, from the view alone, and good enough to beat chance."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from server.bots import policy
from server.bots.classic.position_analysis import PositionAnalysis
from server.bots.search.budget import Thinking
from server.tools.arena import ArenaMatch, play
from shared import levels
from shared.board import BOARD
from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.armies import enemies_in
from shared.mechanics.pieces import ABOARD
from shared.rulesets.classic import actions as classic_actions
from shared.rulesets.classic.actions import Sink
from shared.rulesets.classic.frames import Casualties, Combat, Formation, Naval, Placement, Sinking
from shared.rulesets.classic.stages import NavalStage
from shared.rulesets.classic.table import GALLEYS
from shared.rulesets.cote2.actions import Attack
from shared.rulesets.mb1984 import actions as mb1984_actions
from shared.rulesets.registry import RULESETS, ruleset
from shared.vocabulary import frames
from tests.support.marks import with_releases

CLASSIC = ruleset("classic")


def begun(rules: AnyRuleset = CLASSIC) -> tuple[Any, int]:
    """Return the start of a duel, and the seat that must decide."""
    state = engine.start(rules, 2, {"homes": 2}, engine.ignore_event)
    (seat,) = engine.owed(rules, state)
    return state, seat


def decisions(rules: AnyRuleset, seats: int, steps: int, chance: random.Random) -> Iterator[tuple[Any, int, list[Any]]]:
    """Yield the positions and seats of the decisions of a match; the caller puts its decision into the list."""
    state: Any = engine.start(rules, seats, {}, engine.ignore_event)
    for _ in range(steps):
        if not (owed := engine.owed(rules, state)):
            return
        action: Any = engine.chance_action(state, chance) if owed[0] == NATURE else None
        if action is None:
            decided: list[Any] = []
            yield state, owed[0], decided
            (action,) = decided
        engine.play(rules, state, owed[0], action, engine.ignore_event)


DECIDED = (
    frames.Movement, Combat, Formation, Casualties, frames.Onward, frames.Captives,
    frames.Destruction, frames.Purchase, Placement, frames.Bargain, frames.HomeChoice,
)  # fmt: skip


def game(names: list[str], seed: int, most: int = 20_000, homes: int = 0, seen: Counter[type] | None = None) -> Any:
    """Return the last position of a game; every decision is checked to be legal on the state and on the view."""
    chance = random.Random(seed)
    state = engine.start(CLASSIC, len(names), {"homes": homes}, engine.ignore_event)
    for _ in range(most):
        owed = engine.owed(CLASSIC, state)
        if not owed:
            break
        if owed[0] == NATURE:
            action: Action | None = engine.chance_action(state, chance)
            assert action is not None
        else:
            view = CLASSIC.view(state, owed[0])
            action = policy.POLICIES[names[owed[0]]](CLASSIC, view, owed[0], chance)
            refusal = engine.check(CLASSIC, state, owed[0], action)
            assert refusal is None, (engine.top(state), action, refusal)
            if seen is not None:
                seen[type(engine.top(state))] += 1
        engine.play(CLASSIC, state, owed[0], action, engine.ignore_event)
    return state


def wins(seeds: range) -> int:
    """Return two-seat games that greedy won against random, seats changing."""
    won = 0
    for seed in seeds:
        names = ["normal", "random"] if seed % 2 else ["random", "normal"]
        winner = CLASSIC.winner(game(names, seed))
        won += winner >= 0 and names[winner] == "normal"
    return won


@pytest.mark.long
def test_decides_legally_in_every_kind_of_frame() -> None:
    seen: Counter[type] = Counter()
    game(["normal"] * 3 + ["random"] * 3, 0, 6_000, homes=1, seen=seen)
    game(["normal"] * 6, 0, 6_000, homes=1, seen=seen)
    game(["normal", "normal"], 0, 2_000, homes=1, seen=seen)
    assert not [kind.__name__ for kind in DECIDED if not seen[kind]]


def test_sinks_the_empty_galley() -> None:
    """Galleys 0 and 2 of seat 0 are loaded, 2 with the Caesar; one of three is lost."""
    state = engine.start(CLASSIC, 2, {"homes": 2}, engine.ignore_event)
    zone = BOARD.provinces
    for galley in range(3):
        state.galley_at[galley] = zone
    for galley, leader in ((0, 1), (2, 0)):
        state.cargo[galley] = (3, 0, 0)
        state.leader_at[leader] = ABOARD + galley
    state.galley_at[GALLEYS] = zone
    state.frames += [
        Naval(90, zone, 1, 0, 1, NavalStage.DEFENDER_LOST, (1, 0), ()),
        Sinking(91, 0, zone, 1),
    ]
    action = policy.play_normal(CLASSIC, CLASSIC.view(state, 0), 0, random.Random(1))
    assert action == Sink((1,))
    assert engine.check(CLASSIC, state, 0, action) is None
    state.frames[-1] = Sinking(91, 0, zone, 2)
    assert policy.play_normal(CLASSIC, CLASSIC.view(state, 0), 0, random.Random(1)) == Sink((1, 0))


def test_greedy_beats_random() -> None:
    assert wins(range(12)) == 12


@pytest.mark.exhaustive
def test_greedy_beats_random_nearly_always() -> None:
    assert wins(range(1000, 1100)) >= 95


@pytest.mark.exhaustive
def test_six_greedy_players_come_to_an_end() -> None:
    for seed in range(2):
        state = game(["normal"] * 6, seed)
        assert CLASSIC.finished(state)
        assert state.round <= 150


@pytest.mark.exhaustive
def test_greedy_duels_usually_end() -> None:
    rounds = sorted(game(["normal"] * 2, seed, 6_000).round for seed in range(20))
    assert rounds[15] <= 150


BRIEF = Thinking(3)
STEPS = {"hard": 12, "expert": 12}
"""How far a match is followed where that takes long; else further."""


@pytest.mark.long
@pytest.mark.parametrize("name", policy.POLICIES)
def test_the_same_view_and_seed_give_the_same_action(name: str) -> None:
    """Decided from bytes, twice: nothing but the view counts, and nothing is remembered."""
    for state, seat, decided in decisions(CLASSIC, 4, STEPS.get(name, 400), random.Random(4)):
        view = msgspec.msgpack.encode(CLASSIC.view(state, seat))
        first, second = (
            policy.choose(name, CLASSIC, CLASSIC.view_decoder.decode(view), seat, random.Random(9), BRIEF)
            for _ in range(2)
        )
        decided.append(policy.choose(name, CLASSIC, CLASSIC.view(state, seat), seat, random.Random(9), BRIEF))
        assert [first] == [second] == decided


@pytest.mark.long
def test_a_policy_does_not_touch_the_view() -> None:
    state, seat = begun()
    view = CLASSIC.view(state, seat)
    before = msgspec.msgpack.encode(view)
    for name in policy.POLICIES:
        policy.choose(name, CLASSIC, view, seat, random.Random(1))
    assert msgspec.msgpack.encode(view) == before


def test_random_reaches_every_option() -> None:
    state, seat = begun()
    found = engine.options(CLASSIC, state, seat)
    rng = random.Random(1)
    chosen = {policy.play_random(CLASSIC, state, seat, rng) for _ in range(60 * len(found))}
    assert chosen == set(found)


def test_an_illegal_idea_becomes_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    state, seat = begun()
    bad = CLASSIC.action_decoder.decode(msgspec.msgpack.encode([17, 1, 0, 0]))
    monkeypatch.setitem(policy.POLICIES, "mad", lambda *_: bad)
    assert policy.choose("mad", CLASSIC, state, seat, random.Random(1)) == engine.default(CLASSIC, state, seat)


def test_a_game_without_a_policy_is_played_at_random() -> None:
    assert set(policy.PLAYERS) <= set(RULESETS)
    unknown = msgspec.structs.replace(CLASSIC, id="unknown")
    state, seat = begun(unknown)
    first, second = (play(unknown, state, seat, random.Random(3)) for play in (policy.play_normal, policy.play_random))
    assert first == second


def test_earlier_names_are_still_understood_and_unknown_ones_told() -> None:
    assert policy.find("greedy") is policy.play_normal
    with pytest.raises(ValueError, match="easy, moderate, normal, hard, expert, random"):
        policy.choose("wise", CLASSIC, begun()[0], 0, random.Random(1))


@pytest.mark.long
@pytest.mark.parametrize("rules", with_releases(RULESETS.values(), RULESETS["cote2"]), ids=list(RULESETS))
def test_an_easy_bot_is_better_than_chance_and_worse_than_a_normal_one(rules: Any) -> None:
    def rank(*lineup: str) -> float:
        """Return the mean rank of the easy player, over enough rounds to show it."""
        ranks = []
        for seed in range(4):
            for names in (lineup, lineup[::-1]):
                result = play(ArenaMatch(rules.id, names, seed, 15, {}))
                ranks.append(result.ranks[names.index("easy")])
        return sum(ranks) / len(ranks)

    assert rank("easy", "random") < 1.3
    assert rank("easy", "normal") > 1.5


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("game", "seats", "rounds", "wins"),
    [("classic", 2, 60, 37), ("cote2", 2, 9, 36), ("cote2", 4, 9, 24), ("mb1984", 2, 100, 37)],
)
def test_a_normal_bot_wins_against_easy_ones(game: str, seats: int, rounds: int, wins: int) -> None:
    """Measured: 39, 38 and 39 of 40 as one of two, and 27 of 32 as one of four, where 8 would be par."""
    lineup, won = ("normal", *["easy"] * (seats - 1)), 0
    for seed in range(20 if seats == 2 else 8):
        for turn in range(seats):
            result = play(ArenaMatch(game, (*lineup[turn:], *lineup[:turn]), seed, rounds, {}))
            won += result.won[result.entry.lineup.index("normal")]
    assert won >= wins


def test_an_easy_bot_makes_mistakes() -> None:
    state, seat = begun()
    chosen = [policy.choose("easy", CLASSIC, state, seat, random.Random(seed)) for seed in range(60)]
    best = policy.choose("normal", CLASSIC, state, seat, random.Random(1))
    assert 0.5 < chosen.count(best) / 60 < 0.9


@pytest.mark.parametrize("key", ["classic", "mb1984"])
def test_an_easy_bot_that_does_not_think_does_not_stroll_about_at_home_either(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "MISTAKES", dict.fromkeys(policy.MISTAKES, 1.0))
    rules, chance, marches = RULESETS[key], random.Random(3), 0
    for state, seat, decided in decisions(rules, 3, 600, chance):
        action: Any = policy.choose("easy", rules, rules.view(state, seat), seat, chance)
        if isinstance(action, classic_actions.March | mb1984_actions.March):
            marches += 1
            assert state.owner[action.to] != seat or enemies_in(state.units[action.to], seat)
        decided.append(action)
    assert marches > 20


def test_a_moderate_bot_takes_another_plan_where_it_slips(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no slips it plays like the normal bot; where it always slips, never, and still by the rules."""
    state = engine.start(CLASSIC, 2, {"homes": 2}, engine.ignore_event)
    view, differing = CLASSIC.view(state, 0), 0
    for slips in (0.0, 1.0):
        monkeypatch.setattr(policy, "SLIPS", {"classic": slips})
        for seed in range(5):
            action = policy.play_moderate(CLASSIC, view, 0, random.Random(seed))
            assert engine.check(CLASSIC, state, 0, action) is None
            differing += action != policy.play_normal(CLASSIC, view, 0, random.Random(seed))
        assert differing == 5 * slips


@pytest.mark.parametrize(("key", "actions"), [("mb1984", 2000), ("cote2", 600)])
def test_the_bold_fight_where_the_careful_do_not(key: str, actions: int) -> None:
    rules, chance, decided = RULESETS[key], random.Random(7), 0
    fights: dict[str, int] = dict.fromkeys(levels.TEMPERS, 0)
    state: Any = None
    for _ in range(actions):
        if state is None or not (owed := engine.owed(rules, state)):
            state = engine.start(rules, 3, {}, engine.ignore_event)
            continue
        seat = owed[0]
        action = engine.chance_action(state, chance) if seat == NATURE else None
        if action is None:
            view, seed = rules.view(state, seat), chance.randrange(2**32)
            found = {
                temper: policy.choose(f"{temper} normal".strip(), rules, view, seat, random.Random(seed))
                for temper in levels.TEMPERS
            }
            assert all(engine.check(rules, view, seat, each) is None for each in found.values())
            decided, action = decided + 1, found[""]
            for temper, each in found.items():
                fights[temper] += _attacks(view, seat, each)
        engine.play(rules, state, seat, action, engine.ignore_event)
    assert decided > 100 and fights["bold"] > fights["careful"]


def test_the_bold_of_classic_leave_fewer_at_home_and_attack_with_less_hope() -> None:
    chance, stay = random.Random(3), Counter[str]()
    for state, seat, decided in decisions(CLASSIC, 3, 4000, chance):
        view = CLASSIC.view(state, seat)
        decided.append(policy.play_normal(CLASSIC, view, seat, chance))
        found = {}
        for temper, sign in policy.SIGNS.items():
            s = PositionAnalysis(view, seat, boldness=sign * policy.BOLDNESS["classic"])
            found[temper] = s.garrison(s.home), s.boldness(s.home)
            stay[temper] += found[temper][0]
        assert found["bold"] <= found[""] <= found["careful"]
        assert found["bold"][1] < found["careful"][1]
    assert stay["bold"] < stay[""] < stay["careful"]


def _attacks(view: Any, seat: int, action: Any) -> bool:
    if isinstance(action, Attack):
        return True
    to = getattr(action, "to", -1)
    return 0 <= to < len(view.units) and bool(enemies_in(view.units[to], seat))
