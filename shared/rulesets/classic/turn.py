"""The turn: its phases in rulebook order, and whose turn comes next (CL-TURN-01, CL-ORDER-01, CL-INFL)."""

from collections.abc import Mapping
from typing import Any

from shared.ids import NONE, Seat
from shared.kernel.frames import STAY, Emit, Handler, push, replace_top
from shared.mechanics import turns
from shared.mechanics.cells import has_army
from shared.mechanics.pieces import alive
from shared.rulesets.classic.actions import Buy
from shared.rulesets.classic.amendments import LAST_TURN, amended
from shared.rulesets.classic.combat_phase import sweep
from shared.rulesets.classic.economy import collect
from shared.rulesets.classic.frames import Combat, Placement
from shared.rulesets.classic.movement import contested
from shared.rulesets.classic.options import ROUND_LIMIT
from shared.rulesets.classic.stages import Step
from shared.rulesets.classic.table import State, TableFields
from shared.rulesets.conquest.diplomacy import offers_each
from shared.rulesets.conquest.pieces import enemy_leaders
from shared.rulesets.conquest.turn import Procedure, decision_step, turn_handler
from shared.vocabulary import events
from shared.vocabulary.frames import Destruction, Movement, Purchase, Turn


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


def _conquest(state: State, seat: Seat, stood: Any, emit: Emit) -> None:
    sweep(state, seat, stood, emit)


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
        return bool(state.due >> level & 1)
    return level < state.due


TURN: Handler[TableFields, State] = turn_handler(STEPS, Step.END, _next_turn)
