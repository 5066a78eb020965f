"""The table of a 1984 match: flat lists, cheap to clone."""

from typing import ClassVar, Final, NamedTuple

from shared.ids import Army, Leader, Space
from shared.rulesets.conquest.table import FirstFields
from shared.rulesets.mb1984.frames import AnyFrame
from shared.rulesets.mb1984.options import inflation_marks

LEADERS = 7
"""Leaders per colour: a Caesar (number 0) and six generals (MB-COMP-02)."""
GALLEYS = 6
"""Galleys per colour (MB-COMP-02)."""
CITIES, FORTIFICATIONS, ROADS = 30, 16, 34
"""The common supply of buildings (MB-COMP-04); short and long roads are one supply (MB-D12)."""


class TableFields(FirstFields[AnyFrame]):
    """Table: `FirstFields`, and what the 1984 game adds.

    leader_at: a captured Caesar lies in PRISON for good. leader_used: also RELEASED, TAKEN. docked: by galley, () or
    what it did when it reached the coast this turn, flat as in `Docking`: the zone, the army (3), the leaders. offers:
    bargains that the active seat may still offer this turn. proposals: by seat, () or what it proposes to the active
    seat: to, pays, wants, number of gives, gives, takes.
    """

    leaders_each: ClassVar = LEADERS
    galleys_each: ClassVar = GALLEYS

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

    @property
    def inflation_marks(self) -> tuple[int, ...]:
        """Tributes of a turn from which prices rise at this table (MB-INFL-01)."""
        return inflation_marks(self)

    def position(self, pushed: int) -> "State":
        """Return a position that goes on from here, with `pushed` frames numbered; it shares nothing mutable."""
        # By position: hand-written copies in the order of the fields, because this runs in every search.
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


class State(TableFields):
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


# Above AT_SEA and all points, so that comparisons with the points fail for it too.
RELEASED: Final = 4
"""`leader_used` of a general that came back this turn and not by an exchange: no march before the owner's next turn
(MB-D37).
"""
TAKEN: Final = 5
"""`leader_used` of a leader that was captured this turn, and is judged at once or in a later turn (MB-GEN-01)."""
