"""Common interface of the positions of all games: a board, players, and pieces of the same kinds."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from shared.ids import Seat
from shared.kernel.frames import Frame


class SeatPosition(Protocol):
    """A position as a seat sees it; the `SeatPosition` of each rule set defines its fields."""

    @property
    def seats(self) -> int:
        """Number of seats."""

    @property
    def frames(self) -> Sequence[Frame]:
        """Pending decisions, the top one last."""

    @property
    def order(self) -> tuple[Seat, ...]:
        """The seats in the order of play, as far as it is known."""

    @property
    def owner(self) -> Sequence[int]:
        """By province, a seat or NONE."""

    @property
    def units(self) -> Sequence[tuple[int, ...]]:
        """By province, flat groups of four: seat, infantry, cavalry, catapults."""

    @property
    def leader_at(self) -> Sequence[int]:
        """By leader, grouped by colour, the Caesar first: a province, or a place beside the board."""

    @property
    def galley_at(self) -> Sequence[int]:
        """By galley, a position on the board or OFF."""

    @property
    def conceded(self) -> Sequence[int]:
        """By seat, the seat to which it has conceded, or NONE."""

    @property
    def winner(self) -> int:
        """A seat or NONE."""


T = TypeVar("T", bound=SeatPosition)
T_contra = TypeVar("T_contra", bound=SeatPosition, contravariant=True)
T_co = TypeVar("T_co", bound=SeatPosition, covariant=True)
