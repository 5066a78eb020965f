"""Attacks in Classic and 1984, which share their movement."""

from collections.abc import Callable
from typing import Any, TypeAlias

from shared.board import BOARD
from shared.ids import NONE, Army, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import enemies_in, minus
from shared.odds.attack import Threat, strongest
from shared.rulesets.conquest.pieces import galley_lord, passengers
from shared.rulesets.conquest.table import TableFields
from shared.vocabulary.actions import Fight, Sail

Clash: TypeAlias = Callable[[Any, Seat, Space], bool]
"""Whether entering a space leads to a fight."""


def threat(table: TableFields, seat: Seat, action: Action, clash: Clash, march: type[Any]) -> Threat | None:
    """Return the attack that an action begins or leads into, or None. `march`: that action of the game."""
    if isinstance(action, Fight):
        return Threat(action.enemy, action.space)
    if isinstance(action, Sail):
        return _landing(table, seat, action, clash)
    if not isinstance(action, march) or not clash(table, seat, action.to):
        return None
    army = action.infantry, action.cavalry, action.catapults
    for drop in getattr(action, "drops", ()):
        army = minus(army, drop[1:])
    return _entry(table, seat, action.to, army, len(action.leaders))


def _landing(table: TableFields, seat: Seat, sail: Sail, clash: Clash) -> Threat | None:
    space = BOARD.ashore[sail.to]
    if not clash(table, seat, space):
        return None
    leaders, army = sail.leaders, (sail.infantry, sail.cavalry, sail.catapults)
    # From a coast the action names who goes aboard; at sea they are aboard already.
    if BOARD.is_sea(table.galley_at[sail.galley]):
        leaders, army = passengers(table, seat, sail.galley)
    return _entry(table, seat, space, army, len(leaders), int(BOARD.is_sea(space)))


def _entry(table: TableFields, seat: Seat, space: Space, army: Army, leaders: int, galleys: int = 0) -> Threat | None:
    enemy = foe(table, seat, space)
    return None if enemy == NONE else Threat(enemy, space, army, leaders, galleys)


def foe(table: TableFields, seat: Seat, space: Space) -> Seat:
    """Return the enemy with most units or galleys in a space; NONE if there is no enemy."""
    if BOARD.is_sea(space):
        owners = [galley_lord(table, galley) for galley, at in enumerate(table.galley_at) if at == space]
        return max((owner for owner in owners if owner != seat), key=owners.count, default=NONE)
    return strongest(table.units[space], enemies_in(table.units[space], seat))
