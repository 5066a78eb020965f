"""Ratings of players from the rankings of their matches: Plackett-Luce, by the library openskill.

Elo knows two players only. This model takes rankings of any number of players, and learns in few matches.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from openskill.models import PlackettLuce

_MODEL: Final = PlackettLuce()
BEGINNING: Final = 1500.0
"""Shown rating of a new player."""
SCALE: Final = 200.0
"""Points of the shown rating for one standard deviation of a new player's skill."""


class Rating(Struct, frozen=True):
    """Estimated skill of a player and its standard deviation."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def shown(self) -> float:
        """The rating as pages show it. It is cautious: a player whose skill is uncertain is shown lower."""
        own = _MODEL.rating(self.mu, self.sigma)
        return own.ordinal(alpha=SCALE / _MODEL.sigma, target=BEGINNING)


def rated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings after a match. `ranks`: of the same players, 1 for the winner; equal ranks are a draw."""
    teams = [[_MODEL.rating(each.mu, each.sigma)] for each in before]
    return [Rating(own.mu, own.sigma) for (own,) in _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])]
