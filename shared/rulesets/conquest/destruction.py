"""Destroying cities, between tribute and purchase (CL-DESTROY, MB-DESTROY)."""

from collections.abc import Callable
from typing import TypeVar

from shared.ids import Seat, Space
from shared.kernel.frames import DONE, STAY, Action, Emit, Handler, always, ends_alone
from shared.mechanics import building
from shared.mechanics.building import own_cities
from shared.refusal import Refusal
from shared.rulesets.conquest.table import State, TableFields
from shared.vocabulary.actions import EndDestruction, Raze
from shared.vocabulary.frames import Destruction

T = TypeVar("T", bound=TableFields)
S = TypeVar("S", bound=State)


def destruction_handler(
    check_raze: Callable[[T, Seat, Space], Refusal | None],
    remove_roads: Callable[[S, Space, Emit], None],
    turn_rule: str,
) -> Handler[T, S]:
    """Return the handler of `Destruction`.

    check_raze: check the destruction of a city. remove_roads: remove the roads to it. turn_rule: the rule about the
    order of a turn.
    """

    def owed(table: T, frame: Destruction) -> tuple[Seat, ...]:
        return (frame.seat,) if own_cities(table, frame.seat) else ()

    def options(table: T, _frame: Destruction, seat: Seat) -> list[Action]:
        cities = own_cities(table, seat)
        return [EndDestruction(), *[Raze(space) for space in cities if check_raze(table, seat, space) is None]]

    def check(table: T, _frame: Destruction, seat: Seat, action: Action) -> Refusal | None:
        if isinstance(action, Raze):
            return check_raze(table, seat, action.space)
        if isinstance(action, EndDestruction):
            return None
        return Refusal("wrong-action", turn_rule, "Now cities may be destroyed; go on if you want to keep them.")

    def apply(state: S, _frame: Destruction, seat: Seat, action: Action, emit: Emit) -> object:
        if not isinstance(action, Raze):
            # Only the end of the destruction ends the frame: several cities may fall, one action each.
            return DONE
        building.raze(state, seat, action.space, emit)
        remove_roads(state, action.space, emit)
        return STAY

    return Handler(owed, options, check, apply, always(EndDestruction()), ends_alone)
