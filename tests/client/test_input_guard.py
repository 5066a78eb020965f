"""Guard of the window's input: what was not drawn long enough in its place, with its meaning, takes no click."""

from collections.abc import Hashable

import pytest
from arcade import LBWH, MOUSE_BUTTON_LEFT
from arcade.types import Rect

from client.drawing.scrolling import ScrollList
from client.drawing.widgets import Button, Ui
from client.games.static_match import LocalMatch
from client.table.mouse_input import MouseInput
from client.window import SETTLED, InputGuard
from tests.client.test_tooltips import table

HERE, BESIDE = LBWH(0, 0, 100, 40), LBWH(20, 0, 100, 40)
AWAY = LBWH(200, 0, 100, 40)


class Watch:
    """A clock that is set by hand, and the guard that reads it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.guard = InputGuard(lambda: self.now)
        self.screen = "table"

    def draw(self, *controls: tuple[Hashable, Rect], after: float = 0.0) -> None:
        self.guard.draw(self.screen, controls)
        self.now += after

    def takes(self, meaning: Hashable) -> bool:
        return self.guard.settled(self.screen, meaning)


def test_a_control_counts_once_it_has_been_drawn_for_a_while() -> None:
    watch = Watch()
    assert not watch.takes("end") and not watch.takes(None), "nothing was drawn"
    watch.draw(("end", HERE), after=SETTLED / 2)
    assert not watch.takes("end") and watch.takes(None)
    watch.draw(("end", HERE), after=SETTLED / 2)
    assert watch.takes("end") and watch.takes("end"), "as often as the player likes"


def test_another_meaning_place_or_screen_begins_anew() -> None:
    watch = Watch()
    watch.draw(("end", HERE), after=1.0)
    watch.draw(("really end", HERE))
    assert not watch.takes("really end") and not watch.takes("end")
    watch.draw(("end", HERE), after=1.0)
    watch.draw(("end", AWAY))
    assert not watch.takes("end"), "it came under the pointer"
    watch.draw(("end", AWAY), after=1.0)
    watch.screen = "menu"
    assert not watch.takes("end") and not watch.takes(None)
    watch.draw(("end", AWAY))
    assert not watch.takes("end")


def test_a_control_that_moves_a_little_or_by_the_player_stays_known() -> None:
    watch = Watch()
    watch.draw(("more", HERE), after=1.0)
    watch.draw(("more", BESIDE))
    assert watch.takes("more")
    watch.guard.scroll()
    watch.draw(("more", AWAY))
    assert watch.takes("more")


def test_a_release_completes_only_a_click_on_what_was_pressed() -> None:
    watch = Watch()
    watch.draw(("end", HERE), after=1.0)
    assert watch.guard.press(watch.screen, "end") and watch.guard.release(watch.screen, "end")
    assert watch.guard.press(watch.screen, "end") and not watch.guard.release(watch.screen, "really end")
    assert not watch.guard.release("menu", "end")


@pytest.mark.usefixtures("window")
def test_a_decision_that_changes_between_press_and_release_takes_no_click() -> None:
    top = table()
    match = top.match
    assert isinstance(match, LocalMatch)
    top.lay(None)
    controls, guard = MouseInput(top), InputGuard(lambda: 0.0)
    button = next(w for w in top.layout.bar.ui.widgets if isinstance(w, Button) and w.enabled)
    for place in (button.rect.center, top.board.rect.center):
        at = match.version
        guard.press(top, controls.meaning_at(*place))
        controls.mouse_press(*place, MOUSE_BUTTON_LEFT)
        assert guard.release(top, controls.meaning_at(*place))
        assert match.step()
        top.hear()
        top.events.hurry()
        assert not guard.release(top, controls.meaning_at(*place))
        controls.mouse_release(-1, -1, MOUSE_BUTTON_LEFT)
        assert match.version == at + 1
        while not match.is_mine:
            assert match.step()
        top.hear()
        top.events.hurry()


@pytest.mark.usefixtures("window")
def test_rows_that_moved_under_the_pointer_are_new_and_others_are_not() -> None:
    watch, chosen, ui = Watch(), list[str](), Ui()
    rows = ui.add(ScrollList[str](LBWH(0, 0, 200, 300), 50, lambda item, rect, on: None, chosen.append))
    rows.items = ["Anna's table", "Berta's table", "Clara's table"]
    first, last = (100, 275), (100, 175)
    watch.draw(*ui.meanings(), after=1.0)
    assert watch.takes(ui.meaning_at(*first)) and watch.takes(ui.meaning_at(*last))
    rows.items = ["Berta's table", "Anna's table", "Clara's table"]
    watch.draw(*ui.meanings())
    assert not watch.takes(ui.meaning_at(*first)) and watch.takes(ui.meaning_at(*last))
    assert not watch.takes(rows.meaning), "nor by a key"
    watch.draw(*ui.meanings(), after=1.0)
    assert watch.takes(ui.meaning_at(*first)) and watch.takes(rows.meaning)
    rows.items = [f"{name}'s table" for name in "BACDEFGHIJ"]
    rows.scroll_to(100)
    watch.guard.scroll()
    watch.draw(*ui.meanings())
    rows.items = ["", *rows.items]
    assert not watch.takes(ui.meaning_at(*first))
