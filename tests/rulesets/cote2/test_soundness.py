"""Checks of positions of the second game: each test breaks one thing, and the fault must be found and named."""

from collections.abc import Callable

import pytest

from shared.board import BOARD
from shared.ids import NONE
from shared.rulesets.cote2.data import KEYS
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.options import TOKENS_EACH
from shared.rulesets.cote2.property import check_property, influence_supply
from shared.rulesets.cote2.state import GALLEYS, OFF, State
from tests.support.layout import sp
from tests.support.positionii import caesar, galley, general, position

Change = Callable[[State], object]
KEY = KEYS[0]
PLAIN = next(space for space in range(BOARD.provinces) if space not in KEYS)


def table() -> State:
    return position(
        3,
        units={"italia": {0: (5, 1, 0), 2: (1, 0, 0)}},
        leaders={"italia": [general(0)]},
        galleys={galley(0): "mare_tyrrhenum"},
    )


def item(field: str, index: int, value: object) -> Change:
    return lambda state: getattr(state, field).__setitem__(index, value)


def city(space: int, owner: int, built: int) -> Change:
    return lambda state: (item("owner", space, owner)(state), item("built", space, built)(state))


BROKEN: dict[str, tuple[Change, str]] = {
    "debts": (item("talents", 1, -5), "negative talents"),
    "coins of no value": (item("talents", 1, 7), "chaos"),
    "less than no chaos": (item("chaos", 1, -1), "chaos"),
    "points that nobody gave": (item("points", 2, 3), "points"),
    "an army of nothing": (item("units", PLAIN, (0, 0, 0, 0)), "bad armies"),
    "an army of nobody": (item("units", PLAIN, (3, 1, 0, 0)), "bad armies"),
    "more units than there are": (item("units", PLAIN, (1, 99, 0, 0)), "on the board"),
    "a Caesar who is away": (item("leader_at", caesar(1), OFF), "the Caesar of seat 1"),
    "a leader at sea": (item("leader_at", general(1), sp("mare_tyrrhenum")), "leader"),
    "a leader below the board": (item("leader_at", general(1), -1), "leader"),
    "a galley on land": (item("galley_at", galley(1), PLAIN), "galley"),
    "a city of nobody": (city(KEY, NONE, 1), "city"),
    "an owner of no city": (city(KEY, 1, 0), "city"),
    "a city where none can be": (city(PLAIN, 1, 1), "city"),
    "influence where none can be": (item("influence", PLAIN, (0, 0, 0)), "influence"),
    "influence of four seats of three": (item("influence", KEY, (0, 0, 0, 0)), "influence"),
    "less than no influence": (item("influence", KEY, (1, -1, 0)), "negative influence"),
    "a token where none can be": (item("tokens", PLAIN, 1), "a province token"),
    "less than no tokens": (item("tokens", KEY, -1), "influence"),
    "a pool of less than nothing": (item("pool", 0, -1), "too many tokens"),
    "too many senators of no kind": (item("senators", 0, (0, 0, 0)), "senators"),
    "senators of less than nothing": (item("senators", 0, (0, 0, 0, -1)), "senators"),
}


def test_the_position_is_sound() -> None:
    assert check_property(table()) == COTE2.invariants(table()) == []


@pytest.mark.parametrize("name", BROKEN)
def test_broken_data_is_found_and_named(name: str) -> None:
    change, words = BROKEN[name]
    state = table()
    change(state)
    assert any(words in wrong for wrong in check_property(state)), check_property(state)
    assert COTE2.invariants(state) != []


def test_a_galley_may_be_anywhere_at_sea_or_off_the_board() -> None:
    for at in (OFF, *(space for space in range(len(BOARD.names)) if BOARD.is_sea(space))):
        state = table()
        state.galley_at[2 * GALLEYS] = at
        assert check_property(state) == []


def test_all_that_there_is_of_a_token_may_lie_out() -> None:
    state = table()
    most = state.options[TOKENS_EACH]
    state.pool[0], state.tokens[KEY] = 0, most
    assert check_property(state) == []
    state.pool[0] = 1
    assert any("too many tokens" in wrong for wrong in check_property(state))


def test_all_the_influence_of_a_seat_may_lie_out_and_no_more() -> None:
    state = table()
    left = influence_supply(state, 0)
    own = list(state.influence[KEY])
    own[0] += left
    state.influence[KEY] = tuple(own)
    assert check_property(state) == []
    own[0] += 1
    state.influence[KEY] = tuple(own)
    assert any("influence tokens" in wrong for wrong in check_property(state))
