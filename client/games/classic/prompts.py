"""What is owed in Classic, in words. Pure."""

from __future__ import annotations

from client.games.conquest.position import Table
from client.games.conquest.prompts import placing
from client.games.conquest.prompts import prompt as common
from client.table.prompts import OPEN, Prompt
from client.table.words import Who
from shared.board import BOARD
from shared.kernel.frames import Frame
from shared.rulesets.classic import frames as f


def prompt(_table: Table, frame: Frame, who: Who) -> Prompt | None:
    """What is owed at a frame."""
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
            how = f"{BOARD.names[space]}: fight another round, or retreat."
            return Prompt(seat, "Fight on?", how, OPEN)
        case f.Withdrawal(seat=seat, space=space):
            how = "Your leaders are alone on the field: lead them away."
            return Prompt(seat, f"Leave {BOARD.names[space]}", how, OPEN)
        case f.Sinking(seat=seat, hits=hits):
            what = f"{hits} {'galley sinks' if hits == 1 else 'galleys sink'}"
            return Prompt(seat, what, "Choose which of your galleys go down.")
        case f.Placement(seat=seat):
            left = (frame.galleys, frame.cities, frame.fortifications, frame.roads)
            return placing(seat, left, "You may bargain for captured generals now.")
        case _:
            return common(frame)
