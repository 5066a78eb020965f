"""What bots say about what they advise: counted on the seat's view, in whole sentences, in every game."""

import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from server.bots import advice, policy
from server.bots.pool import BotPool
from server.bots.search.budget import Thinking
from shared import levels
from shared.board import BOARD
from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action
from shared.odds import classic, mb1984
from shared.odds.outcome import ATTACKER, Host
from shared.rulesets.classic.actions import March as ClassicMarch
from shared.rulesets.mb1984.actions import March as OldMarch
from shared.rulesets.registry import RULESETS, ruleset
from shared.vocabulary.actions import Concede

Decision = tuple[Any, Seat, Action]


def decisions(rules: AnyRuleset, seed: int, actions: int = 500, seats: int = 4) -> Iterator[Decision]:
    """Views, seats and what is done: by a bot that knows the game, and every now and then by chance."""
    state, chance = engine.start(rules, seats, {}, engine.silent), random.Random(seed)
    for _ in range(actions):
        if rules.finished(state):
            return
        seat = engine.owed(rules, state)[0]
        if seat == NATURE:
            action = engine.chance_action(state, chance)
            assert action is not None
        else:
            view = seen(rules, state, seat)
            level = levels.NORMAL if chance.random() < 0.7 else levels.RANDOM
            action = policy.choose(level, rules, view, seat, chance)
            yield view, seat, action
        engine.play(rules, state, seat, action, engine.silent)


def seen(rules: AnyRuleset, state: Any, seat: Seat) -> Any:
    """A seat's view as it travels."""
    return rules.view_decoder.decode(msgspec.msgpack.encode(rules.view(state, seat)))


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_everything_that_bots_do_is_said_in_whole_sentences_with_a_reason(rules: AnyRuleset) -> None:
    kinds, uncounted = set(), 0
    for seed in range(3):
        for view, seat, action in decisions(rules, seed):
            advised, words, why = advice.explained(rules, view, seat, action)
            kinds.add(type(action).__name__)
            uncounted += advice.BEST in why
            assert engine.check(rules, view, seat, advised) is None
            for text in (words, *why):
                assert text[:1].isupper() or text[0] == "{", text
                assert text.endswith((".", ".)")) and "  " not in text and "None" not in text, text
                assert all(0 <= int(named) < view.seats for named in re.findall(r"{(\d+)}", text)), text
            assert 1 <= len(why) <= advice.MOST, (words, action)
            assert advice.explained(rules, view, seat, action) == (advised, words, why)
    assert len(kinds) >= 12, kinds
    assert uncounted <= 5, "reasons are counted, not made up"


@pytest.mark.parametrize("rules", [ruleset("classic"), ruleset("mb1984")], ids=["classic", "mb1984"])
def test_the_chance_of_an_attack_is_the_exact_one(rules: AnyRuleset) -> None:
    odds = {"classic": classic, "mb1984": mb1984}[rules.id]
    told = 0
    for seed in range(4):
        for view, seat, action in decisions(rules, seed):
            if not isinstance(action, ClassicMarch | OldMarch):
                continue
            cell = view.units[action.to]
            enemies = [each for each in cell[::4] if each != seat]
            if len(enemies) == 1 and not any(each == seat for each in cell[::4]):
                army = (action.infantry, action.cavalry, action.catapults)
                mine = Host(army, leaders=len(action.leaders) + len(led(rules, view, seat, action.to)))
                theirs = odds.present(view, enemies[0], action.to, False)
                chance = odds.odds(mine, theirs, False).wins(ATTACKER)
                _, words, why = advice.explained(rules, view, seat, action)
                assert BOARD.names[action.to] in words
                assert f"{{{enemies[0]}}} has " in why[0]
                assert f"win with {chance * 100:.0f} %" in why[0] or not 0.01 <= chance <= 0.99
                told += 1
    assert told >= 5


def led(rules: AnyRuleset, view: Any, seat: Seat, space: int) -> tuple[int, ...]:
    each = {"classic": 5, "mb1984": 7}[rules.id]
    return tuple(i for i, at in enumerate(view.leader_at) if at == space and view.lord[i // each] == seat)


def test_nobody_is_talked_into_giving_up() -> None:
    rules = ruleset("classic")
    view, seat, _ = next(iter(decisions(rules, 1)))
    advised, _, _ = advice.explained(rules, view, seat, Concede((seat + 1) % 4))
    assert advised == engine.default(rules, view, seat)


def test_what_is_advised_in_the_second_game_depends_on_no_secret_of_others() -> None:
    """The others' senators, their chaos and what has not been drawn are changed: nothing that is said changes."""
    rules, chance = ruleset("cote2"), random.Random(4)
    state, looked = engine.start(rules, 3, {}, engine.silent), 0
    while not rules.finished(state) and looked < 60:
        (seat,) = engine.owed(rules, state)
        if seat == NATURE:
            action = engine.chance_action(state, chance)
            assert action is not None
        else:
            other = state.clone()
            for rival in range(3):
                if rival != seat:
                    other.senators[rival] = other.senators[rival][::-1]
                    other.chaos[rival] += 7
            other.deck.reverse()
            other.pool.reverse()
            level = policy.strongest("cote2") if looked % 6 == 0 else levels.NORMAL
            said = []
            for position in (state, other):
                view = seen(rules, position, seat)
                choice = policy.choose(level, rules, view, seat, random.Random(looked), Thinking(4))
                said.append(advice.explained(rules, view, seat, choice))
            assert said[0] == said[1]
            action, looked = said[0][0], looked + 1
        engine.play(rules, state, seat, action, engine.silent)
    assert looked == 60 and state.winner == NONE


async def test_the_pool_gives_the_advice_of_the_strongest_level() -> None:
    rules, pool = ruleset("classic"), BotPool()
    view, seat, _ = next(iter(decisions(rules, 1)))
    encoded = msgspec.msgpack.encode(view)
    try:
        counsel = await pool.advise("classic", seat, encoded, 7)
        again = await pool.decide("classic", policy.strongest("classic"), seat, encoded, 7)
        assert counsel.action == again
        _, words, why = advice.explained(rules, view, seat, rules.action_decoder.decode(again))
        assert (counsel.words, counsel.why) == (words, why)
    finally:
        await pool.close()


async def test_too_many_questions_are_not_kept_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.bots.pool.MOST_ASKED", 0)
    pool = BotPool()
    with pytest.raises(RuntimeError, match="too many"):
        await pool.advise("classic", 0, b"", 7)
    assert not pool.workers
