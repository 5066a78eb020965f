"""What is owed now, in a title and a sentence: whose decision it is, and what can be done. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from client.games.conquest.position import Table, winners
from client.table.guide import Guide, Who
from shared.ids import NATURE, NONE, Seat
from shared.kernel.frames import Dice, Draw, Frame
from shared.vocabulary import frames as f


class Prompt(Struct, frozen=True):
    """`seat` owes it (NONE: nobody, or chance). `what`: the decision. `how`: what to do about it, for its owner."""

    seat: Seat
    what: str
    how: str


def prompt(table: Table, who: Who, guide: Guide) -> Prompt:
    """What is owed now."""
    if table.winner != NONE:
        best = [who(seat) for seat in winners(table)]
        return Prompt(NONE, f"{' and '.join(best)} {'has' if len(best) == 1 else 'have'} won", "The game is over.")
    frame: Frame = table.frames[-1]
    match frame:
        case Dice():
            return Prompt(NATURE, "The dice are rolling", "")
        case Draw():
            return Prompt(NATURE, "Lots are drawn", "")
        case f.HomeChoice(seat=seat):
            return Prompt(seat, "Choose a home", "Click one of the lit provinces: there your empire begins.")
        case f.Movement(seat=seat):
            how = "Click a province with a leader, or a galley, then a lit target. Tab finds who can still move."
            return Prompt(seat, "Movement", how)
        case f.Destruction(seat=seat):
            return Prompt(seat, "Destroy cities?", "A razed city pays tribute to nobody.")
        case f.Purchase(seat=seat):
            return Prompt(seat, "Purchase", "Fill your order below; new units appear in your home.")
        case f.Captives(seat=seat, leaders=leaders):
            what = "A captive" if len(leaders) == 1 else f"{len(leaders)} captives"
            return Prompt(seat, what, "Captured generals: hold them for ransom, or have them killed.")
        case f.Bargain(seat=seat):
            return Prompt(seat, "A bargain", "Accept it or decline it.")
        case _:
            return guide.prompt(table, frame, who) or Prompt(NONE, "A moment …", "")


def placing(seat: Seat, left: Sequence[int], idle: str) -> Prompt:
    """What a placement asks for. `left`: galleys, cities, walls, roads; `idle`: what to do once nothing is left."""
    names = (("galley", "galleys"), ("city", "cities"), ("fortification", "fortifications"), ("road", "roads"))
    parts = [f"{n} {names[k][n != 1]}" for k, n in enumerate(left) if n]
    if parts:
        return Prompt(seat, "Placement", f"Still to place: {', '.join(parts)}. Click a lit site.")
    return Prompt(seat, "End your turn", idle)


def others_turn(prompt: Prompt, seat: Seat, playing: bool, who: Who) -> str:
    """What to read while others decide. `playing`: whether this seat is still in the match."""
    if prompt.seat < 0 or prompt.seat == seat:
        return ""
    return f"{who(prompt.seat)} decides." + ("" if playing else " You are looking on.")
