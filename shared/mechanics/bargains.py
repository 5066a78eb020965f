"""Bargains for captured generals: the answer, and the exchange."""

from typing import Protocol

from msgspec import Struct

from shared.ids import Leader, Seat
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import Action, Emit, Handler, always
from shared.mechanics import prisoners
from shared.mechanics.pieces import living
from shared.mechanics.table import Pieces
from shared.refusal import Refusal
from shared.vocabulary.actions import Answer, Offer
from shared.vocabulary.events import Answered
from shared.vocabulary.frames import Bargain, seat_owes


class Terms(Protocol):
    """Contents of a bargain, as the proposer sees them; fields as in `Bargain`."""

    @property
    def pays(self) -> int:
        """Talents that the proposer pays."""

    @property
    def gives(self) -> tuple[Leader, ...]:
        """Captured generals that the proposer gives back."""

    @property
    def wants(self) -> int:
        """Talents that the proposer wants."""

    @property
    def takes(self) -> tuple[Leader, ...]:
        """Generals that the proposer gets back."""


def pay(state: Pieces, giver: Seat, taker: Seat, talents: int) -> None:
    """Move talents from `giver` to `taker`; a negative sum goes the other way."""
    state.talents[giver] -= talents
    state.talents[taker] += talents


class Returning(Struct, frozen=True):
    """State in which freed generals come back. each: leaders of a colour. ransomed: movement points used of generals
    that come back for talents or nothing. exchanged: the same for generals that come back for other generals.
    """

    each: int
    ransomed: int
    exchanged: int

    def used(self, terms: Terms) -> int:
        """Return the movement points used of the generals that such terms free. It is an exchange if generals go both
        ways.
        """
        return self.exchanged if terms.gives and terms.takes else self.ransomed


def strike(state: Pieces, proposer: Seat, seat: Seat, terms: Terms, back: Returning, emit: Emit) -> None:
    """Carry out a bargain that is agreed on: talents and generals change hands at once."""
    pay(state, proposer, seat, terms.pays - terms.wants)
    for leader in terms.gives + terms.takes:
        prisoners.free(state, leader, back.each, back.used(terms), emit)


def widest_offer(table: Pieces, seat: Seat, each: int) -> list[Action]:
    """Return the widest `Offer` of `seat`: to any player, all talents, all generals."""
    others = [other for other in living(table) if other != seat]
    if not others:
        return []
    theirs, mine = prisoners.prisoners_of(table, seat, each), prisoners.captured_generals(table, seat, each)
    richest = max([table.talents[other] for other in others])
    # Not legal as a whole: it spans the range of every field (`Ruleset.extreme_actions`).
    return [Offer(others[0]), Offer(others[-1], table.talents[seat], theirs, richest, mine)]


def bargain_handler(back: Returning, rule: str) -> Handler[Pieces, Pieces]:
    """Return the handler of `Bargain`: yes or no. `rule`: the rule that bargains are answered."""

    def options(_table: Pieces, _frame: Bargain, _seat: Seat) -> list[Action]:
        return [Answer(True), Answer(False)]

    def check(_table: Pieces, _frame: Bargain, _seat: Seat, action: Action) -> Refusal | None:
        if isinstance(action, Answer):
            return None
        return Refusal("wrong-action", rule, "Accept the bargain or decline it first.")

    def apply(state: Pieces, frame: Bargain, seat: Seat, action: Answer, emit: Emit) -> object:
        emit(Answered(seat, action.accept))
        if action.accept:
            strike(state, frame.proposer, seat, frame, back, emit)
        return True

    return Handler(seat_owes, options, check, apply, always(Answer(False)), raise_broken_rules)
