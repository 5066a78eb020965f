"""Interfaces between the sheets over the board and the current task. The task of one decision meets each of them."""

from typing import Protocol, runtime_checkable

from shared.ids import Seat

Votes = tuple[int, int, int, int]
"""Senators by value, I to IV."""


@runtime_checkable
class Bidding(Protocol):
    """The task of an alliance auction. Boxes are 0 (A) and 1 (B)."""

    talents: int
    """Talents of the bid in the making."""
    boxes: tuple[Seat, Seat]
    """Seats in the boxes of the bid in the making, or NONE."""

    def free(self) -> tuple[Seat, ...]:
        """Return the players who can be proposed and stand in no box yet."""

    def idle(self) -> bool:
        """Whether another player already leads with the same boxes. Passing then costs nothing."""

    def put(self, seat: Seat, box: int) -> None:
        """Put a player's marker into a box, or with -1 back beside the boxes. A marker in the way makes room."""

    def raise_by(self, talents: int) -> None:
        """Raise the bid by so many talents; negative lowers it."""

    def confirm(self) -> bool:
        """Make the bid."""


@runtime_checkable
class Shopping(Protocol):
    """The task of a turn, as far as it concerns cards."""

    card: int
    """Kind of the chosen card, from the row or the own cards, or NONE."""

    def choose_card(self, card: int) -> None:
        """Choose a card of the row, to obtain it; NONE puts it back."""

    def why_not_card(self, card: int) -> str:
        """Return why a card of the row cannot be taken now; empty if it can."""

    def choose_use(self, card: int) -> None:
        """Choose an own card, to use it."""

    def why_not_use(self, card: int) -> str:
        """Return why an own card cannot be used now; empty if it can."""


@runtime_checkable
class Voting(Protocol):
    """The task of a senate vote."""

    chosen: Votes
    """Senators to be shown in addition."""

    def add(self, value: int, by: int) -> None:
        """Show `by` more (or fewer) senators of a value, 0 for I to 3 for IV."""

    def confirm(self) -> bool:
        """Show the chosen senators."""
