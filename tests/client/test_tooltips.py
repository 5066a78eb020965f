"""Tooltips and rings cover neither what they speak of nor what is read beside it, and tooltips go after an action."""

from typing import Any

import arcade
import pytest

from client.drawing import theme
from client.drawing.tooltip import place_tooltip
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.table.coach import ring
from client.table.mouse_input import MouseInput
from client.table.tabletop import Tabletop
from shared.board import BOARD
from shared.lessons.lesson import Lit
from shared.rulesets.registry import RULESETS

SIZE = 260.0, 90.0
"""A tooltip of four lines, in pixels."""


def table(game: str = "classic", size: tuple[int, int] = theme.BASE_SIZE) -> Tabletop[Any]:
    match = LocalMatch(RULESETS[game], 6, seed=2, seat=0)
    while not (match.version > 60 and match.is_mine):
        assert match.step()
    match.take_events()
    theme.set_window(*size)
    top: Tabletop[Any] = Tabletop(match, guide(game), RecordedCallbacks())
    top.place(*size)
    top.hear()
    top.events.hurry()
    top.update(0.1)
    return top


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("size", [theme.BASE_SIZE, theme.MIN_SIZE])
def test_tooltips_cover_neither_their_place_nor_panels(size: tuple[int, int]) -> None:
    top = table(size=size)
    top.lay(None)
    window = arcade.LBWH(0, 0, *size)
    for space in range(BOARD.provinces):
        spoken = top.display.extent(space)
        at = top.board.camera.to_window(*top.board.geography.heart(space))
        place = place_tooltip(SIZE, at, spoken, top.layout.tip_obstacles(None), size)
        assert window.left < place.left and place.right < window.right, BOARD.names[space]
        assert not place.overlaps(spoken) and not place.point_in_rect(at), BOARD.names[space]
        for pane in (top.layout.header, top.layout.strip, top.layout.bar, top.side.roster, top.chronicle):
            assert not place.overlaps(pane.rect), (BOARD.names[space], pane)
    for pane in (top.layout.header, top.layout.strip, top.layout.bar, top.side.roster):
        for widget in (w for w in pane.ui.widgets if w.tip):
            place = place_tooltip(SIZE, widget.rect.center, widget.rect, top.layout.tip_obstacles(pane), size)
            assert not place.overlaps(widget.rect) and place.bottom > 0 and place.top < window.top


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("game", RULESETS)
def test_rings_stand_beside_names(game: str) -> None:
    top = table(game)
    names = top.guidance.names(Lit(spaces=(0,)))
    for space in range(BOARD.provinces):
        at = top.board.camera.to_window(*top.display.middle(space))
        found = ring(*at, names)
        assert found.point_in_rect(at)
        for name in names:
            across = found.x - max(name.left, min(found.x, name.right))
            up = found.y - max(name.bottom, min(found.y, name.top))
            assert across**2 + up**2 >= (found.width / 2) ** 2, (BOARD.names[space], name)


@pytest.mark.usefixtures("window")
def test_a_tooltip_goes_after_an_action_and_when_its_thing_goes() -> None:
    top = table()
    controls = MouseInput(top)

    def point(x: float, y: float) -> None:
        controls.mouse_motion(x, y)
        top.update(1.0)

    button = next(w for pane in (top.layout.header, top.layout.bar) for w in pane.ui.widgets if w.tip)
    point(*button.rect.center)
    top.draw()
    assert top.pointer.rested > 0
    controls.key_press(arcade.key.TAB, 0)
    top.update(5.0)
    assert top.pointer.rested < 0, "a key ends it, until the mouse moves"
    point(*button.rect.center)
    top.draw()
    assert top.pointer.rested > 0
    button.tip = "Something else"
    top.draw()
    top.update(5.0)
    assert top.pointer.rested < 0, "other words came under the pointer"
    point(*button.rect.center)
    controls.mouse_press(*button.rect.center, arcade.MOUSE_BUTTON_LEFT)
    top.update(5.0)
    assert top.pointer.rested < 0
