"""The table of a 1984 match: flat lists, cheap to clone."""

from typing import ClassVar, NamedTuple

from msgspec import Struct

from shared.ids import Army, Leader, Seat, Space
from shared.rulesets.mb1984.frames import AnyFrame
from shared.rulesets.mb1984.state import GALLEYS, LEADERS


class Table(Struct, array_like=True):
    """Fields of the table.

    options: values in the order of the rule set's options, then how many amendments are in force, if any. order: seats
    in the order of play. home: by seat. owner: by province, a seat or NONE. units: by province, flat groups of four
    (seat, infantry, cavalry, catapults), by seat. built: by province, see `Built`. roads: indices into `BOARD.edges`.
    leader_at: by leader (colour * LEADERS + k), a province, or ABOARD, PRISON, OFF; a captured Caesar lies in PRISON
    for good. leader_used: movements used this turn, or AT_SEA, RELEASED, TAKEN. galley_at: by galley (colour * GALLEYS
    + k) a board position or OFF. galley_used: movements used. cargo: by galley, () or the army aboard. docked: by
    galley, () or what it did when it reached the coast this turn, flat as in `Docking`: the zone, the army (3), the
    leaders. moved: by province, () or units of the active seat that marched there this turn: infantry, cavalry with
    one movement left, cavalry with none, catapults (zeros at the end left out). landed: by province, () or the army
    that came ashore there this turn. talents, marker: by seat. lord: by colour, the seat that owns its pieces, NONE
    once they left the game. inflation: the factor of all prices. triggered: the seat that reached 105 (205) first, or
    NONE. offers: bargains that the active seat may still offer this turn. proposals: by seat, () or what it proposes
    to the active seat: to, pays, wants, number of gives, gives, takes. conceded: by seat, the seat conceded to, or
    NONE. winner: a seat or NONE.
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
            pushed,
        )


class State(Table):
    """The authority's position; `pushed` numbers the frames."""

    pushed: int = 0

    def clone(self) -> "State":
        """Return a copy that shares nothing mutable."""
        return self.position(self.pushed)


class Docking(NamedTuple):
    """Docking of a galley that reached a coast this turn: the zone it came from, and the pieces it put ashore."""

    zone: Space
    army: Army
    leaders: tuple[Leader, ...]
