"""Which of the controls around the board has the keyboard, and how one goes from control to control."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.drawing.widgets import Widget
from client.table.pane import Pane


class KeyboardFocus:
    """See the module's docstring. `pane`: the part of the table that has it, or None; what is marked there is the focus
    of its `ui`."""

    def __init__(self, panes: Callable[[], Sequence[Pane]]) -> None:
        """`panes`: all parts of the table that have controls, in the order in which one goes through them."""
        self._panes = panes
        self.pane: Pane | None = None

    @property
    def focus(self) -> Widget | None:
        """The control that has the keyboard."""
        return self.pane.ui.focus if self.pane is not None else None

    def leave(self) -> None:
        """Let the board have it."""
        if self.pane is not None:
            self.pane.ui.set_focus(None)
            self.pane.touch()
        self.pane = None

    def enter(self, pane: Pane, place: int = 0) -> bool:
        """Go to a control of a part of the table; False where it has none."""
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
        """The next control, or (-1) the one before; beyond the last one that of the next part."""
        pane = self.pane
        if pane is not None and pane.ui.focus in (ring := pane.ui.ring):
            place = ring.index(pane.ui.focus) + by
            if 0 <= place < len(ring):
                return self.enter(pane, place)
        return self.turn(by) or self._first(by)

    def turn(self, by: int) -> bool:
        """The next part of the table, or the one before; False beyond the last one, where the board has its turn."""
        panes = [pane for pane in self._panes() if pane.ui.ring]
        at = panes.index(self.pane) + by if self.pane in panes else 0 if by > 0 else len(panes) - 1
        if 0 <= at < len(panes):
            return self.enter(panes[at], 0 if by > 0 else -1)
        return False

    def _first(self, by: int) -> bool:
        """Round again."""
        self.leave()
        return self.turn(by)
