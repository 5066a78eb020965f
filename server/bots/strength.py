"""What the armies of both games of conquest are worth."""

from shared.ids import NONE, Army
from shared.mechanics.pieces import Pieces


def strength(table: Pieces, worth: Army) -> list[int]:
    """By seat, what all units are worth, those aboard too."""
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
