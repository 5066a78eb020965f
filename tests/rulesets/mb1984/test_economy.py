"""Actions 3 to 6: tribute, destroying cities, prices and inflation, placing."""

import pytest

from shared.board import BOARD
from shared.ids import NONE
from shared.mechanics.wares import Ware
from shared.rulesets.mb1984.actions import Buy, Execute
from shared.rulesets.mb1984.economy import cost, stock
from shared.rulesets.mb1984.frames import Placement
from shared.rulesets.mb1984.options import PRICES
from shared.rulesets.mb1984.table import State
from shared.vocabulary import actions as a
from shared.vocabulary.events import Bought, InflationTriggered, Piece, Placed, PricesRose, Razed, Tribute
from shared.vocabulary.frames import Destruction, Movement, Purchase
from tests.support.layout import army, owner, prison, sp, where
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
)
from tests.support.referee import of, top

G, FOE = general(0), general(1)


def shop(talents: int = 1000, inflation: int = 1, **more: object) -> State:
    """Return a position in which seat 0, at home in Italia with a general, buys."""
    given: dict[str, object] = {"owners": {"neapolis": 0, "rhaetia": 0}, "leaders": {"italia": [G]}}
    triggered = (NONE if inflation < 2 else 0, NONE if inflation < 3 else 0)
    return position(
        homes=("italia", "egyptus"), phase="purchase", talents=[talents, 0], inflation=inflation, triggered=triggered,
        **{**given, **more},  # type: ignore[arg-type]
    )  # fmt: skip


def rich(seat: int, worth: int) -> dict[str, int]:
    """Return provinces for `seat` that bring its marker to at most `worth`, home included."""
    found: dict[str, int] = {}
    left = worth - 10
    for key in BOARD.keys[: BOARD.provinces]:
        if key not in ("egyptus", "hispania") and BOARD.tribute[sp(key)] <= left:
            found[key] = seat
            left -= BOARD.tribute[sp(key)]
    return found


# --- tribute ---


@pytest.mark.rule("MB-TRIB-01", "MB-D44")
def test_the_marker_is_the_value_of_provinces_and_cities() -> None:
    state = position(
        homes=("italia", "egyptus"),
        owners={"neapolis": 0, "rhaetia": 0},
        built={"italia": 2, "neapolis": 1, "sicilia": 1},
        units={"italia": {0: (1, 0, 0)}},
        leaders={"italia": [G]},
    )
    assert state.marker[0] == 10 + 5 + BOARD.tribute[sp("neapolis")] + 5 + BOARD.tribute[sp("rhaetia")]
    before = state.marker[0]
    play(state, (0, march("italia", "noricum", G, 1)))
    assert state.marker[0] == before + BOARD.tribute[sp("noricum")]


@pytest.mark.rule("MB-TRIB-02")
def test_conquests_of_the_turn_already_pay() -> None:
    state = position(homes=("italia", "egyptus"), units={"italia": {0: (1, 0, 0)}}, leaders={"italia": [G]})
    happened = play(state, (0, march("italia", "noricum", G, 1)), (0, a.EndMovement()))
    assert of(happened, Tribute) == [Tribute(0, 10 + BOARD.tribute[sp("noricum")])]


@pytest.mark.rule("MB-TRIB-03")
def test_money_is_kept() -> None:
    state = shop(35)
    play(state, (0, Buy(infantry=1)))
    end_turn(state, 1)
    income = state.marker[0]
    play(state, (0, a.EndMovement()))
    assert state.talents[0] == 25 + income


@pytest.mark.rule("MB-D46")
@pytest.mark.parametrize(("cap", "income"), [(0, True), (1, False)])
def test_the_end_of_the_scale_is_an_option(cap: int, income: bool) -> None:
    owners = dict.fromkeys(BOARD.keys[: BOARD.provinces], 0) | {"hispania": 1}
    built = dict.fromkeys(list(owners)[:10], 1)
    state = position(owners=owners, built=built, phase="tribute", options={"income_cap": cap})
    assert state.marker[0] > 260
    assert state.talents[0] == (state.marker[0] if income else 260)


# --- destroying cities ---


@pytest.mark.rule("MB-DESTROY-01")
def test_a_city_is_destroyed_with_its_wall() -> None:
    state = position(
        homes=("italia", "egyptus"), owners={"neapolis": 0, "sicilia": 1}, phase="destruction",
        built={"italia": 2, "neapolis": 2, "sicilia": 1}, roads=[("italia", "neapolis")],
    )  # fmt: skip
    assert isinstance(top(state), Destruction)
    before = state.marker[0]
    for key in ("sicilia", "rhaetia"):
        assert refused(state, 0, a.Raze(sp(key))) == "MB-DESTROY-01"
    happened = play(state, (0, a.Raze(sp("neapolis"))))
    assert of(happened, Razed) == [Razed(0, sp("neapolis"))]
    assert state.built[sp("neapolis")] == 0 and state.roads == [] and state.marker[0] == before - 5
    play(state, (0, a.Raze(sp("italia"))))
    assert owed(state) == (1,)


@pytest.mark.rule("MB-D49")
def test_a_city_that_leads_units_cannot_be_destroyed() -> None:
    state = position(
        homes=("italia", "egyptus"),
        owners={"neapolis": 0},
        built={"italia": 1, "neapolis": 1},
        units={"neapolis": {0: (1, 0, 0)}, "italia": {0: (8, 0, 0)}},
        leaders={"italia": [caesar(0)]},
        phase="destruction",
    )
    assert refused(state, 0, a.Raze(sp("neapolis"))) == "MB-D49"
    assert refused(state, 0, a.Raze(sp("italia"))) == "MB-D49"
    assert options(state, 0) == [a.EndDestruction()]
    play(state, (0, a.EndDestruction()))


# --- buying ---

PRICE_TABLE: list[tuple[str, tuple[int, int, int]]] = [
    ("infantry", (10, 20, 30)),
    ("cavalry", (25, 50, 75)),
    ("catapults", (40, 80, 120)),
    ("galleys", (25, 50, 75)),
    ("cities", (30, 60, 90)),
    ("fortifications", (25, 50, 75)),
]


@pytest.mark.rule(
    "MB-INFL-04", "MB-UNIT-01", "MB-UNIT-02", "MB-UNIT-03", "MB-UNIT-04", "MB-UNIT-05", "MB-UNIT-06", "MB-BUY-01"
)
@pytest.mark.parametrize("level", range(3))
@pytest.mark.parametrize(("name", "row"), PRICE_TABLE)
def test_the_price_table(name: str, row: tuple[int, int, int], level: int) -> None:
    price = row[level]
    built = {"italia": 1} if name == "fortifications" else {}
    state = shop(price, level + 1, built=built)
    if isinstance(top(state), Purchase):
        happened = play(state, (0, Buy(**{name: 1})))
        assert of(happened, Bought)[0].cost == price
        assert state.talents[0] == 0
    poor = shop(price - 1, level + 1, built=built)
    if isinstance(top(poor), Purchase):
        assert refused(poor, 0, Buy(**{name: 1})) == "MB-BUY-01"
    else:
        assert price == 10 * (level + 1)


@pytest.mark.rule("MB-INFL-04", "MB-UNIT-07")
@pytest.mark.parametrize(("level", "price"), [(1, 55), (2, 110), (3, 165)])
def test_the_price_of_a_fortified_city(level: int, price: int) -> None:
    state = shop(price, level)
    play(state, (0, Buy(cities=1, fortifications=1)))
    assert state.talents[0] == 0
    assert refused(state, 0, a.PlaceFortification(sp("neapolis"))) == "MB-PLACE-03"
    play(state, (0, a.PlaceCity(sp("neapolis"))), (0, a.PlaceFortification(sp("neapolis"))))
    assert state.built[sp("neapolis")] == 2
    assert PRICES[4] + PRICES[5] == 55


@pytest.mark.rule("MB-BUY-01", "MB-UNIT-08")
def test_any_part_of_the_money_is_spent_and_roads_cost_nothing() -> None:
    state = shop(100)
    assert cost(state, (1, 1, 1, 0, 0, 0)) == 75
    assert refused(state, 0, Buy(infantry=2, cavalry=2, catapults=1)) == "MB-BUY-01"
    play(state, (0, Buy(infantry=1, cavalry=2)))
    assert state.talents[0] == 40
    state = shop(100)
    play(state, (0, Buy()))
    assert state.talents[0] == 100


@pytest.mark.rule("MB-CITY-01", "MB-PLACE-03")
def test_a_province_takes_a_single_city_and_a_city_a_single_wall() -> None:
    state = shop(200, owners={"sicilia": 0, "creta": 1})
    play(state, (0, Buy(cities=2, fortifications=2)))
    assert isinstance(top(state), Placement)
    assert refused(state, 0, a.EndTurn()) == "MB-PLACE-01"
    for key in ("creta", "rhaetia"):
        assert refused(state, 0, a.PlaceCity(sp(key))) == "MB-PLACE-03"
    happened = play(state, (0, a.PlaceCity(sp("sicilia"))))
    assert of(happened, Placed) == [Placed(0, Piece.CITY, sp("sicilia"))]
    assert refused(state, 0, a.PlaceCity(sp("sicilia"))) == "MB-CITY-01"
    assert refused(state, 0, a.PlaceFortification(sp("italia"))) == "MB-PLACE-03"
    play(state, (0, a.PlaceFortification(sp("sicilia"))))
    assert refused(state, 0, a.PlaceFortification(sp("sicilia"))) == "MB-CITY-01"
    play(state, (0, a.PlaceCity(sp("italia"))), (0, a.PlaceFortification(sp("italia"))))
    assert owed(state) == (1,)


@pytest.mark.rule("MB-CITY-01")
def test_there_are_no_more_walls_than_cities() -> None:
    state = shop(500, built={"italia": 1})
    assert legal(state, 0, Buy(fortifications=1))
    assert refused(state, 0, Buy(fortifications=2)) == "MB-CITY-01"
    assert refused(state, 0, Buy(fortifications=4)) == "MB-CITY-01"
    assert legal(state, 0, Buy(cities=1, fortifications=2))


@pytest.mark.rule("MB-COMP-07", "MB-PLACE-03")
def test_without_a_site_it_is_the_site_that_is_missing_not_the_piece() -> None:
    assert refused(shop(500, built={"italia": 1}), 0, Buy(cities=3)) == "MB-PLACE-03"
    others = [key for key in BOARD.keys[: BOARD.provinces] if key not in ("italia", "egyptus")]
    for cities, told in ((29, ""), (30, "MB-COMP-07")):
        state = shop(500, owners=dict.fromkeys(others[:cities], 1), built=dict.fromkeys(others[:cities], 1))
        assert legal(state, 0, Buy(cities=1)) if not told else refused(state, 0, Buy(cities=1)) == told


@pytest.mark.rule("MB-CITY-01")
def test_no_more_walls_are_for_sale_than_cities_can_stand_over_them() -> None:
    """The action bar and bots count on this stock; one more is refused as a missing site."""
    state = shop(1000, owners={"neapolis": 0}, built={"italia": 2, "neapolis": 1})
    assert stock(state, 0)[Ware.CITIES :] == (0, 1)
    state = shop(1000, owners={"neapolis": 0, "rhaetia": 0}, built={"italia": 1, "neapolis": 2})
    assert stock(state, 0)[Ware.CITIES :] == (1, 2)


@pytest.mark.rule("MB-BUY-01", "MB-INFL-04")
@pytest.mark.parametrize(("inflation", "cheapest"), [(1, 10), (2, 20), (3, 30)])
def test_the_penniless_are_not_asked(inflation: int, cheapest: int) -> None:
    """A seat that cannot pay for an infantry unit at the day's prices is not asked what to buy."""
    poor = shop(cheapest - 1, inflation)
    assert owed(poor) == (1,) and poor.talents[0] == cheapest - 1
    state = shop(cheapest, inflation)
    assert isinstance(top(state), Purchase) and owed(state) == (0,)
    assert refused(state, 0, Buy(infantry=2)) == "MB-BUY-01"
    play(state, (0, Buy(infantry=1)))
    assert state.talents[0] == 0


@pytest.mark.rule("MB-GEN-04", "MB-D37")
def test_the_penniless_are_offered_no_ransom_that_they_cannot_pay() -> None:
    pieces = {"leaders": {prison(0): [FOE], prison(1): [G]}}
    for talents, wanted, offered in (((19, 19), {0}, {0}), ((20, 49), {0, 20}, {0, 20}), ((50, 0), {0}, {0, 20, 50})):
        state = position(talents=talents, **pieces)  # type: ignore[arg-type]
        listed = [action for action in options(state, 0) if isinstance(action, a.Offer)]
        assert {offer.wants for offer in listed} == wanted and {offer.pays for offer in listed} == offered
        for offer in listed:
            assert legal(state, 0, offer)
        assert refused(state, 0, a.Offer(1, pays=talents[0] + 1, takes=(G,))) == "MB-GEN-04"
        assert refused(state, 0, a.Offer(1, wants=talents[1] + 1, gives=(FOE,))) == "MB-GEN-04"


@pytest.mark.rule("MB-PLACE-01")
def test_new_units_stand_in_the_home_and_nowhere_else() -> None:
    state = shop(100)
    play(state, (0, Buy(infantry=2, catapults=1)))
    assert army(state, "italia", 0) == (2, 0, 1)
    assert refused(shop(100), 0, Buy(infantry=3, galleys=3)) == "MB-BUY-01"
    state = shop(100)
    play(state, (0, Buy(galleys=1)))
    assert refused(state, 0, a.PlaceCity(sp("italia"))) == "MB-BUY-01"
    assert refused(state, 0, a.PlaceFortification(sp("italia"))) == "MB-BUY-01"
    assert refused(state, 0, a.PlaceGalley(sp("neapolis"))) == "MB-PLACE-02"


@pytest.mark.rule("MB-UNIT-03", "MB-COMP-03")
@pytest.mark.parametrize("sold", [True, False])
def test_no_catapults_are_for_sale_by_a_house_rule(sold: bool) -> None:
    state = shop(1000, options={"catapults": int(not sold)})
    assert any(action.catapults for action in options(state, 0) if isinstance(action, Buy)) == sold
    assert stock(state, 0)[Ware.CATAPULTS] == (14 if sold else 0)
    if sold:
        assert legal(state, 0, Buy(catapults=1))
    else:
        assert refused(state, 0, Buy(catapults=1)) == "MB-UNIT-03"


# --- inflation ---


@pytest.mark.rule("MB-INFL-01", "MB-INFL-04")
def test_prices_never_rise_by_a_house_rule() -> None:
    state = position(owners=rich(0, 100), phase="purchase", talents=[70, 40], options={"inflation": 1})
    site = next(space for space, seat in enumerate(state.owner) if seat == 0)
    happened = play(state, (0, Buy(cities=1)), (0, a.PlaceCity(site)))
    assert state.marker[0] == 105 and state.inflation_marks == () and state.triggered == [NONE, NONE]
    assert not of(happened, InflationTriggered) and not of(happened, PricesRose)
    assert owed(state) == (1,) and state.inflation == 1


@pytest.mark.rule("MB-INFL-01", "MB-INFL-02", "MB-D45")
def test_prices_double_with_the_next_players_turn() -> None:
    state = position(owners=rich(0, 100), phase="purchase", talents=[70, 40])
    assert state.marker[0] == 100
    site = next(space for space, seat in enumerate(state.owner) if seat == 0)
    happened = play(state, (0, Buy(cities=1)), (0, a.PlaceCity(site)))
    assert of(happened, InflationTriggered) == [InflationTriggered(0, 1)]
    assert state.triggered == [0, NONE] and of(happened, PricesRose) == [PricesRose(2)]
    assert owed(state) == (1,) and state.inflation == 2


@pytest.mark.rule("MB-INFL-02")
def test_reaching_the_mark_leaves_the_old_price_for_a_turn() -> None:
    owners = rich(0, 100)
    free = next(key for key in ("cyrenaica", "palestina", "arabia_petraea") if key not in owners)
    state = position(
        owners=owners, units={"egyptus": {0: (1, 0, 0)}}, leaders={"egyptus": [G]}, talents=[10, 0], built={}
    )
    happened = play(state, (0, march("egyptus", free, G, 1)), (0, a.EndMovement()))
    assert of(happened, InflationTriggered) == [InflationTriggered(0, 1)]
    assert state.inflation == 1
    play(state, (0, Buy(infantry=1)))
    assert state.talents[0] == 10 + state.marker[0] - 10
    assert state.inflation == 2 and owed(state) == (1,)


@pytest.mark.rule("MB-INFL-03")
def test_inflation_never_goes_back() -> None:
    state = position(owners=rich(0, 100), built={}, inflation=2, triggered=(0, NONE), phase="destruction")
    end_turn(state, 0)
    assert state.inflation == 2
    end_turn(state, 1)
    assert state.inflation == 2


@pytest.mark.rule("MB-D45", "MB-INFL-01")
def test_both_levels_at_once_by_capturing_a_caesar() -> None:
    owners = dict.fromkeys(BOARD.keys[: BOARD.provinces], 1)
    state = position(
        3,
        homes=("egyptus", "hispania", "italia"),
        turn=0,
        phase="combat",
        units={"dalmatia": {0: (1, 0, 0), 1: (1, 0, 0)}},
        leaders={"dalmatia": [G, caesar(1)]},
        owners=owners | {"italia": 2, "egyptus": 0},
    )
    assert state.marker[0] == 10
    happened = play(state, (0, a.Fight(sp("dalmatia"), 1)), "6")
    assert state.marker[0] >= 205
    assert of(happened, InflationTriggered) == [InflationTriggered(0, 1), InflationTriggered(0, 2)]
    assert state.inflation == 1
    end_turn(state, 0)
    assert state.inflation == 3


# --- prisoners and purchases ---


def test_prisoners_are_dealt_with_in_every_action() -> None:
    state = position(
        homes=("italia", "egyptus"),
        leaders={prison(0): [FOE, general(1, 2), general(1, 3)]},
        built={"italia": 1},
        talents=[40, 10],
        phase="destruction",
    )
    for frame, step in ((Destruction, a.EndDestruction()), (Purchase, Buy())):
        assert isinstance(top(state), frame)
        held = [x for x in (FOE, general(1, 2), general(1, 3)) if where(state, x) == "prison 0"]
        play(state, (0, Execute((held[0],))))
        assert isinstance(top(state), frame)
        play(state, (0, step))
    assert isinstance(top(state), Placement)
    play(state, (0, a.Offer(1, gives=(general(1, 3),))))
    assert owed(state) == (1,)
    play(state, (1, a.Answer(True)))
    assert isinstance(top(state), Movement) and owed(state) == (1,)
    assert where(state, general(1, 3)) == "egyptus"


def test_a_galley_bought_is_the_next_of_the_own_colour() -> None:
    state = shop(100, galleys={galley(0): "italia:west"})
    play(state, (0, Buy(galleys=1)), (0, a.PlaceGalley(sp("italia"))))
    assert state.galley_at[galley(0, 1)] == sp("italia")
    assert owner(state, "italia") == 0
