"""Chapter of the short rules about the odds of battles, for every game."""

from __future__ import annotations

from client.drawing.chapters import Chapter
from client.language import _


def about_odds(policy: str) -> Chapter:
    """Return the chapter; `policy`: how both sides are assumed to play."""
    return Chapter(
        _("The odds of a battle"),
        _(
            "While you put an attack together, the board shows in its upper right corner who would win, what would "
            "be left and what it would cost; during a battle a bar shows how it stands, the paler the less the "
            "victor has left. The button above the board opens a calculator at any time, in which all "
            "numbers can be changed.\n"
        )
        + policy,
    )
