"""Phases 3 to 6: tribute, destruction, purchases, inflation, placement."""

import pytest

from shared.board import BOARD
from shared.ids import NONE
from shared.kernel.frames import Event
from shared.rulesets.classic.actions import Buy, Form
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.economy import stock
from shared.rulesets.classic.events import Refunded
from shared.rulesets.classic.frames import Placement
from shared.rulesets.classic.table import State
from shared.vocabulary.actions import (
    EndDestruction,
    EndMovement,
    EndTurn,
    Fight,
    Judge,
    PlaceCity,
    PlaceFortification,
    PlaceGalley,
    PlaceRoad,
    Raze,
    Retreat,
    Stand,
)
from shared.vocabulary.events import InflationTriggered, PricesRose, Tribute
from shared.vocabulary.frames import Destruction, Movement, Purchase
from tests.support.layout import army, coast, owner, sp
from tests.support.position import caesar, galley, general, legal, march, options, owed, play, position, refused
from tests.support.referee import of, top

G, G2 = general(0), general(0, 2)

TEN = [BOARD.keys[space] for space in range(BOARD.provinces) if BOARD.tribute[space] == 10]
FIVE = [BOARD.keys[space] for space in range(BOARD.provinces) if BOARD.tribute[space] == 5]


# --- tribute and destruction ---


@pytest.mark.rule("CL-TRIB-01", "CL-CITY-01")
def test_tribute_is_the_value_of_all_provinces_and_five_for_each_city() -> None:
    state = position(
        owners={"syria": 0, "cilicia": 0, "cyrenaica": 1},
        built={"egyptus": 2, "syria": 1, "cyrenaica": 2},
        talents=(7, 3),
        phase="tribute",
    )
    assert state.marker == [35, 25]
    assert state.talents == [42, 3], "only the player whose turn it is"


@pytest.mark.rule("CL-TRIB-01")
def test_provinces_won_this_turn_pay_at_once() -> None:
    state = position(
        units={"egyptus": {0: (1, 0, 0)}}, leaders={"egyptus": [G]}, owners={"cyrenaica": 1}, built={"cyrenaica": 1}
    )
    play(state, (0, march("egyptus", "cyrenaica", G, 1)))
    assert of(play(state, (0, EndMovement())), Tribute)[0].talents == 25


@pytest.mark.rule("CL-DESTROY-01", "CL-ROAD-05")
def test_destroying_a_city_takes_its_fortification_and_its_roads() -> None:
    state = position(
        owners=dict.fromkeys(("cyrenaica", "palestina", "arabia_petraea"), 0),
        built={"egyptus": 2, "cyrenaica": 1, "palestina": 2, "arabia_petraea": 1},
        roads=[("egyptus", "cyrenaica"), ("egyptus", "palestina"), ("palestina", "arabia_petraea")],
        phase="destruction",
    )
    before = state.marker[0]
    play(state, (0, Raze(sp("egyptus"))))
    assert state.built[sp("egyptus")] == 0
    assert state.marker[0] == before - 5
    assert state.roads == [BOARD.edge_index[sp("arabia_petraea"), sp("palestina")]]
    assert owner(state, "egyptus") == 0
    play(state, (0, Raze(sp("cyrenaica"))))
    assert refused(state, 0, Raze(sp("cyrenaica"))) == "CL-DESTROY-01"
    assert state.marker[0] == before - 10


@pytest.mark.rule("CL-DESTROY-01")
def test_only_own_cities_can_be_destroyed() -> None:
    state = position(built={"egyptus": 2, "hispania": 2, "syria": 1}, phase="destruction")
    assert isinstance(top(state), Destruction)
    for key in ("hispania", "syria", "cyrenaica", "mare_rhodus"):
        assert refused(state, 0, Raze(sp(key))) == "CL-DESTROY-01"
    assert refused(state, 0, Raze(-1)) == "CL-DESTROY-01"
    play(state, (0, EndDestruction()))
    assert state.built[sp("egyptus")] == 2


@pytest.mark.rule("CL-ROAD-05", "CL-CITY-01")
def test_a_city_passes_to_the_conqueror_with_its_roads() -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"italia": {0: (2, 0, 0)}},
        leaders={"italia": [G]},
        owners={"narbonensis": 1},
        built={"italia": 1, "narbonensis": 2, "hispania": 1},
        roads=[("hispania", "narbonensis"), ("italia", "narbonensis")],
    )
    play(state, (0, march("italia", "narbonensis", G, 2)), (0, EndMovement()))
    assert state.built[sp("narbonensis")] == 2
    assert len(state.roads) == 2
    assert state.marker == [30, 15]


# --- purchases ---


@pytest.mark.rule("CL-BUY-01")
def test_purchases_need_enough_talents() -> None:
    state = position(talents=(55, 0), phase="purchase")
    assert legal(state, 0, Buy(infantry=1, cavalry=2))
    assert refused(state, 0, Buy(infantry=6)) == "CL-BUY-01"
    assert refused(state, 0, EndTurn()) == "CL-TURN-01"
    play(state, (0, Buy(infantry=1, cavalry=2)))
    assert state.talents[0] == 5
    assert army(state, "egyptus", 0) == (1, 2, 0)


@pytest.mark.rule("CL-BUY-01")
def test_buying_nothing_keeps_the_money() -> None:
    state = position(talents=(55, 0), phase="purchase")
    play(state, (0, Buy()))
    assert state.talents[0] == 55
    assert owed(state) == (1,)


@pytest.mark.rule("CL-CITY-01", "CL-PLACE-03")
def test_each_controlled_province_takes_a_single_city() -> None:
    state = position(
        owners={"syria": 0, "cyprus": 0, "cyrenaica": 1},
        built={"egyptus": 1},
        talents=(200, 0),
        phase="purchase",
    )
    play(state, (0, Buy(cities=2)))
    assert refused(state, 0, PlaceCity(sp("egyptus"))) == "CL-CITY-01", "there is one already"
    for key in ("cyrenaica", "palestina", "mare_rhodus"):
        assert refused(state, 0, PlaceCity(sp(key))) == "CL-PLACE-03"
    play(state, (0, PlaceCity(sp("cyprus"))), (0, PlaceCity(sp("syria"))))
    assert state.built[sp("cyprus")] == state.built[sp("syria")] == 1, "islands too"
    assert state.marker[0] == 15 + 10 + 15


@pytest.mark.rule("CL-CITY-02", "CL-PLACE-03")
def test_a_fortification_goes_under_a_new_or_an_old_city() -> None:
    state = position(owners={"syria": 0}, built={"egyptus": 1}, talents=(200, 0), phase="purchase")
    assert refused(state, 0, Buy(fortifications=2)) in {"CL-CITY-02", "CL-COMP-03"}
    play(state, (0, Buy(cities=1, fortifications=2)))
    assert refused(state, 0, PlaceFortification(sp("syria"))) == "CL-CITY-02", "the city comes first"
    play(state, (0, PlaceFortification(sp("egyptus"))))
    assert refused(state, 0, PlaceFortification(sp("egyptus"))) == "CL-CITY-02", "one per city"
    play(state, (0, PlaceCity(sp("syria"))))
    before = state.marker[0]
    play(state, (0, PlaceFortification(sp("syria"))))
    assert state.built[sp("syria")] == 2
    assert state.marker[0] == before, "walls pay no tribute"
    assert owed(state) == (1,), "all is placed"


@pytest.mark.rule("CL-CITY-02")
def test_no_more_fortifications_than_cities() -> None:
    state = position(owners={"syria": 0, "cyprus": 0}, built={"egyptus": 2}, talents=(200, 0), phase="purchase")
    assert refused(state, 0, Buy(fortifications=1)) == "CL-CITY-02"
    assert refused(state, 0, Buy(cities=1, fortifications=2)) == "CL-CITY-02"
    assert legal(state, 0, Buy(cities=1, fortifications=1))


@pytest.mark.rule("CL-ROAD-01")
def test_a_road_joins_two_own_cities_in_adjacent_provinces() -> None:
    state = position(
        owners={"cyrenaica": 0, "palestina": 0, "syria": 0, "arabia_petraea": 1, "creta": 0},
        built=dict.fromkeys(("egyptus", "cyrenaica", "syria", "arabia_petraea", "creta"), 1),
        talents=(200, 0),
        phase="purchase",
    )
    assert refused(state, 0, Buy(roads=2)) == "CL-ROAD-01"
    play(state, (0, Buy(roads=1)))
    for a, b in (
        ("egyptus", "palestina"),
        ("egyptus", "arabia_petraea"),
        ("egyptus", "syria"),
        ("egyptus", "creta"),
        ("egyptus", "egyptus"),
    ):
        assert refused(state, 0, PlaceRoad(sp(a), sp(b))) == "CL-ROAD-01"
    play(state, (0, PlaceRoad(sp("egyptus"), sp("cyrenaica"))))
    assert state.roads == [BOARD.edge_index[sp("cyrenaica"), sp("egyptus")]]


@pytest.mark.rule("CL-ROAD-01")
def test_no_second_road_on_the_same_way() -> None:
    state = position(
        owners={"cyrenaica": 0},
        built={"egyptus": 1, "cyrenaica": 1},
        roads=[("cyrenaica", "egyptus")],
        talents=(200, 0),
        phase="purchase",
    )
    assert refused(state, 0, Buy(roads=1)) in {"CL-ROAD-01", "CL-COMP-03"}


@pytest.mark.rule("CL-D28")
def test_a_road_and_a_city_of_the_same_purchase_are_placed_together() -> None:
    state = position(owners={"cyrenaica": 0}, built={"egyptus": 1}, talents=(40, 0), phase="purchase")
    assert refused(state, 0, Buy(roads=1)) == "CL-ROAD-01"
    play(state, (0, Buy(cities=1, roads=1)))
    assert refused(state, 0, PlaceRoad(sp("cyrenaica"), sp("egyptus"))) == "CL-ROAD-01", "the city comes first"
    play(state, (0, PlaceCity(sp("cyrenaica"))), (0, PlaceRoad(sp("cyrenaica"), sp("egyptus"))))
    assert len(state.roads) == 1


@pytest.mark.rule("CL-H15", "CL-D28", "CL-PLACE-03")
def test_unplaced_pieces_are_refunded() -> None:
    state = position(
        owners={"cyrenaica": 0, "creta": 0},
        built={"egyptus": 1},
        talents=(80, 0),
        phase="purchase",
        inflation=2,
    )
    play(state, (0, Buy(cities=1, roads=1)))
    assert refused(state, 0, EndTurn()) == "CL-H15", "what can be placed must be placed"
    events = play(state, (0, PlaceCity(sp("creta"))))
    assert of(events, Refunded)[0].talents == 20
    assert owed(state) == (1,)
    assert state.talents[0] == 20


# --- placement ---


@pytest.mark.rule("CL-PLACE-01")
def test_new_units_stand_in_the_home() -> None:
    state = position(owners={"syria": 0, "cyrenaica": 0}, talents=(300, 0), phase="purchase")
    play(state, (0, Buy(3, 2, 1)))
    assert army(state, "egyptus", 0) == (3, 2, 1)


@pytest.mark.rule("CL-PLACE-01")
@pytest.mark.parametrize("home", ["italia", "hispania", "macedonia", "egyptus", "numidia", "galatia"])
def test_new_galleys_lie_on_a_coast_of_the_home(home: str) -> None:
    other = "egyptus" if home != "egyptus" else "hispania"
    state = position(homes=(home, other), owners={"syria": 0}, talents=(300, 0), phase="purchase")
    play(state, (0, Buy(galleys=8)))
    for position_ in range(BOARD.positions):
        ashore = BOARD.ashore[position_] == sp(home)
        assert legal(state, 0, PlaceGalley(position_)) == ashore
    assert refused(state, 0, PlaceGalley(coast("syria"))) == "CL-PLACE-01"
    for _ in range(4):
        for position_ in BOARD.coasts[sp(home)] * (2 if len(BOARD.coasts[sp(home)]) == 1 else 1):
            play(state, (0, PlaceGalley(position_)))
    assert owed(state) == (1,)
    assert sorted(BOARD.ashore[at] for at in state.galley_at[:8]) == [sp(home)] * 8


@pytest.mark.rule("CL-PLACE-01")
def test_only_what_was_bought_can_be_placed() -> None:
    state = position(owners={"syria": 0}, built={"egyptus": 1}, talents=(300, 0), phase="purchase")
    play(state, (0, Buy(galleys=1)))
    assert refused(state, 0, PlaceCity(sp("syria"))) == "CL-BUY-01"
    assert refused(state, 0, PlaceFortification(sp("egyptus"))) == "CL-BUY-01"
    assert refused(state, 0, PlaceRoad(0, 1)) == "CL-BUY-01"
    assert refused(state, 0, march("egyptus", "syria", caesar(0))) == "CL-TURN-01"
    play(state, (0, PlaceGalley(sp("egyptus"))))
    assert owed(state) == (1,)


@pytest.mark.rule("CL-PLACE-02", "CL-D33")
@pytest.mark.parametrize("yards", [(), ("syria",), ("armenia",), ("syria", "armenia")])
def test_mesopotamia_builds_galleys_in_syria_and_armenia(yards: tuple[str, ...]) -> None:
    state = position(
        homes=("mesopotamia", "hispania"),
        owners=dict.fromkeys((*yards, "egyptus"), 0),
        talents=(300, 0),
        phase="purchase",
    )
    if not yards:
        assert refused(state, 0, Buy(galleys=1)) == "CL-PLACE-02"
        assert legal(state, 0, Buy(infantry=1))
        return
    play(state, (0, Buy(galleys=1)))
    assert options(state, 0) == [PlaceGalley(sp(yard)) for yard in yards]
    assert refused(state, 0, PlaceGalley(sp("egyptus"))) == "CL-PLACE-02"


@pytest.mark.rule("CL-D33")
def test_the_yards_of_mesopotamia_have_one_coast_each() -> None:
    assert [BOARD.names[sea] for sea in BOARD.coast_seas[sp("armenia")]] == ["Mare Amisus"]
    assert len(BOARD.coasts[sp("syria")]) == 1


@pytest.mark.rule("CL-PLACE-01", "CL-D23")
def test_units_cannot_be_bought_while_the_home_is_lost() -> None:
    state = position(
        owners={"egyptus": 1, "syria": 0, "palestina": 0},
        built={"syria": 1},
        leaders={"syria": [caesar(0)]},
        talents=(300, 0),
        phase="tribute",
    )
    assert state.talents == [320, 0], "no looting, and tribute goes on"
    play(state, (0, EndDestruction()))
    assert refused(state, 0, Buy(infantry=1)) == "CL-PLACE-01"
    assert refused(state, 0, Buy(catapults=1)) == "CL-PLACE-01"
    assert refused(state, 0, Buy(galleys=1)) == "CL-PLACE-01"
    assert legal(state, 0, Buy(cities=1, fortifications=2, roads=1))
    assert stock(state, 0)[:4] == (0, 0, 0, 0)


@pytest.mark.rule("CL-D23")
def test_the_home_counts_again_once_it_is_won_back() -> None:
    state = position(
        owners={"egyptus": 1},
        units={"palestina": {0: (2, 0, 0)}},
        leaders={"palestina": [G, caesar(0)]},
        talents=(100, 0),
    )
    play(state, (0, march("palestina", "egyptus", G, 2)), (0, EndMovement()))
    assert legal(state, 0, Buy(infantry=2, galleys=1))


@pytest.mark.rule("CL-H16", "CL-D23", "CL-D30")
def test_new_units_may_stand_beside_an_enemy_who_retreated_into_the_home() -> None:
    state = position(units={"egyptus": {1: (1, 0, 0)}}, talents=(100, 0), phase="purchase")
    play(state, (0, Buy(infantry=2)))
    assert army(state, "egyptus", 0) == (2, 0, 0)
    play(state, (1, EndMovement()))
    assert options(state, 1) == [Fight(sp("egyptus"), 0)]


# --- inflation ---


def rich(count: int, **more: object) -> State:
    """Return a position in which seat 0 owns Egyptus and `count` provinces of ten."""
    owned = [key for key in TEN if key not in ("egyptus", "hispania", "cyrenaica")][:count]
    settings: dict[str, object] = {
        "homes": ("egyptus", "hispania"),
        "owners": dict.fromkeys(owned, 0),
        "units": {"egyptus": {0: (1, 0, 0)}},
        "leaders": {"egyptus": [G]},
    }
    return position(2, **{**settings, **more})  # type: ignore[arg-type]


def end_turn(state: State, seat: int) -> list[Event]:
    """Do nothing until the next player moves."""
    happened: list[Event] = []
    while not (isinstance(top(state), Movement) and owed(state) != (seat,)):
        happened += play(state, (seat, next(a for a in options(state, seat) if isinstance(
            a, EndMovement | EndDestruction | Buy | EndTurn))))  # fmt: skip
    return happened


@pytest.mark.rule("CL-INFL-01")
def test_prices_double_when_the_trigger_players_next_turn_begins() -> None:
    state = rich(9, built={"egyptus": 2}, owners=dict.fromkeys(
        [key for key in TEN if key not in ("egyptus", "hispania", "cyrenaica")][:8], 0), talents=(0, 0))  # fmt: skip
    assert state.marker[0] == 95
    events = play(state, (0, march("egyptus", "cyrenaica", G, 1)), (0, EndMovement()))
    assert state.marker[0] == 105
    assert [(event.seat, event.level) for event in of(events, InflationTriggered)] == [(0, 1)]
    assert state.inflation == 1, "one more purchase at the old price, beginning with him"
    play(state, (0, EndDestruction()), (0, Buy(infantry=10)))
    assert state.talents[0] == 5
    assert state.inflation == 1, "and for everybody else"
    events = end_turn(state, 1)
    assert owed(state) == (0,)
    assert [event.factor for event in of(events, PricesRose)] == [2]
    play(state, (0, EndMovement()), (0, EndDestruction()))
    assert state.talents[0] == 110
    assert refused(state, 0, Buy(infantry=6)) == "CL-BUY-01"
    assert legal(state, 0, Buy(infantry=5))


@pytest.mark.rule("CL-INFL-01")
def test_a_new_city_may_trigger_it() -> None:
    state = rich(9, talents=(30, 0), phase="purchase")
    assert state.marker[0] == 100
    play(state, (0, Buy(cities=1)), (0, PlaceCity(sp("egyptus"))))
    assert state.triggered == [0, NONE]
    assert state.inflation == 1


@pytest.mark.rule("CL-INFL-01", "CL-INFL-02")
def test_below_the_mark_nothing_happens_and_a_level_is_triggered_once() -> None:
    state = rich(8)
    events = play(state, (0, march("egyptus", "cyrenaica", G, 1)), (0, EndMovement()))
    assert state.marker[0] == 100
    assert not of(events, InflationTriggered)
    crossed = rich(9, triggered=(1, NONE), inflation=2)
    events = play(crossed, (0, march("egyptus", "cyrenaica", G, 1)), (0, EndMovement()))
    assert crossed.marker[0] == 110
    assert not of(events, InflationTriggered)
    assert crossed.triggered == [1, NONE]


@pytest.mark.rule("CL-INFL-02")
def test_inflation_is_never_undone() -> None:
    state = rich(9, built={"egyptus": 1}, triggered=(0, NONE), phase="destruction")
    assert state.marker[0] == 105
    play(state, (0, Raze(sp("egyptus"))))
    assert state.marker[0] == 100
    end_turn(state, 0)
    end_turn(state, 1)
    assert state.inflation == 2


@pytest.mark.rule("CL-INFL-01", "CL-D27")
def test_the_second_level_triples_the_basic_price() -> None:
    state = rich(16, turn=1, triggered=(1, 0), inflation=2, talents=(100, 0), phase="placement")
    assert owed(state) == (0,)
    assert state.inflation == 3
    play(state, (0, EndMovement()))
    money = state.talents[0]
    assert legal(state, 0, Buy(infantry=money // 30))
    assert refused(state, 0, Buy(infantry=1 + money // 30)) == "CL-BUY-01"


@pytest.mark.rule("CL-D27")
def test_both_levels_in_one_jump() -> None:
    """A captured Caesar with a large empire: prices go straight to three times the basic ones."""
    state = position(
        3,
        homes=("macedonia", "egyptus", "hispania"),
        owners=dict.fromkeys([k for k in TEN + FIVE if k not in ("macedonia", "egyptus", "hispania", "dacia")], 1),
        units={"dacia": {0: (1, 0, 0)}},
        leaders={"dacia": [caesar(1)]},
        triggered=(NONE, NONE),
    )
    assert state.marker[1] > 205
    events = play(state, (0, EndMovement()))
    assert [event.level for event in of(events, InflationTriggered)] == [1, 2]
    assert state.inflation == 1
    end_turn(state, 0)
    events = end_turn(state, 2)
    assert [event.factor for event in of(events, PricesRose)] == [3]


@pytest.mark.rule("CL-D26")
def test_inflation_of_an_eliminated_player_starts_where_their_turn_would_begin() -> None:
    state = position(
        4,
        homes=("macedonia", "mesopotamia", "numidia", "hispania"),
        turn=0,
        lords={1: 3},
        triggered=(1, NONE),
        phase="placement",
    )
    assert owed(state) == (2,)
    assert state.inflation == 2, "Mesopotamia's turn would have come before Numidia's"
    other = position(
        4,
        homes=("macedonia", "mesopotamia", "numidia", "hispania"),
        turn=0,
        lords={3: 1},
        triggered=(3, NONE),
        phase="placement",
    )
    assert other.inflation == 1
    end_turn(other, 1)
    assert other.inflation == 1
    end_turn(other, 2)
    assert owed(other) == (0,)
    assert other.inflation == 2


def captor_of_a_caesar(attacker: int, defender: int, amendments: int = len(CLASSIC.amendments)) -> State:
    """Let the defender capture the attacker's Caesar and pass the first mark by it, in round 4."""
    lands = [key for key in TEN if key not in ("macedonia", "egyptus", "hispania")]
    state = position(
        3,
        homes=("macedonia", "egyptus", "hispania"),
        round=4,
        amendments=amendments,
        turn=attacker,
        units={"dacia": {attacker: (1, 0, 0), defender: (5, 0, 0)}},
        leaders={"dacia": [caesar(attacker)]},
        owners=dict.fromkeys(lands[:5], defender) | dict.fromkeys(lands[5:10], attacker),
        phase="combat",
    )
    events = play(state, (attacker, Fight(sp("dacia"), defender)), ".", "i....")
    assert [(event.seat, event.level) for event in of(events, InflationTriggered)] == [(defender, 1)]
    return state


@pytest.mark.rule("CL-D26")
def test_prices_triggered_before_ones_turn_of_the_round_rise_a_round_later() -> None:
    """Hispania captures a Caesar in Macedonia's turn: its own turn of the same round is still at the old prices."""
    state = captor_of_a_caesar(0, 2)
    assert (owed(state), state.round, state.due) == ((1,), 4, 0)
    end_turn(state, 1)
    assert (owed(state), state.round) == ((2,), 4)
    play(state, (2, EndMovement()))
    assert state.inflation == 1
    end_turn(state, 2)
    assert owed(state) == (1,), "Macedonia is out"
    risen = end_turn(state, 1)
    assert [event.factor for event in of(risen, PricesRose)] == [2]
    assert (owed(state), state.round, state.due) == ((2,), 5, 1)
    assert state.inflation == 2


@pytest.mark.rule("CL-D26")
def test_prices_triggered_after_ones_turn_of_the_round_rose_with_the_next_one_before_the_amendment() -> None:
    state = captor_of_a_caesar(2, 0, amendments=2)
    assert (owed(state), state.round, state.due) == ((0,), 5, 1)
    assert state.inflation == 2


@pytest.mark.rule("CL-D26")
def test_old_prices_last_for_one_turn_of_each_player() -> None:
    """Macedonia captures a Caesar in Hispania's turn, after its own: its next one is still at the old prices."""
    state = captor_of_a_caesar(2, 0)
    for seat in (0, 1):
        assert (owed(state), state.round, state.inflation) == ((seat,), 5, 1)
        end_turn(state, seat)
    assert (owed(state), state.round, state.inflation) == ((0,), 6, 2)


@pytest.mark.rule("CL-D26", "CL-D27")
def test_marks_of_two_players_become_due_each_after_its_player_s_turn() -> None:
    """105 is Macedonia's after its turn of round 4, 205 Egyptus's in its own: prices go straight to three times."""
    state = position(
        3, homes=("macedonia", "egyptus", "hispania"), round=4, turn=1, triggered=(0, 1), due=0, phase="placement"
    )
    assert (owed(state), state.due) == ((2,), 2), "only the second mark is due"
    end_turn(state, 2)
    assert (owed(state), state.round, state.inflation) == ((0,), 5, 1), "Macedonia's last turn at the old prices"
    end_turn(state, 0)
    assert (owed(state), state.due, state.inflation) == ((1,), 3, 3)
    for seat in (1, 2):
        end_turn(state, seat)
    assert (owed(state), state.round, state.inflation) == ((0,), 6, 3), "prices never fall"


@pytest.mark.rule("CL-D26")
def test_the_second_mark_waits_for_its_own_following_round() -> None:
    """Egyptus reached 105 in round 3, and 205 in round 4 before its own turn: in that turn prices double only."""
    state = position(3, homes=("macedonia", "egyptus", "hispania"), round=4, triggered=(1, 1), due=1, phase="placement")
    assert (owed(state), state.inflation) == ((1,), 2)
    for seat in (1, 2, 0):
        assert state.inflation == 2
        end_turn(state, seat)
    assert (owed(state), state.round, state.inflation) == ((1,), 5, 3)


# --- example 2 ---


@pytest.mark.rule("CL-EX-02", "CL-D48")
def test_example_two_a_complete_turn_of_italia() -> None:
    """The printed results, with dice that lead there (the example gives none)."""
    state = position(
        3,
        homes=("italia", "hispania", "macedonia"),
        units={
            "italia": {0: (5, 3, 2)},
            "narbonensis": {1: (2, 0, 0)},
            "dalmatia": {2: (4, 2, 1)},
        },
        leaders={"italia": [G, G2], "narbonensis": [general(1)], "dalmatia": [general(2)]},
        owners={"neapolis": 0, "narbonensis": 1, "dalmatia": 2},
        built={"italia": 2, "neapolis": 1},
        roads=[("italia", "neapolis")],
        galleys={galley(0): "italia:west"},
    )
    assert state.marker == [30, 20, 15]
    play(
        state,
        (0, march("italia", "narbonensis", G, 2, 1)),
        (0, march("italia", "dalmatia", G2, 3, 2, 2)),
        (0, EndMovement()),
        (0, Fight(sp("narbonensis"), 1)),
        "ii.",
        "..",
        (0, Judge(())),
        (0, Fight(sp("dalmatia"), 2)),
        (2, Form(4, 1, 1)),
        (0, Form(3, 2, 1)),
        "......",
        "......",
        (2, Stand()),
        (0, Retreat(sp("italia"))),
        ".......",
    )
    assert isinstance(top(state), Destruction)
    assert owner(state, "narbonensis") == 0
    assert owner(state, "dalmatia") == 2
    assert state.marker == [40, 10, 15]
    assert state.talents == [40, 0, 0]
    play(state, (0, Raze(sp("neapolis"))), (0, EndDestruction()))
    assert state.marker[0] == 35
    assert state.roads == []
    play(state, (0, Buy(infantry=4)))
    if isinstance(top(state), Placement):
        play(state, (0, EndTurn()))
    assert army(state, "italia", 0) == (7, 2, 2)
    assert state.talents[0] == 0
    assert owed(state) == (2,)


@pytest.mark.rule("CL-DESTROY-01", "CL-BUY-01")
def test_phases_pass_by_themselves_where_there_is_nothing_to_do() -> None:
    state = position(owners={"egyptus": 1}, leaders={"cyrenaica": [caesar(0)]}, units={"cyrenaica": {0: (1, 0, 0)}})
    play(state, (0, EndMovement()))
    assert isinstance(top(state), Purchase), "ten talents of Cyrenaica"
    assert owner(state, "cyrenaica") == 0
