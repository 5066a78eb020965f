"""The first and the last of everything: seats, provinces, coasts, galleys, leaders, talents, pieces in the box."""

import pytest

from shared.board import BOARD
from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.rulesets.classic.actions import Buy, March
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.economy import cost
from shared.rulesets.classic.options import PRICES, steps
from shared.rulesets.classic.property import supply
from shared.rulesets.classic.table import CITIES, FORTIFICATIONS, GALLEYS, LEADERS, POOL, ROADS
from shared.vocabulary.actions import (
    Concede,
    EndDestruction,
    EndMovement,
    EndTurn,
    Fight,
    Offer,
    PlaceCity,
    PlaceFortification,
    PlaceGalley,
    PlaceRoad,
    Raze,
    Resign,
    Retreat,
    Sail,
)
from shared.vocabulary.frames import Purchase
from tests.support.layout import aboard, army, prison, sp
from tests.support.position import caesar, galley, general, legal, options, owed, play, position, refused, verdict
from tests.support.referee import top

G = general(0)
STRANGERS = (-128, -2, NATURE, 3, 4, 127)
"""Numbers that are no seat at a table of three."""


# --- seats ---


@pytest.mark.parametrize("seat", STRANGERS)
def test_seats_outside_the_match_can_do_nothing(seat: int) -> None:
    state = position(3, options={"resign": 1})
    for action in (EndMovement(), Concede(0), Concede(NONE), Resign(), Fight(0, 0)):
        assert verdict(state, seat, action) is not None


@pytest.mark.rule("CL-END-02", "CL-GEN-01")
@pytest.mark.parametrize("seat", STRANGERS)
def test_conceding_and_bargaining_need_a_player_at_the_table(seat: int) -> None:
    state = position(3, options={"resign": 1}, leaders={prison(1): [G]}, phase="placement")
    assert legal(state, 0, Offer(1, takes=(G,)))
    if seat != NONE:
        assert refused(state, 0, Concede(seat)) == "CL-END-02"
    assert refused(state, 0, Offer(seat, takes=(G,))) == "CL-GEN-01"
    play(state, (2, Resign()))
    assert refused(state, 0, Offer(seat, takes=(G,))) == "CL-GEN-01", "also once the last seat is nobody's"


@pytest.mark.rule("CL-END-02")
def test_every_seat_may_concede_to_every_other() -> None:
    state = position(6)
    for seat in range(6):
        assert [to for to in range(6) if legal(state, seat, Concede(to))] == [to for to in range(6) if to != seat]


@pytest.mark.rule("CL-ORDER-01")
@pytest.mark.parametrize("seats", range(2, 7))
def test_every_seat_has_its_turn_in_every_round(seats: int) -> None:
    state = engine.start(CLASSIC, seats, {"homes": 2}, engine.ignore_event)
    for number in (1, 2):
        turns: list[int] = []
        for _ in range(seats):
            assert state.round == number
            turns += owed(state)
            while owed(state) == (turns[-1],):
                engine.play(CLASSIC, state, turns[-1], engine.default(CLASSIC, state, turns[-1]), engine.ignore_event)
        assert turns == list(state.order) and sorted(turns) == list(range(seats))


# --- places ---


@pytest.mark.rule("CL-MAP-01")
@pytest.mark.parametrize("source", range(BOARD.provinces))
def test_every_province_is_left_for_and_entered_from_each_neighbour(source: int) -> None:
    key = BOARD.keys[source]
    state = position(units={key: {0: (1, 0, 0)}}, leaders={key: [G]})
    reached = [to for to in range(-1, 128) if legal(state, 0, March(source, to, (G,), 1))]
    assert reached == list(steps(state)[source])
    offered = {action.to for action in options(state, 0) if isinstance(action, March) and action.source == source}
    assert offered == set(reached)


@pytest.mark.rule("CL-SEA-01", "CL-D17")
@pytest.mark.parametrize("at", [at for at in range(BOARD.positions) if BOARD.coast_seas[at]])
def test_a_galley_leaves_every_position(at: int) -> None:
    state = position(galleys={galley(0): "mare_rhodus"})
    state.galley_at[galley(0)] = at
    reached = {to for to in range(-1, 128) if legal(state, 0, Sail(galley(0), to))}
    assert reached == {*BOARD.coast_seas[at], *(BOARD.landings[at] if BOARD.is_sea(at) else ())}
    assert {action.to for action in options(state, 0) if isinstance(action, Sail)} == reached


@pytest.mark.rule("CL-SEA-01")
def test_the_first_and_the_last_galley_of_a_colour() -> None:
    state = position(3, galleys={galley(0, k): "mare_rhodus" for k in range(GALLEYS)} | {galley(1): "mare_rhodus"})
    to = BOARD.coast_seas[sp("mare_rhodus")][0]
    sailing = [number for number in range(-1, 128) if verdict(state, 0, Sail(number, to)) is None]
    assert sailing == list(range(GALLEYS))


@pytest.mark.rule("CL-LEAD-02")
def test_the_first_and_the_last_leader_of_a_colour() -> None:
    state = position(3, leaders={"macedonia": range(1, LEADERS)})
    home, to = sp("macedonia"), BOARD.land[sp("macedonia")][0]
    walking = [leader for leader in range(-1, 128) if verdict(state, 0, March(home, to, (leader,))) is None]
    assert walking == list(range(LEADERS))


NOWHERE = (-1, BOARD.provinces, BOARD.spaces, BOARD.positions, 127)


@pytest.mark.rule("CL-PLACE-01", "CL-PLACE-03", "CL-CITY-02", "CL-ROAD-01", "CL-DESTROY-01")
@pytest.mark.parametrize("place", NOWHERE)
def test_nothing_is_built_or_destroyed_off_the_map(place: int) -> None:
    state = position(built={"egyptus": 1}, talents=(900, 0), owners={"cyrenaica": 0}, phase="destruction")
    assert refused(state, 0, Raze(place)) == "CL-DESTROY-01"
    play(state, (0, EndDestruction()), (0, Buy(galleys=1, cities=1, fortifications=1, roads=1)))
    assert refused(state, 0, PlaceGalley(place)) == "CL-PLACE-01"
    assert refused(state, 0, PlaceCity(place)) == "CL-PLACE-03"
    assert refused(state, 0, PlaceFortification(place)) == "CL-CITY-02"
    for other in (place, 0, sp("egyptus")):
        assert refused(state, 0, PlaceRoad(place, other)) == refused(state, 0, PlaceRoad(other, place)) == "CL-ROAD-01"


@pytest.mark.rule("CL-RETREAT-01", "CL-BATTLE-01")
def test_fights_and_retreats_stay_on_the_map() -> None:
    state = position(homes=("italia", "egyptus"), units={"narbonensis": {0: (1, 0, 0), 1: (1, 0, 0)}}, phase="combat")
    for place in NOWHERE:
        assert refused(state, 0, Fight(place, 1)) in {"CL-BATTLE-01", "CL-NAVAL-01"}
    for enemy in STRANGERS:
        assert refused(state, 0, Fight(sp("narbonensis"), enemy)) == "CL-BATTLE-01"
    play(state, (0, Fight(sp("narbonensis"), 1)), ".", ".")
    for place in NOWHERE:
        assert refused(state, 1, Retreat(place)) in {"CL-D05", "CL-D06"}


# --- talents ---


@pytest.mark.rule("CL-BUY-01", "CL-INFL-01")
@pytest.mark.parametrize("inflation", [1, 2, 3])
def test_seats_without_talents_are_not_asked(inflation: int) -> None:
    cheapest = min(PRICES) * inflation
    for talents, asked in ((cheapest, True), (cheapest - 1, False), (0, False)):
        state = position(talents=(talents, 0), phase="purchase", inflation=inflation)
        assert isinstance(top(state), Purchase) == asked
        assert (owed(state) == (0,)) == asked


@pytest.mark.rule("CL-GEN-01")
def test_a_bargain_is_paid_out_of_the_payers_own_purse() -> None:
    state = position(3, leaders={prison(0): [general(1)], prison(1): [G]}, talents=(30, 50, 900), phase="placement")
    assert legal(state, 0, Offer(1, pays=30, takes=(G,)))
    assert refused(state, 0, Offer(1, pays=31, takes=(G,))) == "CL-GEN-01"
    assert legal(state, 0, Offer(1, gives=(general(1),), wants=50))
    assert refused(state, 0, Offer(1, gives=(general(1),), wants=51)) == "CL-GEN-01"
    for action in options(state, 0):
        assert isinstance(action, Offer | EndTurn) and legal(state, 0, action), action


# --- pieces ---


@pytest.mark.rule("CL-COMP-02", "CL-D24", "CL-D31")
@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("colours", [1, 2])
def test_each_kind_is_sold_to_the_last_piece(kind: int, colours: int) -> None:
    """Pieces on the board and aboard galleys count, of all colours that the player has."""
    on_land, at_sea = [0, 0, 0], [0, 0, 0]
    on_land[kind], at_sea[kind] = 3, 2
    state = position(
        3,
        lords={2: 0} if colours == 2 else {},
        units={"syria": {0: (on_land[0], on_land[1], on_land[2])}},
        galleys={galley(0): "mare_rhodus"},
        cargo={galley(0): (at_sea[0], at_sea[1], at_sea[2])},
        leaders={aboard(galley(0)): [G]},
        talents=(9000, 0, 0),
        phase="purchase",
    )
    left = POOL[kind] * colours - 5
    assert supply(state, 0)[kind] == left
    order = [0, 0, 0]
    order[kind] = left + 1
    assert refused(state, 0, Buy(*order)) == "CL-COMP-02"
    order[kind] = left
    play(state, (0, Buy(*order)))
    assert army(state, "macedonia", 0)[kind] == left
    assert supply(state, 0)[kind] == 0


@pytest.mark.rule("CL-COMP-02")
@pytest.mark.parametrize("colours", [1, 2])
def test_galleys_are_sold_to_the_last_piece(colours: int) -> None:
    state = position(
        3, lords={2: 0} if colours == 2 else {}, galleys={galley(0, k): "mare_rhodus" for k in range(3)},
        talents=(9000, 0, 0), phase="purchase",
    )  # fmt: skip
    left = GALLEYS * colours - 3
    assert refused(state, 0, Buy(galleys=left + 1)) == "CL-COMP-02"
    play(state, (0, Buy(galleys=left)))
    while owed(state) == (0,):
        play(state, (0, engine.default(CLASSIC, state, 0)))
    assert supply(state, 0)[3] == 0


@pytest.mark.rule("CL-COMP-03")
@pytest.mark.parametrize("left", [0, 1, 2])
def test_cities_fortifications_and_roads_are_sold_to_the_last_piece(left: int) -> None:
    keys = [key for key in BOARD.keys[: BOARD.provinces] if key not in ("egyptus", "hispania")]
    owners = dict.fromkeys(keys, 1) | dict.fromkeys(("cyrenaica", "palestina", "arabia_petraea"), 0)
    theirs = [key for key in keys if owners[key] == 1]
    cities = dict.fromkeys(theirs[: CITIES - left], 1)
    state = position(owners=owners, built=cities, talents=(900, 0), phase="purchase")
    assert [n for n in range(5) if legal(state, 0, Buy(cities=n))] == list(range(left + 1))
    walls = dict.fromkeys(theirs[: FORTIFICATIONS - left - 2], 2) | {"egyptus": 2, "cyrenaica": 2}
    state = position(owners=owners, built=walls, talents=(900, 0), phase="purchase")
    assert [n for n in range(5) if legal(state, 0, Buy(cities=n, fortifications=n))] == list(range(left + 1))


@pytest.mark.rule("CL-COMP-03", "CL-ROAD-01")
@pytest.mark.parametrize("left", [0, 1, 2])
def test_roads_are_sold_to_the_last_piece(left: int) -> None:
    mine = ("egyptus", "cyrenaica", "palestina", "arabia_petraea")
    joined = _network(ROADS - left, set(mine))
    ends = sorted({end for road in joined for end in road})
    state = position(
        homes=("egyptus", "hispania"),
        owners=dict.fromkeys(ends, 1) | dict.fromkeys(mine, 0),
        built=dict.fromkeys([*ends, *mine], 1),
        roads=joined,
        talents=(900, 0),
        phase="purchase",
    )
    assert [n for n in range(4) if legal(state, 0, Buy(roads=n))] == list(range(left + 1))
    assert cost(state, (0, 0, 0, 0, 0, 0, left)) == left * PRICES[6]


def _network(size: int, apart: set[str]) -> list[tuple[str, str]]:
    """Return `size` land borders among the dozen provinces that share most of them, none of them in `apart`."""
    spaces = [s for s in range(BOARD.provinces) if BOARD.keys[s] not in apart]
    best: list[int] = []
    for start in spaces:
        chosen = [start]
        while len(chosen) < 12:
            rest = [s for s in spaces if s not in chosen]
            chosen.append(max(rest, key=lambda s: sum(n in chosen for n in BOARD.land[s])))
        inner = [i for i, (a, b) in enumerate(BOARD.edges) if a in chosen and b in chosen]
        best = max(best, inner, key=len)
    assert len(best) >= size
    return [(BOARD.keys[a], BOARD.keys[b]) for a, b in (BOARD.edges[i] for i in best[:size])]


@pytest.mark.rule("CL-CAESAR-01")
def test_a_caesar_is_the_first_leader_of_a_colour() -> None:
    assert [leader for leader in range(6 * LEADERS) if leader % LEADERS == 0] == [caesar(seat) for seat in range(6)]
