"""Highlighted positions of an action in Conquest II."""

from __future__ import annotations

from collections.abc import Sequence

from shared.ids import NONE, Position
from shared.kernel.frames import Action
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.data import NAMED
from shared.rulesets.cote2.table import Table
from shared.vocabulary.actions import Retreat


def stops(table: Table, action: Action) -> Sequence[Position]:
    """Return the positions that an action concerns, its start first; empty if it has no place on the board."""
    match action:
        case a.Move(source, armies, leaders):
            return tuple(dict.fromkeys([source, *[to for to, *_ in armies], *[to for _, to in leaders]]))
        case a.Campaign(card, source):
            return source, *NAMED[card]
        case a.Sail(to, galleys, zone):
            path = (*[table.galley_at[galley] for galley in galleys[:1]], to, zone)
            return tuple(dict.fromkeys([stop for stop in path if stop != NONE]))
        case a.Recruit(armies, fleets):
            return tuple(dict.fromkeys([space for space, *_ in (*armies, *fleets)]))
        case a.Deploy(armies, caesar, general, galley):
            stops = [*[space for space, *_ in armies], caesar, general, galley]
            return tuple(dict.fromkeys([stop for stop in stops if stop != NONE]))
        case a.Attack(space) | a.Influence(space) | a.Incite(space) | a.Assemble(space):
            return (space,)
        case Retreat(to) | a.Withdraw(to) if to != NONE:
            return (to,)
    return ()
