"""The second game's tasks at the whole table: mouse and keys, pieces as they stand on the board, and the sheets."""

import arcade
import pytest

from client.games.cote2.sheets.card_sheet import CardsSheet
from client.games.cote2.tasks.turn_task import TakingTurn
from client.table.pane import Figure
from shared.ids import NONE
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.frames import Casualties
from shared.rulesets.cote2.state import State
from tests.client.cote2.test_tasks import at_war, bidding
from tests.client.cote2.test_tasks_turn import spring
from tests.client.mouse import Mouse
from tests.support.layout import army, sp
from tests.support.positionii import card, galley, general, where

pytestmark = pytest.mark.usefixtures("window")


def seated(state: State, seat: int = 0) -> Mouse:
    return Mouse(state, seat, COTE2)


def piece(mouse: Mouse, kind: str, place: str, seat: int) -> None:
    """Click a piece where it stands."""
    for drawn in mouse.top.board.pieces._drawn.values():
        pick = drawn.token.pick
        if (pick.kind, pick.place, pick.seat) == (kind, sp(place), seat):
            at = drawn.sprite.center_x, drawn.sprite.center_y
            return mouse.click(*mouse.top.board.camera.to_window(*at))
    raise AssertionError(f"no {kind} of {seat} in {place}")


def turn(mouse: Mouse) -> TakingTurn:
    task = mouse.top.task
    assert isinstance(task, TakingTurn), task
    return task


def test_an_army_is_clicked_aimed_and_sent() -> None:
    mouse = seated(spring())
    piece(mouse, "leader", "italia", 0)
    mouse.space("rhaetia")
    mouse.button("March")
    assert army(mouse.state, "rhaetia", 0) == (4, 2, 1)
    assert "Action 2 of 2" in turn(mouse).line()


def test_a_galley_is_clicked_and_sails_by_enter() -> None:
    mouse = seated(spring())
    piece(mouse, "galley", "mare_narbo", 0)
    mouse.space("mare_libycum")
    mouse.key(arcade.key.ENTER)
    assert mouse.state.galley_at[galley(0)] == sp("mare_libycum")


def test_the_enemy_is_clicked_and_attacked() -> None:
    mouse = seated(spring())
    piece(mouse, "army", "italia", 1)
    assert "Marcus" in turn(mouse).line()
    mouse.button("Attack!")
    assert "Italia" in mouse.top.task.line()


def test_number_keys_choose_among_the_eight() -> None:
    mouse = seated(spring())
    mouse.key(arcade.key.KEY_4)
    mouse.key(arcade.key.KEY_1)
    mouse.key(arcade.key.ENTER)
    assert mouse.state.talents[0] == 105
    mouse.key(arcade.key.SPACE)
    assert mouse.state.talents[0] == 105
    mouse.key(arcade.key.SPACE)
    assert any(
        widget.words.startswith("End turn") for widget in mouse.top.tasks.bar.ui.widgets if hasattr(widget, "words")
    )


def test_cards_lie_open_while_one_is_chosen_and_make_room_for_the_board() -> None:
    mouse = seated(spring())
    mouse.figure(0)
    assert isinstance(mouse.top.sheet, CardsSheet)
    turn(mouse).choose_card(card("build_city_italia_neapolis"))
    mouse.settle()
    assert mouse.top.sheet is None
    assert turn(mouse).card == card("build_city_italia_neapolis")
    mouse.key(arcade.key.ENTER)
    assert mouse.state.owner[sp("italia")] == 0
    assert not next(w for w in mouse.top.tasks.bar.ui.widgets if isinstance(w, Figure)).enabled, "one card a turn"


def test_escape_leads_back_to_the_eight() -> None:
    mouse = seated(spring())
    mouse.figure(0)
    mouse.key(arcade.key.ESCAPE)
    assert mouse.top.sheet is None
    assert turn(mouse).deed is None
    assert not mouse.top.menu.open
    mouse.key(arcade.key.ESCAPE)
    assert mouse.top.menu.open


def test_a_bid_is_made_with_the_leaf_of_alliances_open() -> None:
    mouse = seated(bidding())
    assert mouse.top.sheet is not None
    mouse.stepper(0)
    mouse.button("Bid 5")
    assert mouse.state.frames[-1].talents == 5


def test_losses_are_chosen_below_the_battle() -> None:
    state = at_war((0, a.Commit(())), (1, a.Commit(())), (2, a.Lend(2, 0, 0, ())), (3, a.Lend()), "....", "iicg")
    assert isinstance(state.frames[-1], Casualties)
    mouse = seated(state)
    mouse.stepper(0)
    mouse.key(arcade.key.ENTER)
    assert not mouse.callbacks.toasts
    assert army(mouse.state, "italia", 0) == (1, 1, 1), "two of the three that fall are her own now"


def test_the_board_names_the_general_for_the_assassin() -> None:
    mouse = seated(spring())
    turn(mouse).choose_use(card("assassin"))
    mouse.settle()
    piece(mouse, "leader", "italia", 1)
    mouse.button("Send him")
    assert where(mouse.state, general(1)) == "off"
    assert turn(mouse).card == NONE
