"""Ratings of players by Plackett-Luce (the library openskill), and opponents of close ratings who have not just met.

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


MET: Final = 400.0
"""Points of difference that weigh as much as having met in the last match. One match before weighs half."""
AT_ONCE: Final = 300.0
"""Points of difference that are accepted at once."""
KIN: Final = 2000.0
"""Points of difference that weigh as much as the same network, which may be one author's."""
PATIENCE: Final = 100.0
"""Further points that are accepted for each second of waiting."""
ALONE: Final = 10.0
"""Seconds of waiting after which free seats are filled with bots of the server."""


class Waiting(Struct, frozen=True):
    """Player who waits for a match since that time.

    `met`: opponents of the last matches and their networks, the latest first. `network`: "" if it does not matter.
    """

    person: str
    shown: float
    since: float = 0.0
    met: tuple[tuple[str, ...], ...] = ()
    network: str = ""


def opponents(player: Waiting, others: Sequence[Waiting], seats: int, now: float) -> list[Waiting]:
    """Return the best opponents for a match of up to `seats` players, the best first.

    There are fewer if the others are too strong, too weak or met too recently for the time that the player waited.
    """
    accepted = AT_ONCE + PATIENCE * (now - player.since)
    chosen: list[Waiting] = []
    left = list(others)
    while left and len(chosen) < seats - 1:
        near = min(left, key=lambda other: _distance(player, other, chosen))
        if _distance(player, near, chosen) > accepted:
            break
        chosen.append(near)
        left.remove(near)
    return chosen


def is_alone(player: Waiting, now: float) -> bool:
    """Whether the player has waited so long that bots of the server fill the free seats."""
    return now - player.since >= ALONE


def _distance(one: Waiting, other: Waiting, chosen: Sequence[Waiting]) -> float:
    own = {other.person, other.network} - {""}
    met = [MET / ago for ago, names in enumerate(one.met, 1) if own.intersection(names)]
    kin = bool(other.network) and any(each.network == other.network for each in (one, *chosen))
    return abs(one.shown - other.shown) + sum(met) + KIN * kin
