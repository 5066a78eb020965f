"""A draft of a verdict: some of a number of pieces."""

from __future__ import annotations

from msgspec import Struct


class Tally(Struct):
    """Some of a number of pieces: captives who die, galleys that sink."""

    pieces: tuple[int, ...]
    chosen: tuple[int, ...] = ()

    def toggle(self, piece: int, most: int = 99) -> None:
        """Choose a piece or not; the one chosen longest makes room where only `most` may be chosen."""
        if piece in self.chosen:
            self.chosen = tuple(x for x in self.chosen if x != piece)
        elif piece in self.pieces:
            self.chosen = (*self.chosen, piece)[-most:] if most else ()
