"""Worth of the armies in both conquest games."""

from shared.ids import NONE, Army
from shared.mechanics.table import Pieces


def strength(table: Pieces, worth: Army) -> list[int]:
    """Return by seat the worth of all its units, including those aboard galleys."""
    found = [0] * len(table.talents)
    infantry, cavalry, catapults = worth
    for cell in table.units:
        for i in range(0, len(cell), 4):
            found[cell[i]] += cell[i + 1] * infantry + cell[i + 2] * cavalry + cell[i + 3] * catapults
    each = len(table.cargo) // len(table.lord)
    for galley, cargo in enumerate(table.cargo):
        if cargo and table.lord[galley // each] != NONE:
            found[table.lord[galley // each]] += cargo[0] * infantry + cargo[1] * cavalry + cargo[2] * catapults
    return found
