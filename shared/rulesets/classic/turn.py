"""The turn: its phases in rulebook order, and whose turn comes next (CL-TURN-01, CL-ORDER-01, CL-INFL)."""

from collections.abc import Mapping
from typing import Any

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import STAY, Action, Emit, Handler, always, push, replace_top
from shared.mechanics import flat_pairs, marching, turns
from shared.mechanics.armies import enemies_in, has_army
from shared.mechanics.pieces import ABOARD, OFF, alive, own
from shared.refusal import Refusal
from shared.rulesets.classic.actions import Buy, March
from shared.rulesets.classic.amendments import LAST_TURN, amended
from shared.rulesets.classic.combat_phase import sweep
from shared.rulesets.classic.economy import collect
from shared.rulesets.classic.frames import Combat, Placement
from shared.rulesets.classic.galleys import apply_sail, check_sail, sail_options
from shared.rulesets.classic.legions import apply_march, check_march, march_options
from shared.rulesets.classic.options import ROUND_LIMIT
from shared.rulesets.classic.stages import Step
from shared.rulesets.classic.table import GALLEYS, LEADERS, State, TableFields
from shared.rulesets.conquest.diplomacy import offers_each
from shared.rulesets.conquest.pieces import POINTS, enemy_leaders
from shared.rulesets.conquest.turn import Procedure, decision_step, turn_handler
from shared.vocabulary import events
from shared.vocabulary.actions import EndMovement, Sail
from shared.vocabulary.frames import Destruction, Movement, Purchase, Turn, seat_owes


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
    # Points matter during the movement only; the combat phase needs no tallies.
    marching.forget(state)
    return contested(state, seat)


def contested(table: TableFields, seat: Seat) -> tuple[int, ...]:
    """Return the battles that `seat` must fight: (province, enemy) pairs, flat (CL-BATTLE-01, CL-D30)."""
    return flat_pairs.to_flat(
        (space, enemy)
        for space, cell in enumerate(table.units)
        # Armies that share a province must fight, also when neither entered it this turn (CL-H07).
        if len(cell) > 4 and has_army(cell, seat)
        for enemy in enemies_in(cell, seat)
    )


def _options(table: TableFields, _frame: Movement, seat: Seat) -> list[Action]:
    found: list[Action] = [EndMovement()]
    # The Caesar is a group of its own: a march with or without it is another decision.
    groups: dict[tuple[int, bool], list[int]] = {}
    for leader in own(table, seat, LEADERS):
        at = table.leader_at[leader]
        if at < BOARD.provinces and table.leader_used[leader] < POINTS:
            groups.setdefault((at, leader % LEADERS == 0), []).append(leader)
    for (space, _caesar), leaders in groups.items():
        found += march_options(table, seat, space, leaders)
    tried: set[tuple[int, int]] = set()
    for galley in own(table, seat, GALLEYS):
        at, used = table.galley_at[galley], table.galley_used[galley]
        if at != OFF and used < POINTS:
            afloat = (ABOARD + galley) in table.leader_at
            # Equal empty galleys are suggested once. `used - POINTS` is negative, so it cannot equal a galley's
            # number.
            key = (at, galley if afloat else used - POINTS)
            if key not in tried:
                tried.add(key)
                found += sail_options(table, seat, galley, at)
    return found


MOVEMENT: Handler[TableFields, State] = Handler(
    seat_owes, _options, _check, _apply, always(EndMovement()), raise_broken_rules
)


def _begin(state: State, seat: Seat, _result: Any, emit: Emit) -> None:
    emit(events.TurnBegan(seat, state.round))


def _combat(state: State, seat: Seat, _result: Any, _emit: Emit) -> None:
    push(state, Combat, seat, contested(state, seat), (), _to_win(state, seat))


def _to_win(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the provinces where units stand that may conquer something: a province, or lone leaders in an own one."""
    return tuple(
        space
        for space, cell in enumerate(state.units)
        if has_army(cell, seat) and (state.owner[space] != seat or enemy_leaders(state, seat, space))
    )


def _conquest(state: State, seat: Seat, combat: Any, emit: Emit) -> None:
    sweep(state, seat, combat, emit)


def _tribute(state: State, seat: Seat, _result: Any, emit: Emit) -> None:
    collect(state, seat, emit)


def _placement(state: State, seat: Seat, bought: Any, _emit: Emit) -> None:
    buy = bought if isinstance(bought, Buy) else Buy()
    push(
        state, Placement, seat, buy.galleys, buy.cities, buy.fortifications, buy.roads, state.inflation,
        offers_each(state),
    )  # fmt: skip


STEPS: Mapping[int, Procedure[State]] = {
    Step.BEGINNING: _begin,
    Step.MOVEMENT: decision_step(Movement),
    Step.COMBAT: _combat,
    Step.CONQUEST: _conquest,
    Step.TRIBUTE: _tribute,
    Step.DESTRUCTION: decision_step(Destruction),
    Step.PURCHASE: decision_step(Purchase),
    Step.PLACEMENT: _placement,
}
"""The rulebook's contents page."""


def _next_turn(state: State, frame: Turn, emit: Emit) -> object:
    """Begin the turn of the next living seat in the order of play; prices rise when their trigger's turn begins, or
    would.
    """
    _turn_over(state, frame.seat)
    for seat, new_round in turns.seats_after(state.order, frame.seat):
        # Eliminated seats take part too: prices rise as their turn would begin (CL-D26).
        if new_round and not _new_round(state, emit):
            break
        _inflate(state, seat, emit)
        if alive(state, seat):
            replace_top(state, Turn(frame.no, seat, Step.BEGINNING))
            break
        _turn_over(state, seat)
    return STAY


def _turn_over(state: State, seat: Seat) -> None:
    """Make the marks due that a player has reached, as their turn ends, or would: prices rise at its next beginning.

    So all players, and that player first, have one turn more at the old prices, whenever the mark was reached (CL-D26).
    """
    if seat in state.triggered and amended(state, LAST_TURN):
        for level, trigger in enumerate(state.triggered):
            if trigger == seat:
                state.due |= 1 << level


def _new_round(state: State, emit: Emit) -> bool:
    """Begin a round. Before the amendment of CL-D26 all marks reached so far become due with it."""
    if not amended(state, LAST_TURN):
        state.due = len(state.triggered) - state.triggered.count(NONE)
    return turns.new_round(state, state.options[ROUND_LIMIT], emit)


def _inflate(state: State, seat: Seat, emit: Emit) -> None:
    """Raise the prices that are due (CL-INFL-01, CL-D26, CL-D27)."""
    if seat not in state.triggered:
        return
    factor = state.inflation
    for level, trigger in enumerate(state.triggered):
        if trigger == seat and _is_due(state, level):
            factor = max(factor, level + 2)
    if factor != state.inflation:
        state.inflation = factor
        emit(events.PricesRose(factor))


def _is_due(state: State, level: int) -> bool:
    """Whether prices rise when the turn of that mark's player begins."""
    if amended(state, LAST_TURN):
        # `due` holds one bit for each mark here, a count before the amendment: the field kept its place on the wire.
        return bool(state.due >> level & 1)
    return level < state.due


TURN: Handler[TableFields, State] = turn_handler(STEPS, Step.END, _next_turn)
