"""Mouse clicks on the sheets, and the information that the sheets show."""

import arcade
import pytest

from client.drawing.widgets import Widget
from client.games.cote2.sheet_interfaces import Bidding, Shopping, Voting
from client.games.cote2.sheets import SHEETS
from client.games.cote2.sheets.auction_sheet import AuctionSheet, display
from client.games.cote2.sheets.card_names import hands
from client.games.cote2.sheets.card_sheet import CardsSheet
from client.games.cote2.sheets.score_sheet import ScoreSheet
from client.games.cote2.sheets.senate_vote_sheet import VoteSheet, benches, drawers, holders, still_hidden
from client.games.cote2.sheets.sheet_widgets import CardSpot, HeldSpot, Marker, SenatorSpot, TileSpot
from client.table.sheet import AnySheet, Sheet
from shared.ids import NONE, Seat
from shared.rulesets.cote2.data import CARDS, INFLUENCE_IN_ROME, ITALIA, NEW_LEGIONS
from shared.rulesets.cote2.effects import VOTES
from shared.rulesets.cote2.events import Passed, SenatorsShown, VoteBegan, VoteWon
from shared.rulesets.cote2.frames import Auction, Motion, Vote
from shared.rulesets.cote2.options import INFLUENCE
from shared.rulesets.cote2.stages import MotionStage
from shared.rulesets.cote2.state import State, TableFields
from tests.client.cote2.sheets import Bids, Shop, Votes, desk, moment, moments, opened
from tests.client.desk import StillDesk
from tests.support.cote2_games import crowded
from tests.support.positionii import card

pytestmark = pytest.mark.usefixtures("window")

EMERGENCY_TAX = card("senate_emergency_tax")
HAIL_CAESAR = card("senate_hail_caesar")


def click(sheet: AnySheet, widget: Widget) -> None:
    x, y = widget.rect.x, widget.rect.y
    sheet.mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT)
    sheet.mouse_release(x, y)


def drag(sheet: AnySheet, marker: Marker, x: float, y: float) -> None:
    sheet.mouse_press(marker.rect.x, marker.rect.y, arcade.MOUSE_BUTTON_LEFT)
    sheet.mouse_drag((marker.rect.x + x) / 2, (marker.rect.y + y) / 2)
    sheet.show(sheet.task)  # type: ignore[arg-type]
    sheet.mouse_drag(x, y)
    sheet.draw()
    sheet.mouse_release(x, y)


def markers(sheet: AnySheet) -> dict[Seat, Marker]:
    return {widget.seat: widget for widget in sheet.ui.widgets if isinstance(widget, Marker)}


def boxes(sheet: AnySheet) -> list[Widget]:
    return sheet.ui.widgets[:2]


def bidding() -> tuple[AnySheet, Bids]:
    at = desk(moment(Auction), 0)
    task = Bids(at, 10, (1, 2))
    assert isinstance(task, Bidding)
    return opened(AuctionSheet, at, task), task


def test_markers_are_dragged_into_boxes_and_out() -> None:
    sheet, task = bidding()
    box = boxes(sheet)[1].rect
    drag(sheet, markers(sheet)[3], box.x + 20, box.y - 15)
    assert task.puts == [(3, 1)]
    drag(sheet, markers(sheet)[1], sheet.rect.left + 5, sheet.rect.bottom + 5)
    assert task.puts[1:] == [(1, -1)]


def test_markers_are_clicked_into_boxes_and_out() -> None:
    sheet, task = bidding()
    click(sheet, markers(sheet)[4])
    assert markers(sheet)[4].on
    click(sheet, markers(sheet)[1])
    assert task.puts == [(4, 0)], "it takes the place of the one that was clicked"
    click(sheet, markers(sheet)[2])
    assert task.puts[1:] == [(2, -1)]


def test_a_box_takes_the_marker_in_hand() -> None:
    at = desk(moment(Auction), 0)
    task = Bids(at, 10)
    sheet = opened(AuctionSheet, at, task)
    click(sheet, boxes(sheet)[0])
    assert task.puts == []
    click(sheet, markers(sheet)[5])
    click(sheet, boxes(sheet)[0])
    assert task.puts == [(5, 0)]


def test_spectators_move_nothing() -> None:
    at = desk(moment(Auction), NONE)
    assert opened(AuctionSheet, at).ui.widgets == []


def test_the_display_has_all_places_once() -> None:
    for seats in (2, 3, 5, 6):
        for state in moments(seats):
            columns = display(state)
            taken = [(place.number, place.seat) for column in columns for place in column if place.seat != NONE]
            assert sorted(taken) == list(enumerate(state.order, start=1))
            numbers = sorted({place.number for column in columns for place in column})
            assert numbers == list(range(1, seats + 1))
            for side, column in enumerate(columns):
                assert all(state.side[place.seat] == side for place in column if place.seat != NONE)


def shopping(barred: tuple[int, ...] = ()) -> tuple[AnySheet, Shop, StillDesk, State]:
    state = crowded(4, 7)
    state.cards[0], state.used[0] = (0, 7, 40), (0,)
    at = desk(state, 0)
    task = Shop(at, barred=barred)
    assert isinstance(task, Shopping)
    return opened(CardsSheet, at, task), task, at, state


def spot(sheet: AnySheet, card: int, own: bool = False) -> CardSpot:
    kinds = (CardSpot, TileSpot, HeldSpot)
    spots = [widget for widget in sheet.ui.widgets if isinstance(widget, CardSpot) and type(widget) in kinds]
    found = [widget for widget in spots if widget.card == card]
    return found[-1 if own else 0]


def test_a_click_chooses_an_open_card_and_puts_it_back() -> None:
    sheet, task, _, state = shopping()
    card = next(card for card, number in enumerate(state.row) if number)
    click(sheet, spot(sheet, card))
    assert task.chosen == [card]
    task.card = card
    sheet.show(task)
    assert spot(sheet, card).on
    click(sheet, spot(sheet, card))
    assert task.chosen == [card, NONE]


def test_a_card_out_of_reach_says_why() -> None:
    card = next(card for card, number in enumerate(crowded(4, 7).row) if number)
    sheet, task, at, _ = shopping((card,))
    assert "too dear" in spot(sheet, card).tip
    click(sheet, spot(sheet, card))
    assert task.chosen == [] and at.toasts == ["That is too dear for you."]


def test_a_click_uses_a_multi_use_card_only() -> None:
    sheet, task, _, _ = shopping()
    assert spot(sheet, 0, own=True).used
    click(sheet, spot(sheet, 7, own=True))
    click(sheet, spot(sheet, 40, own=True))
    assert task.used == [7] and task.chosen == []


def test_the_large_card_is_one_that_all_can_see() -> None:
    sheet, task, _, state = shopping(tuple(range(len(CARDS))))
    assert isinstance(sheet, CardsSheet)
    row = [card for card, number in enumerate(state.row) if number]
    assert sheet.looked_at() in row
    task.barred = [card for card in range(len(CARDS)) if card != row[-1]]
    assert sheet.looked_at() == row[-1], "the first that can be had"
    task.barred = ()
    click(sheet, spot(sheet, row[0]))
    assert sheet.looked_at() == row[0]
    state.row[row[0]] = 0
    sheet.mouse_motion(0, 0)
    sheet.show(task)
    assert sheet.looked_at() in row[1:], "somebody took it, and it is gone"
    click(sheet, spot(sheet, 40, own=True))
    state.row = [0] * len(CARDS)
    sheet.mouse_motion(0, 0)
    sheet.show(task)
    assert sheet.looked_at() == 40
    sheet.put_away()
    sheet.show(task)
    assert sheet.looked_at() == 0, "nothing is kept in mind when it is put away"
    state.cards = [()] * state.seats
    sheet.show(task)
    assert sheet.looked_at() == NONE


def test_a_click_shows_senators_and_takes_them_back() -> None:
    state = moment(Vote, 4)
    state = state.clone()
    state.senators[0] = (2, 1, 0, 1)
    at = desk(state, 0)
    task = Votes(at, (1, 0, 0, 0))
    assert isinstance(task, Voting)
    sheet = opened(VoteSheet, at, task)
    spots = [widget for widget in sheet.ui.widgets if isinstance(widget, SenatorSpot)]
    assert [(widget.value, widget.number, widget.on) for widget in spots] == [
        (0, 1, False), (1, 1, False), (3, 1, False), (0, 1, True),
    ]  # fmt: skip
    click(sheet, spots[2])
    click(sheet, spots[3])
    assert task.added == [(3, 1), (0, -1)]


def test_a_leaf_opens_when_it_is_needed() -> None:
    for state in moments(4):
        at = desk(state, 1)
        wanted = {kind for kind in SHEETS if kind(at).is_due()}
        top = state.frames[-1]
        expected: set[type[Sheet[TableFields]]] = set()
        if state.winner != NONE:
            expected = {ScoreSheet}
        elif isinstance(top, Auction):
            expected = {AuctionSheet}
        elif isinstance(top, Vote):
            expected = {VoteSheet}
        assert wanted == expected, top


def test_senators_are_known_only_to_their_owner() -> None:
    for state in moments(5):
        if state.winner != NONE:
            continue
        for viewer in (NONE, 2):
            table = desk(state, viewer).table
            mine, others = hands(table, viewer)
            assert all(hand.senators == () for hand in others)
            assert [hand.number for hand in others] == [sum(state.senators[hand.seat]) for hand in others]
            assert (mine is None) == (viewer == NONE)
            if mine is not None:
                assert mine.senators == state.senators[viewer]
            shown = [widget for widget in opened(CardsSheet, desk(state, viewer)).ui.widgets
                     if isinstance(widget, SenatorSpot)]  # fmt: skip
            assert sum(widget.number for widget in shown) == (0 if viewer == NONE else sum(state.senators[viewer]))


def test_a_vote_shows_what_was_shown() -> None:
    state = moment(Vote, 5)
    vote = state.frames[-1]
    assert isinstance(vote, Vote)
    table = desk(state, NONE).table
    assert still_hidden(table, NONE, vote) == ()
    for bench in benches(table, vote):
        assert bench.shown == vote.shown[bench.seat]
        assert bench.hidden == sum(state.senators[bench.seat]) - sum(bench.shown)
    decided = Motion(9, vote.card, vote.caller, MotionStage.TRIBUTE, 3, (0, 1, 1, 0))
    assert [bench.votes for bench in benches(table, decided) if bench.seat == 3] == [5]


def test_the_drawer_of_a_spent_senator_may_depend_on_the_winner() -> None:
    state = moment(Vote, 4).clone()
    for tokens, tax, rome in (
        ((3, 0, 0, 0), {0}, {0}),
        ((2, 1, 0, 0), {0}, {0, 1, NONE}),
        ((1, 1, 0, 0), {NONE}, {0, 1, 2, 3}),
        ((0, 0, 0, 0), {NONE}, {0, 1, 2, 3}),
    ):
        state.influence[ITALIA] = tokens
        assert drawers(state, Vote(1, EMERGENCY_TAX, 0, 0, ())) == tax
        assert drawers(state, Vote(1, INFLUENCE_IN_ROME, 0, 0, ())) == rome
        assert drawers(state, Motion(1, INFLUENCE_IN_ROME, 0, MotionStage.DRAWN, 2)) == tax, (
            "the benefit was given already"
        )


def test_a_player_without_tokens_left_gains_no_lead() -> None:
    state = moment(Vote, 4).clone()
    state.influence = [(0, 0, 0, 0) if cell else () for cell in state.influence]
    other = next(space for space, cell in enumerate(state.influence) if cell and space != ITALIA)
    state.influence[other] = (99, 0, 0, 0)
    state.options = tuple(99 if i == INFLUENCE else n for i, n in enumerate(state.options))
    assert drawers(state, Vote(1, INFLUENCE_IN_ROME, 0, 0, ())) == {NONE, 1, 2, 3}


def test_passes_are_marked_until_senators_are_shown_or_the_vote_ends() -> None:
    sheet = VoteSheet(desk(moment(Vote, 4), 0))
    for event, passed in (
        (Passed(3), {3}),
        (VoteBegan(0, 8), set()),
        (Passed(1), {1}),
        (Passed(2), {1, 2}),
        (SenatorsShown(1, (1, 0, 0, 0), 1), {2}),
        (VoteWon(1, 8, (1, 0, 0, 0)), set()),
    ):
        sheet.hear(event)
        assert sheet.passed_seats == passed, event


def test_without_a_vote_the_cards_that_call_one_lie_there() -> None:
    state = crowded(4, 7)
    state.cards, state.used = [(EMERGENCY_TAX,), (), (HAIL_CAESAR,), ()], [(), (), (HAIL_CAESAR,), ()]
    state.row = [int(card == NEW_LEGIONS) for card in range(len(CARDS))]
    at = desk(state, 0)
    found = {holder.card: (holder.owner, holder.used, holder.on_offer) for holder in holders(at.table)}
    assert found == dict.fromkeys(VOTES, (NONE, False, False)) | {
        EMERGENCY_TAX: (0, False, False), HAIL_CAESAR: (2, True, False), NEW_LEGIONS: (NONE, False, True),
    }  # fmt: skip
    sheet = opened(VoteSheet, at)
    cards = [widget for widget in sheet.ui.widgets if isinstance(widget, CardSpot)]
    assert [spot.card for spot in cards] == list(VOTES)
    assert {spot.card for spot in cards if spot.reason} == set(VOTES) - {EMERGENCY_TAX, HAIL_CAESAR, NEW_LEGIONS}
    assert [spot.card for spot in cards if spot.used] == [HAIL_CAESAR]
    own = [widget for widget in sheet.ui.widgets if isinstance(widget, SenatorSpot)]
    assert sum(widget.number for widget in own) == sum(state.senators[0])
