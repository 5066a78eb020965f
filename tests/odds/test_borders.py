"""Battles with known odds, and battles at the edge of the rules."""

import pytest

from shared.ids import NO_ARMY
from shared.odds import classic, cote2, mb1984
from shared.odds.outcome import ATTACKER, DEFENDER, NEITHER, Host
from shared.rulesets.classic.options import PRICES, WALL_DICE

GAMES = {"classic": classic.odds, "mb1984": mb1984.odds, "cote2": cote2.odds}
INFANTRY = Host((1, 0, 0))


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("naval", [False, True])
def test_leaders_without_units_are_beaten_without_a_die(rules: str, naval: bool) -> None:
    some = Host((2, 1, 0), galleys=2)
    alone = Host(leaders=2)
    won, lost = GAMES[rules](some, alone, naval), GAMES[rules](alone, some, naval)
    assert (won.wins(ATTACKER), lost.wins(DEFENDER)) == (1.0, 1.0)
    assert won.costs == lost.costs == (0.0, 0.0)


@pytest.mark.parametrize("rules", GAMES)
def test_empty_armies_conquer_nothing(rules: str) -> None:
    assert GAMES[rules](Host(), Host(), False).wins(ATTACKER) == 0.0


@pytest.mark.rule("CL-BATTLE-05", "CL-BATTLE-10")
def test_exact_odds_of_single_units_in_classic() -> None:
    """Either hits with one third, both at once with one ninth: 2/9, 2/9 and 1/9 of the rounds that end it."""
    said = classic.odds(INFANTRY, INFANTRY, False)
    assert said.wins(ATTACKER) == pytest.approx(2 / 5)
    assert said.wins(DEFENDER) == pytest.approx(3 / 5), "a field without anybody left is not conquered"
    assert sum(said.left(DEFENDER)) == pytest.approx(2 / 5)
    assert said.costs == pytest.approx((6, 6)), "ten talents with three fifths"
    assert said.missing == 0


@pytest.mark.rule("CL-BATTLE-09", "CL-D09")
def test_walls_give_two_dice_and_one_against_a_catapult() -> None:
    open_field = classic.odds(Host((5, 0, 0)), Host((3, 0, 0)), False).wins(ATTACKER)
    walls = classic.odds(Host((5, 0, 0)), Host((3, 0, 0), walls=WALL_DICE), False).wins(ATTACKER)
    assert walls < open_field - 0.005
    engines = Host((5, 0, 1)), Host((3, 3, 3), leaders=1)
    with_walls = classic.odds(engines[0], Host((3, 3, 3), leaders=1, walls=WALL_DICE), False)
    assert with_walls.wins(ATTACKER) < classic.odds(*engines, False).wins(ATTACKER)


@pytest.mark.rule("CL-BATTLE-02", "CL-BATTLE-06")
def test_the_legion_that_hits_most_leaves_the_catapults_behind() -> None:
    assert classic.legion((7, 3, 2), 6, PRICES) == (4, 2, 0)
    assert classic.legion((1, 0, 4), 5, PRICES) == (1, 0, 4)
    assert classic.fallen((4, 2, 0), 5) == (4, 1, 0)


@pytest.mark.rule("CL-PURSUIT-01")
def test_fleeing_sides_are_pursued_and_the_first_to_flee_loses() -> None:
    fled = classic.odds(Host((6, 0, 0), leaves=6), Host((6, 6, 0)), False)
    assert fled.wins(ATTACKER) < 0.01
    without = classic.odds(Host((6, 0, 0), leaves=6), Host((12, 0, 0)), False)
    assert sum(without.left(ATTACKER)) > sum(fled.left(ATTACKER)) > 1, "horsemen catch some"


@pytest.mark.rule("CL-NAVAL-03")
def test_at_sea_three_rounds_may_leave_both() -> None:
    said = classic.odds(Host(galleys=1), Host(galleys=1), True)
    miss = (25 / 36) ** 2
    both = (11 / 36) ** 2
    assert said.wins(NEITHER) == pytest.approx(miss**3 + both * (1 + miss + miss**2))
    assert said.wins(ATTACKER) == pytest.approx(said.wins(DEFENDER))


@pytest.mark.rule("MB-BATTLE-03", "MB-CA-01")
def test_the_first_shot_and_the_advantage_in_1984() -> None:
    """With one unit a side, the attacker hits with a half, then the defender with a half."""
    assert mb1984.odds(INFANTRY, INFANTRY, False).wins(ATTACKER) == pytest.approx(2 / 3)
    walled = mb1984.odds(INFANTRY, Host((1, 0, 0), walls=1), False).wins(ATTACKER)
    assert walled == pytest.approx(0.5 / (1 - 0.5 / 3)), "the defender needs a three"
    sure = mb1984.odds(Host((0, 0, 3)), INFANTRY, False)
    assert sure.wins(ATTACKER) == 1.0, "no die is cast, and nobody is left to fire back"
    assert sum(sure.left(ATTACKER)) == 3.0


def test_catapults_decide_in_1984() -> None:
    """Twenty-eight infantry against seven and seven catapults behind walls have hardly a chance."""
    crowd, engines = Host((28, 0, 0)), Host((7, 0, 7), walls=1)
    assert mb1984.odds(crowd, engines, False).wins(ATTACKER) < 0.05
    assert mb1984.odds(Host((10, 0, 10)), engines, False).wins(ATTACKER) > 0.9


@pytest.mark.rule("MB-RETREAT-02", "MB-NAVAL-02")
def test_the_attacker_alone_retreats_in_1984_and_never_at_sea() -> None:
    stubborn = mb1984.odds(Host((4, 0, 0)), Host((4, 0, 0), leaves=4), False)
    assert stubborn == mb1984.odds(Host((4, 0, 0)), Host((4, 0, 0)), False)
    fled = mb1984.odds(Host((4, 0, 0), leaves=3), Host((4, 0, 0)), False)
    assert {ending.attacker[0] for ending in fled.endings} <= {3, 4}
    aboard = Host((2, 0, 0), galleys=1, leaves=2)
    assert mb1984.odds(aboard, aboard, True) == mb1984.odds(Host((2, 0, 0), galleys=1), aboard, True)


@pytest.mark.rule("MB-NAVAL-03")
def test_at_sea_a_galley_falls_after_what_it_carries() -> None:
    said = mb1984.odds(Host((1, 0, 1), galleys=2), Host((2, 1, 0), galleys=1), True)
    for ending in said.endings:
        for army in (ending.attacker, ending.defender):
            assert army[3] in (0, 2, 1)
            assert not any(army[:3]) or army[3] == (2 if army is ending.attacker else 1)


@pytest.mark.rule("II-BATTLE-05", "II-BATTLE-08", "II-D41")
def test_a_city_strikes_first_and_leaders_and_training_bring_dice() -> None:
    plain = cote2.odds(Host((3, 0, 0)), Host((3, 0, 0)), False).wins(ATTACKER)
    assert cote2.odds(Host((3, 0, 0)), Host((3, 0, 0), walls=1), False).wins(ATTACKER) < plain
    assert cote2.odds(Host((3, 0, 0), leaders=1), Host((3, 0, 0)), False).wins(ATTACKER) > plain
    once, twice = (cote2.odds(Host((3, 0, 0), training=n), Host((3, 0, 0)), False).wins(ATTACKER) for n in (1, 2))
    assert plain < once < twice
    assert cote2.odds(Host((3, 0, 0), leaders=2), Host((3, 0, 0)), False).wins(ATTACKER) == pytest.approx(once)
    assert plain < 0.5, "where nobody is left the attacker is beaten"


@pytest.mark.rule("II-C-91", "II-BATTLE-07")
def test_troops_of_cards_fall_first_and_cost_nothing() -> None:
    groups = ((1, 0, 0, 1), (0, 1, 0, 1), (2, 0, 1, 1))
    assert cote2.order(groups) == [(0, 3), (0, 0), (1, 1), (2, 0), (2, 0), (2, 2), (1, 3), (2, 3)]
    said = cote2.odds(Host((1, 0, 0), cards=(9, 0, 0, 0)), Host((1, 0, 0)), False)
    assert said.costs[ATTACKER] < 0.01 < said.costs[DEFENDER]


@pytest.mark.rule("II-NAVAL-03", "II-NAVAL-04")
def test_at_sea_training_helps_no_more_than_there_are_galleys() -> None:
    said = cote2.odds(Host(galleys=1, training=9), Host(galleys=2), True)
    assert said.wins(NEITHER) > 0
    assert said.wins(ATTACKER) > cote2.odds(Host(galleys=1), Host(galleys=2), True).wins(ATTACKER)


@pytest.mark.rule("II-D50", "II-C-40")
def test_against_slaves_galleys_alone_do_not_stand() -> None:
    slaves, few = Host((4, 0, 0), slaves=True), Host((1, 0, 0), galleys=6)
    revolt, attack = cote2.odds(slaves, few, False), cote2.odds(Host((4, 0, 0)), few, False)
    assert revolt.wins(ATTACKER) > attack.wins(ATTACKER) + 0.2
    assert any(ending.winner == ATTACKER and ending.defender[3] == 6 for ending in revolt.endings)


@pytest.mark.parametrize("rules", GAMES)
def test_all_endings_together_are_certain(rules: str) -> None:
    said = GAMES[rules](Host((9, 4, 3), leaders=2), Host((8, 5, 2), leaders=1, walls=1), False)
    assert sum(ending.chance for ending in said.endings) + said.missing == pytest.approx(1, abs=1e-12)
    for side in (ATTACKER, DEFENDER):
        assert sum(said.standing(side)) == pytest.approx(said.wins(side))
    assert len({(e.winner, e.attacker, e.defender) for e in said.endings}) == len(said.endings)


def test_omitted_courses_of_a_huge_battle_are_told() -> None:
    said = classic.odds(Host((20, 20, 6), leaders=5), Host((20, 20, 6), leaders=5), False)
    assert 0 < said.missing < 1e-4
    assert said.wins(ATTACKER) + said.wins(DEFENDER) + said.missing == pytest.approx(1, abs=1e-12)
    assert classic.odds(Host(NO_ARMY), Host(NO_ARMY), False).missing == 0
