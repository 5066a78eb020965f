"""Parts of the rules in short that both conquest games have: pictures of the pieces, titles of the tabs."""

from __future__ import annotations

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
_TITLES: Final = [_("The game"), _("Moving"), _("Battles"), _("Money")]


def pages(*chapters: Chapters) -> tuple[tuple[str, Chapters], ...]:
    """Return the tabs of the help: the game, moving, battles, money."""
    return tuple(zip(_TITLES, chapters, strict=True))
