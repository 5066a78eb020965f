"""The sheets of a game, and the choice of the one over the board."""

from __future__ import annotations

from collections.abc import Sequence

from client.keyboard.commands import Command
from client.table.sheet import AnySheet


class Sheets:
    """The sheets of a game. `lying`: the sheet over the board."""

    def __init__(self, sheets: Sequence[AnySheet]) -> None:
        self.all = tuple(sheets)
        self.lying: AnySheet | None = None
        self._wanted: AnySheet | None = None
        """The sheet that opened by itself last. If the player closes it, it stays closed until another one is
        wanted."""

    def add(self, sheet: AnySheet) -> None:
        """Add a sheet."""
        self.all = (*self.all, sheet)

    def by_key(self, key: Command | None) -> AnySheet | None:
        """Return the sheet with that key."""
        return next((sheet for sheet in self.all if sheet.key is key), None)

    def open(self, sheet: AnySheet | None) -> None:
        """Lay a sheet over the board, or close the present one."""
        before, self.lying = self.lying, sheet
        if before is not None and before is not sheet:
            before.put_away()

    def follow(self, free: bool) -> bool:
        """Open and close sheets by themselves; return True if one did. `free`: whether anything may lie over the
        board."""
        if self.lying is not None and self.lying.lasting:
            return False
        wanted = next((sheet for sheet in self.all if sheet.wanted()), None) if free else None
        if wanted is self._wanted:
            return False
        mine, self._wanted = self._wanted, wanted
        if wanted is None and self.lying is not mine:
            return False
        self.open(wanted)
        return True
