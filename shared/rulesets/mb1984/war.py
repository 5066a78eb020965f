"""Action 2, combat: which battle next, and what becomes of captured generals (MB-BATTLE-01, -02, MB-GEN-01)."""

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Seat, Space
from shared.kernel.frames import STAY, Action, Emit, Handler, push
from shared.mechanics.armies import total
from shared.mechanics.cells import army_of, enemies_in
from shared.refusal import Refusal
from shared.rulesets.mb1984 import events
from shared.rulesets.mb1984.actions import Fight, Judge
from shared.rulesets.mb1984.battle import attacker_takes
from shared.rulesets.mb1984.diplomacy import SIDE, active_seat, apply_side, check_side, side_options
from shared.rulesets.mb1984.frames import Battle, Captives, Combat
from shared.rulesets.mb1984.property import is_prisoner, kill, reconsider_battles
from shared.rulesets.mb1984.state import State, Table


def _pending(frame: Combat) -> list[tuple[Space, Seat]]:
    return list(zip(frame.pending[::2], frame.pending[1::2], strict=True))


def _combat_owed(_table: Table, frame: Combat) -> tuple[Seat, ...]:
    return (frame.seat,) if frame.pending else ()


def _combat_options(table: Table, frame: Combat, seat: Seat) -> list[Action]:
    fights: list[Action] = [Fight(*pair) for pair in _pending(frame)]
    return fights + list(side_options(table, seat)) if seat == active_seat(table) else fights


def _combat_check(table: Table, frame: Combat, seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Fight):
        if (action.space, action.enemy) in _pending(frame):
            return None
        return Refusal("no-battle", "MB-BATTLE-01", "There is no battle to be fought there.")
    if isinstance(action, SIDE) and seat == active_seat(table):
        return check_side(table, seat, action)
    return Refusal("wrong-action", "MB-TURN-01", "It is the combat action: choose the next battle.")


def _combat_apply(state: State, frame: Combat, seat: Seat, action: Action, emit: Emit) -> object:
    if not isinstance(action, Fight):
        assert isinstance(action, SIDE)
        return apply_side(state, seat, action, emit)
    space = action.space
    if space < BOARD.provinces:
        cell = state.units[space]
        if not enemies_in(cell, seat):
            attacker_takes(state, space, seat, emit)
            reconsider_battles(state, emit)
            return STAY
        by_land = total(army_of(cell, seat)) > total(state.landed[space] or NO_ARMY)
    else:
        by_land = False
    emit(events.BattleBegan(space, seat, action.enemy))
    push(state, Battle, space, seat, action.enemy, 1, 0, NONE, NONE, by_land)
    return STAY


def _combat_resume(state: State, frame: Combat, result: object, emit: Emit) -> object:
    if result is None:
        return True
    reconsider_battles(state, emit)
    return STAY


def _combat_default(_table: Table, frame: Combat, _seat: Seat) -> Action:
    return Fight(*frame.pending[:2])


# --- captives ---


def _still_held(table: Table, frame: Captives) -> tuple[int, ...]:
    """Those whom no elimination in the same moment has freed or passed on."""
    return tuple([x for x in frame.leaders if is_prisoner(table, x, frame.seat)])


def _captives_owed(table: Table, frame: Captives) -> tuple[Seat, ...]:
    return (frame.seat,) if _still_held(table, frame) else ()


def _captives_options(table: Table, frame: Captives, _seat: Seat) -> list[Action]:
    held = _still_held(table, frame)
    each: list[Action] = [Judge((leader,)) for leader in held] if len(held) > 1 else []
    return [Judge(()), *each, Judge(held)]


def _captives_check(table: Table, frame: Captives, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Judge):
        return Refusal("wrong-action", "MB-GEN-01", "Say first what becomes of the captured generals.")
    if len(set(action.kill)) != len(action.kill) or not set(action.kill) <= set(_still_held(table, frame)):
        return Refusal("not-captured", "MB-GEN-01", "Only generals captured just now are judged.")
    return None


def _captives_apply(state: State, _frame: Captives, seat: Seat, action: Judge, emit: Emit) -> object:
    kill(state, seat, action.kill, emit)
    return True


def _captives_resume(_state: State, _frame: Captives, _result: object, _emit: Emit) -> object:
    return True


def _captives_default(_table: Table, _frame: Captives, _seat: Seat) -> Action:
    return Judge(())


COMBAT: Handler[Table, State] = Handler(
    _combat_owed, _combat_options, _combat_check, _combat_apply, _combat_default, _combat_resume
)
CAPTIVES: Handler[Table, State] = Handler(
    _captives_owed, _captives_options, _captives_check, _captives_apply, _captives_default, _captives_resume
)
