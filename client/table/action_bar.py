"""Action bar below the board: the current task with its pieces and buttons."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import theme
from client.drawing.widgets import Button, ButtonKind, Label, Widget
from client.table.pane import CARD, Figure, Pane, Plates, Stepper

HEIGHT: Final = 138.0
_BUTTONS: Final = 208.0
_PAD: Final = 8.0
_LINE: Final = 26.0
_LINES: Final = 42.0
"""Height of the line of words: usually, and at most where it is wrapped."""
_SIZES: Final = (theme.BODY, theme.SMALL + 0.5, theme.SMALL - 0.5)
"""Font sizes of notes that stand in place of pieces, the preferred one first."""


class BarButton(Struct, frozen=True):
    """A button: its words and its action."""

    words: str
    action: Callable[[], object]
    kind: ButtonKind = "plain"
    tip: str = ""
    enabled: bool = True


class Filling(Protocol):
    """Content of the action bar; a `Task` is one."""

    def line(self) -> str:
        """Return the line of words at the top."""

    def build(self, action_bar: "ActionBar") -> None:
        """Add pieces and options to the bar."""

    def buttons(self) -> Sequence[BarButton]:
        """Return the column of buttons."""


class ActionBar(Pane):
    """Pane below the board that shows the current task with its pieces and buttons."""

    def __init__(self) -> None:
        super().__init__()
        self.task: Filling | None = None
        self._x = 0.0
        self._row = 0
        self._head = 0.0
        self._options: list[Widget] = []

    @property
    def _inside(self) -> Rect:
        pad = theme.px(_PAD)
        return arcade.LRBT(self.rect.left + pad, self.rect.right - pad, self.rect.bottom + pad, self.rect.top - pad)

    @property
    def content(self) -> Rect:
        """Area for pieces and options, below the line of words."""
        inside = self._inside
        return arcade.LRBT(
            inside.left + theme.px(12),
            inside.right - theme.px(_BUTTONS + 14),
            inside.bottom + theme.px(6),
            inside.top - self._head - theme.px(6),
        )

    def plates(self) -> Plates:
        return [*super().plates(), (self._inside, CARD)]

    def build(self) -> None:
        if self.task is None:
            return
        self._x, self._row, self._options = self.content.left, 0, []
        self._say(self.task.line())
        self.task.build(self)
        self._buttons(self.task.buttons())

    def _say(self, words: str) -> None:
        """Add the line of words; a long one takes two lines and leaves less height below it."""
        inside = self._inside
        line = Label(words, self.content.left, inside.top, size=theme.LARGE - 1, colour=theme.TERRACOTTA_DEEP,
                     limit=inside.width - theme.px(_BUTTONS + 32), height=theme.px(_LINES))  # fmt: skip
        self._head = max(theme.px(_LINE), line.rect.height if line.line.multiline else 0.0)
        line.move(self.content.left, inside.top - self._head / 2 - theme.px(5))
        self.ui.add(line)

    def _buttons(self, choices: Sequence[BarButton]) -> None:
        """Add the column of buttons at the right, the most important one on top."""
        inside = self._inside
        # At least two: a single button would otherwise be as high as the whole bar.
        gap, count = theme.px(6), max(2, len(choices))
        height = min(theme.px(40), (inside.height - theme.px(14) - gap * (count - 1)) / count)
        top = inside.top - theme.px(7)
        for choice in choices:
            rect = arcade.LBWH(inside.right - theme.px(_BUTTONS + 7), top - height, theme.px(_BUTTONS), height)
            self.ui.add(_button(rect, choice))
            top -= height + gap

    def number(self, index: int, fewer: bool) -> bool:
        """Handle a number key like a click on the piece or option with that index. With `fewer`, click its minus.
        Return False if there is none or it is disabled."""
        things = [w for w in self.ui.widgets if isinstance(w, Figure | Stepper) or w in self._options]
        if index >= len(things) or not things[index].enabled:
            return False
        thing = things[index]
        if isinstance(thing, Stepper):
            thing.step(-1 if fewer else 1)
        else:
            thing.on_click()
        return True

    # For tasks: put pieces and options side by side

    def gap(self, width: float = 14) -> None:
        """Leave a gap of `width` design pixels."""
        self._x += theme.px(width)

    def note(self, words: str, width: float = 0) -> None:
        """Add words in place of pieces; `width` in design pixels (0: all that is left)."""
        content = self.content
        room = theme.px(width) if width else content.right - self._x
        self.ui.add(self._note(words, room, content.height - theme.px(2)))
        self._x += room + theme.px(10)

    def _note(self, words: str, room: float, height: float) -> Label:
        """Make a label in the largest font size that fits; the usual size nearly always does."""
        top = self.content.top - theme.px(2)
        for size in _SIZES:
            label = Label(words, self._x, top, anchor_y="top", width=room, size=size, colour=theme.INK_SOFT)
            if label.rect.height <= height:
                break
        return label

    def figure(
        self, picture: str, caption: str, on: bool, action: Callable[[], object], *, tip: str = "", width: float = 58,
        enabled: bool = True,
    ) -> None:  # fmt: skip
        """Add a piece that can be chosen or not."""
        rect = self._cell(width)
        self.ui.add(Figure(rect, picture, caption, on, action, tip=tip, enabled=enabled))

    def stepper(
        self, picture: str, count: int, caption: str, step: Callable[[int], object], *, more: bool = True,
        less: bool | None = None, left: int | None = None,
        tip: str = "", width: float = 84,
    ) -> None:  # fmt: skip
        """Add a number of pieces, see `Stepper`."""
        self.ui.add(Stepper(self._cell(width), picture, count, caption, step, more=more, less=less, left=left, tip=tip))

    def option(self, choice: BarButton, width: float = 220) -> None:
        """Add a button among the pieces; two of them lie above each other."""
        content = self.content
        height = (content.height - theme.px(6)) / 2
        rect = arcade.LBWH(self._x, content.top - height - self._row * (height + theme.px(6)), theme.px(width), height)
        self._options.append(self.ui.add(_button(rect, choice)))
        self._row = 1 - self._row
        if self._row == 0:
            self._x += theme.px(width + 8)

    def room_for(self, count: int, width: float) -> float:
        """Return the width (design pixels) at which `count` items of at most `width` fit side by side."""
        left = (self.content.right - self._x) / theme.px(1)
        return min(width, left / max(1, count) - 6)

    def _cell(self, width: float) -> Rect:
        content = self.content
        rect = arcade.LBWH(self._x, content.bottom, theme.px(width), content.height)
        self._x += theme.px(width + 6)
        return rect


def _button(rect: Rect, choice: BarButton) -> Button:
    return Button(
        rect, choice.words, choice.action, kind=choice.kind, tip=choice.tip, size=theme.BODY, enabled=choice.enabled
    )
