"""Action 1, movement: marches and sails in any order, until the player ends it (MB-MOVE-01)."""

from shared.board import BOARD
from shared.ids import Leader, Seat
from shared.kernel.frames import DONE, STAY, Action, Emit, Handler, always, goes_on
from shared.mechanics import marching
from shared.mechanics.pieces import own
from shared.mechanics.places import ABOARD, OFF
from shared.refusal import Refusal
from shared.rulesets.conquest.legions import POINTS
from shared.rulesets.mb1984.actions import March
from shared.rulesets.mb1984.diplomacy import with_bargains
from shared.rulesets.mb1984.galleys import apply_sail, check_sail, sail_options
from shared.rulesets.mb1984.legions import apply_march, check_march, march_options
from shared.rulesets.mb1984.property import settle_ground
from shared.rulesets.mb1984.state import GALLEYS, LEADERS
from shared.rulesets.mb1984.table import State, TableFields
from shared.vocabulary.actions import EndMovement, Sail
from shared.vocabulary.frames import Movement, seat_owes


def forget_movement(state: State) -> None:
    """Reset movements after the action; later only units that came ashore matter, in battle (MB-RETREAT-04)."""
    marching.forget(state)
    state.docked = [()] * len(state.docked)


def _check(table: TableFields, _frame: Movement, seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, March):
        return check_march(table, seat, action)
    if isinstance(action, Sail):
        return check_sail(table, seat, action)
    if isinstance(action, EndMovement):
        return None
    return Refusal("wrong-action", "MB-TURN-01", "It is the movement action: march, sail, or end the movement.")


def _apply(state: State, _frame: Movement, seat: Seat, action: Action, emit: Emit) -> object:
    if isinstance(action, March):
        apply_march(state, seat, action, emit)
        return STAY
    if isinstance(action, Sail):
        apply_sail(state, seat, action, emit)
        return STAY
    landed = state.landed
    forget_movement(state)
    state.landed = landed
    settle_ground(state, seat, range(BOARD.provinces), emit)
    return DONE


def _options(table: TableFields, _frame: Movement, seat: Seat) -> list[Action]:
    gathered = _gathered(table, seat)
    found: list[Action] = [EndMovement(), *march_options(table, seat, gathered)]
    seen: set[tuple[int, int]] = set()
    for galley in own(table, seat, GALLEYS):
        at = table.galley_at[galley]
        if at != OFF and table.galley_used[galley] < POINTS:
            alike = not table.docked[galley] and (ABOARD + galley) not in gathered
            key = (at, table.galley_used[galley] - POINTS if alike else galley)
            if key not in seen:
                seen.add(key)
                found += sail_options(table, seat, galley, at, gathered)
    return found


def _gathered(table: TableFields, seat: Seat) -> dict[int, list[Leader]]:
    """Return the leaders of `seat` by their places, as in `TableFields.leader_at`."""
    groups: dict[int, list[Leader]] = {}
    places = table.leader_at
    for leader in own(table, seat, LEADERS):
        at = places[leader]
        if at in groups:
            groups[at].append(leader)
        else:
            groups[at] = [leader]
    return groups


MOVEMENT: Handler[TableFields, State] = with_bargains(
    Handler(seat_owes, _options, _check, _apply, always(EndMovement()), goes_on)
)
