"""How a match ends: the last Caesar, common agreement, the round limit."""

from shared.ids import NONE, Seat
from shared.kernel.frames import Emit
from shared.mechanics.concession import agreed_winner, forgotten
from shared.mechanics.pieces import Pieces, alive, living
from shared.refusal import Refusal
from shared.vocabulary.events import Conceded, Why, Won


def winner(table: Pieces) -> int:
    """The seat that has won, or NONE."""
    return table.winner


def finished(table: Pieces) -> bool:
    """Whether the match is over."""
    return table.winner != NONE


def declare(state: Pieces, seat: Seat, why: Why, emit: Emit) -> None:
    """`seat` has won."""
    state.winner = seat
    emit(Won(seat, why))


def declare_agreed(state: Pieces, emit: Emit) -> None:
    """Whoever all others have conceded to has won."""
    agreed = agreed_winner(living(state), state.conceded)
    if state.winner == NONE and agreed != NONE:
        declare(state, agreed, Why.CONCEDED, emit)


def close_ranks(state: Pieces, gone: Seat, emit: Emit) -> None:
    """A player is gone, and with him concessions of and to him: the last Caesar has won, or who is agreed on now."""
    state.conceded = forgotten(state.conceded, gone)
    left = living(state)
    if len(left) == 1:
        declare(state, left[0], Why.LAST_CAESAR, emit)
    declare_agreed(state, emit)


def check_concession(table: Pieces, seat: Seat, to: Seat, rule: str) -> Refusal | None:
    """Whether `seat` may concede to `to` (NONE takes it back); `rule` forbids what it may not."""
    if to == NONE or (0 <= to < table.seats and to != seat and alive(table, to)):
        return None
    return Refusal("no-partner", rule, "Concede to another player who is still in the match.")


def concede(state: Pieces, seat: Seat, to: Seat, emit: Emit) -> None:
    """`seat` agrees that `to` has won, or (NONE) no longer does."""
    state.conceded[seat] = to
    emit(Conceded(seat, to))
    declare_agreed(state, emit)
