"""What is owed now, in a title and a sentence: whose decision it is, and what can be done. Pure."""

from __future__ import annotations

from msgspec import Struct

from client.table.words import Who
from shared.ids import Seat


class Prompt(Struct, frozen=True):
    """`seat` owes it (NONE: nobody, or chance). `what`: the decision. `how`: what to do about it, for its owner."""

    seat: Seat
    what: str
    how: str


def others_turn(prompt: Prompt, seat: Seat, playing: bool, who: Who) -> str:
    """What to read while others decide. `playing`: whether this seat is still in the match."""
    if prompt.seat < 0 or prompt.seat == seat:
        return ""
    return f"{who(prompt.seat)} decides." + ("" if playing else " You are looking on.")
