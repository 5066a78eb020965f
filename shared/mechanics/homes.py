"""The start of a match: homes dealt, chosen or by seat, and the first pieces. Also the owner of a home later on."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import Action, Draw, Emit, Handler, State, push, replace_top
from shared.mechanics.table import Built, Pieces
from shared.mechanics.tribute import worth
from shared.refusal import Refusal
from shared.vocabulary.actions import ChooseHome
from shared.vocabulary.events import HomesSet
from shared.vocabulary.frames import BEGINNING, HomeChoice, Setup, Turn, seat_owes
from shared.vocabulary.options import BY_SEAT, CHOSEN

Offer = Mapping[int, Sequence[Space]]
"""Homes on offer, in the order of play, by the number of players."""


class PiecesAndFrames(Pieces, State, Protocol):
    """A position with pieces and a stack of frames."""


def home_provinces(*keys: str) -> tuple[Space, ...]:
    """Return provinces by their keys."""
    return tuple([BOARD.space(key) for key in keys])


def homes_without(homes: Sequence[Space], *keys: str) -> tuple[Space, ...]:
    """Return the homes except those with the keys."""
    return tuple([home for home in homes if BOARD.keys[home] not in keys])


def holds_home(table: Pieces, seat: Seat) -> bool:
    """Whether `seat` owns its own home."""
    return table.owner[table.home[seat]] == seat


def free_homes(table: Pieces, offer: Offer) -> list[Space]:
    """Return the homes still on offer."""
    return [home for home in offer[table.seats] if home not in table.home]


def hand_out(state: PiecesAndFrames, frame: Setup, lots: Any, offered: Sequence[Space], way: int) -> bool:
    """Hand out the `offered` homes as the table's option says (DEALT, CHOSEN, BY_SEAT); True once every seat has one.

    Where chance or a player decides, push that frame first and return False. `lots` is chance's answer or None.
    """
    if way == BY_SEAT:
        state.home[:] = offered
    elif lots is None:
        push(state, Draw, state.seats)
        return False
    elif way == CHOSEN:
        # After the first draw the frame keeps the lots. Later results are homes that players chose.
        lots = frame.lots or lots
        replace_top(state, Setup(frame.no, lots))
        waiting = [seat for seat in lots if state.home[seat] == NONE]
        if len(waiting) > 1:
            push(state, HomeChoice, waiting[0])
            return False
        # One seat is left with one home: it is not asked.
        for seat in waiting:
            state.home[seat] = next(home for home in offered if home not in state.home)
    else:
        for seat, lot in enumerate(lots):
            state.home[seat] = offered[lot]
    return True


def deploy(state: PiecesAndFrames, order: Sequence[Space], infantry: int, leaders: int, emit: Emit) -> None:
    """Put a fortified city, `infantry` units and all leaders of the colour on every home; then begin the first turn.

    order: all homes in the order of play.
    """
    for seat, home in enumerate(state.home):
        state.owner[home] = seat
        state.built[home] = Built.FORTIFIED
        state.units[home] = (seat, infantry, 0, 0)
        state.marker[seat] = worth(state, home)
        state.leader_at[seat * leaders : (seat + 1) * leaders] = [home] * leaders
    state.order = in_order(state.home, order)
    state.round = 1
    emit(HomesSet(tuple(state.home)))
    # The turn takes the place of the setup as lowest frame and is never popped.
    state.frames.pop()
    push(state, Turn, state.order[0], BEGINNING)


def in_order(homes: Sequence[Space], order: Sequence[Space]) -> tuple[Seat, ...]:
    """Return the seats, sorted by the place of their homes in the order of play."""
    return tuple(sorted(range(len(homes)), key=lambda seat: order.index(homes[seat])))


def home_choice_handler(offer: Offer, first: str, on_offer: str) -> Handler[Pieces, Pieces]:
    """Return the handler of `HomeChoice`.

    first: the rule that a home is chosen first. on_offer: the rule that it must be on offer.
    """

    def options(table: Pieces, _frame: HomeChoice, _seat: Seat) -> list[Action]:
        return [ChooseHome(home) for home in free_homes(table, offer)]

    def check(table: Pieces, _frame: HomeChoice, _seat: Seat, action: Action) -> Refusal | None:
        if not isinstance(action, ChooseHome):
            return Refusal("wrong-action", first, "Choose your home province first.")
        if action.home not in free_homes(table, offer):
            return Refusal("no-such-home", on_offer, "That home is not on offer, or already taken.")
        return None

    def apply(state: Pieces, _frame: HomeChoice, seat: Seat, action: ChooseHome, _emit: Emit) -> object:
        state.home[seat] = action.home
        return action.home

    def default(table: Pieces, _frame: HomeChoice, _seat: Seat) -> Action:
        return ChooseHome(free_homes(table, offer)[0])

    return Handler(seat_owes, options, check, apply, default, raise_broken_rules)
