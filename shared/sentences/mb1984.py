"""Events and prompts of 1984 in words."""

from typing import Final

from shared.board import BOARD
from shared.ids import NO_ARMY
from shared.kernel.frames import Event, Frame
from shared.language.sentence import Person, Prompt, Sentence, Value, _, ngettext, pattern
from shared.mechanics.aimed_shots import NO_ROLL
from shared.mechanics.pieces import ABOARD
from shared.rulesets.conquest.pieces import galley_lord, leaders_at
from shared.rulesets.mb1984 import events as e
from shared.rulesets.mb1984 import frames as f
from shared.rulesets.mb1984.economy import road_sites
from shared.rulesets.mb1984.table import LEADERS, TableFields
from shared.sentences import conquest
from shared.sentences.common import OPEN, asked, force_words, talents_words
from shared.vocabulary.events import DiceFell, InflationTriggered
from shared.vocabulary.frames import Onward

TARGETS: Final = (_("an infantry unit"), _("a cavalry unit"), _("a catapult"), _("a galley"))
"""Targets of a shot, by their kind."""
EMPTY: Final = _("empty")
"""Words for a galley without passengers."""


def tell(event: Event) -> Sentence | None:
    """Return the sentence for an event; None for events that need none."""
    match event:
        case e.Aimed():
            return _aimed(event)
        case DiceFell(seat=seat, faces=faces, hits=hits):
            who, number = Person(seat), faces[0] + 1
            if hits:
                return _("{who} rolls {number}: a hit.", who=who, number=number)
            return _("{who} rolls {number}: a miss.", who=who, number=number)
        case e.Looted(seat=seat, loser=loser, talents=talents):
            return _(
                "{who} takes the treasury of {who2}: {talents}.",
                who=Person(seat),
                who2=Person(loser),
                talents=talents_words(talents),
            )
        case e.RoadsLost(space=space, roads=roads):
            return ngettext(
                "A road to {place} is torn up.",
                "{n} roads to {place} are torn up.",
                len(roads),
                place=BOARD.names[space],
            )
        case e.Rewarded(seat=seat, talents=talents):
            who = Person(seat)
            return _("{who} is given {talents} talents for the captured Caesar.", who=who, talents=talents)
        case InflationTriggered(seat=seat, level=level):
            return _(
                "{who}'s wealth drives prices up: from the next player's turn everything costs {factor}.",
                who=Person(seat),
                factor=_("double") if level == 1 else _("triple"),
            )
        case _other:
            return conquest.tell(event, LEADERS)


def _aimed(event: e.Aimed) -> Sentence:
    who, target = Person(event.seat), TARGETS[event.kind]
    if event.needed == NO_ROLL:
        return _("{who} destroys {target} without a roll.", who=who, target=target)
    number = number_words(event.needed)
    return _("{who} fires at {target}, needing {number}.", who=who, target=target, number=number)


def number_words(needed: int) -> Value:
    """Return the number that hits: ``"4 or more"``."""
    return 6 if needed == 6 else _("{needed} or more", needed=needed)


def prompt(table: TableFields) -> Prompt:
    """Return the decision that is owed now."""
    return asked(table, conquest.winners(table), frame_prompt)


def frame_prompt(table: TableFields, frame: Frame) -> Prompt | None:
    """Return the prompt for a frame."""
    match frame:
        case f.Combat(seat=seat):
            how = _("Your legions or galleys met the enemy. Choose which battle to fight next.")
            return Prompt(seat, _("Choose a battle"), how)
        case f.Aiming(seat=seat, space=space):
            how = pattern("{place}: {aim}", place=BOARD.names[space], aim=_aim(frame))
            return Prompt(seat, _("Choose a target"), how, _("Click a target."))
        case f.CargoLoss(seat=seat, space=space, kind=kind):
            how = _(
                "{place}: {targets} of yours was hit. Choose the galley that loses it.",
                place=BOARD.names[space],
                targets=TARGETS[kind],
            )
            return Prompt(seat, _("A loss at sea"), how)
        case Onward(seat=seat, space=space):
            how = _("{place}: you were fired at, so you may retreat now, or fire again.", place=BOARD.names[space])
            return Prompt(seat, _("Fire again?"), how, OPEN)
        case f.Placement(seat=seat):
            roads = len(road_sites(table, seat))
            left = (frame.galleys, frame.cities, frame.fortifications, 0)
            if roads and not any(left):
                return Prompt(
                    seat, _("Roads?"), _("Roads are free: join neighbouring cities of yours, or end your turn.")
                )
            return conquest.placing(seat, left, _("Nothing is left to place."))
        case _:
            return conquest.prompt(frame)


def _aim(frame: f.Aiming) -> Sentence:
    ahead = frame.ahead
    bonus = _(" Your advantage lowers each number by {ahead}.", ahead=ahead) if ahead else ""
    return _("one shot at {enemy}.{bonus}", enemy=Person(frame.enemy), bonus=bonus)


def crew(table: TableFields, galley: int) -> Value:
    """Return a galley's passengers in words: ``"a general with 2 infantry"``; empty for an empty galley."""
    leaders = leaders_at(table, galley_lord(table, galley), ABOARD + galley)
    cargo = table.cargo[galley] or NO_ARMY
    return force_words(leaders, cargo, LEADERS) if leaders or any(cargo) else ""


def ship(table: TableFields, galley: int) -> Sentence:
    """Return a galley's name by its passengers: ``"the galley with a general"``."""
    aboard = crew(table, galley)
    return _("the galley with {aboard}", aboard=aboard) if aboard else _("an empty galley")
