"""Parts of a position that both games have."""

from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import Struct

from shared.ids import Seat, Space
from shared.kernel import frames
from shared.mechanics.table import Pieces
from shared.mechanics.tribute import INFLATION_MARKS

F = TypeVar("F", bound=frames.Frame)


class FirstFields(Struct, Generic[F], array_like=True):
    """Fields with which the tables of both games begin, in the order of the wire.

    options: values in the order of the rule set's options, then how many amendments are in force, if any. order: seats
    in the order of play. home: by seat. owner: by province, a seat or NONE. units: by province, flat groups of four
    (seat, infantry, cavalry, catapults), by seat. built: by province, see `Built`. roads: indices into `BOARD.edges`.
    leader_at: by leader, a province, or ABOARD, PRISON, OFF. leader_used: movement points used this turn, or AT_SEA.
    galley_at: by galley, a board position or OFF. galley_used: points used. cargo: by galley, () or the army aboard.

    Later fields that both have. moved: by province, () or units of the active seat that marched there this turn:
    infantry, cavalry with one point left, cavalry with none, catapults (zeros at the end left out). landed: by
    province, () or the army that came ashore there this turn. talents, marker: by seat. lord: by colour, the seat that
    owns its pieces, NONE once they left the game. inflation: the factor of all prices. triggered: the seat that reached
    105 (205) first, or NONE. conceded: by seat, the seat conceded to, or NONE. winner: a seat or NONE.
    """

    seats: int
    options: tuple[int, ...]
    frames: list[F]
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

    @property
    def inflation_marks(self) -> tuple[int, ...]:
        """Tributes of a turn from which prices rise (CL-INFL-01, MB-INFL-01)."""
        return INFLATION_MARKS


class TableFields(Pieces, Protocol):
    """A position of either game.

    leaders_each, galleys_each: pieces of a colour, numbered colour by colour; leader 0 of a colour is its Caesar.
    options: values in the order of the game's options, then the number of amendments in force, if any. frames: frames
    that are owed, the top one last. inflation: the factor of all prices.
    """

    leaders_each: ClassVar[int]
    galleys_each: ClassVar[int]
    options: tuple[int, ...]
    frames: list[Any]
    inflation: int


class State(TableFields, frames.State, Protocol):
    """The authority's position of either game."""
