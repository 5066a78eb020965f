"""Senate votes: calling, bidding with senators, benefits, the Italian leader's draw (II-SENATE)."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from shared.ids import NONE, Seat
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import DONE, STAY, Action, Deal, Emit, Handler, always, automatic, push, replace_top
from shared.language.sentence import _
from shared.mechanics.auction import next_voice
from shared.mechanics.heaps import kind_of, with_one, without
from shared.mechanics.vote import sole_leader, weight
from shared.refusal import Refusal
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import Assemble, Pass, Show
from shared.rulesets.cote2.data import ITALIA, NAMED, NEW_LEGIONS, SENATORS
from shared.rulesets.cote2.effects import EFFECTS
from shared.rulesets.cote2.frames import Motion, Muster, Vote
from shared.rulesets.cote2.property import add_army, occupy_city
from shared.rulesets.cote2.stages import MotionStage
from shared.rulesets.cote2.state import State, TableFields
from shared.vocabulary.frames import seat_owes

NO_SENATORS = (0, 0, 0, 0)
MOST_LISTED = 24
"""Ways to raise that `options` lists at most."""

Part = Callable[[State, Motion, Any, Emit], object]


def _can_show(table: TableFields, frame: Vote, seat: Seat) -> bool:
    """Whether a seat has senators that it does not show yet: their number is public, their value is not."""
    return sum(table.senators[seat]) > sum(frame.shown[seat])


# --- the motion ---


def _motion_resume(state: State, frame: Motion, result: Any, emit: Emit) -> object:
    """Carry out a vote, the benefit, then the senator for the leader in Italia."""
    return MOTION_STAGES[frame.stage](state, frame, result, emit)


def _open_vote(state: State, frame: Motion, _result: Any, _emit: Emit) -> object:
    """Open the vote; the caller speaks first, and seats without senators are skipped (II-SENATE-02, II-D59)."""
    replace_top(state, replace(frame, stage=MotionStage.BENEFIT))
    # Only a draft to ask who can show a senator; the pushed frame gets a number of its own.
    vote = Vote(0, frame.card, frame.caller, frame.caller, (NO_SENATORS,) * state.seats)
    seat = frame.caller
    if not _can_show(state, vote, seat):
        seat = next_voice(state.seats, seat, seat, lambda other: _can_show(state, vote, other))
    if seat != NONE:
        push(state, Vote, frame.card, frame.caller, seat, vote.shown)
    return STAY


def _decided(state: State, frame: Motion, vote: Any, emit: Emit) -> object:
    """Let the winner pay without change, and have the benefit at once (II-SENATE-03, II-SENATE-04)."""
    if vote is None or vote.bidder == NONE:
        emit(events.VoteWon(NONE, frame.card, NO_SENATORS))
        return DONE
    winner, paid = vote.bidder, vote.shown[vote.bidder]
    state.senators[winner] = without(state.senators[winner], paid)
    for card, number in zip(SENATORS, paid, strict=True):
        state.gone[card] += number
    replace_top(state, replace(frame, stage=MotionStage.TRIBUTE, winner=winner, paid=paid))
    emit(events.VoteWon(winner, frame.card, paid))
    # Before the senator is drawn: influence in Rome may decide who leads in Italia.
    EFFECTS.of(frame.card).won(state, winner, frame.card, emit)
    return STAY


def _tribute(state: State, frame: Motion, _result: Any, _emit: Emit) -> object:
    """Let the sole leader in Italia draw one of the spent senators; the rest leave play (II-SENATE-05)."""
    drawer = sole_leader(state.influence[ITALIA])
    if drawer == NONE:
        return DONE
    replace_top(state, replace(frame, stage=MotionStage.DRAWN, drawer=drawer))
    push(state, Deal, sum(frame.paid), 1)
    return STAY


def _drawn(state: State, frame: Motion, numbers: Any, emit: Emit) -> object:
    value = kind_of(frame.paid, numbers[0])
    state.senators[frame.drawer] = with_one(state.senators[frame.drawer], value)
    state.gone[SENATORS[value]] -= 1
    emit(events.SenatorDrawn(frame.drawer, value + 1))
    return DONE


MOTION_STAGES: dict[MotionStage, Part] = {
    MotionStage.VOTE: _open_vote,
    MotionStage.BENEFIT: _decided,
    MotionStage.TRIBUTE: _tribute,
    MotionStage.DRAWN: _drawn,
}
"""A motion from the call to the senator who goes to Italia."""


# --- the vote ---


def high(frame: Vote) -> int:
    """Return the number of votes to be exceeded."""
    return weight(frame.shown[frame.bidder]) if frame.bidder != NONE else 0


def hidden(table: TableFields, frame: Vote, seat: Seat) -> tuple[int, ...]:
    """Return the senators that `seat` has not shown yet, by value. Only its own view and the state have them."""
    return without(table.senators[seat], frame.shown[seat])


def _options(table: TableFields, frame: Vote, seat: Seat) -> list[Action]:
    """Return passing, and ways to take the lead, with few senators first."""
    need = high(frame) - weight(frame.shown[seat])
    most = hidden(table, frame, seat)
    # Four loops, flat, with the sort key first: a product with weights found twice took longer.
    ways = [
        (one + 2 * two + 3 * three + 4 * four, one + two + three + four, one, two, three, four)
        for one in range(most[0] + 1)
        for two in range(most[1] + 1)
        for three in range(most[2] + 1)
        for four in range(most[3] + 1)
        if one + 2 * two + 3 * three + 4 * four > need
    ]
    return [Pass(), *[Show(*way[2:]) for way in sorted(ways)[:MOST_LISTED]]]


def _check(table: TableFields, frame: Vote, seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Pass):
        return None
    if not isinstance(action, Show):
        return Refusal("wrong-action", "II-SENATE-02", "Show senators or pass.")
    more = (action.one, action.two, action.three, action.four)
    if min(without(hidden(table, frame, seat), more)) < 0:
        return Refusal("no-senator", "II-SENATE-02", "You do not have these senators.")
    need = high(frame) + 1
    if weight(frame.shown[seat]) + weight(more) < need:
        text = _("It takes a vote or more.") if need == 1 else _("It takes {votes} votes or more.", votes=need)
        return Refusal("too-few-votes", "II-D59", text)
    return None


def _apply(state: State, frame: Vote, seat: Seat, action: Show | Pass, emit: Emit) -> object:
    """Record a raise or a pass. The vote ends at the highest bidder, or at the caller if there was no bid
    (II-SENATE-02).
    """
    if isinstance(action, Show):
        mine = frame.shown[seat]
        more = (mine[0] + action.one, mine[1] + action.two, mine[2] + action.three, mine[3] + action.four)
        frame = replace(frame, shown=(*frame.shown[:seat], more, *frame.shown[seat + 1 :]), bidder=seat)
        emit(events.SenatorsShown(seat, more, weight(more)))
    else:
        emit(events.Passed(seat))
    # Without a bid the round ends at the caller, who spoke first.
    until = frame.caller if frame.bidder == NONE else frame.bidder
    following = next_voice(state.seats, seat, until, lambda other: _can_show(state, frame, other))
    if following == NONE:
        return frame
    replace_top(state, replace(frame, seat=following))
    return STAY


# --- new legions ---


def _muster_options(_table: TableFields, _frame: Muster, _seat: Seat) -> list[Action]:
    return [Assemble(space) for space in NAMED[NEW_LEGIONS]]


def _muster_check(_table: TableFields, _frame: Muster, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Assemble):
        return Refusal("wrong-action", "II-C-12", "Say first where the new legions assemble.")
    if action.space not in NAMED[NEW_LEGIONS]:
        return Refusal("bad-place", "II-C-12", "New legions assemble in Italia or in Neapolis.")
    return None


def _muster_apply(state: State, frame: Muster, seat: Seat, action: Assemble, emit: Emit) -> object:
    army = (frame.infantry, 0, 0)
    add_army(state, seat, action.space, army)
    emit(events.Reinforced(seat, action.space, army, ()))
    occupy_city(state, seat, action.space, emit)
    return DONE


MOTION: Handler[TableFields, State] = automatic(_motion_resume)
VOTE: Handler[TableFields, State] = Handler(seat_owes, _options, _check, _apply, always(Pass()), raise_broken_rules)
MUSTER: Handler[TableFields, State] = Handler(
    seat_owes, _muster_options, _muster_check, _muster_apply, always(Assemble(ITALIA)), raise_broken_rules
)
