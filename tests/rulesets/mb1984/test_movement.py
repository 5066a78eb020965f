"""Action 1 on land: leaders, legions, marches, roads."""

from itertools import pairwise
from typing import Unpack

import pytest

from shared.board import BOARD
from shared.ids import GALLEY, NONE
from shared.mechanics.pieces import AT_SEA
from shared.rulesets.mb1984.actions import Aim, Buy, March
from shared.rulesets.mb1984.events import RoadsLost
from shared.rulesets.mb1984.frames import Aiming, Combat, Placement
from shared.rulesets.mb1984.table import State
from shared.vocabulary.actions import EndMovement, EndTurn, Fight, PlaceCity, PlaceRoad, Raze, Retreat, Stand
from shared.vocabulary.events import Captured, Conquered, Marched
from shared.vocabulary.frames import Onward, Purchase
from tests.support.layout import Layout, army, owner, prison, sail, sp, where
from tests.support.position1984 import (
    caesar,
    end_turn,
    galley,
    general,
    legal,
    march,
    options,
    play,
    position,
    refused,
    verdict,
)
from tests.support.referee import of, top

ITALY = ("italia", "hispania")
G, G2, G3 = general(0), general(0, 2), general(0, 3)
FOE = general(1)


def italy(units: tuple[int, int, int] = (6, 3, 1), *leaders: int, city: int = 0) -> State:
    return position(
        homes=ITALY, units={"italia": {0: units}}, leaders={"italia": leaders or (G, G2)}, built={"italia": city}
    )


# --- leaders and legions ---


@pytest.mark.rule("MB-LEAD-01", "MB-CITY-02")
def test_caesars_generals_and_cities_are_leaders() -> None:
    for level, leader in ((0, caesar(0)), (0, G), (1, None), (2, None)):
        state = position(
            owners={"sicilia": 0},
            units={"sicilia": {0: (7, 0, 0)}},
            leaders={"sicilia": [] if leader is None else [leader]},
            built={"sicilia": level},
        )
        assert army(state, "sicilia", 0) == (7, 0, 0)


@pytest.mark.rule("MB-LEAD-02", "MB-D03")
def test_units_are_never_left_without_a_leader() -> None:
    state = italy((5, 0, 0), G, G2)
    assert legal(state, 0, march("italia", "neapolis", (G, G2), 2))
    state = position(homes=ITALY, units={"neapolis": {0: (5, 0, 0)}}, leaders={"neapolis": [G]}, owners={"neapolis": 0})
    assert refused(state, 0, march("neapolis", "italia", G, 4)) == "MB-LEAD-02"
    assert refused(state, 0, march("neapolis", "italia", G)) == "MB-LEAD-02"
    assert legal(state, 0, march("neapolis", "italia", G, 5))


@pytest.mark.rule("MB-LEAD-03", "MB-LEGION-03")
def test_only_caesars_and_generals_move_units() -> None:
    state = position(
        homes=ITALY,
        owners={"neapolis": 0},
        built={"neapolis": 1},
        units={"neapolis": {0: (3, 0, 0)}},
        leaders={"italia": [G]},
    )
    assert refused(state, 0, March(sp("neapolis"), sp("italia"), (), 3)) == "MB-LEAD-03"
    assert refused(state, 0, march("neapolis", "italia", G, 3)) == "MB-LEAD-03"
    assert refused(state, 0, march("neapolis", "italia", 999, 3)) == "MB-LEAD-03"
    assert refused(state, 0, march("italia", "neapolis", (G, G))) == "MB-LEGION-02"
    play(state, (0, march("italia", "neapolis", G)), (0, march("neapolis", "italia", G, 3)))
    assert army(state, "italia", 0) == (3, 0, 0)


@pytest.mark.rule("MB-LEAD-04")
def test_leaders_move_two_territories() -> None:
    state = italy((0, 0, 0), G)
    play(state, (0, march("italia", "rhaetia", G)), (0, march("rhaetia", "germania", G)))
    assert where(state, G) == "germania"
    assert refused(state, 0, march("germania", "rhaetia", G)) == "MB-LEAD-04"
    play(state, (0, march("italia", "noricum", caesar(0), 0)), (0, march("noricum", "italia", caesar(0))))
    assert refused(state, 0, march("italia", "noricum", caesar(0))) == "MB-LEAD-04"


@pytest.mark.rule("MB-LEAD-04", "MB-D02", "MB-D06")
def test_a_lone_leader_is_stopped_by_two_territories_not_by_another_leader() -> None:
    state = position(homes=ITALY, leaders={"italia": [G], "rhaetia": [FOE], "germania": [general(1, 2)]})
    play(state, (0, march("italia", "rhaetia", G)), (0, march("rhaetia", "germania", G)))
    assert refused(state, 0, march("germania", "belgica", G)) == "MB-LEAD-04"


@pytest.mark.rule("MB-LEAD-05")
def test_leaders_never_fire_and_are_no_targets() -> None:
    state = position(
        homes=ITALY,
        units={"dalmatia": {0: (2, 0, 0), 1: (1, 1, 0)}},
        leaders={"dalmatia": [G, FOE]},
        owners={"dalmatia": 1},
        built={"dalmatia": 1},
        phase="combat",
    )
    play(state, (0, Fight(sp("dalmatia"), 1)))
    assert isinstance(top(state), Aiming)
    assert options(state, 0) == [Aim(0), Aim(1)]
    for kind in (2, 4, -1):
        assert refused(state, 0, Aim(kind)) == "MB-BATTLE-03"
    assert refused(state, 0, Aim(GALLEY)) == "MB-BATTLE-06"


@pytest.mark.rule("MB-LEAD-06", "MB-D48")
def test_a_leader_alone_conquers_nothing() -> None:
    state = position(homes=ITALY, leaders={"italia": [G]}, owners={"rhaetia": 1})
    play(state, (0, march("italia", "noricum", G)), (0, march("italia", "rhaetia", caesar(0))), (0, EndMovement()))
    assert owner(state, "noricum") == NONE
    assert owner(state, "rhaetia") == 1
    assert state.marker == [10, 15]


@pytest.mark.rule("MB-LEAD-07")
def test_leaders_of_a_lost_battle_are_captured() -> None:
    state = position(
        homes=ITALY,
        units={"dalmatia": {0: (1, 0, 0), 1: (1, 0, 0)}},
        leaders={"dalmatia": [G, G2, FOE]},
        owners={"dalmatia": 1},
        phase="combat",
    )
    happened = play(state, (0, Fight(sp("dalmatia"), 1)), "1", "4")
    assert of(happened, Captured) == [Captured(1, (G, G2))]
    assert where(state, G) == where(state, G2) == "prison 1"


@pytest.mark.rule("MB-LEAD-08")
def test_leaders_cannot_be_bought() -> None:
    state = position(phase="purchase", talents=[500, 0])
    assert Buy.__struct_fields__ == ("infantry", "cavalry", "catapults", "galleys", "cities", "fortifications")
    assert where(state, G) == "off"
    play(state, (0, Buy(infantry=7)))
    assert where(state, G) == "off"


@pytest.mark.rule("MB-LEGION-01")
@pytest.mark.parametrize(
    ("units", "ok"), [((0, 0, 1), True), ((4, 3, 0), True), ((7, 0, 0), True), ((5, 2, 1), False), ((8, 0, 0), False)]
)
def test_a_legion_is_a_leader_with_up_to_seven_units(units: tuple[int, int, int], ok: bool) -> None:
    state = italy((8, 3, 2), G, city=1)
    action = march("italia", "neapolis", G, *units)
    if ok:
        assert legal(state, 0, action)
    else:
        assert refused(state, 0, action) == "MB-LEGION-01"


@pytest.mark.rule("MB-LEGION-02", "MB-D04")
def test_seven_units_need_a_leader() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (14, 7, 0)}},
        leaders={"italia": [G, G2]},
        built={"italia": 1},
    )
    assert legal(state, 0, march("italia", "neapolis", (G, G2), 14))
    assert refused(state, 0, march("italia", "neapolis", (G, G2), 14, 1)) == "MB-LEGION-01"
    assert refused(state, 0, march("italia", "neapolis", (G, G2), 6)) == "MB-LEGION-02"
    no_limit = position(
        homes=ITALY,
        units={"italia": {0: (14, 10, 0)}},
        leaders={"italia": [G, G2]},
        built={"italia": 1},
        options={"city_limit": 1},
    )
    assert legal(no_limit, 0, march("italia", "neapolis", (G, G2), 6))


@pytest.mark.rule("MB-D04")
def test_the_home_holds_seven_units_for_each_leader_there() -> None:
    pieces = {"units": {"egyptus": {0: (12, 0, 0)}}, "built": {"egyptus": 2}, "talents": [400, 0]}
    state = position(phase="purchase", **pieces)  # type: ignore[arg-type]
    assert legal(state, 0, Buy(infantry=2))
    assert refused(state, 0, Buy(infantry=3)) == "MB-D04"
    assert refused(state, 0, Buy(infantry=1, cavalry=1, catapults=1)) == "MB-D04"
    no_limit = position(phase="purchase", options={"city_limit": 1}, **pieces)  # type: ignore[arg-type]
    assert legal(no_limit, 0, Buy(infantry=30))


# --- marching ---


def test_columns_that_are_listed_for_a_province() -> None:
    """Full and half loads with a general and with the Caesar, two legions together, each of both leaders alone."""
    state = italy((9, 2, 1), G, G2, city=1)
    listed = [action for action in options(state, 0) if isinstance(action, March) and action.to == sp("rhaetia")]
    columns = {(action.leaders, action.infantry, action.cavalry, action.catapults) for action in listed}
    guides, loads = ((caesar(0),), (G2,)), ((4, 2, 1), (3, 2, 1), (0, 0, 0))
    assert columns == {(guide, *load) for guide in guides for load in loads} | {((G, G2), 9, 2, 1)}


@pytest.mark.rule("MB-MOVE-01")
def test_movement_ends_before_combat_begins() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (7, 0, 0)}, "dalmatia": {1: (1, 0, 0)}, "noricum": {1: (1, 0, 0)}},
        leaders={"italia": [G, G2], "dalmatia": [FOE], "noricum": [general(1, 2)]},
        owners={"dalmatia": 1, "noricum": 1},
    )
    play(state, (0, march("italia", "dalmatia", G, 3)), (0, march("italia", "noricum", G2, 3)))
    assert army(state, "dalmatia", 0) == (3, 0, 0) and army(state, "dalmatia", 1) == (1, 0, 0)
    assert refused(state, 0, Fight(sp("dalmatia"), 1)) == "MB-TURN-01"
    play(state, (0, EndMovement()))
    assert isinstance(top(state), Combat)


@pytest.mark.rule("MB-MOVE-02", "MB-UNIT-01", "MB-UNIT-03")
def test_infantry_and_catapults_move_one_territory() -> None:
    state = italy((3, 0, 2), G, G2)
    play(state, (0, march("italia", "rhaetia", G, 2, 0, 1)))
    assert refused(state, 0, march("rhaetia", "germania", G, 1)) == "MB-MOVE-02"
    assert refused(state, 0, march("rhaetia", "germania", G, 0, 0, 1)) == "MB-MOVE-02"
    assert refused(state, 0, march("italia", "rhaetia", G2, 9)) == "MB-MOVE-02"


@pytest.mark.rule("MB-MOVE-03", "MB-UNIT-02", "MB-D05")
def test_a_legion_of_horse_moves_two_territories_and_conquers_both() -> None:
    state = italy((0, 3, 0), G)
    happened = play(state, (0, march("italia", "rhaetia", G, 0, 3)), (0, march("rhaetia", "germania", G, 0, 3, 0, 3)))
    assert [event.space for event in of(happened, Conquered)] == [sp("rhaetia"), sp("germania")]
    assert owner(state, "rhaetia") == owner(state, "germania") == 0
    assert army(state, "germania", 0) == (0, 3, 0)
    assert refused(state, 0, march("germania", "belgica", G, 0, 3)) == "MB-LEAD-04"


@pytest.mark.rule("MB-MOVE-03")
def test_horse_that_moved_twice_needs_rest_even_with_a_fresh_leader() -> None:
    state = position(homes=ITALY, units={"italia": {0: (0, 2, 0)}}, leaders={"italia": [G], "germania": [G2]})
    play(state, (0, march("italia", "rhaetia", G, 0, 2)))
    assert refused(state, 0, march("rhaetia", "germania", G, 0, 2)) == "MB-MOVE-03"
    assert refused(state, 0, march("rhaetia", "germania", G, 0, 2, 0, 3)) == "MB-MOVE-03"
    assert refused(state, 0, march("rhaetia", "germania", G, 0, 3, 0, 3)) == "MB-MOVE-02"
    play(state, (0, march("rhaetia", "germania", G, 0, 2, 0, 2)))
    assert refused(state, 0, march("germania", "belgica", G2, 0, 2)) == "MB-MOVE-03"
    assert refused(state, 0, march("germania", "belgica", G2, 0, 2, 0, 2)) == "MB-MOVE-03"


@pytest.mark.rule("MB-MOVE-04", "MB-D10")
def test_a_leader_drops_and_collects_units_on_its_way() -> None:
    state = position(
        homes=ITALY,
        owners={"neapolis": 0},
        built={"italia": 1, "neapolis": 1},
        units={"italia": {0: (4, 2, 0)}, "neapolis": {0: (2, 0, 1)}},
        leaders={"italia": [G]},
    )
    play(state, (0, march("italia", "neapolis", G, 4, 2)))
    play(state, (0, march("neapolis", "italia", G, 2, 2, 1, 2)))
    assert army(state, "neapolis", 0) == (4, 0, 0)
    assert army(state, "italia", 0) == (2, 2, 1)
    assert refused(state, 0, march("italia", "neapolis", caesar(0), 2)) == "MB-MOVE-02"


@pytest.mark.rule("MB-MOVE-05", "MB-D06", "MB-D07")
def test_a_legion_that_enters_a_combat_situation_stops() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (0, 4, 0)}, "rhaetia": {1: (1, 0, 0)}},
        leaders={"italia": [G, G2], "rhaetia": [FOE], "noricum": [general(1, 2)], "pannonia": [general(1, 3)]},
        owners={"rhaetia": 1, "noricum": 1, "dalmatia": 1},
    )
    play(state, (0, march("italia", "rhaetia", G, 0, 2)))
    assert refused(state, 0, march("rhaetia", "germania", G, 0, 2, 0, 2)) == "MB-MOVE-05"
    assert refused(state, 0, march("rhaetia", "italia", G)) == "MB-MOVE-05"
    play(state, (0, march("italia", "noricum", G2, 0, 1)))
    assert owner(state, "noricum") == 1
    assert refused(state, 0, march("noricum", "pannonia", G2, 0, 1, 0, 1)) == "MB-MOVE-05"
    play(state, (0, march("italia", "dalmatia", caesar(0), 0, 1)))
    assert owner(state, "dalmatia") == 0
    assert legal(state, 0, march("dalmatia", "moesia", caesar(0), 0, 1, 0, 1))


@pytest.mark.rule("MB-MOVE-05", "MB-D06")
def test_units_that_only_a_city_leads_stop_a_legion_too() -> None:
    state = position(
        homes=ITALY, units={"italia": {0: (0, 3, 0)}, "rhaetia": {1: (1, 0, 0)}}, leaders={"italia": [G]},
        owners={"rhaetia": 1}, built={"rhaetia": 1},
    )  # fmt: skip
    play(state, (0, march("italia", "rhaetia", G, 0, 3)))
    assert owner(state, "rhaetia") == 1 and state.leader_used[G] == 2
    assert refused(state, 0, march("rhaetia", "germania", G, 0, 3, 0, 3)) == "MB-MOVE-05"
    play(state, (0, EndMovement()))
    assert isinstance(top(state), Combat)


@pytest.mark.rule("MB-MOVE-05", "MB-D07")
def test_horse_that_met_an_enemy_is_not_led_on_by_a_general_who_stood_there() -> None:
    state = position(
        homes=ITALY, units={"italia": {0: (0, 3, 0)}}, leaders={"italia": [G], "rhaetia": [G2, FOE]},
        owners={"rhaetia": 0},
    )  # fmt: skip
    play(state, (0, march("italia", "rhaetia", G, 0, 3)))
    for tired in (0, 2):
        assert refused(state, 0, march("rhaetia", "germania", G2, 0, 2, 0, tired)) == "MB-MOVE-05"
    listed = [action for action in options(state, 0) if isinstance(action, March) and action.source == sp("rhaetia")]
    assert all(not action.cavalry for action in listed)


@pytest.mark.rule("MB-MOVE-06")
def test_nothing_moves_after_combat() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (2, 0, 0)}, "rhaetia": {0: (0, 3, 0), 1: (1, 0, 0)}},
        leaders={"italia": [G2], "rhaetia": [G, FOE]},
        owners={"rhaetia": 1},
        phase="combat",
        talents=[90, 0],
    )
    play(state, (0, Fight(sp("rhaetia"), 1)), "6")
    play(state, (0, options(state, 0)[0]))
    assert isinstance(top(state), Purchase)
    assert refused(state, 0, march("rhaetia", "germania", G, 0, 3)) == "MB-TURN-01"


@pytest.mark.rule("MB-MOVE-07")
def test_a_province_left_behind_stays_owned() -> None:
    state = italy((0, 2, 0), G)
    play(state, (0, march("italia", "rhaetia", G, 0, 2)), (0, march("rhaetia", "italia", G, 0, 2, 0, 2)))
    assert owner(state, "rhaetia") == 0
    assert state.marker[0] == 10 + BOARD.tribute[sp("rhaetia")]


@pytest.mark.rule("MB-MOVE-08")
def test_an_undefended_province_is_conquered_by_entering() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (3, 0, 0)}},
        leaders={"italia": [G, G2]},
        owners={"neapolis": 1},
        built={"neapolis": 1},
    )
    before = state.marker[:]
    happened = play(state, (0, march("italia", "neapolis", G, 1)), (0, march("italia", "rhaetia", G2, 1)))
    worth = BOARD.tribute[sp("neapolis")] + 5
    assert of(happened, Conquered) == [Conquered(0, sp("neapolis"), 1), Conquered(0, sp("rhaetia"), NONE)]
    assert state.marker == [before[0] + worth + BOARD.tribute[sp("rhaetia")], before[1] - worth]
    assert state.built[sp("neapolis")] == 1
    play(state, (0, EndMovement()))
    assert not isinstance(top(state), Combat)


# --- rulings ---


@pytest.mark.rule("MB-D01", "MB-D26")
def test_leaders_alone_are_captured_without_a_die_even_in_a_fortified_city() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (1, 0, 0)}},
        leaders={"italia": [G], "dalmatia": [FOE, general(1, 2)]},
        owners={"dalmatia": 1},
        built={"dalmatia": 2},
    )
    play(state, (0, march("italia", "dalmatia", G, 1)), (0, EndMovement()))
    assert owner(state, "dalmatia") == 1
    happened = play(state, (0, Fight(sp("dalmatia"), 1)))
    assert of(happened, Captured) == [Captured(0, (FOE, general(1, 2)))]
    assert owner(state, "dalmatia") == 0 and state.built[sp("dalmatia")] == 2


@pytest.mark.rule("MB-D02")
def test_a_lone_leader_passes_enemy_land_but_not_enemy_units() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (1, 0, 0)}, "noricum": {1: (1, 0, 0)}},
        leaders={"italia": [G, G2], "noricum": [FOE], "rhaetia": [general(1, 2)]},
        owners={"noricum": 1, "rhaetia": 1, "germania": 1},
    )
    assert refused(state, 0, march("italia", "noricum", G)) == "MB-D02"
    play(state, (0, march("italia", "rhaetia", G)), (0, march("rhaetia", "germania", G)))
    play(state, (0, march("italia", "rhaetia", caesar(0))), (0, EndMovement()))
    assert where(state, caesar(0)) == where(state, general(1, 2)) == "rhaetia"
    assert where(state, G) == "germania"
    assert isinstance(top(state), Purchase)
    state = position(
        homes=ITALY,
        units={"italia": {0: (1, 0, 0)}, "noricum": {1: (1, 0, 0)}},
        leaders={"italia": [G, G2], "noricum": [FOE]},
        owners={"noricum": 1},
    )
    told = verdict(state, 0, march("italia", "noricum", G))
    assert told is not None and told.text == "Units of Hispania are in Noricum; leaders alone cannot attack."


@pytest.mark.rule("MB-D02")
def test_a_lone_leader_joins_an_own_legion_that_is_already_in_a_battle() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (1, 0, 0)}, "noricum": {1: (2, 0, 0)}},
        leaders={"italia": [G, G2], "noricum": [FOE]},
        owners={"noricum": 1},
    )
    assert March(sp("italia"), sp("noricum"), (G2,)) not in options(state, 0)
    play(state, (0, march("italia", "noricum", G, 1)))
    assert March(sp("italia"), sp("noricum"), (G2,)) in options(state, 0)
    play(state, (0, march("italia", "noricum", G2)))
    assert where(state, G2) == "noricum"
    assert refused(state, 0, march("noricum", "italia", G2)) == "MB-MOVE-05"
    happened = play(state, (0, EndMovement()), (0, Fight(sp("noricum"), 1)), "1", "6")
    assert of(happened, Captured) == [Captured(1, (G, G2))], "he shares the fate of the legion"


@pytest.mark.rule("MB-D02")
def test_by_an_option_leaders_alone_join_no_legion_that_faces_an_enemy() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (2, 0, 0)}, "noricum": {1: (2, 0, 0)}, "rhaetia": {0: (1, 0, 0)}},
        leaders={"italia": [G, G2], "noricum": [FOE], "rhaetia": [general(0, 3)]},
        owners={"noricum": 1, "rhaetia": 0},
        options={"lone_leaders": 1},
    )
    play(state, (0, march("italia", "noricum", G, 1)))
    assert March(sp("italia"), sp("noricum"), (G2,)) not in options(state, 0)
    assert refused(state, 0, march("italia", "noricum", G2)) == "MB-D02"
    assert March(sp("italia"), sp("rhaetia"), (G2,)) in options(state, 0), "no enemy is there"
    play(state, (0, march("italia", "noricum", G2, 1)))
    assert where(state, G2) == "noricum", "with units they attack"


@pytest.mark.rule("MB-D08")
def test_allies_cannot_share_a_province() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (1, 0, 0)}, "noricum": {1: (1, 0, 0)}},
        leaders={"italia": [G], "noricum": [FOE]},
        owners={"noricum": 1},
    )
    play(state, (0, march("italia", "noricum", G, 1)), (0, EndMovement()))
    assert options(state, 0) == [Fight(sp("noricum"), 1)]
    assert refused(state, 0, EndTurn()) == "MB-TURN-01"


def test_an_enemy_leader_in_a_home_that_was_empty_is_captured_in_the_owners_next_combat() -> None:
    """It walked in before units were bought there."""
    state = position(
        homes=ITALY,
        leaders={"neapolis": [caesar(0)], "italia": [FOE]},
        phase="purchase",
        talents=[40, 0],
        built={"italia": 1},
    )
    play(state, (0, Buy(infantry=2)))
    end_turn(state, 1)
    play(state, (0, EndMovement()))
    assert options(state, 0) == [Fight(sp("italia"), 1)]
    play(state, (0, Fight(sp("italia"), 1)))
    assert where(state, FOE) == "prison 0"


# --- roads ---

ROAD = {"hispania": 1, "narbonensis": 1, "italia": 2, "neapolis": 1}


def roads(here: tuple[int, int, int] = (3, 3, 1), **more: Unpack[Layout]) -> State:
    """Return a position with roads from Hispania, where units are `here`, over Narbonensis to Italia."""
    setting: Layout = {
        "homes": ("italia", "egyptus"),
        "owners": {"hispania": 0, "narbonensis": 0, "neapolis": 0},
        "built": ROAD,
        "roads": [("hispania", "narbonensis"), ("narbonensis", "italia")],
        "units": {"hispania": {0: here}},
        "leaders": {"hispania": [G, G2]},
    }
    return position(**(setting | more))


@pytest.mark.rule("MB-ROAD-01", "MB-PLACE-04", "MB-UNIT-08")
def test_roads_are_built_free_between_own_cities_in_adjacent_provinces() -> None:
    state = position(
        homes=("italia", "egyptus"),
        owners={"neapolis": 0, "rhaetia": 0, "noricum": 0, "dalmatia": 1, "hispania": 0},
        built={"italia": 2, "rhaetia": 1, "noricum": 1, "dalmatia": 1, "hispania": 1},
        phase="purchase",
        talents=[30, 0],
    )
    play(state, (0, Buy(cities=1)))
    assert state.talents[0] == 0
    assert refused(state, 0, PlaceRoad(sp("italia"), sp("neapolis"))) == "MB-ROAD-01"
    play(state, (0, PlaceCity(sp("neapolis"))))
    play(state, (0, PlaceRoad(sp("italia"), sp("neapolis"))), (0, PlaceRoad(sp("rhaetia"), sp("italia"))))
    assert len(state.roads) == 2 and state.talents[0] == 0
    assert refused(state, 0, PlaceRoad(sp("italia"), sp("rhaetia"))) == "MB-PLACE-04"
    assert refused(state, 0, PlaceRoad(sp("italia"), sp("dalmatia"))) == "MB-ROAD-01"
    assert refused(state, 0, PlaceRoad(sp("italia"), sp("hispania"))) == "MB-ROAD-01"
    play(state, (0, EndTurn()))


@pytest.mark.rule("MB-ROAD-02")
def test_roads_do_not_cross_water() -> None:
    state = position(
        homes=("italia", "egyptus"),
        owners={"neapolis": 0, "sicilia": 0},
        built={"italia": 1, "neapolis": 1, "sicilia": 1},
        phase="placement",
    )
    assert isinstance(top(state), Placement)
    assert refused(state, 0, PlaceRoad(sp("neapolis"), sp("sicilia"))) == "MB-ROAD-02"


@pytest.mark.rule("MB-ROAD-03", "MB-D11")
def test_a_road_trip_is_one_movement_whatever_the_distance() -> None:
    state = roads()
    happened = play(state, (0, march("hispania", "italia", G, 3, 3, 1)))
    assert of(happened, Marched)[0].road
    assert state.leader_used[G] == 1
    assert army(state, "italia", 0) == (3, 3, 1)
    assert legal(roads(), 0, march("hispania", "narbonensis", G, 3))
    assert refused(roads(), 0, march("hispania", "neapolis", G, 3)) == "MB-ROAD-03"


@pytest.mark.rule("MB-ROAD-04")
def test_infantry_uses_a_road_only_from_where_it_begins() -> None:
    state = roads(
        owners={"hispania": 0, "narbonensis": 0, "aquitania": 0},
        units={"aquitania": {0: (2, 0, 1)}, "hispania": {0: (1, 0, 0)}},
        leaders={"aquitania": [G], "hispania": [G2]},
    )
    play(state, (0, march("aquitania", "hispania", G, 2, 0, 1)))
    assert refused(state, 0, march("hispania", "italia", G, 3)) == "MB-MOVE-02"
    assert refused(state, 0, march("hispania", "italia", G, 0, 0, 1)) == "MB-MOVE-02"
    play(state, (0, march("hispania", "italia", G2, 1)))
    assert refused(state, 0, march("italia", "rhaetia", G2, 1)) == "MB-MOVE-02"


@pytest.mark.rule("MB-ROAD-05")
def test_cavalry_steps_and_rides_or_rides_and_steps() -> None:
    state = roads((0, 2, 0))
    play(state, (0, march("hispania", "italia", G, 0, 2)), (0, march("italia", "rhaetia", G, 0, 2, 0, 2)))
    assert army(state, "rhaetia", 0) == (0, 2, 0)
    state = roads(
        owners={"hispania": 0, "narbonensis": 0, "aquitania": 0},
        units={"aquitania": {0: (0, 2, 0)}},
        leaders={"aquitania": [G]},
    )
    play(state, (0, march("aquitania", "hispania", G, 0, 2)), (0, march("hispania", "italia", G, 0, 2, 0, 2)))
    assert army(state, "italia", 0) == (0, 2, 0)


@pytest.mark.rule("MB-ROAD-06")
def test_roads_of_other_players_cannot_be_used() -> None:
    state = roads(turn=1, units={}, leaders={"hispania": [FOE]})
    assert refused(state, 1, march("hispania", "italia", FOE)) == "MB-MAP-02"
    assert legal(state, 1, march("hispania", "narbonensis", FOE))


@pytest.mark.rule("MB-ROAD-07")
def test_roads_to_a_conquered_city_are_removed() -> None:
    state = roads(
        turn=1,
        owners={"hispania": 0, "narbonensis": 0, "aquitania": 1, "neapolis": 0},
        roads=[("hispania", "narbonensis"), ("narbonensis", "italia"), ("italia", "neapolis")],
        units={"aquitania": {1: (1, 0, 0)}},
        leaders={"aquitania": [FOE]},
    )
    happened = play(state, (1, march("aquitania", "narbonensis", FOE, 1)))
    assert len(of(happened, RoadsLost)[0].roads) == 2
    assert [BOARD.edges[road] for road in state.roads] == [tuple(sorted((sp("italia"), sp("neapolis"))))]


@pytest.mark.rule("MB-ROAD-07")
def test_roads_to_a_destroyed_city_are_removed() -> None:
    state = roads(roads=[("hispania", "narbonensis"), ("italia", "neapolis")], phase="destruction", units={})
    play(state, (0, Raze(sp("narbonensis"))))
    assert len(state.roads) == 1


@pytest.mark.rule("MB-D12")
def test_short_and_long_roads_are_one_supply() -> None:
    links = [(BOARD.keys[a], BOARD.keys[b]) for a, b in BOARD.edges]
    names = [key for key in BOARD.keys[: BOARD.provinces] if key != "hispania"]
    cities = [key for key in names if any(key in link for link in links)][:30]
    inside = [link for link in links if link[0] in cities and link[1] in cities]
    assert len(inside) > 34
    state = position(
        owners=dict.fromkeys(names, 0), built=dict.fromkeys(cities, 1), roads=inside[:33], phase="placement",
        leaders={prison(0): [FOE]},
    )  # fmt: skip
    (a, b), (c, d) = inside[34], inside[35]
    assert legal(state, 0, PlaceRoad(sp(c), sp(d)))
    play(state, (0, PlaceRoad(sp(a), sp(b))))
    assert len(state.roads) == 34
    assert refused(state, 0, PlaceRoad(sp(c), sp(d))) == "MB-D12"
    assert not [action for action in options(state, 0) if isinstance(action, PlaceRoad)]


# --- worked examples ---


@pytest.mark.rule("MB-MOVE-EX1")
def test_example_a_leader_leaves_infantry_in_a_city_and_returns_alone() -> None:
    state = position(
        homes=ITALY, owners={"neapolis": 0}, built={"neapolis": 1}, units={"italia": {0: (3, 0, 0)}},
        leaders={"italia": [G]},
    )  # fmt: skip
    play(state, (0, march("italia", "neapolis", G, 3)), (0, march("neapolis", "italia", G)))
    assert army(state, "neapolis", 0) == (3, 0, 0) and where(state, G) == "italia"
    pieces = {"units": {"italia": {0: (3, 0, 0)}}, "leaders": {"italia": [G]}}
    open_field = position(homes=ITALY, owners={"neapolis": 0}, **pieces)  # type: ignore[arg-type]
    play(open_field, (0, march("italia", "neapolis", G, 3)))
    assert refused(open_field, 0, march("neapolis", "italia", G)) == "MB-LEAD-02"


@pytest.mark.rule("MB-MOVE-EX2")
def test_example_a_leader_leaves_infantry_in_a_city_and_goes_on_with_cavalry() -> None:
    state = position(
        homes=ITALY, owners={"dalmatia": 0}, built={"dalmatia": 1}, units={"italia": {0: (3, 2, 0)}},
        leaders={"italia": [G]},
    )  # fmt: skip
    play(state, (0, march("italia", "dalmatia", G, 3, 2)), (0, march("dalmatia", "moesia", G, 0, 2, 0, 2)))
    assert army(state, "dalmatia", 0) == (3, 0, 0)
    assert army(state, "moesia", 0) == (0, 2, 0) and where(state, G) == "moesia"


@pytest.mark.rule("MB-MOVE-EX3")
def test_example_changing_horses_by_road_before_an_attack() -> None:
    """A general takes over another general's cavalry, rides four provinces, takes the units that wait there, and
    attacks."""
    cities = dict.fromkeys(("hispania", "narbonensis", "italia", "dalmatia", "macedonia"), 1)
    state = position(
        homes=("hispania", "egyptus"),
        owners=dict.fromkeys(cities, 0) | {"thracia": 1},
        built=cities,
        roads=list(pairwise(cities)),
        units={"hispania": {0: (4, 3, 0)}, "macedonia": {0: (4, 0, 2)}, "thracia": {1: (2, 0, 0)}},
        leaders={"hispania": [G, G2], "thracia": [FOE]},
    )
    play(state, (0, march("hispania", "macedonia", G, 0, 3)))
    play(state, (0, march("macedonia", "thracia", G, 4, 0, 2)))
    assert army(state, "hispania", 0) == (4, 0, 0) and where(state, G2) == "hispania"
    assert army(state, "macedonia", 0) == (0, 3, 0)
    assert army(state, "thracia", 0) == (4, 0, 2) and where(state, G) == "thracia"
    play(state, (0, EndMovement()))
    assert options(state, 0) == [Fight(sp("thracia"), 1)]


@pytest.mark.rule("MB-ROAD-EX1")
def test_example_along_the_african_road() -> None:
    cities = dict.fromkeys(("tingitana", "caesariensis", "numidia"), 1)
    state = position(
        homes=("numidia", "egyptus"),
        owners=dict.fromkeys(cities, 0),
        built=cities,
        roads=[("tingitana", "caesariensis"), ("caesariensis", "numidia")],
        units={"numidia": {0: (5, 0, 1)}},
        leaders={"numidia": [G]},
    )
    play(state, (0, march("numidia", "tingitana", G, 5, 0, 1)))
    assert army(state, "tingitana", 0) == (5, 0, 1) and state.leader_used[G] == 1


@pytest.mark.rule("MB-ROAD-EX2")
def test_example_a_road_from_hispania_to_italia() -> None:
    cities = dict.fromkeys(("hispania", "narbonensis", "italia"), 1)
    state = position(homes=("italia", "egyptus"), owners=dict.fromkeys(cities, 0), built=cities, phase="placement")
    play(state, (0, PlaceRoad(sp("hispania"), sp("narbonensis"))))
    play(state, (0, PlaceRoad(sp("narbonensis"), sp("italia"))))
    assert len(state.roads) == 2


def test_a_leader_that_went_by_sea_does_not_march() -> None:
    state = position(
        homes=ITALY, galleys={galley(0): "italia:west"}, units={"italia": {0: (3, 0, 0)}}, leaders={"italia": [G]}
    )
    play(state, (0, sail(galley(0), "mare_tyrrhenum", G, 2)), (0, sail(galley(0), "neapolis")))
    assert state.leader_used[G] == AT_SEA and owner(state, "neapolis") == 0
    assert refused(state, 0, march("neapolis", "italia", G, 2)) == "MB-SEA-06"


def test_fighting_on_and_retreating_are_asked_only_where_a_retreat_is_possible() -> None:
    state = position(
        homes=ITALY,
        units={"dalmatia": {0: (2, 0, 0), 1: (2, 0, 0)}},
        leaders={"dalmatia": [G, FOE]},
        owners={"dalmatia": 1},
        phase="combat",
    )
    play(state, (0, Fight(sp("dalmatia"), 1)), "1", "1")
    assert isinstance(top(state), Onward)
    assert options(state, 0) == [Stand(), Retreat(sp("italia"))]
