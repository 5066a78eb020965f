"""Layer of the board between its ground and its pieces, painted by a game."""

from __future__ import annotations

from typing import Protocol

from client.table.position import T_contra


class Layer(Protocol[T_contra]):
    """Layer in world coordinates that is rebuilt only when the position requires it."""

    def show(self, table: T_contra) -> None:
        """Show this position."""

    def draw(self) -> None:
        """Draw it; the projection is already the world's."""
