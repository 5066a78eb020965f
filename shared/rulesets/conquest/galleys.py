"""Galleys: what goes aboard, what is aboard, what goes ashore (CL-SEA, MB-SEA)."""

from collections.abc import Sequence

from shared.ids import NO_ARMY, Army, Leader, Seat, Space
from shared.mechanics.armies import common, minus, plus, with_army, without_army
from shared.mechanics.pieces import ABOARD, AT_SEA
from shared.rulesets.conquest.pieces import leaders_at
from shared.rulesets.conquest.table import TableFields
from shared.vocabulary.actions import Sail


def boarding(sail: Sail) -> Army:
    """Return the units that go aboard."""
    return sail.infantry, sail.cavalry, sail.catapults


def aboard(table: TableFields, seat: Seat, galley: int) -> tuple[tuple[Leader, ...], Army]:
    """Return the leaders and units aboard a galley."""
    cargo = table.cargo[galley]
    return leaders_at(table, seat, ABOARD + galley), (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY


def embark(
    state: TableFields,
    seat: Seat,
    galley: int,
    space: Space,
    leaders: Sequence[Leader],
    army: Army,
    landed: Sequence[int],
) -> None:
    """Put leaders and units aboard.

    landed: units that came ashore this turn and may go aboard again. They go first, as they can do nothing else any
    more (CL-H03, MB-SEA-02 c).
    """
    _go(state, leaders, ABOARD + galley)
    if not any(army):
        return
    # Rule CL-H03: they go first, so that as many others as possible can still march.
    if any(landed):
        rest = minus(state.landed[space], common(landed, army))
        state.landed[space] = rest if any(rest) else ()
    state.units[space] = without_army(state.units[space], seat, army)
    state.cargo[galley] = army


def land(state: TableFields, seat: Seat, galley: int, space: Space, leaders: Sequence[Leader]) -> None:
    """Put leaders and units ashore."""
    _go(state, leaders, space)
    cargo = state.cargo[galley]
    if cargo:
        state.units[space] = with_army(state.units[space], seat, cargo)
        state.landed[space] = plus(state.landed[space] or NO_ARMY, cargo)
        state.cargo[galley] = ()


def _go(state: TableFields, leaders: Sequence[Leader], place: int) -> None:
    for leader in leaders:
        state.leader_at[leader] = place
        state.leader_used[leader] = AT_SEA
