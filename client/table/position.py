"""What the positions of all games have in common: a board, players, and pieces of the same kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from shared.ids import Seat
from shared.kernel.frames import Frame


class Table(Protocol):
    """A position as a seat sees it; the `Table` of each rule set says what its fields mean."""

    @property
    def seats(self) -> int:
        """How many play."""

    @property
    def frames(self) -> Sequence[Frame]:
        """What is owed, the top one last."""

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
        """By leader, each colour's behind each other, the Caesar first: a province, or a place beside the board."""

    @property
    def galley_at(self) -> Sequence[int]:
        """By galley, a position on the board or OFF."""

    @property
    def conceded(self) -> Sequence[int]:
        """By seat, to whom it has conceded, or NONE."""

    @property
    def winner(self) -> int:
        """A seat or NONE."""


T = TypeVar("T", bound=Table)
T_contra = TypeVar("T_contra", bound=Table, contravariant=True)
T_co = TypeVar("T_co", bound=Table, covariant=True)
