"""Model of skill for the ladder of bots and the ratings of people."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from openskill.models import PlackettLuce

from server.lobby.rated_matches import BEGINNING, MU, SCALE, SIGMA

_MODEL: Final = PlackettLuce(mu=MU, sigma=SIGMA)


class Rating(Struct, frozen=True):
    """Estimated skill of a player and its standard deviation."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> float:
        """The rating as pages of bots show it. It is cautious: a player whose skill is uncertain is shown lower."""
        return _MODEL.rating(self.mu, self.sigma).ordinal(alpha=SCALE / SIGMA, target=BEGINNING)


def rated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings after a match. `ranks`: of the same players, 1 for the winner; equal ranks are a draw."""
    teams = [[_MODEL.rating(each.mu, each.sigma)] for each in before]
    return [Rating(own.mu, own.sigma) for (own,) in _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])]
