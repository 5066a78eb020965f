"""How long cards stay, as a person meets it, in one table."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from client.drawing import theme
from client.drawing.theme import Colour
from shared.rulesets.cote2.data import ByKind


class Kind(Struct, frozen=True):
    """Its name and the colour of its cards; what it means, in a sentence; what becomes of a card that one takes."""

    name: str
    colour: Colour
    means: str
    becomes: str


KINDS: Final = ByKind(
    multi_use=Kind(
        "Multi-use", theme.LAPIS, "Stays with you. Once a season, in your turn; that costs no action.",
        "yours, to be used once a season",
    ),
    senator=Kind(
        "Senator", (104, 52, 116, 255), "Kept hidden until it is shown in a senate vote.", "comes into your hand"
    ),
    diplomacy=Kind(
        "Diplomacy", theme.OLIVE, "Works by itself, and goes back to the open cards when the season ends.",
        "yours for this season",
    ),
    immediate=Kind(
        "Immediate", theme.TERRACOTTA_DEEP, "Happens at once when you take it; then it is out of the game.",
        "used at once",
    ),
    lasting=Kind(
        "Lasting", theme.BRONZE_DEEP, "Works by itself for the rest of the match.", "yours for good"
    ),
)  # fmt: skip
