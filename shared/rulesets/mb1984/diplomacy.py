"""Prisoners: bargains for generals and executions, between the actions of a turn; conceding, resigning
(MB-GEN-01 to -04, MB-D37, MB-END-02, MB-D50)."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from shared.ids import MAX_SEATS, NONE, Leader, Seat
from shared.kernel.frames import STAY, Action, Emit, Frame, Handler, push
from shared.kernel.ruleset import StandingActions
from shared.mechanics import bargains, prisoners
from shared.mechanics.ending import concede
from shared.mechanics.pieces import OFF, PRISON, alive, living, some_of
from shared.mechanics.turns import active_seat
from shared.refusal import Refusal
from shared.rulesets.conquest.diplomacy import check_alive, check_leaving, suggestions
from shared.rulesets.conquest.pieces import leader_lord
from shared.rulesets.mb1984.actions import Execute, Propose, Reply
from shared.rulesets.mb1984.frames import Combat, Placement
from shared.rulesets.mb1984.options import RESIGN, killed_in_any_turn
from shared.rulesets.mb1984.property import reconsider_battles, vanish
from shared.rulesets.mb1984.table import LEADERS, RELEASED, TAKEN, State, TableFields
from shared.vocabulary import events
from shared.vocabulary.actions import Concede, Offer, Resign
from shared.vocabulary.frames import Bargain, Destruction, Movement, Purchase

PHASES = (Movement, Combat, Destruction, Purchase, Placement)
"""The frames between two actions, where prisoners may be dealt with."""
SIDE = (Offer, Reply)
"""What the active seat may do about prisoners in any of these frames."""
BACK = bargains.Returning(LEADERS, ransomed=RELEASED, exchanged=0)
"""Only a ransom keeps a general until the owner's next turn (MB-GEN-04, MB-D37)."""

JAILS = frozenset(range(PRISON, PRISON + MAX_SEATS))
"""`leader_at` of prisoners."""

Terms: TypeAlias = Offer | Propose


def held(table: TableFields, captor: Seat, lord: Seat) -> tuple[int, ...]:
    """Return the generals of `lord` that `captor` holds."""
    return prisoners.held_generals(table, captor, lord, LEADERS)


def check_terms(table: TableFields, seat: Seat, terms: Terms) -> Refusal | None:
    """Check terms: talents for generals, or generals for generals. Alliances and other promises are only words.

    Rules MB-GEN-02, MB-GEN-04, MB-D09.
    """
    if not 0 <= terms.to < table.seats or terms.to == seat or not alive(table, terms.to):
        return Refusal("no-partner", "MB-GEN-02", "You cannot bargain with that player.")
    if not terms.gives and not terms.takes:
        return Refusal("no-general", "MB-D09", "Talents change hands only for a captured general.")
    gives, takes = held(table, seat, terms.to), held(table, terms.to, seat)
    if not some_of(terms.gives, gives) or not some_of(terms.takes, takes):
        return Refusal("not-held", "MB-GEN-02", "Only generals that one of you holds and the other owns can go free.")
    if (terms.pays and not terms.takes) or (terms.wants and not terms.gives):
        return Refusal("no-ransom", "MB-D09", "Only the player who gets a general back pays talents.")
    if terms.pays and terms.wants:
        return Refusal("both-pay", "MB-GEN-04", "Talents go one way only.")
    if terms.pays > table.talents[seat] or terms.wants > table.talents[terms.to]:
        return Refusal("too-dear", "MB-GEN-04", "Not enough talents.")
    return None


# --- between the actions of the own turn ---


def has_side(table: TableFields, seat: Seat) -> bool:
    """Whether the active seat could do anything about prisoners now."""
    return next(iter(bargain_options(table, seat)), None) is not None


def bargain_options(table: TableFields, seat: Seat) -> Iterator[Action]:
    """Yield replies, and a few bargains: one general for a sum, one for one."""
    for proposer, proposal in enumerate(table.proposals):
        if proposal and proposal[0] == seat:
            # A refusal is always possible; terms may have become impossible since the proposal.
            yield Reply(proposer, False)
            if check_terms(table, proposer, proposal_of(proposal)) is None:
                yield Reply(proposer, True)
    # Most turns have no prisoners: one set operation saves the search below.
    if not table.offers or JAILS.isdisjoint(table.leader_at):
        return
    captives = _captives(table)
    for other in living(table):
        takes, gives = captives.get((other, seat), ()), captives.get((seat, other), ())
        if other != seat and (takes or gives):
            yield from suggestions(table, seat, other, takes, gives)


def _captives(table: TableFields) -> dict[tuple[Seat, Seat], tuple[Leader]]:
    """Return the first prisoner of each captor from each owner."""
    found: dict[tuple[Seat, Seat], tuple[Leader]] = {}
    for leader, at in enumerate(table.leader_at):
        if PRISON <= at < OFF:
            found.setdefault((at - PRISON, leader_lord(table, leader)), (leader,))
    return found


def check_side(table: TableFields, seat: Seat, action: Offer | Reply) -> Refusal | None:
    """Check an offer or a reply of the active seat (MB-GEN-02, MB-D37)."""
    if isinstance(action, Reply):
        is_open = 0 <= action.proposer < table.seats and bool(table.proposals[action.proposer])
        proposal = proposal_of(table.proposals[action.proposer]) if is_open else None
        if proposal is None or proposal.to != seat:
            return Refusal("no-proposal", "MB-GEN-02", "Nothing was proposed to you there.")
        return check_terms(table, action.proposer, proposal) if action.accept else None
    if not table.offers:
        return Refusal("no-offers-left", "MB-D37", "No more bargains can be offered this turn.")
    return check_terms(table, seat, action)


def apply_side(state: State, seat: Seat, action: Offer | Reply, emit: Emit) -> object:
    """Ask the partner, or answer the partner's proposal."""
    if isinstance(action, Reply):
        proposal = proposal_of(state.proposals[action.proposer])
        state.proposals[action.proposer] = ()
        emit(events.Answered(seat, action.accept))
        if action.accept:
            bargains.strike(state, action.proposer, seat, proposal, BACK, emit)
    else:
        state.offers -= 1
        push(state, Bargain, action.to, seat, action.pays, action.gives, action.wants, action.takes)
        emit(events.Offered(seat, action.to, action.pays, action.gives, action.wants, action.takes))
    return STAY


def with_bargains(handler: Handler[TableFields, State]) -> Handler[TableFields, State]:
    """Return the handler of a frame of the own turn, with bargains about prisoners in addition (MB-GEN-02, MB-D37)."""

    def options(table: TableFields, frame: Frame, seat: Seat) -> Sequence[Action]:
        found = handler.options(table, frame, seat)
        # A frame may be owed by another seat, such as a captor in combat; bargains are the active seat's.
        further = [*bargain_options(table, seat)] if seat == active_seat(table) else []
        return [*found, *further] if further else found

    def check(table: TableFields, frame: Frame, seat: Seat, action: Action) -> Refusal | None:
        if isinstance(action, SIDE) and seat == active_seat(table):
            return check_side(table, seat, action)
        return handler.check(table, frame, seat, action)

    def apply(state: State, frame: Frame, seat: Seat, action: Action, emit: Emit) -> object:
        if isinstance(action, SIDE):
            return apply_side(state, seat, action, emit)
        return handler.apply(state, frame, seat, action, emit)

    return replace(handler, options=options, check=check, apply=apply)


BARGAIN: Handler[TableFields, State] = bargains.bargain_handler(BACK, "MB-GEN-02")
"""MB-GEN-03, MB-GEN-04, MB-D37."""

# --- at any time: proposals to the active seat, executions, conceding, resigning ---


def proposal_of(flat: tuple[int, ...]) -> Propose:
    """Return a proposal from the flat form in `TableFields.proposals`."""
    to, pays, wants, n, *leaders = flat
    return Propose(to, pays, tuple(leaders[:n]), wants, tuple(leaders[n:]))


def _standing_check(table: TableFields, seat: Seat, action: Action) -> Refusal | None:
    gone = check_alive(table, seat, "MB-CAESAR-01")
    if gone is not None:
        return gone
    if isinstance(action, Propose):
        return _check_propose(table, seat, action)
    if isinstance(action, Execute):
        return _check_execute(table, seat, action.kill)
    return check_leaving(table, seat, action, table.options[RESIGN], PHASES, ("MB-END-02", "MB-D50"))


def _check_propose(table: TableFields, seat: Seat, propose: Propose) -> Refusal | None:
    """Check a proposal: captor or owner is the active seat, and the other one proposes (MB-D37)."""
    if propose.to == NONE:
        return None if table.proposals[seat] else Refusal("no-proposal", "MB-GEN-02", "You have proposed nothing.")
    active = active_seat(table)
    if seat == active:
        return Refusal("own-turn", "MB-D37", "In your own turn, offer the bargain.")
    if propose.to != active:
        return Refusal("not-active", "MB-D37", "Bargains are struck in the turn of the captor or of the owner.")
    return check_terms(table, seat, propose)


def _check_execute(table: TableFields, seat: Seat, kill: tuple[Leader, ...]) -> Refusal | None:
    """Check an execution: prisoners die at once, or in any later turn (MB-GEN-01, MB-D37).

    It is refused while an answer is due that could free them.
    """
    if seat != active_seat(table) and not killed_in_any_turn(table):
        return Refusal("not-active", "MB-D37", "At this table prisoners are killed only in a turn of their captor.")
    if not kill or not some_of(kill, prisoners.prisoners_of(table, seat, LEADERS)):
        return Refusal("not-captured", "MB-GEN-01", "You hold no such prisoner.")
    # Whether a new captive dies at once was asked then; the answer holds for this turn (MB-GEN-01).
    if any(table.leader_used[leader] == TAKEN for leader in kill):
        return Refusal("just-taken", "MB-GEN-01", "A general held in this turn may be killed from the next turn on.")
    frame = table.frames[-1]
    if isinstance(frame, Bargain) and not {*kill}.isdisjoint(frame.gives + frame.takes):
        return Refusal("at-stake", "MB-D37", "A bargain about that general waits for its answer.")
    return None


def _standing_apply(state: State, seat: Seat, action: Action, emit: Emit) -> None:
    if isinstance(action, Propose):
        # Flat numbers, as all fields of a position: the length says where `gives` ends.
        flat = (action.to, action.pays, action.wants, len(action.gives), *action.gives, *action.takes)
        state.proposals[seat] = () if action.to == NONE else flat
        if action.to != NONE:
            emit(events.Offered(seat, action.to, action.pays, action.gives, action.wants, action.takes))
        return
    if isinstance(action, Execute):
        prisoners.kill(state, seat, action.kill, emit)
        return
    if isinstance(action, Concede):
        concede(state, seat, action.to, emit)
        return
    vanish(state, seat, emit)
    if active_seat(state) == seat:
        # The turn of a player who resigned ends here; the turn frame goes on to the next seat.
        del state.frames[1:]
    else:
        reconsider_battles(state, emit)


STANDING: StandingActions[TableFields, State] = StandingActions(
    (Concede, Resign, Propose, Execute), _standing_check, _standing_apply
)
