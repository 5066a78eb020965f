"""Phase 2, combat: the next battle, and conquests once all are fought (CL-BATTLE-01, CL-WIN-02)."""

from shared.board import BOARD
from shared.ids import NO_ARMY, Seat, Space
from shared.kernel.frames import STAY, Action, Emit, Handler, push, replace_top
from shared.language.sentence import _
from shared.mechanics import flat_pairs, galleys, prisoners
from shared.mechanics.armies import enemies_in, has_army
from shared.mechanics.pieces import alive
from shared.refusal import Refusal
from shared.rulesets.classic.actions import EndCombat
from shared.rulesets.classic.frames import Battle, Combat, Naval
from shared.rulesets.classic.options import clears_all
from shared.rulesets.classic.property import capture, take_with_leaders
from shared.rulesets.classic.stages import NavalStage, Stage
from shared.rulesets.classic.table import GALLEYS, LEADERS, State, TableFields
from shared.rulesets.conquest.pieces import enemy_leaders
from shared.vocabulary import events
from shared.vocabulary.actions import Fight
from shared.vocabulary.frames import Turn


def naval_targets(table: TableFields, frame: Combat) -> list[tuple[Space, Seat]]:
    """Return (zone, enemy) pairs that the active seat may still attack with galleys (CL-NAVAL-01, CL-D18).

    A captor who fights the battles of an eliminated player has none (CL-H12).
    """
    if _for_another(table):
        return []
    fought = flat_pairs.to_pairs(frame.fought)
    met = galleys.meetings(table.galley_at, table.lord, frame.seat, GALLEYS)
    return [pair for pair in met if pair not in fought]


def _for_another(table: TableFields) -> bool:
    """Whether the player whose turn it is is out, and their captor fights their battles."""
    turn = table.frames[0]
    return isinstance(turn, Turn) and not alive(table, turn.seat)


def _combat_owed(table: TableFields, frame: Combat) -> tuple[Seat, ...]:
    if frame.pending or naval_targets(table, frame):
        return (frame.seat,)
    return ()


def _combat_options(table: TableFields, frame: Combat, _seat: Seat) -> list[Action]:
    fights: list[Action] = [Fight(*pair) for pair in flat_pairs.to_pairs(frame.pending) + naval_targets(table, frame)]
    return fights if frame.pending else [EndCombat(), *fights]


def _combat_check(table: TableFields, frame: Combat, _seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Fight):
        if (action.space, action.enemy) in flat_pairs.to_pairs(frame.pending) + naval_targets(table, frame):
            return None
        return _no_battle(table, frame, action)
    if not isinstance(action, EndCombat):
        return Refusal("wrong-action", "CL-TURN-01", "It is the combat phase: choose the next battle.")
    if frame.pending:
        name = BOARD.names[frame.pending[0]]
        return Refusal("must-fight", "CL-BATTLE-01", _("The battle in {place} must be fought first.", place=name))
    return None


def _no_battle(table: TableFields, frame: Combat, fight: Fight) -> Refusal:
    if not BOARD.is_sea(fight.space):
        return Refusal("no-battle", "CL-BATTLE-01", "There is no battle to be fought there.")
    if (fight.space, fight.enemy) in flat_pairs.to_pairs(frame.fought):
        return Refusal("fought", "CL-D18", "You have attacked these galleys this turn.")
    if _for_another(table):
        return Refusal("no-naval", "CL-H12", "The turn of a player who is out has no attacks at sea.")
    return Refusal("no-battle", "CL-NAVAL-01", "Your galleys and that enemy's do not meet there.")


def _combat_apply(state: State, frame: Combat, seat: Seat, action: Action, emit: Emit) -> object:
    if not isinstance(action, Fight):
        return frame
    emit(events.BattleBegan(action.space, seat, action.enemy))
    naval = action.space >= BOARD.provinces
    if naval or not clears_all(state):
        fought = (*frame.fought, action.space, action.enemy)
        replace_top(state, Combat(frame.no, frame.seat, frame.pending, fought, frame.stood))
    if not naval:
        push(state, Battle, action.space, seat, action.enemy, 1, Stage.DEFENDER_FORMS, NO_ARMY, NO_ARMY, NO_ARMY)
        return STAY
    push(state, Naval, action.space, seat, action.enemy, 1, NavalStage.ATTACKER_ROLLS, (0, 0), ())
    return STAY


def _combat_resume(state: State, frame: Combat, result: object, _emit: Emit) -> object:
    """Update the battles still to be fought after one is over. An eliminated side fights on under its new lord
    (CL-D25).
    """
    # No child frame: the engine asks an automatic frame to go on, so no battle is left.
    if result is None:
        return frame
    seat = state.lord[frame.seat]
    # A set, because two enemies may belong to one lord by now.
    left = {
        (space, state.lord[enemy])
        for space, enemy in flat_pairs.to_pairs(frame.pending)
        if state.lord[enemy] != seat
        and has_army(state.units[space], seat)
        and has_army(state.units[space], state.lord[enemy])
    }
    replace_top(state, Combat(frame.no, seat, flat_pairs.to_flat(sorted(left)), frame.fought, frame.stood))
    return STAY


def _combat_default(table: TableFields, frame: Combat, _seat: Seat) -> Action:
    return Fight(*frame.pending[:2]) if frame.pending else EndCombat()


def sweep(state: State, seat: Seat, combat: Combat, emit: Emit) -> None:
    """End the combat: take the provinces and lone enemy leaders where own units stood and still stand alone.

    Rules CL-WIN-02, CL-D02, CL-D04, CL-D07.
    """
    # Only where units stood as the phase began: a retreat conquers nothing (CL-D07).
    for space in combat.stood:
        cell = state.units[space]
        if not has_army(cell, seat) or enemies_in(cell, seat):
            continue
        lone = enemy_leaders(state, seat, space)
        if state.owner[space] != seat:
            take_with_leaders(state, seat, space, lone, combat, emit)
        else:
            capture(state, seat, lone, emit)


COMBAT: Handler[TableFields, State] = Handler(
    _combat_owed, _combat_options, _combat_check, _combat_apply, _combat_default, _combat_resume
)
CAPTIVES: Handler[TableFields, State] = prisoners.captives_handler(LEADERS, "CL-LEAD-05")
