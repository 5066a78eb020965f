"""The table of a Classic match: flat lists, cheap to clone."""

from typing import ClassVar

from msgspec import Struct

from shared.ids import Seat, Space
from shared.rulesets.classic.frames import AnyFrame
from shared.rulesets.classic.state import GALLEYS, LEADERS


class Table(Struct, array_like=True):
    """Fields of the table.

    options: values in the order of the rule set's options, then how many amendments are in force, if any. order: seats
    in the order of play. home: by seat. owner: by province, a seat or NONE. units: by province, flat groups of four
    (seat, infantry, cavalry, catapults), by seat. built: by province (see `pieces.Built`). roads: indices into
    `BOARD.edges`. leader_at: by leader, a province, or ABOARD, PRISON, OFF. leader_used: movement points used this
    turn, or AT_SEA. galley_at: by galley (colour * GALLEYS + k) a board position or OFF. galley_used: points used.
    cargo: by galley, () or the army aboard. moved: by province, () or units of the active seat that marched there this
    turn: infantry, cavalry with one point left, cavalry with none, catapults (zeros at the end left out). landed: by
    province, () or the army that came ashore there this turn. talents, marker: by seat. lord: by colour, the seat that
    owns its pieces, NONE once they left the game. captured: seat * 4 + kind, pieces won with a captured colour (kept
    only where the table bars buying in captured colours, CL-D24). inflation: the factor of all prices. triggered: the
    seat that reached 105 (205) first, or NONE. conceded: by seat, the seat conceded to, or NONE. winner: a seat or
    NONE. due: the marks whose prices rise, or rose, as a turn of the seat that reached them begins: 1 for the
    first, 2 for the second, 3 for both (CL-D26); before its amendment how many of them were reached before this
    round began.
    """

    leaders_each: ClassVar = LEADERS
    galleys_each: ClassVar = GALLEYS

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
    due: int = 0

    def position(self, pushed: int) -> "State":
        """Return a position that goes on from here, with `pushed` frames numbered; it shares nothing mutable."""
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
            self.due,
            pushed,
        )


class State(Table):
    """The authority's position; `pushed` numbers the frames."""

    pushed: int = 0

    def clone(self) -> "State":
        """Return a copy that shares nothing mutable."""
        return self.position(self.pushed)
