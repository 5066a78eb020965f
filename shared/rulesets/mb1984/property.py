"""Property and its transfer: provinces, markers, pieces, prisoners, whole empires."""

from collections.abc import Sequence
from functools import partial, reduce
from operator import gt

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Emit
from shared.mechanics import armies, empires, flat_pairs, galleys, position_checks, prisoners, roads
from shared.mechanics.armies import enemies_in, has_army, hostile, plus, put_army, total, well_formed, without_army
from shared.mechanics.ending import drop_concessions
from shared.mechanics.galleys import meetings
from shared.mechanics.pieces import ABOARD, OFF, PRISON, alive, living, own, pieces_at
from shared.mechanics.tribute import raise_marker, worth
from shared.rulesets.conquest.pieces import (
    LEGION,
    enemy_leaders,
    galley_lord,
    galleys_at,
    is_caesar,
    leader_lord,
    leaders_at,
)
from shared.rulesets.conquest.property import conquer, judge_captives
from shared.rulesets.mb1984.amendments import CAPTURED_GENERALS, amended
from shared.rulesets.mb1984.events import Looted, Rewarded, RoadsLost
from shared.rulesets.mb1984.frames import Combat
from shared.rulesets.mb1984.options import CITY_LIMIT, ENEMY_COASTS, POOL, leaves_empire, unit_pool
from shared.rulesets.mb1984.table import (
    CITIES,
    FORTIFICATIONS,
    GALLEYS,
    LEADERS,
    RELEASED,
    ROADS,
    TAKEN,
    State,
    TableFields,
)
from shared.vocabulary import events
from shared.vocabulary.frames import Movement

REWARD = 100
"""Talents for a captured Caesar (MB-CAESAR-04)."""
# More than all units in the box (110), so that comparisons with it never refuse.
UNLIMITED = 1000


def capacity(table: TableFields, seat: Seat, space: Space, leaders: int) -> int:
    """Return the number of units that `seat` may keep in a province with so many Caesars and generals (MB-LEGION-02,
    MB-D04).
    """
    if table.built[space] and table.owner[space] == seat:
        return UNLIMITED if table.options[CITY_LIMIT] else LEGION * (leaders + 1)
    return LEGION * leaders


def remove_roads(state: State, space: Space, emit: Emit) -> None:
    """Remove all roads to a city (MB-ROAD-07, MB-DESTROY-01)."""
    roads_left = roads.roads_without(state.roads, space)
    if len(roads_left) != len(state.roads):
        emit(RoadsLost(space, tuple([road for road in state.roads if road not in roads_left])))
        state.roads = roads_left


def take_province(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """Conquer a province for `seat`: markers move, the city changes hands without its roads, a home is looted.

    Rules MB-WIN-01, MB-WIN-02, MB-HOME-01.
    """
    loser = state.owner[space]
    if loser == seat:
        return
    # Before the owner changes: roads to a conquered city go in every case (MB-ROAD-07).
    remove_roads(state, space, emit)
    conquer(state, seat, space, emit)
    # Each player's own home only: a lost second home of a captured colour is not looted.
    if loser != NONE and state.home[loser] == space and state.talents[loser]:
        loot, state.talents[loser] = state.talents[loser], 0
        state.talents[seat] += loot
        emit(Looted(seat, loser, loot))


def clear_shore(state: State, keeper: Seat, space: Space, emit: Emit) -> None:
    """Destroy galleys of others on the shores of a conquered province (MB-WIN-03, MB-D20)."""
    for enemy in living(state):
        if enemy != keeper:
            sink_docked(state, enemy, space, emit)


def sink_docked(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """Destroy the galleys of `seat` on the shores of a province (MB-RETREAT-05, MB-WIN-04, MB-D19)."""
    lost = [galley for coast in BOARD.coasts[space] for galley in galleys_at(state, seat, coast)]
    if lost:
        sink(state, seat, space, lost, emit)


def sink(state: State, seat: Seat, space: Space, lost: Sequence[int], emit: Emit) -> None:
    """Remove galleys from the board. The caller decides about pieces aboard."""
    for galley in lost:
        state.galley_at[galley] = OFF
    emit(events.Sank(seat, space, tuple(lost)))


def enter(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """Let a legion enter an undefended province, which becomes its own (MB-MOVE-08, MB-D05, MB-D20)."""
    if state.owner[space] != seat:
        take_province(state, seat, space, emit)
        clear_shore(state, seat, space, emit)


def settle_ground(state: State, seat: Seat, spaces: Sequence[Space], emit: Emit) -> None:
    """Conquer those of the provinces in which legions of `seat` stand with no enemy left (MB-D38)."""
    for space in spaces:
        cell = state.units[space]
        if cell and has_army(cell, seat) and not hostile(cell, seat) and not enemy_leaders(state, seat, space):
            enter(state, seat, space, emit)


def fall(state: State, seat: Seat, space: Space, army: Army, emit: Emit) -> None:
    """Return lost units on land to the supply (MB-BATTLE-04)."""
    state.units[space] = without_army(state.units[space], seat, army)
    emit(events.Fell(seat, space, army))


def in_play(table: TableFields) -> Army:
    """Return infantry, cavalry and catapults of all players on the board, cargo included."""
    infantry = cavalry = catapults = 0
    for cell in filter(None, table.units):
        for i in range(0, len(cell), 4):
            infantry += cell[i + 1]
            cavalry += cell[i + 2]
            catapults += cell[i + 3]
    return plus((infantry, cavalry, catapults), reduce(plus, filter(None, table.cargo), NO_ARMY))


def supply(table: TableFields, seat: Seat) -> tuple[int, int, int, int]:
    """Return the pieces that may still be bought (MB-COMP-07, MB-CAESAR-06, MB-D39, MB-D47).

    Infantry, cavalry and catapults are common; galleys are only those of the seat's own colour.
    """
    here = in_play(table)
    idle = table.galley_at[seat * GALLEYS : seat * GALLEYS + GALLEYS].count(OFF)
    pool = unit_pool(table)
    return pool[0] - here[0], pool[1] - here[1], pool[2] - here[2], idle


def free(state: State, leader: Leader, emit: Emit) -> None:
    """Return a general to its owner; it does not move before the owner's next turn (MB-D34, MB-D38)."""
    prisoners.free(state, leader, LEADERS, RELEASED, emit)


def capture(state: State, by: Seat, leaders: Sequence[Leader], emit: Emit) -> None:
    """Capture leaders: a Caesar eliminates its player, generals are killed or held (MB-LEAD-07, MB-GEN-01)."""
    if not leaders:
        return
    emit(events.Captured(by, tuple(leaders)))
    place = state.leader_at[leaders[0]]
    staying = prisoners.with_their_caesar(state, leaders, LEADERS) if amended(state, CAPTURED_GENERALS) else ()
    for leader in leaders:
        if leader in staying:
            # They are the victor's own but do not move this turn (MB-D34, MB-D38).
            state.leader_used[leader] = RELEASED
        else:
            state.leader_at[leader] = PRISON + by
            state.leader_used[leader] = TAKEN
    judge_captives(state, by, leaders, eliminate if leaves_empire(state) else partial(_fall_alone, place), emit)


def _fall_alone(place: Space, state: State, loser: Seat, by: Seat, emit: Emit) -> None:
    """Eliminate a player whose Caesar fell in `place`, by the house rule: the captor gets what stands there."""
    emit(events.Eliminated(loser, NONE))
    shores = BOARD.coasts[place] if place < BOARD.provinces else ()
    for galley in own(state, loser, GALLEYS):
        if state.galley_at[galley] not in shores:
            state.galley_at[galley], state.cargo[galley] = OFF, ()
    for leader in own(state, loser, LEADERS):
        if leader % LEADERS and state.leader_at[leader] not in (place, PRISON + by):
            state.leader_at[leader] = OFF
    for leader in pieces_at(state.leader_at, PRISON + loser):
        if leader_lord(state, leader) != loser:
            free(state, leader, emit)
    lands = [space for space, owner in enumerate(state.owner) if owner == loser and space != place]
    for space in lands:
        state.owner[space] = NONE
        state.marker[loser] -= worth(state, space)
        remove_roads(state, space, emit)
    state.units[:] = [put_army(cell, loser, NO_ARMY) if s != place else cell for s, cell in enumerate(state.units)]
    state.talents[loser] = 0
    _inherit(state, loser, by, emit)


def eliminate(state: State, loser: Seat, by: Seat, emit: Emit) -> None:
    """Eliminate a player whose Caesar is captured: `by` gets all they had, and 100 talents (MB-CAESAR-01 to -05,
    MB-D42).
    """
    emit(events.Eliminated(loser, by))
    _inherit(state, loser, by, emit)


def _inherit(state: State, loser: Seat, by: Seat, emit: Emit) -> None:
    """Give `by` all that is left of a fallen player, and the reward."""
    gain = empires.inherit(state, by, loser)
    state.talents[by] += REWARD
    emit(Rewarded(by, REWARD))
    raise_marker(state, by, gain, emit)
    for leader in prisoners.pass_on(state, loser, by, LEADERS):
        free(state, leader, emit)
    _forget(state, loser, emit)


def _forget(state: State, gone: Seat, emit: Emit) -> None:
    """Drop proposals and concessions of and to a player who is gone; the last player, or the agreed one, wins."""
    for seat, proposal in enumerate(state.proposals):
        if proposal and (seat == gone or proposal[0] == gone):
            state.proposals[seat] = ()
    drop_concessions(state, gone, emit)


def vanish(state: State, seat: Seat, emit: Emit) -> None:
    """Remove all pieces of `seat` from the board; its provinces lose their owner, and no player is rewarded
    (MB-D50).
    """
    emit(events.Eliminated(seat, NONE))
    # Noted before the provinces lose their owner.
    lands = [space for space, owner in enumerate(state.owner) if owner == seat]
    empires.clear_away(state, seat, LEADERS, GALLEYS)
    for space in lands:
        remove_roads(state, space, emit)
    for leader in pieces_at(state.leader_at, PRISON + seat):
        free(state, leader, emit)
    _forget(state, seat, emit)


# --- pending battles ---


def contested(table: TableFields, seat: Seat) -> list[tuple[Space, Seat]]:
    """Return the battles that `seat` must fight: (space, enemy) pairs (MB-BATTLE-01, MB-D01, MB-D13).

    Provinces with enemy leaders alone count too: these leaders will be captured.
    """
    found = []
    met = {at for leader, at in enumerate(table.leader_at) if leader_lord(table, leader) != seat}
    for space, cell in enumerate(table.units):
        if not cell or not has_army(cell, seat):
            continue
        if armies.contested(cell):
            found += [(space, enemy) for enemy in enemies_in(cell, seat)]
        elif space in met:
            lone = enemy_leaders(table, seat, space)
            if lone:
                found.append((space, leader_lord(table, lone[0])))
    return found + galleys.meetings(table.galley_at, table.lord, seat, GALLEYS)


def reconsider_battles(state: State, emit: Emit) -> None:
    """Update the battles still to be fought, once one is over or a player is gone (MB-D38).

    The captor of a Caesar takes over that player's battles; those against the captor are void.
    """
    # Not always on top: questions about captives may be owed above it.
    place = next((i for i, frame in enumerate(state.frames) if isinstance(frame, Combat)), None)
    if place is None:
        return
    frame = state.frames[place]
    assert isinstance(frame, Combat)
    seat = state.lord[frame.seat]
    spaces = set(frame.pending[::2])
    left = [pair for pair in contested(state, seat) if pair[0] in spaces] if seat != NONE else []
    # The number stays: it is the same decision, possibly of a new owner (MB-D38).
    state.frames[place] = Combat(frame.no, frame.seat if seat == NONE else seat, flat_pairs.to_flat(left))
    if seat != NONE:
        settle_ground(state, seat, sorted(space for space in spaces if space < BOARD.provinces), emit)


def invariants(table: TableFields) -> list[str]:
    """Return all faults; [] for a sound position."""
    wrong = position_checks.check_markers(table)
    wrong += _check_armies(table)
    if table.round:
        wrong += _check_leaders(table)
    wrong += position_checks.check_cargo(table, LEGION)
    wrong += _check_galleys(table)
    wrong += position_checks.check_frames(table.frames)
    wrong += position_checks.check_buildings(table, CITIES, FORTIFICATIONS, ROADS)
    return wrong + _check_roads(table)


def _check_roads(table: TableFields) -> list[str]:
    """Check that both cities of a road have the same owner (MB-ROAD-01, MB-ROAD-07)."""
    ends = [BOARD.edges[road] for road in table.roads]
    return [
        f"the road between {BOARD.keys[a]} and {BOARD.keys[b]} does not join two cities of one player"
        for a, b in ends
        if not table.owner[a] == table.owner[b] != NONE
    ]


def _check_armies(table: TableFields) -> list[str]:
    """Check armies (MB-D03, MB-D04, MB-D47); two armies meet only between movement and battle."""
    wrong = []
    meeting = any(isinstance(frame, Movement | Combat) for frame in table.frames)
    for space, cell in enumerate(table.units):
        if not cell:
            continue
        if not well_formed(cell) or (armies.contested(cell) and not meeting):
            wrong.append(f"bad armies {cell} in {BOARD.keys[space]}")
        for seat, army in armies.armies(cell):
            if not alive(table, seat):
                wrong.append(f"seat {seat}, which is out, has an army in {BOARD.keys[space]}")
            elif total(army) > capacity(table, seat, space, len(leaders_at(table, seat, space))):
                wrong.append(f"too few leaders for {cell} in {BOARD.keys[space]}")
            if not meeting and table.owner[space] != seat:
                wrong.append(f"seat {seat} has an army in {BOARD.keys[space]} and does not own it")
    here = in_play(table)
    if any(map(gt, here, POOL)):
        wrong.append(f"{here} units on the board are more than there are pieces")
    return wrong


def _check_leaders(table: TableFields) -> list[str]:
    wrong = []
    for leader, at in enumerate(table.leader_at):
        lord, colour, caesar = leader_lord(table, leader), leader // LEADERS, is_caesar(table, leader)
        if caesar and lord == colour and not (0 <= at < PRISON):
            wrong.append(f"the Caesar of seat {lord} is at {at}")
        if at == OFF:
            continue
        if at >= PRISON:
            own = at - PRISON == lord
            if not alive(table, at - PRISON) or own != caesar:
                wrong.append(f"leader {leader} is a prisoner of seat {at - PRISON}")
        elif at >= ABOARD:
            galley = at - ABOARD
            if not BOARD.is_sea(table.galley_at[galley]) or galley_lord(table, galley) != lord:
                wrong.append(f"leader {leader} is aboard galley {galley}, which cannot carry it")
        elif not 0 <= at < BOARD.provinces or (caesar and lord != colour):
            wrong.append(f"leader {leader} is at {at}")
    return wrong


def _check_galleys(table: TableFields) -> list[str]:
    wrong = []
    for galley, at in enumerate(table.galley_at):
        if at == OFF:
            continue
        seat = galley_lord(table, galley)
        if seat == NONE or not alive(table, seat):
            wrong.append(f"galley {galley} has no owner")
        if not BOARD.is_sea(at):
            space = BOARD.ashore[at]
            foreign = table.owner[space] not in (NONE, seat) and not has_army(table.units[space], seat)
            if foreign and not table.options[ENEMY_COASTS]:
                wrong.append(f"galley {galley} lies on the enemy coast of {BOARD.keys[space]}")
    meeting = any(isinstance(frame, Movement | Combat) for frame in table.frames)
    if not meeting and any(meetings(table.galley_at, table.lord, seat, GALLEYS) for seat in living(table)):
        wrong.append("enemy galleys share a sea zone")
    return wrong
