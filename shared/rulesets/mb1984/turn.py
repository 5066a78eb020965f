"""The turn: its six actions in rulebook order, and whose turn comes next (MB-TURN-01, MB-ORDER-01, MB-INFL)."""

from collections.abc import Mapping
from typing import Any

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import STAY, Emit, Handler, push, replace_top
from shared.mechanics import flat_pairs, turns
from shared.mechanics.pieces import alive
from shared.rulesets.conquest.diplomacy import offers_each
from shared.rulesets.conquest.turn import Procedure, decision_step, turn_handler
from shared.rulesets.mb1984.actions import Buy
from shared.rulesets.mb1984.economy import collect
from shared.rulesets.mb1984.frames import Combat, Placement
from shared.rulesets.mb1984.movement import forget_movement
from shared.rulesets.mb1984.options import ROUND_LIMIT
from shared.rulesets.mb1984.property import contested
from shared.rulesets.mb1984.stages import Step
from shared.rulesets.mb1984.table import State, TableFields
from shared.vocabulary import events
from shared.vocabulary.frames import Destruction, Movement, Purchase, Turn


def _begin(state: State, seat: Seat, _result: Any, emit: Emit) -> None:
    forget_movement(state)
    state.offers = offers_each(state)
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
