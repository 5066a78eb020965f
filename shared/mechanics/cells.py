"""A province's entry of units: flat groups of four (seat, infantry, cavalry, catapults), ordered by seat."""

from collections.abc import Sequence

from shared.ids import NO_ARMY, Army, Seat
from shared.mechanics.armies import minus, plus

Cell = tuple[int, ...]


def army_of(cell: Cell, seat: Seat) -> Army:
    """Return the army of `seat` in the entry."""
    for i in range(0, len(cell), 4):
        if cell[i] == seat:
            return cell[i + 1], cell[i + 2], cell[i + 3]
    return 0, 0, 0


def armies(cell: Cell) -> list[tuple[Seat, Army]]:
    """Return each seat in the entry with its army."""
    return [(cell[i], (cell[i + 1], cell[i + 2], cell[i + 3])) for i in range(0, len(cell), 4)]


def contested(cell: Cell) -> bool:
    """Whether armies of several seats are in the entry."""
    return len(cell) > 4


def put_army(cell: Cell, seat: Seat, army: Army) -> Cell:
    """Return the entry with the army of `seat` replaced."""
    if len(cell) <= 4 and (not cell or cell[0] == seat):
        return (seat, *army) if any(army) else ()
    at = 0
    while at < len(cell) and cell[at] < seat:
        at += 4
    after = at + 4 if at < len(cell) and cell[at] == seat else at
    return (*cell[:at], seat, *army, *cell[after:]) if any(army) else cell[:at] + cell[after:]


def with_army(cell: Cell, seat: Seat, army: Sequence[int]) -> Cell:
    """Return the entry after `army` joined that of `seat`."""
    return put_army(cell, seat, plus(army_of(cell, seat), army))


def without_army(cell: Cell, seat: Seat, army: Sequence[int]) -> Cell:
    """Return the entry after `army` left that of `seat`."""
    return put_army(cell, seat, minus(army_of(cell, seat), army))


def largest(units: Sequence[Cell], seat: Seat) -> Army:
    """Return the most infantry, cavalry and catapults of `seat` in any entry, kind by kind."""
    armies = [army_of(cell, seat) for cell in units if seat in cell[::4]] or [NO_ARMY]
    infantry, cavalry, catapults = map(max, zip(*armies, strict=True))
    return infantry, cavalry, catapults


def has_army(cell: Cell, seat: Seat) -> bool:
    """Whether `seat` has units in the entry."""
    return seat in cell[::4]


def enemies_in(cell: Cell, seat: Seat) -> list[Seat]:
    """Return the other seats with units in the entry."""
    return [s for s in cell[::4] if s != seat]


def hostile(cell: Cell, seat: Seat) -> bool:
    """Whether another player's units are in the entry."""
    return bool(cell) and (cell[0] != seat or len(cell) > 4)


def well_formed(cell: Cell) -> bool:
    """Whether the groups are ordered by seat, none twice, none empty, no count negative."""
    seats = list(cell[::4])
    groups = [cell[i + 1 : i + 4] for i in range(0, len(cell), 4)]
    return seats == sorted(set(seats)) and min(cell, default=0) >= 0 and all(map(any, groups))
