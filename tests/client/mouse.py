"""A player at a table without a server, who has a mouse and keys."""

from typing import Any

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


class Mouse:
    """Player at a table without a server, who has a mouse and keys."""

    def __init__(self, state: Any, seat: Seat = 0, rules: AnyRuleset = CLASSIC) -> None:
        self.match = LocalMatch(rules, state.seats, seat=seat)
        self.match.take_events()
        self.match.state = state
        theme.set_window(*theme.BASE_SIZE)
        self.callbacks = RecordedCallbacks()
        self.top = Tabletop(self.match, guide(rules.id), self.callbacks)
        self.top.place(*theme.BASE_SIZE)
        self.top.hear()
        self.top.hurry()
        self.controls = MouseInput(self.top)

    @property
    def state(self) -> Any:
        return self.match.state

    def settle(self) -> None:
        """Let the table hear of what happened, and see it at once."""
        self.top.hear()
        self.top.hurry()
        self.top.update(5.0)

    def click(self, x: float, y: float, button: int = arcade.MOUSE_BUTTON_LEFT) -> None:
        self.controls.mouse_motion(x, y)
        self.controls.mouse_press(x, y, button)
        self.controls.mouse_release(x, y, button)
        self.settle()

    def space(self, key: str) -> None:
        """Click a space beside its pieces."""
        board = self.top.board
        shape = board.geography.spaces[sp(key)]
        for point in (*shape.anchors, shape.anchor):
            if board.pieces.pick(*point) is None and board.geography.meant_at(*point) == sp(key):
                return self.click(*board.camera.to_window(*point))
        return self.click(*board.camera.to_window(*shape.anchor))

    def berth(self, position: Position) -> None:
        """Click a galley, or the shadow of one, at that position."""
        self.click(*self.top.board.camera.to_window(*self.top.display.berth(position)))

    def button(self, start: str, pane: Pane | None = None) -> None:
        """Click the button whose words begin like that, in the tray if no pane is named."""
        there = [w for w in (pane or self.top.action_bar).ui.widgets if isinstance(w, Button)]
        found = [w for w in there if w.words.startswith(start)]
        words = [w.words for w in there]
        assert found, f"no {start!r} among {words}"
        assert found[0].enabled, start
        self.click(found[0].rect.x, found[0].rect.y)

    def stepper(self, index: int, plus: bool = True) -> None:
        stepper = [w for w in self.top.action_bar.ui.widgets if isinstance(w, Stepper)][index]
        x = stepper.rect.right - theme.px(12) if plus else stepper.rect.left + theme.px(12)
        self.click(x, stepper.rect.bottom + theme.px(12))

    def figure(self, index: int) -> None:
        figure = [w for w in self.top.action_bar.ui.widgets if isinstance(w, Figure)][index]
        self.click(figure.rect.x, figure.rect.y)

    def press(self, command: Command | None) -> None:
        """The key that does that."""
        assert command is not None
        chord = KEYS.of(command)[0]
        self.key(chord.symbol)

    def key(self, symbol: int, modifiers: int = 0) -> None:
        self.controls.key_press(symbol, modifiers)
        self.settle()
