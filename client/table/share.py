"""Draft that several games have: exactly so many units out of an army. Knows no window."""

from msgspec import Struct

from shared.ids import NO_ARMY, Army
from shared.mechanics.armies import take_by_kind, total


class Share(Struct):
    """Exactly `size` units out of an army: a battle legion, or losses."""

    whole: Army
    size: int
    chosen: Army = NO_ARMY

    @property
    def complete(self) -> bool:
        """Whether exactly the required number is chosen."""
        return total(self.chosen) == self.size

    @property
    def missing(self) -> int:
        """Number of units still to be chosen."""
        return self.size - total(self.chosen)

    def suggest(self, kinds: tuple[int, int, int]) -> None:
        """Choose units for the player, in that order of arms."""
        self.chosen = take_by_kind(self.whole, self.size, kinds)

    def add(self, arm: int) -> None:
        """Choose one more of an arm; if all are chosen, replace one of the most numerous other arm."""
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
