"""Keys at the table. The owner of the keyboard hears them first: the menu, the line of chat, a control, or a space of
the board. Otherwise they have the meaning that they have everywhere at the table."""

from collections.abc import Callable, Mapping
from typing import Final, Generic

from client.drawing import theme
from client.keyboard.chord import Chord, pressed
from client.keyboard.commands import Command, KeyContext
from client.keyboard.keys import KEYS
from client.table.compass import BoardDirection
from client.table.layout import SidePart
from client.table.pane import Pane
from client.table.pieces import Pick
from client.table.position import T
from client.table.tabletop import Tabletop
from client.table.task import Hit
from shared.board import BOARD
from shared.ids import NONE, Space

_PANS: Final = {
    Command.PAN_LEFT: (1, 0), Command.PAN_RIGHT: (-1, 0), Command.PAN_UP: (0, -1), Command.PAN_DOWN: (0, 1),
}  # fmt: skip
_PAN_SPEED: Final = 720.0
_PAGE: Final = 8
"""Lines of the chronicle that a page key scrolls."""
_WAYS: Final[Mapping[Command | None, BoardDirection]] = {
    Command.UP: BoardDirection.UP, Command.DOWN: BoardDirection.DOWN,
    Command.LEFT: BoardDirection.LEFT, Command.RIGHT: BoardDirection.RIGHT,
}  # fmt: skip
_STEPS: Final[Mapping[Command | None, int]] = {
    Command.NEXT: 1, Command.DOWN: 1, Command.RIGHT: 1,
    Command.PREVIOUS: -1, Command.UP: -1, Command.LEFT: -1,
}  # fmt: skip
"""Direction in which a key moves from control to control."""
_TURNS: Final[Mapping[Command | None, int]] = {Command.PANELS: 1, Command.PANELS_BACK: -1}
"""Direction in which a key moves from panel to panel."""


class Keyboard(Generic[T]):
    """Handlers of keys. They return True if they used a key."""

    def __init__(self, top: Tabletop[T]) -> None:
        self.top = top
        self._held: dict[int, tuple[int, int]] = {}
        """Keys that are held down and move the board."""
        self._typed = self._swallow = False
        """Whether the last key also types a character; whether that character must be dropped."""
        self._deeds: Mapping[Command, Callable[[], bool]] = {
            Command.CONFIRM: self._confirm,
            # The order is that of what lies uppermost: a battle, a sheet, then the phase.
            Command.END: lambda: top.events.hurry() or self._sheet_first() or top.task.end(),
            Command.BACK: self._back,
            Command.LESSON_BACK: lambda: top.side.coach is not None and top.side.coach.go_back(),
            # Not the methods themselves: the task changes, and they would be those of the first one.
            Command.STEP_BACK: lambda: top.task.undo(),
            Command.UNDO: lambda: top.task.undo() or top.undo.take_back(),
            Command.NEXT_PIECE: self._next,
            Command.AHEAD: top.events.go_ahead,
            Command.PREVIEW: top.look_ahead,
            Command.PANELS: lambda: self._turn(1),
            Command.PANELS_BACK: lambda: self._turn(-1),
            Command.FIND: self._begin_to_find,
            Command.YES: lambda: top.task.answer(True),
            Command.NO: lambda: top.task.answer(False),
            Command.AYE: lambda: top.layout.ballot.vote(True),
            Command.NAY: lambda: top.layout.ballot.vote(False),
            Command.ASK: self._ask,
            Command.ASIDE: top.step_aside,
            Command.ADVICE: top.advice.ask,
            Command.ADVISED: top.advice.do,
            Command.TALK: self._talk,
            Command.EARLIER: lambda: self._chronicle(_PAGE),
            Command.LATER: lambda: self._chronicle(-_PAGE),
            Command.MISSED: lambda: top.callbacks.see_missed(),
            Command.MENU: self._menu,
            Command.HELP: self._help,
            Command.ZOOM_IN: lambda: self._zoom_by(1),
            Command.ZOOM_OUT: lambda: self._zoom_by(-1),
            Command.WHOLE: self._see_all,
        }

    def update(self, seconds: float) -> None:
        """Move the board while keys are held."""
        if self._held:
            step = theme.px(_PAN_SPEED) * seconds
            right, up = (sum(way[axis] for way in self._held.values()) for axis in (0, 1))
            self.top.board.camera.pan(right * step, up * step)
            self.top.board.touch()

    def rest(self) -> None:
        """Clear the keyboard's marks, as the mouse is used."""
        self.top.reach.leave()
        self.top.cursor.leave()

    # Events

    def press(self, symbol: int, modifiers: int) -> bool:
        """Handle a pressed key."""
        top, held = self.top, pressed(symbol, modifiers)
        self._typed = held.typed
        if top.menu.open:
            return self._in_menu(symbol, modifiers)
        if (typist := self.typist) is not None:
            return self._in_line(typist, symbol, modifiers)
        if top.reach.pane is not None and self._on_control(symbol, modifiers):
            return True
        if top.cursor.on and self._on_board(symbol, modifiers, held):
            return True
        return self._at_table(symbol, modifiers, held)

    def release(self, symbol: int) -> bool:
        """Handle a released key."""
        self._held.pop(symbol, None)
        return False

    def text(self, words: str) -> bool:
        """Handle typed characters; drop the letter that opened the line of chat."""
        swallow, self._swallow = self._swallow, False
        typist = self.typist
        if swallow or typist is None:
            return swallow
        typist.ui.text(words)
        typist.typed()
        return True

    # Owners of the keyboard

    def _in_menu(self, symbol: int, modifiers: int) -> bool:
        menu = self.top.menu
        if KEYS.hits(Command.BACK, symbol, modifiers):
            menu.back()
        elif KEYS.hits(Command.MENU, symbol, modifiers):
            menu.close()
        else:
            menu.ui.key_press(symbol, modifiers)
        return True

    @property
    def typist(self) -> Pane | None:
        """Pane in which words are typed: the line of chat, or the sheet over the board."""
        lines = (self.top.chronicle, self.top.sheet)
        panes = (pane for pane in lines if pane is not None)
        return next((pane for pane in panes if pane.ui.focus is not None and pane.ui.focus.typing), None)

    def _in_line(self, pane: Pane, symbol: int, modifiers: int) -> bool:
        reach = self.top.reach
        command = KEYS.command(symbol, modifiers, KeyContext.TEXT, KeyContext.CONTROLS)
        if command is Command.BACK:
            pane.ui.set_focus(None)
            pane.touch()
            reach.leave()
            if pane is self.top.sheet:
                self.top.lay(None)
        elif command in (Command.NEXT, Command.PREVIOUS):
            reach.pane = pane
            reach.step(_STEPS[command])
        elif (turn := _TURNS.get(KEYS.command(symbol, modifiers, KeyContext.TABLE), 0)) and not self._typed:
            reach.pane = pane
            self._turn(turn)
        elif pane.ui.focus is not None:
            pane.ui.focus.on_key(symbol, modifiers)
            pane.typed()
        return True

    def _on_control(self, symbol: int, modifiers: int) -> bool:
        """Handle a key for the focused control around the board."""
        reach = self.top.reach
        pane, focus = reach.pane, reach.focus
        if pane is not None and focus is not None and focus.enabled and focus.on_key(symbol, modifiers):
            pane.touch()
            return True
        command = KEYS.command(symbol, modifiers, KeyContext.CONTROLS)
        if command is Command.BACK:
            reach.leave()
            return True
        return command in _STEPS and reach.step(_STEPS[command])

    def _on_board(self, symbol: int, modifiers: int, held: Chord) -> bool:
        """Handle a key for the space at the cursor."""
        cursor = self.top.cursor
        if held.letter:
            cursor.write(held.letter)
            return self._look()
        if held.digit and (cursor.armed or "ctrl" in held.held) and held.digit <= len(cursor.things):
            return self._strike(cursor.things[held.digit - 1].token.pick)
        command = KEYS.command(symbol, modifiers, KeyContext.TABLE)
        if cursor.letters and self._find_space_key(command):
            return self._look()
        if KEYS.hits(Command.PRESS, symbol, modifiers) and command is not Command.END and not self.top.task.asked:
            return self.top.events.hurry() or self._strike(None)
        return False

    def _find_space_key(self, command: Command | None) -> bool:
        """Handle a key while the name of a space is typed."""
        cursor = self.top.cursor
        if command in (Command.STEP_BACK, Command.UNDO):
            cursor.erase()
        elif command is Command.NEXT_PIECE:
            cursor.next_namesake()
        elif command is Command.BACK:
            cursor.put(cursor.space)
        else:
            return False
        return True

    def _at_table(self, symbol: int, modifiers: int, held: Chord) -> bool:
        """Handle a key that no control or space uses. Alt with a letter means that letter everywhere."""
        command = KEYS.command(symbol, modifiers, KeyContext.TABLE)
        # With the cursor on the board, plain letters spell names of places.
        if command is None and held.held == ("alt",):
            command = KEYS.command(symbol, 0, KeyContext.TABLE)
        if command in _PANS:
            self._held[symbol] = _PANS[command]
            return True
        if command in _WAYS:
            return self._move(_WAYS[command])
        if command is not None and command in self._deeds:
            return self._deeds[command]()
        if held.digit:
            return self.top.tasks.bar.number(held.digit - 1, "shift" in held.held)
        return command is not None and self._turn_sheet(command)

    # The board

    def _move(self, way: BoardDirection) -> bool:
        """Move the cursor by an arrow key; the first one only shows the cursor. A sheet that covers the board takes the
        keyboard instead."""
        top = self.top
        if top.sheet is not None and top.reach.enter(top.sheet):
            return True
        if top.match.view is None:
            return False
        if top.cursor.on:
            top.cursor.move(way)
        else:
            self._enter_board()
        return self._look()

    def _enter_board(self) -> None:
        """Move the keyboard to the board: to the last space, else to one in which something can be done."""
        top = self.top
        top.reach.leave()
        top.cursor.put(top.cursor.space if top.cursor.space != NONE else self._nearest_usable_space())

    def _nearest_usable_space(self) -> Space:
        """Return the nearest space to the middle of the view in which something can be done, or simply the nearest."""
        task, board = self.top.task, self.top.board
        able = [*task.lit(), *(BOARD.ashore[pick.place] for pick in task.glow())]
        middle = board.camera.x, board.camera.y
        heart = board.geography.heart
        spaces = able or range(len(BOARD.names))
        return min(spaces, key=lambda space: (heart(space)[0] - middle[0]) ** 2 + (heart(space)[1] - middle[1]) ** 2)

    def _look(self) -> bool:
        """Bring the cursor into sight after a move."""
        top = self.top
        top.board.camera.look_at(*top.board.geography.heart(top.cursor.space))
        top.board.touch()
        top.show_cursor()
        return True

    def _begin_to_find(self) -> bool:
        if self.top.match.view is None:
            return False
        self._enter_board()
        return self._look()

    def _strike(self, pick: Pick | None) -> bool:
        """Do what a click on the space would do, or on a piece there."""
        top = self.top
        cursor, place = top.cursor, top.board.geography
        if pick is None:
            pick = self._alone()
        at = place.heart(cursor.space)
        if pick is not None and pick.kind == "galley":
            at = place.place(pick.place)
        cursor.put(cursor.space, armed=False)
        # Nothing could be done with the space as a whole: number keys now choose a piece in it.
        if not top.task.click(Hit(cursor.space, pick, at)) and not top.task.confirm():
            cursor.armed = True
        top.show_cursor()
        return True

    def _alone(self) -> Pick | None:
        """Return the galley that is meant, if nothing else in the space can act."""
        top = self.top
        able = [thing.token.pick for thing in top.cursor.things if thing.token.pick in top.task.glow()]
        plain = top.cursor.space in top.task.lit() or any(pick.kind != "galley" for pick in able)
        return able[0] if able and not plain else None

    # Keys with one meaning everywhere at the table

    def _menu(self) -> bool:
        self.top.menu.show()
        return True

    def _ask(self) -> bool:
        return self.top.menu.ask_others()

    def _help(self) -> bool:
        self.top.callbacks.show_help()
        return True

    def _confirm(self) -> bool:
        """Do what the uppermost open part offers: a question, a sheet, the coach, advice, else the task."""
        top = self.top
        if top.events.hurry() or (top.task.asked and top.task.end()):
            return True
        if self._sheet_first() or (top.side.coach is not None and top.side.coach.go_on()):
            return True
        return top.advice.do() or top.task.confirm()

    def _sheet_first(self) -> bool:
        """Confirm the sheet over the board before the task below it."""
        return self.top.sheet is not None and self.top.sheet.confirm()

    def _next(self) -> bool:
        """Go to the next piece that can act, together with the cursor; without one, to the controls."""
        top = self.top
        if not top.task.next():
            return self._turn(1)
        if top.cursor.on and top.desk.looked_at != NONE:
            top.cursor.put(top.desk.looked_at, armed=False)
            top.show_cursor()
        return True

    def _turn(self, by: int) -> bool:
        """Go to the next part of the table; after the last one to the board."""
        top = self.top
        top.cursor.leave()
        if not top.reach.turn(by):
            return self._begin_to_find()
        return True

    def _back(self) -> bool:
        top = self.top
        foremost = top.sheet is not None and top.sheet.foremost
        if top.advice.put_away() or top.end_preview() or (not foremost and top.task.undo()):
            return True
        if top.cursor.on:
            top.cursor.leave()
        elif top.sheet is not None:
            top.lay(None)
        else:
            top.menu.show()
        return True

    def _talk(self) -> bool:
        self.rest()
        self.top.side.unfold(SidePart.CHRONICLE)
        self.top.chronicle.start_typing()
        self._swallow = self._typed
        return True

    def _chronicle(self, lines: int) -> bool:
        """Scroll the chronicle; a sheet over the board that is higher than its place is scrolled first."""
        sheet = self.top.sheet
        if sheet is not None and sheet.turn(-1 if lines > 0 else 1):
            return True
        self.top.side.unfold(SidePart.CHRONICLE)
        return self.top.chronicle.turn(lines)

    def _zoom_by(self, steps: int) -> bool:
        board = self.top.board
        board.camera.zoom_at(board.rect.x, board.rect.y, steps)
        board.touch()
        return True

    def _see_all(self) -> bool:
        """Show the whole board, without the battle over it; a second press shows the battle again."""
        self.top.board.camera.reset()
        self.top.board.touch()
        if not self.top.events.busy:
            self.top.stage.fold()
        return True

    def _turn_sheet(self, command: Command) -> bool:
        sheet = next((sheet for sheet in self.top.sheets if sheet.key is command), None)
        if sheet is None or self.top.match.view is None:
            return False
        self.top.turn_sheet(sheet)
        self._swallow = self._typed and self.typist is not None
        return True
