"""Who owns what, and how it changes hands: provinces, markers, pieces, prisoners, whole empires."""

from collections.abc import Sequence
from functools import reduce

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Emit, push
from shared.mechanics import cells, empires, galleys, links, pairs, prisoners
from shared.mechanics.armies import plus
from shared.mechanics.cells import enemies_in, has_army, hostile, parted
from shared.mechanics.ending import close_ranks
from shared.mechanics.pieces import standing
from shared.mechanics.tribute import INFLATION_MARKS, raise_marker, worth
from shared.rulesets.mb1984 import events
from shared.rulesets.mb1984.amendments import CAPTURED_GENERALS, amended
from shared.rulesets.mb1984.frames import Captives, Combat
from shared.rulesets.mb1984.options import CITY_LIMIT
from shared.rulesets.mb1984.state import (
    GALLEYS,
    LEADERS,
    LEGION,
    OFF,
    POOL,
    PRISON,
    RELEASED,
    TAKEN,
    State,
    Table,
    enemy_leaders,
    galleys_at,
    is_caesar,
    leader_lord,
    living,
)

REWARD = 100
"""Talents for a captured Caesar (MB-CAESAR-04)."""
UNLIMITED = 1000


def capacity(table: Table, seat: Seat, space: Space, leaders: int) -> int:
    """Units that `seat` may keep in a province with so many Caesars and generals (MB-LEGION-02, MB-D04)."""
    if table.built[space] and table.owner[space] == seat:
        return UNLIMITED if table.options[CITY_LIMIT] else LEGION * (leaders + 1)
    return LEGION * leaders


def remove_roads(state: State, space: Space, emit: Emit) -> None:
    """All roads to a city go (MB-ROAD-07, MB-DESTROY-01)."""
    kept = links.without(state.roads, space)
    if len(kept) != len(state.roads):
        emit(events.RoadsLost(space, tuple([road for road in state.roads if road not in kept])))
        state.roads = kept


def take_province(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """`seat` conquers: markers move, the city changes hands without its roads, a home is looted
    (MB-WIN-01, MB-WIN-02, MB-HOME-01)."""
    loser = state.owner[space]
    if loser == seat:
        return
    remove_roads(state, space, emit)
    state.owner[space] = seat
    if loser != NONE:
        state.marker[loser] -= worth(state, space)
    emit(events.Conquered(seat, space, loser))
    raise_marker(state, seat, worth(state, space), emit)
    if loser != NONE and state.home[loser] == space and state.talents[loser]:
        loot, state.talents[loser] = state.talents[loser], 0
        state.talents[seat] += loot
        emit(events.Looted(seat, loser, loot))


def clear_shore(state: State, keeper: Seat, space: Space, emit: Emit) -> None:
    """Galleys of others on the shores of a conquered province are destroyed (MB-WIN-03, MB-D20)."""
    for enemy in living(state):
        if enemy != keeper:
            sink_docked(state, enemy, space, emit)


def sink_docked(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """The galleys of `seat` on the shores of a province are destroyed (MB-RETREAT-05, MB-WIN-04, MB-D19)."""
    lost = [galley for coast in BOARD.coasts[space] for galley in galleys_at(state, seat, coast)]
    if lost:
        sink(state, seat, space, lost, emit)


def sink(state: State, seat: Seat, space: Space, lost: Sequence[int], emit: Emit) -> None:
    """Galleys leave the board; who was aboard is the caller's business."""
    for galley in lost:
        state.galley_at[galley] = OFF
    emit(events.Sank(seat, space, tuple(lost)))


def enter(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """A legion stands where nobody defends: the province is its own (MB-MOVE-08, MB-D05, MB-D20)."""
    if state.owner[space] != seat:
        take_province(state, seat, space, emit)
        clear_shore(state, seat, space, emit)


def settle_ground(state: State, seat: Seat, spaces: Sequence[Space], emit: Emit) -> None:
    """`seat` conquers those of the provinces where its legions stand with no enemy left (MB-D38)."""
    for space in spaces:
        cell = state.units[space]
        if cell and has_army(cell, seat) and not hostile(cell, seat) and not enemy_leaders(state, seat, space):
            enter(state, seat, space, emit)


def fall(state: State, seat: Seat, space: Space, army: Army, emit: Emit) -> None:
    """Units on land are lost and go back to the supply (MB-BATTLE-04)."""
    state.units[space] = parted(state.units[space], seat, army)
    emit(events.Fell(seat, space, army))


def in_play(table: Table) -> Army:
    """Infantry, cavalry and catapults of all players on the board, cargo included."""
    infantry = cavalry = catapults = 0
    for cell in filter(None, table.units):
        for i in range(0, len(cell), 4):
            infantry += cell[i + 1]
            cavalry += cell[i + 2]
            catapults += cell[i + 3]
    return plus((infantry, cavalry, catapults), reduce(plus, filter(None, table.cargo), NO_ARMY))


def supply(table: Table, seat: Seat) -> tuple[int, int, int, int]:
    """Infantry, cavalry, catapults that anybody, and galleys that `seat` may still buy: only galleys of its own
    colour (MB-COMP-07, MB-CAESAR-06, MB-D39, MB-D47)."""
    here = in_play(table)
    idle = table.galley_at[seat * GALLEYS : seat * GALLEYS + GALLEYS].count(OFF)
    return POOL[0] - here[0], POOL[1] - here[1], POOL[2] - here[2], idle


def free(state: State, leader: Leader, emit: Emit) -> None:
    """A general is back with its owner, and does not move before the owner's next turn (MB-D34, MB-D38)."""
    prisoners.free(state, leader, LEADERS, RELEASED, emit)


def capture(state: State, by: Seat, leaders: Sequence[Leader], emit: Emit) -> None:
    """`by` captures leaders: a Caesar eliminates its player, generals are killed or held (MB-LEAD-07, MB-GEN-01)."""
    if not leaders:
        return
    emit(events.Captured(by, tuple(leaders)))
    staying = prisoners.with_their_caesar(state, leaders, LEADERS) if amended(state, CAPTURED_GENERALS) else ()
    for leader in leaders:
        if leader in staying:
            state.leader_used[leader] = RELEASED
        else:
            state.leader_at[leader] = PRISON + by
            state.leader_used[leader] = TAKEN
    for leader in leaders:
        if is_caesar(leader) and leader_lord(state, leader) != by:
            eliminate(state, leader_lord(state, leader), by, emit)
    taken = tuple(x for x in leaders if prisoners.is_prisoner(state, x, by, LEADERS))
    if taken and state.winner == NONE:
        push(state, Captives, by, taken)


def eliminate(state: State, loser: Seat, by: Seat, emit: Emit) -> None:
    """A Caesar is captured: all that `loser` had is `by`'s now, and 100 talents (MB-CAESAR-01 to -05, MB-D42)."""
    emit(events.Eliminated(loser, by))
    gain = empires.inherit(state, by, loser)
    state.talents[by] += REWARD
    emit(events.Rewarded(by, REWARD))
    raise_marker(state, by, gain, emit)
    for leader in prisoners.pass_on(state, loser, by, LEADERS):
        free(state, leader, emit)
    _forget(state, loser, emit)


def _forget(state: State, gone: Seat, emit: Emit) -> None:
    """Proposals and concessions of and to a player who is gone; the last one, or the agreed one, wins."""
    for seat, proposal in enumerate(state.proposals):
        if proposal and (seat == gone or proposal[0] == gone):
            state.proposals[seat] = ()
    close_ranks(state, gone, emit)


def vanish(state: State, seat: Seat, emit: Emit) -> None:
    """`seat` leaves: its pieces leave the board, its provinces are nobody's, no one is rewarded (MB-D50)."""
    emit(events.Eliminated(seat, NONE))
    lands = [space for space, owner in enumerate(state.owner) if owner == seat]
    empires.clear_away(state, seat, LEADERS, GALLEYS)
    for space in lands:
        remove_roads(state, space, emit)
    for leader in standing(state.leader_at, PRISON + seat):
        free(state, leader, emit)
    _forget(state, seat, emit)


# --- who must fight ---


def contested(table: Table, seat: Seat) -> list[tuple[Space, Seat]]:
    """Battles that `seat` must fight: (space, enemy) pairs; where only enemy leaders stand they will be captured
    (MB-BATTLE-01, MB-D01, MB-D13)."""
    found = []
    met = {at for leader, at in enumerate(table.leader_at) if leader_lord(table, leader) != seat}
    for space, cell in enumerate(table.units):
        if not cell or not has_army(cell, seat):
            continue
        if cells.contested(cell):
            found += [(space, enemy) for enemy in enemies_in(cell, seat)]
        elif space in met:
            lone = enemy_leaders(table, seat, space)
            if lone:
                found.append((space, leader_lord(table, lone[0])))
    return found + galleys.meetings(table.galley_at, table.lord, seat, GALLEYS)


def reconsider_battles(state: State, emit: Emit) -> None:
    """The battles still to be fought, once one is over or a player is gone. The captor of a Caesar takes over his
    battles; those against himself are void (MB-D38)."""
    place = next((i for i, frame in enumerate(state.frames) if isinstance(frame, Combat)), None)
    if place is None:
        return
    frame = state.frames[place]
    assert isinstance(frame, Combat)
    seat = state.lord[frame.seat]
    spaces = set(frame.pending[::2])
    left = [pair for pair in contested(state, seat) if pair[0] in spaces] if seat != NONE else []
    state.frames[place] = Combat(frame.no, frame.seat if seat == NONE else seat, pairs.flat(left))
    if seat != NONE:
        settle_ground(state, seat, sorted(space for space in spaces if space < BOARD.provinces), emit)


__all__ = [
    "INFLATION_MARKS",
    "REWARD",
    "capacity",
    "capture",
    "clear_shore",
    "contested",
    "eliminate",
    "enter",
    "fall",
    "free",
    "in_play",
    "reconsider_battles",
    "remove_roads",
    "settle_ground",
    "sink",
    "sink_docked",
    "supply",
    "take_province",
    "vanish",
    "worth",
]
