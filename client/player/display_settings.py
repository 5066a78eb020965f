"""How the program looks, as the player wishes."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

SIZES: Final = (100, 125, 150, 175)
"""Of texts, of a hundred."""
PALETTES: Final = ("", "deuteranopia", "protanopia", "tritanopia")
"""Colours of the owners: the usual ones, and those for the three kinds of colour blindness."""


class DisplaySettings(Struct, omit_defaults=True):
    """`size`: one of SIZES. `palette`: one of PALETTES. `full`: whether the window fills the screen."""

    size: int = SIZES[0]
    palette: str = PALETTES[0]
    full: bool = False

    @property
    def share(self) -> float:
        """How much larger texts are than usual; somebody may have written anything into the file."""
        return self.size / SIZES[0] if self.size in SIZES else 1.0

    def reset(self) -> None:
        """As at first."""
        self.size, self.palette, self.full = SIZES[0], PALETTES[0], False
