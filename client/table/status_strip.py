"""Status strip between board and action bar: facts that a game always shows, and the buttons of its sheets."""

from collections.abc import Callable, Sequence
from typing import Generic

from client.language import Who
from client.table.pane import Pane
from client.table.position import T_contra
from client.table.sheet import AnySheet

HEIGHT = 38.0


class StatusStrip(Pane, Generic[T_contra]):
    """Pane of the strip, painted by subclasses. `toggle` opens or closes a sheet."""

    def __init__(self, sheets: Sequence[AnySheet], toggle: Callable[[AnySheet], object]) -> None:
        super().__init__()
        self.sheets = sheets
        self.toggle = toggle
        self.opened: AnySheet | None = None
        self._facts: object = None

    def show(self, table: T_contra, who: Who, opened: AnySheet | None) -> None:
        """Show this position; `opened`: the sheet that lies over the board."""
        facts = self.read(table, who), opened
        if facts != self._facts:
            self._facts, self.opened = facts, opened
            self.rebuild()

    def read(self, table: T_contra, who: Who) -> object:
        """Keep the facts to show, and return them; an equal result means that nothing must be painted anew."""
        raise NotImplementedError
