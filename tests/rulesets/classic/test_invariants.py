"""The invariants find each fault of a sound position in which one thing is broken."""

from collections.abc import Callable

import pytest

from shared.ids import NONE
from shared.kernel.frames import Dice
from shared.mechanics.pieces import OFF
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.property import invariants
from shared.rulesets.classic.table import State
from shared.vocabulary.frames import Movement
from tests.support.layout import aboard, prison, sp
from tests.support.position import caesar, galley, general, position


def sound() -> State:
    """Return a position of three seats and a captured colour, with some pieces of every kind."""
    return position(
        4,
        homes=("hispania", "macedonia", "mesopotamia", "numidia"),
        lords={3: 2},
        units={"dacia": {0: (3, 0, 0), 1: (1, 0, 0)}, "syria": {2: (30, 0, 1)}},
        leaders={"dacia": [general(0)], prison(1): [general(0, 2)], aboard(galley(1)): [general(1)]},
        galleys={galley(1): "mare_rhodus", galley(0): "hispania:north"},
        cargo={galley(1): (2, 1, 0)},
        owners={"dacia": 0, "syria": 2, "armenia": 2},
        built={"syria": 2, "armenia": 1},
        roads=[("syria", "armenia")],
        talents=(5, 0, 0, 0),
    )


def units(key: str, *cell: int) -> Callable[[State], None]:
    def change(state: State) -> None:
        state.units[sp(key)] = cell

    return change


def item(field: str, index: int, value: object) -> Callable[[State], None]:
    def change(state: State) -> None:
        getattr(state, field)[index] = value

    return change


def frames(*stack: object) -> Callable[[State], None]:
    def change(state: State) -> None:
        state.frames[:] = stack  # type: ignore[assignment]

    return change


BROKEN: dict[str, Callable[[State], None]] = {
    "marker too high": item("marker", 0, 500),
    "marker of the dead": item("marker", 3, 5),
    "talents below nothing": item("talents", 0, -1),
    "province of a seat that is out": item("owner", sp("asia"), 3),
    "province without its tribute": item("owner", sp("asia"), 0),
    "city without its tribute": item("built", sp("dacia"), 1),
    "too many infantry": units("asia", 0, 18, 0, 0),
    "too many cavalry": units("asia", 1, 0, 20, 0),
    "too many catapults": units("asia", 2, 0, 0, 12),
    "empty army": units("asia", 0, 0, 0, 0),
    "negative army": units("asia", 0, 3, -1, 0),
    "army of a seat that is out": units("asia", 3, 1, 0, 0),
    "armies out of order": units("asia", 1, 1, 0, 0, 0, 1, 0, 0),
    "the same army twice": units("asia", 0, 1, 0, 0, 0, 1, 0, 0),
    "living Caesar off the board": item("leader_at", caesar(0), OFF),
    "general at sea without a galley": item("leader_at", general(0), sp("mare_rhodus")),
    "leader on an enemy's galley": item("leader_at", general(0), aboard(galley(1))),
    "leader on a galley at the coast": item("leader_at", general(0), aboard(galley(0))),
    "leader on a galley off the board": item("leader_at", general(1, 2), aboard(galley(1, 3))),
    "prisoner of his own lord": item("leader_at", general(0), prison(0)),
    "prisoner of a seat that is out": item("leader_at", general(0), prison(3)),
    "cargo without a leader": item("leader_at", general(1), sp("dacia")),
    "too much cargo": item("cargo", galley(1), (7, 1, 0)),
    "cargo of nothing": item("cargo", galley(1), (0, 0, 0)),
    "negative cargo": item("cargo", galley(1), (3, -1, 0)),
    "cargo at the coast": item("galley_at", galley(1), sp("syria")),
    "cargo off the board": item("galley_at", galley(1), OFF),
    "road to nowhere": item("roads", 0, 0),
    "no turn below": frames(Movement(2, 0)),
    "numbers that fall": frames(sound().frames[0], Dice(1, 3)),
}


def test_the_position_is_sound() -> None:
    assert CLASSIC.invariants(sound()) == []
    assert invariants(CLASSIC.view(sound(), None)) == []


@pytest.mark.parametrize("name", BROKEN)
def test_broken_positions_are_found(name: str) -> None:
    state = sound()
    BROKEN[name](state)
    assert CLASSIC.invariants(state) != []
    assert invariants(CLASSIC.view(state, None)) != []


def test_too_many_buildings_are_found() -> None:
    state = sound()
    state.built = [2] * 17 + [0] * 25
    assert any("pieces" in wrong for wrong in CLASSIC.invariants(state))
    state = sound()
    state.roads += state.roads
    assert CLASSIC.invariants(state)


def test_too_many_galleys_are_found_even_of_two_colours() -> None:
    state = sound()
    for k in range(8):
        state.galley_at[galley(2, k)] = state.galley_at[galley(3, k)] = sp("mare_rhodus")
    assert CLASSIC.invariants(state) == [], "sixteen for the lord of two colours"


def test_a_marker_that_counts_an_unclaimed_province_is_found() -> None:
    state = sound()
    state.owner[sp("dacia")] = NONE
    assert CLASSIC.invariants(state), "the marker still counts it"
