"""A battle on land: legions, dice, losses, round by round (CL-BATTLE-02 to -10, CL-WIN-01)."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from shared.ids import NO_ARMY, Army, Seat, Space
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import DONE, STAY, Action, Dice, Emit, Handler, automatic, push, replace_top
from shared.language.sentence import _
from shared.mechanics.armies import (
    army_of,
    choices,
    enemies_in,
    has_army,
    only_choice,
    take_by_kind,
    total,
    units_fall,
    units_words,
    within,
)
from shared.mechanics.battledice import land_hits
from shared.mechanics.table import Built
from shared.refusal import Refusal
from shared.rulesets.classic.actions import Form, Lose
from shared.rulesets.classic.frames import Battle, Casualties, Combat, Formation, Pursuit, Withdrawal
from shared.rulesets.classic.options import wall_worth
from shared.rulesets.classic.property import capture, fall, take_with_leaders
from shared.rulesets.classic.stages import PursuitStage, Stage
from shared.rulesets.classic.table import State, TableFields
from shared.rulesets.conquest.pieces import leaders_at
from shared.vocabulary import events
from shared.vocabulary.actions import Retreat
from shared.vocabulary.frames import Onward, seat_owes

BATTLE_LEGION = 5
"""Units of a battle legion before leaders add to it (CL-BATTLE-02)."""
CHEAP_FIRST = (0, 1, 2)
STRONG_FIRST = (2, 1, 0)

Procedure = Callable[[State, Battle, Any, Emit], object]


def front(units: int, leaders: int) -> int:
    """Return the size of a battle legion: 5, and 1 for each leader present, at most all units (CL-BATTLE-02,
    CL-D12).
    """
    return min(BATTLE_LEGION + leaders, units)


def legion_size(table: TableFields, seat: Seat, space: Space) -> int:
    """Return the size of the battle legion of a side."""
    return front(total(army_of(table.units[space], seat)), len(leaders_at(table, seat, space)))


def walls_of(table: TableFields, space: Space, defender: Seat) -> int:
    """Return the worth of the walls behind which a side stands: those of its own fortified city, or 0 (CL-D09)."""
    return wall_worth(table) * (table.owner[space] == defender and table.built[space] == Built.FORTIFIED)


def extra_dice(walls: int, catapults: int) -> int:
    """Return the extra dice of a defender behind walls of that worth, against so many catapults (CL-BATTLE-09)."""
    # One die less for any number of catapults, in the legion or in reserve (CL-D09).
    return max(0, walls - (catapults > 0))


def wall_dice(table: TableFields, frame: Battle) -> int:
    """Return the extra dice of the defender."""
    # The whole army, reserve included. Hits are simultaneous, so one that falls in this round still counts (CL-D09).
    catapults = army_of(table.units[frame.space], frame.attacker)[2]
    return extra_dice(walls_of(table, frame.space, frame.defender), catapults)


def _to(state: State, frame: Battle, stage: Stage, **changes: Any) -> object:
    replace_top(state, replace(frame, stage=stage, **changes))
    return STAY


def _form(state: State, frame: Battle, seat: Seat, waiting: Stage, formed: Stage, field: str) -> object:
    army = army_of(state.units[frame.space], seat)
    size = legion_size(state, seat, frame.space)
    legion = only_choice(army, size)
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
    """Return the hits of a roll, at most as many as the other battle legion has units.

    Rules CL-BATTLE-05, CL-BATTLE-06, CL-D10, CL-D11.
    """
    # Catapults in reserve match faces as well (CL-D11), but the reserve cannot be hit (CL-D10).
    reserve = army_of(state.units[frame.space], seat)[2] - legion[2]
    hits = min(land_hits(faces, legion, reserve), total(target))
    emit(events.DiceFell(seat, frame.space, faces, hits))
    return hits


def _attacker_rolled(state: State, frame: Battle, faces: Any, emit: Emit) -> object:
    hits = _hits(state, frame, frame.attacker, frame.attacking, frame.defending, faces, emit)
    down = only_choice(frame.defending, hits)
    if down is not None:
        return _to(state, frame, Stage.DEFENDER_ROLLS, down=down)
    _to(state, frame, Stage.DEFENDER_LOST)
    push(state, Casualties, frame.defender, frame.space, frame.defender, frame.defending, hits)
    return STAY


def _defender_lost(state: State, frame: Battle, result: Any, _emit: Emit) -> object:
    return _to(state, frame, Stage.DEFENDER_ROLLS, down=result)


def _defender_rolls(state: State, frame: Battle, _result: Any, _emit: Emit) -> object:
    """Roll for the defender: laid-down units still fire (CL-BATTLE-07)."""
    _to(state, frame, Stage.DEFENDER_ROLLED)
    push(state, Dice, total(frame.defending) + wall_dice(state, frame))
    return STAY


def _defender_rolled(state: State, frame: Battle, faces: Any, emit: Emit) -> object:
    hits = _hits(state, frame, frame.defender, frame.defending, frame.attacking, faces, emit)
    lost = only_choice(frame.attacking, hits)
    if lost is not None:
        return _attacker_lost(state, frame, lost, emit)
    _to(state, frame, Stage.ATTACKER_LOST)
    push(state, Casualties, frame.attacker, frame.space, frame.attacker, frame.attacking, hits)
    return STAY


def _attacker_lost(state: State, frame: Battle, lost: Any, emit: Emit) -> object:
    """Take both sides' losses off the board at once, then judge the round (CL-BATTLE-07, -10)."""
    fall(state, frame.defender, frame.space, frame.down, emit)
    fall(state, frame.attacker, frame.space, lost, emit)
    cell = state.units[frame.space]
    standing = (has_army(cell, frame.attacker), has_army(cell, frame.defender))
    if standing == (True, True):
        _to(state, frame, Stage.DEFENDER_DECIDED, down=NO_ARMY)
        push(state, Onward, frame.defender, frame.space)
        return STAY
    # The stage is set before leaders are captured: a question about captives may be pushed on top.
    _to(state, frame, Stage.OVER, down=NO_ARMY)
    return _wiped_out(state, frame, standing, emit)


def _wiped_out(state: State, frame: Battle, standing: tuple[bool, bool], emit: Emit) -> object:
    if standing == (True, False):
        return _attacker_won(state, frame, leaders_at(state, frame.defender, frame.space), emit)
    emit(events.BattleEnded(frame.space, frame.defender))
    lone = leaders_at(state, frame.attacker, frame.space)
    if standing == (False, True):
        capture(state, frame.defender, lone, emit)
    # Both armies fell: the defender keeps the province, and the attacker's leaders must leave it (CL-D01).
    elif lone:
        _to(state, frame, Stage.WITHDRAWN, down=NO_ARMY)
        push(state, Withdrawal, frame.attacker, frame.space)
    return STAY


def _withdrawn(state: State, frame: Battle, _result: Any, emit: Emit) -> object:
    """Capture leaders that found no way out (CL-D01)."""
    _to(state, frame, Stage.OVER)
    capture(state, frame.defender, leaders_at(state, frame.attacker, frame.space), emit)
    return STAY


def _attacker_won(state: State, frame: Battle, captives: tuple[int, ...], emit: Emit) -> object:
    """Conquer the province, unless another army still stands there (CL-WIN-01, CL-PURSUIT-02, CL-D30)."""
    emit(events.BattleEnded(frame.space, frame.attacker))
    # Another player's army is fought next; the province is taken once that is beaten too (CL-D30).
    if enemies_in(state.units[frame.space], frame.attacker):
        capture(state, frame.attacker, captives, emit)
    else:
        combat = next(each for each in state.frames if isinstance(each, Combat))
        take_with_leaders(state, frame.attacker, frame.space, captives, combat, emit)
    return STAY


def _defender_decided(state: State, frame: Battle, result: Any, _emit: Emit) -> object:
    """Ask the attacker to retreat only if the defender does not (CL-BATTLE-10, CL-D13)."""
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
    """End a retreat: leaders that found no way out are captured (CL-RETREAT-01)."""
    _to(state, frame, Stage.OVER)
    lost = leaders_at(state, loser, frame.space)
    if loser == frame.defender:
        return _attacker_won(state, frame, lost, emit)
    emit(events.BattleEnded(frame.space, frame.defender))
    capture(state, frame.defender, lost, emit)
    return STAY


def _over(_state: State, _frame: Battle, _result: Any, _emit: Emit) -> object:
    return DONE


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


# --- legions and losses ---


def _formation_options(table: TableFields, frame: Formation, seat: Seat) -> list[Action]:
    army = army_of(table.units[frame.space], seat)
    return [Form(*legion) for legion in choices(army, frame.size)]


def _formation_check(table: TableFields, frame: Formation, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Form):
        return Refusal("wrong-action", "CL-BATTLE-02", "Choose your battle legion first.")
    legion = (action.infantry, action.cavalry, action.catapults)
    if not within(legion, army_of(table.units[frame.space], seat)):
        return Refusal("not-so-many", "CL-BATTLE-02", "You do not have these units in the battle.")
    if total(legion) != frame.size:
        text = _(
            "The battle legion has exactly {units}: 5, and one more for each leader.", units=units_words(frame.size)
        )
        return Refusal("wrong-size", "CL-BATTLE-02", text)
    return None


def _formation_apply(_state: State, _frame: Formation, _seat: Seat, action: Form, _emit: Emit) -> object:
    return action.infantry, action.cavalry, action.catapults


def _formation_default(table: TableFields, frame: Formation, seat: Seat) -> Action:
    """Form the likeliest legion: infantry has most faces, and catapults hit from the reserve too (CL-BATTLE-06)."""
    return Form(*take_by_kind(army_of(table.units[frame.space], seat), frame.size, CHEAP_FIRST))


def _losses_options(_table: TableFields, frame: Casualties, _seat: Seat) -> list[Action]:
    return [Lose(*lost) for lost in choices(frame.legion, frame.hits)]


def _losses_check(_table: TableFields, frame: Casualties, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Lose):
        return Refusal("wrong-action", "CL-BATTLE-07", "Choose the losses first.")
    lost = (action.infantry, action.cavalry, action.catapults)
    own = seat == frame.owner
    if not within(lost, frame.legion):
        if own:
            return Refusal("not-in-legion", "CL-BATTLE-08", "Losses come only from the battle legion.")
        return Refusal("not-fleeing", "CL-PURSUIT-01", "Only units that flee can be caught.")
    if total(lost) != frame.hits:
        rule = "CL-BATTLE-07" if own else "CL-PURSUIT-01"
        return Refusal("wrong-number", rule, units_fall(frame.hits))
    return None


def _losses_apply(_state: State, _frame: Casualties, _seat: Seat, action: Lose, _emit: Emit) -> object:
    return action.infantry, action.cavalry, action.catapults


def _losses_default(_table: TableFields, frame: Casualties, seat: Seat) -> Action:
    # In a pursuit the winner chooses among the enemy's units, so the default takes the best ones.
    return Lose(*take_by_kind(frame.legion, frame.hits, CHEAP_FIRST if seat == frame.owner else STRONG_FIRST))


BATTLE: Handler[TableFields, State] = automatic(_battle_resume)
FORMATION: Handler[TableFields, State] = Handler(
    seat_owes, _formation_options, _formation_check, _formation_apply, _formation_default, raise_broken_rules
)
CASUALTIES: Handler[TableFields, State] = Handler(
    seat_owes, _losses_options, _losses_check, _losses_apply, _losses_default, raise_broken_rules
)
