"""Reach of armies in Conquest II: one march."""

from __future__ import annotations

from client.table.army_reach import NOWHERE, ArmyReach
from shared.ids import Seat, Space
from shared.mechanics.cells import army_of
from shared.rulesets.cote2 import ways
from shared.rulesets.cote2.state import leaders_at
from shared.rulesets.cote2.table import Table


def army_reach(table: Table, seat: Seat, space: Space) -> ArmyReach:
    """Return the reach of the units of a seat in a province."""
    army = army_of(table.units[space], seat)
    if not any(army):
        return NOWHERE
    return ArmyReach(army, len(leaders_at(table, seat, space)), ways.reach(table, seat, space))
