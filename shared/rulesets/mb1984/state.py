"""The position of a 1984 match: flat lists, cheap to clone."""

from typing import Final, NamedTuple

from msgspec import Struct

from shared.ids import Army, Leader, Seat, Space
from shared.mechanics import pieces
from shared.mechanics.pieces import alive, living
from shared.mechanics.places import ABOARD, AT_SEA, OFF, PRISON
from shared.rulesets.mb1984.frames import AnyFrame

LEADERS = 7
"""Leaders per colour: a Caesar (number 0) and six generals (MB-COMP-02)."""
GALLEYS = 6
"""Galleys per colour (MB-COMP-02)."""
POOL = (60, 30, 20)
"""Infantry, cavalry, catapults: one supply for all players (MB-COMP-03)."""
CITIES, FORTIFICATIONS, ROADS = 30, 16, 34
"""The common supply of buildings (MB-COMP-04); short and long roads are one supply (MB-D12)."""
LEGION = 7
"""Combat units that one leader leads, and that one galley carries (MB-LEGION-01, MB-SEA-04)."""
POINTS = 2
"""Movements a turn of leaders, cavalry and galleys; infantry and catapults have one (MB-UNIT-01 to -04)."""


RELEASED: Final = 4
"""`leader_used` of a general who came back this turn and not by an exchange: no march before his owner's next turn
(MB-D37)."""
TAKEN: Final = 5
"""`leader_used` of a leader who was captured this turn: he is judged at once, or in a later turn (MB-GEN-01)."""


class Table(Struct, array_like=True):
    """What lies on the table.

    options: values in the order of the rule set's options. order: seats in the order of play. home: by seat. owner:
    by province, a seat or NONE. units: by province, flat groups of four (seat, infantry, cavalry, catapults), by
    seat. built: by province, see `Built`. roads: indices into `BOARD.edges`. leader_at: by leader (colour * LEADERS
    + k), a province, or ABOARD, PRISON, OFF; a captured Caesar lies in PRISON for good. leader_used: movements used
    this turn, or AT_SEA, RELEASED, TAKEN. galley_at: by galley (colour * GALLEYS + k) a board position or OFF.
    galley_used: movements used. cargo: by galley, () or the army aboard. docked: by galley, () or what it did when
    it reached the coast this turn, flat as in `Docking`: the zone, the army (3), the leaders. moved: by province,
    () or units of the active seat that marched there this turn: infantry, cavalry with one movement left, cavalry
    with none, catapults (zeros at the end left out). landed: by province, () or the army that came ashore there
    this turn. talents, marker: by seat. lord: by colour, the seat that owns its pieces, NONE once they left the
    game. inflation: the factor of all prices. triggered: the seat that reached 105 (205) first, or NONE. offers:
    bargains that the active seat may still offer this turn. proposals: by seat, () or what it proposes to the
    active seat: to, pays, wants, number of gives, gives, takes. conceded: by seat, to whom, or NONE. winner: a seat
    or NONE.
    """

    seats: int
    options: tuple[int, ...]
    frames: list[AnyFrame]
    round: int
    order: tuple[Seat, ...]
    home: list[Space]
    owner: list[int]
    units: list[tuple[int, ...]]
    built: list[int]
    roads: list[int]
    leader_at: list[int]
    leader_used: list[int]
    galley_at: list[int]
    galley_used: list[int]
    cargo: list[tuple[int, ...]]
    docked: list[tuple[int, ...]]
    moved: list[tuple[int, ...]]
    landed: list[tuple[int, ...]]
    talents: list[int]
    marker: list[int]
    lord: list[int]
    inflation: int
    triggered: list[int]
    offers: int
    proposals: list[tuple[int, ...]]
    conceded: list[int]
    winner: int


class State(Table):
    """The authority's position; `pushed` numbers the frames."""

    pushed: int = 0

    def clone(self) -> "State":
        """A copy that shares nothing mutable."""
        return State(
            self.seats,
            self.options,
            self.frames[:],
            self.round,
            self.order,
            self.home[:],
            self.owner[:],
            self.units[:],
            self.built[:],
            self.roads[:],
            self.leader_at[:],
            self.leader_used[:],
            self.galley_at[:],
            self.galley_used[:],
            self.cargo[:],
            self.docked[:],
            self.moved[:],
            self.landed[:],
            self.talents[:],
            self.marker[:],
            self.lord[:],
            self.inflation,
            self.triggered[:],
            self.offers,
            self.proposals[:],
            self.conceded[:],
            self.winner,
            self.pushed,
        )


class Docking(NamedTuple):
    """What a galley did that reached a coast this turn: the zone it came from, and whom it put ashore."""

    zone: Space
    army: Army
    leaders: tuple[Leader, ...]


def docking(table: Table, galley: int) -> Docking | None:
    """What a galley did when it docked this turn; None for one that did not."""
    flat = table.docked[galley]
    return Docking(flat[0], (flat[1], flat[2], flat[3]), flat[4:]) if flat else None


def is_caesar(leader: Leader) -> bool:
    """Whether a leader is a Caesar, not a general."""
    return leader % LEADERS == 0


def leader_lord(table: Table, leader: int) -> Seat:
    """The seat that owns a leader piece."""
    return table.lord[leader // LEADERS]


def galley_lord(table: Table, galley: int) -> Seat:
    """The seat that owns a galley."""
    return table.lord[galley // GALLEYS]


def leaders_at(table: Table, seat: Seat, place: int) -> tuple[int, ...]:
    """The leaders that `seat` owns at a province or, with ABOARD + g, on a galley."""
    return pieces.at(table.leader_at, place, table.lord, seat, LEADERS)


def enemy_leaders(table: Table, seat: Seat, space: Space) -> list[int]:
    """The leaders of others in a province."""
    return pieces.others_at(table.leader_at, space, table.lord, seat, LEADERS)


def galleys_at(table: Table, seat: Seat, position: int) -> tuple[int, ...]:
    """The galleys that `seat` owns at a position."""
    return pieces.at(table.galley_at, position, table.lord, seat, GALLEYS)


__all__ = [
    "ABOARD",
    "AT_SEA",
    "CITIES",
    "FORTIFICATIONS",
    "GALLEYS",
    "LEADERS",
    "LEGION",
    "OFF",
    "POINTS",
    "POOL",
    "PRISON",
    "RELEASED",
    "ROADS",
    "TAKEN",
    "Docking",
    "State",
    "Table",
    "alive",
    "docking",
    "enemy_leaders",
    "galley_lord",
    "galleys_at",
    "is_caesar",
    "leader_lord",
    "leaders_at",
    "living",
]
