"""How the program looks, as the player wishes."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

PALETTES: Final = ("", "deuteranopia", "protanopia", "tritanopia")
"""Colours of the owners: the usual ones, and those for the three kinds of colour blindness."""


class Looks(Struct, omit_defaults=True):
    """`palette`: one of PALETTES. `full`: whether the window fills the screen."""

    palette: str = PALETTES[0]
    full: bool = False

    def reset(self) -> None:
        """As at first."""
        self.palette, self.full = PALETTES[0], False
