"""Prompts for the decisions of Classic. Pure."""

from __future__ import annotations

from client.games.conquest.prompts import placing
from client.games.conquest.prompts import prompt as common
from client.language import Who, _, ngettext
from client.table.prompts import OPEN, Prompt
from shared.board import BOARD
from shared.kernel.frames import Frame
from shared.rulesets.classic import frames as f
from shared.rulesets.conquest.table import Table
from shared.vocabulary.frames import Onward


def prompt(_table: Table, frame: Frame, who: Who) -> Prompt | None:
    """Return the prompt for a frame."""
    match frame:
        case f.Combat(seat=seat, pending=pending):
            if pending:
                how = _("Your legions met the enemy. Choose which battle to fight next.")
                return Prompt(seat, _("Choose a battle"), how)
            return Prompt(
                seat, _("Attack at sea?"), _("Your galleys may attack others in the same waters, or let them be.")
            )
        case f.Formation(seat=seat, space=space, size=size):
            how = _(
                "{place}: choose the {size} units that fight this round; the others wait in reserve.",
                place=BOARD.names[space],
                size=size,
            )
            return Prompt(seat, _("Battle legion"), how)
        case f.Casualties(seat=seat, owner=owner, hits=hits):
            what = ngettext("{n} unit falls", "{n} units fall", hits)
            if seat == owner:
                return Prompt(seat, what, _("Choose your losses from the battle legion."))
            return Prompt(seat, what, _("Choose which of {who}'s fleeing units your horsemen catch.", who=who(owner)))
        case Onward(seat=seat, space=space):
            how = _("{place}: fight another round, or retreat.", place=BOARD.names[space])
            return Prompt(seat, _("Fight on?"), how, OPEN)
        case f.Withdrawal(seat=seat, space=space):
            how = _("Your leaders are alone on the field: lead them away.")
            return Prompt(seat, _("Leave {place}", place=BOARD.names[space]), how, OPEN)
        case f.Sinking(seat=seat, hits=hits):
            what = ngettext("{n} galley sinks", "{n} galleys sink", hits)
            return Prompt(seat, what, _("Choose which of your galleys go down."))
        case f.Placement(seat=seat):
            left = (frame.galleys, frame.cities, frame.fortifications, frame.roads)
            return placing(seat, left, _("You may bargain for captured generals now."))
        case _:
            return common(frame)
