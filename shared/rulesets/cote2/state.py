"""Position of a match of the second game: numbers of pieces, and their places."""

from msgspec import Struct

from shared.board import BOARD
from shared.ids import NONE, Army, Seat, Space
from shared.mechanics.armies import Cell
from shared.rulesets.cote2.data import DATA
from shared.rulesets.cote2.frames import AnyFrame


class TableFields(Struct, array_like=True):
    """Fields of the table, as far as their reader may know them.

    options: values in the order of the rule set's options. season, round: from 1. order: seats in the turn order of
    the season, as far as it is fixed. side: by seat, its alliance (0 A, 1 B) or NONE. owner: by province, the seat
    that owns the city there, else NONE. units: by province, flat groups of four (seat, infantry, cavalry, catapults),
    by seat. built: by province, 1 for a city. influence: by province, tokens by seat; () where it is not a key
    province. tokens: by province, province tokens for sale. pool: by key province (in the order of `data.KEYS`),
    tokens not drawn yet; deck: by kind of card, cards not drawn yet; either is [number] where only that may be known.
    row: by kind, open cards. cards: by seat, the kinds of cards that lie before it; used: those of them that were used
    this season. senators: by seat, senators I to IV, or (number,) where the viewer may not know more. chaos: by seat,
    or HIDDEN. leader_at: by leader (colour * LEADERS + k) a province or OFF. galley_at: by galley (colour * GALLEYS
    + k) a sea zone or OFF. talents, points: by seat. ledger: where the points came from, in the order in which they
    came: (season, source, points by seat ...), the source being a key province, FROM_CARD + kind or FROM_CHAOS.
    conceded: by seat, the seat conceded to, or NONE. winner: a seat or NONE; of several the first in the turn
    order. winners: all who share the victory (II-D58).
    """

    seats: int
    options: tuple[int, ...]
    frames: list[AnyFrame]
    season: int
    round: int
    order: tuple[Seat, ...]
    side: list[int]
    owner: list[int]
    units: list[Cell]
    built: list[int]
    influence: list[tuple[int, ...]]
    tokens: list[int]
    pool: list[int]
    deck: list[int]
    row: list[int]
    cards: list[tuple[int, ...]]
    used: list[tuple[int, ...]]
    senators: list[tuple[int, ...]]
    chaos: list[int]
    leader_at: list[int]
    galley_at: list[int]
    talents: list[int]
    points: list[int]
    ledger: list[tuple[int, ...]]
    conceded: list[int]
    winner: int
    winners: tuple[Seat, ...]


class State(TableFields):
    """The authority's position. `pushed` numbers the frames; `gone`: by kind, cards out of play."""

    gone: list[int]
    pushed: int = 0

    def clone(self) -> "State":
        """Return a copy that shares nothing mutable."""
        return State(
            self.seats,
            self.options,
            self.frames[:],
            self.season,
            self.round,
            self.order,
            self.side[:],
            self.owner[:],
            self.units[:],
            self.built[:],
            self.influence[:],
            self.tokens[:],
            self.pool[:],
            self.deck[:],
            self.row[:],
            self.cards[:],
            self.used[:],
            self.senators[:],
            self.chaos[:],
            self.leader_at[:],
            self.galley_at[:],
            self.talents[:],
            self.points[:],
            self.ledger[:],
            self.conceded[:],
            self.winner,
            self.winners,
            self.gone[:],
            self.pushed,
        )


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
