"""Forecast of a land battle: expected hits of the special die, round by round."""

from functools import cache, lru_cache
from math import comb
from typing import Final

from msgspec import Struct

from shared.ids import Army
from shared.mechanics.armies import choices, greedy, minus, total

INFANTRY_FACES: Final = 1 / 3
OTHER_FACES: Final = 1 / 6
"""Chance of a die to show infantry; to show cavalry, and to show a catapult."""
PRICES: Final = (10, 20, 30)
LEGION: Final = 5
"""Units of a battle legion without leaders."""
WALL_DICE: Final = 2
CHEAP_FIRST: Final = (0, 1, 2)
ROUNDS: Final = 40
NEARLY: Final = 1e-9
FIREPOWER: Final = 15
"""What an expected hit of the next round is worth, in talents."""


class Forecast(Struct, frozen=True):
    """Remaining units of both sides when one is gone, and the attacker's `margin`: -1 a disaster, 1 a walk-over."""

    attacker: Army
    defender: Army
    margin: float


def worth(army: Army) -> int:
    """The basic price of an army."""
    return army[0] * PRICES[0] + army[1] * PRICES[1] + army[2] * PRICES[2]


@cache
def _matched(chance: float, dice: int, units: int) -> float:
    """Expected number of dice that find a unit to match."""
    return sum(min(n, units) * comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(1, dice + 1))


def hits(legion: Army, dice: int, catapults: int) -> float:
    """Expected hits of a battle legion; `catapults` are all of the army, for those in the reserve hit too."""
    return (
        _matched(INFANTRY_FACES, dice, min(legion[0], dice))
        + _matched(OTHER_FACES, dice, min(legion[1], dice))
        + _matched(OTHER_FACES, dice, min(catapults, dice))
    )


def front_size(army: Army, leaders: int) -> int:
    """The size of the battle legion (CL-BATTLE-02)."""
    return min(LEGION + leaders, total(army))


@lru_cache(maxsize=8192)
def best_legion(army: Army, size: int) -> Army:
    """The battle legion that hits most: infantry and cavalry well mixed, catapults only where others are missing."""
    best, most = army, -1.0
    for cavalry in range(min(army[1], size) + 1):
        infantry = min(army[0], size - cavalry)
        catapults = size - cavalry - infantry
        if catapults <= army[2]:
            legion = (infantry, cavalry, catapults)
            expected = hits(legion, size, army[2])
            if expected > most + NEARLY:
                best, most = legion, expected
    return best


def losses(army: Army, legion: Army, fallen: int, leaders: int) -> Army:
    """The losses out of `legion` that hurt least: by price, and by what the rest of the army will still hit."""

    def pain(lost: Army) -> float:
        rest = minus(army, lost)
        size = front_size(rest, leaders)
        return worth(lost) - FIREPOWER * hits(best_legion(rest, size), size, rest[2])

    return min(choices(legion, fallen), key=pain)


@lru_cache(maxsize=16384)
def forecast(attacker: Army, leading: int, defender: Army, defending: int, walls: bool = False) -> Forecast:
    """The expected course of a battle to the end. `leading`, `defending`: how many leaders are there."""
    before = max(1, total(attacker)), max(1, total(defender))
    inflicted = suffered = 0.0
    for _ in range(ROUNDS):
        size, wall = front_size(attacker, leading), front_size(defender, defending)
        if not size or not wall:
            break
        front, line = best_legion(attacker, size), best_legion(defender, wall)
        extra = WALL_DICE - (attacker[2] > 0) if walls else 0
        inflicted += hits(front, size, attacker[2])
        suffered += hits(line, wall + extra, defender[2])
        down, fallen = min(wall, int(inflicted + NEARLY)), min(size, int(suffered + NEARLY))
        inflicted -= int(inflicted + NEARLY)
        suffered -= int(suffered + NEARLY)
        defender = minus(defender, greedy(line, down, CHEAP_FIRST))
        attacker = minus(attacker, greedy(front, fallen, CHEAP_FIRST))
    return Forecast(attacker, defender, total(attacker) / before[0] - total(defender) / before[1])
