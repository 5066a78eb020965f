"""Bargains for captured generals, conceding, resigning (CL-GEN-01, CL-END-02, CL-D34)."""

from collections.abc import Iterator

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.chance import never
from shared.kernel.engine import Standing
from shared.kernel.frames import STAY, Action, Emit, Handler, push, replace_top
from shared.refusal import Refusal
from shared.rulesets.classic import events
from shared.rulesets.classic.actions import Answer, Concede, Offer, Resign
from shared.rulesets.classic.frames import (
    Bargain,
    Combat,
    Destruction,
    Movement,
    Placement,
    Purchase,
    Turn,
)
from shared.rulesets.classic.options import RESIGN
from shared.rulesets.classic.property import declare_agreed, free, vanish
from shared.rulesets.classic.state import PRISON, State, Table, alive, leader_lord, living

RANSOMS = (0, 20, 50)
"""Sums that `options` suggests for a general."""


def held(table: Table, captor: Seat, lord: Seat) -> tuple[int, ...]:
    """Generals of `lord` that `captor` holds."""
    return tuple([x for x, at in enumerate(table.leader_at) if at == PRISON + captor and leader_lord(table, x) == lord])


def _home_open(table: Table, seat: Seat) -> bool:
    """Whether a general regained by `seat` could be placed (CL-GEN-01, CL-D23)."""
    return table.owner[table.home[seat]] == seat


def partners(table: Table, seat: Seat) -> Iterator[Seat]:
    """Seats with which `seat` could bargain over a general that can be placed."""
    for other in living(table):
        mine = held(table, other, seat) and _home_open(table, seat)
        if other != seat and (mine or (held(table, seat, other) and _home_open(table, other))):
            yield other


def can_bargain(table: Table, frame: Placement) -> bool:
    """Whether the active seat may still propose a bargain this turn."""
    return frame.offers > 0 and next(partners(table, frame.seat), NONE) != NONE


def offers(table: Table, frame: Placement) -> Iterator[Offer]:
    """A few bargains: one general for a sum, one for one."""
    if not frame.offers:
        return
    for other in partners(table, frame.seat):
        takes, gives = held(table, other, frame.seat)[:1], held(table, frame.seat, other)[:1]
        for sum_ in RANSOMS:
            if takes and _home_open(table, frame.seat) and sum_ <= table.talents[frame.seat]:
                yield Offer(other, pays=sum_, takes=takes)
            if gives and _home_open(table, other) and sum_ <= table.talents[other]:
                yield Offer(other, gives=gives, wants=sum_)
        if takes and gives and _home_open(table, frame.seat) and _home_open(table, other):
            yield Offer(other, gives=gives, takes=takes)


def check_offer(table: Table, frame: Placement, seat: Seat, offer: Offer) -> Refusal | None:
    """CL-GEN-01: talents, captured generals and promises (which are only words) are all that may change hands."""
    if not frame.offers:
        return Refusal("no-offers-left", "CL-GEN-01", "No more bargains can be proposed this turn.")
    if not 0 <= offer.to < table.seats or offer.to == seat or not alive(table, offer.to):
        return Refusal("no-partner", "CL-GEN-01", "There is nobody to bargain with there.")
    if not offer.gives and not offer.takes:
        return Refusal("no-general", "CL-GEN-01", "A bargain is about at least one captured general.")
    gives, takes = held(table, seat, offer.to), held(table, offer.to, seat)
    if not _some_of(offer.gives, gives) or not _some_of(offer.takes, takes):
        text = "Only generals that one of you holds and the other owns can be exchanged."
        return Refusal("not-held", "CL-GEN-01", text)
    for receiver, generals in ((seat, offer.takes), (offer.to, offer.gives)):
        if generals and not _home_open(table, receiver):
            home = BOARD.names[table.home[receiver]]
            return Refusal("no-home", "CL-D23", f"A freed general is placed in {home}, which its owner lost.")
    if offer.pays and offer.wants:
        return Refusal("both-pay", "CL-GEN-01", "Talents go one way only.")
    if offer.pays > table.talents[seat] or offer.wants > table.talents[offer.to]:
        return Refusal("too-dear", "CL-GEN-01", "There are not so many talents to pay with.")
    return None


def _some_of(chosen: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    return len(set(chosen)) == len(chosen) and set(chosen) <= set(whole)


def apply_offer(state: State, frame: Placement, seat: Seat, offer: Offer, emit: Emit) -> object:
    """Ask the partner."""
    replace_top(
        state,
        Placement(
            frame.no,
            seat,
            frame.galleys,
            frame.cities,
            frame.fortifications,
            frame.roads,
            frame.factor,
            frame.offers - 1,
        ),
    )
    push(state, Bargain, offer.to, seat, offer.pays, offer.gives, offer.wants, offer.takes)
    emit(events.Offered(seat, offer.to, offer.pays, offer.gives, offer.wants, offer.takes))
    return STAY


def _bargain_owed(_table: Table, frame: Bargain) -> tuple[Seat, ...]:
    return (frame.seat,)


def _bargain_options(_table: Table, _frame: Bargain, _seat: Seat) -> list[Action]:
    return [Answer(True), Answer(False)]


def _bargain_check(_table: Table, _frame: Bargain, _seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Answer):
        return None
    return Refusal("wrong-action", "CL-GEN-01", "Accept the bargain or decline it first.")


def _bargain_apply(state: State, frame: Bargain, seat: Seat, action: Answer, emit: Emit) -> object:
    """Talents and generals change hands at once; a freed general stands in its home."""
    emit(events.Answered(seat, action.accept))
    if action.accept:
        paid = frame.pays - frame.wants
        state.talents[frame.proposer] -= paid
        state.talents[seat] += paid
        for leader in frame.gives + frame.takes:
            free(state, leader, emit)
    return True


def _bargain_default(_table: Table, _frame: Bargain, _seat: Seat) -> Action:
    return Answer(False)


BARGAIN: Handler[Table, State] = Handler(
    _bargain_owed, _bargain_options, _bargain_check, _bargain_apply, _bargain_default, never
)

# --- conceding and resigning ---

PHASES = (Movement, Combat, Destruction, Purchase, Placement)


def _standing_check(table: Table, seat: Seat, action: Action) -> Refusal | None:
    if not 0 <= seat < table.seats or not alive(table, seat):
        return Refusal("out", "CL-END-02", "Only players who are still in the match can do that.")
    if isinstance(action, Concede):
        if action.to == NONE or (0 <= action.to < table.seats and action.to != seat and alive(table, action.to)):
            return None
        return Refusal("no-partner", "CL-END-02", "Concede to another player who is still in the match.")
    if not table.options[RESIGN]:
        return Refusal("no-resigning", "CL-D34", "This table does not allow resigning; conceding is possible.")
    if not isinstance(table.frames[-1], PHASES):
        return Refusal("not-now", "CL-D34", "Finish the battle or bargain first.")
    return None


def _standing_apply(state: State, seat: Seat, action: Action, emit: Emit) -> None:
    if isinstance(action, Concede):
        _concede(state, seat, action.to, emit)
        return
    turn = state.frames[0]
    vanish(state, seat, emit)
    if isinstance(turn, Turn) and turn.seat == seat:
        del state.frames[1:]
        state.moved = [()] * len(state.moved)
        state.landed = [()] * len(state.landed)
    elif isinstance(combat := state.frames[-1], Combat):
        pairs = list(zip(combat.pending[::2], combat.pending[1::2], strict=True))
        pending = tuple(n for space, enemy in pairs if seat not in (enemy, combat.seat) for n in (space, enemy))
        replace_top(state, Combat(combat.no, combat.seat, pending, combat.fought, combat.stood))


def _concede(state: State, seat: Seat, to: Seat, emit: Emit) -> None:
    state.conceded[seat] = to
    emit(events.Conceded(seat, to))
    declare_agreed(state, emit)


STANDING = Standing((Concede, Resign), _standing_check, _standing_apply)
