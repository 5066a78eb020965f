"""Phase 1: legions and galleys move, in any order, until their player ends it (CL-MOVE-01)."""

from shared.board import BOARD
from shared.ids import Seat
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import STAY, Action, Emit, Handler, always
from shared.mechanics import flat_pairs, marching
from shared.mechanics.cells import enemies_in, has_army
from shared.mechanics.pieces import own
from shared.mechanics.places import ABOARD, OFF
from shared.refusal import Refusal
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.galleys import apply_sail, check_sail, sail_options
from shared.rulesets.classic.legions import apply_march, check_march, march_options
from shared.rulesets.classic.state import GALLEYS, LEADERS
from shared.rulesets.classic.table import State, TableFields
from shared.rulesets.conquest.legions import POINTS
from shared.vocabulary.actions import EndMovement, Sail
from shared.vocabulary.frames import Movement, seat_owes


def _check(table: TableFields, _frame: Movement, seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, March):
        return check_march(table, seat, action)
    if isinstance(action, Sail):
        return check_sail(table, seat, action)
    if isinstance(action, EndMovement):
        return None
    return Refusal("wrong-action", "CL-TURN-01", "It is the movement phase: march, sail, or end the movement.")


def _apply(state: State, _frame: Movement, seat: Seat, action: Action, emit: Emit) -> object:
    if isinstance(action, March):
        apply_march(state, seat, action, emit)
        return STAY
    if isinstance(action, Sail):
        apply_sail(state, seat, action, emit)
        return STAY
    marching.forget(state)
    return contested(state, seat)


def contested(table: TableFields, seat: Seat) -> tuple[int, ...]:
    """Return the battles that `seat` must fight: (province, enemy) pairs, flat (CL-BATTLE-01, CL-D30)."""
    return flat_pairs.to_flat(
        (space, enemy)
        for space, cell in enumerate(table.units)
        if len(cell) > 4 and has_army(cell, seat)
        for enemy in enemies_in(cell, seat)
    )


def _options(table: TableFields, _frame: Movement, seat: Seat) -> list[Action]:
    found: list[Action] = [EndMovement()]
    groups: dict[tuple[int, bool], list[int]] = {}
    for leader in own(table, seat, LEADERS):
        at = table.leader_at[leader]
        if at < BOARD.provinces and table.leader_used[leader] < POINTS:
            groups.setdefault((at, leader % LEADERS == 0), []).append(leader)
    for (space, _caesar), leaders in groups.items():
        found += march_options(table, seat, space, leaders)
    seen: set[tuple[int, int]] = set()
    for galley in own(table, seat, GALLEYS):
        at, used = table.galley_at[galley], table.galley_used[galley]
        if at != OFF and used < POINTS:
            afloat = (ABOARD + galley) in table.leader_at
            key = (at, galley if afloat else used - POINTS)
            if key not in seen:
                seen.add(key)
                found += sail_options(table, seat, galley, at)
    return found


MOVEMENT: Handler[TableFields, State] = Handler(
    seat_owes, _options, _check, _apply, always(EndMovement()), raise_broken_rules
)
