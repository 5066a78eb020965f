"""A draft of a bargain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from client.games.conquest.position import Table, held, living
from client.table.desk import Check
from shared.ids import NONE, Leader, Seat
from shared.kernel.frames import Action
from shared.refusal import Refusal
from shared.vocabulary.actions import Offer
from shared.vocabulary.events import Offered

Make: TypeAlias = Callable[[Seat, int, tuple[Leader, ...], int, tuple[Leader, ...]], Action]


class Proposal:
    """A bargain in the making: talents one way, captured generals both ways. `make`: the action, from whom it goes to,
    what is paid, the generals given, what is wanted, the generals taken; `only`: the one partner there can be, or
    NONE."""

    STEP = 5

    def __init__(self, table: Table, seat: Seat, check: Check, make: Make = Offer, only: Seat = NONE) -> None:
        self.table = table
        self.seat = seat
        self._check = check
        self._make = make
        self._only = only
        self.to: Seat = next(iter(self.partners()), NONE)
        self.talents = 0
        """What the proposer pays; negative: what he wants."""
        self.gives: tuple[Leader, ...] = ()
        self.takes: tuple[Leader, ...] = ()

    def partners(self) -> list[Seat]:
        """Players with whom generals could change hands."""
        others = [s for s in living(self.table) if s != self.seat and self._only in (NONE, s)]
        return [s for s in others if self.mine_held_by(s) or self.theirs_held(s)]

    def mine_held_by(self, other: Seat) -> tuple[Leader, ...]:
        """My generals that he holds."""
        return held(self.table, other, self.seat)

    def theirs_held(self, other: Seat) -> tuple[Leader, ...]:
        """His generals that I hold."""
        return held(self.table, self.seat, other)

    def choose(self, to: Seat) -> None:
        """Bargain with that player."""
        if to != self.to:
            self.to, self.gives, self.takes, self.talents = to, (), (), 0

    def toggle(self, leader: Leader) -> None:
        """Put a general into the bargain, or take him out."""
        self.gives = _toggled(self.gives, leader, self.theirs_held(self.to))
        self.takes = _toggled(self.takes, leader, self.mine_held_by(self.to))

    def pay(self, more: int) -> None:
        """Offer more talents; below zero they are demanded."""
        limits = -self.table.talents[self.to], self.table.talents[self.seat]
        self.talents = min(limits[1], max(limits[0], self.talents + more))

    @property
    def terms(self) -> Offered:
        """What it comes to, as it would be told."""
        pays, wants = max(0, self.talents), max(0, -self.talents)
        return Offered(self.seat, self.to, pays, self.gives, wants, self.takes)

    def offer(self) -> Action:
        """The action."""
        terms = self.terms
        return self._make(terms.to, terms.pays, terms.gives, terms.wants, terms.takes)

    def refusal(self) -> Refusal | None:
        """Why it cannot be proposed like this."""
        return self._check(self.offer())


def _toggled(chosen: tuple[int, ...], piece: int, pieces: Sequence[int]) -> tuple[int, ...]:
    if piece in chosen:
        return tuple(x for x in chosen if x != piece)
    return (*chosen, piece) if piece in pieces else chosen
