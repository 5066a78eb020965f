"""Retreat of a side's remaining units from a battle."""

from collections.abc import Sequence

from shared.ids import NO_ARMY, Leader, Seat, Space
from shared.kernel.frames import Emit
from shared.mechanics.cells import army_of, put_army, with_army
from shared.mechanics.table import Pieces
from shared.vocabulary.events import Retreated


def retreat(state: Pieces, seat: Seat, source: Space, to: Space, leaders: Sequence[Leader], emit: Emit) -> None:
    """Move the army of `seat` and its `leaders` from one province to another."""
    army = army_of(state.units[source], seat)
    state.units[source] = put_army(state.units[source], seat, NO_ARMY)
    state.units[to] = with_army(state.units[to], seat, army)
    for leader in leaders:
        state.leader_at[leader] = to
    emit(Retreated(seat, source, to, tuple(leaders), army))
