"""Parts of a position that both games have."""

from typing import Any, ClassVar, Protocol

from shared.kernel import frames
from shared.mechanics.table import Pieces


class Table(Pieces, Protocol):
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


class State(Table, frames.State, Protocol):
    """The authority's position of either game."""
