"""Multi-use cards, and senators drawn blindly (II-CARD-05, II-C-01 to II-C-13, II-C-39)."""

from collections.abc import Iterator
from typing import Any

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import STAY, Action, Deal, Emit, Handler, automatic, push
from shared.mechanics.heaps import kind_of, with_one
from shared.refusal import Refusal
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.actions import Use
from shared.rulesets.cote2.data import ASSASSIN, CARDS, LOOT, NAMED, SENATORS
from shared.rulesets.cote2.frames import Motion, Theft, Turn
from shared.rulesets.cote2.property import (
    add_chaos,
    copies,
    left,
    ready,
    unused,
)
from shared.rulesets.cote2.state import (
    LEADERS,
    OFF,
    State,
    Table,
    is_seat,
)


def usable(table: Table, seat: Seat) -> bool:
    """Whether `seat` has a multi-use card with which it could do something now."""
    return any(_gains(table, seat, card) for card in unused(table, seat))


def _gains(table: Table, seat: Seat, card: int) -> bool:
    """A merchant needs customers."""
    return CARDS[card].act != "merchant" or table.influence[NAMED[card][0]][seat] > 0


def use_check(table: Table, _frame: Turn, seat: Seat, action: Use) -> Refusal | None:
    """II-CARD-05, II-PASS-01: no action is needed."""
    card = action.card
    if not 0 <= card < len(CARDS) or not copies(table, seat, card):
        return Refusal("no-such-card", "II-CARD-05", "You do not have that card.")
    if CARDS[card].kind != "multi_use":
        return Refusal("not-multi-use", "II-CARD-05", f"{CARDS[card].name} is not a card to be used like that.")
    if not ready(table, seat, card):
        return Refusal("used", "II-CARD-05", f"{CARDS[card].name} was used this season.")
    if card == ASSASSIN:
        return _check_victim(table, action)
    if action.leader != NONE or action.seat != NONE:
        return Refusal("no-target", "II-CARD-05", f"{CARDS[card].name} has no target.")
    if not _gains(table, seat, card):
        place = BOARD.names[NAMED[card][0]]
        return Refusal("no-influence", "II-CARD-05", f"You have no influence in {place}, so it would bring nothing.")
    return None


def _check_victim(table: Table, action: Use) -> Refusal | None:
    """II-C-07, II-D23."""
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


def use_apply(state: State, seat: Seat, action: Use, emit: Emit) -> None:
    """The card is turned down for the season."""
    card = action.card
    state.used[seat] = tuple(sorted((*state.used[seat], card)))
    match CARDS[card].act:
        case "merchant":
            talents = CARDS[card].gain[0] * state.influence[NAMED[card][0]][seat]
            state.talents[seat] += talents
            emit(events.CardUsed(seat, card, talents))
        case "loot":
            state.talents[seat] += CARDS[LOOT].gain[0]
            add_chaos(state, seat, CARDS[LOOT].gain[1])
            emit(events.CardUsed(seat, card, CARDS[LOOT].gain[0]))
        case "senate":
            emit(events.VoteBegan(seat, card))
            push(state, Motion, card, seat)
        case "assassin":
            emit(events.CardUsed(seat, card, 0))
            _assassinate(state, seat, action, emit)


def _assassinate(state: State, seat: Seat, action: Use, emit: Emit) -> None:
    if action.seat != NONE:
        push(state, Theft, seat, action.seat, False)
        return
    space = state.leader_at[action.leader]
    state.leader_at[action.leader] = OFF
    emit(events.GeneralKilled(seat, action.leader))
    left(state, space, emit)


def use_options(table: Table, _frame: Turn, seat: Seat) -> Iterator[Action]:
    """Every multi-use card that does something, the assassin with every victim but oneself."""
    for card in unused(table, seat):
        if card != ASSASSIN:
            if _gains(table, seat, card):
                yield Use(card)
            continue
        found = False
        for leader, at in enumerate(table.leader_at):
            if at != OFF and leader % LEADERS and leader // LEADERS != seat:
                found = True
                yield Use(card, leader)
        for victim in range(table.seats):
            if victim != seat and sum(table.senators[victim]) > 0:
                found = True
                yield Use(card, seat=victim)
        if not found:
            yield from [Use(card, leader) for leader in leaders_of(table, seat)]


def leaders_of(table: Table, seat: Seat) -> list[int]:
    """Own generals on the board."""
    first = seat * LEADERS
    return [leader for leader in range(first + 1, first + LEADERS) if table.leader_at[leader] != OFF]


# --- a senator drawn blindly ---


def _theft_resume(state: State, frame: Theft, result: Any, emit: Emit) -> object:
    """The number that was drawn names a card of the hidden hand."""
    hand = state.senators[frame.victim]
    if result is None:
        push(state, Deal, sum(hand), 1)
        return STAY
    value = kind_of(hand, result[0])
    state.senators[frame.victim] = with_one(hand, value, -1)
    if frame.kept:
        state.senators[frame.seat] = with_one(state.senators[frame.seat], value)
        emit(events.SenatorTaken(frame.seat, frame.victim, value + 1))
    else:
        state.gone[SENATORS[value]] += 1
        emit(events.SenatorKilled(frame.seat, frame.victim, value + 1))
    return True


THEFT: Handler[Table, State] = automatic(_theft_resume)
