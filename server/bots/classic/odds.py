"""Odds of a battle on land: the attacker's chance, and the worth of units.

Losses fall as in `shared.odds`, the cheapest of the battle legion first, but in a fixed sequence. A side with so many
losses therefore always has the same units left, and a battle is a walk through two rows. That is eight times as fast as
the odds shown to players, with nearly the same chance. For battles that are too large or nearly decided, only the
expected course is followed, with chance added at the end.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from math import comb, erf, sqrt
from operator import mul
from typing import Final, TypeAlias

from shared.ids import Army
from shared.mechanics.armies import choices, minus, take_by_kind, total
from shared.odds.dice import Hits, matched_hits
from shared.rulesets.classic.battle import CHEAP_FIRST, extra_dice, front

INFANTRY_FACES: Final = 1 / 3
OTHER_FACES: Final = 1 / 6
"""Chances of a die to show infantry; to show cavalry, and equally to show a catapult."""
Prices: TypeAlias = tuple[int, ...]
"""Basic prices at a table, by ware; land units come first."""
FIREPOWER: Final = 15
"""Worth of an expected hit of the next round, in talents."""
FEW, MOST = 12, 50
"""Units of both sides up to which a battle is always computed exactly; the limit if its outcome is in doubt."""
DOUBT: Final = 0.01
"""Chance of either side from which the outcome is in doubt.

Chances below it by the expected course are really less than twice that.
"""
COURSE: Final = 40
"""Most rounds of an expected course."""
BAD_LUCK: Final = 3.0
"""Hits beyond the expected ones that a round may have."""
NEARLY: Final = 1e-9
REMEMBERED: Final = 1 << 16
"""Size of the cache of chances: rollouts come to the same battles again and again."""


def worth(army: Army, prices: Prices) -> int:
    """Return the basic price of an army."""
    return army[0] * prices[0] + army[1] * prices[1] + army[2] * prices[2]


# --- legions ---


@cache
def _expected_matches(chance: float, dice: int, units: int) -> float:
    """Return the expected number of dice that find a unit to match."""
    return sum(min(n, units) * comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(1, dice + 1))


def hits(legion: Army, dice: int, catapults: int) -> float:
    """Return the expected hits of a battle legion.

    catapults: all of the army, because those in the reserve hit too.
    """
    return (
        _expected_matches(INFANTRY_FACES, dice, min(legion[0], dice))
        + _expected_matches(OTHER_FACES, dice, min(legion[1], dice))
        + _expected_matches(OTHER_FACES, dice, min(catapults, dice))
    )


@lru_cache(maxsize=4096)
def best_legion(army: Army, size: int) -> Army:
    """Return the battle legion with the most expected hits: a mix of infantry and cavalry, catapults as a last
    resort."""
    best, most = army, -1.0
    for cavalry in range(min(army[1], size) + 1):
        infantry = min(army[0], size - cavalry)
        catapults = size - cavalry - infantry
        if catapults <= army[2]:
            legion = (infantry, cavalry, catapults)
            expected = hits(legion, size, army[2])
            # Of equally good ones the first counts, with the fewest horsemen.
            if expected > most + NEARLY:
                best, most = legion, expected
    return best


def losses(army: Army, legion: Army, fallen: int, leaders: int, prices: Prices) -> Army:
    """Return the losses out of `legion` that hurt least, by price and by the firepower that remains."""

    def pain(lost: Army) -> float:
        rest = minus(army, lost)
        size = front(total(rest), leaders)
        return worth(lost, prices) - FIREPOWER * hits(best_legion(rest, size), size, rest[2])

    return min(choices(legion, fallen), key=pain)


# --- the chance of the attacker ---


@lru_cache(maxsize=REMEMBERED)
def odds(attacker: Army, leading: int, defender: Army, defending: int, walls: int = 0) -> float:
    """Return the chance that the attacker wins if neither side retreats. leading, defending: leaders of each side."""
    if not any(defender):
        return 1.0
    if not any(attacker):
        return 0.0
    units = total(attacker) + total(defender)
    if units > FEW:
        chance = _expected_chance(attacker, leading, defender, defending, walls)
        if units > MOST or not DOUBT < chance < 1 - DOUBT:
            return chance
    return _exact_chance(attacker, leading, defender, defending, walls)


def _exact_chance(attacker: Army, leading: int, defender: Army, defending: int, walls: int) -> float:
    """Return the chance exactly, from the end of both rows to the start."""
    ours = _row(attacker, leading, _salvo(defender, defending, extra_dice(walls, attacker[2])))
    theirs = _row(defender, defending, _salvo(attacker, leading, 0))
    # The last row: without attackers the defender has won.
    after = [[0.0] * len(theirs)]
    for army in reversed(ours[:-1]):
        extra = extra_dice(walls, army[2])
        back = [_hit_distribution(enemy, defending, extra) for enemy in theirs]
        after.insert(
            0,
            _against(_hit_distribution(army, leading, 0), front(total(army), leading), theirs, defending, back, after),
        )
    return after[0][0]


def _against(
    fire: Hits, size: int, theirs: tuple[Army, ...], defending: int, back: list[Hits], after: list[list[float]]
) -> list[float]:
    """Return, by the defender's losses, the chance of an attacker with this fire.

    back: the defender's fire by its losses. after: the chances of an attacker with one unit less, two less, and so on.
    """
    row = [1.0] * len(theirs)
    for lost in reversed(range(len(theirs) - 1)):
        line = front(total(theirs[lost]), defending)
        strike, answer = _limited_hits(fire, line), _limited_hits(back[lost], size)
        won = answer[0] * sum(map(mul, strike[1:], row[lost + 1 : lost + 1 + line]))
        for fallen in range(1, len(answer)):
            won += answer[fallen] * sum(map(mul, strike, after[fallen - 1][lost : lost + 1 + line]))
        # A round without hits comes back to the same place: a geometric series.
        row[lost] = won / (1 - answer[0] * strike[0])
    return row


def _limited_hits(fire: Hits, most: int) -> Hits:
    """Limit hits to the `most` units that can fall."""
    return fire if len(fire) <= most + 1 else (*fire[:most], sum(fire[most:]))


@lru_cache(maxsize=8192)
def _hit_distribution(army: Army, leaders: int, extra: int) -> Hits:
    """Return the distribution of the number of dice that find a unit."""
    size = front(total(army), leaders)
    legion = best_legion(army, size)
    return matched_hits(size + extra, (legion[0], legion[1], army[2], 0))


@lru_cache(maxsize=4096)
def _salvo(army: Army, leaders: int, extra: int) -> int:
    """Return the approximate number of units that fall in a round, at least 1."""
    size = front(total(army), leaders)
    return max(1, round(hits(best_legion(army, size), size + extra, army[2])))


@lru_cache(maxsize=4096)
def _row(army: Army, leaders: int, salvo: int) -> tuple[Army, ...]:
    """Return the units left by number of losses, when `salvo` units fall in a round."""
    row = [army]
    while any(army):
        legion = best_legion(army, front(total(army), leaders))
        row += [minus(army, take_by_kind(legion, n, CHEAP_FIRST)) for n in range(1, min(salvo, total(legion)) + 1)]
        army = row[-1]
    return tuple(row)


def _expected_chance(attacker: Army, leading: int, defender: Army, defending: int, walls: int) -> float:
    """Return the chance from the expected course: the remaining units against the spread of chance."""
    spread = sqrt(total(attacker) + total(defender))
    *_, (attacker, defender) = _course(attacker, leading, defender, defending, walls)
    return (1 + erf((total(attacker) - total(defender)) / spread / sqrt(2))) / 2


def _course(attacker: Army, leading: int, defender: Army, defending: int, walls: int) -> Iterator[tuple[Army, Army]]:
    """Yield the units left on both sides after each round, until one side has none."""
    inflicted = suffered = 0.0
    for _ in range(COURSE):
        size, line = front(total(attacker), leading), front(total(defender), defending)
        if not size or not line:
            return
        legion, posted = best_legion(attacker, size), best_legion(defender, line)
        inflicted += hits(legion, size, attacker[2])
        suffered += hits(posted, line + extra_dice(walls, attacker[2]), defender[2])
        down, fallen = min(line, int(inflicted + NEARLY)), min(size, int(suffered + NEARLY))
        # Parts of a hit count in the next round.
        inflicted, suffered = inflicted % 1, suffered % 1
        defender = minus(defender, take_by_kind(posted, down, CHEAP_FIRST))
        attacker = minus(attacker, take_by_kind(legion, fallen, CHEAP_FIRST))
        yield attacker, defender


@lru_cache(maxsize=4096)
def attrition(
    attacker: Army, leading: int, defender: Army, defending: int, walls: int, least: int, prices: Prices
) -> tuple[float, float]:
    """Return the cost to both sides of an attack that is broken off at `least` attackers.

    The first figure is the worth of the defender's fallen units. The second is that of the attacker's, including the
    pursuit.
    """
    left, enemy = attacker, defender
    for left, enemy in _course(attacker, leading, defender, defending, walls):
        if total(left) <= least or not any(enemy):
            break
    # In the pursuit each enemy rolls a die, and as many hit as there are horsemen.
    caught = min(enemy[1], total(enemy) * OTHER_FACES, total(left))
    inflicted = worth(defender, prices) - worth(enemy, prices)
    return inflicted, worth(attacker, prices) - worth(left, prices) + caught * _each(left, prices)


def skirmish(
    attacker: Army, leading: int, defender: Army, defending: int, walls: int, prices: Prices
) -> tuple[float, float]:
    """Return the approximate cost of one more round to both sides, as in `attrition`."""
    size, line = front(total(attacker), leading), front(total(defender), defending)
    strike = hits(best_legion(attacker, size), size, attacker[2])
    answer = hits(best_legion(defender, line), line + extra_dice(walls, attacker[2]), defender[2])
    return strike * _each(defender, prices), answer * _each(attacker, prices)


def fatal(attacker: Army, leading: int, defender: Army, defending: int, walls: int) -> float:
    """Return the number of attackers up to which one more round may leave none, so that their leaders are captured."""
    line = front(total(defender), defending)
    answer = hits(best_legion(defender, line), line + extra_dice(walls, attacker[2]), defender[2])
    return min(front(total(attacker), leading), answer + BAD_LUCK)


def _each(army: Army, prices: Prices) -> float:
    """Return the average worth of an army's units."""
    return worth(army, prices) / max(1, total(army))
