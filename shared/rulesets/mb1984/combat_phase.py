"""Action 2, combat: the next battle, and the judgement of captured generals (MB-BATTLE-01, -02, MB-GEN-01)."""

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Seat
from shared.kernel.frames import DONE, STAY, Action, Emit, Handler, push
from shared.mechanics import flat_pairs, prisoners
from shared.mechanics.armies import total
from shared.mechanics.cells import army_of, enemies_in
from shared.refusal import Refusal
from shared.rulesets.mb1984.battle import attacker_takes
from shared.rulesets.mb1984.diplomacy import with_bargains
from shared.rulesets.mb1984.frames import Battle, Combat
from shared.rulesets.mb1984.property import reconsider_battles
from shared.rulesets.mb1984.stages import Stage
from shared.rulesets.mb1984.state import LEADERS
from shared.rulesets.mb1984.table import State, Table
from shared.vocabulary import events
from shared.vocabulary.actions import Fight


def _combat_owed(_table: Table, frame: Combat) -> tuple[Seat, ...]:
    return (frame.seat,) if frame.pending else ()


def _combat_options(_table: Table, frame: Combat, _seat: Seat) -> list[Action]:
    return [Fight(*pair) for pair in flat_pairs.to_pairs(frame.pending)]


def _combat_check(_table: Table, frame: Combat, _seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Fight):
        if (action.space, action.enemy) in flat_pairs.to_pairs(frame.pending):
            return None
        return Refusal("no-battle", "MB-BATTLE-01", "There is no battle to be fought there.")
    return Refusal("wrong-action", "MB-TURN-01", "It is the combat action: choose the next battle.")


def _combat_apply(state: State, _frame: Combat, seat: Seat, action: Fight, emit: Emit) -> object:
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
    push(state, Battle, space, seat, action.enemy, 1, Stage.ATTACKER_DECLARES, NONE, NONE, by_land)
    return STAY


def _combat_resume(state: State, frame: Combat, result: object, emit: Emit) -> object:
    if result is None:
        return DONE
    reconsider_battles(state, emit)
    return STAY


def _combat_default(_table: Table, frame: Combat, _seat: Seat) -> Action:
    return Fight(*frame.pending[:2])


COMBAT: Handler[Table, State] = with_bargains(
    Handler(_combat_owed, _combat_options, _combat_check, _combat_apply, _combat_default, _combat_resume)
)
CAPTIVES: Handler[Table, State] = prisoners.captives_handler(LEADERS, "MB-GEN-01")
