"""Leaving a battle: retreat by choice, and leaders that must leave (II-RETREAT)."""

from shared.ids import NO_ARMY, Seat, Space
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import DONE, Action, Emit, Handler
from shared.mechanics.armies import army_of, put_army
from shared.mechanics.fight_or_retreat import onward_handler
from shared.refusal import Refusal
from shared.rulesets.cote2.actions import Withdraw
from shared.rulesets.cote2.frames import Withdrawal
from shared.rulesets.cote2.obstacles import no_retreat
from shared.rulesets.cote2.property import add_army, occupy_city
from shared.rulesets.cote2.state import State, TableFields, leaders_at
from shared.rulesets.cote2.ways import closed_straits, neighbours, open_ground
from shared.vocabulary import events
from shared.vocabulary.frames import Onward, seat_owes


def retreat_targets(table: TableFields, seat: Seat, space: Space) -> list[Space]:
    """Return adjacent provinces without units of the other alliance, over land or an open strait (II-RETREAT-01,
    II-D42).
    """
    return open_ground(table, seat, neighbours(table, space, closed_straits(table, seat)))


def escapes(table: TableFields, space: Space) -> list[Space]:
    """Return the provinces for leaders without units: adjacent ones, whatever stands or sails there (II-RETREAT-02,
    II-D43).
    """
    # No `closed` straits: leaders who must leave cross those too (II-D43).
    return neighbours(table, space)


def retreat(state: State, seat: Seat, space: Space, to: Space, emit: Emit) -> None:
    """Move all own land units together."""
    army = army_of(state.units[space], seat)
    # Only own units go: lent ones stay where they are (II-D44).
    leaders = leaders_at(state, seat, space)
    state.units[space] = put_army(state.units[space], seat, NO_ARMY)
    add_army(state, seat, to, army)
    for leader in leaders:
        state.leader_at[leader] = to
    emit(events.Retreated(seat, space, to, leaders, army))
    if any(army) or leaders:
        occupy_city(state, seat, to, emit)


def _onward_targets(table: TableFields, frame: Onward, seat: Seat) -> list[Space]:
    return retreat_targets(table, seat, frame.space)


def _check_onward(table: TableFields, frame: Onward, seat: Seat, to: Space) -> Refusal | None:
    return None if to in retreat_targets(table, seat, frame.space) else no_retreat(table, seat, frame.space, to)


def _withdrawal_options(table: TableFields, frame: Withdrawal, _seat: Seat) -> list[Action]:
    return [Withdraw(to) for to in escapes(table, frame.space)]


def _withdrawal_check(table: TableFields, frame: Withdrawal, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Withdraw):
        return Refusal("wrong-action", "II-RETREAT-02", "Your leaders must leave the lost field first.")
    if action.to in escapes(table, frame.space):
        return None
    return Refusal("no-retreat", "II-RETREAT-02", "Leaders go to an adjacent province.")


def _withdrawal_apply(state: State, frame: Withdrawal, seat: Seat, action: Withdraw, emit: Emit) -> object:
    """Move the leaders away; no units of their side are left there."""
    leaders = leaders_at(state, seat, frame.space)
    for leader in leaders:
        state.leader_at[leader] = action.to
    emit(events.Retreated(seat, frame.space, action.to, leaders, NO_ARMY))
    occupy_city(state, seat, action.to, emit)
    return DONE


def _withdrawal_default(table: TableFields, frame: Withdrawal, seat: Seat) -> Action:
    """Choose a province without enemies if there is one."""
    found = escapes(table, frame.space)
    return Withdraw((open_ground(table, seat, found) or found)[0])


ONWARD: Handler[TableFields, State] = onward_handler(_onward_targets, _check_onward, "II-BATTLE-09")
WITHDRAWAL: Handler[TableFields, State] = Handler(
    seat_owes, _withdrawal_options, _withdrawal_check, _withdrawal_apply, _withdrawal_default, raise_broken_rules
)
