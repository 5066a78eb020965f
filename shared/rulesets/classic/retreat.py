"""Leaving a battle: retreat, pursuit, leaders left alone (CL-RETREAT-01, CL-PURSUIT, CL-D01)."""

from typing import Any

from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import DONE, STAY, Action, Dice, Emit, Handler, automatic, push, replace_top
from shared.language.sentence import _
from shared.mechanics.armies import army_of, only_choice, total
from shared.mechanics.battledice import pursuit_hits
from shared.mechanics.fight_or_retreat import onward_handler, retreat
from shared.mechanics.standings import troops
from shared.refusal import Refusal
from shared.rulesets.classic.actions import Withdraw
from shared.rulesets.classic.frames import Casualties, Pursuit, Withdrawal
from shared.rulesets.classic.options import steps
from shared.rulesets.classic.property import fall, open_ground
from shared.rulesets.classic.stages import PursuitStage
from shared.rulesets.classic.table import State, TableFields
from shared.rulesets.conquest.pieces import leaders_at
from shared.vocabulary import events
from shared.vocabulary.frames import Onward, seat_owes


def retreat_targets(table: TableFields, seat: Seat, space: Space) -> list[Space]:
    """Return the provinces to which the side can retreat (CL-RETREAT-01, CL-D06); [] if it is surrounded."""
    return open_ground(table, seat, steps(table)[space])


def _onward_targets(table: TableFields, frame: Onward, seat: Seat) -> list[Space]:
    # A surrounded side may still give up: its units are lost and its leaders captured (CL-D05).
    return retreat_targets(table, seat, frame.space) or [NONE]


def _check_onward(table: TableFields, frame: Onward, seat: Seat, to: Space) -> Refusal | None:
    return _check_escape(table, seat, frame.space, to, "CL-D05")


def _check_escape(table: TableFields, seat: Seat, space: Space, to: Space, surrounded: str) -> Refusal | None:
    """Check a retreat: it goes overland, never to a province with units of others (CL-RETREAT-01, CL-D06).

    surrounded: the rule about sides that have no way out.
    """
    targets = retreat_targets(table, seat, space)
    if to in targets or (to == NONE and not targets):
        return None
    if to == NONE:
        return Refusal("no-retreat", surrounded, "You are not surrounded: say to which province you go.")
    if to not in steps(table)[space]:
        text = _("A retreat leads to one province next to {place}, by land or crossing.", place=BOARD.names[space])
        return Refusal("no-retreat", "CL-D06", text)
    return Refusal(
        "no-retreat",
        "CL-RETREAT-01",
        _("{enemies} are in {place}.", enemies=troops(table, seat, to), place=BOARD.names[to]),
    )


# --- pursuit ---


def _pursuit_resume(state: State, frame: Pursuit, result: Any, emit: Emit) -> object:
    """Carry out the next stage of a pursuit (CL-PURSUIT-01, CL-PURSUIT-02, CL-D05, CL-D14, CL-D15).

    The result is the losing seat.
    """
    # Surrounded: no pursuit is rolled (CL-D05).
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
    """Roll dice for the pursuers; without cavalry they cannot catch anything."""
    hunters = army_of(state.units[frame.space], frame.winner)
    if not hunters[1]:
        return _escape(state, frame, NO_ARMY, emit)
    replace_top(state, replace(frame, stage=PursuitStage.ROLLED))
    push(state, Dice, total(hunters))
    return STAY


def _hunted(state: State, frame: Pursuit, faces: tuple[int, ...], emit: Emit) -> object:
    """Ask the winner which units the cavalry catch."""
    cell = state.units[frame.space]
    fleeing = army_of(cell, frame.loser)
    # All land units roll, but hits are limited by the cavalry (CL-D14).
    hits = min(pursuit_hits(faces, army_of(cell, frame.winner)[1]), total(fleeing))
    emit(events.DiceFell(frame.winner, frame.space, faces, hits))
    victims = only_choice(fleeing, hits)
    if victims is not None:
        return _escape(state, frame, victims, emit)
    replace_top(state, replace(frame, stage=PursuitStage.CAUGHT))
    push(state, Casualties, frame.winner, frame.space, frame.loser, fleeing, hits)
    return STAY


def _escape(state: State, frame: Pursuit, caught: Army, emit: Emit) -> object:
    """Move survivors and leaders away; they conquer nothing yet (CL-D07)."""
    fall(state, frame.loser, frame.space, caught, emit)
    leaders = leaders_at(state, frame.loser, frame.space)
    retreat(state, frame.loser, frame.space, frame.to, leaders, emit)
    return frame.loser


# --- leaders left alone ---


def _withdrawal_options(table: TableFields, frame: Withdrawal, seat: Seat) -> list[Action]:
    return [Withdraw(to) for to in retreat_targets(table, seat, frame.space) or [NONE]]


def _withdrawal_check(table: TableFields, frame: Withdrawal, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Withdraw):
        return Refusal("wrong-action", "CL-D01", "Your leaders must leave the lost field first.")
    return _check_escape(table, seat, frame.space, action.to, "CL-D01")


def _withdrawal_apply(state: State, frame: Withdrawal, seat: Seat, action: Withdraw, emit: Emit) -> object:
    if action.to != NONE:
        retreat(state, seat, frame.space, action.to, leaders_at(state, seat, frame.space), emit)
    return DONE


def _withdrawal_default(table: TableFields, frame: Withdrawal, seat: Seat) -> Action:
    return Withdraw((retreat_targets(table, seat, frame.space) or [NONE])[0])


ONWARD: Handler[TableFields, State] = onward_handler(_onward_targets, _check_onward, "CL-BATTLE-10")
PURSUIT: Handler[TableFields, State] = automatic(_pursuit_resume)
WITHDRAWAL: Handler[TableFields, State] = Handler(
    seat_owes, _withdrawal_options, _withdrawal_check, _withdrawal_apply, _withdrawal_default, raise_broken_rules
)
