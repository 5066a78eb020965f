"""Draft of a bargain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from client.games.conquest.position_queries import held
from client.table.desk import Check
from shared.ids import NONE, Leader, Seat
from shared.kernel.frames import Action
from shared.mechanics.pieces import living
from shared.refusal import Refusal
from shared.rulesets.conquest.table import Table
from shared.vocabulary.actions import Offer
from shared.vocabulary.events import Offered

Make: TypeAlias = Callable[[Seat, int, tuple[Leader, ...], int, tuple[Leader, ...]], Action]


class Proposal:
    """Draft of a bargain: talents one way, captured generals both ways.

    `make`: the action, from its receiver, the talents paid, the generals given, the talents wanted, the generals taken.
    `only`: the only possible partner, or NONE.
    """

    STEP = 5

    def __init__(self, table: Table, seat: Seat, check: Check, make: Make = Offer, only: Seat = NONE) -> None:
        self.table = table
        self.seat = seat
        self._check = check
        self._make = make
        self._only = only
        self.to: Seat = next(iter(self.partners()), NONE)
        self.talents = 0
        """Talents that the proposer pays; negative: talents that they want."""
        self.gives: tuple[Leader, ...] = ()
        self.takes: tuple[Leader, ...] = ()

    def partners(self) -> list[Seat]:
        """Return the players who hold my generals, or whose generals I hold."""
        others = [s for s in living(self.table) if s != self.seat and self._only in (NONE, s)]
        return [s for s in others if self.mine_held_by(s) or self.captives_of(s)]

    def mine_held_by(self, other: Seat) -> tuple[Leader, ...]:
        """Return my generals that the other player holds."""
        return held(self.table, other, self.seat)

    def captives_of(self, other: Seat) -> tuple[Leader, ...]:
        """Return the other player's generals that I hold."""
        return held(self.table, self.seat, other)

    def choose(self, to: Seat) -> None:
        """Choose the partner. A new partner starts an empty bargain."""
        if to != self.to:
            self.to, self.gives, self.takes, self.talents = to, (), (), 0

    def toggle(self, leader: Leader) -> None:
        """Add a general to the bargain, or remove it."""
        self.gives = _toggled(self.gives, leader, self.captives_of(self.to))
        self.takes = _toggled(self.takes, leader, self.mine_held_by(self.to))

    def pay(self, more: int) -> None:
        """Offer more talents; a negative sum is demanded. Both are limited to what the payer has."""
        limits = -self.table.talents[self.to], self.table.talents[self.seat]
        self.talents = min(limits[1], max(limits[0], self.talents + more))

    @property
    def terms(self) -> Offered:
        """The terms, in the form of the event that tells of them."""
        pays, wants = max(0, self.talents), max(0, -self.talents)
        return Offered(self.seat, self.to, pays, self.gives, wants, self.takes)

    def offer(self) -> Action:
        """Return the bargain as an action."""
        terms = self.terms
        return self._make(terms.to, terms.pays, terms.gives, terms.wants, terms.takes)

    def refusal(self) -> Refusal | None:
        """Return why it cannot be proposed, or None."""
        return self._check(self.offer())


def _toggled(chosen: tuple[int, ...], piece: int, pieces: Sequence[int]) -> tuple[int, ...]:
    if piece in chosen:
        return tuple(x for x in chosen if x != piece)
    return (*chosen, piece) if piece in pieces else chosen
