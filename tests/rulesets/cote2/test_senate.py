"""Senate votes."""

import pytest

from shared.ids import NONE
from shared.kernel.frames import Deal
from shared.rulesets.cote2.actions import Assemble, Levy, Pass, Show
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.cote2.effects import VOTES
from shared.rulesets.cote2.events import SenatorDrawn, VoteWon
from shared.rulesets.cote2.frames import Muster, Turn, Vote
from shared.rulesets.cote2.state import State
from tests.support.layout import army, sp
from tests.support.positionii import card, legal, obtain, options, owed, play, position, refused, tokens_of, use
from tests.support.referee import of, top

Hand = tuple[int, int, int, int]


def house(*hands: Hand, card_key: str = "senate_hail_caesar", **more: object) -> State:
    """Return a position in which seat 0 has a vote to call."""
    return position(
        len(hands),
        cards={0: [card_key]},
        senators=dict(enumerate(hands)),
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.rule("II-SENATE-01", "II-D60")
def test_votes_cost_no_action_and_come_once_a_season() -> None:
    state = position(
        row=["senate_emergency_tax"],
        cards={0: ["senate_hail_caesar", "senate_bread_and_circuses"]},
        senators={0: (5, 0, 0, 0), 1: (0, 0, 0, 0)},
    )
    play(state, (0, use("senate_hail_caesar")), (0, Show(1)))
    play(state, (0, obtain("senate_emergency_tax")), (0, use("senate_emergency_tax")), (0, Show(1)), (0, Levy(5)))
    assert state.points[0] == 15
    assert state.talents[0] == 100 - 15 + 40 + 5
    assert refused(state, 0, use("senate_hail_caesar")) == "II-CARD-05"
    assert isinstance(top(state), Turn)
    play(state, (0, use("senate_bread_and_circuses")), (0, Show(1)))
    assert owed(state) == (1,)


@pytest.mark.rule("II-SENATE-02", "II-D59")
def test_bidding_with_senators() -> None:
    state = house((1, 1, 0, 0), (0, 2, 1, 0), (0, 0, 0, 0), (0, 0, 0, 1))
    play(state, (0, use("senate_hail_caesar")))
    assert owed(state) == (0,)
    assert refused(state, 0, Show(2)) == "II-SENATE-02"
    assert refused(state, 0, Show()) == "II-D59"
    assert refused(state, 0, Levy(5)) == "II-SENATE-02"
    play(state, (0, Show(0, 1)))
    assert refused(state, 1, Show(0, 1)) == "II-D59", "a tie is not enough"
    play(state, (1, Show(0, 0, 1)))
    assert owed(state) == (3,), "seat 2 has no senator"
    play(state, (3, Pass()))
    assert owed(state) == (0,)
    assert refused(state, 0, Show()) == "II-D59"
    assert refused(state, 0, Show(1)) == "II-D59", "2 shown and 1 more are 3"
    play(state, (0, Pass()))
    assert state.points == [0, 15, 0, 0]
    assert state.senators == [(1, 1, 0, 0), (0, 2, 0, 0), (0, 0, 0, 0), (0, 0, 0, 1)]


@pytest.mark.rule("II-D59")
def test_more_may_be_added_and_a_passer_may_come_back() -> None:
    state = house((1, 1, 1, 0), (0, 1, 1, 1), (1, 0, 0, 0))
    play(state, (0, use("senate_hail_caesar")), (0, Show(1)), (1, Show(0, 1)), (2, Pass()), (0, Show(0, 1)))
    play(state, (1, Pass()))
    assert owed(state) == (2,)
    play(state, (2, Pass()))
    assert state.points == [15, 0, 0]
    assert state.senators[0] == (0, 0, 1, 0), "1 and 2 are paid"
    state = house((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0))
    play(state, (0, use("senate_hail_caesar")), (0, Show(1)), (1, Pass()), (2, Show(0, 0, 1)))
    assert owed(state) == (1,), "seat 0 shows all it has; seat 1 may come back"
    assert not legal(state, 1, Show(0, 1))


@pytest.mark.rule("II-SENATE-03")
def test_the_highest_bidder_pays_without_change() -> None:
    state = house((0, 0, 0, 2), (1, 0, 0, 0))
    happened = play(state, (0, use("senate_hail_caesar")), (0, Show(0, 0, 0, 1)), (1, Pass()))
    assert of(happened, VoteWon) == [VoteWon(0, card("senate_hail_caesar"), (0, 0, 0, 1))]
    assert state.senators == [(0, 0, 0, 1), (1, 0, 0, 0)]
    assert state.gone[card("senator_4")] == 1


@pytest.mark.rule("II-SENATE-04")
def test_all_pass() -> None:
    state = house((1, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0))
    happened = play(state, (0, use("senate_hail_caesar")), (0, Pass()), (1, Pass()), (2, Pass()))
    assert of(happened, VoteWon)[0].seat == NONE
    assert state.points == [0, 0, 0]
    assert refused(state, 0, use("senate_hail_caesar")) == "II-CARD-05"
    state = house((0, 0, 0, 0), (0, 0, 0, 0))
    happened = play(state, (0, use("senate_hail_caesar")))
    assert of(happened, VoteWon)[0].seat == NONE, "nobody has a senator"
    state = house((1, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0))
    play(state, (0, use("senate_hail_caesar")), (0, Pass()), (1, Show(1)))
    assert owed(state) == (2,)
    play(state, (2, Pass()), (0, Pass()))
    assert state.points == [0, 15, 0]


@pytest.mark.rule("II-SENATE-05", "II-D59")
def test_the_leader_in_italia_draws_a_spent_senator() -> None:
    influence = {"italia": {0: 1, 1: 2}}
    state = house((1, 1, 0, 0), (0, 0, 0, 0), influence=influence)
    play(state, (0, use("senate_hail_caesar")), (0, Show(1, 1)))
    frame = top(state)
    assert isinstance(frame, Deal)
    assert (frame.count, frame.size) == (2, 1)
    happened = play(state, (1,))
    assert of(happened, SenatorDrawn) == [SenatorDrawn(1, 2)]
    assert state.senators == [(0, 0, 0, 0), (0, 1, 0, 0)]
    assert (state.gone[card("senator_1")], state.gone[card("senator_2")]) == (1, 0)
    tie = house((1, 0, 0, 0), (0, 0, 0, 0), influence={"italia": {0: 1, 1: 1}})
    play(tie, (0, use("senate_hail_caesar")), (0, Show(1)))
    assert isinstance(top(tie), Turn)
    assert tie.gone[card("senator_1")] == 1
    own = house((1, 0, 0, 0), (0, 0, 0, 0), influence={"italia": {0: 1}})
    play(own, (0, use("senate_hail_caesar")), (0, Show(1)), (0,))
    assert own.senators[0] == (1, 0, 0, 0), "even the winner himself"


# --- the five votes ---


def won(key: str, **more: object) -> State:
    """Return the position after seat 0 called that vote and won it."""
    state = house((1, 0, 0, 0), (0, 0, 0, 0), card_key=key, **more)
    play(state, (0, use(key)), (0, Show(1)))
    return state


def test_all_votes_cost_fifteen() -> None:
    assert [CARDS[k].cost for k in VOTES] == [15] * 5


@pytest.mark.rule("II-C-09")
def test_emergency_tax() -> None:
    assert won("senate_emergency_tax", talents=(5, 0)).talents == [45, 0]


@pytest.mark.rule("II-C-10")
def test_bread_and_circuses() -> None:
    assert won("senate_bread_and_circuses", chaos=(13, 2)).chaos == [3, 2]
    assert won("senate_bread_and_circuses", chaos=(4, 2)).chaos == [0, 2]


@pytest.mark.rule("II-C-11")
def test_hail_caesar() -> None:
    assert won("senate_hail_caesar").points == [15, 0]


@pytest.mark.rule("II-C-12", "II-D25")
def test_new_legions() -> None:
    state = won("senate_new_legions")
    assert isinstance(top(state), Muster)
    assert refused(state, 0, Assemble(sp("asia"))) == "II-C-12"
    assert refused(state, 0, Pass()) == "II-C-12"
    play(state, (0, Assemble(sp("neapolis"))))
    assert army(state, "neapolis", 0) == (6, 0, 0)
    assert isinstance(top(state), Turn)
    state = won("senate_new_legions", units={"asia": {0: (17, 0, 0)}})
    play(state, (0, Assemble(sp("italia"))))
    assert army(state, "italia", 0) == (3, 0, 0)
    state = won("senate_new_legions", units={"asia": {0: (20, 0, 0)}})
    assert isinstance(top(state), Turn)


@pytest.mark.rule("II-C-13", "II-INFL-05")
def test_influence_in_rome() -> None:
    state = won("senate_influence_in_rome")
    play(state, (0,))
    assert tokens_of(state, "italia", 0) == 2
    state = won("senate_influence_in_rome", influence={"asia": {0: 17}})
    play(state, (0,))
    assert tokens_of(state, "italia", 0) == 1


def test_options_of_a_vote_are_legal() -> None:
    state = house((3, 2, 2, 1), (1, 0, 0, 0))
    play(state, (0, use("senate_hail_caesar")))
    assert isinstance(top(state), Vote)
    assert isinstance(options(state, 0)[0], Pass)
    for action in options(state, 0):
        assert legal(state, 0, action)
