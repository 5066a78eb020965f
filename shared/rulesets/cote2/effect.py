"""Parts of the table of card effects in `effects`."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from shared.ids import Seat, Space
from shared.kernel.frames import Emit
from shared.refusal import Refusal
from shared.rulesets.cote2.actions import Campaign, Incite, Obtain, Use
from shared.rulesets.cote2.support import Support
from shared.rulesets.cote2.table import State, TableFields

Taken: TypeAlias = Obtain | Campaign | Incite
"""The actions by which cards are obtained."""
A = TypeVar("A", bound=Taken)


class Taking(Struct, Generic[A], frozen=True):
    """The way in which a card is obtained.

    action: the kind of action that does it; otherwise: the refusal of another kind.
    check(table, seat, action): conditions beside those that hold for every card.
    apply(state, seat, action, emit): the effect once the card is paid.
    ways(table, seat, card): the actions that obtain it now, with every target.
    """

    action: type[A]
    otherwise: Refusal
    check: Callable[[TableFields, Seat, A], Refusal | None]
    apply: Callable[[State, Seat, A, Emit], None]
    ways: Callable[[TableFields, Seat, int], Sequence[A]]


class Using(Struct, frozen=True):
    """The way in which a multi-use card is used: check, apply and ways as of `Taking`.

    gains(table, seat, card): whether it could bring anything.
    """

    gains: Callable[[TableFields, Seat, int], bool]
    check: Callable[[TableFields, Seat, Use], Refusal | None]
    apply: Callable[[State, Seat, Use, Emit], None]
    ways: Callable[[TableFields, Seat, int], Sequence[Use]]


class Effect(Struct, frozen=True):
    """Effects of a card.

    taken: when it is obtained. used: once a season.
    won(state, seat, card, emit): benefit of the winner of the vote that it calls.
    brings(card, space): its support of a battle of its owner there.
    """

    taken: Taking[Any]
    used: Using
    won: Callable[[State, Seat, int, Emit], None]
    brings: Callable[[int, Space], Support]
