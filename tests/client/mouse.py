"""A player at a table without a server, who has a mouse and keys."""

from typing import Any, TypeVar

import arcade

from client.drawing import theme
from client.drawing.widgets import Button
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.table.mouse_input import MouseInput
from client.table.pane import Figure, Pane, Stepper
from client.table.tabletop import Tabletop
from shared.ids import Position, Seat
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.classic.definition import CLASSIC
from tests.support.layout import sp

K = TypeVar("K")


def at_position(rules: AnyRuleset, state: Any, seat: Seat = 0) -> LocalMatch:
    """Return a match of a stored position, as a seat sees it; `NONE` looks on."""
    match = LocalMatch(rules, state.seats, seat=seat)
    match.take_events()
    match.state = state
    return match


def laid(
    match: LocalMatch, size: tuple[int, int] = theme.BASE_SIZE, callbacks: RecordedCallbacks | None = None, **more: Any
) -> Tabletop[Any]:
    """Return the table of a match in a window of that size, with everything shown that has happened.

    `more`: further arguments of the table, such as the key of a lesson.
    """
    theme.set_window(*size)
    top: Tabletop[Any] = Tabletop(match, guide(match.rules.id), callbacks or RecordedCallbacks(), **more)
    top.place(*size)
    top.hear()
    top.events.hurry()
    return top


class Mouse:
    """Player at a table without a server, who has a mouse and keys."""

    def __init__(self, state: Any, seat: Seat = 0, rules: AnyRuleset = CLASSIC) -> None:
        self.match = at_position(rules, state, seat)
        self.callbacks = RecordedCallbacks()
        self.top = laid(self.match, callbacks=self.callbacks)
        self.controls = MouseInput(self.top)

    @property
    def state(self) -> Any:
        return self.match.state

    def task(self, kind: type[K]) -> K:
        """Return the present task; fail if it is of another kind."""
        assert isinstance(self.top.task, kind), self.top.task
        return self.top.task

    def settle(self) -> None:
        """Let the table hear of what happened, and see it at once."""
        self.top.hear()
        self.top.events.hurry()
        self.top.update(5.0)

    def click(self, x: float, y: float, button: int = arcade.MOUSE_BUTTON_LEFT) -> None:
        self.controls.mouse_motion(x, y)
        self.controls.mouse_press(x, y, button)
        self.controls.mouse_release(x, y, button)
        self.settle()

    def space(self, *keys: str) -> None:
        """Click spaces, one after the other, beside their pieces."""
        board = self.top.board
        for key in keys:
            shape = board.geography.spaces[sp(key)]
            free = (
                point
                for point in (*shape.anchors, shape.anchor)
                if board.pieces.pick(*point) is None and board.geography.meant_at(*point) == sp(key)
            )
            self.click(*board.camera.to_window(*next(free, shape.anchor)))

    def berth(self, position: Position) -> None:
        """Click a galley, or the shadow of one, at that position."""
        self.click(*self.top.board.camera.to_window(*self.top.display.berth(position)))

    def button(self, start: str, pane: Pane | None = None) -> None:
        """Click the button whose words begin like that, in the tray if no pane is named."""
        there = [w for w in (pane or self.top.tasks.bar).ui.widgets if isinstance(w, Button)]
        found = [w for w in there if w.words.startswith(start)]
        words = [w.words for w in there]
        assert found, f"no {start!r} among {words}"
        assert found[0].enabled, start
        self.click(found[0].rect.x, found[0].rect.y)

    def stepper(self, index: int, plus: bool = True) -> None:
        stepper = [w for w in self.top.tasks.bar.ui.widgets if isinstance(w, Stepper)][index]
        x = stepper.rect.right - theme.px(12) if plus else stepper.rect.left + theme.px(12)
        self.click(x, stepper.rect.bottom + theme.px(12))

    def figure(self, index: int) -> None:
        figure = [w for w in self.top.tasks.bar.ui.widgets if isinstance(w, Figure)][index]
        self.click(figure.rect.x, figure.rect.y)

    def press(self, command: Command | None) -> None:
        """The key that does that."""
        assert command is not None
        chord = KEYS.of(command)[0]
        self.key(chord.symbol)

    def key(self, symbol: int, modifiers: int = 0) -> None:
        self.controls.key_press(symbol, modifiers)
        self.settle()
