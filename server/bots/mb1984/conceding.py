"""Concession of a lost duel: a Caesar could hold out behind walls for another thirty rounds, so conceding is kinder."""

from typing import Final

from server.bots.mb1984.odds import UNIT_WORTH
from server.bots.mb1984.position_analysis import PositionAnalysis
from shared.ids import NONE, Seat
from shared.mechanics.pieces import living
from shared.rulesets.mb1984.state import GALLEYS
from shared.rulesets.mb1984.table import Table

EARLIEST: Final = 12
"""Round before which a bot never concedes."""
HOPELESS: Final = 3
"""Factor by which the last enemy's means must exceed ours.

In two hundred matches of normal bots no player so far behind won, nor one behind by a factor of 2.5.
"""
YEARS: Final = 3
"""Turns of tribute that count as means."""


def agreed(analysis: PositionAnalysis) -> Seat:
    """Return the rival to concede the lost match to, or NONE.

    With several rivals this is always NONE: a bargain with another of them is always possible.
    """
    table, seat = analysis.table, analysis.seat
    rivals = [other for other in living(table) if other != seat]
    if len(rivals) > 1 or table.round < EARLIEST:
        return NONE
    units = _armies(table)
    ours, theirs = (units[each] + _means(table, each) for each in (seat, rivals[0]))
    return rivals[0] if HOPELESS * ours <= theirs else NONE


def _armies(table: Table) -> list[int]:
    """Return by seat the worth of all its units, including those aboard galleys."""
    found = [0] * len(table.talents)
    infantry, cavalry, catapults = UNIT_WORTH
    for cell in table.units:
        for i in range(0, len(cell), 4):
            found[cell[i]] += cell[i + 1] * infantry + cell[i + 2] * cavalry + cell[i + 3] * catapults
    for galley, cargo in enumerate(table.cargo):
        lord = table.lord[galley // GALLEYS]
        if cargo and lord != NONE:
            found[lord] += cargo[0] * infantry + cargo[1] * cavalry + cargo[2] * catapults
    return found


def _means(table: Table, seat: Seat) -> float:
    """Return the basic talents that a seat can spend in the next `YEARS` turns."""
    return (table.talents[seat] + YEARS * table.marker[seat]) / table.inflation
