"""Ending a match by common agreement."""

from shared.ids import NONE, Seat
from shared.kernel.frames import Action, Emit
from shared.kernel.ruleset import Standing
from shared.mechanics.concession import agreed_winner
from shared.refusal import Refusal
from shared.rulesets.cote2.events import Why
from shared.rulesets.cote2.scoring import declare
from shared.rulesets.cote2.state import is_seat
from shared.rulesets.cote2.table import State, Table
from shared.vocabulary import events
from shared.vocabulary.actions import Concede


def _check(table: Table, seat: Seat, action: Action) -> Refusal | None:
    if not is_seat(table, seat) or not isinstance(action, Concede):
        return Refusal("not-seated", "", "Only players concede.")
    if action.to == NONE or (is_seat(table, action.to) and action.to != seat):
        return None
    return Refusal("no-partner", "", "Concede to another player.")


def _apply(state: State, seat: Seat, action: Concede, emit: Emit) -> None:
    state.conceded[seat] = action.to
    emit(events.Conceded(seat, action.to))
    winner = agreed_winner(range(state.seats), state.conceded)
    if winner != NONE:
        declare(state, (winner,), Why.CONCEDED, emit)


STANDING: Standing[Table, State] = Standing((Concede,), _check, _apply)
