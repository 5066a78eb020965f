"""Drafts of recruiting and of buying influence."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shared.ids import NONE, Seat, Space
from shared.rulesets.cote2.actions import Influence, Recruit
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.economy import INFLUENCE_PRICE, PRICES

_LEVY_PRICES = (*PRICES[:3], PRICES[4])
GALLEY_PRICE = PRICES[3]


class Recruits(Struct, frozen=True):
    """Draft with the fields of `Recruit`. `space`: the province shown; `zone`: the sea next to it for new galleys."""

    space: Space = NONE
    armies: tuple[tuple[Space, int, int, int, int], ...] = ()
    fleets: tuple[tuple[Space, int], ...] = ()
    zone: Space = NONE

    def order(self) -> Recruit:
        """Return the recruits as an action."""
        return Recruit(self.armies, self.fleets)

    @property
    def cost(self) -> int:
        """Price of all recruits."""
        land = sum(n * price for _, *counts in self.armies for n, price in zip(counts, _LEVY_PRICES, strict=True))
        return land + sum(n for _, n in self.fleets) * GALLEY_PRICE

    def levied(self, space: Space) -> tuple[int, int, int, int]:
        """Return infantry, cavalry, catapults and generals for a province."""
        return next((counts for at, *counts in self.armies if at == space), (0, 0, 0, 0))  # type: ignore[return-value]

    def galleys(self, zone: Space) -> int:
        """Return the number of galleys for a sea zone."""
        return next((n for at, n in self.fleets if at == zone), 0)

    def levy(self, good: int, by: int) -> Recruits:
        """Levy `by` more (or fewer) infantry, cavalry, catapults or generals in the province that is shown."""
        counts = list(self.levied(self.space))
        counts[good] = max(0, counts[good] + by)
        others = [group for group in self.armies if group[0] != self.space]
        mine = [(self.space, counts[0], counts[1], counts[2], counts[3])] if any(counts) else []
        return replace(self, armies=tuple(sorted(others + mine)))

    def at(self, space: Space) -> Recruits:
        """Show another province, and the first sea next to it."""
        return replace(self, space=space, zone=SEAS[space][0] if SEAS[space] else NONE)

    def next_sea(self) -> Recruits:
        """Choose the province's next sea zone for new galleys."""
        zones = SEAS[self.space]
        return replace(self, zone=zones[(zones.index(self.zone) + 1) % len(zones)])

    def launch(self, zone: Space, by: int) -> Recruits:
        """Build `by` more (or fewer) galleys in a sea zone."""
        count = max(0, self.galleys(zone) + by)
        others = [pair for pair in self.fleets if pair[0] != zone]
        return replace(self, fleets=tuple(sorted(others + ([(zone, count)] if count else []))), zone=zone)


class Bargain(Struct, frozen=True):
    """Draft with the fields of `Influence`."""

    space: Space = NONE
    sellers: tuple[Seat, ...] = ()

    def order(self) -> Influence:
        """Return the purchase as an action."""
        return Influence(self.space, self.sellers)

    @property
    def cost(self) -> int:
        """Price of the tokens."""
        return INFLUENCE_PRICE * len(self.sellers)

    def buy(self, seller: Seat, by: int) -> Bargain:
        """Buy one token more of a seller, or one fewer if `by` is not positive."""
        sellers = list(self.sellers)
        if by > 0:
            sellers.append(seller)
        elif seller in sellers:
            sellers.remove(seller)
        return replace(self, sellers=tuple(sorted(sellers)))
