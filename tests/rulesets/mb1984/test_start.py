"""Pieces, map, set-up, order of play, the sequence of a turn."""

import pytest

from shared.board import BOARD
from shared.ids import NONE
from shared.kernel import engine
from shared.mechanics.pieces import OFF
from shared.rulesets.mb1984.actions import Buy
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.mb1984.frames import Combat, Placement
from shared.rulesets.mb1984.options import POOL
from shared.rulesets.mb1984.property import supply
from shared.rulesets.mb1984.refusals import NARROWS
from shared.rulesets.mb1984.table import CITIES, FORTIFICATIONS, GALLEYS, LEADERS, ROADS
from shared.vocabulary.actions import EndDestruction, EndMovement, EndTurn, Fight, PlaceCity, Raze, Stand
from shared.vocabulary.events import PricesRose, Tribute, TurnBegan
from shared.vocabulary.frames import Destruction, Movement, Purchase
from tests.support.layout import owner, sp, where
from tests.support.position1984 import (
    galley,
    general,
    legal,
    march,
    options,
    owed,
    play,
    position,
    refused,
    start,
    verdict,
)
from tests.support.referee import of, top

HOMES = ("macedonia", "galatia", "egyptus", "numidia", "hispania", "italia")


@pytest.mark.rule("MB-COMP-02")
def test_a_colour_has_a_caesar_six_generals_and_six_galleys() -> None:
    state = start(2)
    assert (LEADERS, GALLEYS) == (7, 6)
    assert [where(state, general(0, k)) for k in range(1, 7)] == ["egyptus"] * 6
    assert state.galley_at == [OFF] * 12
    assert supply(state, 0)[3] == 6


@pytest.mark.rule("MB-COMP-03")
def test_units_come_from_one_supply_for_all() -> None:
    assert POOL == (60, 30, 20)
    assert supply(start(6), 0)[:3] == (60 - 24, 30, 20)
    state = position(
        units={"sicilia": {0: (5, 5, 4)}, "syria": {1: (6, 1, 0)}},
        leaders={"sicilia": [general(0), general(0, 2)], "syria": [general(1)]},
        owners={"sicilia": 0, "syria": 1},
    )
    assert supply(state, 0) == supply(state, 1) == (49, 24, 16, 6)
    state = position(
        units={"sicilia": {0: (2, 1, 0), 1: (3, 0, 1)}},
        leaders={"sicilia": [general(0), general(1)], 60 + galley(1): [general(1, 2)]},
        owners={"sicilia": 1},
        galleys={galley(0, 5): "egyptus", galley(1): "mare_libycum"},
        cargo={galley(1): (4, 2, 1)},
    )
    assert supply(state, 0) == supply(state, 1) == (51, 27, 18, 5), "two armies in one province, and a legion at sea"


@pytest.mark.rule("MB-COMP-04")
def test_buildings_come_from_one_supply_for_all() -> None:
    assert (CITIES, FORTIFICATIONS, ROADS) == (30, 16, 34)
    keys = [key for key in BOARD.keys[: BOARD.provinces] if key not in ("egyptus", "hispania")]
    state = position(
        phase="purchase",
        owners=dict.fromkeys(keys[:36], 0),
        built=dict.fromkeys(keys[:28], 1),
        talents=[2000, 0],
    )
    assert legal(state, 0, Buy(cities=2))
    assert refused(state, 0, Buy(cities=3)) == "MB-COMP-07"
    state = position(
        phase="purchase",
        owners=dict.fromkeys(keys[:36], 0),
        built=dict.fromkeys(keys[:15], 2) | dict.fromkeys(keys[15:20], 1),
        talents=[2000, 0],
    )
    assert legal(state, 0, Buy(fortifications=1))
    assert refused(state, 0, Buy(fortifications=2)) == "MB-COMP-07"
    assert legal(state, 0, Buy(cities=10))
    assert refused(state, 0, Buy(cities=11)) == "MB-COMP-07", "cities with walls count too"


@pytest.mark.rule("MB-COMP-05", "MB-D40")
def test_the_bank_never_runs_out_of_coins() -> None:
    state = position(phase="tribute", owners=dict.fromkeys(BOARD.keys[:40], 0), talents=[5000, 0])
    assert state.talents[0] == 5000 + state.marker[0] > 375


@pytest.mark.rule("MB-COMP-06")
def test_dice_are_cast_singly_and_markers_are_unlimited() -> None:
    state = position(
        units={"sicilia": {0: (2, 0, 0), 1: (2, 0, 0)}},
        leaders={"sicilia": [general(0), general(1)]},
        owners={"sicilia": 1},
        phase="combat",
    )
    play(state, (0, Fight(sp("sicilia"), 1)))
    assert top(state).count == 1  # type: ignore[attr-defined]
    everything = position(phase="purchase", owners=dict.fromkeys(BOARD.keys[: BOARD.provinces], 0) | {"hispania": 1})
    assert everything.owner.count(0) == BOARD.provinces - 1


@pytest.mark.rule("MB-COMP-07", "MB-D47")
def test_a_piece_missing_from_the_supply_cannot_be_bought_before_one_is_lost() -> None:
    state = position(
        homes=("italia", "egyptus"),
        units={
            "italia": {0: (1, 0, 9)},
            "asia": {0: (0, 0, 4)},
            "egyptus": {1: (0, 0, 6)},
            "dalmatia": {0: (4, 0, 0), 1: (0, 0, 1)},
        },
        leaders={
            "italia": [general(0), general(0, 3)],
            "asia": [general(0, 2)],
            "egyptus": [general(1)],
            "dalmatia": [general(0, 4), general(1, 2)],
        },
        owners={"asia": 0, "dalmatia": 1},
        talents=[200, 0],
        phase="combat",
    )
    assert supply(state, 0)[2] == 0
    play(state, (0, Fight(sp("dalmatia"), 1)), "6")
    assert owed(state) == (0,)
    play(state, (0, options(state, 0)[0]))
    assert isinstance(top(state), Purchase)
    assert legal(state, 0, Buy(catapults=1))
    assert refused(state, 0, Buy(catapults=2)) == "MB-COMP-07"


@pytest.mark.rule("MB-MAP-01", "MB-MAP-02")
def test_a_step_leads_to_an_adjacent_province() -> None:
    state = position(homes=("italia", "egyptus"), units={"italia": {0: (3, 0, 0)}}, leaders={"italia": [general(0)]})
    for space in range(BOARD.provinces):
        if space == sp("italia"):
            continue
        action = march("italia", BOARD.keys[space], general(0), 1)
        if space in BOARD.land[sp("italia")]:
            assert legal(state, 0, action)
        else:
            assert refused(state, 0, action) == "MB-MAP-02"
    assert refused(state, 0, march("italia", "mare_narbo", general(0))) == "MB-SEA-07"
    assert refused(state, 0, march("italia", "italia", general(0))) == "MB-MAP-01"


@pytest.mark.rule("MB-MAP-03", "MB-SEA-12")
@pytest.mark.parametrize(
    ("a", "b", "rule"),
    [
        ("thracia", "asia", "MB-MAP-03"),
        ("neapolis", "sicilia", "MB-MAP-03"),
        ("baetica", "tingitana", "MB-MAP-03"),
        ("sardinia", "corsica", "MB-SEA-12"),
        ("belgica", "britannia", "MB-MAP-02"),
    ],
)
def test_narrow_waters_are_crossed_by_galley_only(a: str, b: str, rule: str) -> None:
    for here, there in ((a, b), (b, a)):
        state = position(owners={here: 0}, units={here: {0: (1, 0, 0)}}, leaders={here: [general(0)]})
        told = verdict(state, 0, march(here, there, general(0), 1))
        assert told is not None and (told.code, told.rule) == ("closed-strait", rule)
        assert BOARD.names[sp(here)] in told.text and BOARD.names[sp(there)] in told.text


def test_every_strait_of_the_board_is_closed_by_name() -> None:
    assert {tuple(sorted(strait)) for strait in BOARD.straits} <= set(NARROWS)


@pytest.mark.rule("MB-MAP-04")
def test_the_nile_is_no_border() -> None:
    assert [key for key in BOARD.keys if "egypt" in key] == ["egyptus"]
    assert {BOARD.keys[s] for s in BOARD.land[sp("egyptus")]} == {"arabia_petraea", "cyrenaica", "palestina"}


@pytest.mark.rule("MB-MAP-05", "MB-MAP-06")
def test_provinces_are_worth_five_or_ten_and_only_homes_are_owned_at_the_start() -> None:
    assert set(BOARD.tribute[: BOARD.provinces]) == {5, 10}
    state = start(6)
    for key in HOMES:
        assert BOARD.tribute[sp(key)] == 10
    assert sum(seat == NONE for seat in state.owner) == BOARD.provinces - 6


@pytest.mark.rule("MB-MAP-07")
@pytest.mark.parametrize(("before", "factor"), [(95, 1), (100, 2), (195, 2), (200, 3)])
def test_the_first_inflated_marks_are_105_and_205(before: int, factor: int) -> None:
    owned: dict[str, int] = {}
    built: dict[str, int] = {}
    worth = 10
    for key in BOARD.keys[: BOARD.provinces]:
        if key not in ("egyptus", "hispania") and worth + BOARD.tribute[sp(key)] <= before:
            owned[key] = 0
            worth += BOARD.tribute[sp(key)]
    if worth < before:
        built[next(iter(owned))] = 1
    state = position(phase="purchase", owners=owned, built=built, talents=[30, 0], inflation=1)
    assert state.marker[0] == before
    site = next(k for k in owned if k not in built)
    play(state, (0, Buy(cities=1)), (0, PlaceCity(sp(site))))
    assert state.marker[0] == before + 5
    if owed(state) == (0,):
        play(state, (0, EndTurn()))
    assert state.inflation == factor


@pytest.mark.rule("MB-SETUP-03", "MB-D23")
def test_no_money_at_the_start_and_fifteen_at_the_first_collection() -> None:
    state = start(2)
    assert state.talents == [0, 0] and state.marker == [15, 15]
    happened = play(state, (0, EndMovement()))
    assert of(happened, Tribute) == [Tribute(0, 15)]
    assert state.talents == [15, 0]
    state = start(2)
    happened = play(state, (0, march("egyptus", "cyrenaica", general(0), 2)), (0, EndMovement()))
    assert of(happened, Tribute) == [Tribute(0, 15 + BOARD.tribute[sp("cyrenaica")])]


@pytest.mark.rule("MB-ORDER-01")
def test_the_order_of_play_does_not_follow_the_seats() -> None:
    state = position(4, homes=("hispania", "numidia", "galatia", "macedonia"), turn=3)
    seen = []
    for _ in range(5):
        seat = owed(state)[0]
        seen.append(BOARD.keys[state.home[seat]])
        play(state, (seat, EndMovement()))
        while owed(state) == (seat,):
            play(state, (seat, engine.default(MB1984, state, seat)))
    assert seen == ["macedonia", "galatia", "numidia", "hispania", "macedonia"]


@pytest.mark.rule("MB-TURN-01", "MB-TURN-02")
def test_a_turn_is_six_actions_in_this_order() -> None:
    state = position(
        homes=("italia", "egyptus"),
        units={"italia": {0: (5, 0, 0)}, "dalmatia": {1: (1, 0, 0)}},
        leaders={"italia": [general(0)], "dalmatia": [general(1)]},
        owners={"dalmatia": 1, "neapolis": 0},
        built={"italia": 1, "neapolis": 1},
        talents=[50, 0],
    )
    assert isinstance(top(state), Movement)
    assert refused(state, 0, Buy()) == "MB-TURN-01"
    assert refused(state, 0, Fight(sp("dalmatia"), 1)) == "MB-TURN-01"
    play(state, (0, march("italia", "dalmatia", general(0), 5)), (0, EndMovement()))
    assert isinstance(top(state), Combat)
    assert refused(state, 0, march("dalmatia", "italia", general(0), 5)) == "MB-TURN-01"
    assert refused(state, 0, EndMovement()) == "MB-TURN-01"
    happened = play(state, (0, Fight(sp("dalmatia"), 1)), "1", "1")
    play(state, (0, Stand()))
    happened = play(state, "4")
    play(state, (0, options(state, 0)[0]))
    happened = happened or []
    assert isinstance(top(state), Destruction)
    assert state.talents[0] == 50 + 10 + 5 + 5 + 10 + 5
    assert refused(state, 0, Buy()) == "MB-TURN-01"
    play(state, (0, EndDestruction()))
    assert isinstance(top(state), Purchase)
    assert refused(state, 0, Raze(sp("neapolis"))) == "MB-TURN-01"
    assert refused(state, 0, EndTurn()) == "MB-TURN-01"
    play(state, (0, Buy(infantry=1)))
    assert isinstance(top(state), Placement)
    assert refused(state, 0, Buy()) == "MB-TURN-01"
    happened = play(state, (0, EndTurn()))
    assert of(happened, TurnBegan) == [TurnBegan(1, state.round)]
    assert not of(happened, PricesRose)


@pytest.mark.rule("MB-TURN-02")
def test_without_a_battle_there_is_no_combat() -> None:
    state = position(built={"egyptus": 1})
    play(state, (0, EndMovement()))
    assert isinstance(top(state), Destruction)


@pytest.mark.rule("MB-D51")
def test_the_disputed_border_is_an_option() -> None:
    pieces = {"units": {"mesopotamia": {0: (1, 0, 0)}}, "leaders": {"mesopotamia": [general(0)]}}
    closed = position(owners={"mesopotamia": 0}, **pieces)  # type: ignore[arg-type]
    assert refused(closed, 0, march("mesopotamia", "arabia_petraea", general(0), 1)) == "MB-D51"
    opened = position(owners={"mesopotamia": 0}, options={"mesopotamia_arabia_adjacent": 1}, **pieces)  # type: ignore[arg-type]
    assert legal(opened, 0, march("mesopotamia", "arabia_petraea", general(0), 1))
    assert owner(opened, "arabia_petraea") == NONE


def test_names_and_standings() -> None:
    state = start(3)
    assert [MB1984.seat_name(state, seat) for seat in range(3)] == ["Macedonia", "Egyptus", "Hispania"]
    empty = engine.start(MB1984, 2, {}, engine.ignore_event)
    assert MB1984.seat_name(empty, 0) == "Seat 1"
    assert [place.rank for place in MB1984.standings(state)] == [1, 1, 1]


def test_the_round_limit_of_the_house() -> None:
    state = start(2, round_limit=1)
    for seat in (0, 1):
        while owed(state) == (seat,):
            play(state, (seat, engine.default(MB1984, state, seat)))
    assert state.winner == 0 and owed(state) == ()
    assert refused(state, 0, EndMovement()) == ""
