"""Text table in a sheet over the board: the same lines and commands as in a terminal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.fields import TextField
from client.drawing.widgets import Label
from client.keyboard.commands import Command, KeyContext
from client.keyboard.keys import KEYS
from client.language import _
from client.table.chronicle import ChronicleLine
from client.table.pane import CARD, Plates, seat_disc
from client.table.position import T
from client.table.sheet import Sheet, closes
from client.table.tabletop import Tabletop
from client.table.task import AnyTask
from client.text_client.table import ClientMatch, TextTable
from shared.kernel.frames import Action
from shared.refusal import Refusal
from shared.tables import MAX_TEXT

_KEPT: Final = 400
_PAD: Final = 14.0
_HEAD: Final = 38.0
_FIELD: Final = 36.0
_PAGE: Final = 10
_BACK: Final[Mapping[Command | None, int]] = {
    Command.PAGE_UP: _PAGE, Command.PAGE_DOWN: -_PAGE, Command.UP: 1, Command.DOWN: -1,
}  # fmt: skip
"""Number of lines that keys scroll back while the player types."""


class CommandLine(TextField):
    """Field for commands; keys without a meaning in a field `look_back` by that many lines."""

    def __init__(self, rect: Rect, value: str, done: Callable[[], object], look_back: Callable[[int], object]) -> None:
        super().__init__(rect, value, hint=_("help, look, options, a number …"), limit=MAX_TEXT, done=done)
        self._look_back = look_back

    def on_key(self, symbol: int, modifiers: int) -> bool:
        by = _BACK.get(KEYS.command(symbol, modifiers, KeyContext.CONTROLS), 0)
        if by:
            self._look_back(by)
        return bool(by) or super().on_key(symbol, modifiers)


class WordsSheet(Sheet[T], Generic[T]):
    """Sheet with the text table. While a battle is still being shown, the sheet does not reveal its end."""

    caption = _("Words")
    key = Command.WORDS
    about = _("The table as text")
    foremost = True
    lasting = True

    def __init__(self, match: ClientMatch, top: Tabletop[T]) -> None:
        super().__init__(top.desk)
        self._top = top
        self.words = TextTable(match, top.callbacks.say, self._act)
        self.lines: list[ChronicleLine] = []
        self._last: ChronicleLine | None = None
        """Last line that was taken over from the chronicle."""
        self._back = 0
        self.field: CommandLine | None = None
        self._fresh = True
        """Whether it was just opened: then the field gets the focus."""

    def _act(self, action: Action) -> Refusal | None:
        """Send an action as the board does; the table itself shows a refusal."""
        self.desk.act(action)
        return None

    # New lines

    def _add(self, lines: Sequence[ChronicleLine]) -> None:
        if lines:
            self.lines = [*self.lines, *lines][-_KEPT:]
            # Lines that are being read stay where they are.
            self._back += len(lines) if self._back else 0
            self.touch()

    def catch_up(self) -> None:
        """Add new lines: of the chronicle as far as it is shown, and the awaited decision."""
        told = self._top.chronicle.lines
        # By identity, from the end: equal lines come again, and the chronicle drops its oldest ones.
        new = next((told[i + 1 :] for i in range(len(told) - 1, -1, -1) if told[i] is self._last), told)
        self._last = told[-1] if told else None
        self.words.note([line.words for line in new])
        self._add(new)
        if not self._top.events.busy:
            self._add([ChronicleLine(words, loud=True) for words in self.words.announce()])

    def _done(self) -> None:
        assert self.field is not None
        typed = self.field.value.strip()
        self.field.value, self._back = "", 0
        if typed:
            self._top.events.hurry()  # Answers are about the present position.
            self._add([ChronicleLine(f"» {typed}", said=True), *map(ChronicleLine, self.words.read(typed))])
            self.catch_up()

    def look_back(self, by: int) -> None:
        """Show earlier lines, or (negative) later ones."""
        self._back = min(max(0, len(self.lines) - 3), max(0, self._back + by))
        self.touch()

    # Implementation of the sheet

    yields = True

    def stays(self) -> bool:
        return True

    def size(self) -> tuple[float, float]:
        return 760.0, 620.0

    def show(self, task: AnyTask) -> None:
        self.task = task
        self.catch_up()
        if self._fresh:
            self._fresh = False
            self.ui.set_focus(self.field)
        self.touch()

    def put_away(self) -> None:
        self.ui.set_focus(None)
        self._fresh, self._back = True, 0

    def update(self, seconds: float) -> None:
        self.catch_up()
        super().update(seconds)

    def build(self) -> None:
        value = self.field.value if self.field is not None else ""
        pad, rect = theme.px(_PAD), self.rect
        y = rect.top - theme.px(_HEAD / 2)
        self.ui.add(Label(self.about, rect.left + pad, y, title=True, size=theme.LARGE, colour=theme.GOLD))
        self.ui.add(Label(closes(self), rect.right - pad, y, size=theme.SMALL, colour=theme.PARCHMENT, align="right"))
        line = arcade.LBWH(rect.left + pad, rect.bottom + pad, rect.width - 2 * pad, theme.px(_FIELD))
        self.field = CommandLine(line, value, self._done, self.look_back)
        self.ui.add(self.field)

    @property
    def inside(self) -> Rect:
        """Rectangle of the lines."""
        pad, rect = theme.px(_PAD), self.rect
        return arcade.LRBT(
            rect.left + pad, rect.right - pad, rect.bottom + pad + theme.px(_FIELD + 8), rect.top - theme.px(_HEAD)
        )

    def plates(self) -> Plates:
        return [*super().plates(), (self.inside, CARD)]

    def paint(self) -> None:
        inside, pad = self.inside, theme.px(8)
        y = inside.bottom + pad
        for line in reversed(self.lines[: len(self.lines) - self._back]):
            label = self._label(line, inside.width - theme.px(46))
            if y + label.content_height > inside.top - pad:
                break
            label.position = round(inside.left + theme.px(32)), round(y)
            label.draw()
            seat_disc(line.seat, inside.left + theme.px(17), y + label.content_height - theme.px(9), theme.px(16))
            y += label.content_height + theme.px(4)

    @staticmethod
    def _label(line: ChronicleLine, width: float) -> arcade.Text:
        colour = theme.LAPIS if line.said else theme.TERRACOTTA_DEEP if line.loud else theme.INK
        return shapes.kept(line.words, size=theme.BODY, colour=colour, bold=line.loud, anchor_y="bottom", width=width)

    def mouse_scroll(self, x: float, y: float, steps: float) -> bool:
        if not self.holds(x, y):
            return False
        self.look_back(round(steps * 2))
        return True
