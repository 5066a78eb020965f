"""Who owns what, and how it changes hands: provinces, markers, pieces, prisoners, whole empires."""

from collections.abc import Sequence

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Emit, push
from shared.mechanics import concession, links
from shared.mechanics.armies import minus, plus
from shared.mechanics.cells import army_of, enemies_in, has_army, hostile, put_army
from shared.mechanics.treasury import levels_reached
from shared.rulesets.mb1984 import events
from shared.rulesets.mb1984.frames import Captives, Combat
from shared.rulesets.mb1984.options import CITY_LIMIT
from shared.rulesets.mb1984.state import (
    GALLEYS,
    LEADERS,
    LEGION,
    OFF,
    POINTS,
    POOL,
    PRISON,
    State,
    Table,
    enemy_leaders,
    galley_lord,
    galleys_at,
    leader_lord,
    living,
)

CITY_TRIBUTE = 5
INFLATION_MARKS = (105, 205)
REWARD = 100
"""Talents for a captured Caesar (MB-CAESAR-04)."""
UNLIMITED = 1000
WHY_LAST_CAESAR, WHY_CONCEDED, WHY_ROUND_LIMIT = 0, 1, 2


def worth(table: Table, space: Space) -> int:
    """Tribute of a province: its printed value, and 5 for a city (MB-TRIB-01, MB-CITY-02)."""
    return BOARD.tribute[space] + (CITY_TRIBUTE if table.built[space] else 0)


def has_home(table: Table, seat: Seat) -> bool:
    """Whether `seat` holds its own home (MB-HOME-02)."""
    return table.owner[table.home[seat]] == seat


def capacity(table: Table, seat: Seat, space: Space, leaders: int) -> int:
    """Units that `seat` may keep in a province with so many Caesars and generals (MB-LEGION-02, MB-D04)."""
    if table.built[space] and table.owner[space] == seat:
        return UNLIMITED if table.options[CITY_LIMIT] else LEGION * (leaders + 1)
    return LEGION * leaders


def raise_marker(state: State, seat: Seat, talents: int, emit: Emit) -> None:
    """Move a tribute marker up; the first to reach a mark triggers inflation (MB-INFL-01, MB-D45)."""
    state.marker[seat] += talents
    known = [trigger != NONE for trigger in state.triggered]
    for level in levels_reached(state.marker[seat], INFLATION_MARKS, known):
        state.triggered[level] = seat
        emit(events.InflationTriggered(seat, level + 1))


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


def sink(state: State, seat: Seat, space: Space, galleys: Sequence[int], emit: Emit) -> None:
    """Galleys leave the board; who was aboard is the caller's business."""
    for galley in galleys:
        state.galley_at[galley] = OFF
    emit(events.Sank(seat, space, tuple(galleys)))


def enter(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """A legion stands where nobody defends: the province is its own (MB-MOVE-08, MB-D05, MB-D20)."""
    if state.owner[space] != seat:
        take_province(state, seat, space, emit)
        clear_shore(state, seat, space, emit)


def settle_ground(state: State, seat: Seat, spaces: Sequence[Space], emit: Emit) -> None:
    """`seat` conquers those of the provinces where its legions stand with no enemy left (MB-D38)."""
    for space in spaces:
        cell = state.units[space]
        if has_army(cell, seat) and not hostile(cell, seat) and not enemy_leaders(state, seat, space):
            enter(state, seat, space, emit)


def fall(state: State, seat: Seat, space: Space, army: Army, emit: Emit) -> None:
    """Units on land are lost and go back to the supply (MB-BATTLE-04)."""
    state.units[space] = put_army(state.units[space], seat, minus(army_of(state.units[space], seat), army))
    emit(events.Fell(seat, space, army))


def in_play(table: Table) -> Army:
    """Infantry, cavalry and catapults of all players on the board, cargo included."""
    army = NO_ARMY
    for cell in table.units:
        for i in range(0, len(cell), 4):
            army = plus(army, cell[i + 1 : i + 4])
    for cargo in table.cargo:
        if cargo:
            army = plus(army, cargo)
    return army


def supply(table: Table, seat: Seat) -> tuple[int, int, int, int]:
    """Infantry, cavalry, catapults that anybody, and galleys that `seat` may still buy: only galleys of its own
    colour (MB-COMP-07, MB-CAESAR-06, MB-D39, MB-D47)."""
    here = in_play(table)
    galleys = table.galley_at[seat * GALLEYS : seat * GALLEYS + GALLEYS].count(OFF)
    return POOL[0] - here[0], POOL[1] - here[1], POOL[2] - here[2], galleys


def refuge(table: Table, seat: Seat) -> int:
    """Where a freed general stands: in the home, else with the Caesar (MB-GEN-03, MB-GEN-04)."""
    return table.home[seat] if has_home(table, seat) else table.leader_at[seat * LEADERS]


def free(state: State, leader: Leader, emit: Emit) -> None:
    """A general is back with its owner, and does not move before the owner's next turn (MB-D37)."""
    seat = leader_lord(state, leader)
    state.leader_at[leader] = refuge(state, seat)
    state.leader_used[leader] = POINTS
    emit(events.Freed(seat, leader, state.leader_at[leader]))


def capture(state: State, by: Seat, leaders: Sequence[Leader], emit: Emit) -> None:
    """`by` captures leaders: a Caesar eliminates its player, generals are killed or held (MB-LEAD-07, MB-GEN-01)."""
    if not leaders:
        return
    emit(events.Captured(by, tuple(leaders)))
    for leader in leaders:
        state.leader_at[leader] = PRISON + by
    for leader in leaders:
        if leader % LEADERS == 0 and leader_lord(state, leader) != by:
            eliminate(state, leader_lord(state, leader), by, emit)
    prisoners = tuple(x for x in leaders if is_prisoner(state, x, by))
    if prisoners and state.winner == NONE:
        push(state, Captives, by, prisoners)


def is_prisoner(table: Table, leader: Leader, captor: Seat) -> bool:
    """Whether `captor` holds that general of another player. A captured Caesar is its captor's own."""
    return table.leader_at[leader] == PRISON + captor and leader_lord(table, leader) != captor


def prisoners_of(table: Table, captor: Seat) -> tuple[Leader, ...]:
    """The generals of others that `captor` holds."""
    place = PRISON + captor
    return tuple([x for x, at in enumerate(table.leader_at) if at == place and leader_lord(table, x) != captor])


def kill(state: State, by: Seat, leaders: tuple[Leader, ...], emit: Emit) -> None:
    """Captured generals are eliminated from the game (MB-GEN-01)."""
    for leader in leaders:
        state.leader_at[leader] = OFF
    if leaders:
        emit(events.Killed(by, leaders))


def eliminate(state: State, loser: Seat, by: Seat, emit: Emit) -> None:
    """A Caesar is captured: all that `loser` had is `by`'s now, and 100 talents (MB-CAESAR-01 to -05, MB-D42)."""
    emit(events.Eliminated(loser, by))
    state.talents[by] += state.talents[loser] + REWARD
    state.talents[loser] = 0
    emit(events.Rewarded(by, REWARD))
    for space, cell in enumerate(state.units):
        army = army_of(cell, loser)
        if any(army):
            cell = put_army(cell, loser, NO_ARMY)
            state.units[space] = put_army(cell, by, plus(army, army_of(cell, by)))
    for space, owner in enumerate(state.owner):
        if owner == loser:
            state.owner[space] = by
    for colour, lord in enumerate(state.lord):
        if lord == loser:
            state.lord[colour] = by
    gain, state.marker[loser] = state.marker[loser], 0
    raise_marker(state, by, gain, emit)
    _pass_on_prisoners(state, loser, by, emit)
    _forget(state, loser, emit)


def _pass_on_prisoners(state: State, loser: Seat, by: Seat, emit: Emit) -> None:
    """Prisoners follow the treasury; generals of the new lord's own colours are free (MB-D34). Captured Caesars never
    are (MB-CAESAR-07)."""
    for leader, at in enumerate(state.leader_at):
        if at in (PRISON + loser, PRISON + by):
            state.leader_at[leader] = PRISON + by
            if leader_lord(state, leader) == by and leader % LEADERS:
                free(state, leader, emit)


def _forget(state: State, gone: Seat, emit: Emit) -> None:
    """Concessions and proposals of and to a player who is gone; the last one, or the agreed one, wins."""
    state.conceded = concession.forgotten(state.conceded, gone)
    for seat, proposal in enumerate(state.proposals):
        if proposal and (seat == gone or proposal[0] == gone):
            state.proposals[seat] = ()
    left = living(state)
    if len(left) == 1:
        declare(state, left[0], WHY_LAST_CAESAR, emit)
    declare_agreed(state, emit)


def declare_agreed(state: State, emit: Emit) -> None:
    """All others agree that one has won (MB-END-02)."""
    winner = concession.agreed_winner(living(state), state.conceded)
    if state.winner == NONE and winner != NONE:
        declare(state, winner, WHY_CONCEDED, emit)


def declare(state: State, seat: Seat, why: int, emit: Emit) -> None:
    """`seat` has won."""
    state.winner = seat
    emit(events.Won(seat, why))


def vanish(state: State, seat: Seat, emit: Emit) -> None:
    """`seat` leaves: its pieces leave the board, its provinces are nobody's, no one is rewarded (MB-D50)."""
    emit(events.Eliminated(seat, NONE))
    for space, cell in enumerate(state.units):
        if cell:
            state.units[space] = put_army(cell, seat, NO_ARMY)
    for space, owner in enumerate(state.owner):
        if owner == seat:
            state.owner[space] = NONE
            remove_roads(state, space, emit)
    for galley in range(len(state.galley_at)):
        if galley_lord(state, galley) == seat:
            state.galley_at[galley] = OFF
            state.cargo[galley] = ()
    for leader, at in enumerate(state.leader_at):
        if leader_lord(state, leader) == seat:
            state.leader_at[leader] = OFF
        elif at == PRISON + seat:
            free(state, leader, emit)
    for colour, lord in enumerate(state.lord):
        if lord == seat:
            state.lord[colour] = NONE
    state.talents[seat] = state.marker[seat] = 0
    _forget(state, seat, emit)


# --- who must fight ---


def contested(table: Table, seat: Seat) -> list[tuple[Space, Seat]]:
    """Battles that `seat` must fight: (space, enemy) pairs; where only enemy leaders stand they will be captured
    (MB-BATTLE-01, MB-D01, MB-D13)."""
    found = []
    for space, cell in enumerate(table.units):
        if not cell or not has_army(cell, seat):
            continue
        if len(cell) > 4:
            found += [(space, enemy) for enemy in enemies_in(cell, seat)]
        elif space in table.leader_at:
            lone = enemy_leaders(table, seat, space)
            if lone:
                found.append((space, leader_lord(table, lone[0])))
    fleets: dict[int, set[Seat]] = {}
    for galley, at in enumerate(table.galley_at):
        if BOARD.is_sea(at):
            fleets.setdefault(at, set()).add(galley_lord(table, galley))
    found += [(zone, enemy) for zone, lords in sorted(fleets.items()) if seat in lords for enemy in lords - {seat}]
    return found


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
    state.frames[place] = Combat(frame.no, frame.seat if seat == NONE else seat, tuple([n for p in left for n in p]))
    if seat != NONE:
        settle_ground(state, seat, sorted(space for space in spaces if space < BOARD.provinces), emit)
