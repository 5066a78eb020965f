"""The order of play, and the active seat, in the games whose lowest frame is a turn."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from shared.ids import NONE, Seat
from shared.kernel.frames import Emit
from shared.mechanics.ending import declare
from shared.mechanics.standings import ranking
from shared.mechanics.table import Pieces
from shared.vocabulary.events import Why
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


def seats_after(order: Sequence[Seat], seat: Seat) -> Iterator[tuple[Seat, bool]]:
    """Yield the seats that follow `seat`, round after round without end, and whether a new round begins with each."""
    # Eliminated seats are yielded too: prices rise as their turn would begin (CL-D26).
    place = order.index(seat)
    while True:
        place = (place + 1) % len(order)
        yield order[place], place == 0


def new_round(state: Pieces, limit: int, emit: Emit) -> bool:
    """Begin a round and return True. After round `limit` (a house rule; 0 for none) declare the first in the ranking
    the winner and return False.
    """
    if limit and state.round >= limit:
        declare(state, ranking(state)[0], Why.ROUND_LIMIT, emit)
        return False
    state.round += 1
    return True
