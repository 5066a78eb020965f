"""Reasons that bots give for their advice: from the seat's view, in whole sentences, in every game."""

import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from client.workshop.translations.finding import lists
from server.bots import advice, policy
from server.bots.advice.conquest import OLD, Counsel
from server.bots.pool import BotPool
from server.bots.search.budget import Thinking
from server.matches.table import Busy
from shared import levels
from shared.board import BOARD
from shared.ids import NATURE, NONE, Army, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, push
from shared.kernel.ruleset import AnyRuleset
from shared.language.catalogue import Catalogue
from shared.language.sentence import CONTEXT, PLURAL, Sentence, render_line
from shared.odds import classic, cote2, mb1984
from shared.odds.outcome import ATTACKER, Host, percent
from shared.rulesets.classic.actions import March as ClassicMarch
from shared.rulesets.classic.options import steps as classic_steps
from shared.rulesets.cote2.actions import Bid, Commit, Deploy, Move, Pass
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.cote2.frames import Auction, Battle, Commitment, Deployment
from shared.rulesets.cote2.stages import BattleStage
from shared.rulesets.mb1984.actions import March as OldMarch
from shared.rulesets.mb1984.options import steps as old_steps
from shared.rulesets.registry import RULESETS, ruleset
from shared.vocabulary.actions import Concede
from tests.bench.advice import faults
from tests.support import position1984
from tests.support import positionii as ii
from tests.support.layout import sp
from tests.support.marks import with_releases
from tests.support.position import general, march, position

Decision = tuple[Any, Seat, Action]


def decisions(rules: AnyRuleset, seed: int, actions: int = 500, seats: int = 4) -> Iterator[Decision]:
    """Yield views, seats and actions: those of a bot that knows the game, and now and then a random one."""
    state, chance = engine.start(rules, seats, {}, engine.ignore_event), random.Random(seed)
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
        engine.play(rules, state, seat, action, engine.ignore_event)


def explained(rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> tuple[Action, str, tuple[str, ...]]:
    """Return the advised action, and its words and reasons in English."""
    advised, said = advice.explained(rules, view, seat, action)
    words, *why = [advice.english(sentence) for sentence in said]
    return advised, words, tuple(why)


def seen(rules: AnyRuleset, state: Any, seat: Seat) -> Any:
    """Return a seat's view as it travels."""
    return rules.view_decoder.decode(msgspec.msgpack.encode(rules.view(state, seat)))


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(RULESETS, "mb1984", "cote2"))
def test_everything_that_bots_do_is_said_in_whole_sentences_with_a_reason(game: str) -> None:
    rules = ruleset(game)
    kinds, uncounted = set(), 0
    for seed in range(2):
        for view, seat, action in decisions(rules, seed):
            advised, words, why = explained(rules, view, seat, action)
            kinds.add(type(action).__name__)
            uncounted += advice.english(advice.BEST) in why
            assert engine.check(rules, view, seat, advised) is None
            for text in (words, *why):
                assert text[:1].isupper() or text[0] == "{", text
                assert text.endswith((".", ".)")) and "  " not in text and "None" not in text, text
                assert all(0 <= int(named) < view.seats for named in re.findall(r"{(\d+)}", text)), text
            assert 1 <= len(why) <= advice.MOST, (words, action)
            assert explained(rules, view, seat, action) == (advised, words, why)
    assert len(kinds) >= 12, kinds
    assert uncounted <= 5, "reasons are counted, not made up"


@pytest.mark.long
@pytest.mark.parametrize("rules", [ruleset("classic"), ruleset("mb1984")], ids=["classic", "mb1984"])
def test_the_chance_of_an_attack_is_the_exact_one(rules: AnyRuleset) -> None:
    odds = {"classic": classic, "mb1984": mb1984}[rules.id]
    told = 0
    for seed in range(2):
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
                _, words, why = explained(rules, view, seat, action)
                assert BOARD.names[action.to] in words
                assert f"{{{enemies[0]}}} has " in why[0]
                tells = re.search(r"win with (only )?([<>]? ?\d+ %)", why[0])
                assert tells is not None, why
                assert bool(tells[1]) == (chance < 0.5) or "Alone that is not enough" in why[0]
                assert tells[2] == percent(chance) or "Alone that is not enough" in why[0]
                told += 1
    assert told >= 5


@pytest.mark.rule("MB-CAESAR-02")
@pytest.mark.parametrize("alone", [0, 1])
def test_no_more_is_promised_for_a_caesar_than_the_table_hands_over(alone: int) -> None:
    state = position1984.position(
        units={"dalmatia": {1: (1, 0, 0)}}, leaders={"dalmatia": [position1984.caesar(1)]}, owners={"dalmatia": 1},
        options={"captured_caesar": alone},
    )  # fmt: skip
    told = advice.english(next(Counsel(OLD, seen(ruleset("mb1984"), state, 0), 0).prize(sp("dalmatia"))))
    assert told.endswith("and {1} is out." if alone else "and all that {1} has is yours.")


@pytest.mark.parametrize("games", [2, pytest.param(6, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("game", RULESETS)
def test_no_reason_argues_against_the_advice(game: str, games: int) -> None:
    rules = ruleset(game)
    for seed in range(10, 10 + games):
        for view, seat, action in decisions(rules, seed, 160 * games):
            advised, words, why = explained(rules, view, seat, action)
            assert not list(faults(rules, view, seat, advised, [words, *why]))


@pytest.mark.parametrize(
    "seed", [31, pytest.param(32, marks=pytest.mark.long), pytest.param(33, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("game", ["classic", "mb1984"])
def test_a_march_names_what_it_leaves_open_to_an_enemy(game: str, seed: int) -> None:
    """Seeds are tried until a match has such a march, so that changed bots do not break the test."""
    rules = ruleset(game)
    matches = (list(open_marches(game, luck)) for luck in range(seed, seed + 60, 3))
    found = next(filter(None, matches), None)
    assert found
    for view, seat, action in found:
        _advised, words, why = explained(rules, view, seat, action)
        assert "could attack" in why[0] and re.search(r"\d+ units? stays? there\.", why[0]), (words, why)


def open_marches(game: str, seed: int) -> Iterator[tuple[Any, Seat, Any]]:
    """Yield marches that leave the own Caesar, home or city where an enemy beside it would more likely win than not."""
    rules = ruleset(game)
    book: Any = {"classic": classic, "mb1984": mb1984}[game]
    for view, seat, action in decisions(rules, seed, 900):
        if not isinstance(action, ClassicMarch | OldMarch) or action.source >= BOARD.provinces:
            continue
        army, source = (action.infantry, action.cavalry, action.catapults), action.source
        each = {"classic": 5, "mb1984": 7}[game]
        stays = view.leader_at[seat * each] == source and seat * each not in action.leaders
        owned = view.owner[source] == seat and (view.built[source] or source == view.home[seat])
        if not any(army) or not (stays or owned):
            continue
        host = book.present(view, seat, source, False)
        left = replace(
            host,
            army=tuple(there - gone for there, gone in zip(host.army, army, strict=True)),
            leaders=host.leaders - len(action.leaders),
        )
        chances = [
            book.odds(replace(book.present(view, enemy, near, False), walls=0), left, False).wins(ATTACKER)
            if any(left.army)
            else 1.0
            for near in rules_steps(game, view)[source]
            for enemy in view.units[near][::4]
            if enemy != seat and near != action.to and led(rules, view, enemy, near)
        ]
        if max(chances, default=0.0) >= 0.5:
            yield view, seat, action


@pytest.mark.parametrize(
    ("stays", "city", "led", "force", "told"),
    [
        ((1, 0, 0), True, True, (5, 1, 1), "attack your city in Egyptus from Palestina with 5 infantry, 1 cavalry "
         "and 1 catapult and win with 100 %: 1 unit stays there."),
        ((0, 0, 0), True, True, (3, 0, 0), "your city in Egyptus from Palestina with 3 infantry and win with 100 %: 0"),
        ((1, 0, 0), False, True, (5, 1, 1), "attack your influence in Egyptus from Palestina with"),
        ((4, 1, 0), True, True, (1, 0, 0), ""),
        ((1, 0, 0), True, False, (5, 1, 1), ""),
    ],
    ids=["one unit stays", "none stays", "influence", "enough stay", "the enemy has no leader"],
)  # fmt: skip
def test_a_march_in_the_second_game_names_who_could_take_what_it_leaves(
    stays: Army, city: bool, led: bool, force: Army, told: str
) -> None:
    """The Caesar and 7 of 8 units left Egyptus for one infantry, and the next player took it."""
    state = second(
        3, cities={"egyptus": 0} if city else {}, influence={"egyptus": {0: 3}},
        units={"egyptus": {0: (6, 2, 0)}, "cyrenaica": {1: (1, 0, 0)}, "palestina": {1: force}},
        leaders={"egyptus": [ii.caesar(0)], "palestina": [ii.general(1)] if led else []},
    )  # fmt: skip
    gone = (6 - stays[0], 2 - stays[1], 0)
    go = Move(sp("egyptus"), ((sp("cyrenaica"), *gone),), ((ii.caesar(0), sp("cyrenaica")),))
    _words, why = said_in("cote2", state, 0, go)
    assert "keep" in why, "the battle first"
    assert told in why if told else "could attack" not in why


@pytest.mark.parametrize("game", ["classic", "mb1984"])
def test_leaders_without_units_are_promised_no_province(game: str) -> None:
    alone = 0
    for view, seat, action in decisions(ruleset(game), 3):
        if not isinstance(action, ClassicMarch | OldMarch) or not action.leaders:
            continue
        if not action.infantry + action.cavalry + action.catapults and seat not in view.units[action.to][::4]:
            alone += 1
            _advised, _words, why = explained(ruleset(game), view, seat, action)
            assert not re.search(r"is undefended|of tribute a turn", " ".join(why)), why
    assert alone


def rules_steps(game: str, view: Any) -> Any:
    return classic_steps(view) if game == "classic" else old_steps(view)


def test_the_army_that_leaves_the_home_for_one_unit_names_who_could_take_it() -> None:
    state = position(
        homes=("egyptus", "italia"),
        units={"egyptus": {0: (6, 2, 0)}, "cyrenaica": {1: (1, 0, 0)}, "palestina": {1: (5, 1, 0)}},
        leaders={"palestina": [general(1, 0)]},
        built={"egyptus": 1},
    )
    rules = ruleset("classic")
    go = march("egyptus", "cyrenaica", 0, 5, 2)
    _advised, _words, why = explained(rules, rules.view(state, 0), 0, go)
    assert why[0].endswith(
        "But then {1} could attack your home Egyptus from Palestina with 5 infantry and 1 cavalry and win with "
        "> 99 %: 1 unit stays there."
    )


def led(rules: AnyRuleset, view: Any, seat: Seat, space: int) -> tuple[int, ...]:
    each = {"classic": 5, "mb1984": 7}[rules.id]
    return tuple(i for i, at in enumerate(view.leader_at) if at == space and view.lord[i // each] == seat)


def test_advice_never_says_to_give_up() -> None:
    rules = ruleset("classic")
    view, seat, _ = next(iter(decisions(rules, 1)))
    advised, _ = advice.explained(rules, view, seat, Concede((seat + 1) % 4))
    assert advised == engine.default(rules, view, seat)


@pytest.mark.long
def test_advice_in_the_second_game_uses_no_secrets_of_others() -> None:
    """The others' senators and chaos and all undrawn cards are changed: the advice stays the same."""
    rules, chance = ruleset("cote2"), random.Random(4)
    state, looked = engine.start(rules, 3, {}, engine.ignore_event), 0
    while not rules.finished(state) and looked < 30:
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
        engine.play(rules, state, seat, action, engine.ignore_event)
    assert looked == 30 and state.winner == NONE


async def test_the_pool_gives_the_advice_of_the_strongest_level() -> None:
    rules, pool = ruleset("classic"), BotPool()
    view, seat, _ = next(iter(decisions(rules, 1)))
    encoded = msgspec.msgpack.encode(view)
    try:
        counsel = await pool.advise("classic", seat, encoded, 7)
        again = await pool.decide("classic", policy.strongest("classic"), seat, encoded, 7)
        assert counsel.action == again
        _, words, why = explained(rules, view, seat, rules.action_decoder.decode(again))
        assert (counsel.words, counsel.why) == (words, why)
        sentences = [msgspec.msgpack.decode(each, type=Sentence) for each in counsel.sentences]
        assert [advice.english(each) for each in sentences] == [words, *why]
    finally:
        await pool.close()


async def test_too_many_questions_are_not_kept_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.bots.pool.MOST_ASKED", 0)
    pool = BotPool()
    with pytest.raises(Busy, match="too many"):
        await pool.advise("classic", 0, b"", 7)
    assert not pool.workers


def second(seats: int, *frames: tuple[Any, ...], **given: Any) -> Any:
    """Return a position of the second game in which these frames are owed."""
    state = ii.position(seats, **given)
    for kind, *fields in frames:
        push(state, kind, *fields)
    return state


def said_in(game: str, state: Any, seat: Seat, action: Action) -> tuple[str, str]:
    """Return the sentence about an action, and all reasons for it."""
    rules = ruleset(game)
    _, words, why = explained(rules, seen(rules, state, seat), seat, action)
    return words, " ".join(why)


def test_of_a_bid_and_of_a_pass_it_is_said_what_place_and_friends_they_bring() -> None:
    state = second(4, (Auction, 0, 5, 1, 0, 2))
    state.side[:], state.order = [NONE] * 4, ()
    words, why = said_in("cote2", state, 0, Pass())
    assert words == "Pass."
    assert why.startswith("As the bid stands: you act as number 1 of 4, without a friend so far, against {2}")
    assert "To change that costs 10 or more of your 100 talents; an influence token costs 10." in why
    words, why = said_in("cote2", state, 0, Bid(10, 3, 0))
    assert words == "Bid 10 talents with {3} in box A and {0} in box B."
    assert why.startswith("With this bid: you act as number 2 of 4, without a friend so far, against {3}")
    assert "As the bid stands: you act as number 1 of 4" in why
    state.side[:], state.order = [0, 1, NONE, NONE], (0, 1)
    _, why = said_in("cote2", state, 0, Bid(10, 3, 2))
    assert why.startswith("With this bid: you are with {3}, against {1}") and "{2}" in why.split(".")[0]


def test_of_the_first_units_it_is_said_how_many_stand_where_and_who_leads_them() -> None:
    italia, asia, zone = (sp(key) for key in ("italia", "asia", "mare_aegaeum"))
    state = second(3, (Deployment, 0), influence={"italia": {0: 2}, "asia": {0: 1}, "egyptus": {0: 1}})
    words, why = said_in("cote2", state, 0, Deploy(((italia, 3, 1, 0), (asia, 1, 0, 0)), italia, asia, zone))
    assert "3 infantry and 1 cavalry and your Caesar in Italia; 1 infantry and your general in Asia; a galley" in words
    assert "buy influence: in Italia" in why
    assert "guard 3 influence tokens in Italia and Asia; yours in Egyptus are unguarded." in why


def test_a_march_beside_a_stronger_army_is_not_recommended_by_a_battle_that_would_be_lost() -> None:
    state = ii.position(
        units={"neapolis": {0: (2, 0, 0)}, "italia": {1: (9, 2, 1)}},
        leaders={"neapolis": [ii.caesar(0)], "italia": [ii.general(1)]},
    )  # fmt: skip
    italia = sp("italia")
    _, why = said_in("cote2", state, 0, Move(sp("neapolis"), ((italia, 2, 0, 0),), ()))
    assert "win" not in why
    assert "Italia is worth 20 points a season" in why


@pytest.mark.parametrize(("infantry", "told"), [(1, " instead of "), (9, "your side keeps 9.2 units on average")])
def test_of_galleys_it_is_said_what_they_add_to_a_battle_or_that_they_are_not_needed(infantry: int, told: str) -> None:
    state = second(2, units={"narbonensis": {0: (infantry, 0, 0), 1: (1, 0, 0)}}, galleys={ii.galley(0): "mare_narbo"})
    space = sp("narbonensis")
    push(state, Battle, space, 0, 1, 1, BattleStage.DEFENDER_COMMITS, 0, (0, infantry, 0, 0), (1, 1, 0, 0))
    push(state, Commitment, 0, space)
    without = cote2.standing(state)
    words, why = said_in("cote2", state, 0, Commit((ii.galley(0),)))
    assert words == "Commit 1 galley to the battle." and told in why and without is not None
    assert (percent(without.wins(ATTACKER)) in why) == (infantry == 1)
    _, why = said_in("cote2", state, 0, Commit(()))
    assert ("with help it would be" in why) == (infantry == 1)
    assert ("Help is not needed: this battle is yours" in why) == (infantry == 9)


def test_advice_says_what_a_general_is_good_for() -> None:
    army, owners = {0: (3, 0, 0)}, {"hispania": 0, "narbonensis": 0}
    state = position(turn=0, homes=("italia", "egyptus"), units={"hispania": army, "narbonensis": army},
                     owners=owners, leaders={"narbonensis": [general(0)]})  # fmt: skip
    words, why = said_in("classic", state, 0, ClassicMarch(sp("narbonensis"), sp("hispania"), (general(0),), 0, 0, 0))
    assert words == "March from Narbonensis to Hispania with 1 general."
    assert "In Hispania 3 units of yours stand without a leader, and cannot march without one" in why
    assert "With that" not in why


# --- other languages ---


@pytest.fixture(scope="module")
def invented() -> Catalogue:
    """Return a language in which every text of the translators' lists is another one: its letters are Greek."""
    texts = {}
    for text in (text for name in lists().values() for text in name):
        key = f"{text.words}{PLURAL}{text.many}" if text.many else text.words
        key = f"{text.context}{CONTEXT}{key}" if text.context else key
        texts[key] = PLURAL.join(_invented(each) for each in (text.words, text.many) if each)
    return Catalogue(texts)


def _invented(words: str) -> str:
    parts = re.split(r"(\{\w*\})", words)
    return "".join(part if i % 2 else re.sub("[A-Za-z]", "ξ", part) for i, part in enumerate(parts))


NAMES = sorted({*BOARD.names, *[card.name for card in CARDS]}, key=len, reverse=True)


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(RULESETS, "cote2"))
def test_no_word_of_english_remains_in_another_language(game: str, invented: Catalogue) -> None:
    rules = ruleset(game)
    for view, seat, action in decisions(rules, 5):
        for sentence in advice.explained(rules, view, seat, action)[1]:
            shown = render_line(sentence, invented, lambda each: f"<{each}>")
            rest = re.sub("|".join(map(re.escape, NAMES)), "", shown)
            assert not re.search("[A-Za-z]{2,}", re.sub(r"\b[IV]+\b", "", rest)), shown
            assert set(re.findall(r"{(\d)}", advice.english(sentence))) == set(re.findall(r"<(\d)>", shown))
