"""Events and prompts of Classic in words."""

from shared.board import BOARD
from shared.kernel.frames import Event, Frame
from shared.language.sentence import Person, Prompt, Sentence, _, ngettext
from shared.rulesets.classic import frames as f
from shared.rulesets.classic.events import Refunded
from shared.rulesets.classic.table import LEADERS, TableFields
from shared.sentences import conquest
from shared.sentences.common import OPEN, asked
from shared.vocabulary.events import InflationTriggered
from shared.vocabulary.frames import Onward


def tell(event: Event) -> Sentence | None:
    """Return the sentence for an event; None for events that need none."""
    match event:
        case Refunded(seat=seat, talents=talents):
            who = Person(seat)
            return _("{who} gets {talents} talents back for what could not be placed.", who=who, talents=talents)
        case InflationTriggered(seat=seat, level=level):
            return _(
                "{who}'s wealth drives prices up: {since} everything costs {factor}.",
                who=Person(seat),
                since=_("from the same turn of the next round"),
                factor=_("double") if level == 1 else _("triple"),
            )
        case _other:
            return conquest.tell(event, LEADERS)


def prompt(table: TableFields) -> Prompt:
    """Return the decision that is owed now."""
    return asked(table, conquest.winners(table), frame_prompt)


def frame_prompt(_table: TableFields, frame: Frame) -> Prompt | None:
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
            return Prompt(
                seat, what, _("Choose which of {who}'s fleeing units your horsemen catch.", who=Person(owner))
            )
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
            return conquest.placing(seat, left, _("You may bargain for captured generals now."))
        case _:
            return conquest.prompt(frame)
