"""Choice of opponents: players of close ratings who have not just met."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

MET: Final = 400.0
"""Points of difference that weigh as much as having met in the last match. One match before weighs half."""
AT_ONCE: Final = 300.0
"""Points of difference that are accepted at once."""
PATIENCE: Final = 100.0
"""Further points that are accepted for each second of waiting."""
ALONE: Final = 10.0
"""Seconds of waiting after which free seats are filled with bots of the server."""


class Waiting(Struct, frozen=True):
    """Player who waits for a match since that time. `met`: opponents of the last matches, the latest first."""

    person: str
    shown: float
    since: float = 0.0
    met: tuple[tuple[str, ...], ...] = ()


def opponents(player: Waiting, others: Sequence[Waiting], seats: int, now: float) -> list[Waiting]:
    """Return the best opponents for a match of up to `seats` players, the best first.

    There are fewer if the others are too strong, too weak or met too recently for the time that the player waited.
    """
    near = sorted(others, key=lambda other: _distance(player, other))
    accepted = AT_ONCE + PATIENCE * (now - player.since)
    return [other for other in near[: seats - 1] if _distance(player, other) <= accepted]


def is_alone(player: Waiting, now: float) -> bool:
    """Whether the player has waited so long that bots of the server fill the free seats."""
    return now - player.since >= ALONE


def _distance(one: Waiting, other: Waiting) -> float:
    met = [MET / ago for ago, names in enumerate(one.met, 1) if other.person in names]
    return abs(one.shown - other.shown) + sum(met)
