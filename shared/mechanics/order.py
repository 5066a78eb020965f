"""The order of play: the next seat, and the end of a round."""

from collections.abc import Iterator, Sequence

from shared.ids import Seat
from shared.kernel.frames import Emit
from shared.mechanics.ending import declare
from shared.mechanics.standings import ranking
from shared.mechanics.table import Pieces
from shared.vocabulary.events import Why


def seats_after(order: Sequence[Seat], seat: Seat) -> Iterator[tuple[Seat, bool]]:
    """Yield the seats that follow `seat`, round after round without end, and whether a new round begins with each."""
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
