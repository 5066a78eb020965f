"""What the sheets over the board may ask of the task that is done: each is met by the task of one decision."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from shared.ids import Seat

Votes = tuple[int, int, int, int]
"""Senators by value, I to IV."""


@runtime_checkable
class Bidding(Protocol):
    """The task of an alliance auction. Boxes are 0 (A) and 1 (B)."""

    talents: int
    """What would be offered."""
    boxes: tuple[Seat, Seat]
    """Who would stand in the boxes, or NONE."""

    def free(self) -> tuple[Seat, ...]:
        """Players who can be proposed and stand in no box yet."""

    def idle(self) -> bool:
        """Whether somebody else offers talents for the very same already: then it costs nothing to pass."""

    def put(self, seat: Seat, box: int) -> None:
        """Put a player's marker into a box, or with -1 back beside the boxes; who stood there makes room."""

    def raise_by(self, talents: int) -> None:
        """Offer more, or less."""

    def confirm(self) -> bool:
        """Make the bid."""


@runtime_checkable
class Shopping(Protocol):
    """The task of a turn, for all that has to do with cards."""

    card: int
    """The kind of card that is chosen, of the row or of one's own, or NONE."""

    def choose_card(self, card: int) -> None:
        """Choose a card of the row, to obtain it; NONE puts it back."""

    def why_not_card(self, card: int) -> str:
        """Why a card of the row cannot be taken now; empty where it can."""

    def choose_use(self, card: int) -> None:
        """Choose a card of one's own, to use it."""

    def why_not_use(self, card: int) -> str:
        """Why a card of one's own cannot be used now; empty where it can."""


@runtime_checkable
class Voting(Protocol):
    """The task of a senate vote."""

    chosen: Votes
    """Senators to be shown in addition."""

    def add(self, value: int, by: int) -> None:
        """Show so many more (or fewer) senators of a value, 0 for I to 3 for IV."""

    def confirm(self) -> bool:
        """Show them."""
