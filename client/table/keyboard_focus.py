"""Keyboard focus among the controls around the board, and the moves between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.drawing.widgets import Widget
from client.table.pane import Pane


class KeyboardFocus:
    """Keyboard focus around the board. `pane`: the part of the table that has it, or None; the focus of its `ui` is
    marked there."""

    def __init__(self, panes: Callable[[], Sequence[Pane]]) -> None:
        """`panes`: returns all parts of the table with controls, in their tab order."""
        self._panes = panes
        self.pane: Pane | None = None

    @property
    def focus(self) -> Widget | None:
        """The control that has the keyboard."""
        return self.pane.ui.focus if self.pane is not None else None

    def leave(self) -> None:
        """Leave the controls, so that the board has the keyboard."""
        if self.pane is not None:
            self.pane.ui.set_focus(None)
            self.pane.touch()
        self.pane = None

    def enter(self, pane: Pane, place: int = 0) -> bool:
        """Go to a control of a part of the table; return False if it has none."""
        ring = pane.ui.ring
        if not ring:
            return False
        if self.pane is not pane:
            self.leave()
        self.pane = pane
        pane.ui.mark(ring[place])
        pane.touch()
        return True

    def step(self, by: int) -> bool:
        """Go to the next control, or (-1) to the one before; beyond the last one to the next part."""
        pane = self.pane
        if pane is not None and pane.ui.focus in (ring := pane.ui.ring):
            place = ring.index(pane.ui.focus) + by
            if 0 <= place < len(ring):
                return self.enter(pane, place)
        return self.turn(by) or self._first(by)

    def turn(self, by: int) -> bool:
        """Go to the next part of the table, or to the one before; return False beyond the last one, where the board
        follows."""
        panes = [pane for pane in self._panes() if pane.ui.ring]
        at = panes.index(self.pane) + by if self.pane in panes else 0 if by > 0 else len(panes) - 1
        if 0 <= at < len(panes):
            return self.enter(panes[at], 0 if by > 0 else -1)
        return False

    def _first(self, by: int) -> bool:
        """Start again at the first part, or at the last."""
        self.leave()
        return self.turn(by)
