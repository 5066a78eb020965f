"""A refusal cites the rule that really forbids the action, and names the obstacle."""

from itertools import pairwise

import pytest

from shared.board import BOARD
from shared.ids import NONE
from shared.kernel.frames import Action
from shared.rulesets.classic.actions import Buy, EndCombat
from shared.rulesets.classic.table import State
from shared.vocabulary.actions import EndMovement, Fight, PlaceCity, PlaceGalley, PlaceRoad, Retreat
from tests.support.layout import sail, sp
from tests.support.position import caesar, galley, general, march, play, position, verdict

G, G2, H = general(0), general(0, 2), general(1)


def told(state: State, action: Action, seat: int = 0) -> tuple[str, str]:
    """Return the rule that forbids the action, and the words of the refusal."""
    refusal = verdict(state, seat, action)
    assert refusal is not None
    return refusal.rule, refusal.text


# --- on land ---


def road(owners: dict[str, int], enemies: tuple[str, ...] = ()) -> State:
    """Return a position with roads Italia, Narbonensis, Aquitania, Hispania."""
    cities = ("italia", "narbonensis", "aquitania", "hispania")
    return position(
        homes=("italia", "egyptus"),
        owners=dict.fromkeys(cities, 0) | owners,
        built=dict.fromkeys(cities, 1),
        roads=list(pairwise(cities)),
        units={"italia": {0: (5, 0, 0)}} | {key: {1: (1, 0, 0)} for key in enemies},
        leaders={"italia": [G]},
    )


@pytest.mark.rule("CL-MOVE-05")
def test_enemies_on_a_road_are_named() -> None:
    state = road({}, enemies=("narbonensis", "aquitania"))
    assert told(state, march("italia", "hispania", G, 1)) == (
        "CL-MOVE-05",
        "Units of Egyptus in Narbonensis stop a journey by road.",
    )
    farther = road({}, enemies=("aquitania",))
    stop = march("italia", "hispania", G, 1, drops=[("narbonensis", 0, 0, 0), ("aquitania", 0, 0, 0)])
    assert told(farther, stop) == ("CL-MOVE-05", "Units of Egyptus in Aquitania stop a journey by road.")
    beyond = march("italia", "hispania", G, 1, drops=[("narbonensis", 0, 0, 0)])
    assert told(farther, beyond) == ("CL-MOVE-05", "Units of Egyptus in Aquitania stop a journey by road.")


@pytest.mark.rule("CL-ROAD-04", "CL-D20")
def test_roads_through_cities_of_others_are_told_from_no_roads() -> None:
    state = road({"aquitania": 1})
    assert told(state, march("italia", "hispania", G, 1))[0] == "CL-ROAD-04"
    assert told(state, march("italia", "hispania", G, 1, drops=[("narbonensis", 0, 0, 0)]))[0] == "CL-ROAD-04"
    assert told(state, march("italia", "baetica", G, 1))[0] == "CL-MAP-01"


@pytest.mark.rule("CL-ROAD-02")
def test_stops_of_a_road_trip_lie_on_the_road() -> None:
    state = road({})
    for stop in ("italia", "neapolis", "mare_narbo"):
        assert told(state, march("italia", "hispania", G, 1, drops=[(stop, 0, 0, 0)]))[0] == "CL-ROAD-02"
    assert told(state, march("italia", "neapolis", G, 1, drops=[("narbonensis", 0, 0, 0)]))[0] == "CL-ROAD-02"


def stopped() -> State:
    """Return the position after a legion marched to Narbonensis, where an enemy unit and another own unit stand."""
    state = position(
        homes=("italia", "egyptus"),
        units={"italia": {0: (3, 2, 0)}, "narbonensis": {0: (1, 0, 0), 1: (1, 0, 0)}},
        leaders={"italia": [G], "narbonensis": [G2]},
    )
    play(state, (0, march("italia", "narbonensis", G, 3, 2)))
    return state


@pytest.mark.rule("CL-MOVE-05")
def test_units_that_met_the_enemy_have_stopped() -> None:
    state = stopped()
    assert told(state, march("narbonensis", "aquitania", G)) == (
        "CL-MOVE-05",
        "Units of Egyptus are in Narbonensis: pieces that met them stay for the turn.",
    )
    assert told(state, march("narbonensis", "aquitania", G2, 0, 1)) == (
        "CL-MOVE-05",
        "Units of Egyptus are in Narbonensis: pieces that met them stay for the turn.",
    )
    assert verdict(state, 0, march("narbonensis", "aquitania", G2, 1)) is None, "who stood there before may go"


@pytest.mark.rule("CL-MOVE-03")
def test_points_that_are_used_up_are_told_from_units_that_are_not_there() -> None:
    state = position(
        homes=("italia", "egyptus"), units={"italia": {0: (3, 2, 0)}}, leaders={"italia": [G, G2]},
        owners={"narbonensis": 0},
    )  # fmt: skip
    assert told(state, march("italia", "narbonensis", G, 4)) == (
        "CL-MOVE-02",
        "You do not have that many units in Italia.",
    )
    play(state, (0, march("italia", "narbonensis", G, 2, 2)))
    play(state, (0, march("italia", "narbonensis", G2)))
    assert told(state, march("narbonensis", "aquitania", G2, 1)) == (
        "CL-MOVE-03",
        "Not enough units in Narbonensis have movement points left.",
    )
    assert told(state, march("narbonensis", "aquitania", G2, 0, 1)) == (
        "CL-MOVE-03",
        "Not enough horsemen in Narbonensis have both points left.",
    )
    assert told(state, march("narbonensis", "aquitania", G2, 0, 2, tired=3))[0] == "CL-MOVE-03"
    assert verdict(state, 0, march("narbonensis", "aquitania", G2, 0, 2, tired=2)) is None


@pytest.mark.rule("CL-SEA-04")
def test_landed_units_are_named_in_the_refusal() -> None:
    state = position(
        units={"cyrenaica": {0: (1, 0, 0)}}, leaders={60 + galley(0): [G], "cyrenaica": [G2]},
        galleys={galley(0): "mare_libycum"}, cargo={galley(0): (2, 0, 0)}, owners={"cyrenaica": 0},
    )  # fmt: skip
    play(state, (0, sail(galley(0), "cyrenaica")))
    assert told(state, march("cyrenaica", "egyptus", G2, 2)) == (
        "CL-SEA-04",
        "Units that came ashore in Cyrenaica this turn do not march.",
    )
    assert verdict(state, 0, march("cyrenaica", "egyptus", G2, 1)) is None


# --- at sea ---


@pytest.mark.rule("CL-D17")
def test_the_coast_that_would_do_is_named() -> None:
    state = position(homes=("italia", "egyptus"), galleys={galley(0): "italia:west", galley(0, 1): "mare_adriatico"})
    assert told(state, sail(galley(0), "mare_adriatico")) == (
        "CL-D17",
        "Mare Adriatico is reached from Italia (adriatic coast), not from Italia (west coast).",
    )
    assert told(state, sail(galley(0, 1), "italia:west")) == (
        "CL-D17",
        "Mare Adriatico touches Italia (adriatic coast), not Italia (west coast).",
    )
    assert told(state, sail(galley(0), "mare_rhodus"))[0] == "CL-MAP-01"
    assert told(state, sail(galley(0), "neapolis"))[0] == "CL-SEA-01", "to sea first"
    assert told(state, sail(galley(0), "italia:adriatic"))[0] == "CL-SEA-01"


@pytest.mark.rule("CL-SEA-04", "CL-H03")
def test_why_units_do_not_go_aboard() -> None:
    state = position(
        units={"egyptus": {0: (3, 0, 0)}, "cyrenaica": {1: (1, 0, 0)}},
        leaders={"egyptus": [G], 60 + galley(0): [G2]},
        galleys={galley(0): "mare_libycum", galley(0, 1): "egyptus"},
        cargo={galley(0): (2, 0, 0)},
    )
    assert told(state, sail(galley(0, 1), "mare_alexandria", G, 4)) == (
        "CL-H02",
        "You do not have that many units in Egyptus.",
    )
    play(state, (0, sail(galley(0), "cyrenaica")))
    among_enemies = ("CL-H03", "Units of Hispania are in Cyrenaica: pieces that came ashore there stay.")
    assert told(state, sail(galley(0), "mare_libycum", G2)) == among_enemies
    marched = position(
        units={"palestina": {0: (3, 0, 0)}, "egyptus": {0: (1, 0, 0)}},
        leaders={"palestina": [G], "egyptus": [G2]},
        galleys={galley(0): "egyptus"},
    )
    play(marched, (0, march("palestina", "egyptus", G, 3)))
    assert told(marched, sail(galley(0), "mare_alexandria", G2, 2)) == (
        "CL-SEA-04",
        "Units that marched this turn cannot go aboard.",
    )
    assert told(marched, sail(galley(0), "mare_alexandria", G))[0] == "CL-SEA-04"


# --- combat ---


@pytest.mark.rule("CL-H12", "CL-NAVAL-01", "CL-BATTLE-01")
def test_why_there_is_no_battle() -> None:
    state = position(
        3,
        homes=("macedonia", "egyptus", "hispania"),
        phase="combat",
        units={"dacia": {0: (1, 0, 0), 1: (5, 0, 0)}, "aquitania": {0: (1, 0, 0), 2: (1, 0, 0)}},
        leaders={"dacia": [caesar(0)]},
        galleys={galley(0): "mare_rhodus", galley(2): "mare_rhodus"},
    )
    rhodus = sp("mare_rhodus")
    assert told(state, Fight(rhodus, 1))[0] == "CL-NAVAL-01"
    assert told(state, Fight(sp("syria"), 1))[0] == "CL-BATTLE-01"
    play(state, (0, Fight(sp("dacia"), 1)), ".", "i....")
    assert told(state, Fight(rhodus, 2), 1)[0] == "CL-H12", "Egyptus fights the battles of Macedonia, which is out"
    assert told(state, EndCombat(), 1)[0] == "CL-BATTLE-01"


@pytest.mark.rule("CL-RETREAT-01")
def test_troops_that_block_a_retreat_are_named() -> None:
    state = position(
        homes=("italia", "egyptus"),
        phase="combat",
        units={"narbonensis": {0: (2, 0, 0), 1: (2, 0, 0)}, "aquitania": {1: (1, 0, 0)}},
        owners={"narbonensis": 1},
    )
    play(state, (0, Fight(sp("narbonensis"), 1)), "..", "..")
    assert told(state, Retreat(sp("syria")), 1)[0] == "CL-D06"
    assert told(state, Retreat(NONE), 1)[0] == "CL-D05"
    assert verdict(state, 1, Retreat(sp("aquitania"))) is None, "where only his own stand"
    blocked = position(
        homes=("italia", "egyptus"),
        phase="combat",
        units={"narbonensis": {0: (2, 0, 0), 1: (2, 0, 0)}, "aquitania": {0: (1, 0, 0)}},
        owners={"narbonensis": 1},
    )
    play(blocked, (0, Fight(sp("narbonensis"), 1)), "..", "..")
    assert told(blocked, Retreat(sp("aquitania")), 1) == ("CL-RETREAT-01", "Units of Italia are in Aquitania.")


# --- money ---


@pytest.mark.rule("CL-COMP-03", "CL-PLACE-03", "CL-CITY-02", "CL-ROAD-01")
def test_no_place_is_told_from_no_piece() -> None:
    far = [key for key in BOARD.keys[: BOARD.provinces] if key not in ("egyptus", "cyrenaica", "hispania")]
    cities = dict.fromkeys(far[:14], 1)
    state = position(
        owners=dict.fromkeys(cities, 1) | {"cyrenaica": 0}, built=cities | {"egyptus": 2}, talents=(900, 0),
        phase="purchase",
    )  # fmt: skip
    assert told(state, Buy(cities=2)) == ("CL-COMP-03", "There is 1 city left in the supply.")
    assert told(state, Buy(roads=21)) == ("CL-COMP-03", "There are 20 roads left in the supply.")
    assert told(state, Buy(roads=2)) == ("CL-ROAD-01", "There is room for 1 road only.")
    roomless = position(built={"egyptus": 2}, talents=(900, 0), phase="purchase")
    assert told(roomless, Buy(cities=1)) == ("CL-PLACE-03", "You have no province without a city.")
    assert told(roomless, Buy(fortifications=1)) == ("CL-CITY-02", "You have no city without a fortification.")
    assert told(roomless, Buy(roads=1))[0] == "CL-ROAD-01"
    assert told(roomless, Buy(infantry=21)) == ("CL-COMP-02", "There are 20 infantry left in the supply.")
    walled = position(owners={"cyrenaica": 0, "syria": 0}, built={"egyptus": 2}, talents=(900, 0), phase="purchase")
    assert told(walled, Buy(fortifications=3)) == ("CL-CITY-02", "There is room for 2 fortifications only.")
    assert told(walled, Buy(cities=1, fortifications=2))[0] == "CL-CITY-02"


@pytest.mark.rule("CL-ROAD-01", "CL-H06")
@pytest.mark.parametrize(
    ("a", "b", "rule", "words"),
    [
        ("sicilia", "neapolis", "CL-ROAD-01", "crossing"),
        ("mesopotamia", "arabia_petraea", "CL-H06", "disputed"),
        ("italia", "neapolis", "CL-ROAD-01", "already"),
        ("italia", "sicilia", "CL-ROAD-01", "adjacent by land"),
    ],
)
def test_refused_road_sites(a: str, b: str, rule: str, words: str) -> None:
    cities = ("italia", "neapolis", "sicilia", "mesopotamia", "arabia_petraea", "narbonensis")
    state = position(
        homes=("italia", "egyptus"), owners=dict.fromkeys(cities, 0), built=dict.fromkeys(cities, 1),
        roads=[("italia", "neapolis")], talents=(900, 0), phase="purchase",
        options={"mesopotamia_arabia_adjacent": 1},
    )  # fmt: skip
    play(state, (0, Buy(roads=1)))
    cited, text = told(state, PlaceRoad(sp(a), sp(b)))
    assert (cited, told(state, PlaceRoad(sp(b), sp(a)))) == (rule, (rule, text))
    assert words in text


@pytest.mark.rule("CL-D23", "CL-PLACE-01")
def test_a_galley_of_a_lost_home_finds_no_coast() -> None:
    """Bought before the home was lost: no player's own turn leads there, but the rules are asked all the same."""
    state = position(owners={"cyrenaica": 0}, talents=(200, 0), phase="purchase")
    play(state, (0, Buy(galleys=1, cities=1)))
    assert told(state, PlaceGalley(sp("cyrenaica")))[0] == "CL-PLACE-01"
    state.owner[sp("egyptus")] = 1
    assert told(state, PlaceGalley(sp("egyptus")))[0] == "CL-D23"
    assert told(state, PlaceCity(NONE))[0] == "CL-PLACE-03"


@pytest.mark.rule("CL-LEAD-02")
def test_leaders_and_galleys_of_others_cannot_be_moved() -> None:
    state = position(leaders={"egyptus": [G]}, galleys={galley(0): "egyptus", galley(1): "hispania:north"})
    assert told(state, march("egyptus", "cyrenaica", H))[0] == "CL-LEAD-02"
    assert told(state, sail(galley(1), "mare_hispalis"))[0] == "CL-SEA-01"
    assert told(state, sail(galley(0, 1), "mare_alexandria")) == ("CL-SEA-01", "That galley is not on the board.")
    assert verdict(state, 0, EndMovement()) is None
