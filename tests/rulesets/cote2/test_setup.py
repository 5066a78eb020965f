"""Components, terms, set-up, reconstructed values."""

import pytest

from shared.board import BOARD
from shared.ids import NATURE, NONE
from shared.kernel.engine import check, checked_options
from shared.kernel.frames import Deal, Dealt
from shared.mechanics.battledice import DIE
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.data import CARDS, DATA, KEYS, SEAS
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.effects import VOTES
from shared.rulesets.cote2.events import FirstPlayer, InfluenceDrawn
from shared.rulesets.cote2.frames import Auction, Setup
from shared.rulesets.cote2.options import PRICES, strait_seas, victory_numbers
from shared.rulesets.cote2.property import (
    army_supply,
    galley_supply,
    general_supply,
    influence_of,
    influence_supply,
)
from shared.rulesets.cote2.state import GALLEYS, LEADERS, OFF, POOL, State, allied, is_province, is_seat, is_zone
from tests.support.layout import sp
from tests.support.positionii import (
    auction,
    begin,
    caesar,
    chance,
    deal,
    galley,
    general,
    legal,
    move,
    play,
    position,
    refused,
    tokens_of,
)
from tests.support.referee import of, top

PRINTED_KEYS = (
    "hispania", "narbonensis", "italia", "neapolis", "sicilia", "achaia", "asia", "galatia", "mesopotamia", "egyptus",
    "numidia",
)  # fmt: skip


def drawn(seats: int, first: int = 0) -> State:
    """Return the position after the first influence of all seats: four provinces each, dealt one after the other."""
    state = begin(seats)
    play(state, (first,))
    others = [key for key in PRINTED_KEYS if key != "italia"]
    for k in range(seats):
        chance(state, deal(state, *[others[(4 * k + i) % len(others)] for i in range(4)]))
    return state


@pytest.mark.rule("II-COMP-01", "II-D72")
def test_two_to_six_players_and_their_pieces() -> None:
    for seats in range(2, 7):
        assert begin(seats).seats == seats
    for seats in (1, 7):
        with pytest.raises(ValueError, match="2 to 6 players"):
            begin(seats)
    assert POOL == (20, 20, 6)
    assert GALLEYS == 8
    assert LEADERS == 5
    state = begin(3)
    assert len(state.leader_at) == 15
    assert len(state.galley_at) == 24
    for seat in range(3):
        assert army_supply(state, seat) == POOL
        assert general_supply(state, seat) == tuple([general(seat, k) for k in range(1, 5)])
        assert galley_supply(state, seat) == tuple([galley(seat, k) for k in range(8)])
    assert [influence_supply(begin(2, influence=n), 0) for n in (18, 20)] == [18, 20]
    assert checked_options(COTE2, 2, {})["influence"] == 18
    assert checked_options(COTE2, 2, {"influence": 20})["influence"] == 20


@pytest.mark.rule("II-COMP-02", "II-D73")
def test_coins_chaos_tokens_and_cards() -> None:
    assert sum(card.copies for card in CARDS) == 83
    assert all(card.cost % 5 == 0 for card in CARDS)
    state = position(chaos=(999, 0))
    play(state, (0, a.Levy(25)))
    assert state.chaos[0] == 1004
    assert all(state.pool)


@pytest.mark.rule("II-TERM-01")
def test_units_and_leaders() -> None:
    assert DIE == ("infantry", "infantry", "cavalry", "catapult", "galley", "blank")
    assert PRICES == (5, 10, 15, 15, 20)
    state = position(leaders={"italia": [caesar(0), general(0)]}, units={"italia": {0: (1, 1, 1)}})
    both = [(caesar(0), "neapolis"), (general(0), "neapolis")]
    assert legal(state, 0, move("italia", ("neapolis", 1, 1, 1), leaders=both))


@pytest.mark.rule("II-TERM-02")
def test_land_units_on_land_galleys_at_sea() -> None:
    state = position(leaders={"italia": [general(0)]}, units={"italia": {0: (2, 0, 0)}}, galleys={0: "mare_narbo"})
    assert refused(state, 0, a.Move(sp("italia"), ((sp("mare_narbo"), 1, 0, 0),))) == "II-MOVE-02"
    assert refused(state, 0, a.Sail(sp("italia"), (0,))) == "II-NAVAL-01"
    assert refused(state, 0, a.Sail(60, (0,))) == "II-NAVAL-01"
    assert legal(state, 0, a.Sail(sp("mare_epirus"), (0,)))


@pytest.mark.rule("II-TERM-03")
def test_key_provinces() -> None:
    assert {BOARD.keys[space] for space in KEYS} == set(PRINTED_KEYS)


@pytest.mark.rule("II-TERM-04", "II-D70")
def test_victory_numbers_printed_and_reconstructed() -> None:
    state = begin(2)
    numbers = {BOARD.keys[space]: victory_numbers(state, space) for space in KEYS}
    assert numbers["egyptus"] == numbers["neapolis"] == (15, 5)
    assert numbers["italia"] == (20, 10, 5)
    assert all(n == (10, 5) for key, n in numbers.items() if key not in ("egyptus", "neapolis", "italia"))
    assert sum(map(sum, numbers.values())) == 195
    other = begin(2, victory=1)
    assert victory_numbers(other, sp("italia")) == (15, 10, 5)
    assert victory_numbers(other, sp("egyptus")) == (15, 5)


@pytest.mark.rule("II-TERM-05")
def test_influence_only_in_key_provinces() -> None:
    state = position(leaders={"dacia": [general(0)]})
    assert [bool(cell) for cell in state.influence] == [space in KEYS for space in range(BOARD.provinces)]
    assert refused(state, 0, a.Influence(sp("dacia"), (NONE,))) == "II-TERM-05"
    assert not any("influence" in kind.__name__.lower() and kind is not a.Influence for kind in a.AnyAction.__args__)


@pytest.mark.rule("II-TERM-06")
def test_players_give_each_other_nothing() -> None:
    """Players can only lend each other units for a battle, and these come back."""
    names = {kind.__name__ for kind in a.AnyAction.__args__}
    assert names == {
        "Rolled", "Dealt", "Bid", "Pass", "Deploy", "Obtain", "Campaign", "Incite", "Recruit", "Influence",
        "Levy", "Move", "Attack", "Sail", "Use", "EndTurn", "Slip", "Commit", "Lend", "Lose", "Stand", "Retreat",
        "Withdraw", "Show", "Assemble", "Concede",
    }  # fmt: skip


@pytest.mark.rule("II-SETUP-01")
def test_each_player_begins_with_the_printed_pieces() -> None:
    state = begin(4)
    assert state.talents == [80] * 4
    assert state.senators == [(1, 1, 1, 0)] * 4
    assert DATA.start.army == (8, 2, 1)
    assert (DATA.start.generals, DATA.start.galleys) == (1, 1)
    assert set(state.leader_at) == {OFF}


@pytest.mark.rule("II-SETUP-02", "II-D06", "II-C-90")
@pytest.mark.parametrize(("seats", "deck"), [(2, 72), (3, 69), (4, 66), (5, 63), (6, 60)])
def test_senate_votes_lie_open_and_the_rest_is_the_deck(seats: int, deck: int) -> None:
    state = begin(seats)
    assert [card for card, n in enumerate(state.row) if n] == list(VOTES)
    assert sum(state.row) == 5
    assert sum(state.deck) == deck
    assert COTE2.invariants(state) == []
    if seats == 6:
        assert deck == 5 * 12


@pytest.mark.rule("II-D01")
def test_the_first_player_is_random() -> None:
    state = begin(3)
    frame = top(state)
    assert isinstance(frame, Deal)
    assert (frame.count, frame.size) == (3, 1)
    happened = play(state, (2,))
    assert of(happened, FirstPlayer)[0].seat == 2
    assert isinstance(state.frames[0], Setup)


@pytest.mark.rule("II-SETUP-03")
def test_four_tokens_each_from_the_first_player_on() -> None:
    state = begin(3)
    play(state, (2,))
    happened = chance(state, deal(state, "egyptus", "egyptus", "asia", "numidia"))
    assert of(happened, InfluenceDrawn)[0].seat == 2
    assert (tokens_of(state, "egyptus", 2), tokens_of(state, "asia", 2), tokens_of(state, "numidia", 2)) == (2, 1, 1)
    assert state.pool[KEYS.index(sp("egyptus"))] == 6
    assert chance(state, deal(state, "sicilia", "sicilia", "sicilia", "sicilia"))[0] == InfluenceDrawn(
        0, (sp("sicilia"),) * 4
    )
    chance(state, deal(state, "asia", "achaia", "achaia", "hispania"))
    assert [influence_of(state, seat) for seat in range(3)] == [4, 4, 4]
    assert not any(state.tokens)
    assert sum(state.pool) == 88 - 12


@pytest.mark.rule("II-SETUP-04", "II-D04")
def test_no_influence_in_italia_at_the_start() -> None:
    state = begin(6)
    play(state, (0,))
    for seat in range(6):
        frame = top(state)
        assert isinstance(frame, Deal)
        assert frame.count == 80 - 4 * seat
        every = tuple(range(frame.count))[-4:] if seat % 2 else tuple(range(4))
        chance(state, Dealt(every))
    assert state.influence[sp("italia")] == (0,) * 6
    assert sum(influence_of(state, seat) for seat in range(6)) == 24


def test_deals_are_checked() -> None:
    state = begin(2)
    assert check(COTE2, state, NATURE, Dealt((2,))) is not None
    assert check(COTE2, state, NATURE, Dealt((0, 1))) is not None
    assert check(COTE2, state, NATURE, Dealt((1,))) is None
    assert check(COTE2, state, 0, Dealt((1,))) is not None


@pytest.mark.rule("II-D71")
def test_eight_province_tokens_each() -> None:
    assert begin(2).pool == [8] * 11
    assert begin(2, tokens_each=12).pool == [12] * 11
    assert 8 * 11 >= 6 * 4 + 5 * 12
    assert DATA.reconstructed.tokens_each[0] == 8


@pytest.mark.rule("II-D74")
def test_strait_zones_are_an_option() -> None:
    for strait, zones in zip(BOARD.straits, BOARD.strait_seas, strict=True):
        assert set(zones) == set(SEAS[strait[0]]) & set(SEAS[strait[1]])
    option = next(option for option in COTE2.options if option.key == "strait_zones")
    assert (option.values, option.labels, option.default) == ((0, 1), ("any zone", "one zone"), 1)
    for shores, arrows in zip(BOARD.strait_seas, strait_seas(begin(2)), strict=True):
        assert len(arrows) == 1
        assert set(arrows) <= set(shores)
    assert strait_seas(begin(2, strait_zones=0)) == BOARD.strait_seas


def test_numbers_at_their_borders_name_what_they_should() -> None:
    state = begin(3)
    assert [is_seat(state, n) for n in (-1, 0, 2, 3)] == [False, True, True, False]
    assert [is_province(n) for n in (-1, 0, 41, 42)] == [False, True, True, False]
    assert [is_zone(n) for n in (-1, 41, 42, 59, 60)] == [False, False, True, True, False]


def test_a_seat_without_alliance_is_allied_with_itself_alone() -> None:
    state = auction(4, allied=((2, 0), (3, 0)))
    assert [[allied(state, a, b) for b in range(4)] for a in range(4)] == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, True],
        [False, False, True, True],
    ]


def test_the_first_auction_follows() -> None:
    state = drawn(2, first=1)
    while isinstance(top(state), Deal):
        frame = top(state)
        assert isinstance(frame, Deal)
        chance(state, Dealt(tuple(range(frame.size))))
    frame = top(state)
    assert isinstance(frame, Auction)
    assert frame.seat == 1
