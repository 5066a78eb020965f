"""Choosing battles and fighting them: aimed shots retreat, the end (MB-CA, MB-BATTLE, MB-NAVAL, MB-RETREAT)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import GALLEY, NO_ARMY, NONE, Seat, Space
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import DONE, STAY, Action, Dice, Emit, Handler, automatic, push, replace_top, take_action
from shared.language.sentence import _
from shared.mechanics import aimed_shots, flat_pairs, prisoners
from shared.mechanics.armies import army_of, enemies_in, hostile, minus, total
from shared.mechanics.fight_or_retreat import onward_handler, retreat
from shared.mechanics.pieces import ABOARD, PRISON
from shared.refusal import Refusal
from shared.rulesets.conquest.pieces import enemy_leaders, galleys_at, leaders_at
from shared.rulesets.mb1984.actions import Aim, Lose
from shared.rulesets.mb1984.contact import troops
from shared.rulesets.mb1984.diplomacy import with_bargains
from shared.rulesets.mb1984.events import Aimed
from shared.rulesets.mb1984.frames import Aiming, Battle, CargoLoss, Combat
from shared.rulesets.mb1984.options import steps
from shared.rulesets.mb1984.property import (
    capture,
    clear_shore,
    fall,
    reconsider_battles,
    sink,
    sink_docked,
    take_province,
)
from shared.rulesets.mb1984.shots import Target, best_target, carriers, choices, lead, one_of, targets
from shared.rulesets.mb1984.stages import Stage
from shared.rulesets.mb1984.table import LEADERS, State, TableFields
from shared.vocabulary import events
from shared.vocabulary.actions import Fight, Retreat
from shared.vocabulary.frames import Onward, seat_owes


def _aiming_options(table: TableFields, frame: Aiming, _seat: Seat) -> list[Action]:
    return [Aim(*target) for target in choices(table, frame.enemy, frame.space)]


def _aiming_check(table: TableFields, frame: Aiming, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Aim):
        return Refusal("wrong-action", "MB-BATTLE-03", "Declare your target first.")
    found = targets(table, frame.enemy, frame.space)
    return None if (action.kind, action.galley) in found else _no_target(table, frame, action, found)


def _no_target(table: TableFields, frame: Aiming, aim: Aim, found: Sequence[Target]) -> Refusal:
    """Return the reason why a target is impossible, if only those in `found` are possible."""
    if aim.kind != GALLEY:
        return Refusal("no-target", "MB-BATTLE-03", "There is no such enemy unit in this battle.")
    if frame.space < BOARD.provinces:
        return Refusal("no-target", "MB-BATTLE-06", "Galleys on the coast take no part in a battle on land.")
    exists = aim.galley in galleys_at(table, frame.enemy, frame.space)
    if not exists and any(kind == GALLEY for kind, _ in found):
        return Refusal("no-target", "MB-BATTLE-03", "Say at which galley you fire.")
    return Refusal("protected", "MB-NAVAL-03", "A galley is no target before the units aboard are destroyed.")


def _aiming_default(table: TableFields, frame: Aiming, _seat: Seat) -> Action:
    """Aim at the target with the best chance times prize."""
    return Aim(*best_target(choices(table, frame.enemy, frame.space), frame.space >= BOARD.provinces, frame.ahead))


def _loss_options(table: TableFields, frame: CargoLoss, seat: Seat) -> list[Action]:
    return [Lose(galley) for galley in carriers(table, seat, frame.space, frame.kind)]


def _loss_check(table: TableFields, frame: CargoLoss, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Lose):
        return Refusal("wrong-action", "MB-D28", "Say first from which galley your unit falls.")
    if action.galley in carriers(table, seat, frame.space, frame.kind):
        return None
    return Refusal("no-such-cargo", "MB-D28", "No galley of yours with such a unit was hit there.")


def _loss_apply(state: State, frame: CargoLoss, seat: Seat, action: Lose, emit: Emit) -> object:
    throw_overboard(state, seat, frame.space, frame.kind, action.galley, emit)
    return action


def _loss_default(table: TableFields, frame: CargoLoss, seat: Seat) -> Action:
    """Lose the unit from the fullest galley, so that as many as possible still carry a legion."""
    loaded = carriers(table, seat, frame.space, frame.kind)
    return Lose(max(loaded, key=lambda galley: total(table.cargo[galley])))


def _targets(table: TableFields, _frame: Onward, _seat: Seat) -> list[Space]:
    return retreats(table, _battle_below(table))


def _battle_below(table: TableFields) -> Battle:
    # The decision to retreat is pushed by its battle, so the battle is always right below.
    frame = table.frames[-2]
    assert isinstance(frame, Battle)
    return frame


def _check_retreat(table: TableFields, frame: Onward, seat: Seat, to: Space) -> Refusal | None:
    return None if to in _targets(table, frame, seat) else _no_retreat(table, seat, _battle_below(table).space, to)


def _no_retreat(table: TableFields, seat: Seat, space: Space, to: Space) -> Refusal:
    """Return the rule that forbids a retreat from a battle in `space` to that place."""
    if 0 <= to < BOARD.positions and to >= BOARD.provinces:
        return Refusal("no-retreat", "MB-RETREAT-04", "No retreat leads to the sea.")
    if to in steps(table)[space] and hostile(table.units[to], seat):
        text = _(
            "{enemies} are in {place}: no retreat leads there.", enemies=troops(table, seat, to), place=BOARD.names[to]
        )
        return Refusal("no-retreat", "MB-D25", text)
    other = "A retreat leads to one adjacent province of yours, over land."
    return Refusal("no-retreat", "MB-RETREAT-03", other)


AIMING: Handler[TableFields, State] = Handler(
    seat_owes, _aiming_options, _aiming_check, take_action, _aiming_default, raise_broken_rules
)
CARGO_LOSS: Handler[TableFields, State] = Handler(
    seat_owes, _loss_options, _loss_check, _loss_apply, _loss_default, raise_broken_rules
)
ONWARD: Handler[TableFields, State] = onward_handler(_targets, _check_retreat, "MB-RETREAT-01")


Procedure: TypeAlias = Callable[[State, Battle, Any, Emit], object]


def _to(state: State, frame: Battle, stage: Stage, **changes: Any) -> object:
    replace_top(state, replace(frame, stage=stage, **changes))
    return STAY


def _next_round(state: State, frame: Battle) -> object:
    return _to(state, frame, Stage.ATTACKER_DECLARES, round=frame.round + 1)


def _declare(state: State, frame: Battle, seat: Seat, enemy: Seat, declared: Stage) -> object:
    """Ask for a target, or declare it if there is only one (MB-BATTLE-03, MB-D21)."""
    choice = choices(state, enemy, frame.space)
    if len(choice) == 1:
        kind, galley = choice[0]
        return _to(state, frame, declared.following, kind=kind, galley=galley)
    _to(state, frame, declared)
    push(state, Aiming, seat, frame.space, enemy, lead(state, seat, enemy, frame.space))
    return STAY


def _shoot(state: State, frame: Battle, seat: Seat, enemy: Seat, fired: Stage, emit: Emit) -> object:
    """Roll one die against the number needed; no die if the advantage is large enough (MB-CA-04, MB-D21)."""
    # Computed at the shot, not at the aim: the advantage is counted anew before each (MB-CA-03, MB-D22).
    number = _number(state, frame, seat, enemy)
    emit(Aimed(seat, frame.space, frame.kind, number))
    # No dice frame at all: a sure hit consumes no chance (MB-D21).
    if number == aimed_shots.NO_ROLL:
        # The stage goes on first: `_destroy` may push the choice of a galley on top.
        _to(state, frame, fired.following)
        _destroy(state, frame, enemy, emit)
        return STAY
    _to(state, frame, fired)
    push(state, Dice, 1)
    return STAY


def _number(table: TableFields, frame: Battle, seat: Seat, enemy: Seat) -> int:
    return aimed_shots.needed_roll(frame.kind, frame.space >= BOARD.provinces, lead(table, seat, enemy, frame.space))


def _fallen(state: State, frame: Battle, seat: Seat, enemy: Seat, faces: Any, emit: Emit) -> None:
    """Judge the die: destroy the target if it is high enough."""
    hit = aimed_shots.hits(faces[0], _number(state, frame, seat, enemy))
    emit(events.DiceFell(seat, frame.space, faces, int(hit)))
    if hit:
        _destroy(state, frame, enemy, emit)


def _destroy(state: State, frame: Battle, enemy: Seat, emit: Emit) -> None:
    """Return a unit to the supply, or sink a galley (MB-BATTLE-04, MB-D28).

    If several galleys carry such a unit, its owner chooses from which it falls.
    """
    space, kind = frame.space, frame.kind
    if space < BOARD.provinces:
        fall(state, enemy, space, one_of(kind), emit)
    # Cargo is not asked for: a galley is a target only once it is empty (MB-NAVAL-03, MB-D28).
    elif kind == GALLEY:
        _go_down(state, enemy, space, frame.galley, emit)
    else:
        loaded = carriers(state, enemy, space, kind) if frame.galley == NONE else [frame.galley]
        if len(loaded) > 1:
            push(state, CargoLoss, enemy, space, kind)
        else:
            throw_overboard(state, enemy, space, kind, loaded[0], emit)


def throw_overboard(state: State, seat: Seat, zone: Space, kind: int, galley: int, emit: Emit) -> None:
    """Remove a lost unit from a galley."""
    rest = minus(state.cargo[galley], one_of(kind))
    state.cargo[galley] = rest if any(rest) else ()
    emit(events.Fell(seat, zone, one_of(kind)))


def _go_down(state: State, seat: Seat, zone: Space, galley: int, emit: Emit) -> None:
    """Sink a galley; leaders aboard change to other galleys of their side, first to those without a leader (MB-D29,
    MB-D36).
    """
    sink(state, seat, zone, (galley,), emit)
    # Without any galley left the leaders stay on the sunken one, where `_drowning` finds them.
    left = galleys_at(state, seat, zone)
    for leader in leaders_at(state, seat, ABOARD + galley) if left else ():
        state.leader_at[leader] = ABOARD + min(left, key=lambda other: state.leader_at.count(ABOARD + other))


def _stands(table: TableFields, seat: Seat, space: Space) -> bool:
    """Whether a side is still in the battle: with units on land, with galleys at sea (MB-BATTLE-05, MB-D31)."""
    if space < BOARD.provinces:
        return any(army_of(table.units[space], seat))
    return bool(galleys_at(table, seat, space))


def _attacker_declares(state: State, frame: Battle, _result: Any, _emit: Emit) -> object:
    return _declare(state, frame, frame.attacker, frame.defender, Stage.ATTACKER_DECLARED)


def _attacker_declared(state: State, frame: Battle, aim: Any, _emit: Emit) -> object:
    return _to(state, frame, Stage.ATTACKER_FIRES, kind=aim.kind, galley=aim.galley)


def _attacker_fires(state: State, frame: Battle, _result: Any, emit: Emit) -> object:
    return _shoot(state, frame, frame.attacker, frame.defender, Stage.ATTACKER_FIRED, emit)


def _attacker_fired(state: State, frame: Battle, faces: Any, emit: Emit) -> object:
    # Before the hit is carried out, for the same reason as in `_shoot`.
    _to(state, frame, Stage.DEFENDER_DECLARES)
    _fallen(state, frame, frame.attacker, frame.defender, faces, emit)
    return STAY


def _defender_declares(state: State, frame: Battle, _result: Any, emit: Emit) -> object:
    """Let the defender fire back, if any defending units are left."""
    if not _stands(state, frame.defender, frame.space):
        return _attacker_won(state, frame, emit)
    return _declare(state, frame, frame.defender, frame.attacker, Stage.DEFENDER_DECLARED)


def _defender_declared(state: State, frame: Battle, aim: Any, _emit: Emit) -> object:
    return _to(state, frame, Stage.DEFENDER_FIRES, kind=aim.kind, galley=aim.galley)


def _defender_fires(state: State, frame: Battle, _result: Any, emit: Emit) -> object:
    return _shoot(state, frame, frame.defender, frame.attacker, Stage.DEFENDER_FIRED, emit)


def _defender_fired(state: State, frame: Battle, faces: Any, emit: Emit) -> object:
    _to(state, frame, Stage.ROUND_OVER)
    _fallen(state, frame, frame.defender, frame.attacker, faces, emit)
    return STAY


def _round_over(state: State, frame: Battle, _result: Any, emit: Emit) -> object:
    """Let the attacker retreat straight after the defender's shot (MB-RETREAT-01, MB-RETREAT-02, MB-D24)."""
    if not _stands(state, frame.attacker, frame.space):
        return _attacker_lost(state, frame, emit)
    # Not asked where no retreat is possible: the fight simply goes on (MB-RETREAT-03).
    if retreats(state, frame):
        _to(state, frame, Stage.ATTACKER_DECIDED)
        push(state, Onward, frame.attacker, frame.space)
        return STAY
    return _next_round(state, frame)


def _attacker_decided(state: State, frame: Battle, result: Any, emit: Emit) -> object:
    if isinstance(result, Retreat):
        return _retreat(state, frame, result.to, emit)
    return _next_round(state, frame)


def _over(_state: State, _frame: Battle, _result: Any, _emit: Emit) -> object:
    return DONE


STAGES: Mapping[Stage, Procedure] = {
    Stage.ATTACKER_DECLARES: _attacker_declares,
    Stage.ATTACKER_DECLARED: _attacker_declared,
    Stage.ATTACKER_FIRES: _attacker_fires,
    Stage.ATTACKER_FIRED: _attacker_fired,
    Stage.DEFENDER_DECLARES: _defender_declares,
    Stage.DEFENDER_DECLARED: _defender_declared,
    Stage.DEFENDER_FIRES: _defender_fires,
    Stage.DEFENDER_FIRED: _defender_fired,
    Stage.ROUND_OVER: _round_over,
    Stage.ATTACKER_DECIDED: _attacker_decided,
    Stage.OVER: _over,
}
"""A round of battle in the order of the rulebook."""


def _battle_resume(state: State, frame: Battle, result: object, emit: Emit) -> object:
    return STAGES[frame.stage](state, frame, result, emit)


# --- the ends of a battle ---


def _attacker_won(state: State, frame: Battle, emit: Emit) -> object:
    _to(state, frame, Stage.OVER)
    emit(events.BattleEnded(frame.space, frame.attacker))
    if frame.space < BOARD.provinces:
        attacker_takes(state, frame.space, frame.attacker, emit)
    else:
        capture(state, frame.attacker, _drowning_leaders(state), emit)
    return STAY


def attacker_takes(state: State, space: Space, seat: Seat, emit: Emit) -> None:
    """Give the attacker the province with its city and the leaders there (MB-WIN-01 to -04, MB-D01).

    Galleys on its shores are destroyed; those of a captured Caesar change owner instead.
    """
    # The order decides: captives and their galleys change owner before foreign galleys on the shore sink.
    take_province(state, seat, space, emit)
    capture(state, seat, enemy_leaders(state, seat, space), emit)
    clear_shore(state, seat, space, emit)


def _attacker_lost(state: State, frame: Battle, emit: Emit) -> object:
    """End a lost attack: the defender captures the attacking leaders (MB-BATTLE-05, MB-WIN-03, MB-D19).

    Galleys left there are lost, unless a Caesar fell and they changed owner.
    """
    _to(state, frame, Stage.OVER)
    emit(events.BattleEnded(frame.space, frame.defender))
    if frame.space >= BOARD.provinces:
        capture(state, frame.defender, _drowning_leaders(state), emit)
        return STAY
    capture(state, frame.defender, leaders_at(state, frame.attacker, frame.space), emit)
    # After the capture: the galleys of a captured Caesar belong to the defender by now (MB-WIN-03).
    sink_docked(state, frame.attacker, frame.space, emit)
    return STAY


def _drowning_leaders(table: TableFields) -> list[int]:
    """Return the leaders of a side whose last galley has sunk (MB-NAVAL-06, MB-D41)."""
    return [
        leader
        for leader, at in enumerate(table.leader_at)
        if ABOARD <= at < PRISON and not BOARD.is_sea(table.galley_at[at - ABOARD])
    ]


def retreats(table: TableFields, frame: Battle) -> list[Space]:
    """Return own adjacent provinces without enemy units; none at sea, none for an attack from the sea alone.

    Rules MB-RETREAT-03, MB-RETREAT-04, MB-NAVAL-02, MB-D25.
    """
    if not frame.by_land:
        return []
    seat = frame.attacker
    near = steps(table)[frame.space]
    return [space for space in near if table.owner[space] == seat and not hostile(table.units[space], seat)]


def _retreat(state: State, frame: Battle, to: Space, emit: Emit) -> object:
    """Move all that is left to one province; galleys left on the coast of the other are lost.

    Enemy leaders in the new province are captured (MB-RETREAT-03, MB-RETREAT-05, MB-D25).
    """
    _to(state, frame, Stage.OVER)
    seat, space = frame.attacker, frame.space
    retreat(state, seat, space, to, leaders_at(state, seat, space), emit)
    emit(events.BattleEnded(space, frame.defender))
    sink_docked(state, seat, space, emit)
    # Rule MB-D25: a lone leader does not close a retreat; it is captured like by any units that enter.
    if enemy_leaders(state, seat, to):
        attacker_takes(state, to, seat, emit)
    return STAY


BATTLE: Handler[TableFields, State] = automatic(_battle_resume)


def _combat_owed(_table: TableFields, frame: Combat) -> tuple[Seat, ...]:
    return (frame.seat,) if frame.pending else ()


def _combat_options(_table: TableFields, frame: Combat, _seat: Seat) -> list[Action]:
    return [Fight(*pair) for pair in flat_pairs.to_pairs(frame.pending)]


def _combat_check(_table: TableFields, frame: Combat, _seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Fight):
        if (action.space, action.enemy) in flat_pairs.to_pairs(frame.pending):
            return None
        return Refusal("no-battle", "MB-BATTLE-01", "There is no battle to be fought there.")
    return Refusal("wrong-action", "MB-TURN-01", "It is the combat action: choose the next battle.")


def _combat_apply(state: State, _frame: Combat, seat: Seat, action: Fight, emit: Emit) -> object:
    space = action.space
    if space < BOARD.provinces:
        cell = state.units[space]
        # Only leaders stand there: they are captured without a die (MB-D01).
        if not enemies_in(cell, seat):
            attacker_takes(state, space, seat, emit)
            reconsider_battles(state, emit)
            return STAY
        # More units than came ashore means that some walked: only then can all retreat (MB-RETREAT-04, -05).
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


def _combat_default(_table: TableFields, frame: Combat, _seat: Seat) -> Action:
    return Fight(*frame.pending[:2])


COMBAT: Handler[TableFields, State] = with_bargains(
    Handler(_combat_owed, _combat_options, _combat_check, _combat_apply, _combat_default, _combat_resume)
)
CAPTIVES: Handler[TableFields, State] = prisoners.captives_handler(LEADERS, "MB-GEN-01")
