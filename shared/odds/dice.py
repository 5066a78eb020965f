"""Probabilities of hits: battle dice that match units of their kind, and an aimed die that destroys its target."""

from functools import cache, lru_cache
from math import comb
from typing import Final, TypeAlias

from shared.ids import GALLEY, UNIT_NAMES
from shared.kernel.chance import FACES
from shared.mechanics.aimed_shots import winning_faces
from shared.mechanics.battledice import DIE, galley_hits, land_hits
from shared.odds.outcome import Force

Hits: TypeAlias = tuple[float, ...]
"""The probability of each number of hits, from none."""
NO_HITS: Final[Hits] = (1.0,)
_FACE: Final = tuple([DIE.index(name) for name in UNIT_NAMES])
_SIDES: Final = tuple([DIE.count(name) for name in UNIT_NAMES])
"""By kind of unit: a face that shows it, and the number of faces that do."""


def certain_hits(hits: int) -> Hits:
    """Return the hits of dice that have fallen already."""
    return (0.0,) * hits + (1.0,)


@cache
def one_shot(number: int) -> Hits:
    """Return the hits of one ordinary die that destroys its target with this number or more."""
    hit = winning_faces(number) / FACES
    return 1 - hit, hit


@cache
def _matched_hits(kind: int, dice: int, units: int) -> int:
    """Return the hits of dice that all show one kind of unit, matched against `units` units of that kind."""
    faces = (_FACE[kind],) * dice
    if kind == GALLEY:
        return min(galley_hits(faces), units)
    return land_hits(faces, (units * (kind == 0), units * (kind == 1), units * (kind == 2)))


@lru_cache(maxsize=65536)
def _spread(dice: int, kind: int, units: tuple[int, ...]) -> Hits:
    """Return the hits of dice that show none of the kinds before `kind`; units: of this kind and those after it."""
    if not units or not dice:
        return NO_HITS
    # Among faces that show none of the kinds before: so each kind is a binomial of its own.
    share = _SIDES[kind] / (FACES - sum(_SIDES[:kind]))
    chances = [0.0] * (min(dice, sum(units)) + 1)
    for n in range(dice + 1):
        likely = comb(dice, n) * share**n * (1 - share) ** (dice - n)
        found = _matched_hits(kind, n, units[0])
        for more, chance in enumerate(_spread(dice - n, kind + 1, units[1:])):
            chances[found + more] += likely * chance
    return tuple(chances)


def matched_hits(dice: int, units: Force) -> Hits:
    """Return the hits of battle dice: each die matches one unit of its kind, each unit takes one die."""
    # More units than dice change nothing. Cutting them off here lets the cache answer far more questions.
    enough = [min(dice, n) for n in units]
    # Kinds without units at the end need no step of the recursion.
    while enough and not enough[-1]:
        enough.pop()
    return _spread(dice, 0, tuple(enough))


@lru_cache(maxsize=65536)
def capped_hits(dice: int, units: Force, most: int) -> Hits:
    """Return the hits of battle dice as `matched_hits`, if no more than `most` units can fall."""
    hits = matched_hits(dice, units)
    # Hits beyond the last unit are lost, so their chances add up in the last place.
    return hits if len(hits) <= most + 1 else (*hits[:most], sum(hits[most:]))


@lru_cache(maxsize=16384)
def mean(dice: int, units: Force) -> float:
    """Return the expected hits of battle dice."""
    return sum([n * chance for n, chance in enumerate(matched_hits(dice, units))])
