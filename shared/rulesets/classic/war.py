"""Phase 2, combat on land: the order of battles, rounds, retreat, pursuit (CL-BATTLE, CL-PURSUIT, CL-RETREAT)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.kernel.chance import never
from shared.kernel.frames import STAY, Action, Dice, Emit, Handler, automatic, push, replace_top
from shared.mechanics import galleys, pairs, prisoners
from shared.mechanics.armies import choices, forced, greedy, total, within
from shared.mechanics.battledice import land_hits, pursuit_hits
from shared.mechanics.cells import army_of, enemies_in, has_army
from shared.mechanics.pieces import Built
from shared.mechanics.retreat import retreat
from shared.refusal import Refusal
from shared.rulesets.classic import events
from shared.rulesets.classic.actions import EndCombat, Fight, Form, Lose, Retreat, Stand, Withdraw
from shared.rulesets.classic.frames import (
    Battle,
    Casualties,
    Combat,
    Formation,
    Naval,
    Onward,
    Pursuit,
    Turn,
    Withdrawal,
)
from shared.rulesets.classic.options import steps
from shared.rulesets.classic.property import capture, fall, open_ground, take_province
from shared.rulesets.classic.stages import NavalStage, PursuitStage, Stage
from shared.rulesets.classic.state import GALLEYS, LEADERS, State, Table, alive, enemy_leaders, leaders_at
from shared.vocabulary.frames import seat_owes

BATTLE_LEGION = 5
"""Units of a battle legion before leaders add to it (CL-BATTLE-02)."""
WALL_DICE = 2
"""Extra dice of a defender behind walls; one less against catapults (CL-BATTLE-09)."""
CHEAP_FIRST = (0, 1, 2)
STRONG_FIRST = (2, 1, 0)

# --- the phase: which battle next ---


def naval_targets(table: Table, frame: Combat) -> list[tuple[Space, Seat]]:
    """(zone, enemy) pairs the active seat may still attack with galleys (CL-NAVAL-01, CL-D18); none for a captor
    who fights the battles of an eliminated player (CL-D25)."""
    turn = table.frames[0]
    if isinstance(turn, Turn) and not alive(table, turn.seat):
        return []
    fought = pairs.of(frame.fought)
    met = galleys.meetings(table.galley_at, table.lord, frame.seat, GALLEYS)
    return [pair for pair in met if pair not in fought]


def _combat_owed(table: Table, frame: Combat) -> tuple[Seat, ...]:
    if frame.pending or naval_targets(table, frame):
        return (frame.seat,)
    return ()


def _combat_options(table: Table, frame: Combat, _seat: Seat) -> list[Action]:
    fights: list[Action] = [Fight(*pair) for pair in pairs.of(frame.pending) + naval_targets(table, frame)]
    return fights if frame.pending else [EndCombat(), *fights]


def _combat_check(table: Table, frame: Combat, _seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Fight):
        if (action.space, action.enemy) in pairs.of(frame.pending) + naval_targets(table, frame):
            return None
        return Refusal("no-battle", "CL-BATTLE-01", "There is no battle to be fought there.")
    if not isinstance(action, EndCombat):
        return Refusal("wrong-action", "CL-TURN-01", "It is the combat phase: choose the next battle.")
    if frame.pending:
        name = BOARD.names[frame.pending[0]]
        return Refusal("must-fight", "CL-BATTLE-01", f"The battle in {name} must be fought first.")
    return None


def _combat_apply(state: State, frame: Combat, seat: Seat, action: Action, emit: Emit) -> object:
    if not isinstance(action, Fight):
        return frame.stood
    emit(events.BattleBegan(action.space, seat, action.enemy))
    if action.space < BOARD.provinces:
        push(state, Battle, action.space, seat, action.enemy, 1, Stage.DEFENDER_FORMS, NO_ARMY, NO_ARMY, NO_ARMY)
        return STAY
    fought = (*frame.fought, action.space, action.enemy)
    replace_top(state, Combat(frame.no, frame.seat, frame.pending, fought, frame.stood))
    push(state, Naval, action.space, seat, action.enemy, 1, NavalStage.ATTACKER_ROLLS, (0, 0), ())
    return STAY


def _combat_resume(state: State, frame: Combat, result: object, _emit: Emit) -> object:
    """A battle is over: who is left to fight? An eliminated side fights on under its new lord (CL-D25)."""
    if result is None:
        return frame.stood
    seat = state.lord[frame.seat]
    left = {
        (space, state.lord[enemy])
        for space, enemy in pairs.of(frame.pending)
        if state.lord[enemy] != seat
        and has_army(state.units[space], seat)
        and has_army(state.units[space], state.lord[enemy])
    }
    replace_top(state, Combat(frame.no, seat, pairs.flat(sorted(left)), frame.fought, frame.stood))
    return STAY


def _combat_default(table: Table, frame: Combat, _seat: Seat) -> Action:
    return Fight(*frame.pending[:2]) if frame.pending else EndCombat()


def sweep(state: State, seat: Seat, stood: Sequence[Space], emit: Emit) -> None:
    """End of combat: where own units `stood` and only they still stand, the province and lone enemy leaders are
    taken (CL-WIN-02, CL-D02, CL-D04, CL-D07)."""
    for space in stood:
        cell = state.units[space]
        if not has_army(cell, seat) or enemies_in(cell, seat):
            continue
        lone = enemy_leaders(state, seat, space)
        if state.owner[space] != seat:
            take_province(state, seat, space, emit)
        capture(state, seat, lone, emit)


# --- one battle ---

Procedure = Callable[[State, Battle, Any, Emit], object]


def legion_size(table: Table, seat: Seat, space: Space) -> int:
    """5, and 1 for each leader present; never more than there are units (CL-BATTLE-02, CL-D12)."""
    most = BATTLE_LEGION + len(leaders_at(table, seat, space))
    return min(most, total(army_of(table.units[space], seat)))


def wall_dice(table: Table, frame: Battle) -> int:
    """Extra dice of the defender: only in his own fortified city (CL-BATTLE-09, CL-D09)."""
    if table.owner[frame.space] != frame.defender or table.built[frame.space] != Built.FORTIFIED:
        return 0
    return WALL_DICE - (army_of(table.units[frame.space], frame.attacker)[2] > 0)


def _to(state: State, frame: Battle, stage: Stage, **changes: Any) -> object:
    replace_top(state, replace(frame, stage=stage, **changes))
    return STAY


def _form(state: State, frame: Battle, seat: Seat, waiting: Stage, formed: Stage, field: str) -> object:
    army = army_of(state.units[frame.space], seat)
    size = legion_size(state, seat, frame.space)
    legion = forced(army, size)
    if legion is not None:
        return _to(state, frame, formed, **{field: legion})
    _to(state, frame, waiting)
    push(state, Formation, seat, frame.space, size)
    return STAY


def _defender_forms(state: State, frame: Battle, _result: Any, _emit: Emit) -> object:
    return _form(state, frame, frame.defender, Stage.DEFENDER_FORMED, Stage.ATTACKER_FORMS, "defending")


def _defender_formed(state: State, frame: Battle, result: Any, _emit: Emit) -> object:
    return _to(state, frame, Stage.ATTACKER_FORMS, defending=result)


def _attacker_forms(state: State, frame: Battle, _result: Any, _emit: Emit) -> object:
    return _form(state, frame, frame.attacker, Stage.ATTACKER_FORMED, Stage.ATTACKER_ROLLS, "attacking")


def _attacker_formed(state: State, frame: Battle, result: Any, _emit: Emit) -> object:
    return _to(state, frame, Stage.ATTACKER_ROLLS, attacking=result)


def _attacker_rolls(state: State, frame: Battle, _result: Any, _emit: Emit) -> object:
    _to(state, frame, Stage.ATTACKER_ROLLED)
    push(state, Dice, total(frame.attacking))
    return STAY


def _hits(
    state: State, frame: Battle, seat: Seat, legion: Army, target: Army, faces: tuple[int, ...], emit: Emit
) -> int:
    """Hits of a roll, no more than the other battle legion has units (CL-BATTLE-05, -06, CL-D10, CL-D11)."""
    reserve = army_of(state.units[frame.space], seat)[2] - legion[2]
    hits = min(land_hits(faces, legion, reserve), total(target))
    emit(events.DiceFell(seat, frame.space, faces, hits))
    return hits


def _attacker_rolled(state: State, frame: Battle, faces: Any, emit: Emit) -> object:
    hits = _hits(state, frame, frame.attacker, frame.attacking, frame.defending, faces, emit)
    down = forced(frame.defending, hits)
    if down is not None:
        return _to(state, frame, Stage.DEFENDER_ROLLS, down=down)
    _to(state, frame, Stage.DEFENDER_LOST)
    push(state, Casualties, frame.defender, frame.space, frame.defender, frame.defending, hits)
    return STAY


def _defender_lost(state: State, frame: Battle, result: Any, _emit: Emit) -> object:
    return _to(state, frame, Stage.DEFENDER_ROLLS, down=result)


def _defender_rolls(state: State, frame: Battle, _result: Any, _emit: Emit) -> object:
    """Laid-down units still fire (CL-BATTLE-07)."""
    _to(state, frame, Stage.DEFENDER_ROLLED)
    push(state, Dice, total(frame.defending) + wall_dice(state, frame))
    return STAY


def _defender_rolled(state: State, frame: Battle, faces: Any, emit: Emit) -> object:
    hits = _hits(state, frame, frame.defender, frame.defending, frame.attacking, faces, emit)
    lost = forced(frame.attacking, hits)
    if lost is not None:
        return _attacker_lost(state, frame, lost, emit)
    _to(state, frame, Stage.ATTACKER_LOST)
    push(state, Casualties, frame.attacker, frame.space, frame.attacker, frame.attacking, hits)
    return STAY


def _attacker_lost(state: State, frame: Battle, lost: Any, emit: Emit) -> object:
    """Both sides' losses leave the board at once, then the round is judged (CL-BATTLE-07, -10)."""
    fall(state, frame.defender, frame.space, frame.down, emit)
    fall(state, frame.attacker, frame.space, lost, emit)
    cell = state.units[frame.space]
    standing = (has_army(cell, frame.attacker), has_army(cell, frame.defender))
    if standing == (True, True):
        _to(state, frame, Stage.DEFENDER_DECIDED, down=NO_ARMY)
        push(state, Onward, frame.defender, frame.space)
        return STAY
    _to(state, frame, Stage.OVER, down=NO_ARMY)
    return _wiped_out(state, frame, standing, emit)


def _wiped_out(state: State, frame: Battle, standing: tuple[bool, bool], emit: Emit) -> object:
    if standing == (True, False):
        return _attacker_won(state, frame, leaders_at(state, frame.defender, frame.space), emit)
    emit(events.BattleEnded(frame.space, frame.defender))
    lone = leaders_at(state, frame.attacker, frame.space)
    if standing == (False, True):
        capture(state, frame.defender, lone, emit)
    elif lone:
        _to(state, frame, Stage.WITHDRAWN, down=NO_ARMY)
        push(state, Withdrawal, frame.attacker, frame.space)
    return STAY


def _withdrawn(state: State, frame: Battle, _result: Any, emit: Emit) -> object:
    """Leaders that found no way out are captured (CL-D01)."""
    _to(state, frame, Stage.OVER)
    capture(state, frame.defender, leaders_at(state, frame.attacker, frame.space), emit)
    return STAY


def _attacker_won(state: State, frame: Battle, captives: tuple[int, ...], emit: Emit) -> object:
    """CL-WIN-01, CL-PURSUIT-02; with another army still there the province is not won yet (CL-D30)."""
    emit(events.BattleEnded(frame.space, frame.attacker))
    if not enemies_in(state.units[frame.space], frame.attacker):
        take_province(state, frame.attacker, frame.space, emit)
    capture(state, frame.attacker, captives, emit)
    return STAY


def _defender_decided(state: State, frame: Battle, result: Any, _emit: Emit) -> object:
    """CL-BATTLE-10, CL-D13: a defender who retreats spares the attacker the question."""
    if isinstance(result, Retreat):
        return _retreats(state, frame, frame.defender, frame.attacker, result.to)
    _to(state, frame, Stage.ATTACKER_DECIDED)
    push(state, Onward, frame.attacker, frame.space)
    return STAY


def _attacker_decided(state: State, frame: Battle, result: Any, _emit: Emit) -> object:
    if isinstance(result, Retreat):
        return _retreats(state, frame, frame.attacker, frame.defender, result.to)
    return _to(state, frame, Stage.DEFENDER_FORMS, round=frame.round + 1)


def _retreats(state: State, frame: Battle, loser: Seat, winner: Seat, to: Space) -> object:
    _to(state, frame, Stage.PURSUED)
    push(state, Pursuit, frame.space, winner, loser, to, PursuitStage.HUNT)
    return STAY


def _pursued(state: State, frame: Battle, loser: Any, emit: Emit) -> object:
    """The retreat is over; leaders that found no way out are captured (CL-RETREAT-01)."""
    _to(state, frame, Stage.OVER)
    lost = leaders_at(state, loser, frame.space)
    if loser == frame.defender:
        return _attacker_won(state, frame, lost, emit)
    emit(events.BattleEnded(frame.space, frame.defender))
    capture(state, frame.defender, lost, emit)
    return STAY


def _over(_state: State, _frame: Battle, _result: Any, _emit: Emit) -> object:
    return True


STAGES: Mapping[Stage, Procedure] = {
    Stage.DEFENDER_FORMS: _defender_forms,
    Stage.DEFENDER_FORMED: _defender_formed,
    Stage.ATTACKER_FORMS: _attacker_forms,
    Stage.ATTACKER_FORMED: _attacker_formed,
    Stage.ATTACKER_ROLLS: _attacker_rolls,
    Stage.ATTACKER_ROLLED: _attacker_rolled,
    Stage.DEFENDER_LOST: _defender_lost,
    Stage.DEFENDER_ROLLS: _defender_rolls,
    Stage.DEFENDER_ROLLED: _defender_rolled,
    Stage.ATTACKER_LOST: _attacker_lost,
    Stage.DEFENDER_DECIDED: _defender_decided,
    Stage.ATTACKER_DECIDED: _attacker_decided,
    Stage.PURSUED: _pursued,
    Stage.WITHDRAWN: _withdrawn,
    Stage.OVER: _over,
}
"""A round of battle in the order of the rulebook."""


def _battle_resume(state: State, frame: Battle, result: object, emit: Emit) -> object:
    return STAGES[frame.stage](state, frame, result, emit)


# --- decisions within a battle ---


def _formation_options(table: Table, frame: Formation, seat: Seat) -> list[Action]:
    army = army_of(table.units[frame.space], seat)
    return [Form(*legion) for legion in choices(army, frame.size)]


def _formation_check(table: Table, frame: Formation, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Form):
        return Refusal("wrong-action", "CL-BATTLE-02", "Choose your battle legion first.")
    legion = (action.infantry, action.cavalry, action.catapults)
    if not within(legion, army_of(table.units[frame.space], seat)):
        return Refusal("not-so-many", "CL-BATTLE-02", "You do not have these units in the battle.")
    if total(legion) != frame.size:
        text = f"The battle legion has exactly {frame.size} units: 5 and one for each leader."
        return Refusal("wrong-size", "CL-BATTLE-02", text)
    return None


def _formation_apply(_state: State, _frame: Formation, _seat: Seat, action: Form, _emit: Emit) -> object:
    return action.infantry, action.cavalry, action.catapults


def _formation_default(table: Table, frame: Formation, seat: Seat) -> Action:
    """Infantry faces are the likeliest; catapults hit from the reserve too (CL-BATTLE-06)."""
    return Form(*greedy(army_of(table.units[frame.space], seat), frame.size, (0, 1, 2)))


def _losses_options(_table: Table, frame: Casualties, _seat: Seat) -> list[Action]:
    return [Lose(*lost) for lost in choices(frame.legion, frame.hits)]


def _losses_check(_table: Table, frame: Casualties, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Lose):
        return Refusal("wrong-action", "CL-BATTLE-07", "Choose the losses first.")
    lost = (action.infantry, action.cavalry, action.catapults)
    if not within(lost, frame.legion):
        return Refusal("not-in-legion", "CL-BATTLE-08", "Losses come only from the battle legion.")
    if total(lost) != frame.hits:
        return Refusal("wrong-number", "CL-BATTLE-07", f"Exactly {frame.hits} units fall.")
    return None


def _losses_apply(_state: State, _frame: Casualties, _seat: Seat, action: Lose, _emit: Emit) -> object:
    return action.infantry, action.cavalry, action.catapults


def _losses_default(_table: Table, frame: Casualties, seat: Seat) -> Action:
    return Lose(*greedy(frame.legion, frame.hits, CHEAP_FIRST if seat == frame.owner else STRONG_FIRST))


def retreat_targets(table: Table, seat: Seat, space: Space) -> list[Space]:
    """Where the side can go (CL-RETREAT-01, CL-D06); [] where it is surrounded."""
    return open_ground(table, seat, steps(table)[space])


def _onward_options(table: Table, frame: Onward, seat: Seat) -> list[Action]:
    targets = retreat_targets(table, seat, frame.space) or [NONE]
    return [Stand(), *[Retreat(to) for to in targets]]


def _onward_check(table: Table, frame: Onward, seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Stand):
        return None
    if not isinstance(action, Retreat):
        return Refusal("wrong-action", "CL-BATTLE-10", "Fight on or retreat.")
    return _check_escape(table, seat, frame.space, action.to)


def _check_escape(table: Table, seat: Seat, space: Space, to: Space) -> Refusal | None:
    targets = retreat_targets(table, seat, space)
    if to in targets or (to == NONE and not targets):
        return None
    text = "A retreat leads to one adjacent province without another player's units."
    return Refusal("no-retreat", "CL-RETREAT-01", text)


def _onward_apply(_state: State, _frame: Onward, _seat: Seat, action: Action, _emit: Emit) -> object:
    return action


def _onward_default(_table: Table, _frame: Onward, _seat: Seat) -> Action:
    return Stand()


# --- pursuit ---


def _pursuit_resume(state: State, frame: Pursuit, result: Any, emit: Emit) -> object:
    """CL-PURSUIT-01, CL-PURSUIT-02, CL-D05, CL-D14, CL-D15. The result is the losing seat."""
    if frame.to == NONE:
        fall(state, frame.loser, frame.space, army_of(state.units[frame.space], frame.loser), emit)
        return frame.loser
    match frame.stage:
        case PursuitStage.HUNT:
            return _hunt(state, frame, emit)
        case PursuitStage.ROLLED:
            return _hunted(state, frame, result, emit)
    return _escape(state, frame, result, emit)


def _hunt(state: State, frame: Pursuit, emit: Emit) -> object:
    """Without horsemen nobody can be caught."""
    hunters = army_of(state.units[frame.space], frame.winner)
    if not hunters[1]:
        return _escape(state, frame, NO_ARMY, emit)
    replace_top(state, replace(frame, stage=PursuitStage.ROLLED))
    push(state, Dice, total(hunters))
    return STAY


def _hunted(state: State, frame: Pursuit, faces: tuple[int, ...], emit: Emit) -> object:
    """The winner chooses whom his horsemen catch."""
    cell = state.units[frame.space]
    fleeing = army_of(cell, frame.loser)
    hits = min(pursuit_hits(faces, army_of(cell, frame.winner)[1]), total(fleeing))
    emit(events.DiceFell(frame.winner, frame.space, faces, hits))
    victims = forced(fleeing, hits)
    if victims is not None:
        return _escape(state, frame, victims, emit)
    replace_top(state, replace(frame, stage=PursuitStage.CAUGHT))
    push(state, Casualties, frame.winner, frame.space, frame.loser, fleeing, hits)
    return STAY


def _escape(state: State, frame: Pursuit, caught: Army, emit: Emit) -> object:
    """Survivors and leaders go; they conquer nothing yet (CL-D07)."""
    fall(state, frame.loser, frame.space, caught, emit)
    leaders = leaders_at(state, frame.loser, frame.space)
    retreat(state, frame.loser, frame.space, frame.to, leaders, emit)
    return frame.loser


# --- leaders left alone, and captives ---


def _withdrawal_options(table: Table, frame: Withdrawal, seat: Seat) -> list[Action]:
    return [Withdraw(to) for to in retreat_targets(table, seat, frame.space) or [NONE]]


def _withdrawal_check(table: Table, frame: Withdrawal, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Withdraw):
        return Refusal("wrong-action", "CL-D01", "Your leaders must leave the lost field first.")
    return _check_escape(table, seat, frame.space, action.to)


def _withdrawal_apply(state: State, frame: Withdrawal, seat: Seat, action: Withdraw, emit: Emit) -> object:
    if action.to != NONE:
        retreat(state, seat, frame.space, action.to, leaders_at(state, seat, frame.space), emit)
    return True


def _withdrawal_default(table: Table, frame: Withdrawal, seat: Seat) -> Action:
    return Withdraw((retreat_targets(table, seat, frame.space) or [NONE])[0])


COMBAT: Handler[Table, State] = Handler(
    _combat_owed, _combat_options, _combat_check, _combat_apply, _combat_default, _combat_resume
)
BATTLE: Handler[Table, State] = automatic(_battle_resume)
FORMATION: Handler[Table, State] = Handler(
    seat_owes, _formation_options, _formation_check, _formation_apply, _formation_default, never
)
CASUALTIES: Handler[Table, State] = Handler(
    seat_owes, _losses_options, _losses_check, _losses_apply, _losses_default, never
)
ONWARD: Handler[Table, State] = Handler(
    seat_owes, _onward_options, _onward_check, _onward_apply, _onward_default, never
)
PURSUIT: Handler[Table, State] = automatic(_pursuit_resume)
WITHDRAWAL: Handler[Table, State] = Handler(
    seat_owes, _withdrawal_options, _withdrawal_check, _withdrawal_apply, _withdrawal_default, never
)
CAPTIVES: Handler[Table, State] = prisoners.judgement(LEADERS, "CL-LEAD-05")
