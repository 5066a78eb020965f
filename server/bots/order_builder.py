"""Purchase order under construction, shared by the bots of both conquest games."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from shared.mechanics.wares import Ware

ALL: Final = 99
"""As many as possible."""
Wants: TypeAlias = tuple[tuple[Ware, int], ...]
"""Wares in the order in which they are bought, each with the most that is bought of it."""


class OrderBuilder:
    """Purchase order that never exceeds money, supply or room.

    prices, left: by ware, the price and the number available. money: in basic talents. room: for units (None: no
    limit).
    """

    def __init__(self, prices: Sequence[int], left: Sequence[int], money: int, room: int | None = None) -> None:
        self.counts = [0] * len(prices)
        self.left = list(left)
        self.money = money
        self._prices = prices
        self._room = sum(left) if room is None else room

    def take(self, ware: Ware, wanted: int = 1) -> int:
        """Add up to `wanted` of a ware as far as money, supply and room allow, and return how many were added."""
        most = min(wanted, self.left[ware], self.money // self._prices[ware])
        count = max(0, min(most, self._room) if ware.is_unit else most)
        self.counts[ware] += count
        self.left[ware] -= count
        self.money -= count * self._prices[ware]
        self._room -= count * ware.is_unit
        return count


def orders(wants: Sequence[Wants], empty: Callable[[], OrderBuilder]) -> Iterator[list[int]]:
    """Yield the counts of alternative orders, each begun with an `empty` one."""
    for wares in wants:
        basket = empty()
        for ware, most in wares:
            basket.take(ware, most)
        yield basket.counts
