"""Property and its transfer: provinces, markers, pieces, prisoners, whole empires."""

from collections.abc import Sequence
from itertools import chain

from shared.board import BOARD
from shared.ids import NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Emit
from shared.mechanics import empires, flat_pairs, position_checks, prisoners
from shared.mechanics.armies import army_of, enemies_in, without_army
from shared.mechanics.ending import drop_concessions
from shared.mechanics.pieces import ABOARD, OFF, PRISON, alive, living, own, pieces_at
from shared.mechanics.tribute import raise_marker
from shared.rulesets.classic.amendments import CAPTURED_GALLEYS, CAPTURED_GENERALS, amended
from shared.rulesets.classic.frames import Combat
from shared.rulesets.classic.options import CAPTURED_SUPPLY, clears_all
from shared.rulesets.classic.table import CITIES, FORTIFICATIONS, GALLEYS, LEADERS, POOL, ROADS, State, TableFields
from shared.rulesets.conquest.pieces import LEGION, galley_lord, galleys_at, leader_lord, ready
from shared.rulesets.conquest.property import conquer, judge_captives
from shared.vocabulary import events
from shared.vocabulary.frames import Movement


def take_with_leaders(
    state: State, seat: Seat, space: Space, captives: Sequence[Leader], combat: Combat, emit: Emit
) -> None:
    """Conquer a province for `seat` and capture the leaders there (CL-WIN-01, CL-CAESAR-01, CL-D16)."""
    if amended(state, CAPTURED_GALLEYS):
        # The galleys of a captured Caesar are the victor's before any are destroyed.
        take_province(state, seat, space, emit)
        capture(state, seat, captives, emit)
        clear_shore(state, seat, space, combat, emit)
        return
    take_province(state, seat, space, emit)
    clear_shore(state, seat, space, combat, emit)
    capture(state, seat, captives, emit)


def take_province(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """Conquer a province for `seat`: the markers move (CL-WIN-01)."""
    if state.owner[space] != seat:
        conquer(state, seat, space, emit)


def clear_shore(state: State, seat: Seat, space: Space, combat: Combat, emit: Emit) -> None:
    """Destroy galleys on the shores of a conquered province: of all others, or of those who fought there in this
    turn, as `combat` knows (CL-WIN-01, CL-D16).
    """
    fought = flat_pairs.to_pairs(combat.fought)
    for coast in BOARD.coasts[space]:
        for enemy in living(state):
            docked = galleys_at(state, enemy, coast)
            if enemy != seat and docked and (clears_all(state) or (space, enemy) in fought):
                sink(state, enemy, space, docked, emit)


def sink(state: State, seat: Seat, space: Space, galleys: Sequence[int], emit: Emit) -> None:
    """Sink galleys with the units aboard. The caller decides about leaders aboard (CL-NAVAL-04)."""
    for galley in galleys:
        state.galley_at[galley] = OFF
        if state.cargo[galley]:
            _forget_captured(state, seat, state.cargo[galley])
            state.cargo[galley] = ()
    # Lost galleys count as captured ones first, like units below.
    if state.captured[seat * 4 + 3]:
        state.captured[seat * 4 + 3] = max(0, state.captured[seat * 4 + 3] - len(galleys))
    emit(events.Sank(seat, space, tuple(galleys)))


def fall(state: State, seat: Seat, space: Space, army: Army, emit: Emit) -> None:
    """Return lost units to the supply (CL-COMP-05)."""
    if not any(army):
        return
    state.units[space] = without_army(state.units[space], seat, army)
    _forget_captured(state, seat, army)
    emit(events.Fell(seat, space, army))


def _forget_captured(state: State, seat: Seat, army: Sequence[int]) -> None:
    """Count lost units as captured pieces first; these do not come back (option of CL-D24)."""
    for kind in range(3):
        i = seat * 4 + kind
        if state.captured[i]:
            state.captured[i] = max(0, state.captured[i] - army[kind])


def on_board(table: TableFields, seat: Seat) -> tuple[int, int, int, int]:
    """Return infantry, cavalry, catapults and galleys of `seat` on the board, cargo included."""
    infantry = cavalry = catapults = 0
    galleys = [galley for galley in own(table, seat, GALLEYS) if table.galley_at[galley] != OFF]
    armies = [army_of(cell, seat) for cell in table.units if cell]
    for army in armies + [table.cargo[galley] for galley in galleys if table.cargo[galley]]:
        infantry += army[0]
        cavalry += army[1]
        catapults += army[2]
    return infantry, cavalry, catapults, len(galleys)


def supply(table: TableFields, seat: Seat) -> tuple[int, int, int, int]:
    """Return the pieces of each kind that `seat` may still buy (CL-COMP-02, CL-D24, CL-D31)."""
    return remaining(table, seat, on_board(table, seat))


def remaining(table: TableFields, seat: Seat, here: Sequence[int]) -> tuple[int, int, int, int]:
    """Return the supply of a seat that has `here` on the board."""
    infantry, cavalry, catapults, galleys = POOL
    if table.options[CAPTURED_SUPPLY]:
        n = table.lord.count(seat)
        return infantry * n - here[0], cavalry * n - here[1], catapults * n - here[2], galleys * n - here[3]
    won = captured_by(table, seat)
    return (
        infantry - here[0] + won[0], cavalry - here[1] + won[1],
        catapults - here[2] + won[2], galleys - here[3] + won[3],
    )  # fmt: skip


def captured_by(table: TableFields, seat: Seat) -> list[int]:
    """Return the captured pieces of `seat` by kind; counted only if it may not buy more of them (CL-D24)."""
    return table.captured[seat * 4 : seat * 4 + 4]


def free(state: State, leader: Leader, emit: Emit) -> None:
    """Return a leader to its owner; its movements before the capture are forgotten."""
    prisoners.free(state, leader, LEADERS, 0, emit)


def capture(state: State, by: Seat, leaders: Sequence[Leader], emit: Emit) -> None:
    """Capture leaders for `by` (CL-LEAD-05, CL-CAESAR-01, CL-H14).

    A captured Caesar eliminates its player, whose generals there change to the captor at once. Other generals are
    killed
    or held.
    """
    if not leaders:
        return
    emit(events.Captured(by, tuple(leaders)))
    staying = prisoners.with_their_caesar(state, leaders, LEADERS) if amended(state, CAPTURED_GENERALS) else ()
    for leader in leaders:
        if leader not in staying:
            # All are moved before they are judged: the elimination of a lord looks at the prisons.
            state.leader_at[leader] = OFF if leader % LEADERS == 0 else PRISON + by
    judge_captives(state, by, leaders, eliminate, emit)


def eliminate(state: State, loser: Seat, by: Seat, emit: Emit) -> None:
    """Eliminate a player whose Caesar is lost: `by` gets all that `loser` had (CL-CAESAR-01, CL-D24, CL-D25)."""
    emit(events.Eliminated(loser, by))
    for kind, pieces in enumerate(on_board(state, loser)):
        # Counted before the inheritance below, after which the loser has nothing on the board.
        if not state.options[CAPTURED_SUPPLY]:
            state.captured[by * 4 + kind] += pieces
        state.captured[loser * 4 + kind] = 0
    # Property first: returned generals go to a home or a Caesar, which must have its new owner.
    raise_marker(state, by, empires.inherit(state, by, loser), emit)
    for leader in prisoners.pass_on(state, loser, by, LEADERS):
        free(state, leader, emit)
    drop_concessions(state, loser, emit)


def vanish(state: State, seat: Seat, emit: Emit) -> None:
    """Remove all pieces of `seat` from the board; its provinces lose their owner, and no player is rewarded
    (CL-D34).
    """
    emit(events.Eliminated(seat, NONE))
    empires.clear_away(state, seat, LEADERS, GALLEYS)
    state.captured[seat * 4 : seat * 4 + 4] = [0] * 4
    for leader in pieces_at(state.leader_at, PRISON + seat):
        free(state, leader, emit)
    drop_concessions(state, seat, emit)


def open_ground(table: TableFields, seat: Seat, spaces: Sequence[Space]) -> list[Space]:
    """Return the provinces without another player's land units."""
    return [space for space in spaces if not enemies_in(table.units[space], seat)]


def invariants(table: TableFields) -> list[str]:
    """Return all faults; [] for a sound position."""
    wrong = position_checks.check_markers(table)
    _check_armies(table, wrong)
    _check_leaders(table, wrong)
    if any(table.cargo):
        wrong += position_checks.check_cargo(table, LEGION)
    _check_tallies(table, wrong)
    _check_captured(table, wrong)
    wrong += position_checks.check_frames(table.frames)
    return wrong + position_checks.check_buildings(table, CITIES, FORTIFICATIONS, ROADS)


def _check_armies(table: TableFields, wrong: list[str]) -> None:
    """Check that armies are in order, of living seats, never empty, and no more than there are pieces."""
    flat = list(chain.from_iterable(table.units))
    # Cells are groups of four, and so is their concatenation: one slice instead of a loop over provinces.
    seats = flat[::4]
    # More groups and empty cells than provinces: at least one province holds two armies.
    crowded = len(seats) + table.units.count(()) > len(table.units)
    if min(flat, default=0) < 0 or (crowded and not all(_in_order(cell) for cell in table.units if len(cell) > 4)):
        wrong.append(f"armies not in order, or negative: {table.units}")
    wrong += [f"seat {seat}, which is out, has units" for seat in set(seats) if not alive(table, seat)]
    armies = zip(seats, flat[1::4], flat[2::4], flat[3::4], strict=False)
    infantry, cavalry, catapults = [0] * table.seats, [0] * table.seats, [0] * table.seats
    for seat, i, h, c in chain(armies, _loaded_galleys(table)):
        infantry[seat] += i
        cavalry[seat] += h
        catapults[seat] += c
        if not (i or h or c):
            wrong.append(f"an empty army of seat {seat}: {table.units}")
    for seat, *here in zip(range(table.seats), infantry, cavalry, catapults, _galleys(table), strict=True):
        if not _in_pool(table, seat, here):
            wrong.append(f"seat {seat} has {here} on the board with {table.lord.count(seat)} colours")


def _in_order(cell: tuple[int, ...]) -> bool:
    return list(cell[::4]) == sorted(set(cell[::4]))


def _loaded_galleys(table: TableFields) -> list[tuple[int, ...]]:
    """Return (seat, infantry, cavalry, catapults) of every loaded galley."""
    if not any(table.cargo):
        return []
    return [(galley_lord(table, galley), *cargo) for galley, cargo in enumerate(table.cargo) if cargo]


def _galleys(table: TableFields) -> list[int]:
    """Return the galleys on the board, by seat."""
    count = [0] * (table.seats + 1)
    for colour, lord in enumerate(table.lord):
        count[lord] += GALLEYS - table.galley_at[colour * GALLEYS : (colour + 1) * GALLEYS].count(OFF)
    return count[:-1]  # without NONE


def _in_pool(table: TableFields, seat: Seat, here: Sequence[int]) -> bool:
    """Whether a seat has no more pieces than its colours hold, and than it may have (CL-D24)."""
    n = table.lord.count(seat)
    infantry, cavalry, catapults, galleys = POOL
    if here[0] > infantry * n or here[1] > cavalry * n or here[2] > catapults * n or here[3] > galleys * n:
        return False
    return bool(table.options[CAPTURED_SUPPLY]) or min(remaining(table, seat, here)) >= 0


def _check_tallies(table: TableFields, wrong: list[str]) -> None:
    """Check that movement points are used during a movement only, and by pieces that are there only."""
    mover = next((frame.seat for frame in table.frames if isinstance(frame, Movement)), NONE)
    if mover == NONE:
        if any(table.leader_used) or any(table.galley_used) or any(table.moved) or any(table.landed):
            wrong.append("points were used outside a movement")
        return
    came = [space for space in range(BOARD.provinces) if table.moved[space] or table.landed[space]]
    crowded = [space for space in came if min(ready(table, mover, space)) < 0]
    wrong += [f"more units came to {BOARD.names[space]} than there are of seat {mover}" for space in crowded]


def _check_captured(table: TableFields, wrong: list[str]) -> None:
    """Check that captured pieces are counted only if the table bars buying in their colours, and only for the
    living.
    """
    if min(table.captured) < 0 or (any(table.captured) and table.options[CAPTURED_SUPPLY]):
        wrong.append(f"captured pieces {table.captured}")
    lost = [seat for seat in range(table.seats) if not alive(table, seat) and any(captured_by(table, seat))]
    wrong += [f"seat {seat}, which is out, has captured pieces" for seat in lost]


def _check_leaders(table: TableFields, wrong: list[str]) -> None:
    for leader, at in enumerate(table.leader_at):
        if 0 <= at < BOARD.provinces or (at == OFF and leader % LEADERS):
            continue
        lord = leader_lord(table, leader)
        if at == OFF or (lord == NONE and table.winner != NONE):
            # Not before the first round: pieces are not deployed yet.
            if table.round and leader % LEADERS == 0 and lord == leader // LEADERS:
                wrong.append(f"the Caesar of seat {lord} is off the board")
        elif at >= PRISON:
            if at - PRISON == lord or not alive(table, at - PRISON):
                wrong.append(f"leader {leader} is a prisoner of seat {at - PRISON}")
        elif at < ABOARD:
            wrong.append(f"leader {leader} is at {at}")
        elif not BOARD.is_sea(table.galley_at[at - ABOARD]) or galley_lord(table, at - ABOARD) != lord:
            wrong.append(f"leader {leader} is aboard galley {at - ABOARD}, which cannot carry it")
