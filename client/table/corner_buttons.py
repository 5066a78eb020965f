"""Buttons in the corner of the board that come and go: for matters beside the decision owed, and for taking back."""

from collections.abc import Callable

import arcade
from arcade.types import Rect

from client.drawing import theme
from client.drawing.widgets import Button, ButtonKind
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.table.pane import Pane

WIDTH = 196.0
HIGH = 38.0
_WIDEST = 380.0


class CornerButtons(Pane):
    """Pane with one button in the corner of the board."""

    def __init__(self, action: Callable[[], object], tip: str | Callable[[], str], key: Command) -> None:
        super().__init__()
        self._action = action
        self._tip = tip
        self._key = key
        self.words = ""
        self.urgent = False

    def show(self, words: str, urgent: bool) -> None:
        """Show these words; "" hides the button."""
        if (words, urgent) != (self.words, self.urgent):
            self.words, self.urgent = words, urgent
            self.rebuild()

    def over(self, board: Rect, beside: "CornerButtons | None" = None) -> None:
        """Place it in the lower left corner of the board, where it covers no name, or to the right of another that is
        there."""
        gap = theme.px(8)
        left = beside.rect.right if beside is not None and beside.words else board.left
        width = min(theme.px(_WIDEST), board.right - left - 2 * gap, Button.width(self.words, WIDTH))
        self.place(arcade.LBWH(left + gap, board.bottom + gap, max(theme.px(WIDTH), width), theme.px(HIGH)))

    def holds(self, x: float, y: float) -> bool:
        return bool(self.words) and super().holds(x, y)

    def build(self) -> None:
        if self.words:
            kind: ButtonKind = "primary" if self.urgent else "plain"
            tip = f"{self._tip} ({told(self._key)})" if isinstance(self._tip, str) else self._tip()
            self.ui.add(Button(self.rect, self.words, self._action, kind=kind, tip=tip, size=theme.BODY))

    def draw(self) -> None:
        self._stale = False
        for widget in self.ui.widgets:
            widget.draw()
