"""Conquest of a province, and captured leaders."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from shared.ids import NONE, Leader, Seat, Space
from shared.kernel.frames import Emit, push
from shared.mechanics import prisoners
from shared.mechanics.tribute import raise_marker, worth
from shared.rulesets.conquest.pieces import is_caesar, leader_lord
from shared.rulesets.conquest.table import State
from shared.vocabulary.events import Conquered
from shared.vocabulary.frames import Captives

S = TypeVar("S", bound=State)


def conquer(state: State, seat: Seat, space: Space, emit: Emit) -> None:
    """Give a province of another player, or of none, to `seat`: the markers move (CL-WIN-01, MB-WIN-01)."""
    loser = state.owner[space]
    state.owner[space] = seat
    if loser != NONE:
        state.marker[loser] -= worth(state, space)
    emit(Conquered(seat, space, loser))
    raise_marker(state, seat, worth(state, space), emit)


def judge_captives(
    state: S, by: Seat, leaders: Sequence[Leader], eliminate: Callable[[S, Seat, Seat, Emit], None], emit: Emit
) -> None:
    """Eliminate the players whose Caesar is among captured leaders, then ask `by` which of the generals die.

    Rules CL-LEAD-05, CL-CAESAR-01, MB-LEAD-07, MB-GEN-01.
    """
    for leader in leaders:
        # The lord is asked anew each time: an elimination before may have given this Caesar's colour to `by`.
        if is_caesar(state, leader) and leader_lord(state, leader) != by:
            eliminate(state, leader_lord(state, leader), by, emit)
    taken = tuple(x for x in leaders if prisoners.is_prisoner(state, x, by, state.leaders_each))
    # Asked after the eliminations: generals of an eliminated player may belong to `by` by now.
    if taken and state.winner == NONE:
        push(state, Captives, by, taken)
