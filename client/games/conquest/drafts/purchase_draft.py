"""Draft of a purchase."""

from __future__ import annotations

from typing import Final, Generic

from client.games.conquest.position_queries import T
from client.games.conquest.rules_adapter import Market
from client.language import say
from client.table.desk import Check
from shared.kernel.frames import Action

MOST: Final = 20
"""Most pieces of one good in a single purchase."""
_LEANING: Final = 5
"""First good that needs another one: walls and roads need a city."""


class Basket(Generic[T]):
    """Draft of a purchase. `counts`: how many of each good, in the order of the price list."""

    def __init__(self, table: T, check: Check, market: Market[T]) -> None:
        self.table = table
        self._check = check
        self._market = market
        self.counts: tuple[int, ...] = self._none

    @property
    def _none(self) -> tuple[int, ...]:
        return (0,) * len(self._market.goods)

    @property
    def cost(self) -> int:
        """Price of the whole purchase, inflation included."""
        prices = [good.price for good in self._market.goods]
        return self.table.inflation * sum(a * b for a, b in zip(self.counts, prices, strict=True))

    @property
    def order(self) -> Action:
        """The purchase as an action."""
        return self._market.buy(*self.counts)

    def _with(self, good: int, count: int) -> tuple[int, ...]:
        return (*self.counts[:good], count, *self.counts[good + 1 :])

    def can_add(self, good: int) -> bool:
        """Whether one more of a good may be bought."""
        return not self.why_not(good)

    def why_not(self, good: int) -> str:
        """Return why one more of a good may not be bought; empty if it may."""
        refusal = self._check(self._market.buy(*self._with(good, self.counts[good] + 1)))
        return say(refusal.sentence) if refusal is not None else ""

    def add(self, good: int, many: int = 1) -> None:
        """Add up to `many` of a good, as far as they may be bought."""
        for _ in range(many):
            if not self.can_add(good):
                return
            self.counts = self._with(good, self.counts[good] + 1)

    def remove(self, good: int, many: int = 1) -> None:
        """Remove `many` of a good, and goods that cannot be bought without it."""
        self.counts = self._with(good, max(0, self.counts[good] - many))
        for other in range(_LEANING, len(self.counts)):
            while self._check(self.order) is not None and self.counts[other]:
                self.counts = self._with(other, self.counts[other] - 1)

    def clear(self) -> None:
        """Empty the basket."""
        self.counts = self._none
