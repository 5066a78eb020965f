"""Choice of opponents: players of close ratings who have not just met."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

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
