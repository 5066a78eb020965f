"""What is owed now, in a title and a sentence: whose decision it is, and what can be done. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from shared.board import BOARD
from shared.ids import NATURE, NONE, Seat
from shared.kernel.frames import Dice, Draw, Frame
from shared.rulesets.classic import frames as f
from shared.rulesets.classic.state import Table, living

Who = Callable[[Seat], str]

PHASES: Final = ("Movement", "Combat", "Tribute", "Cities", "Purchase", "Placement")
_PHASE_OF_STEP: Final = (0, 0, 1, 1, 2, 3, 4, 5)
"""The phase (0 to 5) by `Turn.step`, which counts the step to come."""


class Prompt(Struct, frozen=True):
    """`seat` owes it (NONE: nobody, or chance). `what`: the decision. `how`: what to do about it, for its owner."""

    seat: Seat
    what: str
    how: str


def phase(table: Table) -> int:
    """The phase of the present turn, 0 to 5; -1 before the first turn and after the end."""
    turn = table.frames[0] if table.frames else None
    if table.winner != NONE or not isinstance(turn, f.Turn):
        return -1
    return _PHASE_OF_STEP[max(0, min(turn.step - 1, len(_PHASE_OF_STEP) - 1))]


def active(table: Table) -> Seat:
    """Whose turn it is; NONE before the first."""
    turn = table.frames[0] if table.frames else None
    return turn.seat if isinstance(turn, f.Turn) else NONE


def prompt(table: Table, who: Who) -> Prompt:
    """What is owed now."""
    if table.winner != NONE:
        return Prompt(NONE, f"{who(table.winner)} has won", "The game is over.")
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
        case f.Placement():
            return _placement(frame)
        case f.Bargain(seat=seat):
            return Prompt(seat, "A bargain", "Accept it or decline it.")
        case _:
            return _in_battle(table, frame, who)


def _in_battle(table: Table, frame: Frame, who: Who) -> Prompt:
    match frame:
        case f.Combat(seat=seat, pending=pending):
            if pending:
                how = "Your legions met the enemy. Choose which battle to fight next."
                return Prompt(seat, "Choose a battle", how)
            return Prompt(seat, "Attack at sea?", "Your galleys may attack others in the same waters, or let them be.")
        case f.Formation(seat=seat, space=space, size=size):
            how = f"{BOARD.names[space]}: choose the {size} units that fight this round; the others wait in reserve."
            return Prompt(seat, "Battle legion", how)
        case f.Casualties(seat=seat, owner=owner, hits=hits):
            what = f"{hits} {'unit falls' if hits == 1 else 'units fall'}"
            if seat == owner:
                return Prompt(seat, what, "Choose your losses from the battle legion.")
            return Prompt(seat, what, f"Choose which of {who(owner)}'s fleeing units your horsemen catch.")
        case f.Onward(seat=seat, space=space):
            how = f"{BOARD.names[space]}: fight another round, or retreat to a lit province."
            return Prompt(seat, "Fight on?", how)
        case f.Withdrawal(seat=seat, space=space):
            how = "Your leaders are alone on the field: lead them to a lit province."
            return Prompt(seat, f"Leave {BOARD.names[space]}", how)
        case f.Captives(seat=seat, leaders=leaders):
            what = "A captive" if len(leaders) == 1 else f"{len(leaders)} captives"
            return Prompt(seat, what, "Captured generals: hold them for ransom, or have them killed.")
        case f.Sinking(seat=seat, hits=hits):
            what = f"{hits} {'galley sinks' if hits == 1 else 'galleys sink'}"
            return Prompt(seat, what, "Choose which of your galleys go down.")
        case _:
            return Prompt(NONE, "A moment …", "")


def _placement(frame: f.Placement) -> Prompt:
    left = [
        f"{n} {one if n == 1 else many}"
        for n, one, many in (
            (frame.galleys, "galley", "galleys"),
            (frame.cities, "city", "cities"),
            (frame.fortifications, "fortification", "fortifications"),
            (frame.roads, "road", "roads"),
        )
        if n
    ]
    if left:
        return Prompt(frame.seat, "Placement", f"Still to place: {', '.join(left)}. Click a lit site.")
    return Prompt(frame.seat, "End your turn", "You may bargain for captured generals now.")


def others_turn(table: Table, prompt: Prompt, seat: Seat, who: Who) -> str:
    """What to read while others decide."""
    if prompt.seat < 0 or prompt.seat == seat:
        return ""
    if seat not in living(table):
        return f"{who(prompt.seat)} decides. You are looking on."
    return f"{who(prompt.seat)} decides."
