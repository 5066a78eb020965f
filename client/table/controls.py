"""Mouse and keys at the table."""

from __future__ import annotations

from time import monotonic
from typing import Final, Generic

import arcade
from arcade import key

from client.drawing import theme
from client.table.pane import Pane
from client.table.position import T
from client.table.tabletop import Tabletop
from client.table.task import Hit
from shared.ids import NONE

_PAN_KEYS: Final = {
    key.LEFT: (1, 0), key.A: (1, 0), key.RIGHT: (-1, 0), key.D: (-1, 0),
    key.UP: (0, -1), key.W: (0, -1), key.DOWN: (0, 1), key.S: (0, 1),
}  # fmt: skip
_PAN_SPEED: Final = 720.0
_DRAG: Final = 5.0
"""Pixels that the mouse may move in a click."""
_DOUBLE: Final = 0.35
"""Seconds between the clicks of a double click."""


class Controls(Generic[T]):
    """Turns events of the window into what they mean at the table. Handlers return True where they used one."""

    def __init__(self, top: Tabletop[T]) -> None:
        self.top = top
        self._held: Pane | None = None
        self._grip: tuple[float, float] | None = None
        self._dragging = False
        self._keys: set[int] = set()
        self._idle_click = -1.0
        self._swallow = False

    def update(self, seconds: float) -> None:
        """Keys that are held move the board."""
        moves = [_PAN_KEYS[k] for k in self._keys]
        if moves:
            step = theme.px(_PAN_SPEED) * seconds
            self.top.board.camera.pan(sum(m[0] for m in moves) * step, sum(m[1] for m in moves) * step)
            self.top.board.touch()

    # Mouse

    def mouse_motion(self, x: float, y: float) -> bool:
        """The mouse moved."""
        top = self.top
        top.mouse, top.rested = (x, y), 0.0
        if top.menu.open:
            top.menu.ui.mouse_motion(x, y)
            return True
        for pane in top.panes:
            pane.mouse_motion(x, y)
        covered = top.stage.holds(x, y) or (top.sheet is not None and top.sheet.holds(x, y))
        on_board = top.board.camera.holds(x, y) and not covered
        top.board.hovered = top.under(x, y)[1] if on_board else NONE
        return False

    def mouse_press(self, x: float, y: float, button: int) -> bool:
        """A button went down."""
        top = self.top
        self.mouse_motion(x, y)
        if top.menu.open:
            top.menu.ui.mouse_press(x, y, button)
            return True
        self._held = None
        for pane in top.panes:
            if pane.mouse_press(x, y, button):
                self._held = pane
        if self._held is None:
            self._grip, self._dragging = (x, y), False
        return True

    def mouse_drag(self, x: float, y: float, dx: float, dy: float) -> bool:
        """The mouse moved with a button down."""
        top = self.top
        top.mouse, top.rested = (x, y), 0.0
        if top.menu.open:
            top.menu.ui.mouse_drag(x, y)
        elif self._held is not None:
            self._held.mouse_drag(x, y)
        elif self._grip is not None and not top.stage.holds(*self._grip):
            far = abs(x - self._grip[0]) + abs(y - self._grip[1]) > _DRAG
            if self._dragging or far:
                if not self._dragging:
                    dx, dy = x - self._grip[0], y - self._grip[1]
                self._dragging = True
                top.board.hovered = NONE
                top.board.camera.pan(dx, dy)
                top.board.touch()
        return True

    def mouse_release(self, x: float, y: float, button: int) -> bool:
        """A button went up."""
        top = self.top
        if top.menu.open:
            top.menu.ui.mouse_release(x, y)
            return True
        held, self._held = self._held, None
        grip, self._grip = self._grip, None
        if held is not None:
            held.mouse_release(x, y)
        elif grip is not None and not self._dragging:
            if button == arcade.MOUSE_BUTTON_RIGHT:
                top.task.undo()
            else:
                self._click(x, y)
        self._dragging = False
        return True

    def _click(self, x: float, y: float) -> None:
        """A click on the board, or on the battle above it."""
        top = self.top
        if top.hurry() or top.match.view is None:
            return
        if top.sheet is not None and not top.sheet.stays():
            top.lay("")
            return
        if top.stage.holds(x, y):
            target = top.stage.at(x, y)
            if target is not None:
                top.task.strike(target)
            return
        token, space = top.under(x, y)
        world = top.board.camera.to_world(x, y)
        if not top.task.click(Hit(space, token.pick if token is not None else None, world)):
            now = monotonic()
            if now - self._idle_click < _DOUBLE:
                top.board.camera.reset()
                top.board.touch()
            self._idle_click = now

    def mouse_scroll(self, x: float, y: float, steps: float) -> bool:
        """The wheel turned."""
        top = self.top
        if top.menu.open:
            return True
        if any(pane.mouse_scroll(x, y, steps) for pane in top.panes):
            return True
        top.board.camera.zoom_at(x, y, steps)
        top.board.touch()
        return True

    # Keys

    def key_press(self, symbol: int, modifiers: int) -> bool:
        """A key went down."""
        top = self.top
        if top.menu.open:
            return self._menu_key(symbol, modifiers)
        if top.journal.typing:
            return self._typing_key(symbol, modifiers)
        if symbol in _PAN_KEYS and not modifiers & (key.MOD_CTRL | key.MOD_ALT):
            self._keys.add(symbol)
            return True
        if symbol == key.H:
            return top.advice.do() if modifiers & key.MOD_SHIFT else top.advice.ask()
        return self._task_key(symbol, modifiers) or self._view_key(symbol)

    def _menu_key(self, symbol: int, modifiers: int) -> bool:
        if symbol == key.ESCAPE:
            self.top.menu.back()
        elif symbol == key.F10:
            self.top.menu.close()
        else:
            self.top.menu.ui.key_press(symbol, modifiers)
        return True

    def _typing_key(self, symbol: int, modifiers: int) -> bool:
        journal = self.top.journal
        if symbol == key.ESCAPE:
            journal.stop_typing()
        else:
            journal.ui.key_press(symbol, modifiers)
        return True

    def _task_key(self, symbol: int, modifiers: int) -> bool:
        task = self.top.task
        if symbol in (key.ENTER, key.NUM_ENTER):
            return self.top.hurry() or self._sheet_first() or self._read_on() or task.confirm()
        if symbol == key.ESCAPE:
            foremost = self.top.sheet is not None and self.top.sheet.foremost
            if self.top.advice.put_away():
                return True
            if foremost or not task.undo():
                self._leave()
            return True
        if symbol == key.TAB:
            return task.next()
        if symbol == key.SPACE:
            return self.top.hurry() or self._sheet_first() or task.end()
        if symbol in (key.Y, key.N):
            return task.answer(symbol == key.Y)
        if key.KEY_1 <= symbol <= key.KEY_9:
            return self.top.tray.number(symbol - key.KEY_1, bool(modifiers & key.MOD_SHIFT))
        return False

    def _read_on(self) -> bool:
        """The coach waits until he was read."""
        return self.top.coach is not None and self.top.coach.go_on()

    def _sheet_first(self) -> bool:
        """What lies over the board is confirmed before what it covers."""
        return self.top.sheet is not None and self.top.sheet.confirm()

    def _leave(self) -> None:
        """Put away the sheet over the board, else open the menu."""
        if self.top.sheet is not None:
            self.top.lay("")
        else:
            self.top.menu.show()

    def _view_key(self, symbol: int) -> bool:
        top, camera = self.top, self.top.board.camera
        if symbol in (key.PLUS, key.EQUAL, key.NUM_ADD, key.MINUS, key.NUM_SUBTRACT):
            steps = -1 if symbol in (key.MINUS, key.NUM_SUBTRACT) else 1
            camera.zoom_at(top.board.rect.x, top.board.rect.y, steps)
        elif symbol == key.HOME:
            camera.reset()
        elif symbol == key.F10:
            top.menu.show()
        elif symbol == key.F1:
            top.house.show_help()
        elif symbol == key.T:
            top.journal.start_typing()
            self._swallow = True
        elif symbol == key.C:
            return top.step_aside()
        else:
            return self._sheet_key(symbol)
        top.board.touch()
        return True

    def _sheet_key(self, symbol: int) -> bool:
        sheet = next((sheet for sheet in self.top.sheets if symbol == ord(sheet.key)), None)
        if sheet is None or self.top.match.view is None:
            return False
        self.top.turn_sheet(sheet)
        return True

    def key_release(self, symbol: int) -> bool:
        """A key went up."""
        self._keys.discard(symbol)
        return False

    def text(self, words: str) -> bool:
        """Characters were typed; the T that opened the line of chat is none of them."""
        swallow, self._swallow = self._swallow, False
        if swallow:
            return True
        if self.top.journal.typing:
            self.top.journal.ui.text(words)
            return True
        return False
