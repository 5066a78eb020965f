"""A player's turn: two actions, and cards that cost none (II-ACT)."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from shared.ids import Seat
from shared.kernel.frames import DONE, STAY, Action, Emit, Handler, replace_top
from shared.refusal import Refusal
from shared.rulesets.cote2 import economy, effects, events, joining, movement
from shared.rulesets.cote2.actions import (
    Attack,
    Campaign,
    Incite,
    Influence,
    Levy,
    Move,
    Obtain,
    Pass,
    Recruit,
    Sail,
    Use,
)
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.table import State, Table
from shared.vocabulary.actions import EndTurn

Check = Callable[[Table, Turn, Seat, Any], Refusal | None]
Apply = Callable[[State, Seat, Any, Emit], None]
List = Callable[[Table, Turn, Seat], Sequence[Action]]


def _pass_check(_table: Table, _frame: Turn, _seat: Seat, _action: Pass) -> Refusal | None:
    return None


def _pass_apply(_state: State, seat: Seat, _action: Pass, emit: Emit) -> None:
    emit(events.Passed(seat))


ACTIONS: dict[type[Action], tuple[Check, Apply]] = {
    Obtain: (effects.obtain_check, effects.obtain_apply),
    Campaign: (effects.obtain_check, effects.obtain_apply),
    Incite: (effects.obtain_check, effects.obtain_apply),
    Recruit: (economy.recruit_check, economy.recruit_apply),
    Influence: (economy.influence_check, economy.influence_apply),
    Levy: (economy.levy_check, economy.levy_apply),
    Move: (movement.move_check, movement.move_apply),
    Attack: (joining.attack_check, joining.attack_apply),
    Sail: (joining.sail_check, joining.sail_apply),
    Pass: (_pass_check, _pass_apply),
}
"""The eight actions; obtaining a card is one of them in three shapes (II-ACT-02)."""
OBTAINING = (Obtain, Campaign, Incite)
LISTS: tuple[List, ...] = (
    effects.card_options,
    economy.recruit_options,
    economy.influence_options,
    economy.levy_options,
    movement.move_options,
    joining.attack_options,
    joining.sail_options,
)


def _owed(table: Table, frame: Turn) -> tuple[Seat, ...]:
    """Return the seat; after both actions only as long as a card could still be used."""
    return (frame.seat,) if frame.left or effects.usable(table, frame.seat) else ()


def _options(table: Table, frame: Turn, seat: Seat) -> list[Action]:
    """Return the options; each list takes care that no action is listed twice."""
    found: list[Action] = [Pass() if frame.left else EndTurn()]
    if frame.left:
        for listed in LISTS:
            found += listed(table, frame, seat)
    found += effects.use_options(table, frame, seat)
    return found


def _check(table: Table, frame: Turn, seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Use):
        return effects.use_check(table, frame, seat, action)
    if isinstance(action, EndTurn):
        if not frame.left:
            return None
        return Refusal("actions-left", "II-ACT-01", "You have actions left; pass if you do not want them.")
    known = ACTIONS.get(type(action))
    if known is None:
        return Refusal("wrong-action", "II-ACT-02", "It is your turn: choose an action.")
    if not frame.left:
        return Refusal("no-actions-left", "II-ACT-01", "You have used both actions of this round.")
    return known[0](table, frame, seat, action)


def _apply(state: State, frame: Turn, seat: Seat, action: Action, emit: Emit) -> object:
    if isinstance(action, EndTurn):
        return DONE
    if isinstance(action, Use):
        effects.use_apply(state, seat, action, emit)
        return STAY
    obtained = frame.obtained or isinstance(action, OBTAINING)
    replace_top(state, replace(frame, left=frame.left - 1, obtained=obtained))
    ACTIONS[type(action)][1](state, seat, action, emit)
    return STAY


def _resume(_state: State, _frame: Turn, result: object, _emit: Emit) -> object:
    """Go on with the turn after a battle or a vote; end it if nothing is left to do."""
    return True if result is None else STAY


def _default(_table: Table, frame: Turn, _seat: Seat) -> Action:
    return Pass() if frame.left else EndTurn()


TURN: Handler[Table, State] = Handler(_owed, _options, _check, _apply, _default, _resume)
