"""Alliance auctions and the first units."""

import pytest

from shared.ids import NONE
from shared.kernel import engine
from shared.kernel.frames import Deal, Dealt
from shared.rulesets.cote2.actions import Bid, Deploy, Pass
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.events import Allied, AuctionBegan
from shared.rulesets.cote2.frames import Auction, Deployment, Turn
from shared.rulesets.cote2.state import OFF, State, allied
from tests.support.layout import army, sp
from tests.support.positionii import (
    ally,
    auction,
    begin,
    caesar,
    chance,
    deal,
    finish_season,
    galley,
    general,
    legal,
    options,
    owed,
    play,
    refused,
    where,
)
from tests.support.referee import of, top


def dealt(state: State) -> None:
    """Deal the season's tokens and cards."""
    while isinstance(frame := top(state), Deal):
        chance(state, Dealt(tuple(range(frame.size))))


def first_season(seats: int, first: int, *hands: tuple[str, str, str, str]) -> State:
    """Return the position at the first auction of the match."""
    state = begin(seats)
    play(state, (first,))
    for hand in hands:
        chance(state, deal(state, *hand))
    dealt(state)
    return state


FOUR = (("egyptus", "asia", "numidia", "sicilia"),) * 6


@pytest.mark.rule("II-AUCTION-01", "II-AUCTION-07")
def test_six_players_three_auctions() -> None:
    state = auction(6)
    happened = play(state, (0, Bid(10, 3, 1)), *[(s, Pass()) for s in range(1, 6)])
    assert of(happened, Allied) == [Allied(0, 10, 3, 1)]
    assert len(state.order) == 2
    assert state.side[3] < state.side[1]
    play(state, (1, Bid(0, 0, 5)), *[(s, Pass()) for s in (2, 3, 4, 5, 0)])
    play(state, (2, Bid(0, 4, 2)), *[(s, Pass()) for s in (3, 4, 5, 0, 1)])
    assert list(state.order) == [3, 1, 0, 5, 4, 2]
    assert state.side == [0, 1, 1, 0, 0, 1]
    assert [seat for seat in range(6) if allied(state, seat, 3)] == [0, 3, 4]
    assert owed(state) == (3,)


@pytest.mark.rule("II-AUCTION-02")
def test_the_opener_of_an_auction() -> None:
    state = first_season(4, 2, *FOUR[:4])
    assert owed(state) == (2,)
    ally(state, (0, 1))
    assert owed(state) == (3,)
    ally(state, (2, 3))
    assert state.order == (0, 1, 2, 3)
    finish_season(state)
    dealt(state)
    assert state.season == 2
    assert owed(state) == (3,)
    ally(state, (3, 2))
    assert owed(state) == (0,)


@pytest.mark.rule("II-AUCTION-03", "II-D15")
def test_passing_does_not_end_the_bidding() -> None:
    state = auction(3)
    play(state, (0, Bid(0, 0, 1)), (1, Pass()), (2, Bid(5, 1, 2)), (0, Pass()))
    assert owed(state) == (1,)
    play(state, (1, Bid(10, 1, 2)), (2, Pass()))
    assert owed(state) == (0,)
    play(state, (0, Bid(15, 0, 2)), (1, Pass()), (2, Pass()))
    assert state.order == (0, 2)
    assert state.talents == [85, 100, 100]


@pytest.mark.rule("II-AUCTION-04")
def test_the_winner_pays_the_losers_do_not() -> None:
    state = auction(2)
    play(state, (0, Bid(20, 0, 1)), (1, Bid(25, 1, 0)), (0, Pass()))
    assert state.talents == [100, 75]
    assert state.order == (1, 0)


@pytest.mark.rule("II-AUCTION-05")
def test_proposals() -> None:
    state = auction(4, allied=((2, 0), (3, 1)))
    assert refused(state, 0, Bid(0, 2, 1)) == "II-AUCTION-05"
    assert refused(state, 0, Bid(0, 1, 1)) == "II-AUCTION-05"
    assert refused(state, 0, Bid(0, NONE, NONE)) == "II-AUCTION-05"
    assert refused(state, 0, Bid(0, 9, 1)) == "II-AUCTION-05"
    assert refused(state, 0, Bid(0, 4, 1)) == "II-AUCTION-05", "there is no fifth player"
    assert refused(state, 0, Bid(0, 0, NONE)) == "II-AUCTION-06", "two are left"
    play(state, (0, Bid(0, 0, 1)))
    assert legal(state, 1, Bid(5, 1, 0))
    state = auction(5)
    play(state, (0, Bid(0, 3, 4)))
    assert legal(state, 1, Bid(5, 0, 2))
    assert legal(state, 1, Bid(5, 1, 4))


@pytest.mark.rule("II-AUCTION-06", "II-D11")
@pytest.mark.parametrize(("box", "side"), [((2, NONE), 0), ((NONE, 2), 1)])
def test_the_odd_one_stands_alone_and_acts_last(box: tuple[int, int], side: int) -> None:
    state = auction(3)
    assert refused(state, 0, Bid(0, 0, NONE)) == "II-AUCTION-06"
    ally(state, (0, 1))
    assert refused(state, 1, Bid(0, 0, 2)) == "II-AUCTION-05"
    ally(state, box)
    assert state.order == (0, 1, 2)
    assert state.side == [0, 1, side]


@pytest.mark.rule("II-AUCTION-08", "II-EOS-01")
def test_alliances_last_one_season() -> None:
    state = auction(4)
    ally(state, (0, 1), (2, 3))
    assert COTE2.invariants(state) == []
    finish_season(state)
    dealt(state)
    assert state.order == ()
    assert state.side == [NONE] * 4
    assert owed(state) == (3,)


@pytest.mark.rule("II-D02")
def test_two_players_one_auction() -> None:
    state = auction(2, opener=1)
    happened = play(state, (1, Bid(0, 1, 0)), (0, Pass()))
    assert len(of(happened, AuctionBegan)) == 0
    assert state.order == (1, 0)
    assert state.side == [1, 0]
    assert isinstance(top(state), Turn)


@pytest.mark.rule("II-D12")
def test_bids_are_coins_that_one_has() -> None:
    state = auction(2, talents=(20, 15))
    assert refused(state, 0, Bid(25, 0, 1)) == "II-D12"
    assert refused(state, 0, Bid(7, 0, 1)) == "II-D12"
    play(state, (0, Bid(10, 0, 1)))
    assert refused(state, 1, Bid(10, 1, 0)) == "II-D12"
    assert refused(state, 1, Bid(5, 1, 0)) == "II-D12"
    play(state, (1, Bid(15, 1, 0)), (0, Bid(20, 0, 1)))
    assert state.talents == [0, 15], "nobody could go higher, so nobody was asked"


@pytest.mark.rule("II-D15")
@pytest.mark.parametrize("bid", [0, 5, 10, 40])
def test_only_seats_that_can_bid_higher_are_asked(bid: int) -> None:
    state = auction(4, talents=(50, bid, bid + 5, 0))
    play(state, (0, Bid(bid, 0, 1)))
    assert owed(state) == (2,), "one has only as much as is bid already"
    assert legal(state, 2, Bid(bid + 5, 0, 1))
    play(state, (2, Bid(bid + 5, 2, 0)))
    assert owed(state) == (0,)
    state = auction(3, talents=(50, bid, bid))
    play(state, (0, Bid(bid, 0, 1)))
    assert state.order == (0, 1), "nobody could go on"


@pytest.mark.rule("II-D12")
@pytest.mark.parametrize(("talents", "bids"), [(0, {0}), (5, {0, 5}), (10, {0, 5}), (15, {0, 5, 15}), (20, {0, 5, 15})])
def test_all_that_one_has_may_be_bid_and_no_more(talents: int, bids: set[int]) -> None:
    state = auction(2, talents=(talents, 100))
    assert {bid.talents for bid in options(state, 0) if isinstance(bid, Bid)} == bids
    for more in (0, 5):
        assert legal(state, 0, Bid(talents + more, 0, 1)) == (not more)


@pytest.mark.rule("II-D13")
def test_the_opener_bids() -> None:
    state = auction(3, talents=(0, 50, 50))
    assert refused(state, 0, Pass()) == "II-D13"
    assert all(isinstance(action, Bid) for action in options(state, 0))
    assert engine.default(COTE2, state, 0) == Bid(0, 0, 1)
    play(state, (0, Bid(0, 0, 1)))
    assert legal(state, 1, Pass())


@pytest.mark.rule("II-D14")
def test_the_allied_bid_too() -> None:
    state = auction(4, allied=((0, 0), (1, 1)))
    play(state, (0, Bid(0, 2, 3)), (1, Bid(5, 3, 2)))
    play(state, *[(s, Pass()) for s in (2, 3, 0)])
    assert state.order == (0, 1, 3, 2)
    assert state.talents == [100, 95, 100, 100]


@pytest.mark.rule("II-D16")
def test_two_left_may_only_be_shared_out() -> None:
    state = auction(4, allied=((0, 0), (1, 1)))
    play(state, (0, Bid(0, 2, 3)))
    assert {(b.a, b.b) for b in options(state, 1) if isinstance(b, Bid)} == {(2, 3), (3, 2)}


@pytest.mark.rule("II-D08", "II-PLACE-01")
def test_units_are_placed_after_all_auctions_in_turn_order() -> None:
    state = first_season(4, 0, *FOUR[:4])
    ally(state, (3, 1))
    assert isinstance(top(state), Auction)
    ally(state, (0, 2))
    for seat in (3, 1, 0, 2):
        assert isinstance(top(state), Deployment)
        assert owed(state) == (seat,)
        play(state, (seat, engine.default(COTE2, state, seat)))
    assert isinstance(top(state), Turn)
    state = first_season(2, 0, *FOUR[:2])
    ally(state, (0, 1))
    armies = ((sp("asia"), 8, 2, 0),)
    zone = sp("mare_rhodus")
    assert refused(state, 0, Deploy(armies, sp("asia"), sp("asia"), zone)) == "II-PLACE-01"
    parted = ((sp("asia"), 5, 0, 1), (sp("egyptus"), 3, 2, 0))
    play(state, (0, Deploy(parted, sp("asia"), sp("numidia"), zone)))
    assert army(state, "asia", 0) == (5, 0, 1)
    assert army(state, "egyptus", 0) == (3, 2, 0)
    assert (where(state, caesar(0)), where(state, general(0))) == ("asia", "numidia")
    assert state.galley_at[galley(0)] == zone
    assert state.leader_at.count(OFF) == 10 - 2


@pytest.mark.rule("II-PLACE-02")
def test_only_where_influence_is() -> None:
    state = first_season(2, 0, *FOUR[:2])
    ally(state, (0, 1))
    asia, italia, zone = sp("asia"), sp("italia"), sp("mare_rhodus")
    whole = ((asia, 8, 2, 1),)
    assert refused(state, 0, Deploy(((italia, 8, 2, 1),), asia, asia, zone)) == "II-PLACE-02"
    assert refused(state, 0, Deploy(whole, italia, asia, zone)) == "II-PLACE-02"
    assert refused(state, 0, Deploy(whole, asia, italia, zone)) == "II-PLACE-02"
    assert refused(state, 0, Deploy(whole, asia, asia, sp("mare_adriatico"))) == "II-PLACE-02"
    assert refused(state, 0, Deploy(whole, asia, asia, NONE)) == "II-PLACE-02"
    assert refused(state, 0, Pass()) == "II-PLACE-01"
    for action in options(state, 0):
        assert legal(state, 0, action)


@pytest.mark.rule("II-D07")
def test_a_landlocked_start() -> None:
    state = first_season(2, 0, ("mesopotamia",) * 4, FOUR[0])
    ally(state, (0, 1))
    there = sp("mesopotamia")
    whole = ((there, 8, 2, 1),)
    assert refused(state, 0, Deploy(whole, there, there, sp("mare_amisus"))) == "II-PLACE-02"
    play(state, (0, Deploy(whole, there, there, NONE)))
    assert state.galley_at[galley(0)] == OFF
