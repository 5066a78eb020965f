"""The end of a match: the last Caesar, common agreement, the round limit."""

from collections.abc import Sequence

from shared.ids import NONE, Seat
from shared.kernel.frames import Emit
from shared.mechanics.pieces import alive, living
from shared.mechanics.table import Pieces
from shared.refusal import Refusal
from shared.vocabulary.events import Conceded, Why, Won


def winner(table: Pieces) -> int:
    """Return the seat that has won, or NONE."""
    return table.winner


def finished(table: Pieces) -> bool:
    """Whether the match is over."""
    return table.winner != NONE


def declare(state: Pieces, seat: Seat, why: Why, emit: Emit) -> None:
    """Declare `seat` the winner."""
    state.winner = seat
    emit(Won(seat, why))


def agreed_winner(left: Sequence[Seat], conceded: Sequence[Seat]) -> Seat:
    """Return the seat in the match to which all others in the match have conceded, else NONE."""
    # A seat that is alone has no others to ask: `all` of nothing lets it win.
    for winner in left:
        if all(conceded[seat] == winner for seat in left if seat != winner):
            return winner
    return NONE


def without_player(conceded: Sequence[Seat], gone: Seat) -> list[Seat]:
    """Return the concessions without those of and to a player who is gone."""
    return [NONE if seat == gone or to == gone else to for seat, to in enumerate(conceded)]


def declare_agreed(state: Pieces, emit: Emit) -> None:
    """Declare the seat the winner to which all others have conceded, if there is one."""
    agreed = agreed_winner(living(state), state.conceded)
    # Asked again, because the last Caesar may have been declared the winner a moment ago.
    if state.winner == NONE and agreed != NONE:
        declare(state, agreed, Why.CONCEDED, emit)


def drop_concessions(state: Pieces, gone: Seat, emit: Emit) -> None:
    """Drop concessions of and to a player who is gone.

    Then declare the last Caesar the winner, or the seat on which all others now agree.
    """
    state.conceded = without_player(state.conceded, gone)
    left = living(state)
    if len(left) == 1:
        declare(state, left[0], Why.LAST_CAESAR, emit)
    declare_agreed(state, emit)


def check_concession(table: Pieces, seat: Seat, to: Seat, rule: str) -> Refusal | None:
    """Return None if `seat` may concede to `to` (NONE takes it back), else a refusal that names `rule`."""
    if to == NONE or (0 <= to < table.seats and to != seat and alive(table, to)):
        return None
    return Refusal("no-partner", rule, "Concede to another player who is still in the match.")


def concede(state: Pieces, seat: Seat, to: Seat, emit: Emit) -> None:
    """Record that `seat` agrees that `to` has won, or (NONE) that it no longer does."""
    state.conceded[seat] = to
    emit(Conceded(seat, to))
    declare_agreed(state, emit)
