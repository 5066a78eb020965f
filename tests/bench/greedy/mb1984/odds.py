"""The chances of a battle, and what an army is worth."""

from collections.abc import Sequence
from math import erf, sqrt

from shared.ids import CATAPULT, Army
from shared.mechanics import aimed

UNIT_WORTH = (10, 25, 45)


def shots(army: Army, galleys: int, ahead: int, at_sea: bool) -> tuple[float, float]:
    """Mean and variance of the shots that it takes to destroy all these."""
    mean = variance = 0.0
    for kind, n in enumerate((*army, galleys)):
        if n:
            hit = aimed.winning_faces(aimed.needed(kind, at_sea, ahead)) / 6
            mean += n / hit
            variance += n * (1 - hit) / (hit * hit)
    return mean, variance


def odds(mine: Army, theirs: Army, wall: int = 0, ships: tuple[int, int] = (0, 0)) -> float:
    """The chance that the attacker `mine` wins, one shot each in turn; the advantage as it is at the start."""
    at_sea = any(ships)
    my_ships, their_ships = ships
    if not any(theirs) and not their_ships:
        return 1.0
    if not any(mine) and not my_ships:
        return 0.0
    my_sum, their_sum = mine[CATAPULT], theirs[CATAPULT] + wall
    m, mv = shots(theirs, their_ships, aimed.advantage(my_sum, their_sum), at_sea)
    t, tv = shots(mine, my_ships, aimed.advantage(their_sum, my_sum), at_sea)
    return 0.5 * (1 + erf((t - m + 0.5) / sqrt(2 * (mv + tv + 0.5))))


def price(army: Sequence[int]) -> int:
    """Return the price of an army."""
    return sum(n * value for n, value in zip(army, UNIT_WORTH, strict=True))
