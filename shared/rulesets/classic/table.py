"""The table of a Classic match: flat lists, cheap to clone."""

from typing import ClassVar

from shared.rulesets.classic.frames import AnyFrame
from shared.rulesets.conquest.table import FirstFields

LEADERS = 5
"""Leaders per colour: a Caesar (number 0) and four generals (CL-COMP-02)."""
GALLEYS = 8
"""Galleys per colour."""
POOL = (20, 20, 6, GALLEYS)
"""Infantry, cavalry, catapults, galleys per colour (CL-COMP-02, CL-D46)."""
CITIES, FORTIFICATIONS, ROADS = 16, 16, 20
"""The common supply (CL-COMP-03)."""


class TableFields(FirstFields[AnyFrame]):
    """Table: `FirstFields`, and what Classic adds.

    captured: seat * 4 + kind, pieces won with a captured colour (kept only where the table bars buying in captured
    colours, CL-D24). due: the marks whose prices rise, or rose, as a turn of the seat that reached them begins: 1 for
    the first, 2 for the second, 3 for both (CL-D26); before its amendment how many of them were reached before this
    round began.
    """

    leaders_each: ClassVar = LEADERS
    galleys_each: ClassVar = GALLEYS

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
        # By position: hand-written copies in the order of the fields, because this runs in every search.
        return State(
            self.seats,
            self.options,
            # Frames, cells and options are immutable, so a shallow copy of each list shares nothing that changes.
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


class State(TableFields):
    """The authority's position; `pushed` numbers the frames."""

    pushed: int = 0

    def clone(self) -> "State":
        """Return a copy that shares nothing mutable."""
        return self.position(self.pushed)
