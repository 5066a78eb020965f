"""Reach of armies in Conquest II: one march, or a landing from the galleys where they lie."""

from __future__ import annotations

from client.table.army_reach import NOWHERE, ArmyReach, Landing, owners
from shared.board import BOARD
from shared.ids import Seat, Space
from shared.mechanics.armies import take_by_kind
from shared.mechanics.cells import army_of
from shared.mechanics.marching import BEST_FIRST
from shared.rulesets.cote2 import ways
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.movement import PER_GALLEY
from shared.rulesets.cote2.state import leaders_at
from shared.rulesets.cote2.table import Table


def army_reach(table: Table, seat: Seat, space: Space) -> ArmyReach:
    """Return the reach of the units of a seat in a province."""
    army = army_of(table.units[space], seat)
    if not any(army):
        return NOWHERE
    return ArmyReach(army, len(leaders_at(table, seat, space)), ways.reach(table, seat, space))


def landings(table: Table, seat: Seat, space: Space) -> list[Landing]:
    """Return the armies that galleys of a seat can put ashore in a province (II-MOVE-04, -05)."""
    room = PER_GALLEY * sum(ways.fleets(table, seat).get(zone, 0) for zone in SEAS[space])
    found = []
    for source in range(BOARD.provinces):
        if not room or seat not in owners(table.units[source]) or space not in ways.landings(table, seat, source):
            continue
        army = take_by_kind(army_of(table.units[source], seat), room, BEST_FIRST)
        found.append(Landing(source, army, len(leaders_at(table, seat, source))))
    return found
