"""Draft of a choice among pieces."""

from __future__ import annotations

from msgspec import Struct


class Tally(Struct):
    """Choice among pieces: captives to kill, or galleys to sink."""

    pieces: tuple[int, ...]
    chosen: tuple[int, ...] = ()

    def toggle(self, piece: int, most: int = 99) -> None:
        """Choose a piece or drop it. Beyond `most` pieces, the earliest choice is dropped."""
        if piece in self.chosen:
            self.chosen = tuple(x for x in self.chosen if x != piece)
        elif piece in self.pieces:
            self.chosen = (*self.chosen, piece)[-most:] if most else ()
