"""Property and its transfer: provinces, markers, pieces, prisoners, whole empires."""

from collections.abc import Sequence

from shared.board import BOARD
from shared.ids import NONE, Army, Leader, Seat, Space
from shared.kernel.frames import Emit
from shared.mechanics import empires, prisoners
from shared.mechanics.cells import army_of, enemies_in, without_army
from shared.mechanics.ending import drop_concessions
from shared.mechanics.pieces import living, own, pieces_at
from shared.mechanics.places import OFF, PRISON
from shared.mechanics.tribute import raise_marker
from shared.rulesets.classic.amendments import CAPTURED_GALLEYS, CAPTURED_GENERALS, amended
from shared.rulesets.classic.options import CAPTURED_SUPPLY
from shared.rulesets.classic.state import GALLEYS, LEADERS, POOL
from shared.rulesets.classic.table import State, Table
from shared.rulesets.conquest.pieces import galleys_at
from shared.rulesets.conquest.property import conquer, judge_captives
from shared.vocabulary import events


def take_with_leaders(state: State, seat: Seat, space: Space, captives: Sequence[Leader], emit: Emit) -> None:
    """Conquer a province for `seat` and capture the leaders there (CL-WIN-01, CL-CAESAR-01, CL-D16)."""
    if amended(state, CAPTURED_GALLEYS):
        # The galleys of a captured Caesar are the victor's before any are destroyed.
        take_province(state, seat, space, emit)
        capture(state, seat, captives, emit)
        clear_shore(state, seat, space, emit)
        return
    take_province(state, seat, space, emit)
    clear_shore(state, seat, space, emit)
    capture(state, seat, captives, emit)


def take_province(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """Conquer a province for `seat`: the markers move (CL-WIN-01)."""
    if state.owner[space] != seat:
        conquer(state, seat, space, emit)


def clear_shore(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """Destroy galleys of others on the shores of a conquered province (CL-WIN-01, CL-D16)."""
    for coast in BOARD.coasts[space]:
        for enemy in living(state):
            docked = galleys_at(state, enemy, coast)
            if enemy != seat and docked:
                sink(state, enemy, space, docked, emit)


def sink(state: State, seat: Seat, space: Space, galleys: Sequence[int], emit: Emit) -> None:
    """Sink galleys with the units aboard. The caller decides about leaders aboard (CL-NAVAL-04)."""
    for galley in galleys:
        state.galley_at[galley] = OFF
        if state.cargo[galley]:
            _forget_captured(state, seat, state.cargo[galley])
            state.cargo[galley] = ()
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


def on_board(table: Table, seat: Seat) -> tuple[int, int, int, int]:
    """Return infantry, cavalry, catapults and galleys of `seat` on the board, cargo included."""
    infantry = cavalry = catapults = 0
    galleys = [galley for galley in own(table, seat, GALLEYS) if table.galley_at[galley] != OFF]
    armies = [army_of(cell, seat) for cell in table.units if cell]
    for army in armies + [table.cargo[galley] for galley in galleys if table.cargo[galley]]:
        infantry += army[0]
        cavalry += army[1]
        catapults += army[2]
    return infantry, cavalry, catapults, len(galleys)


def supply(table: Table, seat: Seat) -> tuple[int, int, int, int]:
    """Return the pieces of each kind that `seat` may still buy (CL-COMP-02, CL-D24, CL-D31)."""
    return remaining(table, seat, on_board(table, seat))


def remaining(table: Table, seat: Seat, here: Sequence[int]) -> tuple[int, int, int, int]:
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


def captured_by(table: Table, seat: Seat) -> list[int]:
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
            state.leader_at[leader] = OFF if leader % LEADERS == 0 else PRISON + by
    judge_captives(state, by, leaders, eliminate, emit)


def eliminate(state: State, loser: Seat, by: Seat, emit: Emit) -> None:
    """Eliminate a player whose Caesar is lost: `by` gets all that `loser` had (CL-CAESAR-01, CL-D24, CL-D25)."""
    emit(events.Eliminated(loser, by))
    for kind, pieces in enumerate(on_board(state, loser)):
        if not state.options[CAPTURED_SUPPLY]:
            state.captured[by * 4 + kind] += pieces
        state.captured[loser * 4 + kind] = 0
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


def open_ground(table: Table, seat: Seat, spaces: Sequence[Space]) -> list[Space]:
    """Return the provinces without another player's land units."""
    return [space for space in spaces if not enemies_in(table.units[space], seat)]
