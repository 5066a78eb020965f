"""A layer of the board between its ground and its pieces: what a game has painted there."""

from __future__ import annotations

from typing import Protocol

from client.table.position import T_contra


class Layer(Protocol[T_contra]):
    """Drawn in coordinates of the world, and made anew only where the position asks for it."""

    def show(self, table: T_contra) -> None:
        """Show this position."""

    def draw(self) -> None:
        """Draw it; the projection is already the world's."""
