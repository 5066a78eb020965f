"""The position of a Classic match: flat lists, cheap to clone."""

from msgspec import Struct

from shared.ids import Army, Seat, Space
from shared.rulesets.classic.frames import AnyFrame

LEADERS = 5
"""Leaders per colour: a Caesar (number 0) and four generals (CL-COMP-02)."""
GALLEYS = 8
"""Galleys per colour."""
POOL = (20, 20, 6, GALLEYS)
"""Infantry, cavalry, catapults, galleys per colour (CL-COMP-02, CL-D46)."""
CITIES, FORTIFICATIONS, ROADS = 16, 16, 20
"""The common supply (CL-COMP-03)."""

ABOARD = 60
"""`leader_at` of a leader aboard galley g is ABOARD + g."""
PRISON = 110
"""`leader_at` of a prisoner of seat s is PRISON + s."""
OFF = 127
"""Off the board: an eliminated leader, a galley in the supply."""
AT_SEA = 3
"""`leader_used` of a leader that went aboard or ashore this turn: no march any more (CL-SEA-04)."""


class Table(Struct, array_like=True):
    """What lies on the table.

    options: values in the order of the rule set's options. order: seats in the order of play. home: by seat.
    owner: by province, a seat or NONE. units: by province, flat groups of four (seat, infantry, cavalry,
    catapults), by seat. built: by province, 0 nothing, 1 city, 2 fortified city. roads: indices into
    `BOARD.edges`. leader_at: by leader, a province, or ABOARD, PRISON, OFF. leader_used: movement points used this
    turn, or AT_SEA. galley_at: by galley (colour * GALLEYS + k) a board position or OFF. galley_used: points used.
    cargo: by galley, () or the army aboard. moved: by province, () or units of the active seat that marched there
    this turn: infantry, cavalry with one point left, cavalry with none, catapults. landed: by province, () or the
    army that came ashore there this turn. talents, marker: by seat. lord: by colour, the seat that owns its
    pieces, NONE once they left the game. captured: seat * 4 + kind, pieces won with a captured colour (kept only
    where the table bars buying in captured colours, CL-D24). inflation: the factor of all prices. triggered: the seat
    that reached 105 (205) first, or NONE. conceded: by seat, to whom, or NONE. winner: a seat or NONE.
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
    moved: list[tuple[int, ...]]
    landed: list[tuple[int, ...]]
    talents: list[int]
    marker: list[int]
    lord: list[int]
    captured: list[int]
    inflation: int
    triggered: list[int]
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
            self.moved[:],
            self.landed[:],
            self.talents[:],
            self.marker[:],
            self.lord[:],
            self.captured[:],
            self.inflation,
            self.triggered[:],
            self.conceded[:],
            self.winner,
            self.pushed,
        )


def alive(table: Table, seat: Seat) -> bool:
    """Whether `seat` still has its Caesar."""
    return table.lord[seat] == seat


def living(table: Table) -> list[Seat]:
    """The seats still in the match."""
    return [s for s in range(table.seats) if table.lord[s] == s]


def leader_lord(table: Table, leader: int) -> Seat:
    """The seat that owns a leader piece."""
    return table.lord[leader // LEADERS]


def galley_lord(table: Table, galley: int) -> Seat:
    """The seat that owns a galley."""
    return table.lord[galley // GALLEYS]


def army_of(cell: tuple[int, ...], seat: Seat) -> Army:
    """The army of `seat` in one entry of `Table.units`."""
    for i in range(0, len(cell), 4):
        if cell[i] == seat:
            return cell[i + 1], cell[i + 2], cell[i + 3]
    return 0, 0, 0


def put_army(cell: tuple[int, ...], seat: Seat, army: Army) -> tuple[int, ...]:
    """The entry with the army of `seat` replaced."""
    if len(cell) <= 4 and (not cell or cell[0] == seat):
        return (seat, *army) if any(army) else ()
    groups = {cell[i]: cell[i + 1 : i + 4] for i in range(0, len(cell), 4)}
    groups[seat] = army
    return tuple(n for s in sorted(groups) if any(groups[s]) for n in (s, *groups[s]))


def has_army(cell: tuple[int, ...], seat: Seat) -> bool:
    """Whether `seat` has land units in the entry."""
    return seat in cell[::4]


def enemies_in(cell: tuple[int, ...], seat: Seat) -> list[Seat]:
    """The other seats with land units in the entry."""
    return [s for s in cell[::4] if s != seat]


def own(table: Table, seat: Seat, kind: int) -> list[int]:
    """The pieces of one kind that `seat` owns, on the board or not; `kind` is `LEADERS` or `GALLEYS`."""
    return [
        piece
        for colour, lord in enumerate(table.lord)
        if lord == seat
        for piece in range(colour * kind, (colour + 1) * kind)
    ]


def leaders_at(table: Table, seat: Seat, place: int) -> tuple[int, ...]:
    """The leaders that `seat` owns at a province or, with ABOARD + g, on a galley."""
    at = table.leader_at
    if place not in at:
        return ()
    return tuple([leader for leader in own(table, seat, LEADERS) if at[leader] == place])


def galleys_at(table: Table, seat: Seat, position: int) -> tuple[int, ...]:
    """The galleys that `seat` owns at a position."""
    at = table.galley_at
    if position not in at:
        return ()
    return tuple([galley for galley in own(table, seat, GALLEYS) if at[galley] == position])
