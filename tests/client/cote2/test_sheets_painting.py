"""Every sheet is painted in every kind of position, for players and for those who look on, and nothing runs over."""

from collections.abc import Iterator
from itertools import product

import arcade
import pytest

from client.drawing import theme
from client.games.cote2.card_presentation import SHOWN
from client.games.cote2.sheets import SHEETS
from client.games.cote2.sheets.auction_sheet import AuctionSheet
from client.games.cote2.sheets.card_names import title
from client.games.cote2.sheets.card_sheet import CardsSheet, grid
from client.games.cote2.sheets.senate_vote_sheet import VoteSheet
from client.table.sheet import AnySheet
from shared.ids import NONE, Seat
from shared.rulesets.cote2.data import CARDS, ByKind
from shared.rulesets.cote2.frames import Auction, Motion, Vote
from tests.client.cote2.sheets import SIZES, Bids, Shop, Votes, desk, moment, moments, opened
from tests.support.cote2_games import crowded
from tests.support.marks import pairs_in_stages, with_releases


@pytest.fixture
def drawn(window: arcade.Window, monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The words that were drawn."""
    words: set[str] = set()
    draw = arcade.Text.draw

    def remember(text: arcade.Text) -> None:
        words.add(text.text)
        _inside(text)
        draw(text)

    monkeypatch.setattr(arcade.Text, "draw", remember)
    yield words
    _TOP.clear()


_TOP: list[AnySheet] = []
"""The leaf that is being painted."""


def _inside(text: arcade.Text) -> None:
    rect = _TOP[0].rect
    slack = 1.5
    assert rect.left - slack <= text.left and text.right <= rect.right + slack, text.text
    assert rect.bottom - slack <= text.bottom and text.top <= rect.top + slack, text.text


def show(sheet: AnySheet) -> None:
    _TOP[:] = [sheet]
    sheet.draw()
    arcade.get_window().flip()


@pytest.mark.parametrize(
    ("seat", "size"), pairs_in_stages(product([0, NONE], SIZES), [], [(0, SIZES[0]), (NONE, SIZES[-1])])
)
@pytest.mark.parametrize("seats", with_releases([2, 3, 6], 2, 6))
def test_every_leaf_in_every_position(drawn: set[str], seats: int, seat: Seat, size: tuple[int, int]) -> None:
    for state in moments(seats):
        at = desk(state, seat)
        at.surname = " Germanicus Maximus"
        for kind in SHEETS:
            show(opened(kind, at, size=size))
    assert drawn


@pytest.mark.long
@pytest.mark.parametrize("size", with_releases(SIZES, SIZES[-1]))
@pytest.mark.parametrize("seats", with_releases([2, 5, 6], 6))
def test_leaves_with_their_tasks(drawn: set[str], seats: int, size: tuple[int, int]) -> None:
    at = desk(moment(Auction, seats), 0)
    at.surname = " Germanicus Maximus"
    for boxes in ((NONE, NONE), (1, NONE), (0, 1)):
        show(opened(AuctionSheet, at, Bids(at, 25, boxes), size))
    state = crowded(seats, 4)
    at = desk(state, 0)
    show(opened(CardsSheet, at, Shop(at, barred=range(0, 43, 3)), size))
    state.row = [1 + card % 3 for card in range(len(CARDS))]
    state.cards[0] = (0, 1, 6, 7, 8, 11, 18, 40, 41)
    state.used[0] = (0, 6)
    show(opened(CardsSheet, at, Shop(at, 20, range(0, 43, 3)), size))
    votes = at.match.state.frames
    state.senators = [(3, 2, 2, 1)] * seats
    votes.append(Motion(90, 10, 0))
    votes.append(Vote(91, 10, 0, 0, ((1, 1, 1, 1),) * seats, 1))
    show(opened(VoteSheet, at, Votes(at, (1, 1, 0, 0)), size))


def test_pointing_at_a_card_shows_it(window: arcade.Window) -> None:
    at = desk(crowded(6, 3), 0)
    sheet = opened(CardsSheet, at)
    assert isinstance(sheet, CardsSheet)
    for spot in sheet.ui.widgets:
        sheet.mouse_motion(spot.rect.x, spot.rect.y)
        if hasattr(spot, "card"):
            assert sheet.looked_at() == spot.card
            assert CARDS[spot.card].text in sheet.tip(spot.rect.x, spot.rect.y)


def test_every_card_has_picture_symbol_and_words() -> None:
    pictures = theme.ASSETS / "cards"
    used = {SHOWN.of(card).picture(card) for card in range(len(CARDS))}
    for card in range(len(CARDS)):
        assert title(card)[1] in CARDS[card].name
        assert 0 < len(SHOWN.of(card).gist(card)) <= 20
    used |= {f"kind_{kind}" for kind in ByKind.__struct_fields__} | {"laurel"}
    assert used == {file.stem for file in pictures.glob("*.png")}


def test_a_row_of_any_length_fits_without_overlapping() -> None:
    theme.set_window(*theme.BASE_SIZE)
    area = arcade.LBWH(10, 10, 620, 310)
    for count in range(1, 44):
        cards = grid(area, count)
        assert len(cards) == count
        for i, card in enumerate(cards):
            assert card.left >= area.left - 1 and card.right <= area.right + 1
            assert card.bottom >= area.bottom - 1 and card.top <= area.top + 1
            for other in cards[:i]:
                assert card.left >= other.right or card.top <= other.bottom
