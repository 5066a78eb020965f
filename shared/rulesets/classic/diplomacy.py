"""Bargains for captured generals, conceding, resigning (CL-GEN-01, CL-END-02, CL-D34)."""

from collections.abc import Iterator

from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import STAY, Action, Emit, Handler, push, replace_top
from shared.kernel.ruleset import StandingActions
from shared.language.sentence import _
from shared.mechanics import bargains, flat_pairs, marching, prisoners
from shared.mechanics.ending import concede
from shared.mechanics.homes import holds_home
from shared.mechanics.pieces import alive, living, some_of
from shared.refusal import Refusal
from shared.rulesets.classic.frames import Combat, Placement
from shared.rulesets.classic.options import RESIGN
from shared.rulesets.classic.property import vanish
from shared.rulesets.classic.table import LEADERS, State, TableFields
from shared.rulesets.conquest.diplomacy import check_alive, check_leaving, suggestions
from shared.vocabulary import events
from shared.vocabulary.actions import Concede, Offer, Resign
from shared.vocabulary.frames import Bargain, Destruction, Movement, Purchase, Turn


def held(table: TableFields, captor: Seat, lord: Seat) -> tuple[int, ...]:
    """Return the generals of `lord` that `captor` holds."""
    return prisoners.held_generals(table, captor, lord, LEADERS)


def partners(table: TableFields, seat: Seat) -> Iterator[Seat]:
    """Yield the seats with which `seat` could bargain over a general that can be placed in its home (CL-GEN-01,
    CL-D23).
    """
    for other in living(table):
        mine = held(table, other, seat) and holds_home(table, seat)
        if other != seat and (mine or (held(table, seat, other) and holds_home(table, other))):
            yield other


def can_bargain(table: TableFields, frame: Placement) -> bool:
    """Whether the active seat may still propose a bargain this turn."""
    return frame.offers > 0 and next(partners(table, frame.seat), NONE) != NONE


def offers(table: TableFields, frame: Placement) -> Iterator[Offer]:
    """Yield a few bargains: one general for a sum, one for one."""
    if not frame.offers:
        return
    for other in partners(table, frame.seat):
        takes = held(table, other, frame.seat) if holds_home(table, frame.seat) else ()
        gives = held(table, frame.seat, other) if holds_home(table, other) else ()
        yield from suggestions(table, frame.seat, other, takes, gives)


def check_offer(table: TableFields, frame: Placement, seat: Seat, offer: Offer) -> Refusal | None:
    """Check an offer: only talents, captured generals and promises may change hands, and promises are only words
    (CL-GEN-01).
    """
    if not frame.offers:
        return Refusal("no-offers-left", "CL-H18", "No more bargains can be proposed this turn.")
    if not 0 <= offer.to < table.seats or offer.to == seat or not alive(table, offer.to):
        return Refusal("no-partner", "CL-GEN-01", "You cannot bargain with that player.")
    if not offer.gives and not offer.takes:
        return Refusal("no-general", "CL-GEN-01", "A bargain takes at least one captured general.")
    gives, takes = held(table, seat, offer.to), held(table, offer.to, seat)
    if not some_of(offer.gives, gives) or not some_of(offer.takes, takes):
        text = "Only generals that one of you holds and the other owns can be exchanged."
        return Refusal("not-held", "CL-H17", text)
    for receiver, generals in ((seat, offer.takes), (offer.to, offer.gives)):
        if generals and not holds_home(table, receiver):
            home = BOARD.names[table.home[receiver]]
            return Refusal(
                "no-home", "CL-D23", _("A freed general is placed in {place}, which its owner lost.", place=home)
            )
    if offer.pays and offer.wants:
        return Refusal("both-pay", "CL-H17", "Talents go one way only.")
    if offer.pays > table.talents[seat] or offer.wants > table.talents[offer.to]:
        return Refusal("too-dear", "CL-GEN-01", "Not enough talents.")
    return None


def apply_offer(state: State, frame: Placement, seat: Seat, offer: Offer, emit: Emit) -> object:
    """Ask the partner."""
    replace_top(state, replace(frame, offers=frame.offers - 1))
    push(state, Bargain, offer.to, seat, offer.pays, offer.gives, offer.wants, offer.takes)
    emit(events.Offered(seat, offer.to, offer.pays, offer.gives, offer.wants, offer.takes))
    return STAY


BARGAIN: Handler[TableFields, State] = bargains.bargain_handler(bargains.Returning(LEADERS, 0, 0), "CL-GEN-01")

# --- conceding and resigning ---

PHASES = (Movement, Combat, Destruction, Purchase, Placement)


def _standing_check(table: TableFields, seat: Seat, action: Action) -> Refusal | None:
    gone = check_alive(table, seat, "CL-END-02" if isinstance(action, Concede) else "CL-D34")
    return gone or check_leaving(table, seat, action, table.options[RESIGN], PHASES, ("CL-END-02", "CL-D34"))


def _standing_apply(state: State, seat: Seat, action: Action, emit: Emit) -> None:
    if isinstance(action, Concede):
        concede(state, seat, action.to, emit)
        return
    turn = state.frames[0]
    vanish(state, seat, emit)
    if isinstance(turn, Turn) and turn.seat == seat:
        # The turn of a player who resigned ends here; the turn frame then goes on to the next seat.
        del state.frames[1:]
        marching.forget(state)
    # Another player's combat goes on, without battles against the seat that has gone.
    elif isinstance(combat := state.frames[-1], Combat):
        left = [
            (space, enemy) for space, enemy in flat_pairs.to_pairs(combat.pending) if seat not in (enemy, combat.seat)
        ]
        replace_top(state, replace(combat, pending=flat_pairs.to_flat(left)))


STANDING: StandingActions[TableFields, State] = StandingActions((Concede, Resign), _standing_check, _standing_apply)
