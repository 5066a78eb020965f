"""Purchases: the order, its price, the units in the home (CL-BUY, MB-BUY)."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec.structs import astuple

from shared.ids import Seat
from shared.kernel.frames import Action, Emit, Handler, always, ends_alone
from shared.mechanics import treasury
from shared.mechanics.amendments import HasOptions
from shared.mechanics.armies import with_army
from shared.refusal import Refusal
from shared.rulesets.conquest.table import State, TableFields
from shared.vocabulary.events import Bought
from shared.vocabulary.frames import Purchase

T = TypeVar("T", bound=TableFields)
S = TypeVar("S", bound=State)


def purchase_handler(
    nothing: Action,
    prices: Callable[[HasOptions], Sequence[int]],
    owed: Callable[[T, Purchase], tuple[Seat, ...]],
    options: Callable[[T, Purchase, Seat], list[Action]],
    check: Callable[[T, Purchase, Seat, Action], Refusal | None],
) -> Handler[T, S]:
    """Return the handler of `Purchase`. nothing: an empty order. prices: basic prices of a table, in the order of its
    fields.
    """

    def apply(state: S, _frame: Purchase, seat: Seat, order: Action, emit: Emit) -> object:
        """Pay. New land units stand in the home at once, the only place for them (CL-PLACE-01, MB-PLACE-01,
        MB-CAESAR-08).
        """
        counts = astuple(order)
        if any(counts):
            price = treasury.cost(counts, prices(state), state.inflation)
            state.talents[seat] -= price
            emit(Bought(seat, counts, price))
        home = state.home[seat]
        state.units[home] = with_army(state.units[home], seat, counts[:3])
        # The order is the result of the frame: the next step places its galleys and buildings.
        return order

    return Handler(owed, options, check, apply, always(nothing), ends_alone)


def sole_ware(kind: int, count: int, wares: int) -> list[int]:
    """Return the counts of an order of one kind only; `wares`: number of kinds."""
    return [count if each == kind else 0 for each in range(wares)]
