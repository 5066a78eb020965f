"""Parts that the games' tables have in common."""

from enum import IntEnum
from typing import Protocol

from shared.ids import Seat, Space


class Built(IntEnum):
    """Building in a province."""

    NOTHING = 0
    CITY = 1
    FORTIFIED = 2


class Pieces(Protocol):
    """Fields that the games' tables have in common.

    order: seats in the order of play. By province: owner, units (see `cells`), built (see `Built`), moved and
    landed (see `marching`). roads: indices into `BOARD.edges`. By leader: leader_at (a province or
    as in `places`), leader_used (movement points). By galley: galley_at (a position or OFF), galley_used, cargo (() or
    an army). By seat: home, talents, marker, conceded (the seat conceded to, or NONE). By colour: lord, the seat that
    owns its pieces, NONE once they left the game. triggered: the first seats to reach the marks of inflation. winner: a
    seat or NONE.
    """

    seats: int
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
    triggered: list[int]
    conceded: list[int]
    winner: int

    @property
    def inflation_marks(self) -> tuple[int, ...]:
        """Tributes of a turn from which prices rise at this table, in rising order."""
