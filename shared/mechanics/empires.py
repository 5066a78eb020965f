"""Transfer or removal of all that an eliminated player had."""

from shared.ids import NO_ARMY, NONE, Seat
from shared.mechanics.armies import army_of, put_army, with_army
from shared.mechanics.pieces import OFF, own
from shared.mechanics.table import Pieces


def inherit(state: Pieces, heir: Seat, loser: Seat) -> int:
    """Give the heir all talents, armies, provinces and colours of `loser`.

    Return the former value of the loser's marker; the caller raises the heir's marker by it.
    """
    state.talents[heir] += state.talents[loser]
    state.talents[loser] = 0
    for space, cell in enumerate(state.units):
        army = army_of(cell, loser)
        if any(army):
            state.units[space] = with_army(put_army(cell, loser, NO_ARMY), heir, army)
    # Leaders and galleys need no change: they belong to a colour, and the colour gets a new lord below.
    _replace(state.owner, loser, heir)
    _replace(state.lord, loser, heir)
    gain, state.marker[loser] = state.marker[loser], 0
    return gain


def clear_away(state: Pieces, seat: Seat, leaders: int, galleys: int) -> None:
    """Remove all pieces of `seat` from the board for good; its provinces have no owner any more.

    leaders, galleys: number of pieces of a colour.
    """
    for space, cell in enumerate(state.units):
        if cell:
            state.units[space] = put_army(cell, seat, NO_ARMY)
    # Before the colours lose their lord at the end: `own` finds pieces by it.
    for galley in own(state, seat, galleys):
        state.galley_at[galley] = OFF
        state.cargo[galley] = ()
    for leader in own(state, seat, leaders):
        state.leader_at[leader] = OFF
    _replace(state.owner, seat, NONE)
    _replace(state.lord, seat, NONE)
    state.talents[seat] = state.marker[seat] = 0


def _replace(seats: list[int], old: Seat, new: Seat) -> None:
    seats[:] = [new if seat == old else seat for seat in seats]
