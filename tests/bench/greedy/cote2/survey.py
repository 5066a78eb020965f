"""Position analysis for a bot of the second game: its view, and the worth of things to its seat."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.cells import has_army
from shared.mechanics.ranks import prizes
from shared.rulesets.cote2.data import KEY_SET, KEYS
from shared.rulesets.cote2.economy import INFLUENCE_PRICE, buyable
from shared.rulesets.cote2.options import SEASONS, victory_numbers
from shared.rulesets.cote2.property import (
    influence_supply,
)
from shared.rulesets.cote2.state import LEADERS, OFF
from shared.rulesets.cote2.table import Table

TALENT: Final = 0.12
"""What a talent is worth, in victory points."""
UNIT: Final = 1.2
"""What a unit is worth."""
INFANTRY: Final = 0.9
"""What a recruit is worth, the price taken off."""
GUARD: Final = 1.5
"""What a recruit is worth beyond that who can guard bare tokens."""
SENATOR: Final = 1.3
"""What a vote in the hand is worth."""
CHAOS: Final = 0.6
"""What a point of chaos costs."""
EXPOSED: Final = 0.8
"""Remaining share of the worth of unguarded tokens."""
LATER: Final = 0.65
"""What a plan for the next action is worth, against doing it now."""
LIKELY: Final = 2.3
"""Votes of an unknown senator."""
PURSE: Final = 30
"""Talents that one likes to have at hand."""


class Plan(Struct, frozen=True):
    """An action and what it is worth."""

    worth: float
    action: Action


class Eye:
    """View of a bot, and the worth of things to its seat."""

    def __init__(self, table: Table, seat: Seat) -> None:
        self.table = table
        self.seat = seat
        self.money = table.talents[seat]
        self.left = max(1, table.options[SEASONS] - table.season + 1)
        first = seat * LEADERS
        self.caesar = table.leader_at[first]
        self.offers: Sequence[Action] = ()
        self.posts = sorted({at for at in table.leader_at[first : first + LEADERS] if at != OFF})

    def standing(self, space: Space, counts: Sequence[int]) -> float:
        """Points a season of these tokens: one's own against the best of the others, and taxes."""
        points = prizes(counts, victory_numbers(self.table, space))
        rivals = [n for seat, n in enumerate(points) if seat != self.seat]
        return points[self.seat] - max(rivals, default=0) * 0.5 + counts[self.seat] * 5 * TALENT

    def guarded(self, space: Space) -> bool:
        """Whether units of one's own protect tokens there."""
        return has_army(self.table.units[space], self.seat)

    def bare(self) -> list[Space]:
        """Return the spaces where the bot's tokens are not guarded."""
        return [space for space in KEYS if self.table.influence[space][self.seat] and not self.guarded(space)]

    def purchase(self, space: Space, sellers: Sequence[int], guarded: bool) -> float:
        """Return the worth of buying these tokens over the remaining seasons, without their price."""
        counts = list(self.table.influence[space])
        before = self.standing(space, counts)
        for seller in sellers:
            counts[self.seat] += 1
            if seller != NONE:
                counts[seller] -= 1
        gain = (self.standing(space, counts) - before) * self.left + len(sellers) * 0.8
        if not guarded:
            gain *= EXPOSED
        return gain - INFLUENCE_PRICE * TALENT * len(sellers)

    def best_purchase(
        self, space: Space, most: int, also: Sequence[int] = (), escort: bool = False
    ) -> tuple[float, tuple[int, ...]]:
        """The best tokens that a leader could buy there; `also`: sellers who will have lost their guard; `escort`:
        whether units come along."""
        if space not in KEY_SET or not most:
            return 0.0, ()
        offered = buyable(self.table, self.seat, space) + list(also)
        room = min(most, influence_supply(self.table, self.seat), self.money // INFLUENCE_PRICE)
        best: tuple[float, tuple[int, ...]] = (0.0, ())
        choices: set[tuple[int, ...]] = set()
        if room >= 1:
            choices |= {(seller,) for seller in offered}
        if room >= 2:
            choices |= {(offered[i], offered[j]) for j in range(len(offered)) for i in range(j)}
        guarded = escort or self.guarded(space)
        for sellers in sorted(choices):
            best = max(best, (self.purchase(space, sellers, guarded), sellers))
        return best

    def guard(self, space: Space) -> int:
        """Infantry to leave behind where tokens need it."""
        return 1 if space in KEY_SET and self.table.influence[space][self.seat] else 0
