"""Odds as the server tells them beside choices and tried actions: those of the desktop, for the seat that asks."""

from random import Random

import pytest

from shared.ids import NONE, Army
from shared.kernel import engine
from shared.odds import classic
from shared.odds.attack import asked
from shared.odds.chances import Chances, Prospect
from shared.odds.outcome import ATTACKER, DEFENDER, Host, units
from shared.odds.registry import BRIEF, ODDS, attack_chances, battle_chances
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.table import State
from shared.rulesets.registry import RULESETS
from shared.vocabulary.actions import Fight
from tests.odds.battles import FIELD, of_classic, of_cote2, of_mb1984
from tests.play.test_choices import WAYS
from tests.support import layout
from tests.support import position as cl
from tests.support.reach import decisions

CASES = {"classic": of_classic, "mb1984": of_mb1984, "cote2": of_cote2}


@pytest.mark.parametrize("rules", CASES)
def test_both_sides_of_a_battle_are_told_the_same_odds(rules: str) -> None:
    for name, case in CASES[rules]().items():
        question, odds = ODDS[rules].question(case.state), ODDS[rules].standing(case.state)
        assert question is not None and odds is not None
        told = [battle_chances(rules, case.state, seat) for seat in question.seats]
        if (units(question.hosts[0]) + 1) * (units(question.hosts[1]) + 1) > BRIEF:
            assert told == [None, None], name
            continue
        attacker, defender = told
        if attacker is not None:
            assert abs(attacker.wins - 1000 * odds.wins(ATTACKER)) <= 1, name
            assert attacker.own.cost == round(odds.costs[ATTACKER])
            assert (attacker.enemy, attacker.space) == (question.seats[DEFENDER], question.space)
        if attacker is not None and defender is not None:
            for mine, other in (("wins", "loses"), ("neither", "neither"), ("loses", "wins"), ("own", "theirs")):
                assert getattr(attacker, mine) == getattr(defender, other), name
        assert battle_chances(rules, case.state, NONE) is None


def field(mine: int = 5, theirs: Army = (3, 0, 0)) -> State:
    return cl.position(
        homes=("italia", "hispania"), units={"italia": {0: (mine, 0, 0)}, FIELD: {1: theirs}},
        leaders={"italia": [cl.general(0, 1)]}, owners={FIELD: 1}, phase="movement",
    )  # fmt: skip


@pytest.mark.rule("CL-BATTLE-01")
def test_a_march_into_enemies_has_the_odds_of_the_battle_that_follows() -> None:
    state = field()
    march = March(layout.sp("italia"), layout.sp(FIELD), (cl.general(0, 1),), 4)
    odds = classic.odds(Host((4, 0, 0), leaders=1), Host((3, 0, 0)), False)
    expected = Chances(
        round(1000 * odds.wins(ATTACKER)), 0, round(1000 * odds.wins(DEFENDER)), 1, layout.sp(FIELD),
        Prospect(4, round(10 * sum(odds.left(ATTACKER))), round(odds.costs[ATTACKER])),
        Prospect(3, round(10 * sum(odds.left(DEFENDER))), round(odds.costs[DEFENDER])),
    )  # fmt: skip
    assert attack_chances("classic", state, 0, march) == expected
    nearer = March(layout.sp("italia"), layout.sp("rhaetia"), (cl.general(0, 1),), 4)
    assert attack_chances("classic", state, 0, nearer) is None, "nobody is there"


def test_a_march_among_large_armies_has_no_odds() -> None:
    state = field(7, (20, 10, 5))
    march = March(layout.sp("italia"), layout.sp(FIELD), (cl.general(0, 1),), 7)
    assert attack_chances("classic", state, 0, march) is None


@pytest.mark.parametrize("way", WAYS)
def test_every_attack_in_random_games_has_the_odds_of_its_battle(way: str) -> None:
    known, rng, attacks = WAYS[way], Random(3), 0
    rules = RULESETS[known.rules.id]
    game = ODDS[rules.id]
    for view, seat in decisions(rules, known.begin(4, 3), rng, known.steps):
        options = engine.options(rules, view, seat)
        for action in rng.sample(list(options), min(12, len(options))):
            threat, told = game.threat(view, seat, action), attack_chances(rules.id, view, seat, action)
            assert threat is not None or told is None
            if isinstance(action, Fight):
                assert threat is not None
            if threat is not None and told is not None:
                attacks += 1
                assert (told.enemy, told.space) == (threat.enemy, threat.space) and told.enemy != seat
                question = asked(game.present, view, seat, threat)
                assert told.own.units == units(question.hosts[ATTACKER]) > 0
    assert attacks
