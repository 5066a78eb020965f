"""An order of the bots of both games of conquest, as it grows."""

from collections.abc import Sequence

from shared.mechanics.wares import Ware


class Basket:
    """See the module. prices, left: of each ware, and how many of it there are to be had; room: for units."""

    def __init__(self, prices: Sequence[int], left: Sequence[int], money: int, room: int | None = None) -> None:
        self.counts = [0] * len(prices)
        self.left = list(left)
        self.money = money
        self._prices = prices
        self._room = sum(left) if room is None else room

    def take(self, ware: Ware, wanted: int = 1) -> int:
        """Put up to `wanted` of a kind in, as far as money, supply and room go; how many it was."""
        most = min(wanted, self.left[ware], self.money // self._prices[ware])
        count = max(0, min(most, self._room) if ware.is_unit else most)
        self.counts[ware] += count
        self.left[ware] -= count
        self.money -= count * self._prices[ware]
        self._room -= count * ware.is_unit
        return count
