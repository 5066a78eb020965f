"""Player who uses only the keyboard, and sees only marked, lit and offered things."""

from collections.abc import Callable
from random import Random
from typing import Any

from arcade import key

from client.app import App
from client.drawing.fields import Selector
from client.drawing.widgets import Button, Label, Widget
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.screens.table import TableScreen
from client.table.pane import Pane, Stepper
from client.table.tabletop import Tabletop
from client.table.task import AnyTask
from shared.board import BOARD
from shared.ids import Space
from tests.client.conftest import until

PATIENCE = 14
"""Keys after which one goes on with what is put together, and twice that: after which one ends it, if one can."""
RINGS = 120
"""More controls than there are anywhere."""


def calm(top: Tabletop[Any]) -> None:
    """Nothing is moving any more."""
    top.events.hurry()
    top.update(0.0)


class Pupil:
    """Player who uses only the keyboard. Every key goes the same way as one pressed in the window."""

    def __init__(self, app: App | None, seed: int) -> None:
        self._app = app
        self.chance = Random(seed)
        self.tasks: dict[str, set[str]] = {}
        """What was decided, by its kind, and with which of the ways that there are."""
        self.struck: set[Space] = set()
        """Spaces on which Enter was pressed in this decision."""

    @property
    def app(self) -> App:
        assert self._app is not None
        return self._app

    def key(self, symbol: int, modifiers: int = 0) -> None:
        """Press and release a key."""
        screen = self.app.screen
        screen.on_key_press(symbol, modifiers)
        self.app.screen.on_key_release(symbol, modifiers)

    def do(self, command: Command) -> None:
        """The first key that does that."""
        chord = KEYS.of(command)[0]
        self.key(chord.symbol, key.MOD_SHIFT if "shift" in chord.held else 0)

    # Screens

    def button(self, start: str) -> None:
        """Tab to the button whose words begin like that, and press it."""
        ui = self.app.screen.ui
        for _ in range(RINGS):
            self.do(Command.NEXT)
            if isinstance(ui.focus, Button) and ui.focus.words.startswith(start):
                assert ui.focus.marked
                self.do(Command.PRESS)
                return
        raise AssertionError(f"no {start!r} among {[w.words for w in ui.widgets if isinstance(w, Button)]}")

    def choose(self, name: str, wanted: str) -> None:
        """Tab to the choice with that name, and go on to that value."""
        for _ in range(RINGS):
            ui = self.app.screen.ui
            self.do(Command.NEXT)
            if isinstance(ui.focus, Selector) and self._name(ui.focus).startswith(name):
                for way in [Command.LEFT] * RINGS + [Command.RIGHT] * RINGS:
                    focus = self.app.screen.ui.focus
                    assert isinstance(focus, Selector)
                    if focus._line.text.startswith(wanted):
                        return
                    self.do(way)
        raise AssertionError(f"no {wanted!r} of {name!r}")

    def _name(self, choice: Widget) -> str:
        """Return the text above a control."""
        widgets = self.app.screen.ui.widgets
        before = widgets[widgets.index(choice) - 1]
        return before.words if isinstance(before, Label) else ""

    # The table

    @property
    def top(self) -> Tabletop[Any]:
        screen = self.app.screen
        assert isinstance(screen, TableScreen)
        return screen.top

    def reach(self, pane: Pane, widget: Widget) -> bool:
        """Panel by panel, control by control; False where it is gone before."""
        reach = self.top.reach
        if reach.pane is not pane:
            for _ in range(RINGS):
                self.do(Command.PANELS)
                if reach.pane is pane:
                    break
        for _ in range(RINGS):
            if reach.focus is widget:
                assert widget.marked
                return True
            if reach.pane is not pane:
                return False
            self.do(Command.NEXT)
        raise AssertionError(f"{widget} cannot be reached")

    def use(self, pane: Pane, widget: Widget) -> bool:
        """Press a control, or count it up or down."""
        if not self.reach(pane, widget):
            return False
        if isinstance(widget, Stepper):
            for _ in range(self.chance.randint(1, 3)):
                self.do(self.chance.choice((Command.MORE, Command.MORE, Command.FEWER)))
        else:
            self.do(Command.PRESS)
        return True

    def go(self, space: Space) -> bool:
        """Bring the cursor there: by its name, or with arrows where it is near."""
        cursor = self.top.cursor
        self.do(Command.FIND)
        for letter in BOARD.names[space].split()[-1].lower():
            self.key(ord(letter))
            if cursor.space == space:
                return True
        for _ in range(len(BOARD.names)):
            self.do(Command.NEXT_PIECE)
            if cursor.space == space:
                return True
        return False

    def strike(self, space: Space) -> None:
        """Press a space, or pick by its number what is there."""
        assert self.go(space), BOARD.names[space]
        self.struck.add(space)
        things = self.top.cursor.things
        if things and self.chance.random() < 0.4:
            self.key(key.KEY_1 + self.chance.randrange(len(things)))
        else:
            self.do(Command.PRESS)

    def free(self) -> None:
        """Let no control have the keyboard, so that keys mean what they mean at the table."""
        if self.top.reach.pane is not None:
            self.do(Command.BACK)

    # Decisions

    def offered(self) -> list[tuple[Pane, Widget]]:
        """Controls of what is being decided."""
        panes: list[Pane] = [self.top.tasks.bar, *([self.top.sheet] if self.top.sheet is not None else [])]
        return [(pane, widget) for pane in panes for widget in pane.ui.ring]

    def lit(self) -> list[Space]:
        """Spaces that the board shows as such in which something can be done."""
        task = self.top.task
        if self.top.sheet is not None:
            return []
        return sorted({*task.lit(), *(BOARD.ashore[pick.place] for pick in task.glow())})

    def decide(self, over: Callable[[], bool]) -> None:
        """Make one decision, with as many keys as needed. `over`: whether it is made."""
        self.struck.clear()
        tries = 0
        while not over():
            tries += 1
            assert tries < 40 * PATIENCE, f"stuck at {self.top.task.line()}: {[w for _, w in self.offered()]}"
            self._one(self.top.task, tries)
            calm(self.top)

    def _one(self, task: AnyTask, tries: int) -> None:
        how = self.tasks.setdefault(type(task).__name__, set())
        urgent = self._urgent(tries)
        if urgent is not None and self.use(*urgent):
            how.add("button")
        elif tries % (3 * PATIENCE) == 0:
            self.free()
            self.do(Command.STEP_BACK)
            how.add("back")
        elif tries % (2 * PATIENCE) == 0:
            for _ in range(2):
                self.key(KEYS.of(Command.END)[-1].symbol, key.MOD_CTRL)
            how.add("end")
        elif (lit := self.lit()) and self.chance.random() < 0.5:
            self.strike(self.chance.choice([s for s in lit if s not in self.struck] or lit))
            how.add("space")
        elif (offered := self.offered()) and self.chance.random() < 0.8:
            self.use(*self.chance.choice(offered))
            how.add("control")
        else:
            self.free()
            self.do(self.chance.choice((Command.CONFIRM, Command.CONFIRM, Command.NEXT_PIECE, Command.YES, Command.NO)))
            how.add("key")

    def _urgent(self, tries: int) -> tuple[Pane, Widget] | None:
        """After a while the button that goes on, or one that ends it."""
        if tries % PATIENCE:
            return None
        buttons = [(pane, w) for pane, w in self.offered() if isinstance(w, Button)]
        first = [(pane, w) for pane, w in buttons if w.kind in ("primary", "danger")]
        found = first or buttons
        return self.chance.choice(found) if found else None

    def play(self) -> None:
        """A whole match, from the first decision to the end."""
        match = self.app.remote.match
        assert match is not None

        def asked() -> bool:
            screen = self.app.screen
            if not isinstance(screen, TableScreen):
                return match.finished
            calm(screen.top)
            return match.finished or (match.is_mine and not screen.top.events.busy)

        while True:
            until(self.app, asked, 60)
            if match.finished:
                return
            version = match.version
            self.decide(lambda version=version: match.pending or match.version > version or not match.is_mine)  # type: ignore[misc]
            until(self.app, lambda: not match.pending, 60)
