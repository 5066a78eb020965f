"""Position of a match of the second game: numbers of pieces, and their places."""

from shared.board import BOARD
from shared.ids import NONE, Army, Seat, Space
from shared.mechanics.cells import Cell
from shared.rulesets.cote2.data import DATA
from shared.rulesets.cote2.table import TableFields

LEADERS = 1 + DATA.supply.generals
"""Leaders per colour: a Caesar (number 0) and four generals (II-COMP-01)."""
GALLEYS = DATA.supply.galleys
"""Galleys per colour."""
POOL = (DATA.supply.infantry, DATA.supply.cavalry, DATA.supply.catapults)
"""Infantry, cavalry, catapults per colour (II-COMP-01)."""
OFF = 127
"""Off the board: in the supply."""
ALIENS, REBELS = 6, 7
"""Seats without players: troops of diplomacy cards, slaves in revolt. They occur in battle armies only."""
FROM_CARD, FROM_CHAOS = 128, 255
"""Sources of victory points beside key provinces: FROM_CARD + the kind of the card, or chaos."""
HIDDEN = -1
"""Chaos that the viewer may not know (II-CHAOS-03)."""


def allied(table: TableFields, a: Seat, b: Seat) -> bool:
    """Whether two seats are one or in one alliance."""
    return a == b or (table.side[a] == table.side[b] and table.side[a] != NONE)


def leaders_at(table: TableFields, seat: Seat, space: Space) -> tuple[int, ...]:
    """Return the leaders of `seat` in a province."""
    first = seat * LEADERS
    return tuple([i for i in range(first, first + LEADERS) if table.leader_at[i] == space])


def led(table: TableFields, seat: Seat, space: Space) -> bool:
    """Whether a general or the Caesar of `seat` is there."""
    return space in table.leader_at[seat * LEADERS : (seat + 1) * LEADERS]


def galleys_at(table: TableFields, seat: Seat, zone: Space) -> tuple[int, ...]:
    """Return the galleys of `seat` in a sea zone."""
    first = seat * GALLEYS
    return tuple([g for g in range(first, first + GALLEYS) if table.galley_at[g] == zone])


def galleys_in(table: TableFields, seat: Seat, zones: tuple[Space, ...]) -> tuple[int, ...]:
    """Return the galleys of `seat` in any of those sea zones."""
    first = seat * GALLEYS
    return tuple([g for g in range(first, first + GALLEYS) if table.galley_at[g] in zones])


def others_in(table: TableFields, cell: Cell, seat: Seat) -> list[Seat]:
    """Return the seats of the other alliance with infantry, cavalry or catapults in the entry."""
    return [s for s in cell[::4] if not allied(table, s, seat)]


def is_province(space: int) -> bool:
    """Whether the number names a province."""
    return 0 <= space < BOARD.provinces


def is_zone(space: int) -> bool:
    """Whether the number names a sea zone."""
    return BOARD.provinces <= space < BOARD.spaces


def is_seat(table: TableFields, seat: int) -> bool:
    """Whether the number names a player."""
    return 0 <= seat < table.seats


def start_army() -> Army:
    """Return infantry, cavalry, catapults at the start (II-SETUP-01)."""
    return DATA.start.army
