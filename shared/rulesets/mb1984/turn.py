"""The turn: its six actions in rulebook order, and whose turn comes next (MB-TURN-01, MB-ORDER-01, MB-INFL)."""

from collections.abc import Mapping
from typing import Any

from shared.board import BOARD
from shared.ids import NONE, Leader, Seat
from shared.kernel.frames import DONE, STAY, Action, Emit, Handler, always, goes_on, push, replace_top
from shared.mechanics import flat_pairs, marching, turns
from shared.mechanics.pieces import ABOARD, OFF, alive, own
from shared.refusal import Refusal
from shared.rulesets.conquest.diplomacy import offers_each
from shared.rulesets.conquest.pieces import POINTS
from shared.rulesets.conquest.turn import Procedure, decision_step, turn_handler
from shared.rulesets.mb1984.actions import Buy, March
from shared.rulesets.mb1984.diplomacy import with_bargains
from shared.rulesets.mb1984.economy import collect
from shared.rulesets.mb1984.frames import Combat, Placement
from shared.rulesets.mb1984.galleys import apply_sail, check_sail, sail_options
from shared.rulesets.mb1984.legions import apply_march, check_march, march_options
from shared.rulesets.mb1984.options import ROUND_LIMIT
from shared.rulesets.mb1984.property import contested, settle_ground
from shared.rulesets.mb1984.stages import Step
from shared.rulesets.mb1984.table import GALLEYS, LEADERS, State, TableFields
from shared.vocabulary import events
from shared.vocabulary.actions import EndMovement, Sail
from shared.vocabulary.frames import Destruction, Movement, Purchase, Turn, seat_owes


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
    # Kept for combat: only units that came by land open a retreat (MB-RETREAT-04).
    landed = state.landed
    forget_movement(state)
    state.landed = landed
    settle_ground(state, seat, range(BOARD.provinces), emit)
    return DONE


def _options(table: TableFields, _frame: Movement, seat: Seat) -> list[Action]:
    gathered = _gathered(table, seat)
    found: list[Action] = [EndMovement(), *march_options(table, seat, gathered)]
    tried: set[tuple[int, int]] = set()
    for galley in own(table, seat, GALLEYS):
        at = table.galley_at[galley]
        if at != OFF and table.galley_used[galley] < POINTS:
            alike = not table.docked[galley] and (ABOARD + galley) not in gathered
            # Equal empty galleys are suggested once. The difference is negative, so it cannot equal a galley's
            # number.
            key = (at, table.galley_used[galley] - POINTS if alike else galley)
            if key not in tried:
                tried.add(key)
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


def _begin(state: State, seat: Seat, _result: Any, emit: Emit) -> None:
    forget_movement(state)
    state.offers = offers_each(state)
    # Proposals were made to the seat of the turn before; they lapse with it (MB-D37).
    state.proposals = [()] * state.seats
    emit(events.TurnBegan(seat, state.round))


def _combat(state: State, seat: Seat, _result: Any, _emit: Emit) -> None:
    push(state, Combat, seat, flat_pairs.to_flat(contested(state, seat)))


def _tribute(state: State, seat: Seat, _result: Any, emit: Emit) -> None:
    state.landed = [()] * BOARD.provinces
    collect(state, seat, emit)


def _placement(state: State, seat: Seat, bought: Any, _emit: Emit) -> None:
    buy = bought if isinstance(bought, Buy) else Buy()
    push(state, Placement, seat, buy.galleys, buy.cities, buy.fortifications)


STEPS: Mapping[int, Procedure[State]] = {
    Step.BEGINNING: _begin,
    Step.MOVEMENT: decision_step(Movement),
    Step.COMBAT: _combat,
    Step.TRIBUTE: _tribute,
    Step.DESTRUCTION: decision_step(Destruction),
    Step.PURCHASE: decision_step(Purchase),
    Step.PLACEMENT: _placement,
}
"""The rulebook's contents page."""


def _next_turn(state: State, frame: Turn, emit: Emit) -> object:
    """Begin the turn of the next living seat in the order of play; prices rise at its beginning."""
    for seat, new_round in turns.seats_after(state.order, frame.seat):
        if new_round and not turns.new_round(state, state.options[ROUND_LIMIT], emit):
            break
        if alive(state, seat):
            _inflate(state, emit)
            replace_top(state, Turn(frame.no, seat, Step.BEGINNING))
            break
    return STAY


def _inflate(state: State, emit: Emit) -> None:
    """Raise prices from the turn after a mark was reached, for all players and for good (MB-INFL-02, MB-INFL-03,
    MB-D45).
    """
    factor = max([1, *[level + 2 for level, trigger in enumerate(state.triggered) if trigger != NONE]])
    if factor != state.inflation:
        state.inflation = factor
        emit(events.PricesRose(factor))


TURN: Handler[TableFields, State] = turn_handler(STEPS, Step.END, _next_turn)
