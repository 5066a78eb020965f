"""One battle, on land or at sea: aimed shots in turn, retreat, the end (MB-CA, MB-BATTLE, MB-NAVAL, MB-RETREAT)."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import CATAPULT, CAVALRY, GALLEY, INFANTRY, NO_ARMY, NONE, Army, Seat, Space
from shared.kernel.chance import never
from shared.kernel.frames import STAY, Action, Dice, Emit, Handler, automatic, push, replace_top
from shared.mechanics import aimed
from shared.mechanics.armies import minus, plus, total
from shared.mechanics.cells import army_of, enemies_in
from shared.mechanics.pieces import Built
from shared.mechanics.retreat import retreat
from shared.refusal import Refusal
from shared.rulesets.mb1984 import events
from shared.rulesets.mb1984.actions import Aim, Retreat, Stand
from shared.rulesets.mb1984.frames import Aiming, Battle, Onward
from shared.rulesets.mb1984.options import GALLEY_TARGETS, steps
from shared.rulesets.mb1984.property import capture, clear_shore, fall, sink, sink_docked, take_province
from shared.rulesets.mb1984.stages import Stage
from shared.rulesets.mb1984.state import (
    ABOARD,
    State,
    Table,
    enemy_leaders,
    galleys_at,
    leader_lord,
    leaders_at,
)
from shared.vocabulary.frames import seat_owes

WALL = 1
"""What a fortified city counts for its defender (MB-CA-01)."""
PRIZE = {INFANTRY: 10, CAVALRY: 25, CATAPULT: 60, GALLEY: 25}
"""What a target is worth to a player who does not decide: price, and the advantage that a catapult gives."""

Procedure = Callable[[State, Battle, Any, Emit], object]


def fleet_army(table: Table, seat: Seat, zone: Space) -> Army:
    """Units of a side aboard its galleys in a zone."""
    army = NO_ARMY
    for galley in galleys_at(table, seat, zone):
        if table.cargo[galley]:
            army = plus(army, table.cargo[galley])
    return army


def side_army(table: Table, seat: Seat, space: Space) -> Army:
    """Units of a side in a battle on land or at sea."""
    return army_of(table.units[space], seat) if space < BOARD.provinces else fleet_army(table, seat, space)


def strength(table: Table, seat: Seat, space: Space) -> int:
    """One for each catapult, one for the own fortified city (MB-CA-01)."""
    catapults = side_army(table, seat, space)[CATAPULT]
    walls = space < BOARD.provinces and table.owner[space] == seat and table.built[space] == Built.FORTIFIED
    return catapults + WALL * walls


def lead(table: Table, seat: Seat, enemy: Seat, space: Space) -> int:
    """The combat advantage of `seat` (MB-CA-02)."""
    return aimed.advantage(strength(table, seat, space), strength(table, enemy, space))


def targets(table: Table, enemy: Seat, space: Space) -> list[tuple[int, int]]:
    """(kind, galley) that may be fired at; galley NONE where it does not matter (MB-NAVAL-03, MB-D28)."""
    if space >= BOARD.provinces and table.options[GALLEY_TARGETS]:
        found = []
        for galley in galleys_at(table, enemy, space):
            cargo = table.cargo[galley]
            found += [(kind, galley) for kind in range(3) if cargo[kind]] if cargo else [(GALLEY, galley)]
        return found
    army = side_army(table, enemy, space)
    return [(kind, NONE) for kind in range(3) if army[kind]] or [(GALLEY, NONE)]


def _to(state: State, frame: Battle, stage: Stage, **changes: Any) -> object:
    replace_top(state, replace(frame, stage=stage, **changes))
    return STAY


def _next_round(state: State, frame: Battle) -> object:
    return _to(state, frame, Stage.ATTACKER_DECLARES, round=frame.round + 1)


def _declare(state: State, frame: Battle, seat: Seat, enemy: Seat, declared: Stage) -> object:
    """The target is declared; where there is only one kind, it declares itself (MB-BATTLE-03)."""
    choice = targets(state, enemy, frame.space)
    if len(choice) == 1:
        return _to(state, frame, declared.following, kind=choice[0][0], galley=choice[0][1])
    _to(state, frame, declared)
    push(state, Aiming, seat, frame.space, enemy, lead(state, seat, enemy, frame.space))
    return STAY


def _shoot(state: State, frame: Battle, seat: Seat, enemy: Seat, fired: Stage, emit: Emit) -> object:
    """One die against the number needed; none where the advantage is large enough (MB-CA-04, MB-D21)."""
    number = _number(state, frame, seat, enemy)
    emit(events.Aimed(seat, frame.space, frame.kind, number))
    if number == aimed.NO_ROLL:
        _destroy(state, frame, enemy, emit)
        return _to(state, frame, fired.following)
    _to(state, frame, fired)
    push(state, Dice, 1)
    return STAY


def _number(table: Table, frame: Battle, seat: Seat, enemy: Seat) -> int:
    return aimed.needed(frame.kind, frame.space >= BOARD.provinces, lead(table, seat, enemy, frame.space))


def _fallen(state: State, frame: Battle, seat: Seat, enemy: Seat, faces: Any, emit: Emit) -> None:
    """The die is cast: is the target destroyed?"""
    hit = aimed.hits(faces[0], _number(state, frame, seat, enemy))
    emit(events.DiceFell(seat, frame.space, faces, int(hit)))
    if hit:
        _destroy(state, frame, enemy, emit)


def _destroy(state: State, frame: Battle, enemy: Seat, emit: Emit) -> None:
    """A unit goes back to the supply, or a galley sinks; leaders aboard change to another one of their side
    (MB-BATTLE-04, MB-D29)."""
    space = frame.space
    one = (int(frame.kind == INFANTRY), int(frame.kind == CAVALRY), int(frame.kind == CATAPULT))
    if space < BOARD.provinces:
        fall(state, enemy, space, one, emit)
        return
    fleet = galleys_at(state, enemy, space)
    if frame.kind != GALLEY:
        carriers = [g for g in fleet if state.cargo[g] and state.cargo[g][frame.kind]]
        galley = frame.galley if frame.galley != NONE else min(carriers, key=lambda g: total(state.cargo[g]))
        rest = minus(state.cargo[galley], one)
        state.cargo[galley] = rest if any(rest) else ()
        emit(events.Fell(enemy, space, one))
        return
    galley = frame.galley if frame.galley != NONE else min(fleet, key=lambda g: (ABOARD + g) in state.leader_at)
    sink(state, enemy, space, (galley,), emit)
    others = [g for g in fleet if g != galley]
    for leader in leaders_at(state, enemy, ABOARD + galley) if others else ():
        state.leader_at[leader] = ABOARD + others[0]


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
    _fallen(state, frame, frame.attacker, frame.defender, faces, emit)
    return _to(state, frame, Stage.DEFENDER_DECLARES)


def _defender_declares(state: State, frame: Battle, _result: Any, emit: Emit) -> object:
    """The defender fires back, if anything of him is left."""
    if not _stands(state, frame.defender, frame.space):
        return _attacker_won(state, frame, emit)
    return _declare(state, frame, frame.defender, frame.attacker, Stage.DEFENDER_DECLARED)


def _defender_declared(state: State, frame: Battle, aim: Any, _emit: Emit) -> object:
    return _to(state, frame, Stage.DEFENDER_FIRES, kind=aim.kind, galley=aim.galley)


def _defender_fires(state: State, frame: Battle, _result: Any, emit: Emit) -> object:
    return _shoot(state, frame, frame.defender, frame.attacker, Stage.DEFENDER_FIRED, emit)


def _defender_fired(state: State, frame: Battle, faces: Any, emit: Emit) -> object:
    _fallen(state, frame, frame.defender, frame.attacker, faces, emit)
    return _to(state, frame, Stage.ROUND_OVER)


def _round_over(state: State, frame: Battle, _result: Any, emit: Emit) -> object:
    """Straight after the defender's shot the attacker may retreat (MB-RETREAT-01, MB-RETREAT-02, MB-D24)."""
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
    return True


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
        capture(state, frame.attacker, _drowning(state, frame.defender), emit)
    return STAY


def attacker_takes(state: State, space: Space, seat: Seat, emit: Emit) -> None:
    """The province with its city, the leaders there, and the end of the galleys on its shores; those of a captured
    Caesar change owner instead (MB-WIN-01 to -04, MB-D01)."""
    take_province(state, seat, space, emit)
    capture(state, seat, enemy_leaders(state, seat, space), emit)
    clear_shore(state, seat, space, emit)


def _attacker_lost(state: State, frame: Battle, emit: Emit) -> object:
    """The defender holds, and captures the attacking leaders; galleys left there are lost (MB-BATTLE-05, MB-D19)."""
    _to(state, frame, Stage.OVER)
    emit(events.BattleEnded(frame.space, frame.defender))
    if frame.space >= BOARD.provinces:
        capture(state, frame.defender, _drowning(state, frame.attacker), emit)
        return STAY
    capture(state, frame.defender, leaders_at(state, frame.attacker, frame.space), emit)
    if state.lord[frame.attacker] == frame.attacker:
        sink_docked(state, frame.attacker, frame.space, emit)
    return STAY


def _drowning(table: Table, seat: Seat) -> list[int]:
    """Leaders whose last galley has sunk (MB-NAVAL-06, MB-D41)."""
    return [
        leader
        for leader, at in enumerate(table.leader_at)
        if ABOARD <= at < ABOARD + len(table.galley_at)
        and not BOARD.is_sea(table.galley_at[at - ABOARD])
        and leader_lord(table, leader) == seat
    ]


def retreats(table: Table, frame: Battle) -> list[Space]:
    """Own adjacent provinces without enemies; none at sea, none for an attack from the sea alone
    (MB-RETREAT-03, MB-RETREAT-04, MB-NAVAL-02, MB-D25)."""
    if not frame.by_land:
        return []
    seat = frame.attacker
    return [
        space
        for space in steps(table)[frame.space]
        if table.owner[space] == seat
        and not enemies_in(table.units[space], seat)
        and not enemy_leaders(table, seat, space)
    ]


def _retreat(state: State, frame: Battle, to: Space, emit: Emit) -> object:
    """All that is left goes to one province; galleys left on that coast are lost (MB-RETREAT-03, MB-RETREAT-05)."""
    _to(state, frame, Stage.OVER)
    seat, space = frame.attacker, frame.space
    retreat(state, seat, space, to, leaders_at(state, seat, space), emit)
    emit(events.BattleEnded(space, frame.defender))
    sink_docked(state, seat, space, emit)
    return STAY


# --- decisions within a battle ---


def _aiming_options(table: Table, frame: Aiming, _seat: Seat) -> list[Action]:
    return [Aim(*target) for target in targets(table, frame.enemy, frame.space)]


def _aiming_check(table: Table, frame: Aiming, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Aim):
        return Refusal("wrong-action", "MB-BATTLE-03", "Declare your target first.")
    choice = targets(table, frame.enemy, frame.space)
    if (action.kind, action.galley) in choice:
        return None
    if action.kind == GALLEY and frame.space >= BOARD.provinces:
        return Refusal("protected", "MB-NAVAL-03", "A galley is no target before the units aboard are destroyed.")
    return Refusal("no-target", "MB-BATTLE-03", "There is no such enemy unit in this battle.")


def _aiming_apply(_state: State, _frame: Aiming, _seat: Seat, action: Aim, _emit: Emit) -> object:
    return action


def _aiming_default(table: Table, frame: Aiming, _seat: Seat) -> Action:
    """The best chance times prize."""
    at_sea = frame.space >= BOARD.provinces
    return Aim(*max(
        targets(table, frame.enemy, frame.space),
        key=lambda target: (7 - aimed.needed(target[0], at_sea, frame.ahead)) * PRIZE[target[0]],
    ))  # fmt: skip


def _battle_below(table: Table) -> Battle:
    frame = table.frames[-2]
    assert isinstance(frame, Battle)
    return frame


def _onward_options(table: Table, _frame: Onward, _seat: Seat) -> list[Action]:
    return [Stand(), *[Retreat(to) for to in retreats(table, _battle_below(table))]]


def _onward_check(table: Table, _frame: Onward, _seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Stand):
        return None
    if not isinstance(action, Retreat):
        return Refusal("wrong-action", "MB-RETREAT-01", "Fight on or retreat.")
    if action.to in retreats(table, _battle_below(table)):
        return None
    text = "A retreat leads to one adjacent province of yours without enemies, over land."
    return Refusal("no-retreat", "MB-RETREAT-03", text)


def _onward_apply(_state: State, _frame: Onward, _seat: Seat, action: Action, _emit: Emit) -> object:
    return action


def _onward_default(_table: Table, _frame: Onward, _seat: Seat) -> Action:
    return Stand()


BATTLE: Handler[Table, State] = automatic(_battle_resume)
AIMING: Handler[Table, State] = Handler(
    seat_owes, _aiming_options, _aiming_check, _aiming_apply, _aiming_default, never
)
ONWARD: Handler[Table, State] = Handler(
    seat_owes, _onward_options, _onward_check, _onward_apply, _onward_default, never
)
