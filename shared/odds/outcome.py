"""What is asked about a battle, and the answer: in any game."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from shared.ids import NO_ARMY, Army

Force: TypeAlias = tuple[int, int, int, int]
"""Counts of infantry, cavalry, catapults and galleys."""
NO_FORCE: Final[Force] = (0, 0, 0, 0)
ATTACKER, DEFENDER, NEITHER = 0, 1, -1
"""Who wins; neither where a battle at sea ends with both, or with nobody."""


class Host(Struct, frozen=True):
    """One side of a battle to come.

    army: its own units; at sea in the 1984 game those aboard. galleys: its own. leaders: Caesars and generals with it.
    walls: it defends its own city, in Classic and 1984 a fortified one. training: dice of its Training cards. cards:
    troops of its diplomacy cards. lent: units that allies lend it. cargo: in Classic at sea, what the galleys carry.
    leaves: it retreats, where the rules let it, once a round is over and it has no more units than that. slaves: in
    revolt, against whom galleys alone do not stand.
    """

    army: Army = NO_ARMY
    galleys: int = 0
    leaders: int = 0
    walls: bool = False
    training: int = 0
    cards: Force = NO_FORCE
    lent: Force = NO_FORCE
    cargo: tuple[Army, ...] = ()
    leaves: int = 0
    slaves: bool = False


class Ending(Struct, frozen=True):
    """One way in which a battle ends: its probability, who has won, and what is left of both sides."""

    chance: float
    winner: int
    attacker: Force
    defender: Force


class Odds(Struct, frozen=True):
    """All endings of a battle.

    costs: of attacker and defender, the mean loss of their own units in talents at basic prices. missing: the
    probability of courses that were not followed; 0 where the answer is exact.
    """

    endings: tuple[Ending, ...]
    costs: tuple[float, float]
    missing: float

    def wins(self, winner: int) -> float:
        """The probability that this side wins, or neither."""
        return sum(ending.chance for ending in self.endings if ending.winner == winner)

    def left(self, side: int) -> tuple[float, float, float, float]:
        """Of each kind, what that side has left in the mean."""
        means = [0.0, 0.0, 0.0, 0.0]
        for ending in self.endings:
            force = ending.defender if side == DEFENDER else ending.attacker
            for kind in range(4):
                means[kind] += ending.chance * force[kind]
        return means[0], means[1], means[2], means[3]

    def standing(self, winner: int) -> tuple[float, ...]:
        """By number: the probability that this side wins and has so many units left."""
        found: dict[int, float] = {}
        for ending in self.endings:
            if ending.winner == winner:
                units = sum(ending.defender if winner == DEFENDER else ending.attacker)
                found[units] = found.get(units, 0.0) + ending.chance
        return tuple([found.get(units, 0.0) for units in range(max(found, default=-1) + 1)])


def worth(force: Sequence[int], prices: Sequence[int]) -> int:
    """The basic price of units."""
    return sum([n * price for n, price in zip(force, prices, strict=False)])


def gathered(endings: Iterable[Ending]) -> tuple[Ending, ...]:
    """The same, with equal ones as one, the likeliest first."""
    chances: dict[tuple[int, Force, Force], float] = {}
    for ending in endings:
        known = ending.winner, ending.attacker, ending.defender
        chances[known] = chances.get(known, 0.0) + ending.chance
    return tuple(
        [Ending(chance, *known) for known, chance in sorted(chances.items(), key=lambda pair: (-pair[1], pair[0]))]
    )


def costs(endings: Sequence[Ending], prices: Sequence[int], ours: Force, theirs: Force) -> tuple[float, float]:
    """What the battle costs attacker and defender in the mean, at these basic prices, who begin with that."""
    left = sum([ending.chance * worth(ending.attacker, prices) for ending in endings])
    rest = sum([ending.chance * worth(ending.defender, prices) for ending in endings])
    return worth(ours, prices) - left, worth(theirs, prices) - rest


def percent(chance: float) -> str:
    """In words: ``"62 %"``; nothing is called certain that is not."""
    if 0 < chance < 0.01:
        return "< 1 %"
    if 0.99 < chance < 1 - 1e-9:
        return "> 99 %"
    return f"{chance * 100:.0f} %"


def amount(number: float) -> str:
    """A mean, with a decimal while it is small."""
    return f"{number:.1f}".removesuffix(".0") if number < 99.95 else f"{number:.0f}"
