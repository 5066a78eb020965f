"""Parts of the rules in short that both conquest games have: pictures of the pieces, titles of the tabs."""

from typing import Final, TypeAlias

from client.drawing.chapters import Chapter
from client.language import _

Chapters: TypeAlias = tuple[Chapter, ...]

PIECES: Final = (
    ("caesar_0", _("Caesar")),
    ("general_0", _("general")),
    ("infantry_0", _("infantry")),
    ("cavalry_0", _("cavalry")),
    ("catapult_0", _("catapult")),
    ("galley_0", _("galley")),
    ("city", _("city")),
    ("fortified", _("fortified")),
)
"""Pictures of the pieces and the words below them."""
SIGNS: Final = Chapter(
    _("Signs on the map"),
    "",
    rows=(
        (_("Sign"), _("Where"), _("Meaning")),
        (_("Coin with a number"), _("On every province"), _("Its tribute each turn, in talents")),
        (_("Wreath"), _("On some provinces"), _("A home with which a player may begin")),
        (_("Round mark of a colour"), _("In a province"), _("It is that player's, who has no units there")),
        (_("Number beside a piece"), _("Anywhere"), _("So many stand there")),
        (_("Small piece on a galley"), _("At sea"), _("Leaders and units aboard")),
        (_("Pale double line"), _("Between two cities"), _("A road")),
        (_("Red arrow over water"), _("Between two provinces"), _("A strait")),
    ),
)
"""Legend of the map, for the help and the page."""
_TITLES: Final = [_("The game"), _("Moving"), _("Battles"), _("Money")]


def pages(*chapters: Chapters) -> tuple[tuple[str, Chapters], ...]:
    """Return the tabs of the help: the game, moving, battles, money."""
    game, *others = chapters
    return tuple(zip(_TITLES, ((*game, SIGNS), *others), strict=True))
