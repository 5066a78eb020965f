"""Contact with the enemy, on land and at sea (MB-MOVE-05, MB-D06, MB-D13)."""

from shared.ids import Seat, Space
from shared.language.sentence import Sentence, _
from shared.mechanics import standings
from shared.mechanics.armies import has_army, hostile
from shared.rulesets.conquest.pieces import enemy_leaders, galley_lord, leader_lord
from shared.rulesets.mb1984.options import leaders_join
from shared.rulesets.mb1984.table import TableFields


def combat_situation(table: TableFields, seat: Seat, space: Space, legion: bool) -> bool:
    """Whether arriving pieces must stop: enemy units there, or enemy leaders for an own legion to capture (MB-D06)."""
    cell = table.units[space]
    if hostile(cell, seat):
        return True
    return (legion or has_army(cell, seat)) and bool(enemy_leaders(table, seat, space))


def barred(table: TableFields, seat: Seat, space: Space) -> bool:
    """Whether a leader without units may not enter: enemy units, and no own legion to join (MB-D02)."""
    cell = table.units[space]
    return hostile(cell, seat) and not (has_army(cell, seat) and leaders_join(table))


def hostile_zone(table: TableFields, seat: Seat, zone: Space) -> bool:
    """Whether enemy galleys are in a sea zone (MB-D13)."""
    # The search in C rules out most zones, before galleys are looked at one by one.
    return zone in table.galley_at and any(
        at == zone and galley_lord(table, galley) != seat for galley, at in enumerate(table.galley_at)
    )


def troops(table: TableFields, seat: Seat, space: Space) -> Sentence:
    """Return the owners of units or leaders in a province, in words: ``"Units of Egyptus"``."""
    if hostile(table.units[space], seat):
        return standings.troops(table, seat, space)
    lords = sorted({leader_lord(table, leader) for leader in enemy_leaders(table, seat, space)})
    return _("Leaders of {owners}", owners=standings.names(table, lords))


def fleets(table: TableFields, seat: Seat, zone: Space) -> Sentence:
    """Return the owners of galleys in a sea zone, in words: ``"Galleys of Egyptus"``."""
    lords = sorted({galley_lord(table, galley) for galley, at in enumerate(table.galley_at) if at == zone} - {seat})
    return _("Galleys of {owners}", owners=standings.names(table, lords))
