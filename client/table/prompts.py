"""What is owed now, in a title and a sentence: whose decision it is, and what can be done. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from client.language import _, ngettext
from client.table.position import T
from client.table.words import Who, and_words
from shared.ids import NATURE, NONE, Seat
from shared.kernel.frames import Dice, Draw, Frame

OPEN: Final = _("The provinces that are open to you are lit.")
"""How a way out of a battle is found on the board."""


class Prompt(Struct, frozen=True):
    """`seat` owes it (NONE: nobody, or chance). `what`: the decision. `how`: what to do about it, for its owner;
    `hand`: how that is done on the board, for those who see it."""

    seat: Seat
    what: str
    how: str
    hand: str = ""

    @property
    def full(self) -> str:
        """Both, as one reads it beside the board."""
        return f"{self.how} {self.hand}".strip()


def others_turn(prompt: Prompt, seat: Seat, playing: bool, who: Who) -> str:
    """What to read while others decide. `playing`: whether this seat is still in the match."""
    if prompt.seat < 0 or prompt.seat == seat:
        return ""
    return _("{who} decides.", who=who(prompt.seat)) + ("" if playing else _(" You are looking on."))


def asked(table: T, who: Who, winners: Sequence[Seat], prompt: Callable[[T, Frame, Who], Prompt | None]) -> Prompt:
    """What is owed now. `winners`: who has won, once somebody has; `prompt`: what the game asks at a frame."""
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
