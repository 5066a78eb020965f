"""The active seat, in the games whose lowest frame is a turn."""

from collections.abc import Sequence
from typing import Any, Protocol

from shared.ids import NONE, Seat
from shared.vocabulary.frames import Turn


class Turning(Protocol):
    """A position of such a game."""

    @property
    def frames(self) -> Sequence[Any]:
        """Frames that are owed."""


def active_seat(table: Turning) -> Seat:
    """Return the seat whose turn it is; NONE before the first turn."""
    turn = table.frames[0]
    return turn.seat if isinstance(turn, Turn) else NONE


def is_reaction(table: Turning, seat: Seat) -> bool:
    """Whether a decision of the seat answers another seat's turn: it defends, loses units, bargains."""
    return active_seat(table) not in (NONE, seat)
