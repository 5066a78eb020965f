"""Classic in words: what is asked for, and what happens only there."""

from __future__ import annotations

from client.games.conquest.position import Table
from client.table.guide import Who
from client.table.prompts import Prompt, placing
from shared.board import BOARD
from shared.kernel.frames import Event, Frame
from shared.rulesets.classic import frames as f
from shared.rulesets.classic.events import InflationTriggered, Refunded


def prompt(_table: Table, frame: Frame, who: Who) -> Prompt | None:
    """What is owed at a frame that not every game has in the same words."""
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
        case f.Sinking(seat=seat, hits=hits):
            what = f"{hits} {'galley sinks' if hits == 1 else 'galleys sink'}"
            return Prompt(seat, what, "Choose which of your galleys go down.")
        case f.Placement(seat=seat):
            left = (frame.galleys, frame.cities, frame.fortifications, frame.roads)
            return placing(seat, left, "You may bargain for captured generals now.")
        case _:
            return None


def tell(event: Event, who: Who) -> str:
    """The sentence for an event that only Classic has, or has in words of its own."""
    match event:
        case Refunded(seat=seat, talents=talents):
            return f"{who(seat)} gets {talents} talents back for what found no place."
        case InflationTriggered(seat=seat, level=level):
            factor = "double" if level == 1 else "triple"
            return f"{who(seat)}'s wealth drives prices up: from the same turn of the next round all costs {factor}."
    return ""
