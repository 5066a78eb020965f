"""Phase 1 on land: leaders, legions, roads, straits."""

import itertools

import pytest

from shared.board import BOARD
from shared.ids import NONE
from shared.rulesets.classic.actions import Buy, March
from shared.rulesets.classic.frames import Combat, Formation
from shared.rulesets.classic.table import State
from shared.rulesets.conquest.pieces import ready
from shared.vocabulary.actions import EndMovement, Fight, Judge, PlaceRoad, Stand
from shared.vocabulary.events import Captured, Marched
from shared.vocabulary.frames import Purchase
from tests.support.layout import aboard, army, owner, sail, sp, where
from tests.support.position import caesar, galley, general, legal, march, options, owed, play, position, refused
from tests.support.referee import of, top

ITALY = ("italia", "hispania")
G, G2, G3 = general(0), general(0, 2), general(0, 3)


def italy(army_: tuple[int, int, int] = (6, 3, 1), *leaders: int) -> State:
    return position(homes=ITALY, units={"italia": {0: army_}}, leaders={"italia": leaders or (G, G2)})


# --- the map ---


@pytest.mark.rule("CL-MAP-01")
def test_a_step_leads_to_an_adjacent_space_and_costs_one_point() -> None:
    state = italy()
    for space in range(BOARD.provinces):
        key = BOARD.keys[space]
        if key == "italia":
            continue
        if space in BOARD.land[sp("italia")]:
            assert legal(state, 0, march("italia", key, G, 1))
        else:
            assert refused(state, 0, march("italia", key, G, 1)) == "CL-MAP-01"
    play(state, (0, march("italia", "rhaetia", G, 1)))
    assert state.leader_used[G] == 1


@pytest.mark.rule("CL-MAP-01")
@pytest.mark.parametrize(("source", "to"), [(-1, 3), (3, -1), (23, 23), (23, 42), (42, 23), (127, 1), (60, 61)])
def test_a_march_leads_from_province_to_province(source: int, to: int) -> None:
    assert refused(italy(), 0, March(source, to, (G,), 1)) == "CL-MAP-01"


@pytest.mark.rule("CL-MAP-01")
def test_the_nile_is_no_border() -> None:
    """MB-MAP-04: Egyptus is one province."""
    assert [key for key in BOARD.keys if "egyptus" in key] == ["egyptus"]
    state = position(units={"cyrenaica": {0: (0, 1, 0)}}, leaders={"cyrenaica": [G]})
    play(state, (0, march("cyrenaica", "egyptus", G, 0, 1)), (0, march("egyptus", "palestina", G, 0, 1, tired=1)))
    assert army(state, "palestina", 0) == (0, 1, 0)


@pytest.mark.rule("CL-MAP-02", "CL-D22")
@pytest.mark.parametrize(
    ("a", "b"), [("thracia", "asia"), ("sicilia", "neapolis"), ("britannia", "belgica"), ("baetica", "tingitana")]
)
def test_straits_are_crossed_on_foot(a: str, b: str) -> None:
    """A strait costs one point and needs no galley, whatever galleys lie there."""
    fleet = {galley(1, k): BOARD.keys[sea] for k, sea in enumerate((42, 43, 46, 48, 49, 54, 57, 59))}
    for here, there in ((a, b), (b, a)):
        state = position(homes=ITALY, units={here: {0: (2, 1, 0)}}, leaders={here: [G]}, galleys=fleet)
        play(state, (0, march(here, there, G, 2, 1)))
        assert army(state, there, 0) == (2, 1, 0)
        assert state.leader_used[G] == 1


@pytest.mark.rule("CL-MAP-02", "CL-D22", "CL-ROAD-01")
def test_no_road_crosses_a_strait() -> None:
    state = position(
        homes=ITALY,
        owners={"neapolis": 0, "sicilia": 0},
        built={"neapolis": 1, "sicilia": 1, "italia": 1},
        talents=(100, 0),
        phase="purchase",
    )
    assert refused(state, 0, Buy(roads=2)) in {"CL-ROAD-01", "CL-COMP-03"}, "only Italia and Neapolis can be joined"
    play(state, (0, Buy(roads=1)))
    assert refused(state, 0, PlaceRoad(sp("neapolis"), sp("sicilia"))) == "CL-ROAD-01"
    assert legal(state, 0, PlaceRoad(sp("neapolis"), sp("italia")))


@pytest.mark.rule("CL-H06", "CL-MAP-01")
def test_mesopotamia_and_arabia_touch_only_where_the_table_says_so() -> None:
    for adjacent in (0, 1):
        state = position(
            homes=("mesopotamia", "hispania"),
            options={"mesopotamia_arabia_adjacent": adjacent},
            units={"mesopotamia": {0: (1, 0, 0)}},
            leaders={"mesopotamia": [G]},
        )
        assert legal(state, 0, march("mesopotamia", "arabia_petraea", G, 1)) == bool(adjacent)


# --- leaders ---


@pytest.mark.rule("CL-LEAD-02", "CL-MOVE-02")
def test_units_march_only_with_a_leader_of_their_own() -> None:
    state = italy()
    assert refused(state, 0, march("italia", "rhaetia", (), 1)) == "CL-LEAD-02"
    assert refused(state, 0, march("italia", "rhaetia", general(1), 1)) == "CL-LEAD-02"
    assert refused(state, 0, march("italia", "rhaetia", G3, 1)) == "CL-LEAD-02", "he is not there"
    assert refused(state, 0, march("italia", "rhaetia", 99, 1)) == "CL-LEAD-02"
    assert refused(state, 0, march("italia", "rhaetia", -1, 1)) == "CL-LEAD-02"
    assert refused(state, 0, march("italia", "rhaetia", (G, G), 1)) == "CL-MOVE-02"
    state.leader_at[general(1)] = sp("italia")
    assert refused(state, 0, march("italia", "rhaetia", general(1), 1)) == "CL-LEAD-02", "he is an enemy"
    assert refused(state, 0, march("italia", "rhaetia", (G, general(1)), 1)) == "CL-LEAD-02"


@pytest.mark.rule("CL-LEAD-02")
def test_units_may_stand_without_a_leader() -> None:
    state = italy()
    play(state, (0, march("italia", "rhaetia", G, 3)), (0, march("rhaetia", "noricum", G)), (0, EndMovement()))
    assert army(state, "rhaetia", 0) == (3, 0, 0)
    assert owner(state, "rhaetia") == 0
    assert where(state, G) == "noricum"


@pytest.mark.rule("CL-H01", "CL-LEAD-03")
def test_a_leader_alone_does_not_attack() -> None:
    state = position(homes=ITALY, leaders={"italia": [G]}, units={"narbonensis": {1: (1, 0, 0)}})
    assert refused(state, 0, march("italia", "narbonensis", G)) == "CL-LEAD-03"
    assert refused(state, 0, march("italia", "narbonensis", caesar(0))) == "CL-LEAD-03"


@pytest.mark.rule("CL-H01", "CL-LEAD-03")
def test_a_leader_may_join_an_own_army_that_will_fight() -> None:
    state = position(
        homes=ITALY,
        leaders={"italia": [G, G2]},
        units={"narbonensis": {1: (1, 0, 0)}, "italia": {0: (1, 0, 0)}},
    )
    play(state, (0, march("italia", "narbonensis", G, 1)), (0, march("italia", "narbonensis", G2)))
    assert where(state, G2) == "narbonensis"
    assert refused(state, 0, march("narbonensis", "italia", G2)) == "CL-MOVE-05", "and he stays for the battle"


@pytest.mark.rule("CL-LEAD-03", "CL-D03", "CL-WIN-02")
def test_a_leader_alone_conquers_nothing() -> None:
    state = position(homes=ITALY, leaders={"italia": [G]}, owners={"narbonensis": 1, "rhaetia": NONE})
    play(state, (0, march("italia", "narbonensis", G)), (0, march("italia", "rhaetia", caesar(0))))
    play(state, (0, EndMovement()))
    assert owner(state, "narbonensis") == 1
    assert owner(state, "rhaetia") == NONE
    assert where(state, G) == "narbonensis"


@pytest.mark.rule("CL-D03")
def test_a_leader_alone_may_pass_through_an_empty_enemy_province() -> None:
    state = position(homes=ITALY, leaders={"italia": [G]}, owners={"narbonensis": 1})
    play(state, (0, march("italia", "narbonensis", G)), (0, march("narbonensis", "aquitania", G)))
    assert where(state, G) == "aquitania"


@pytest.mark.rule("CL-LEAD-03", "CL-LEAD-04", "CL-D02")
def test_leaders_alone_do_not_defend() -> None:
    """No dice are rolled: they are captured when the combat phase ends, and the province is taken."""
    state = position(
        homes=ITALY,
        units={"italia": {0: (1, 0, 0)}},
        leaders={"italia": [G], "narbonensis": [general(1), general(1, 2)]},
        owners={"narbonensis": 1},
        built={"narbonensis": 2},
    )
    play(state, (0, march("italia", "narbonensis", G, 1)))
    assert where(state, general(1)) == "narbonensis", "not before the combat phase"
    events = play(state, (0, EndMovement()))
    assert [event.leaders for event in of(events, Captured)] == [(general(1), general(1, 2))]
    assert where(state, general(1)) == "prison 0"
    assert owner(state, "narbonensis") == 0


@pytest.mark.rule("CL-D02", "CL-MOVE-05")
def test_lone_leaders_do_not_stop_a_legion_and_are_safe_from_one_that_passes() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (0, 2, 0)}},
        leaders={"italia": [G], "narbonensis": [general(1)]},
        owners={"narbonensis": 1},
    )
    play(
        state,
        (0, march("italia", "narbonensis", G, 0, 2)),
        (0, march("narbonensis", "aquitania", G, 0, 2, tired=2)),
        (0, EndMovement()),
    )
    assert where(state, general(1)) == "narbonensis"
    assert owner(state, "narbonensis") == 1
    assert owner(state, "aquitania") == 0


# --- legions ---


@pytest.mark.rule("CL-MOVE-01", "CL-MOVE-06")
def test_all_movement_comes_before_combat() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (3, 0, 0)}, "narbonensis": {1: (1, 0, 0)}},
        leaders={"italia": [G, G2]},
    )
    play(state, (0, march("italia", "narbonensis", G, 2)))
    assert refused(state, 0, Fight(sp("narbonensis"), 1)) == "CL-TURN-01"
    play(state, (0, march("italia", "rhaetia", G2, 1)), (0, EndMovement()))
    assert isinstance(top(state), Combat)
    assert refused(state, 0, march("italia", "rhaetia", caesar(0))) == "CL-TURN-01"
    play(state, (0, Fight(sp("narbonensis"), 1)), "i.", ".")
    assert isinstance(top(state), Purchase)
    assert refused(state, 0, march("narbonensis", "aquitania", G, 1)) == "CL-TURN-01"


@pytest.mark.rule("CL-MOVE-02", "CL-D29")
def test_seven_units_for_each_leader() -> None:
    state = italy((9, 9, 2))
    assert legal(state, 0, march("italia", "rhaetia", G, 4, 2, 1))
    assert refused(state, 0, march("italia", "rhaetia", G, 4, 3, 1)) == "CL-MOVE-02"
    assert legal(state, 0, march("italia", "rhaetia", (G, G2), 8, 5, 1))
    assert refused(state, 0, march("italia", "rhaetia", (G, G2), 8, 5, 2)) == "CL-MOVE-02"
    assert legal(state, 0, march("italia", "rhaetia", (G, G2, caesar(0)), 9, 9, 2))


@pytest.mark.rule("CL-D29", "CL-LEAD-02")
def test_any_number_may_stand_in_a_province() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (7, 0, 0)}, "rhaetia": {0: (13, 9, 0)}},
        leaders={"italia": [G]},
    )
    play(state, (0, march("italia", "rhaetia", G, 7)))
    assert army(state, "rhaetia", 0) == (20, 9, 0)


@pytest.mark.rule("CL-MOVE-03")
def test_movement_points_are_never_exceeded() -> None:
    state = italy((2, 2, 0), G, G2)
    play(state, (0, march("italia", "rhaetia", G, 2, 2)))
    assert refused(state, 0, march("rhaetia", "noricum", G, 1)) == "CL-MOVE-03"
    assert refused(state, 0, march("rhaetia", "noricum", G, 0, 1)) == "CL-MOVE-03", "they must be named as tired"
    assert refused(state, 0, march("rhaetia", "noricum", G, 0, 1, tired=2)) == "CL-MOVE-03"
    play(state, (0, march("rhaetia", "noricum", G, 0, 2, tired=2)))
    assert refused(state, 0, march("noricum", "pannonia", G)) == "CL-MOVE-03"
    play(state, (0, march("italia", "noricum", G2)))
    assert refused(state, 0, march("noricum", "pannonia", G2, 0, 1, tired=1)) == "CL-MOVE-03"
    assert legal(state, 0, march("noricum", "pannonia", G2)), "the fresh leader has a point left, his horses none"


@pytest.mark.rule("CL-MOVE-03")
def test_points_come_back_with_the_next_turn() -> None:
    state = italy((0, 2, 0))
    play(state, (0, march("italia", "rhaetia", G, 0, 2)), (0, march("rhaetia", "noricum", G, 0, 2, tired=2)))
    play(state, (0, EndMovement()))
    while owed(state) != (0,) or not any(isinstance(action, EndMovement) for action in options(state, 0)):
        seat = owed(state)[0]
        play(state, (seat, next(action for action in options(state, seat) if legal(state, seat, action))))
    assert legal(state, 0, march("noricum", "rhaetia", G, 0, 2))


@pytest.mark.rule("CL-MOVE-04")
def test_legions_are_split_and_joined_on_the_way() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (4, 4, 0)}, "rhaetia": {0: (3, 1, 0)}},
        leaders={"italia": [G], "rhaetia": [G2]},
    )
    play(state, (0, march("italia", "rhaetia", G, 2, 4)))
    play(state, (0, march("rhaetia", "noricum", (G, G2), 3, 5, 0, tired=4)))
    assert army(state, "rhaetia", 0) == (2, 0, 0)
    assert army(state, "noricum", 0) == (3, 5, 0)
    assert legal(state, 0, march("noricum", "pannonia", G2, 0, 1, tired=1)), "the one that was fresh in Rhaetia"
    assert refused(state, 0, march("noricum", "pannonia", G2, 0, 2, tired=2)) == "CL-MOVE-03"


@pytest.mark.rule("CL-MOVE-05")
def test_a_legion_stops_where_an_enemy_army_stands() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (0, 3, 0)}, "narbonensis": {1: (1, 0, 0)}},
        leaders={"italia": [G, G2]},
    )
    play(state, (0, march("italia", "narbonensis", (G, G2), 0, 3)))
    assert refused(state, 0, march("narbonensis", "aquitania", G, 0, 3, tired=3)) == "CL-MOVE-05"
    assert refused(state, 0, march("narbonensis", "italia", G2)) == "CL-MOVE-05"


@pytest.mark.rule("CL-MOVE-05")
def test_galleys_on_a_coast_stop_no_movement() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (0, 1, 0)}},
        leaders={"italia": [G]},
        galleys={galley(1): "narbonensis"},
        owners={"narbonensis": 1},
    )
    play(state, (0, march("italia", "narbonensis", G, 0, 1)))
    assert legal(state, 0, march("narbonensis", "aquitania", G, 0, 1, tired=1))


@pytest.mark.rule("CL-H05", "CL-MOVE-05")
def test_an_army_that_shares_a_province_with_an_enemy_may_leave_it() -> None:
    """It did not enter: it stood there when its turn began."""
    state = position(homes=ITALY, units={"italia": {0: (2, 0, 0), 1: (1, 0, 0)}}, leaders={"italia": [G]})
    play(state, (0, march("italia", "rhaetia", G, 2)))
    assert army(state, "rhaetia", 0) == (2, 0, 0)


@pytest.mark.rule("CL-MOVE-07")
def test_a_province_left_empty_stays_owned() -> None:
    state = italy((2, 0, 0))
    play(state, (0, march("italia", "rhaetia", (G, G2), 2)), (0, EndMovement()))
    assert army(state, "italia", 0) == (0, 0, 0)
    assert owner(state, "italia") == 0
    assert state.marker[0] == 15


@pytest.mark.rule("CL-D04", "CL-WIN-02")
def test_only_a_province_where_units_remain_is_taken() -> None:
    state = position(
        homes=ITALY,
        units={"italia": {0: (1, 2, 0)}},
        leaders={"italia": [G]},
        owners={"rhaetia": 1, "germania": 1},
    )
    play(state, (0, march("italia", "rhaetia", G, 0, 2)), (0, march("rhaetia", "germania", G, 0, 2, tired=2)))
    assert owner(state, "germania") == 1, "not before the end of the combat phase"
    play(state, (0, EndMovement()))
    assert owner(state, "rhaetia") == 1
    assert owner(state, "germania") == 0
    assert state.marker == [15, 15]


@pytest.mark.rule("CL-MOVE-EX1")
def test_the_general_who_changes_the_legion() -> None:
    """Six infantry step in, two others step out under the same general."""
    state = position(
        homes=ITALY,
        units={"italia": {0: (6, 0, 0)}, "narbonensis": {0: (2, 0, 0)}},
        leaders={"italia": [G]},
        owners={"narbonensis": 0},
        built={"narbonensis": 1},
    )
    play(state, (0, march("italia", "narbonensis", G, 6)))
    assert refused(state, 0, march("narbonensis", "aquitania", G, 3)) == "CL-MOVE-03"
    play(state, (0, march("narbonensis", "aquitania", G, 2)))
    assert army(state, "narbonensis", 0) == (6, 0, 0)
    assert army(state, "aquitania", 0) == (2, 0, 0)
    assert state.leader_used[G] == 2
    assert refused(state, 0, march("aquitania", "narbonensis", G)) == "CL-MOVE-03"


# --- roads ---

VIA = ("italia", "narbonensis", "aquitania", "hispania")


def along_the_road(**more: object) -> State:
    """Return a position with a road Italia - Narbonensis - Aquitania - Hispania; seat 0 owns all four."""
    settings: dict[str, object] = {
        "homes": ("italia", "macedonia"),
        "units": {"italia": {0: (4, 2, 1)}},
        "leaders": {"italia": [G, G2]},
        "owners": dict.fromkeys(VIA, 0),
        "built": dict.fromkeys(VIA, 1),
        "roads": list(itertools.pairwise(VIA)),
    }
    return position(2, **{**settings, **more})  # type: ignore[arg-type]


@pytest.mark.rule("CL-MOVE-EX2", "CL-ROAD-02", "CL-MOVE-04")
def test_the_general_who_drops_units_along_the_road() -> None:
    state = along_the_road()
    events = play(
        state,
        (0, march("italia", "hispania", G, 4, drops=[("narbonensis", 2, 0, 0)])),
    )
    assert army(state, "narbonensis", 0) == (2, 0, 0)
    assert army(state, "hispania", 0) == (2, 0, 0)
    assert state.leader_used[G] == 1
    assert of(events, Marched)[0].road
    play(state, (0, march("hispania", "lusitania", G)))
    assert where(state, G) == "lusitania"
    assert refused(state, 0, march("narbonensis", "germania", G2, 2)) == "CL-LEAD-02"
    play(state, (0, march("italia", "narbonensis", G2)))
    assert refused(state, 0, march("narbonensis", "germania", G2, 2)) == "CL-MOVE-03", "they have marched"


@pytest.mark.rule("CL-ROAD-02")
@pytest.mark.parametrize("to", VIA[1:])
def test_a_road_trip_costs_one_point_and_ends_where_one_likes(to: str) -> None:
    state = along_the_road()
    play(state, (0, march("italia", to, G, 4, 2, 1)))
    assert army(state, to, 0) == (4, 2, 1)
    assert state.leader_used[G] == 1


@pytest.mark.rule("CL-H04", "CL-ROAD-02")
def test_units_are_collected_and_dropped_along_the_road() -> None:
    state = along_the_road(units={"italia": {0: (4, 2, 1)}, "aquitania": {0: (3, 1, 0)}})
    drops = [("narbonensis", 0, 2, 0), ("aquitania", -2, -1, 1)]
    play(state, (0, march("italia", "hispania", G, 4, 2, 1, drops=drops)))
    assert army(state, "narbonensis", 0) == (0, 2, 0)
    assert army(state, "aquitania", 0) == (1, 0, 1)
    assert army(state, "hispania", 0) == (6, 1, 0)


@pytest.mark.rule("CL-MOVE-02", "CL-ROAD-02")
@pytest.mark.parametrize("fresh", [0, 1, 2])
def test_horsemen_are_dropped_as_tired_as_they_came(fresh: int) -> None:
    state = along_the_road(units={"narbonensis": {0: (0, 2, 0)}}, leaders={"narbonensis": [G], "aquitania": [G2]})
    state.moved[sp("narbonensis")] = (0, 2 - fresh) if fresh < 2 else ()
    assert ready(state, 0, sp("narbonensis"))[1::2] == (fresh, 2 - fresh)
    play(state, (0, march("narbonensis", "hispania", G, 0, 2, tired=2 - fresh, drops=[("aquitania", 0, 2, 0)])))
    assert ready(state, 0, sp("aquitania"))[1] == 0, "all of them have marched"
    assert ready(state, 0, sp("aquitania"))[3] == fresh, "who was fresh has a step left"


@pytest.mark.rule("CL-ROAD-02", "CL-MOVE-02", "CL-MOVE-04")
def test_a_road_trip_obeys_the_rules_of_legions() -> None:
    state = along_the_road(units={"italia": {0: (4, 2, 1)}, "aquitania": {0: (3, 1, 0)}})

    def trip(to: str, *drops: tuple[str, int, int, int]) -> March:
        return march("italia", to, G, 4, drops=drops)

    assert refused(state, 0, trip("hispania", ("narbonensis", 5, 0, 0))) == "CL-MOVE-04"
    assert refused(state, 0, trip("hispania", ("narbonensis", 0, 1, 0))) == "CL-MOVE-04"
    engines = march("italia", "hispania", G, 4, catapults=1, drops=[("narbonensis", 0, 0, 2)])
    assert refused(state, 0, engines) == "CL-MOVE-04", "more catapults than were carried"
    assert legal(state, 0, march("italia", "hispania", G, 4, catapults=1, drops=[("narbonensis", 0, 0, 1)]))
    assert refused(state, 0, trip("hispania", ("narbonensis", -1, 0, 0))) == "CL-MOVE-02"
    assert refused(state, 0, trip("hispania", ("aquitania", -3, -1, 0))) == "CL-MOVE-02", "eight under one leader"
    assert refused(state, 0, trip("hispania", ("lusitania", 1, 0, 0))) == "CL-ROAD-02"
    assert refused(state, 0, trip("hispania", ("italia", 1, 0, 0))) == "CL-ROAD-02"
    assert refused(state, 0, trip("lusitania", ("aquitania", 1, 0, 0))) == "CL-ROAD-02"
    assert refused(state, 0, trip("lusitania")) == "CL-MAP-01"
    assert refused(state, 0, trip("hispania", (BOARD.keys[45], 1, 0, 0))) == "CL-ROAD-02"
    twice = (("aquitania", -2, 0, 0), ("narbonensis", 2, 0, 0), ("aquitania", -2, 0, 0))
    assert refused(state, 0, trip("hispania", *twice)) == "CL-MOVE-02", "three stand there, not four"
    assert legal(state, 0, trip("hispania", *twice[:2]))


@pytest.mark.rule("CL-ROAD-03")
def test_a_step_and_a_road_trip() -> None:
    state = along_the_road(units={"rhaetia": {0: (1, 2, 0)}}, leaders={"rhaetia": [G]})
    play(state, (0, march("rhaetia", "italia", G, 1, 2)))
    assert refused(state, 0, march("italia", "hispania", G, 1)) == "CL-MOVE-03", "infantry has no second point"
    play(state, (0, march("italia", "hispania", G, 0, 2, tired=2)))
    assert army(state, "hispania", 0) == (0, 2, 0)


@pytest.mark.rule("CL-ROAD-03")
def test_a_road_trip_and_a_step() -> None:
    state = along_the_road()
    play(state, (0, march("italia", "hispania", G, 0, 2)))
    play(state, (0, march("hispania", "baetica", G, 0, 2, tired=2)))
    assert army(state, "baetica", 0) == (0, 2, 0)


@pytest.mark.rule("CL-H04", "CL-ROAD-03")
def test_tired_horsemen_dropped_on_the_road_stay_tired() -> None:
    state = along_the_road(units={"rhaetia": {0: (0, 1, 0)}, "italia": {0: (0, 1, 0)}}, leaders={"rhaetia": [G]})
    play(
        state,
        (0, march("rhaetia", "italia", G, 0, 1)),
        (0, march("italia", "hispania", G, 0, 2, tired=1, drops=[("narbonensis", 0, 1, 0)])),
    )
    assert state.moved[sp("narbonensis")] == (0, 0, 1)
    assert state.moved[sp("hispania")] == (0, 1)


@pytest.mark.rule("CL-ROAD-04", "CL-D20")
def test_a_road_serves_only_the_owner_of_all_its_cities() -> None:
    state = along_the_road(owners={"italia": 0, "narbonensis": 0, "aquitania": 1, "hispania": 0})
    assert legal(state, 0, march("italia", "narbonensis", G, 1))
    assert refused(state, 0, march("italia", "hispania", G, 1)) == "CL-ROAD-04"
    assert refused(state, 0, march("italia", "aquitania", G, 1)) == "CL-ROAD-04"
    mine = along_the_road(owners=dict.fromkeys(VIA[1:], 1))
    assert refused(mine, 0, march("italia", "aquitania", G, 1)) == "CL-ROAD-04", "the road's builder has no claim"


@pytest.mark.rule("CL-D20", "CL-ROAD-05")
def test_a_road_across_captured_cities_stays_and_wakes_again() -> None:
    state = along_the_road(
        owners={"italia": 0, "narbonensis": 1, "aquitania": 0, "hispania": 0},
        units={"italia": {0: (3, 0, 0)}},
    )
    assert len(state.roads) == 3
    play(state, (0, march("italia", "narbonensis", G, 3)), (0, EndMovement()))
    assert len(state.roads) == 3
    again = along_the_road()
    assert legal(again, 0, march("italia", "hispania", G, 3)), "with all cities in one hand the road is open"


@pytest.mark.rule("CL-ROAD-02", "CL-MOVE-05")
def test_no_road_trip_passes_an_enemy_army() -> None:
    state = along_the_road(units={"italia": {0: (4, 0, 0)}, "aquitania": {1: (1, 0, 0)}})
    assert refused(state, 0, march("italia", "hispania", G, 1)) == "CL-MOVE-05"
    assert refused(state, 0, march("italia", "hispania", G, 1, drops=[("aquitania", 0, 0, 0)])) == "CL-MOVE-05"
    assert refused(state, 0, march("italia", "aquitania", G)) == "CL-LEAD-03"
    play(state, (0, march("italia", "aquitania", G, 4)))
    assert refused(state, 0, march("aquitania", "hispania", G)) == "CL-MOVE-05", "he stopped to fight"


@pytest.mark.rule("CL-ROAD-02")
def test_the_last_city_of_a_trip_may_hold_the_enemy() -> None:
    state = along_the_road(units={"italia": {0: (4, 0, 0)}, "hispania": {1: (1, 0, 0)}})
    play(state, (0, march("italia", "hispania", G, 4, drops=[("narbonensis", 1, 0, 0)])))
    assert army(state, "hispania", 0) == (3, 0, 0)
    assert refused(state, 0, march("hispania", "aquitania", G)) == "CL-MOVE-05"


@pytest.mark.rule("CL-SEA-04")
def test_units_that_went_by_sea_take_no_road() -> None:
    state = along_the_road(
        units={},
        leaders={aboard(0): [G]},
        galleys={0: "mare_narbo"},
        cargo={0: (0, 2, 0)},
    )
    play(state, (0, sail(0, "narbonensis")))
    assert refused(state, 0, march("narbonensis", "hispania", G)) == "CL-SEA-04"
    play(state, (0, march("italia", "narbonensis", caesar(0))))
    assert refused(state, 0, march("narbonensis", "hispania", caesar(0), 0, 1)) == "CL-SEA-04"
    assert refused(state, 0, march("italia", "hispania", caesar(0), drops=[("narbonensis", 0, -1, 0)])) == "CL-LEAD-02"


# --- armies of several players in one province ---


@pytest.mark.rule("CL-D30", "CL-BATTLE-01")
def test_two_enemies_in_one_province_are_fought_one_after_the_other() -> None:
    state = position(
        3,
        homes=("italia", "hispania", "macedonia"),
        units={"italia": {0: (3, 0, 0)}, "dalmatia": {1: (1, 0, 0), 2: (1, 0, 0)}},
        leaders={"italia": [G], "dalmatia": [general(1), general(2)]},
        owners={"dalmatia": 2},
    )
    play(state, (0, march("italia", "dalmatia", G, 3)), (0, EndMovement()))
    battles = [action for action in options(state, 0) if isinstance(action, Fight)]
    assert battles == [Fight(sp("dalmatia"), 1), Fight(sp("dalmatia"), 2)]
    assert legal(state, 0, battles[1]), "the order is the attacker's"
    play(state, (0, battles[0]), "i..", ".")
    play(state, (0, Judge(())))
    assert owner(state, "dalmatia") == 2, "another army still holds it"
    assert options(state, 0) == [battles[1]]
    play(state, (0, battles[1]), "...", ".", (2, Stand()), (0, Stand()), "i..", ".", (0, Judge(())))
    assert owner(state, "dalmatia") == 0


@pytest.mark.rule("CL-H07", "CL-D30", "CL-D07")
def test_armies_that_share_a_province_fight_in_the_next_combat_phase() -> None:
    """No army entered the province; both stood there when the phase began."""
    state = position(
        homes=ITALY, units={"italia": {0: (8, 0, 0), 1: (1, 0, 0)}}, phase="combat", leaders={"italia": [G]}
    )
    assert options(state, 0) == [Fight(sp("italia"), 1)]
    play(state, (0, Fight(sp("italia"), 1)))
    assert not isinstance(top(state), Formation), "seven of eight alike is no choice"


@pytest.mark.rule("CL-H06")
def test_no_road_is_built_over_the_disputed_border() -> None:
    state = position(
        homes=("mesopotamia", "hispania"),
        options={"mesopotamia_arabia_adjacent": 1},
        owners={"arabia_petraea": 0},
        built={"mesopotamia": 1, "arabia_petraea": 1},
        talents=(100, 0),
        phase="purchase",
    )
    assert refused(state, 0, Buy(roads=1)) in {"CL-ROAD-01", "CL-COMP-03"}
