"""A battle, on land or at sea: aimed shots in turn, retreat, the end (MB-CA, MB-BATTLE, MB-NAVAL, MB-RETREAT)."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import GALLEY, NONE, Seat, Space
from shared.kernel.frames import DONE, STAY, Dice, Emit, Handler, automatic, push, replace_top
from shared.mechanics import aimed_shots
from shared.mechanics.armies import minus
from shared.mechanics.cells import army_of, hostile
from shared.mechanics.fight_or_retreat import retreat
from shared.mechanics.places import ABOARD, PRISON
from shared.rulesets.conquest.pieces import enemy_leaders, galleys_at, leaders_at
from shared.rulesets.mb1984.events import Aimed
from shared.rulesets.mb1984.frames import Aiming, Battle, CargoLoss
from shared.rulesets.mb1984.options import steps
from shared.rulesets.mb1984.property import capture, clear_shore, fall, sink, sink_docked, take_province
from shared.rulesets.mb1984.shots import carriers, choices, lead, one_of
from shared.rulesets.mb1984.stages import Stage
from shared.rulesets.mb1984.table import State, Table
from shared.vocabulary import events
from shared.vocabulary.actions import Retreat
from shared.vocabulary.frames import Onward

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
    number = _number(state, frame, seat, enemy)
    emit(Aimed(seat, frame.space, frame.kind, number))
    if number == aimed_shots.NO_ROLL:
        _to(state, frame, fired.following)
        _destroy(state, frame, enemy, emit)
        return STAY
    _to(state, frame, fired)
    push(state, Dice, 1)
    return STAY


def _number(table: Table, frame: Battle, seat: Seat, enemy: Seat) -> int:
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
    left = galleys_at(state, seat, zone)
    for leader in leaders_at(state, seat, ABOARD + galley) if left else ():
        state.leader_at[leader] = ABOARD + min(left, key=lambda other: state.leader_at.count(ABOARD + other))


def _stands(table: Table, seat: Seat, space: Space) -> bool:
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
        capture(state, frame.attacker, _drowning(state), emit)
    return STAY


def attacker_takes(state: State, space: Space, seat: Seat, emit: Emit) -> None:
    """Give the attacker the province with its city and the leaders there (MB-WIN-01 to -04, MB-D01).

    Galleys on its shores are destroyed; those of a captured Caesar change owner instead.
    """
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
        capture(state, frame.defender, _drowning(state), emit)
        return STAY
    capture(state, frame.defender, leaders_at(state, frame.attacker, frame.space), emit)
    sink_docked(state, frame.attacker, frame.space, emit)
    return STAY


def _drowning(table: Table) -> list[int]:
    """Return the leaders of a side whose last galley has sunk (MB-NAVAL-06, MB-D41)."""
    return [
        leader
        for leader, at in enumerate(table.leader_at)
        if ABOARD <= at < PRISON and not BOARD.is_sea(table.galley_at[at - ABOARD])
    ]


def retreats(table: Table, frame: Battle) -> list[Space]:
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
    if enemy_leaders(state, seat, to):
        attacker_takes(state, to, seat, emit)
    return STAY


BATTLE: Handler[Table, State] = automatic(_battle_resume)
