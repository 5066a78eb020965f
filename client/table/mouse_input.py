"""Mouse input at the table; keys are handled by keyboard.py."""

from collections.abc import Hashable, Iterator
from time import monotonic
from typing import Final, Generic

import arcade
from arcade.types import Rect

from client.language import _
from client.table.keyboard import Keyboard
from client.table.pane import Pane
from client.table.position import T
from client.table.tabletop import Tabletop
from client.table.task import Hit
from shared.board import BOARD
from shared.ids import NONE

_DRAG: Final = 5.0
"""Pixels that the mouse may move in a click."""
_DOUBLE: Final = 0.35
"""Seconds between the clicks of a double click."""


class MouseInput(Generic[T]):
    """Handlers for input of the window. They return True if they used an event."""

    def __init__(self, top: Tabletop[T]) -> None:
        self.top = top
        self._held: Pane | None = None
        self._person = ("", "")
        """Name and words of the person under the mouse when the button was pressed."""
        self._grip: tuple[float, float] | None = None
        self._dragging = False
        self._keyboard = Keyboard(top)
        self._idle_click = -1.0

    def update(self, seconds: float) -> None:
        """Advance by some seconds."""
        self._keyboard.update(seconds)

    # Mouse

    def mouse_motion(self, x: float, y: float) -> bool:
        """Handle a move of the mouse."""
        top = self.top
        top.pointer.move(x, y)
        if top.menu.open:
            top.menu.ui.mouse_motion(x, y)
            return True
        for pane in top.panes:
            pane.mouse_motion(x, y)
        on_board = top.board.camera.holds(x, y) and not top.layout.covers(x, y)
        top.board.hovered = top.display.under(x, y)[1] if on_board else NONE
        return False

    def mouse_press(self, x: float, y: float, button: int, modifiers: int = 0) -> bool:
        """Handle a pressed button."""
        top = self.top
        self.mouse_motion(x, y)
        top.pointer.end_tip()
        self._keyboard.rest()
        if top.menu.open:
            top.menu.ui.mouse_press(x, y, button)
            return True
        self._held = None
        for pane in top.panes:
            if self._held is not None:
                pane.ui.set_focus(None)  # Another pane lies over it, or beside it.
            elif pane.mouse_press(x, y, button, modifiers):
                self._held, self._person = pane, pane.person_at(x, y)
        if self._held is None:
            self._grip, self._dragging = (x, y), False
        return True

    def mouse_drag(self, x: float, y: float, dx: float, dy: float) -> bool:
        """Handle a move of the mouse with a button down."""
        top = self.top
        top.pointer.move(x, y)
        if top.menu.open:
            top.menu.ui.mouse_drag(x, y)
        elif self._held is not None:
            self._held.mouse_drag(x, y)
        elif self._grip is not None and not top.stage.holds(*self._grip):
            far = abs(x - self._grip[0]) + abs(y - self._grip[1]) > _DRAG
            if self._dragging or far:
                if not self._dragging:
                    # The way before the threshold counts too, or the board would lag behind the mouse by it.
                    dx, dy = x - self._grip[0], y - self._grip[1]
                self._dragging = True
                top.board.hovered = NONE
                top.board.camera.pan(dx, dy)
                top.board.touch()
        return True

    def mouse_release(self, x: float, y: float, button: int) -> bool:
        """Handle a released button."""
        top = self.top
        if top.menu.open:
            top.menu.ui.mouse_release(x, y)
            return True
        held, self._held = self._held, None
        grip, self._grip = self._grip, None
        if held is not None:
            if not held.mouse_release(x, y) and held.person_at(x, y) == self._person:
                top.menu.show_person(*self._person)
        elif grip is not None and not self._dragging and x >= 0:  # Else the click was called off.
            if button == arcade.MOUSE_BUTTON_RIGHT:
                top.task.undo()
            else:
                self._click_board(x, y)
        self._dragging = False
        return True

    def _click_board(self, x: float, y: float) -> None:
        """Handle a click on the board, or on the battle above it."""
        top = self.top
        if top.events.hurry() or top.match.view is None:
            return
        if top.sheet is not None and not top.sheet.stays():
            top.lay(None)
            return
        if top.stage.holds(x, y):
            target = top.stage.at(x, y)
            if target is not None:
                top.task.strike(target)
            else:
                top.stage.fold()
            return
        token, space = top.display.under(x, y)
        world = top.board.camera.to_world(x, y)
        if not top.task.click(Hit(space, token.pick if token is not None else None, world)):
            now = monotonic()
            if now - self._idle_click < _DOUBLE:
                top.board.camera.reset()
                top.board.touch()
            self._idle_click = now
            if space != NONE and (top.task.lit() or top.task.glow()):
                words = _("{place}: nothing to do there now. Click what is lit or glows.", place=BOARD.names[space])
                top.callbacks.toast(words)

    def mouse_scroll(self, x: float, y: float, steps: float) -> bool:
        """Handle a turn of the wheel."""
        top = self.top
        if top.menu.open:
            return True
        if any(pane.mouse_scroll(x, y, steps) for pane in top.panes):
            return True
        top.board.camera.zoom_at(x, y, steps)
        top.board.touch()
        return True

    # Meanings, for the guard of the window's input

    def meanings(self) -> Iterator[tuple[Hashable, Rect]]:
        """Yield the meaning and the place of everything that can be used now: controls, the board, and keys."""
        top = self.top
        yield self._on_board, top.board.rect
        yield self._by_keys, top.board.rect
        if top.menu.open:
            yield from top.menu.ui.meanings()
        for pane in top.panes:
            for meaning, rect in pane.ui.meanings():
                if pane.holds(rect.x, rect.y):
                    yield (self._on_board, pane.matter, meaning), rect

    def meaning_at(self, x: float, y: float) -> Hashable:
        """Return the meaning of a click there; None if it does nothing of importance."""
        top = self.top
        if top.menu.open:
            return top.menu.ui.meaning_at(x, y)
        for pane in top.panes:
            if pane.holds(x, y):
                meaning = pane.ui.meaning_at(x, y)
                return None if meaning is None else (self._on_board, pane.matter, meaning)
        return self._on_board

    @property
    def focused(self) -> Hashable:
        """Meaning of a key that confirms."""
        top, pane = self.top, self.top.reach.pane
        if top.menu.open:
            return top.menu.ui.focused
        if (typist := self._keyboard.typist) is not None:
            return self._on_board, typist.matter, typist.ui.focused
        if pane is not None and pane.ui.focused is not None:
            return self._on_board, pane.matter, pane.ui.focused
        return self._by_keys

    @property
    def _on_board(self) -> Hashable:
        """The decision owed; "" while others decide."""
        moment = self.top.tasks.moment
        return "" if moment is None else (moment.busy, moment.mine and moment.decision)

    @property
    def _by_keys(self) -> Hashable:
        """Everything that a key may confirm: the decision owed, or what is offered above it."""
        top = self.top
        offered = (top.advice.plate.matter, top.layout.ballot.matter, top.side.coach and top.side.coach.matter)
        return self._on_board, top.sheet and top.sheet.key, top.task.asked, *offered

    # Keys

    def key_press(self, symbol: int, modifiers: int) -> bool:
        """Handle a pressed key."""
        self.top.pointer.end_tip()
        return self._keyboard.press(symbol, modifiers)

    def key_release(self, symbol: int) -> bool:
        """Handle a released key."""
        return self._keyboard.release(symbol)

    def text(self, words: str) -> bool:
        """Handle typed characters."""
        return self._keyboard.text(words)
