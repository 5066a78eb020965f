"""Action 2: combat advantage, aimed shots, retreats, battles at sea."""

from itertools import product

import pytest

from shared.board import BOARD
from shared.ids import CATAPULT, CAVALRY, GALLEY, INFANTRY, NATURE, NONE
from shared.kernel.frames import Dice
from shared.mechanics import aimed_shots
from shared.mechanics.pieces import OFF
from shared.rulesets.mb1984.actions import Aim, Buy, Lose
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.mb1984.events import Aimed
from shared.rulesets.mb1984.frames import Aiming, Battle, CargoLoss, Combat
from shared.rulesets.mb1984.property import supply
from shared.rulesets.mb1984.shots import lead, strength
from shared.rulesets.mb1984.table import State
from shared.vocabulary.actions import Answer, EndDestruction, EndMovement, Fight, Judge, Offer, Raze, Retreat, Stand
from shared.vocabulary.events import BattleBegan, BattleEnded, Captured, Conquered, DiceFell, Fell, Sank
from shared.vocabulary.frames import Captives, Onward
from tests.support.cases import case
from tests.support.layout import aboard, army, owner, sail, sp, where
from tests.support.position1984 import (
    caesar,
    galley,
    general,
    legal,
    march,
    options,
    owed,
    play,
    position,
    refused,
    verdict,
)
from tests.support.referee import of, top

Units = tuple[int, int, int]
G, G2, FOE, FOE2 = general(0), general(0, 2), general(1), general(1, 2)
DALMATIA, ALEXANDRIA = sp("dalmatia"), sp("mare_alexandria")
SHIP, ENEMY = galley(0), galley(1)


def battle(mine: Units, theirs: Units, *, wall: int = 0, **more: object) -> State:
    """Return a position in which seat 0, at home in Italia, attacks Dalmatia of seat 1."""
    return position(
        homes=("italia", "egyptus"),
        units={"dalmatia": {0: mine, 1: theirs}},
        leaders={"dalmatia": [G, G2, FOE, FOE2]},
        owners={"dalmatia": 1},
        built={"dalmatia": wall},
        phase="combat",
        **more,  # type: ignore[arg-type]
    )


def at_sea(mine: Units, theirs: Units, ships: tuple[int, int] = (1, 1), **more: object) -> State:
    """Return a battle of seat 0 against seat 1 in Mare Alexandria; the first galley of each carries the legion."""
    galleys = {galley(seat, k): "mare_alexandria" for seat in (0, 1) for k in range(ships[seat])}
    return position(
        homes=("galatia", "egyptus"),
        galleys=galleys,
        cargo={galley(seat): army_ for seat, army_ in ((0, mine), (1, theirs)) if any(army_)},
        leaders={aboard(SHIP): [G], aboard(ENEMY): [FOE]},
        phase="combat",
        **more,  # type: ignore[arg-type]
    )


def landing(infantry: int = 2, joining: int = -1) -> State:
    """Return a position in which seat 0, at home in Italia, may land in Dalmatia, which two infantry of seat 1 hold.

    joining: infantry in Italia with a general who can join them by land; -1 without that general."""
    return position(
        homes=("italia", "egyptus"),
        galleys={SHIP: "mare_adriatico"},
        cargo={SHIP: (infantry, 0, 0)},
        leaders={aboard(SHIP): [G], "dalmatia": [FOE], "italia": [G2] * (joining >= 0)},
        units={"dalmatia": {1: (2, 0, 0)}, "italia": {0: (max(0, joining), 0, 0)}},
        owners={"dalmatia": 1},
    )


def fight(state: State, space: int = DALMATIA) -> None:
    play(state, (0, Fight(space, 1)))


# --- combat advantage ---

A = aimed_shots.NO_ROLL
TABLE: dict[int, dict[int | str, int]] = {
    0: {INFANTRY: 4, "land": 5, "sea": 4, CATAPULT: 6, GALLEY: 3},
    1: {INFANTRY: 3, "land": 4, "sea": 3, CATAPULT: 5, GALLEY: 2},
    2: {INFANTRY: 2, "land": 3, "sea": 2, CATAPULT: 4, GALLEY: A},
    3: {INFANTRY: A, "land": 2, "sea": A, CATAPULT: 3, GALLEY: A},
    4: {INFANTRY: A, "land": A, "sea": A, CATAPULT: 2, GALLEY: A},
    5: {INFANTRY: A, "land": A, "sea": A, CATAPULT: A, GALLEY: A},
    9: {INFANTRY: A, "land": A, "sea": A, CATAPULT: A, GALLEY: A},
}


@pytest.mark.rule("MB-CA-05")
def test_the_combat_table_cell_by_cell() -> None:
    for ahead, columns in TABLE.items():
        for column in columns:
            with case(ahead, column):
                kind = CAVALRY if isinstance(column, str) else column
                number = aimed_shots.needed_roll(kind, column == "sea", ahead)
                assert number == TABLE[ahead][column]
                assert [face + 1 for face in range(6) if aimed_shots.hits(face, number)] == list(range(number, 7))


@pytest.mark.rule("MB-CA-05", "MB-CA-04")
@pytest.mark.parametrize("kind", [INFANTRY, CAVALRY, CATAPULT])
def test_every_cell_in_a_battle_on_land(kind: int) -> None:
    for ahead, die in product(range(6), range(1, 7)):
        with case(ahead, die):
            theirs = (2, 0, 0) if kind == INFANTRY else (0, 2, 0) if kind == CAVALRY else (0, 0, 2)
            mine = (1, 0, ahead + theirs[2])
            state = battle(mine, theirs)
            fight(state)
            needed = TABLE[ahead]["land" if kind == CAVALRY else kind]
            if needed == A:
                assert not isinstance(top(state), Dice)
                assert sum(army(state, "dalmatia", 1)) == 1
                continue
            assert isinstance(top(state), Dice)
            play(state, str(die))
            assert sum(army(state, "dalmatia", 1)) == (1 if die >= needed else 2)


@pytest.mark.rule("MB-CA-05", "MB-NAVAL-05")
@pytest.mark.parametrize("kind", [INFANTRY, CAVALRY, CATAPULT, GALLEY])
def test_every_cell_in_a_battle_at_sea(kind: int) -> None:
    for ahead, die in product(range(6), range(1, 7)):
        with case(ahead, die):
            theirs = [(2, 0, 0), (0, 2, 0), (0, 0, 2), (0, 0, 0)][kind]
            state = at_sea((0, 0, ahead + theirs[2]) if ahead + theirs[2] else (1, 0, 0), theirs)
            happened = play(state, (0, Fight(ALEXANDRIA, 1)))
            needed = TABLE[ahead]["sea" if kind == CAVALRY else kind]
            if needed != A:
                happened += play(state, str(die))
            assert of(happened, Aimed)[0] == Aimed(0, ALEXANDRIA, kind, needed)
            hit = needed == A or die >= needed
            lost = len(of(happened, Sank)) if kind == GALLEY else sum(sum(event.army) for event in of(happened, Fell))
            assert bool(lost) == hit


@pytest.mark.rule("MB-CA-01")
def test_catapults_and_the_defenders_fortified_city_count() -> None:
    state = battle((3, 2, 2), (3, 2, 1), wall=2)
    assert strength(state, 0, DALMATIA) == 2
    assert strength(state, 1, DALMATIA) == 2
    assert strength(battle((1, 0, 0), (1, 0, 0), wall=1), 1, DALMATIA) == 0
    assert strength(at_sea((0, 0, 3), (2, 0, 1)), 0, ALEXANDRIA) == 3


@pytest.mark.rule("MB-CA-02")
def test_only_the_larger_sum_has_an_advantage() -> None:
    state = battle((1, 0, 3), (1, 0, 1))
    assert (lead(state, 0, 1, DALMATIA), lead(state, 1, 0, DALMATIA)) == (2, 0)
    state = battle((1, 0, 1), (1, 0, 1))
    assert (lead(state, 0, 1, DALMATIA), lead(state, 1, 0, DALMATIA)) == (0, 0)
    state = battle((1, 0, 0), (1, 0, 1), wall=2)
    assert (lead(state, 0, 1, DALMATIA), lead(state, 1, 0, DALMATIA)) == (0, 2)


@pytest.mark.rule("MB-CA-03", "MB-D22")
def test_the_advantage_is_recalculated_before_every_shot_of_both_sides() -> None:
    state = battle((1, 0, 2), (2, 0, 1))
    fight(state)
    assert top(state).ahead == 1  # type: ignore[attr-defined]
    happened = play(state, (0, Aim(CATAPULT)), "5", (1, Aim(CATAPULT)), "6")
    assert [event.needed for event in of(happened, Aimed)] == [5, 6]
    assert isinstance(top(state), Onward)
    happened = play(state, (0, Stand()))
    assert of(happened, Aimed) == [Aimed(0, DALMATIA, INFANTRY, 3)]
    happened = play(state, "1", (1, Aim(CATAPULT)), "6", (0, Stand()))
    assert [event.needed for event in of(happened, Aimed)] == [6, 4]


@pytest.mark.rule("MB-CA-04", "MB-D21")
def test_a_sure_hit_takes_no_die_but_a_target() -> None:
    state = battle((1, 0, 4), (1, 1, 0))
    fight(state)
    assert isinstance(top(state), Aiming)
    happened = play(state, (0, Aim(CAVALRY)))
    assert of(happened, Aimed)[0] == Aimed(0, DALMATIA, CAVALRY, 1)
    assert not of(happened, DiceFell)
    assert of(happened, Fell) == [Fell(1, DALMATIA, (0, 1, 0))]
    assert isinstance(top(state), Aiming) and owed(state) == (1,)


@pytest.mark.rule("MB-CA-EX1")
def test_example_sums() -> None:
    assert strength(battle((0, 0, 1), (1, 0, 0)), 0, DALMATIA) == 1
    assert strength(battle((0, 0, 2), (1, 0, 0)), 0, DALMATIA) == 2
    assert strength(battle((1, 0, 0), (0, 0, 2), wall=2), 1, DALMATIA) == 3


@pytest.mark.rule("MB-CA-EX2")
def test_example_four_catapults_against_two() -> None:
    assert lead(battle((0, 0, 4), (0, 0, 2)), 0, 1, DALMATIA) == 2


@pytest.mark.rule("MB-CA-EX3")
def test_example_three_against_three_in_a_fortified_city() -> None:
    state = battle((0, 0, 3), (0, 0, 3), wall=2)
    assert (lead(state, 0, 1, DALMATIA), lead(state, 1, 0, DALMATIA)) == (0, 1)


# --- battles on land ---


@pytest.mark.rule("MB-BATTLE-01")
def test_entering_an_occupied_province_makes_a_battle() -> None:
    state = battle((1, 0, 0), (1, 0, 0))
    assert refused(state, 0, Fight(sp("italia"), 1)) == "MB-BATTLE-01"
    assert refused(state, 0, Fight(DALMATIA, 0)) == "MB-BATTLE-01"
    assert refused(state, 1, Fight(DALMATIA, 1)) == ""
    happened = play(state, (0, Fight(DALMATIA, 1)))
    assert of(happened, BattleBegan) == [BattleBegan(DALMATIA, 0, 1)]


@pytest.mark.rule("MB-BATTLE-02")
@pytest.mark.parametrize("first", ["dalmatia", "noricum"])
def test_the_attacker_chooses_the_order_of_battles(first: str) -> None:
    state = position(
        homes=("italia", "egyptus"),
        units={"dalmatia": {0: (1, 0, 0), 1: (1, 0, 0)}, "noricum": {0: (1, 0, 0), 1: (1, 0, 0)}},
        leaders={"dalmatia": [G, FOE], "noricum": [G2, FOE2]},
        owners={"dalmatia": 1, "noricum": 1},
        phase="combat",
    )
    play(state, (0, Fight(sp(first), 1)), "4", (0, Judge(())))
    assert owner(state, first) == 0
    other = "noricum" if first == "dalmatia" else "dalmatia"
    assert options(state, 0)[0] == Fight(sp(other), 1)


@pytest.mark.rule("MB-BATTLE-03")
def test_sides_alternate_single_shots_attacker_first() -> None:
    state = battle((3, 1, 0), (2, 2, 0))
    fight(state)
    assert owed(state) == (0,) and isinstance(top(state), Aiming)
    assert refused(state, 0, Stand()) == "MB-BATTLE-03"
    assert refused(state, 1, Aim(0)) == ""
    play(state, (0, Aim(INFANTRY)), "4")
    assert army(state, "dalmatia", 1) == (1, 2, 0)
    assert owed(state) == (1,) and isinstance(top(state), Aiming)
    play(state, (1, Aim(INFANTRY)), "3")
    assert army(state, "dalmatia", 0) == (3, 1, 0)
    assert owed(state) == (0,) and isinstance(top(state), Onward)
    play(state, (0, Stand()))
    assert isinstance(top(state), Aiming)


@pytest.mark.rule("MB-BATTLE-04")
def test_a_destroyed_unit_goes_back_to_the_supply() -> None:
    state = battle((2, 0, 0), (0, 2, 0))
    before = supply(state, 0)
    fight(state)
    play(state, "5", "4")
    after = supply(state, 0)
    assert after == (before[0] + 1, before[1] + 1, before[2], before[3])


@pytest.mark.rule("MB-BATTLE-05")
def test_the_attacker_without_units_loses_and_the_leaders_are_captured() -> None:
    state = battle((1, 0, 0), (2, 0, 0))
    fight(state)
    happened = play(state, "1", "4")
    assert of(happened, BattleEnded) == [BattleEnded(DALMATIA, 1)]
    assert of(happened, Captured) == [Captured(1, (G, G2))]
    assert owner(state, "dalmatia") == 1 and army(state, "dalmatia", 1) == (2, 0, 0)
    assert isinstance(top(state), Captives) and owed(state) == (1,)
    play(state, (1, Judge((G,))))
    assert where(state, G) == "off" and where(state, G2) == "prison 1"


@pytest.mark.rule("MB-BATTLE-05")
def test_the_defender_without_units_loses_the_province_and_the_leaders() -> None:
    state = battle((1, 0, 0), (1, 0, 0))
    fight(state)
    happened = play(state, "6")
    assert of(happened, BattleEnded) == [BattleEnded(DALMATIA, 0)]
    assert of(happened, Conquered) == [Conquered(0, DALMATIA, 1)]
    assert of(happened, Captured) == [Captured(0, (FOE, FOE2))]


@pytest.mark.rule("MB-BATTLE-06")
def test_galleys_on_the_coast_take_no_part() -> None:
    state = battle((1, 0, 0), (1, 0, 0), galleys={ENEMY: "dalmatia", galley(1, 1): "dalmatia"})
    fight(state)
    assert isinstance(top(state), Dice)
    play(state, "1")
    assert owed(state) == (-1,)


@pytest.mark.rule("MB-D27")
def test_several_legions_attack_as_one_force() -> None:
    state = position(
        homes=("italia", "egyptus"),
        units={"italia": {0: (0, 0, 2)}, "moesia": {0: (0, 0, 1)}, "dalmatia": {1: (1, 0, 0)}},
        leaders={"italia": [G], "moesia": [G2], "dalmatia": [FOE]},
        owners={"dalmatia": 1, "moesia": 0},
    )
    play(state, (0, march("italia", "dalmatia", G, 0, 0, 2)), (0, march("moesia", "dalmatia", G2, 0, 0, 1)))
    assert strength(state, 0, DALMATIA) == 3


# --- retreat ---


@pytest.mark.rule("MB-RETREAT-01", "MB-D24")
def test_only_the_attacker_retreats_and_only_after_a_defenders_shot() -> None:
    state = battle((2, 0, 0), (3, 0, 0))
    fight(state)
    assert owed(state) == (NATURE,)
    play(state, "1")
    assert refused(state, 1, Retreat(sp("moesia"))) == ""
    assert isinstance(top(state), Dice)
    play(state, "6")
    assert isinstance(top(state), Onward) and owed(state) == (0,)
    assert refused(state, 0, Aim(0)) == "MB-RETREAT-01"
    play(state, (0, Stand()), "1", "3", (0, Retreat(sp("italia"))))
    assert army(state, "italia", 0) == (1, 0, 0)
    assert where(state, G) == where(state, G2) == "italia"
    assert owner(state, "dalmatia") == 1


@pytest.mark.rule("MB-RETREAT-02")
def test_leaders_alone_do_not_retreat() -> None:
    state = battle((1, 0, 0), (1, 0, 0))
    fight(state)
    play(state, "1", "4")
    assert where(state, G) == "prison 1"


@pytest.mark.rule("MB-RETREAT-03", "MB-D25")
def test_a_retreat_leads_to_one_own_province_without_enemies() -> None:
    state = position(
        3,
        homes=("italia", "egyptus", "macedonia"),
        units={"dalmatia": {0: (2, 2, 0), 1: (3, 0, 0)}},
        leaders={"dalmatia": [G, G2, FOE], "italia": [caesar(0)]},
        owners={"dalmatia": 1, "moesia": 1},
        phase="combat",
    )
    fight(state)
    play(state, (0, Aim(0)) if isinstance(top(state), Aiming) else "1")
    play(state, (1, Aim(0)), "1")
    assert options(state, 0) == [Stand(), Retreat(sp("italia"))]
    for key in ("moesia", "pannonia", "noricum", "egyptus"):
        assert refused(state, 0, Retreat(sp(key))) == "MB-RETREAT-03"
    assert refused(state, 0, Retreat(NONE)) == "MB-RETREAT-03"
    assert refused(state, 0, Retreat(sp("mare_adriatico"))) == "MB-RETREAT-04"
    play(state, (0, Retreat(sp("italia"))))
    assert army(state, "italia", 0) == (2, 2, 0)


@pytest.mark.rule("MB-D25")
def test_no_retreat_leads_to_enemy_units_who_are_named() -> None:
    state = position(
        homes=("italia", "egyptus"),
        units={"dalmatia": {0: (2, 0, 0), 1: (3, 0, 0)}, "italia": {0: (1, 0, 0), 1: (1, 0, 0)}},
        leaders={"dalmatia": [G, FOE], "italia": [FOE2]},
        owners={"dalmatia": 1, "moesia": 0},
        phase="combat",
    )
    fight(state)
    play(state, "1", "1")
    assert options(state, 0) == [Stand(), Retreat(sp("moesia"))]
    told = verdict(state, 0, Retreat(sp("italia")))
    assert told is not None and told.rule == "MB-D25" and told.text.startswith("Units of Egyptus are in Italia")


def parked(*leaders: int, **more: object) -> State:
    """Return a position in which seat 0 of three may leave Dalmatia for Pannonia. It owns Pannonia, where such enemy
    leaders stand alone."""
    state = position(
        3,
        homes=("italia", "egyptus", "macedonia"),
        units={"dalmatia": {0: (2, 0, 0), 1: (3, 0, 0)}},
        leaders={"dalmatia": [G, FOE], "pannonia": leaders},
        owners={"dalmatia": 1, "pannonia": 0},
        phase="combat",
        **more,  # type: ignore[arg-type]
    )
    fight(state)
    play(state, "1", "1")
    return state


@pytest.mark.rule("MB-D25")
def test_a_retreat_captures_lone_enemy_leaders_where_it_arrives() -> None:
    state = parked(general(2), FOE2)
    assert Retreat(sp("pannonia")) in options(state, 0)
    happened = play(state, (0, Retreat(sp("pannonia"))))
    assert of(happened, Captured) == [Captured(0, (FOE2, general(2)))]
    assert isinstance(top(state), Captives) and owed(state) == (0,)
    play(state, (0, Judge((FOE2,))))
    assert where(state, general(2)) == "prison 0" and where(state, FOE2) == "off"
    assert army(state, "pannonia", 0) == (2, 0, 0) and owner(state, "dalmatia") == 1
    assert not any(isinstance(frame, Battle | Combat) for frame in state.frames)


@pytest.mark.rule("MB-D25", "MB-CAESAR-01")
def test_a_retreat_from_the_last_province_to_a_lone_caesar_eliminates_that_player() -> None:
    state = parked(caesar(1))
    play(state, (0, Retreat(sp("pannonia"))))
    assert state.lord == [0, 0, 2]
    assert owner(state, "dalmatia") == 0 and army(state, "dalmatia", 0) == (3, 0, 0)
    assert where(state, FOE) == "dalmatia"


@pytest.mark.rule("MB-D25")
def test_a_retreat_to_a_province_where_a_capture_was_still_to_be_made_makes_it() -> None:
    state = position(
        homes=("italia", "egyptus"),
        units={"dalmatia": {0: (2, 0, 0), 1: (3, 0, 0)}, "pannonia": {0: (1, 0, 0)}},
        leaders={"dalmatia": [G, FOE], "pannonia": [G2, FOE2]},
        owners={"dalmatia": 1, "pannonia": 0},
        phase="combat",
    )
    assert Fight(sp("pannonia"), 1) in options(state, 0)
    fight(state)
    play(state, "1", "1", (0, Retreat(sp("pannonia"))), (0, Judge(())))
    assert where(state, FOE2) == "prison 0" and army(state, "pannonia", 0) == (3, 0, 0)
    assert not isinstance(top(state), Combat)


@pytest.mark.rule("MB-RETREAT-03")
def test_without_a_place_to_go_there_is_no_retreat() -> None:
    state = position(
        homes=("hispania", "egyptus"),
        units={"dalmatia": {0: (2, 0, 0), 1: (3, 0, 0)}},
        leaders={"dalmatia": [G, FOE]},
        owners={"dalmatia": 1},
        phase="combat",
    )
    fight(state)
    play(state, "1", "1")
    assert isinstance(top(state), Dice)


@pytest.mark.rule("MB-D25")
def test_a_retreat_to_a_province_conquered_this_turn() -> None:
    state = position(
        homes=("hispania", "egyptus"),
        units={"noricum": {0: (0, 4, 0)}, "dalmatia": {1: (2, 0, 0)}},
        leaders={"noricum": [G], "dalmatia": [FOE]},
        owners={"noricum": 0, "dalmatia": 1, "pannonia": 1},
    )
    play(state, (0, march("noricum", "pannonia", G, 0, 4)), (0, march("pannonia", "dalmatia", G, 0, 4, 0, 4)))
    play(state, (0, options(state, 0)[0]), (0, Fight(DALMATIA, 1)), "1", "1")
    assert options(state, 0) == [Stand(), Retreat(sp("pannonia"))]


@pytest.mark.rule("MB-RETREAT-04")
def test_an_attack_from_the_sea_alone_is_fought_to_the_end() -> None:
    state = landing()
    play(state, (0, sail(SHIP, "dalmatia")), (0, options(state, 0)[0]))
    fight(state)
    play(state, "1", "1")
    assert isinstance(top(state), Dice)


@pytest.mark.rule("MB-RETREAT-04", "MB-D02")
def test_a_leader_who_joins_by_land_does_not_open_a_retreat_for_units_from_the_sea() -> None:
    state = landing(joining=0)
    play(state, (0, sail(SHIP, "dalmatia")), (0, march("italia", "dalmatia", G2)), (0, EndMovement()))
    play(state, (0, Fight(DALMATIA, 1)), "1", "1")
    assert isinstance(top(state), Dice), "it goes on without a question"


@pytest.mark.rule("MB-RETREAT-05", "MB-D19")
def test_a_mixed_attack_retreats_by_land_and_loses_its_galleys_there() -> None:
    state = landing(joining=1)
    play(state, (0, sail(SHIP, "dalmatia")), (0, march("italia", "dalmatia", G2, 1)), (0, options(state, 0)[0]))
    fight(state)
    happened = play(state, "1", "1", (0, Retreat(sp("italia"))))
    assert army(state, "italia", 0) == (3, 0, 0)
    assert where(state, G) == where(state, G2) == "italia"
    assert of(happened, Sank) == [Sank(0, DALMATIA, (SHIP,))]


@pytest.mark.rule("MB-D19")
def test_a_lost_attack_from_the_sea_loses_the_galleys() -> None:
    state = landing(1)
    play(state, (0, sail(SHIP, "dalmatia")), (0, options(state, 0)[0]))
    fight(state)
    play(state, "1", "6")
    assert state.galley_at[SHIP] == OFF and where(state, G) == "prison 1"


# --- at sea ---


@pytest.mark.rule("MB-NAVAL-01", "MB-NAVAL-02")
def test_a_naval_battle_has_the_same_rounds_and_no_retreat() -> None:
    state = at_sea((2, 0, 0), (2, 0, 0))
    fight(state, ALEXANDRIA)
    play(state, "1", "1")
    assert isinstance(top(state), Dice)
    assert [frame.round for frame in state.frames if isinstance(frame, Battle)] == [2]
    play(state, "4", "4", "4", "4")
    assert [sum(cargo) for cargo in state.cargo if cargo] == []
    happened = play(state, "2", "3")
    assert of(happened, BattleEnded) == [BattleEnded(ALEXANDRIA, 1)]


@pytest.mark.rule("MB-NAVAL-03", "MB-D28")
def test_galleys_are_safe_while_their_side_has_units() -> None:
    state = at_sea((1, 0, 1), (1, 1, 0), (1, 2))
    fight(state, ALEXANDRIA)
    assert options(state, 0) == [Aim(INFANTRY), Aim(CAVALRY)]
    assert refused(state, 0, Aim(GALLEY)) == "MB-NAVAL-03"
    single = at_sea((1, 0, 1), (1, 1, 0), (1, 2), options={"galley_targets": 1})
    fight(single, ALEXANDRIA)
    assert options(single, 0) == [Aim(INFANTRY, ENEMY), Aim(CAVALRY, ENEMY), Aim(GALLEY, galley(1, 1))]
    assert refused(single, 0, Aim(GALLEY, ENEMY)) == "MB-NAVAL-03"
    assert refused(single, 0, Aim(INFANTRY)) == "MB-BATTLE-03"
    play(single, (0, Aim(GALLEY, galley(1, 1))), "2")
    assert single.galley_at[galley(1, 1)] == OFF


@pytest.mark.rule("MB-NAVAL-04", "MB-D30")
def test_galleys_without_cargo_fight_and_fire() -> None:
    state = at_sea((0, 0, 0), (0, 0, 0))
    happened = play(state, (0, Fight(ALEXANDRIA, 1)), "2", "2", "3")
    assert [event.kind for event in of(happened, Aimed)] == [GALLEY] * 3
    assert of(happened, Captured) == [Captured(0, (FOE,))]


@pytest.mark.rule("MB-NAVAL-05")
def test_cavalry_at_sea_is_hit_on_four_and_catapults_count() -> None:
    state = at_sea((0, 0, 1), (0, 1, 0))
    happened = play(state, (0, Fight(ALEXANDRIA, 1)))
    assert of(happened, Aimed) == [Aimed(0, ALEXANDRIA, CAVALRY, 3)]
    play(state, "3")
    assert state.cargo[ENEMY] == ()


@pytest.mark.rule("MB-NAVAL-06", "MB-D41")
def test_leaders_of_the_loser_are_captured_a_caesar_too() -> None:
    state = at_sea((1, 0, 0), (0, 0, 0))
    fight(state, ALEXANDRIA)
    play(state, "3")
    assert where(state, FOE) == "prison 0"
    state = at_sea((1, 0, 0), (0, 0, 0))
    state.leader_at[caesar(1)] = aboard(ENEMY)
    fight(state, ALEXANDRIA)
    play(state, "3")
    assert state.winner == 0


@pytest.mark.rule("MB-NAVAL-01")
@pytest.mark.parametrize("zone", [BOARD.provinces, BOARD.spaces - 1])
def test_the_first_and_the_last_zone_of_the_board_are_waters_like_others(zone: int) -> None:
    state = position(
        3,
        homes=("galatia", "egyptus", "italia"),
        galleys=dict.fromkeys((SHIP, ENEMY), BOARD.keys[zone]),
        leaders={aboard(SHIP): [G], aboard(ENEMY): [FOE]},
        phase="combat",
    )
    happened = play(state, (0, Fight(zone, 1)), "3", (0, Judge(())))
    assert of(happened, BattleEnded) == [BattleEnded(zone, 0)] and where(state, FOE) == "prison 0"


@pytest.mark.rule("MB-NAVAL-06")
def test_leaders_of_the_loser_in_other_waters_are_not_captured() -> None:
    for far, winner, faces in ((galley(1, 1), 0, ("3",)), (galley(0, 1), 1, ("1", "3"))):
        state = at_sea((0, 0, 0), (0, 0, 0))
        state.galley_at[far] = sp("mare_hispalis")
        state.leader_at[FOE2 if far == galley(1, 1) else G2] = aboard(far)
        happened = play(state, (0, Fight(ALEXANDRIA, 1)), *faces)
        assert of(happened, Captured) == [Captured(winner, (G,) if winner else (FOE,))]


@pytest.mark.rule("MB-D19", "MB-WIN-03", "MB-CAESAR-02")
def test_galleys_of_an_attacker_who_lost_the_caesar_with_the_battle_change_owner() -> None:
    state = position(
        3,
        homes=("italia", "egyptus", "hispania"),
        units={"dalmatia": {0: (1, 0, 0), 1: (2, 0, 0)}},
        leaders={"dalmatia": [caesar(0), FOE]},
        owners={"dalmatia": 1},
        galleys={SHIP: "dalmatia"},
        phase="combat",
    )
    fight(state)
    happened = play(state, "1", "4")
    assert state.lord[0] == 1 and state.galley_at[SHIP] == DALMATIA and not of(happened, Sank)


@pytest.mark.rule("MB-D29")
def test_leaders_of_a_sunk_galley_change_to_another_one() -> None:
    state = at_sea((1, 0, 0), (0, 0, 0), (1, 2), options={"galley_targets": 1})
    fight(state, ALEXANDRIA)
    play(state, (0, Aim(GALLEY, ENEMY)), "6")
    assert where(state, FOE) == f"aboard {galley(1, 1)}"
    assert isinstance(top(state), Dice)


@pytest.mark.rule("MB-D29", "MB-D36")
def test_leaders_of_a_sunk_galley_go_where_fewest_are() -> None:
    state = at_sea((1, 0, 0), (0, 0, 0), (1, 4), options={"galley_targets": 1, "galley_leaders": 1})
    crews = {FOE: ENEMY, FOE2: ENEMY, general(1, 3): galley(1, 1), general(1, 4): galley(1, 3)}
    for leader, ship in crews.items():
        state.leader_at[leader] = aboard(ship)
    fight(state, ALEXANDRIA)
    play(state, (0, Aim(GALLEY, ENEMY)), "6")
    assert where(state, FOE) == f"aboard {galley(1, 2)}", "nobody was there"
    assert where(state, FOE2) == f"aboard {galley(1, 1)}", "then the first of those with one"
    assert where(state, general(1, 3)) == f"aboard {galley(1, 1)}"


def laden(mine: Units, loads: tuple[Units, ...], **more: object) -> State:
    """Return a position with a galley of seat 0 against galleys of seat 1 in Mare Alexandria, each with a general and
    its load."""
    fleet = {galley(1, k): load for k, load in enumerate(loads)}
    state = position(
        homes=("galatia", "egyptus"),
        galleys=dict.fromkeys((SHIP, *fleet), "mare_alexandria"),
        cargo={ship: load for ship, load in ((SHIP, mine), *fleet.items()) if any(load)},
        leaders={aboard(SHIP): [G], **{aboard(ship): [general(1, k + 1)] for k, ship in enumerate(fleet)}},
        phase="combat",
        **more,  # type: ignore[arg-type]
    )
    fight(state, ALEXANDRIA)
    return state


@pytest.mark.rule("MB-NAVAL-03", "MB-D28")
def test_the_shooter_names_the_target_galley() -> None:
    state = laden((1, 0, 0), ((0, 0, 0), (0, 0, 0), (0, 0, 0)))
    state.leader_at[general(1, 2)] = state.leader_at[general(1, 3)] = OFF
    assert options(state, 0) == [Aim(GALLEY, ENEMY), Aim(GALLEY, galley(1, 1))], "empty galleys are alike"
    assert legal(state, 0, Aim(GALLEY, galley(1, 2)))
    assert refused(state, 0, Aim(GALLEY)) == "MB-BATTLE-03"
    assert refused(state, 0, Aim(GALLEY, SHIP)) == "MB-BATTLE-03"
    happened = play(state, (0, Aim(GALLEY, galley(1, 2))), "3")
    assert of(happened, Sank) == [Sank(1, ALEXANDRIA, (galley(1, 2),))]
    assert where(state, FOE) == f"aboard {ENEMY}"


@pytest.mark.rule("MB-D28")
def test_galleys_that_are_alike_are_aimed_at_without_a_question() -> None:
    state = at_sea((1, 0, 0), (0, 0, 0), (1, 3))
    state.leader_at[FOE] = OFF
    fight(state, ALEXANDRIA)
    assert isinstance(top(state), Dice)
    play(state, "3")
    assert state.galley_at[ENEMY] == OFF and state.galley_at[galley(1, 1)] == ALEXANDRIA


@pytest.mark.rule("MB-D28", "MB-D39")
def test_a_galley_of_a_captured_colour_is_not_like_the_others() -> None:
    state = position(
        3,
        homes=("galatia", "egyptus", "italia"),
        lords={2: 1},
        galleys=dict.fromkeys((SHIP, ENEMY, galley(1, 1), galley(2)), "mare_alexandria"),
        phase="combat",
    )
    fight(state, ALEXANDRIA)
    assert options(state, 0) == [Aim(GALLEY, ENEMY), Aim(GALLEY, galley(2))]


@pytest.mark.rule("MB-D28", "MB-BATTLE-04")
def test_the_owner_says_from_which_galley_a_unit_falls() -> None:
    state = laden((1, 0, 0), ((3, 0, 0), (1, 0, 0), (0, 2, 0)))
    happened = play(state, (0, Aim(INFANTRY)), "4")
    assert not of(happened, Fell)
    assert isinstance(top(state), CargoLoss) and owed(state) == (1,)
    assert options(state, 1) == [Lose(ENEMY), Lose(galley(1, 1))]
    for wrong in (galley(1, 2), SHIP, NONE, 99):
        assert refused(state, 1, Lose(wrong)) == "MB-D28"
    assert refused(state, 1, Aim(INFANTRY)) == "MB-D28"
    assert refused(state, 0, Lose(ENEMY)) == ""
    happened = play(state, (1, Lose(galley(1, 1))))
    assert of(happened, Fell) == [Fell(1, ALEXANDRIA, (1, 0, 0))]
    assert state.cargo[ENEMY] == (3, 0, 0) and state.cargo[galley(1, 1)] == ()
    assert isinstance(top(state), Dice), "and it is his shot"


@pytest.mark.rule("MB-D28", "MB-D21")
def test_a_sure_hit_asks_the_owner_as_well() -> None:
    state = laden((0, 0, 3), ((1, 0, 0), (2, 0, 0)))
    assert isinstance(top(state), CargoLoss)
    play(state, (1, Lose(ENEMY)))
    assert state.cargo[ENEMY] == () and state.cargo[galley(1, 1)] == (2, 0, 0)
    assert isinstance(top(state), Dice)


@pytest.mark.rule("MB-D28")
def test_the_attacker_chooses_cargo_losses_too() -> None:
    state = position(
        homes=("galatia", "egyptus"),
        galleys=dict.fromkeys((SHIP, galley(0, 1), ENEMY), "mare_alexandria"),
        cargo={SHIP: (1, 0, 0), galley(0, 1): (0, 1, 0), ENEMY: (2, 0, 0)},
        leaders={aboard(SHIP): [G], aboard(galley(0, 1)): [G2], aboard(ENEMY): [FOE]},
        phase="combat",
    )
    fight(state, ALEXANDRIA)
    play(state, "1", (1, Aim(CAVALRY)), "4")
    assert state.cargo[galley(0, 1)] == (), "only one galley had horsemen: nobody is asked"
    state.cargo[galley(0, 1)] = (2, 0, 0)
    play(state, "1", "4")
    assert isinstance(top(state), CargoLoss) and owed(state) == (0,)
    play(state, (0, Lose(galley(0, 1))))
    assert state.cargo[SHIP] == (1, 0, 0) and state.cargo[galley(0, 1)] == (1, 0, 0)
    assert [frame.round for frame in state.frames if isinstance(frame, Battle)] == [3]


@pytest.mark.rule("MB-D28")
def test_shooter_names_the_cargo_of_separately_protected_galleys() -> None:
    state = laden((1, 0, 0), ((3, 0, 0), (1, 0, 0)), options={"galley_targets": 1})
    assert options(state, 0) == [Aim(INFANTRY, ENEMY), Aim(INFANTRY, galley(1, 1))]
    happened = play(state, (0, Aim(INFANTRY, ENEMY)), "4")
    assert of(happened, Fell) and state.cargo[ENEMY] == (2, 0, 0), "its owner is not asked"


def test_undecided_losses_come_from_the_fullest_galley() -> None:
    state = laden((1, 0, 0), ((1, 0, 0), (1, 3, 0), (2, 0, 0)))
    play(state, (0, Aim(INFANTRY)), "4")
    assert MB1984.handlers[CargoLoss].default(state, top(state), 1) == Lose(galley(1, 1))


@pytest.mark.rule("MB-D31")
def test_a_naval_battle_lasts_until_a_side_has_neither_units_nor_galleys() -> None:
    state = at_sea((1, 0, 0), (1, 0, 0), (1, 2))
    fight(state, ALEXANDRIA)
    play(state, "4", "1", (0, Aim(GALLEY, ENEMY)), "3", "1")
    assert isinstance(top(state), Dice)
    happened = play(state, "3")
    assert of(happened, BattleEnded) == [BattleEnded(ALEXANDRIA, 0)]


# --- worked examples ---


def italy() -> State:
    """Return the position of the turn example; Macedonia holds a general of Italia."""
    return position(
        3,
        homes=("italia", "hispania", "macedonia"),
        units={
            "italia": {0: (5, 3, 2)},
            "narbonensis": {1: (2, 0, 0)},
            "dalmatia": {2: (4, 2, 1)},
        },
        leaders={
            "italia": [G, G2],
            "narbonensis": [FOE],
            "dalmatia": [general(2)],
            112: [general(0, 3)],
        },
        owners={"narbonensis": 1, "dalmatia": 2, "neapolis": 0, "sardinia": 0},
        built={"italia": 2, "neapolis": 1},
        galleys={SHIP: "italia:west"},
        talents=[7, 0, 0],
    )


@pytest.mark.rule("MB-EX-01", "MB-EX-02")
def test_example_a_turn_of_italia() -> None:
    state = italy()
    hispania, macedonia = state.marker[1], state.marker[2]
    assert state.marker[0] == 35
    play(state, (0, march("italia", "narbonensis", G, 2, 1)), (0, march("italia", "dalmatia", G2, 3, 2, 2)))
    play(state, (0, EndMovement()))
    happened = play(state, (0, Fight(sp("narbonensis"), 1)), "1")
    assert of(happened, Aimed) == [Aimed(0, sp("narbonensis"), INFANTRY, 4)]
    happened = play(state, (1, Aim(CAVALRY)), "5")
    assert of(happened, Aimed) == [Aimed(1, sp("narbonensis"), CAVALRY, 5)]
    play(state, (0, Retreat(sp("italia"))))
    assert army(state, "italia", 0) == (2, 0, 0) and where(state, G) == "italia"
    assert army(state, "narbonensis", 1) == (2, 0, 0) and where(state, FOE) == "narbonensis"
    assert owner(state, "narbonensis") == 1 and state.marker[1] == hispania

    happened = play(state, (0, Fight(DALMATIA, 2)), (0, Aim(CATAPULT)), "5")
    happened += play(state, (2, Aim(CAVALRY)), "3", (0, Stand()))
    happened += play(state, (0, Aim(CAVALRY)), "3", (2, Aim(CATAPULT)), "6", (0, Stand()))
    happened += play(state, (0, Aim(CAVALRY)), "3", (2, Aim(CATAPULT)), "6", (0, Stand()))
    assert [event.needed for event in of(happened, Aimed)] == [5, 5, 3, 6, 4, 6]
    assert [event.hits for event in of(happened, DiceFell)] == [1, 0, 1, 1, 0, 1]
    assert army(state, "dalmatia", 0) == (3, 2, 0) and army(state, "dalmatia", 2) == (4, 1, 0)
    assert owed(state) == (0,) and isinstance(top(state), Aiming)
    assert lead(state, 0, 2, DALMATIA) == lead(state, 2, 0, DALMATIA) == 0

    for _ in range(4):
        play(state, (0, Aim(INFANTRY)), "6")
        play(state, (2, Aim(INFANTRY)), "1", (0, Stand()))
    play(state, "6", (0, Judge(())))
    assert where(state, general(2)) == "prison 0"
    assert owner(state, "dalmatia") == 0
    assert state.marker == [40, hispania, macedonia - 5]
    assert state.talents[0] == 7 + 40
    play(state, (0, Offer(2, gives=(general(2),), takes=(general(0, 3),))), (2, Answer(True)))
    assert where(state, general(2)) == "macedonia" and where(state, general(0, 3)) == "italia"
    play(state, (0, Raze(sp("neapolis"))))
    assert state.marker[0] == 35 and state.talents[0] == 47
    play(state, (0, EndDestruction()), (0, Buy(catapults=1)))
    assert state.talents[0] == 7
    assert army(state, "italia", 0) == (2, 0, 1)
    assert owed(state) == (2,)


@pytest.mark.rule("MB-EX-03")
def test_example_a_naval_battle() -> None:
    state = at_sea((3, 0, 1), (0, 1, 0))
    happened = play(state, (0, Fight(ALEXANDRIA, 1)), "3")
    assert of(happened, Aimed) == [Aimed(0, ALEXANDRIA, CAVALRY, 3)]
    assert of(happened, Fell) == [Fell(1, ALEXANDRIA, (0, 1, 0))]
    happened = play(state, (1, Aim(CATAPULT)), "2")
    assert of(happened, Aimed)[0] == Aimed(1, ALEXANDRIA, CATAPULT, 6)
    happened += play(state, "2")
    assert of(happened, Aimed)[1] == Aimed(0, ALEXANDRIA, GALLEY, 2)
    assert of(happened, Sank) == [Sank(1, ALEXANDRIA, (ENEMY,))]
    play(state, (0, Judge(())))
    assert where(state, FOE) == "prison 0"
    assert state.cargo[SHIP] == (3, 0, 1) and where(state, G) == "aboard 0"
    assert supply(state, 1)[3] == 6
    assert BOARD.where(state.galley_at[SHIP]) == "Mare Alexandria"


def test_an_undecided_shot_has_a_default_target() -> None:
    state = battle((1, 0, 2), (2, 1, 1))
    fight(state)
    handler = MB1984.handlers[Aiming]
    assert handler.default(state, top(state), 0) == Aim(CATAPULT)
    play(state, (0, Aim(INFANTRY)), "1", (1, Aim(INFANTRY)), "1")
    assert MB1984.handlers[Onward].default(state, top(state), 0) == Stand()
    play(state, (0, Retreat(sp("italia"))))
    assert not any(isinstance(frame, Combat) for frame in state.frames)
