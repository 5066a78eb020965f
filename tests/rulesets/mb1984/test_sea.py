"""Action 1 at sea: galleys, coasts, cargo."""

import pytest

from shared.board import BOARD
from shared.ids import NATURE, NONE
from shared.mechanics.pieces import AT_SEA, OFF
from shared.rulesets.mb1984.actions import Aim, Buy
from shared.rulesets.mb1984.frames import Battle, Combat
from shared.rulesets.mb1984.table import State
from shared.vocabulary.actions import EndMovement, Fight, Judge, PlaceGalley, Sail
from shared.vocabulary.events import Conquered, Sailed, Sank
from shared.vocabulary.frames import Purchase
from tests.support.layout import aboard, army, coast, owner, sail, sp, where
from tests.support.position1984 import (
    caesar,
    end_turn,
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

SPAIN = ("hispania", "egyptus")
G, G2, FOE = general(0), general(0, 2), general(1)
SHIP, SHIP2, ENEMY = galley(0), galley(0, 1), galley(1)


def spain(where_: str = "hispania:east", units: tuple[int, int, int] = (4, 1, 1), **more: object) -> State:
    return position(
        homes=SPAIN,
        galleys={SHIP: where_},
        units={"hispania": {0: units}},
        leaders={"hispania": [G, G2]},
        **more,  # type: ignore[arg-type]
    )


def at(state: State, number: int) -> str:
    return BOARD.where(state.galley_at[number])


@pytest.mark.rule("MB-SEA-01", "MB-UNIT-04")
def test_a_galley_moves_twice() -> None:
    state = spain()
    assert refused(state, 0, sail(SHIP, "mare_numidia")) == "MB-SEA-01"
    assert refused(state, 0, sail(ENEMY, "mare_narbo")) == "MB-SEA-01"
    assert refused(state, 0, sail(SHIP2, "mare_narbo")) == "MB-SEA-01"
    play(state, (0, sail(SHIP, "mare_balaricum")))
    assert refused(state, 0, sail(SHIP, "mare_libycum")) == "MB-SEA-01"
    play(state, (0, sail(SHIP, "mare_numidia")))
    assert refused(state, 0, sail(SHIP, "mare_balaricum")) == "MB-SEA-01"


@pytest.mark.rule("MB-SEA-02")
def test_the_patterns_of_two_movements_with_a_legion() -> None:
    state = spain()
    play(state, (0, sail(SHIP, "mare_narbo", G, 2)), (0, sail(SHIP, "mare_tyrrhenum")))
    assert where(state, G) == "aboard 0" and state.cargo[SHIP] == (2, 0, 0)
    state = spain()
    play(state, (0, sail(SHIP, "mare_narbo", G, 2)), (0, sail(SHIP, "narbonensis")))
    assert army(state, "narbonensis", 0) == (2, 0, 0)

    def afloat(zone: str) -> State:
        return position(
            homes=SPAIN,
            galleys={SHIP: zone},
            cargo={SHIP: (2, 0, 0)},
            leaders={aboard(SHIP): [G], "hispania": [G2]},
            units={"hispania": {0: (3, 0, 0)}},
        )

    state = afloat("mare_numidia")
    play(state, (0, sail(SHIP, "mare_balaricum")), (0, sail(SHIP, "hispania:east")))
    assert army(state, "hispania", 0) == (5, 0, 0)
    state = afloat("mare_balaricum")
    play(state, (0, sail(SHIP, "hispania:east")), (0, sail(SHIP, "mare_balaricum", (G, G2), 5)))
    assert state.cargo[SHIP] == (5, 0, 0) and army(state, "hispania", 0) == (0, 0, 0)
    state = afloat("mare_numidia")
    play(state, (0, sail(SHIP, "mare_balaricum")), (0, sail(SHIP, "mare_hispalis")))
    assert at(state, SHIP) == "Mare Hispalis"


@pytest.mark.rule("MB-SEA-03")
def test_after_two_sea_zones_a_galley_cannot_land() -> None:
    state = spain("mare_narbo")
    play(state, (0, sail(SHIP, "mare_balaricum")), (0, sail(SHIP, "mare_numidia")))
    assert refused(state, 0, sail(SHIP, "caesariensis")) == "MB-SEA-03"
    state = spain()
    play(state, (0, sail(SHIP, "mare_balaricum")), (0, sail(SHIP, "mare_numidia")))
    assert refused(state, 0, sail(SHIP, "caesariensis")) == "MB-SEA-03"


@pytest.mark.rule("MB-SEA-04", "MB-D36")
def test_a_galley_carries_one_legion_of_any_number_of_leaders() -> None:
    state = spain(units=(8, 2, 2), built={"hispania": 1})
    assert refused(state, 0, sail(SHIP, "mare_narbo", G, 8)) == "MB-SEA-04"
    assert refused(state, 0, sail(SHIP, "mare_narbo", (G, G2), 5, 2, 1)) == "MB-SEA-04"
    assert refused(state, 0, sail(SHIP, "mare_narbo", (G, G))) == "MB-SEA-04"
    assert legal(state, 0, sail(SHIP, "mare_narbo", (G, G2, caesar(0)), 5, 0, 2))
    one = spain(units=(8, 2, 2), built={"hispania": 1}, options={"galley_leaders": 1})
    assert refused(one, 0, sail(SHIP, "mare_narbo", (G, G2), 5)) == "MB-D36"
    assert legal(one, 0, sail(SHIP, "mare_narbo", G, 7))


@pytest.mark.rule("MB-SEA-05")
def test_units_aboard_need_a_leader_but_a_galley_does_not() -> None:
    state = spain()
    assert refused(state, 0, sail(SHIP, "mare_narbo", (), 1)) == "MB-SEA-05"
    assert refused(state, 0, sail(SHIP, "mare_narbo", FOE, 1)) == "MB-SEA-05"
    play(state, (0, sail(SHIP, "mare_narbo")))
    assert refused(state, 0, sail(SHIP, "mare_balaricum", G)) == "MB-SEA-07"


@pytest.mark.rule("MB-SEA-05", "MB-LEAD-02")
def test_boarding_leaves_no_units_without_a_leader() -> None:
    state = position(
        homes=SPAIN, galleys={SHIP: "hispania:east"}, units={"hispania": {0: (4, 0, 0)}},
        leaders={"lusitania": [caesar(0)], "hispania": [G]},
    )  # fmt: skip
    assert refused(state, 0, sail(SHIP, "mare_narbo", G, 2)) == "MB-LEAD-02"
    assert legal(state, 0, sail(SHIP, "mare_narbo", G, 4))


@pytest.mark.rule("MB-SEA-06")
def test_a_legion_moves_on_land_or_by_sea_in_one_turn() -> None:
    state = position(
        homes=SPAIN,
        galleys={SHIP: "hispania:east"},
        units={"hispania": {0: (1, 0, 0)}, "lusitania": {0: (2, 2, 0)}},
        leaders={"lusitania": [G], "hispania": [G2]},
        owners={"lusitania": 0},
    )
    play(state, (0, march("lusitania", "hispania", G, 2, 2)))
    assert refused(state, 0, sail(SHIP, "mare_narbo", G, 1)) == "MB-SEA-06"
    assert refused(state, 0, sail(SHIP, "mare_narbo", G2, 2)) == "MB-SEA-06"
    assert refused(state, 0, sail(SHIP, "mare_narbo", G2, 0, 1)) == "MB-SEA-06"
    play(state, (0, sail(SHIP, "mare_narbo", G2, 1)), (0, sail(SHIP, "narbonensis")))
    assert refused(state, 0, march("narbonensis", "italia", G2, 1)) == "MB-SEA-06"
    end_turn(state, 0)
    end_turn(state, 1)
    assert legal(state, 0, march("narbonensis", "italia", G2, 1))


@pytest.mark.rule("MB-SEA-06")
def test_landed_units_do_not_board_another_galley() -> None:
    state = position(
        homes=SPAIN,
        galleys={SHIP: "mare_narbo", SHIP2: "hispania:east"},
        cargo={SHIP: (2, 0, 0)},
        leaders={aboard(SHIP): [G], "hispania": [G2]},
    )
    play(state, (0, sail(SHIP, "hispania:east")))
    assert refused(state, 0, sail(SHIP2, "mare_balaricum", G)) == "MB-SEA-06"
    assert refused(state, 0, sail(SHIP2, "mare_balaricum", G2, 2)) == "MB-SEA-06"
    assert legal(state, 0, sail(SHIP, "mare_narbo", G, 2))
    play(state, (0, sail(SHIP, "mare_narbo", G2, 1)))
    assert state.landed[sp("hispania")] == (1, 0, 0)
    assert refused(state, 0, march("hispania", "lusitania", caesar(0), 1)) == "MB-SEA-06"


@pytest.mark.rule("MB-SEA-07")
def test_a_legion_at_sea_is_aboard() -> None:
    state = spain()
    assert refused(state, 0, march("hispania", "mare_narbo", G, 1)) == "MB-SEA-07"
    play(state, (0, sail(SHIP, "mare_narbo", G, 3)))
    assert state.cargo[SHIP] == (3, 0, 0) and where(state, G) == "aboard 0"
    assert state.leader_used[G] == AT_SEA


@pytest.mark.rule("MB-SEA-08", "MB-D17")
def test_a_galley_that_began_on_a_coast_leaves_into_any_zone_of_it() -> None:
    state = spain()
    for zone in ("mare_narbo", "mare_balaricum"):
        assert legal(state, 0, sail(SHIP, zone))
    state = position(homes=("numidia", "egyptus"), galleys={SHIP: "caesariensis"})
    zones = [BOARD.keys[zone] for zone in BOARD.coast_seas[sp("caesariensis")]]
    assert len(zones) > 1
    for zone in zones:
        assert legal(state, 0, sail(SHIP, zone))


@pytest.mark.rule("MB-SEA-09", "MB-D17")
@pytest.mark.parametrize(
    ("shore", "closed"),
    [
        ("hispania:east", ["mare_cantabricum"]),
        ("hispania:north", ["mare_balaricum", "mare_narbo"]),
        ("italia:adriatic", ["mare_narbo", "mare_tyrrhenum"]),
        ("italia:west", ["mare_adriatico"]),
        ("macedonia:east", ["mare_epirus"]),
        ("macedonia:west", ["mare_aegaeum"]),
    ],
)
def test_broken_coasts(shore: str, closed: list[str]) -> None:
    key = shore.split(":")[0]
    state = position(homes=(key, "egyptus"), galleys={SHIP: shore})
    for zone in closed:
        assert refused(state, 0, sail(SHIP, zone)) == "MB-SEA-09"
    for space in BOARD.coast_seas[coast(shore)]:
        assert legal(state, 0, sail(SHIP, BOARD.keys[space]))


@pytest.mark.rule("MB-SEA-10")
def test_a_galley_that_docked_sails_back_only_to_where_it_came_from() -> None:
    state = spain("mare_narbo")
    play(state, (0, sail(SHIP, "hispania:east")))
    assert refused(state, 0, sail(SHIP, "mare_balaricum", G, 1)) == "MB-SEA-10"
    listed = [action.to for action in options(state, 0) if isinstance(action, Sail)]
    assert set(listed) == {sp("mare_narbo")}
    play(state, (0, sail(SHIP, "mare_narbo", G, 1)))
    assert at(state, SHIP) == "Mare Narbo"
    state = spain("mare_narbo")
    play(state, (0, sail(SHIP, "hispania:east")))
    end_turn(state, 0)
    end_turn(state, 1)
    assert legal(state, 0, sail(SHIP, "mare_balaricum"))


@pytest.mark.rule("MB-SEA-11", "MB-SEA-EX2")
def test_no_galley_moves_from_coast_to_coast() -> None:
    state = position(homes=("numidia", "egyptus"), galleys={SHIP: "caesariensis"})
    assert refused(state, 0, sail(SHIP, "numidia")) == "MB-SEA-11"


@pytest.mark.rule("MB-SEA-12")
def test_a_galley_carries_a_legion_over_the_narrows() -> None:
    state = position(
        homes=SPAIN, galleys={SHIP: "baetica"}, owners={"baetica": 0}, units={"baetica": {0: (2, 0, 0)}},
        leaders={"baetica": [G]},
    )  # fmt: skip
    play(state, (0, sail(SHIP, "mare_hispalis", G, 2)), (0, sail(SHIP, "tingitana")))
    assert owner(state, "tingitana") == 0


@pytest.mark.rule("MB-SEA-13")
def test_galleys_are_no_part_of_a_legion() -> None:
    state = spain(units=(7, 0, 0))
    assert legal(state, 0, march("hispania", "lusitania", G, 7))
    assert legal(state, 0, sail(SHIP, "mare_narbo"))
    crowd = position(homes=SPAIN, galleys={galley(0, k): "hispania:east" for k in range(6)})
    assert legal(crowd, 0, sail(SHIP, "mare_narbo"))


@pytest.mark.rule("MB-SEA-EX1", "MB-D18")
def test_example_two_turns_along_the_african_coast() -> None:
    state = spain()
    play(state, (0, sail(SHIP, "mare_balaricum", G, 3)), (0, sail(SHIP, "caesariensis")))
    assert army(state, "caesariensis", 0) == (3, 0, 0) and owner(state, "caesariensis") == 0
    end_turn(state, 0)
    end_turn(state, 1)
    happened = play(state, (0, sail(SHIP, "mare_numidia", G, 3)), (0, sail(SHIP, "sicilia")))
    assert len(of(happened, Sailed)) == 2
    assert army(state, "sicilia", 0) == (3, 0, 0) and owner(state, "sicilia") == 0


# --- rulings ---


@pytest.mark.rule("MB-D13", "MB-NAVAL-01")
def test_meeting_enemy_galleys_stops_a_galley_and_makes_a_battle() -> None:
    state = spain(units=(2, 0, 0))
    state.galley_at[ENEMY] = sp("mare_narbo")
    play(state, (0, sail(SHIP, "mare_narbo")))
    assert refused(state, 0, sail(SHIP, "mare_balaricum")) == "MB-D13"
    told = verdict(state, 0, sail(SHIP, "narbonensis"))
    assert told is not None and told.rule == "MB-D13" and "Galleys of Egyptus" in told.text
    play(state, (0, EndMovement()))
    assert options(state, 0) == [Fight(sp("mare_narbo"), 1)]
    assert isinstance(top(state), Combat)


@pytest.mark.rule("MB-D14")
def test_there_is_no_battle_between_galleys_on_a_coast() -> None:
    state = position(homes=SPAIN, galleys={SHIP: "mare_numidia", ENEMY: "sicilia"})
    play(state, (0, sail(SHIP, "sicilia")), (0, EndMovement()))
    assert not isinstance(top(state), Combat)
    assert at(state, SHIP) == at(state, ENEMY) == "Sicilia"


@pytest.mark.rule("MB-D15")
def test_only_a_legion_lands_on_an_enemy_coast() -> None:
    state = position(
        homes=SPAIN,
        galleys={SHIP: "mare_numidia", SHIP2: "mare_numidia", galley(0, 2): "mare_numidia"},
        cargo={SHIP2: (1, 0, 0)},
        leaders={aboard(SHIP2): [G], aboard(galley(0, 2)): [G2], "sicilia": [FOE]},
        owners={"sicilia": 1, "caesariensis": 1},
        units={"sicilia": {1: (1, 0, 0)}},
    )
    assert refused(state, 0, sail(SHIP, "sicilia")) == "MB-D15"
    assert refused(state, 0, sail(galley(0, 2), "sicilia")) == "MB-D02"
    assert refused(state, 0, sail(galley(0, 2), "caesariensis")) == "MB-D15"
    assert legal(state, 0, sail(SHIP, "baleares"))
    assert legal(state, 0, sail(galley(0, 2), "baleares"))
    play(state, (0, sail(SHIP2, "sicilia")))
    assert legal(state, 0, sail(SHIP, "sicilia"))
    play(state, (0, sail(galley(0, 2), "sicilia")))
    assert where(state, G2) == "sicilia", "a lone leader joins his legion in its battle, also from the sea"


@pytest.mark.rule("MB-D15")
def test_option_lets_an_empty_galley_land_on_an_undefended_coast() -> None:
    pieces = {
        "galleys": {SHIP: "mare_numidia", SHIP2: "mare_numidia"},
        "leaders": {aboard(SHIP2): [G], "caesariensis": [FOE], "sicilia": [general(1, 2)]},
        "owners": {"sicilia": 1, "caesariensis": 1},
        "units": {"sicilia": {1: (1, 0, 0)}},
    }
    strict, free = (position(homes=SPAIN, options={"enemy_coasts": n}, **pieces) for n in (0, 1))  # type: ignore[arg-type]
    for ship in (SHIP, SHIP2):
        assert refused(strict, 0, sail(ship, "caesariensis")) == "MB-D15"
        assert Sail(ship, sp("caesariensis")) in options(free, 0)
    assert refused(free, 0, sail(SHIP, "sicilia")) == "MB-D15"
    assert refused(free, 0, sail(SHIP2, "sicilia")) == "MB-D02"
    play(free, (0, sail(SHIP, "caesariensis")), (0, sail(SHIP2, "caesariensis")), (0, EndMovement()))
    assert where(free, G) == where(free, FOE) == "caesariensis", "leaders who stand alone coexist"
    assert owner(free, "caesariensis") == 1 and isinstance(top(free), Purchase), "there is no battle"


@pytest.mark.rule("MB-D15", "MB-WIN-04")
def test_a_galley_that_lies_on_an_enemy_coast_is_lost_with_the_leaders_it_brought() -> None:
    state = position(
        homes=SPAIN, options={"enemy_coasts": 1}, turn=1,
        galleys={SHIP: "sicilia", SHIP2: "creta", ENEMY: "mare_tyrrhenum"},
        leaders={"sicilia": [G], "neapolis": [FOE], aboard(ENEMY): [general(1, 2)]}, cargo={ENEMY: (1, 0, 0)},
        owners={"sicilia": 1, "neapolis": 1, "creta": 1}, units={"neapolis": {1: (1, 0, 0)}},
    )  # fmt: skip
    play(state, (1, sail(ENEMY, "sicilia")), (1, EndMovement()))
    happened = play(state, (1, Fight(sp("sicilia"), 0)), (1, Judge(())))
    assert where(state, G) == "prison 1"
    assert of(happened, Sank) == [Sank(0, sp("sicilia"), (SHIP,))]
    assert at(state, SHIP2) == "Creta"


@pytest.mark.rule("MB-D16")
def test_a_legion_is_ashore_as_soon_as_it_lands() -> None:
    state = spain()
    play(state, (0, sail(SHIP, "mare_narbo", G, 3)), (0, sail(SHIP, "corsica")))
    assert where(state, G) == "corsica" and army(state, "corsica", 0) == (3, 0, 0)
    assert state.cargo[SHIP] == ()


@pytest.mark.rule("MB-D20")
def test_galleys_on_the_coast_of_an_undefended_province_are_destroyed() -> None:
    state = position(
        homes=SPAIN, galleys={ENEMY: "narbonensis"}, owners={"narbonensis": 1}, units={"hispania": {0: (1, 0, 0)}},
        leaders={"hispania": [G]},
    )  # fmt: skip
    happened = play(state, (0, march("hispania", "narbonensis", G, 1)))
    assert of(happened, Sank) == [Sank(1, sp("narbonensis"), (ENEMY,))]
    assert state.galley_at[ENEMY] == OFF


@pytest.mark.rule("MB-PLACE-02")
def test_new_galleys_lie_on_any_coast_of_the_home() -> None:
    state = position(homes=SPAIN, owners={"lusitania": 0}, phase="purchase", talents=[150, 0])
    assert isinstance(top(state), Purchase)
    play(state, (0, Buy(galleys=2)))
    assert refused(state, 0, PlaceGalley(sp("lusitania"))) == "MB-PLACE-02"
    assert refused(state, 0, PlaceGalley(sp("mare_narbo"))) == "MB-PLACE-02"
    play(state, (0, PlaceGalley(coast("hispania:east"))), (0, PlaceGalley(coast("hispania:north"))))
    assert sorted(state.galley_at[:2]) == sorted((coast("hispania:east"), coast("hispania:north")))
    assert owed(state) == (1,)


def test_landing_where_an_enemy_leader_stands_is_a_combat_situation() -> None:
    state = position(
        homes=SPAIN,
        galleys={SHIP: "mare_narbo"},
        cargo={SHIP: (2, 0, 0)},
        leaders={aboard(SHIP): [G], "corsica": [FOE]},
    )
    happened = play(state, (0, sail(SHIP, "corsica")))
    assert not of(happened, Conquered) and owner(state, "corsica") == NONE
    assert refused(state, 0, sail(SHIP, "mare_narbo", G, 2)) == "MB-MOVE-05"
    assert refused(state, 0, march("corsica", "sardinia", G, 2)) == "MB-SEA-06"
    play(state, (0, sail(SHIP, "mare_narbo")), (0, EndMovement()))
    play(state, (0, Fight(sp("corsica"), 1)))
    assert owner(state, "corsica") == 0 and where(state, FOE) == "prison 0"


@pytest.mark.rule("MB-MOVE-05", "MB-SEA-06")
def test_a_legion_landed_beside_an_enemy_leader_does_not_board_again() -> None:
    state = position(
        homes=SPAIN,
        galleys={SHIP: "mare_narbo"},
        cargo={SHIP: (2, 0, 0)},
        leaders={aboard(SHIP): [G, G2], "corsica": [FOE, general(0, 3)]},
    )
    play(state, (0, sail(SHIP, "corsica")))
    assert refused(state, 0, sail(SHIP, "mare_narbo", G2)) == "MB-MOVE-05", "a leader who came with the legion"
    assert refused(state, 0, sail(SHIP, "mare_narbo", general(0, 3), 2)) == "MB-MOVE-05", "the legion, with another"
    assert legal(state, 0, sail(SHIP, "mare_narbo", general(0, 3))), "he stood there and met nobody"


@pytest.mark.rule("MB-D02", "MB-SEA-06")
def test_a_lone_leader_who_landed_beside_an_enemy_leader_may_go_aboard_again() -> None:
    state = position(homes=SPAIN, galleys={SHIP: "mare_narbo"}, leaders={aboard(SHIP): [G], "corsica": [FOE]})
    play(state, (0, sail(SHIP, "corsica")))
    assert refused(state, 0, march("corsica", "sardinia", G)) == "MB-SEA-06"
    play(state, (0, sail(SHIP, "mare_narbo", G)))
    assert where(state, G) == f"aboard {SHIP}"
    assert state.leader_used[G] == AT_SEA and state.docked[SHIP] == (), "as the wire says it"


@pytest.mark.rule("MB-D02", "MB-D15")
@pytest.mark.parametrize("joins", [True, False])
def test_leaders_alone_land_beside_a_legion_in_battle_unless_an_option_forbids_it(joins: bool) -> None:
    empty = galley(0, 2)
    state = position(
        homes=SPAIN,
        galleys={SHIP: "mare_numidia", SHIP2: "mare_numidia", empty: "mare_numidia"},
        cargo={SHIP: (2, 0, 0)},
        leaders={aboard(SHIP): [G], aboard(SHIP2): [G2], "sicilia": [FOE]},
        units={"sicilia": {1: (3, 0, 0)}},
        owners={"sicilia": 1},
        options={"lone_leaders": int(not joins)},
    )
    play(state, (0, sail(SHIP, "sicilia")))
    assert (sail(SHIP2, "sicilia") in options(state, 0)) == joins
    assert legal(state, 0, sail(SHIP2, "sicilia")) if joins else refused(state, 0, sail(SHIP2, "sicilia")) == "MB-D02"
    assert legal(state, 0, sail(empty, "sicilia"))


def test_a_second_legion_may_land_beside_the_first() -> None:
    state = position(
        homes=SPAIN,
        galleys={SHIP: "mare_numidia", SHIP2: "mare_numidia"},
        cargo={SHIP: (2, 0, 0), SHIP2: (1, 0, 1)},
        leaders={aboard(SHIP): [G], aboard(SHIP2): [G2], "sicilia": [FOE]},
        units={"sicilia": {1: (3, 0, 0)}},
        owners={"sicilia": 1},
    )
    play(state, (0, sail(SHIP, "sicilia")), (0, sail(SHIP2, "sicilia")), (0, EndMovement()))
    assert army(state, "sicilia", 0) == (3, 0, 1)
    play(state, (0, Fight(sp("sicilia"), 1)), "1", (1, Aim(2)), "1")
    assert any(isinstance(frame, Battle) and not frame.by_land for frame in state.frames)
    assert owed(state) == (NATURE,)
