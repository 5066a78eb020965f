"""Decisions other than movement, half made: shares of an army, purchases, verdicts, bargains. Knows no window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.games.conquest.position import Table, held, living
from client.table.guide import Market
from shared.ids import NO_ARMY, NONE, Army, Leader, Seat
from shared.kernel.frames import Action
from shared.mechanics.armies import greedy, total
from shared.refusal import Refusal
from shared.vocabulary.actions import Offer

Check: TypeAlias = Callable[[Action], Refusal | None]
MOST = 20
"""More of one thing than this cannot be bought at once."""


class Share(Struct):
    """Exactly `size` units out of an army: a battle legion, or losses."""

    whole: Army
    size: int
    chosen: Army = NO_ARMY

    @property
    def complete(self) -> bool:
        """Whether neither more nor fewer are needed."""
        return total(self.chosen) == self.size

    @property
    def missing(self) -> int:
        """How many are still to be chosen."""
        return self.size - total(self.chosen)

    def suggest(self, kinds: tuple[int, int, int]) -> None:
        """Choose for the player, in that order of arms."""
        self.chosen = greedy(self.whole, self.size, kinds)

    def add(self, arm: int) -> None:
        """Choose one more of an arm; if all are chosen, instead of one of the most numerous other arm."""
        counts = list(self.chosen)
        if counts[arm] >= self.whole[arm]:
            return
        if self.complete:
            others = [k for k in range(3) if k != arm and counts[k]]
            if not others:
                return
            counts[max(others, key=lambda k: counts[k])] -= 1
        counts[arm] += 1
        self.chosen = counts[0], counts[1], counts[2]

    def remove(self, arm: int) -> None:
        """Choose one fewer of an arm."""
        counts = list(self.chosen)
        counts[arm] = max(0, counts[arm] - 1)
        self.chosen = counts[0], counts[1], counts[2]


class Basket:
    """A purchase in the making."""

    def __init__(self, table: Table, check: Check, market: Market) -> None:
        self.table = table
        self._check = check
        self._market = market
        self.buy: Any = market.buy()

    @property
    def cost(self) -> int:
        """What it costs, with inflation."""
        prices = [good.price for good in self._market.goods]
        return self.table.inflation * sum(a * b for a, b in zip(self.counts, prices, strict=True))

    @property
    def counts(self) -> tuple[int, ...]:
        """How many of each good, in the order of the price list."""
        return tuple([getattr(self.buy, good.field) for good in self._market.goods])

    def _with(self, good: int, count: int) -> Any:
        return replace(self.buy, **{self._market.goods[good].field: count})

    def can_add(self, good: int) -> bool:
        """Whether one more may be bought."""
        return self._check(self._with(good, self.counts[good] + 1)) is None

    def why_not(self, good: int) -> str:
        """Why not one more; empty where it may."""
        refusal = self._check(self._with(good, self.counts[good] + 1))
        return refusal.text if refusal is not None else ""

    def add(self, good: int, many: int = 1) -> None:
        """As many more as may be bought, up to `many`."""
        for _ in range(many):
            if not self.can_add(good):
                return
            self.buy = self._with(good, self.counts[good] + 1)

    def remove(self, good: int, many: int = 1) -> None:
        """So many fewer, with whatever cannot be bought without them."""
        self.buy = self._with(good, max(0, self.counts[good] - many))
        for other in range(5, len(self._market.goods)):
            while self._check(self.buy) is not None and self.counts[other]:
                self.buy = self._with(other, self.counts[other] - 1)

    def clear(self) -> None:
        """Buy nothing."""
        self.buy = self._market.buy()


class Tally(Struct):
    """Some of a number of pieces: captives who die, galleys that sink."""

    pieces: tuple[int, ...]
    chosen: tuple[int, ...] = ()

    def toggle(self, piece: int, most: int = 99) -> None:
        """Choose a piece or not; the one chosen longest makes room where only `most` may be chosen."""
        if piece in self.chosen:
            self.chosen = tuple(x for x in self.chosen if x != piece)
        elif piece in self.pieces:
            self.chosen = (*self.chosen, piece)[-most:] if most else ()


class Proposal:
    """A bargain in the making: talents one way, captured generals both ways. `make`: the action, with the fields of
    `Offer`; `only`: the one partner there can be, or NONE."""

    STEP = 5

    def __init__(self, table: Table, seat: Seat, check: Check, make: type[Any] = Offer, only: Seat = NONE) -> None:
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

    def offer(self) -> Any:
        """The action."""
        return self._make(self.to, max(0, self.talents), self.gives, max(0, -self.talents), self.takes)

    def refusal(self) -> Refusal | None:
        """Why it cannot be proposed like this."""
        return self._check(self.offer())


def _toggled(chosen: tuple[int, ...], piece: int, pieces: Sequence[int]) -> tuple[int, ...]:
    if piece in chosen:
        return tuple(x for x in chosen if x != piece)
    return (*chosen, piece) if piece in pieces else chosen
