"""Display settings: size of texts, colours, full screen."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

SIZES: Final = (100, 125, 150, 175)
"""Sizes of texts in percent."""
PALETTES: Final = ("", "deuteranopia", "protanopia", "tritanopia")
"""Palettes for the owners' colours: the usual one, and one for each of three kinds of colour blindness."""


class DisplaySettings(Struct, omit_defaults=True):
    """Display settings.

    `size`: one of SIZES. `palette`: one of PALETTES. `full`: whether the window fills the screen.
    """

    size: int = SIZES[0]
    palette: str = PALETTES[0]
    full: bool = False

    @property
    def share(self) -> float:
        """Factor by which texts are larger than usual; 1 if the file has an invalid size."""
        return self.size / SIZES[0] if self.size in SIZES else 1.0

    def reset(self) -> None:
        """Restore the defaults."""
        self.size, self.palette, self.full = SIZES[0], PALETTES[0], False
