"""Prompts for the decisions of 1984. Pure."""

from __future__ import annotations

from typing import Final

from client.games.conquest.prompts import placing
from client.games.conquest.prompts import prompt as common
from client.games.mb1984 import battle
from client.language import Who, _
from client.table.prompts import OPEN, Prompt
from client.table.words import force_words
from shared.board import BOARD
from shared.ids import NO_ARMY
from shared.kernel.frames import Frame
from shared.mechanics.places import ABOARD
from shared.rulesets.conquest.pieces import galley_lord, leaders_at
from shared.rulesets.mb1984 import frames as f
from shared.rulesets.mb1984.economy import road_sites
from shared.rulesets.mb1984.state import LEADERS
from shared.rulesets.mb1984.table import Table
from shared.vocabulary.frames import Onward

TARGETS: Final = (_("an infantry unit"), _("a cavalry unit"), _("a catapult"), _("a galley"))


def crew(table: Table, galley: int) -> str:
    """Return a galley's passengers in words: ``"a general with 2 infantry"``, or ``_("empty")``."""
    leaders = leaders_at(table, galley_lord(table, galley), ABOARD + galley)
    cargo = table.cargo[galley] or NO_ARMY
    return force_words(leaders, cargo, LEADERS) if leaders or any(cargo) else _("empty")


def ship(table: Table, galley: int) -> str:
    """Return a galley's name by its passengers: ``"the galley with a general"``."""
    aboard = crew(table, galley)
    return _("an empty galley") if aboard == _("empty") else _("the galley with {aboard}", aboard=aboard)


def prompt(table: Table, frame: Frame, who: Who) -> Prompt | None:
    """Return the prompt for a frame."""
    match frame:
        case f.Combat(seat=seat):
            how = _("Your legions or galleys met the enemy. Choose which battle to fight next.")
            return Prompt(seat, _("Choose a battle"), how)
        case f.Aiming(seat=seat, space=space):
            return Prompt(seat, _("Choose a target"), f"{BOARD.names[space]}: {_aim(table, who)}", _("Click a target."))
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
            return placing(seat, left, _("Nothing is left to place."))
        case _:
            return common(frame)


def _aim(table: Table, who: Who) -> str:
    fight = battle.read(table)
    if fight is None:
        return _("one shot.")
    ahead = fight.ahead(fight.shooter)
    enemy = who(fight.other(fight.shooter).seat)
    bonus = _(" Your advantage lowers each number by {ahead}.", ahead=ahead) if ahead else ""
    return _("one shot at {enemy}.{bonus}", enemy=enemy, bonus=bonus)
