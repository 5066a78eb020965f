"""Table of the kinds of cards, by how long a card stays."""

from typing import Final

from msgspec import Struct

from client.drawing import theme
from client.drawing.theme import Colour
from client.language import _
from shared.rulesets.cote2.data import ByKind


class CardKind(Struct, frozen=True):
    """Kind of card: its name, the colour of its cards, its meaning in a sentence, and what becomes of a card taken."""

    name: str
    colour: Colour
    means: str
    becomes: str


KINDS: Final = ByKind(
    multi_use=CardKind(
        _("Multi-use"), theme.LAPIS, _("Stays with you. Once a season, in your turn; that costs no action."),
        _("yours, to be used once a season"),
    ),
    senator=CardKind(
        _("Senator"), (104, 52, 116, 255), _(
            "Kept hidden until it is shown in a senate vote."), _("comes into your hand")
    ),
    diplomacy=CardKind(
        _("Diplomacy"), theme.OLIVE, _("Works by itself, and goes back to the open cards when the season ends."),
        _("yours for this season"),
    ),
    immediate=CardKind(
        _("Immediate"), theme.TERRACOTTA_DEEP, _("Happens at once when you take it; then it is out of the game."),
        _("used at once"),
    ),
    lasting=CardKind(
        _("Lasting"), theme.BRONZE_DEEP, _("Works by itself for the rest of the match."), _("yours for good")
    ),
)  # fmt: skip
