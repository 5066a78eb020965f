"""The turn: one step after the other (CL-TURN-01, MB-TURN-01)."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from shared.ids import Seat
from shared.kernel.frames import STAY, Emit, Frame, Handler, automatic, push, replace_top
from shared.mechanics.pieces import alive
from shared.rulesets.conquest.table import State
from shared.vocabulary.frames import Turn

S = TypeVar("S", bound=State)
Procedure: TypeAlias = Callable[[S, Seat, Any, Emit], None]
"""Carries out a step of the turn, with the result of the step before."""


def decision_step(kind: type[Frame]) -> Procedure[State]:
    """Return a step that only asks the seat for a decision of that kind."""

    def step(state: State, seat: Seat, _result: Any, _emit: Emit) -> None:
        push(state, kind, seat)

    return step


def turn_handler(
    steps: Mapping[int, Procedure[S]], end: int, next_turn: Callable[[S, Turn, Emit], object]
) -> Handler[object, S]:
    """Return the handler of `Turn`.

    A player who is eliminated in mid-turn has no more steps (CL-D25, MB-D38). `end`: the number after the last step.
    """

    def resume(state: S, frame: Turn, result: object, emit: Emit) -> object:
        if frame.step == end or not alive(state, frame.seat):
            return next_turn(state, frame, emit)
        # Before the step: it may push a frame, and the turn must stand below it with its next step.
        replace_top(state, Turn(frame.no, frame.seat, frame.step + 1))
        steps[frame.step](state, frame.seat, result, emit)
        return STAY

    return automatic(resume)
