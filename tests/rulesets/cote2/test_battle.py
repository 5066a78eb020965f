"""Battles on land and at sea, retreat, chaos."""

from typing import Any

import pytest

from shared.ids import NONE
from shared.kernel.frames import Dice
from shared.refusal import Refusal
from shared.rulesets.cote2.actions import Attack, Commit, Lend, Levy, Lose, Pass, Sail, Slip, Withdraw
from shared.rulesets.cote2.events import BattleEnded, Sank, SlippedAway
from shared.rulesets.cote2.frames import Aid, Battle, Casualties, Commitment, Turn, Withdrawal
from shared.rulesets.cote2.state import ALIENS, OFF, State
from shared.vocabulary.actions import Retreat, Stand
from shared.vocabulary.events import DiceFell, Fell
from shared.vocabulary.frames import Onward
from tests.support.layout import army, sp
from tests.support.positionii import (
    caesar,
    galley,
    general,
    legal,
    move,
    obtain,
    options,
    owed,
    play,
    position,
    refused,
    verdict,
    where,
)
from tests.support.referee import of, top

Army = tuple[int, int, int]


def said(refusal: Refusal | None) -> tuple[str, str, str]:
    assert refusal is not None
    return refusal.code, refusal.rule, refusal.text


def battle(mine: Army = (3, 0, 0), theirs: Army = (3, 0, 0), key: str = "galatia", **more: object) -> State:
    """Return a position in which seat 0 can attack seat 1; the Caesars are far away."""
    return position(units={key: {0: mine, 1: theirs}}, **more)  # type: ignore[arg-type]


def attack(state: State, key: str = "galatia", enemy: int = 1) -> None:
    play(state, (0, Attack(sp(key), enemy)))


def dice(state: State) -> int:
    frame = top(state)
    assert isinstance(frame, Dice)
    return frame.count


def loss(*groups: tuple[int, int, int, int], galleys: tuple[int, ...] = (), extra: int = 0) -> Lose:
    return Lose(groups, galleys, extra)


@pytest.mark.rule("II-BATTLE-01", "II-D34")
def test_an_attack_names_an_enemy_in_a_shared_province() -> None:
    state = position(
        4,
        units={"galatia": {0: (2, 0, 0), 1: (1, 0, 0), 2: (1, 0, 0), 3: (2, 0, 0)}, "asia": {1: (1, 0, 0)}},
        leaders={"asia": [general(0)]},
    )
    assert refused(state, 0, Attack(sp("galatia"), 2)) == "II-BATTLE-01"
    assert refused(state, 0, Attack(sp("galatia"), 0)) == "II-BATTLE-01"
    assert refused(state, 0, Attack(sp("asia"), 1)) == "II-D34"
    assert refused(state, 0, Attack(sp("italia"), 1)) == "II-D34"
    assert refused(state, 0, Attack(sp("mare_narbo"), 1)) == "II-BATTLE-01"
    assert refused(state, 0, Attack(sp("galatia"), 7)) == "II-BATTLE-01"
    assert {(a.space, a.enemy) for a in options(state, 0) if isinstance(a, Attack)} == {
        (sp("galatia"), 1),
        (sp("galatia"), 3),
    }
    play(state, (0, Attack(sp("galatia"), 3)))
    frame = next(frame for frame in state.frames if isinstance(frame, Battle))
    assert (frame.attacker, frame.defender) == (0, 3)


@pytest.mark.rule("II-BATTLE-02", "II-D36", "II-RETREAT-03")
def test_galleys_from_adjacent_zones_join_and_go_home() -> None:
    at = {0: "mare_rhodus", 1: "mare_narbo", 8: "mare_rhodus"}
    state = battle((3, 0, 0), (3, 0, 0), galleys=at)
    attack(state)
    assert isinstance(top(state), Commitment)
    assert owed(state) == (0,)
    assert refused(state, 0, Commit((1,))) == "II-BATTLE-02"
    assert refused(state, 0, Commit((8,))) == "II-BATTLE-02"
    assert refused(state, 0, Pass()) == "II-BATTLE-02"
    play(state, (0, Commit((0,))))
    assert owed(state) == (1,)
    play(state, (1, Commit(())))
    happened = play(state, "gg.", "...")
    assert of(happened, DiceFell)[0].hits == 1, "one galley, one hit"
    play(state, (1, Retreat(sp("asia"))))
    assert state.galley_at[0] == sp("mare_rhodus")


@pytest.mark.rule("II-BATTLE-03", "II-D36", "II-D44", "II-D49")
def test_allies_lend_in_turn_order_and_get_the_rest_back() -> None:
    state = position(
        4,
        order=(0, 1, 2, 3),
        units={"galatia": {0: (1, 0, 0), 1: (1, 0, 0), 2: (3, 1, 0), 3: (2, 0, 0)}, "asia": {2: (1, 0, 0)}},
        galleys={galley(2): "mare_rhodus", galley(2, 1): "mare_narbo", galley(3): "mare_rhodus"},
        cards={2: ["army_training"]},
    )
    attack(state)
    assert isinstance(top(state), Aid)
    assert owed(state) == (2,)
    assert refused(state, 2, Lend(4)) == "II-BATTLE-03"
    assert refused(state, 2, Lend(1, galleys=(galley(2, 1),))) == "II-BATTLE-03"
    assert refused(state, 2, Pass()) == "II-BATTLE-03"
    play(state, (2, Lend(2, 1, galleys=(galley(2),))))
    assert owed(state) == (3,)
    play(state, (3, Lend()))
    assert dice(state) == 3, "cards of allies help nobody"
    play(state, "icg", "i..")
    assert owed(state) == (0,)
    assert refused(state, 0, loss((3, 1, 0, 0))) == "II-D39"
    assert refused(state, 0, loss((2, 3, 0, 0))) == "II-D39"
    play(state, (0, loss((2, 1, 0, 0))))
    assert army(state, "galatia", 2) == (2, 1, 0)
    assert army(state, "galatia", 3) == (2, 0, 0)
    assert state.galley_at[galley(2)] == sp("mare_rhodus")
    assert state.chaos == [0, 2, 0, 0]
    assert isinstance(top(state), Turn)


@pytest.mark.rule("II-BATTLE-04", "II-D39")
def test_the_battle_army_is_all_under_control() -> None:
    state = position(
        3,
        sides=(0, 1, 0),
        units={"achaia": {0: (1, 1, 0), 1: (9, 0, 0), 2: (0, 0, 1)}},
        galleys={0: "mare_epirus"},
        cards={0: ["diplomacy_achaia"]},
    )
    attack(state, "achaia")
    play(state, (0, Commit((0,))), (2, Lend(0, 0, 1)))
    frame = next(frame for frame in state.frames if isinstance(frame, Battle))
    assert frame.attacking == (0, 1, 1, 0, 2, 0, 0, 1, ALIENS, 2, 0, 0)
    assert (frame.attack_fleet, frame.attack_extra) == ((0,), 2)
    play(state, "...", "iii")
    assert isinstance(top(state), Casualties)
    assert legal(state, 0, loss((ALIENS, 2, 0, 0), extra=1))
    assert legal(state, 0, loss((0, 1, 0, 0), (2, 0, 0, 1), galleys=(0,)))
    assert refused(state, 0, loss((ALIENS, 2, 0, 0))) == "II-BATTLE-07"
    assert refused(state, 0, loss((ALIENS, 1, 0, 0), (ALIENS, 1, 0, 0), extra=1)) == "II-BATTLE-07"
    assert refused(state, 0, loss(extra=3)) == "II-D39"
    for action in options(state, 0):
        assert legal(state, 0, action)


@pytest.mark.rule("II-BATTLE-05", "II-D37", "II-D38")
def test_dice() -> None:
    state = battle()
    attack(state)
    assert dice(state) == 3
    state = battle(leaders={"galatia": [general(0), caesar(0)]})
    attack(state)
    assert dice(state) == 4
    state = battle(cards={0: ["army_training"] * 2 + ["naval_training"], 1: ["army_training"]})
    attack(state)
    assert dice(state) == 5
    play(state, ".....")
    assert dice(state) == 4
    state = battle(cities={"galatia": 1}, leaders={"galatia": [general(1)]})
    attack(state)
    assert dice(state) == 5, "the defender rolls first: 3, a leader, a city"
    state = battle(cities={"galatia": 0})
    attack(state)
    assert dice(state) == 3, "an attacker's city counts for nothing"
    state = position(
        3, sides=(0, 1, 1), units={"galatia": {0: (1, 0, 0), 1: (1, 0, 0), 2: (1, 0, 0)}}, cities={"galatia": 2}
    )
    attack(state)
    play(state, (2, Lend(1)), "...")
    assert dice(state) == 3, "nor does an ally's"


@pytest.mark.rule("II-D37")
def test_a_leader_adds_a_die_only_to_the_side_that_the_player_fights_on() -> None:
    def fight(lent: Lend | None, **more: Any) -> State:
        state = position(
            4,
            units={"galatia": {0: (2, 0, 0), 1: (2, 0, 0), **({2: (2, 0, 0)} if lent else {})}},
            **{"leaders": {"galatia": [general(2)]}, **more},
        )
        attack(state)
        for seat in (0, 1):
            if isinstance(top(state), Commitment):
                play(state, (seat, Commit(())))
        if lent:
            play(state, (2, lent))
        return state

    assert dice(fight(None)) == 3, "his own side, but he lends nothing"
    assert dice(fight(Lend())) == 3
    state = fight(Lend(1))
    assert dice(state) == 4
    play(state, "....")
    assert dice(state) == 3, "not for the enemy"
    at_sea = {"galleys": {galley(2): "mare_rhodus"}}
    assert dice(fight(Lend(galleys=(galley(2),)), **at_sea)) == 4
    both = {"leaders": {"galatia": [general(2), general(0), caesar(0)]}}
    assert dice(fight(Lend(1), **both)) == 4, "one die at most"
    assert dice(fight(Lend(1), leaders={"asia": [general(2)]})) == 3, "he must be there himself"
    state = fight(Lend(1))
    play(state, "....", "i..", (0, loss((2, 1, 0, 0))))
    if isinstance(top(state), Onward):
        play(state, (1, Stand()), (0, Stand()))
    assert dice(state) == 4, "what he lent has fallen, but he did lend it"


@pytest.mark.rule("II-BATTLE-06", "II-C-91")
@pytest.mark.parametrize("friend", [0, 1])
def test_galleys_of_a_card_hit_like_others_on_either_side(friend: int) -> None:
    state = battle((2, 0, 0), (2, 0, 0), "achaia", cards={friend: ["diplomacy_achaia"]})
    attack(state, "achaia")
    happened = play(state, "ggg", "...") if friend == 0 else play(state, "...", "ggg")
    assert [event.hits for event in of(happened, DiceFell)] == ([2, 0] if friend == 0 else [0, 2])


@pytest.mark.rule("II-BATTLE-08", "II-BATTLE-10")
def test_an_attacker_wiped_out_by_the_city_does_not_roll() -> None:
    state = battle((2, 0, 0), (3, 0, 0), cities={"galatia": 1})
    attack(state)
    happened = play(state, "ii..")
    assert [event.seat for event in of(happened, DiceFell)] == [1]
    assert of(happened, BattleEnded) == [BattleEnded(sp("galatia"), 1, 0)]
    assert isinstance(top(state), Turn)


@pytest.mark.rule("II-BATTLE-06", "II-EX-01")
def test_hits_are_limited_by_units_of_the_type() -> None:
    state = battle((1, 1, 0), (9, 0, 0), cards={0: ["army_training"] * 2})
    attack(state)
    happened = play(state, "iiick", "...")
    assert of(happened, DiceFell)[0].hits == 2
    state = battle((3, 2, 1), (9, 0, 0))
    attack(state)
    assert of(play(state, "ck."), DiceFell)[0].hits == 2
    state = battle((9, 0, 0), (1, 0, 0))
    attack(state)
    assert of(play(state, "iii"), DiceFell)[0].hits == 1


@pytest.mark.rule("II-BATTLE-07")
def test_the_side_that_was_hit_chooses_and_leaders_never_fall() -> None:
    state = battle((3, 0, 0), (2, 1, 1), leaders={"galatia": [general(1)]})
    attack(state)
    play(state, "ii.", "....")
    assert owed(state) == (1,)
    assert refused(state, 1, loss((1, 1, 0, 0))) == "II-BATTLE-07"
    assert refused(state, 1, loss((1, 0, 2, 0))) == "II-D39"
    assert refused(state, 1, loss((0, 1, 0, 0))) == "II-D39"
    assert refused(state, 1, Pass()) == "II-BATTLE-07"
    play(state, (1, loss((1, 0, 1, 1))))
    assert army(state, "galatia", 1) == (2, 0, 0)
    assert where(state, general(1)) == "galatia"


@pytest.mark.rule("II-BATTLE-08")
def test_simultaneous_but_a_city_strikes_first() -> None:
    state = battle((1, 0, 0), (1, 0, 0))
    attack(state)
    happened = play(state, "i..", "i..")
    assert [event.seat for event in of(happened, Fell)] == [1, 0]
    state = battle((1, 0, 0), (1, 0, 0), cities={"galatia": 1})
    attack(state)
    happened = play(state, "i...")
    assert [event.seat for event in of(happened, DiceFell)] == [1], "nobody is left to roll"
    assert army(state, "galatia", 1) == (1, 0, 0)
    state = battle((2, 0, 0), (1, 0, 0), cities={"galatia": 1})
    attack(state)
    happened = play(state, "i...", "i..")
    assert [event.seat for event in of(happened, Fell)] == [0, 1]


@pytest.mark.rule("II-BATTLE-09")
def test_a_full_round_then_the_defender_then_the_attacker() -> None:
    state = battle()
    attack(state)
    assert isinstance(top(state), Dice)
    play(state, "...", "...")
    assert isinstance(top(state), Onward)
    assert owed(state) == (1,)
    assert refused(state, 1, Pass()) == "II-BATTLE-09"
    play(state, (1, Stand()))
    assert owed(state) == (0,)
    play(state, (0, Stand()))
    assert isinstance(top(state), Dice)
    play(state, "...", "...")
    play(state, (1, Retreat(sp("asia"))))
    assert isinstance(top(state), Turn), "the attacker is not asked any more"
    assert state.chaos == [0, 2]


@pytest.mark.rule("II-BATTLE-10", "II-D40")
def test_the_end_of_a_battle() -> None:
    state = battle((1, 0, 0), (1, 0, 0), galleys={8: "mare_rhodus"})
    attack(state)
    play(state, (1, Commit((8,))), "i..", "...")
    play(state, (1, loss((1, 1, 0, 0))))
    assert isinstance(top(state), Onward), "a galley keeps the battle alive"
    play(state, (1, Stand()), (0, Stand()))
    happened = play(state, "i..", "g..")
    assert of(happened, BattleEnded) == [BattleEnded(sp("galatia"), 1, 0)]
    assert state.galley_at[8] == OFF


@pytest.mark.rule("II-RETREAT-01", "II-D42")
def test_retreat() -> None:
    state = position(
        4,
        units={
            "thracia": {0: (2, 0, 0), 1: (1, 1, 0), 3: (1, 0, 0)},
            "macedonia": {2: (1, 0, 0)},
            "moesia": {3: (1, 0, 0)},
        },
        leaders={"thracia": [general(1), caesar(1)], "asia": [general(0)]},
    )
    attack(state, "thracia")
    play(state, (3, Lend(1)), "...", "....")
    for key, code, words in (
        ("macedonia", "no-retreat", "Units of the other alliance are in Macedonia."),
        ("italia", "not-adjacent", "A retreat leads to a province next to Thracia."),
        ("thracia", "not-adjacent", "A retreat leads to a province next to Thracia."),
        ("mare_aegaeum", "not-adjacent", "A retreat leads to a province next to Thracia."),
    ):
        assert said(verdict(state, 1, Retreat(sp(key)))) == (code, "II-RETREAT-01", words)
    assert legal(state, 1, Retreat(sp("asia"))), "a lone leader stands in no one's way, the strait is open"
    play(state, (1, Retreat(sp("moesia"))))
    assert army(state, "moesia", 1) == (1, 1, 0)
    assert (where(state, general(1)), where(state, caesar(1))) == ("moesia", "moesia")
    assert army(state, "thracia", 3) == (1, 0, 0), "lent units stay"
    state = position(units={"thracia": {0: (2, 0, 0), 1: (1, 1, 0)}}, galleys={galley(0): "mare_aegaeum"})
    attack(state, "thracia")
    play(state, (0, Commit(())), "...", "...")
    words = "Galleys of the other alliance in Mare Aegaeum close the strait to Asia."
    assert said(verdict(state, 1, Retreat(sp("asia")))) == ("strait-closed", "II-D42", words)


@pytest.mark.rule("II-D42")
def test_surrounded_means_no_retreat() -> None:
    state = position(units={"corsica": {0: (2, 0, 0), 1: (2, 0, 0)}}, galleys={8: "mare_tyrrhenum"})
    attack(state, "corsica")
    play(state, (1, Commit(())), "...", "...")
    assert isinstance(top(state), Dice), "nobody can go anywhere: the next round begins"


@pytest.mark.rule("II-RETREAT-02", "II-D43")
def test_leaders_without_units_must_go() -> None:
    state = position(
        units={"sicilia": {0: (2, 0, 0), 1: (1, 0, 0)}, "neapolis": {0: (3, 0, 0)}},
        leaders={"sicilia": [general(1), caesar(1)]},
        galleys={galley(0): "mare_tyrrhenum"},
    )
    attack(state, "sicilia")
    play(state, (0, Commit(())), "i..", "....")
    assert isinstance(top(state), Withdrawal)
    assert owed(state) == (1,)
    assert refused(state, 1, Withdraw(sp("italia"))) == "II-RETREAT-02"
    assert refused(state, 1, Pass()) == "II-RETREAT-02"
    play(state, (1, Withdraw(sp("neapolis"))))
    assert (where(state, general(1)), where(state, caesar(1))) == ("neapolis", "neapolis")
    state = position(units={"corsica": {0: (2, 0, 0), 1: (1, 0, 0)}}, leaders={"corsica": [general(1)]})
    attack(state, "corsica")
    play(state, "i..", "....")
    assert where(state, general(1)) == "corsica"
    assert isinstance(top(state), Turn)


@pytest.mark.rule("II-CHAOS-01")
def test_the_loser_gains_two_chaos_allies_none() -> None:
    state = position(
        4,
        units={"galatia": {0: (3, 0, 0), 1: (1, 0, 0), 3: (1, 0, 0)}},
        galleys={galley(0): "mare_narbo", galley(1): "mare_narbo"},
    )
    attack(state)
    play(state, (3, Lend(1)), "iii", "...")
    assert state.chaos == [0, 2, 0, 0]
    assert army(state, "galatia", 3) == (0, 0, 0)
    play(state, (0, Sail(NONE, (), sp("mare_narbo"), 1)), "g", ".")
    assert state.chaos == [0, 4, 0, 0]


@pytest.mark.rule("II-D35")
def test_attacking_leaders_only() -> None:
    state = battle((1, 0, 0), (0, 0, 0), leaders={"galatia": [general(1)]})
    attack(state)
    assert isinstance(top(state), Withdrawal)
    play(state, (1, Withdraw(sp("asia"))))
    assert state.chaos == [0, 2]
    state = battle(
        (1, 0, 0), (0, 0, 0), key="numidia", leaders={"numidia": [general(1)]}, cards={1: ["diplomacy_numidia"]}
    )
    attack(state, "numidia")
    assert isinstance(top(state), Dice), "diplomacy troops defend their friend's general"


def chase(key: str, **more: Any) -> State:
    """Return a position with the general of seat 1 alone among troops of seat 0, which can act twice."""
    return battle((1, 0, 0), (0, 0, 0), key, **{"leaders": {key: [general(1)]}, **more})


@pytest.mark.rule("II-D35", "II-D43")
def test_leaders_on_an_island_are_attacked_once_a_turn() -> None:
    state = chase("creta")
    attack(state, "creta")
    assert where(state, general(1)) == "creta"
    assert state.chaos == [0, 2]
    words = "The leaders in Creta have no troops and were attacked in this turn already."
    assert said(verdict(state, 0, Attack(sp("creta"), 1))) == ("attacked-already", "II-D35", words)
    assert not [action for action in options(state, 0) if isinstance(action, Attack)]
    play(state, (0, Pass()), (1, Pass()), (1, Pass()))
    assert legal(state, 0, Attack(sp("creta"), 1)), "another turn"
    assert [action for action in options(state, 0) if isinstance(action, Attack)]


@pytest.mark.rule("II-D35")
def test_a_leader_who_was_driven_away_is_not_hunted_in_the_same_turn() -> None:
    state = position(
        units={"galatia": {0: (1, 0, 0)}, "asia": {0: (1, 0, 0)}},
        leaders={"galatia": [general(1)]},
    )
    attack(state)
    play(state, (1, Withdraw(sp("asia"))))
    assert refused(state, 0, Attack(sp("asia"), 1)) == "II-D35"
    state.leader_at[general(1, 2)] = sp("asia")
    assert legal(state, 0, Attack(sp("asia"), 1)), "another leader is there, who was not attacked"
    attack(state, "asia")
    assert state.chaos == [0, 4]


@pytest.mark.rule("II-D35", "II-D43")
def test_leaders_who_lost_their_troops_on_an_island_are_left_alone_until_the_next_turn() -> None:
    state = battle((2, 0, 0), (1, 0, 0), "creta", leaders={"creta": [general(1)]})
    attack(state, "creta")
    play(state, "i..", "....")
    assert where(state, general(1)) == "creta"
    assert refused(state, 0, Attack(sp("creta"), 1)) == "II-D35"
    state = battle((2, 0, 0), (1, 0, 0), leaders={"galatia": [general(1)]})
    state.units[sp("asia")] = (0, 1, 0, 0)
    attack(state)
    play(state, "i..", "....", (1, Withdraw(sp("asia"))))
    assert legal(state, 0, Attack(sp("asia"), 1)), "he had troops when he was attacked"


@pytest.mark.rule("II-D35")
def test_all_leaders_who_were_attacked_in_a_turn_are_remembered() -> None:
    state = position(
        left=4,
        units={"creta": {0: (1, 0, 0)}, "corsica": {0: (1, 0, 0)}},
        leaders={"creta": [general(1)], "corsica": [general(1, 2)]},
    )
    attack(state, "creta")
    attack(state, "corsica")
    play(state, (0, Levy(5)))
    assert refused(state, 0, Attack(sp("creta"), 1)) == "II-D35"
    assert refused(state, 0, Attack(sp("corsica"), 1)) == "II-D35"


@pytest.mark.rule("II-D35")
def test_troops_are_attacked_as_often_as_one_likes() -> None:
    state = battle((3, 0, 0), (3, 0, 0), "creta", leaders={"creta": [general(1)]})
    attack(state, "creta")
    play(state, "...", "....")
    while not isinstance(top(state), Turn):
        play(state, "i..", "....")
    state = chase("creta", cards={1: ["army_training"]})
    attack(state, "creta")
    state.units[sp("creta")] = (0, 1, 0, 0, 1, 1, 0, 0)
    assert legal(state, 0, Attack(sp("creta"), 1)), "troops have come"


@pytest.mark.rule("II-D41")
def test_both_sides_wiped_out() -> None:
    state = battle((1, 0, 0), (1, 0, 0), leaders={"galatia": [general(0), general(1)]})
    attack(state)
    play(state, "i...", "i...")
    assert state.chaos == [2, 0]
    assert owed(state) == (0,)
    play(state, (0, Withdraw(sp("asia"))))
    assert owed(state) == (1,)
    play(state, (1, Withdraw(sp("cilicia"))))
    assert isinstance(top(state), Turn)


@pytest.mark.rule("II-EX-03")
def test_jack_against_keith() -> None:
    jack, keith = 0, 1
    state = position(
        units={"galatia": {jack: (4, 2, 1), keith: (1, 0, 0)}},
        leaders={"galatia": [general(jack)]},
        influence={"galatia": {keith: 2}},
    )
    attack(state)
    assert dice(state) == 4
    happened = play(state, "i.c.")
    assert dice(state) == 3
    happened += play(state, ".ii")
    assert [event.hits for event in of(happened, DiceFell)] == [1, 1]
    play(state, (jack, loss((jack, 1, 0, 0))))
    assert army(state, "galatia", jack) == (3, 2, 1)
    assert army(state, "galatia", keith) == (0, 0, 0)
    assert state.chaos == [0, 2]
    assert where(state, general(jack)) == "galatia"


# --- at sea ---


def afloat(mine: int = 2, theirs: int = 2, **more: object) -> State:
    """Return a position in which both seats have galleys in Mare Narbo."""
    at = {galley(0, k): "mare_narbo" for k in range(mine)} | {galley(1, k): "mare_narbo" for k in range(theirs)}
    return position(galleys=at, **more)  # type: ignore[arg-type]


FIGHT = Sail(NONE, (), sp("mare_narbo"), 1)


@pytest.mark.rule("II-NAVAL-02")
def test_move_first_then_fight() -> None:
    state = position(galleys={0: "mare_rhodus", 1: "mare_narbo", 8: "mare_narbo"})
    rhodus, narbo = sp("mare_rhodus"), sp("mare_narbo")
    assert legal(state, 0, Sail(narbo, (0,), narbo, 1))
    assert legal(state, 0, Sail(sp("mare_epirus"), (0,), narbo, 1))
    assert refused(state, 0, Sail(rhodus, (1,), narbo, 1)) == "II-NAVAL-02"
    assert refused(state, 0, Sail(NONE, (), rhodus, 1)) == "II-NAVAL-02"
    assert refused(state, 0, Sail(NONE, (), sp("italia"), 1)) == "II-NAVAL-02"
    allies = position(3, sides=(0, 1, 0), galleys={0: "mare_narbo", galley(2): "mare_narbo"})
    assert refused(allies, 0, Sail(NONE, (), narbo, 2)) == "II-NAVAL-02"
    play(state, (0, Sail(narbo, (0,), narbo, 1)))
    assert state.galley_at[:2] == [narbo, narbo]
    assert dice(state) == 2


@pytest.mark.rule("II-NAVAL-03")
def test_a_die_for_each_galley() -> None:
    state = afloat(2, 3, cards={0: ["naval_training"] * 2 + ["army_training"]})
    play(state, (0, FIGHT))
    assert dice(state) == 4
    happened = play(state, "gggi")
    assert of(happened, DiceFell)[0].hits == 2, "no more hits than galleys"
    assert dice(state) == 3
    play(state, "...")
    assert state.galley_at[8:11].count(OFF) == 2, "equal galleys: nothing to choose"
    assert state.talents == [100, 100]


@pytest.mark.rule("II-NAVAL-04", "II-D45")
def test_three_rounds_no_retreat() -> None:
    state = afloat(1, 1, units={"italia": {0: (5, 0, 0)}})
    play(state, (0, FIGHT))
    happened = play(state, ".", "i", ".", ".", "c", "k")
    assert of(happened, BattleEnded) == [BattleEnded(sp("mare_narbo"), NONE, NONE)]
    assert state.chaos == [0, 0]
    state = position(galleys={0: "mare_narbo", 1: "mare_tyrrhenum", 8: "mare_narbo"})
    play(state, (0, FIGHT))
    assert dice(state) == 1, "galleys of other zones take no part"


def test_losses_at_sea_are_chosen() -> None:
    state = position(3, sides=(0, 1, 0), galleys={0: "mare_narbo", galley(2): "mare_narbo", 8: "mare_narbo"})
    play(state, (0, FIGHT), (2, Lend(galleys=(galley(2),))))
    assert dice(state) == 2
    play(state, "..", "g")
    play(state, (0, loss(galleys=(galley(2),))))
    assert state.galley_at[galley(2)] == OFF
    happened = play(state, "g", ".")
    assert of(happened, Sank)[0].galleys == (8,)
    assert state.chaos == [0, 2, 0]


@pytest.mark.rule("II-D46")
def test_allies_lend_galleys_of_the_zone() -> None:
    state = position(
        4,
        galleys={0: "mare_narbo", galley(1): "mare_narbo", galley(2): "mare_tyrrhenum", galley(3): "mare_narbo"},
        units={"italia": {3: (2, 0, 0)}},
    )
    play(state, (0, FIGHT))
    assert owed(state) == (3,), "seat 2 has none in the zone"
    assert refused(state, 3, Lend(1, galleys=(galley(3),))) == "II-BATTLE-03"
    play(state, (3, Lend(galleys=(galley(3),))), ".")
    assert dice(state) == 2


@pytest.mark.rule("II-D47", "II-C-23")
def test_pirates() -> None:
    state = afloat(1, 1, cards={0: ["diplomacy_pirates"]})
    play(state, (0, FIGHT))
    assert dice(state) == 3
    play(state, "...", "g")
    assert legal(state, 0, loss(extra=1))
    play(state, (0, loss(extra=1)))
    assert dice(state) == 2
    land = battle(galleys={0: "mare_rhodus"}, cards={0: ["diplomacy_pirates"]})
    attack(land)
    play(land, (0, Commit((0,))))
    frame = next(frame for frame in land.frames if isinstance(frame, Battle))
    assert frame.attack_extra == 0
    lender = position(
        3,
        sides=(0, 1, 0),
        galleys={0: "mare_narbo", galley(2): "mare_narbo", 8: "mare_narbo"},
        cards={2: ["diplomacy_pirates"]},
    )
    play(lender, (0, FIGHT), (2, Lend(galleys=(galley(2),))))
    assert dice(lender) == 2


@pytest.mark.rule("II-C-43", "II-D48")
def test_favorable_wind() -> None:
    state = afloat(2, 2, cards={1: ["favorable_wind"]})
    play(state, (0, FIGHT))
    assert owed(state) == (1,)
    assert refused(state, 1, Pass()) == "II-C-43"
    happened = play(state, (1, Slip(True)))
    assert happened[-2:] == [SlippedAway(1, sp("mare_narbo")), BattleEnded(sp("mare_narbo"), NONE, NONE)]
    frame = top(state)
    assert isinstance(frame, Turn)
    assert frame.left == 1, "the action is spent"
    assert state.chaos == [0, 0]
    play(state, (0, FIGHT), (1, Slip(True)))
    assert state.galley_at.count(sp("mare_narbo")) == 4, "as often as one likes"
    other = afloat(2, 2, cards={1: ["favorable_wind"]})
    play(other, (0, FIGHT), (1, Slip(False)))
    assert dice(other) == 2
    land = battle(galleys={8: "mare_rhodus"}, cards={1: ["favorable_wind"]})
    attack(land)
    assert isinstance(top(land), Commitment)
    mine = afloat(2, 2, cards={0: ["favorable_wind"]})
    play(mine, (0, FIGHT))
    assert dice(mine) == 2, "the attacker needs no wind"


@pytest.mark.rule("II-C-42")
def test_naval_training_is_for_the_sea_only() -> None:
    state = battle(galleys={0: "mare_rhodus"}, cards={0: ["naval_training"] * 3})
    attack(state)
    play(state, (0, Commit((0,))))
    assert dice(state) == 3
    state = position(galleys={0: "mare_narbo", 8: "mare_narbo"}, row=["naval_training"])
    play(state, (0, obtain("naval_training")), (0, FIGHT))
    assert state.talents[0] == 95
    assert dice(state) == 2


def test_a_move_of_a_leader_into_a_contested_province_is_no_attack() -> None:
    state = position(leaders={"asia": [general(0)]}, units={"galatia": {1: (1, 0, 0)}})
    play(state, (0, move("asia", leaders=[(general(0), "galatia")])))
    assert isinstance(top(state), Turn)
