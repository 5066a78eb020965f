"""Components, set-up, order of play, the sequence of a turn."""

from collections import Counter

import pytest

from shared.board import BOARD
from shared.mechanics.battledice import DIE
from shared.rulesets.classic.actions import Buy, EndCombat
from shared.rulesets.classic.economy import cost
from shared.rulesets.classic.frames import Placement
from shared.rulesets.classic.options import PRICES
from shared.rulesets.classic.property import supply
from shared.rulesets.classic.table import CITIES, FORTIFICATIONS, LEADERS, ROADS
from shared.rulesets.conquest.pieces import POINTS
from shared.vocabulary.actions import EndDestruction, EndMovement, EndTurn, Fight, Raze
from shared.vocabulary.frames import Purchase
from tests.support.layout import army, owner, sail, sp, where
from tests.support.position import caesar, galley, general, legal, march, owed, play, position, refused
from tests.support.referee import top


@pytest.mark.rule("CL-COMP-02", "CL-D31", "CL-D46")
def test_a_colour_has_so_many_pieces_and_no_more() -> None:
    state = position(talents=(5000, 0), phase="purchase")
    assert supply(state, 0) == (20, 20, 6, 8)
    assert len(state.leader_at) == 2 * LEADERS == 10
    assert legal(state, 0, Buy(20, 20, 6, 8))
    for order in (Buy(infantry=21), Buy(cavalry=21), Buy(catapults=7), Buy(galleys=9)):
        assert refused(state, 0, order) == "CL-COMP-02"


@pytest.mark.rule("CL-COMP-02", "CL-D31")
def test_pieces_on_the_board_or_aboard_are_not_for_sale() -> None:
    state = position(
        units={"egyptus": {0: (4, 18, 0)}, "syria": {0: (3, 0, 1)}},
        galleys={galley(0): "mare_alexandria"},
        cargo={galley(0): (2, 1, 0)},
        leaders={60: [general(0)]},
        talents=(5000, 5000),
        phase="purchase",
    )
    assert supply(state, 0) == (11, 1, 5, 7)
    assert legal(state, 0, Buy(infantry=11, cavalry=1))
    assert refused(state, 0, Buy(infantry=12)) == "CL-COMP-02"
    assert supply(state, 1) == (20, 20, 6, 8), "another colour's pieces are its own"


@pytest.mark.rule("CL-COMP-03", "CL-D31")
def test_buildings_come_from_one_common_stock() -> None:
    assert (CITIES, FORTIFICATIONS, ROADS) == (16, 16, 20)
    others = [key for key in BOARD.keys[:42] if key not in ("egyptus", "hispania")][:30]
    state = position(
        owners={key: i % 2 for i, key in enumerate(others)},
        built=dict.fromkeys(others[:14], 2),
        talents=(5000, 5000),
        phase="purchase",
    )
    assert legal(state, 0, Buy(cities=2, fortifications=2))
    assert refused(state, 0, Buy(cities=3)) == "CL-COMP-03"
    assert refused(state, 0, Buy(cities=2, fortifications=3)) == "CL-COMP-03"


@pytest.mark.rule("CL-COMP-03")
def test_the_twenty_first_road_cannot_be_bought() -> None:
    keys = BOARD.keys[:42]
    inland = ["galatia", "asia", "cappadocia", "cilicia", "syria", "armenia", "pontus_et_bithynia", "mesopotamia"]
    inland += ["palestina", "arabia_petraea", "egyptus", "cyrenaica", "africa_proconsularis"]
    pairs = [(keys[a], keys[b]) for a, b in BOARD.edges if keys[a] in inland and keys[b] in inland]
    assert len(pairs) == 20
    more = ["macedonia", "achaia"]
    state = position(
        homes=("egyptus", "hispania"),
        owners=dict.fromkeys(inland + more, 0),
        built=dict.fromkeys(inland + more, 1),
        roads=pairs[:19],
        talents=(500, 0),
        phase="purchase",
    )
    assert legal(state, 0, Buy(roads=1))
    assert refused(state, 0, Buy(roads=2)) == "CL-COMP-03"


@pytest.mark.rule("CL-COMP-04")
def test_the_battle_die() -> None:
    assert Counter(DIE) == {"infantry": 2, "cavalry": 1, "catapult": 1, "galley": 1, "blank": 1}


@pytest.mark.rule("CL-COMP-05")
def test_lost_pieces_can_be_bought_again() -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"italia": {0: (20, 0, 0)}, "narbonensis": {1: (3, 0, 0)}},
        leaders={"italia": [general(0)]},
    )
    assert supply(state, 0)[0] == 0
    play(state, (0, march("italia", "narbonensis", general(0), 1)), (0, EndMovement()))
    play(state, (0, Fight(sp("narbonensis"), 1)), ".", "i..")
    assert supply(state, 0)[0] == 1


@pytest.mark.rule("CL-COMP-05")
def test_a_destroyed_city_goes_back_to_the_common_stock() -> None:
    taken = [key for key in BOARD.keys[:42] if key != "hispania"][:16]
    state = position(
        owners=dict.fromkeys(taken, 0), built=dict.fromkeys(taken, 1), talents=(100, 0), phase="destruction"
    )
    play(state, (0, Raze(sp(taken[0]))), (0, EndDestruction()))
    assert legal(state, 0, Buy(cities=1))
    assert refused(state, 0, Buy(cities=2)) == "CL-COMP-03"


@pytest.mark.rule("CL-MAP-03")
def test_seven_homes_worth_ten_each() -> None:
    names = {BOARD.keys[home] for home in BOARD.homes}
    assert names == {"hispania", "italia", "macedonia", "galatia", "numidia", "mesopotamia", "egyptus"}
    assert all(BOARD.tribute[home] == 10 for home in BOARD.homes)


@pytest.mark.rule(
    "CL-UNIT-01", "CL-UNIT-02", "CL-UNIT-03", "CL-UNIT-04", "CL-UNIT-05", "CL-UNIT-06", "CL-UNIT-07", "CL-UNIT-08",
    "CL-BUY-01",
)  # fmt: skip
@pytest.mark.parametrize(
    ("order", "price"),
    [
        (Buy(infantry=1), 10),
        (Buy(cavalry=1), 20),
        (Buy(catapults=1), 30),
        (Buy(galleys=1), 20),
        (Buy(cities=1), 30),
        (Buy(fortifications=1), 20),
        (Buy(cities=1, fortifications=1), 50),
        (Buy(roads=1), 10),
        (Buy(1, 1, 1, 1, 1, 1, 1), 140),
    ],
)
@pytest.mark.parametrize("inflation", [1, 2, 3])
def test_prices(order: Buy, price: int, inflation: int) -> None:
    built = {"egyptus": 1, "cyrenaica": 1}
    owners = {"cyrenaica": 0, "palestina": 0}
    exact = position(owners=owners, built=built, talents=(price * inflation, 0), phase="purchase", inflation=inflation)
    play(exact, (0, order))
    assert exact.talents[0] == 0
    short = position(
        owners=owners, built=built, talents=(price * inflation - 1, 0), phase="purchase", inflation=inflation
    )
    if isinstance(top(short), Purchase):
        assert refused(short, 0, order) == "CL-BUY-01"
    else:
        assert price == 10, "who can buy nothing at all is not asked"
    assert cost(exact, (1, 1, 1, 1, 1, 1, 1)) == sum(PRICES) * inflation


@pytest.mark.rule("CL-UNIT-01", "CL-UNIT-03", "CL-MOVE-03")
def test_infantry_and_catapults_have_one_point() -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"italia": {0: (2, 0, 2)}},
        leaders={"italia": [general(0)]},
    )
    play(state, (0, march("italia", "rhaetia", general(0), 2, 0, 2)))
    assert refused(state, 0, march("rhaetia", "noricum", general(0), 1)) == "CL-MOVE-03"
    assert refused(state, 0, march("rhaetia", "noricum", general(0), 0, 0, 1)) == "CL-MOVE-03"
    assert legal(state, 0, march("rhaetia", "noricum", general(0)))


@pytest.mark.rule("CL-UNIT-02", "CL-UNIT-09", "CL-MOVE-03")
@pytest.mark.parametrize("leader", [caesar(0), general(0)])
def test_cavalry_and_leaders_have_two_points(leader: int) -> None:
    state = position(homes=("italia", "hispania"), units={"italia": {0: (0, 3, 0)}}, leaders={"italia": [leader]})
    play(state, (0, march("italia", "rhaetia", leader, 0, 3)))
    assert refused(state, 0, march("rhaetia", "germania", leader, 0, 3)) == "CL-MOVE-03", "they are tired now"
    play(state, (0, march("rhaetia", "germania", leader, 0, 3, tired=3)))
    assert army(state, "germania", 0) == (0, 3, 0)
    assert refused(state, 0, march("germania", "belgica", leader)) == "CL-MOVE-03"
    assert POINTS == 2


@pytest.mark.rule("CL-UNIT-04", "CL-SEA-01")
def test_galleys_have_two_points() -> None:
    state = position(galleys={galley(0): "mare_alexandria"})
    play(state, (0, sail(galley(0), "mare_libycum")), (0, sail(galley(0), "mare_epirus")))
    assert refused(state, 0, sail(galley(0), "mare_tyrrhenum")) == "CL-SEA-01"


@pytest.mark.rule("CL-UNIT-09")
def test_leaders_are_not_for_sale() -> None:
    assert set(Buy.__struct_fields__) == {
        "infantry", "cavalry", "catapults", "galleys", "cities", "fortifications", "roads",
    }  # fmt: skip


@pytest.mark.rule("CL-ORDER-01")
def test_eliminated_players_are_passed_over() -> None:
    state = position(
        4, homes=("hispania", "macedonia", "mesopotamia", "numidia"), turn=1, lords={2: 1}, phase="placement"
    )
    assert owed(state) == (3,), "Mesopotamia is out"


@pytest.mark.rule("CL-TURN-01", "CL-MOVE-01", "CL-MOVE-06")
def test_the_six_phases_in_order() -> None:
    """Each phase refuses the actions of the others."""
    state = position(
        homes=("egyptus", "hispania"),
        units={"egyptus": {0: (2, 0, 0)}},
        leaders={"egyptus": [general(0)]},
        galleys={galley(0): "mare_alexandria", galley(1): "mare_alexandria"},
        built={"egyptus": 1},
        talents=(100, 0),
        owners={"cyrenaica": 0},
    )
    stray = march("egyptus", "cyrenaica", general(0), 1)
    later = (EndCombat(), EndDestruction(), Raze(sp("egyptus")), Buy(1), EndTurn())
    assert all(refused(state, 0, action) == "CL-TURN-01" for action in later)
    play(state, (0, EndMovement()))
    assert refused(state, 0, stray) == "CL-TURN-01", "no movement after combat began"
    assert refused(state, 0, Buy(1)) == "CL-TURN-01"
    play(state, (0, EndCombat()))
    assert state.talents[0] == 125, "tribute is collected before cities are destroyed"
    assert refused(state, 0, stray) == "CL-TURN-01"
    assert refused(state, 0, Buy(1)) == "CL-TURN-01"
    play(state, (0, EndDestruction()))
    assert refused(state, 0, Raze(sp("egyptus"))) == "CL-TURN-01"
    assert refused(state, 0, EndTurn()) == "CL-TURN-01"
    play(state, (0, Buy(cities=1)))
    assert isinstance(top(state), Placement)
    assert refused(state, 0, Buy(1)) == "CL-TURN-01"
    assert refused(state, 0, stray) == "CL-TURN-01"
    assert refused(state, 1, EndTurn()) == "", "it is not his turn at all"


@pytest.mark.rule("CL-TURN-01")
def test_phases_without_a_choice_are_not_asked() -> None:
    state = position(talents=(-0, 0), units={"egyptus": {0: (1, 0, 0)}})
    play(state, (0, EndMovement()))
    assert isinstance(top(state), Purchase), "no battle, no city; ten talents of tribute can buy something"
    play(state, (0, Buy(infantry=1)))
    assert owed(state) == (1,), "nothing to place"


@pytest.mark.rule("CL-LEAD-01")
def test_cities_lead_no_units() -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"neapolis": {0: (3, 0, 0)}},
        owners={"neapolis": 0},
        built={"neapolis": 2},
    )
    assert refused(state, 0, march("neapolis", "italia", (), 3)) == "CL-LEAD-02"
    assert where(state, caesar(0)) == "italia"
    assert owner(state, "neapolis") == 0
