"""Words for the decision owed now, a title and a sentence: whose decision it is, and what can be done. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from client.language import Who, _, ngettext
from client.table.position import T
from client.table.words import and_words
from shared.ids import NATURE, NONE, Seat
from shared.kernel.frames import Dice, Draw, Frame

OPEN: Final = _("The provinces that are open to you are lit.")
"""Explanation of how a way out of a battle is found on the board."""


class Prompt(Struct, frozen=True):
    """The decision owed.

    `seat` owes it (NONE: no decision is owed; NATURE: chance). `what`: the decision. `how`: an instruction for its
    owner; `hand`: how that is done on the board, for players who see it.
    """

    seat: Seat
    what: str
    how: str
    hand: str = ""

    @property
    def full(self) -> str:
        """Both instructions, as shown beside the board."""
        return f"{self.how} {self.hand}".strip()


def others_turn(prompt: Prompt, seat: Seat, playing: bool, who: Who) -> str:
    """Return the words to show while others decide. `playing`: whether this seat is still in the match."""
    if prompt.seat < 0 or prompt.seat == seat:
        return ""
    return _("{who} decides.", who=who(prompt.seat)) + ("" if playing else _(" You are looking on."))


def asked(table: T, who: Who, winners: Sequence[Seat], prompt: Callable[[T, Frame, Who], Prompt | None]) -> Prompt:
    """Return the decision owed now. `winners`: seats that have won, once the match is decided; `prompt`: the game's
    words for a frame."""
    if table.winner != NONE:
        best = [who(seat) for seat in winners]
        said = ngettext("{who} has won", "{who} have won", len(best), who=and_words(best))
        return Prompt(NONE, said, _("The game is over."))
    match table.frames[-1]:
        case Dice():
            return Prompt(NATURE, _("The dice are rolling"), "")
        case Draw():
            return Prompt(NATURE, _("Lots are drawn"), "")
        case frame:
            return prompt(table, frame, who) or Prompt(NONE, _("A moment …"), "")
