"""Highlighted positions of an action in the conquest games."""

from __future__ import annotations

from collections.abc import Sequence

from shared.ids import NONE, Position
from shared.kernel.frames import Action
from shared.rulesets.classic.actions import March as ClassicMarch
from shared.rulesets.classic.actions import Withdraw
from shared.rulesets.conquest.table import Table
from shared.rulesets.mb1984.actions import March as OldMarch
from shared.vocabulary import actions as a


def stops(table: Table, action: Action) -> Sequence[Position]:
    """Return the positions that an action concerns, its start first; empty if it has no place on the board."""
    match action:
        case ClassicMarch(source, to) | OldMarch(source, to):
            return source, to
        case a.Sail(galley, to):
            return table.galley_at[galley], to
        case a.Fight(space) | a.Raze(space) | a.PlaceCity(space) | a.PlaceFortification(space) | a.ChooseHome(space):
            return (space,)
        case a.PlaceGalley(position):
            return (position,)
        case a.PlaceRoad(one, other):
            return one, other
        case a.Retreat(to) | Withdraw(to) if to != NONE:
            return (to,)
    return ()
