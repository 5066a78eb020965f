"""Effects of multi-use cards, and senators drawn blindly (II-CARD-05, II-C-01 to II-C-13, II-C-39)."""

from collections.abc import Sequence
from typing import Any

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import DONE, STAY, Deal, Emit, Handler, automatic, push
from shared.language.sentence import _
from shared.mechanics.heaps import kind_of, with_one
from shared.refusal import Refusal
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import Use
from shared.rulesets.cote2.data import CARDS, NAMED, SENATORS
from shared.rulesets.cote2.frames import Motion, Theft
from shared.rulesets.cote2.property import abandon_city, add_chaos
from shared.rulesets.cote2.state import LEADERS, OFF, State, TableFields, is_seat

# --- any card ---


def always(_table: TableFields, _seat: Seat, _card: int) -> bool:
    """Return True: the card brings something wherever it is used."""
    return True


def check_alone(_table: TableFields, _seat: Seat, action: Use) -> Refusal | None:
    """Check a card without a target."""
    if action.leader == NONE and action.seat == NONE:
        return None
    return Refusal("no-target", "II-CARD-05", _("{card} has no target.", card=CARDS[action.card].name))


def without_target(_table: TableFields, _seat: Seat, card: int) -> Sequence[Use]:
    """Return the only way to use a card without a target."""
    return (Use(card),)


def never(_table: TableFields, _seat: Seat, _card: int) -> bool:
    """Return False: it is no multi-use card."""
    return False


def refuse(_table: TableFields, _seat: Seat, action: Use) -> Refusal | None:
    """Refuse the use (II-CARD-05)."""
    return Refusal("not-multi-use", "II-CARD-05", _("{card} cannot be used like that.", card=CARDS[action.card].name))


def do_nothing(_state: State, _seat: Seat, _action: Use, _emit: Emit) -> None:
    """Do nothing: it is no multi-use card."""


def no_ways(_table: TableFields, _seat: Seat, _card: int) -> Sequence[Use]:
    """Return no ways: it is no multi-use card."""
    return ()


# --- merchants, loot, votes ---


def has_customers(table: TableFields, seat: Seat, card: int) -> bool:
    """Whether a merchant's seat has influence in the province of trade."""
    return table.influence[NAMED[card][0]][seat] > 0


def check_customers(table: TableFields, seat: Seat, action: Use) -> Refusal | None:
    """Check a merchant (II-C-01 to II-C-06, II-D60)."""
    refusal = check_alone(table, seat, action)
    if refusal is not None or has_customers(table, seat, action.card):
        return refusal
    place = BOARD.names[NAMED[action.card][0]]
    return Refusal(
        "no-influence", "II-CARD-05", _("You have no influence in {place}, so it would bring nothing.", place=place)
    )


def customers(table: TableFields, seat: Seat, card: int) -> Sequence[Use]:
    """Return the use of a merchant if the seat has influence there."""
    return (Use(card),) if has_customers(table, seat, card) else ()


def trade(state: State, seat: Seat, action: Use, emit: Emit) -> None:
    """Pay the gain of a merchant (II-C-01 to II-C-06)."""
    card = action.card
    talents = CARDS[card].gain[0] * state.influence[NAMED[card][0]][seat]
    state.talents[seat] += talents
    emit(events.CardUsed(seat, card, talents))


def loot(state: State, seat: Seat, action: Use, emit: Emit) -> None:
    """Pay the gain of loot (II-C-08)."""
    talents, chaos = CARDS[action.card].gain
    state.talents[seat] += talents
    add_chaos(state, seat, chaos)
    emit(events.CardUsed(seat, action.card, talents))


def call_vote(state: State, seat: Seat, action: Use, emit: Emit) -> None:
    """Call a senate vote (II-SENATE-01)."""
    emit(events.VoteBegan(seat, action.card))
    push(state, Motion, action.card, seat)


# --- the assassin ---


def check_victim(table: TableFields, _seat: Seat, action: Use) -> Refusal | None:
    """Check the assassin's victim (II-C-07, II-D23)."""
    if (action.leader == NONE) == (action.seat == NONE):
        return Refusal("one-victim", "II-C-07", "Name either a general or a player.")
    if action.seat != NONE:
        if is_seat(table, action.seat) and sum(table.senators[action.seat]) > 0:
            return None
        return Refusal("no-senator", "II-C-07", "That player has no senator.")
    leader = action.leader
    if not 0 <= leader < len(table.leader_at) or table.leader_at[leader] == OFF:
        return Refusal("no-general", "II-C-07", "That general is not on the board.")
    if leader % LEADERS == 0:
        return Refusal("caesar", "II-D23", "No assassin gets near a Caesar.")
    return None


def assassinate(state: State, seat: Seat, action: Use, emit: Emit) -> None:
    """Carry out an assassination (II-C-07)."""
    emit(events.CardUsed(seat, action.card, 0))
    if action.seat != NONE:
        push(state, Theft, seat, action.seat, False)
        return
    space = state.leader_at[action.leader]
    state.leader_at[action.leader] = OFF
    emit(events.GeneralKilled(seat, action.leader))
    # A lone general may have been the last unit that held the city (II-D51).
    abandon_city(state, space, emit)


def victims(table: TableFields, seat: Seat, card: int) -> Sequence[Use]:
    """Return the generals and senators of others as victims; own generals only if there are no others."""
    found = [Use(card, leader) for leader in _generals(table) if leader // LEADERS != seat]
    found += [Use(card, seat=who) for who in range(table.seats) if who != seat and sum(table.senators[who]) > 0]
    # Own generals are legal victims (II-D23), but offered only if there is nothing else.
    return found or [Use(card, leader) for leader in _generals(table)]


def _generals(table: TableFields) -> list[int]:
    return [leader for leader, at in enumerate(table.leader_at) if at != OFF and leader % LEADERS]


# --- a senator drawn blindly ---


def _theft_resume(state: State, frame: Theft, result: Any, emit: Emit) -> object:
    """Take the senator of the hidden hand that the drawn number names."""
    hand = state.senators[frame.victim]
    if result is None:
        push(state, Deal, sum(hand), 1)
        return STAY
    # The number was drawn blindly: players know the size of a hand, not its order.
    value = kind_of(hand, result[0])
    state.senators[frame.victim] = with_one(hand, value, -1)
    if frame.kept:
        state.senators[frame.seat] = with_one(state.senators[frame.seat], value)
        emit(events.SenatorTaken(frame.seat, frame.victim, value + 1))
    else:
        state.gone[SENATORS[value]] += 1
        emit(events.SenatorKilled(frame.seat, frame.victim, value + 1))
    return DONE


THEFT: Handler[TableFields, State] = automatic(_theft_resume)
