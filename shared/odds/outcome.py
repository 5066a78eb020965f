"""Questions about a battle and their answers, for all games."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, TypeAlias

from msgspec import Struct

from shared.ids import NO_ARMY, Army

Force: TypeAlias = tuple[int, int, int, int]
"""Counts of infantry, cavalry, catapults and galleys."""
NO_FORCE: Final[Force] = (0, 0, 0, 0)
QUICK: Final = 400
"""Number of positions of a battle up to which its odds are counted at once; that takes some 20 ms."""
CERTAIN: Final = 1 - 1e-9
"""Probability above which an outcome is certain, but for rounding."""
ATTACKER, DEFENDER, NEITHER = 0, 1, -1
"""The side that wins; NEITHER if a battle at sea ends with both sides left, or with none."""


class Host(Struct, frozen=True):
    """A side of a battle to come.

    army: its own units; at sea in the 1984 game those aboard. galleys: its own. leaders: Caesars and generals with it.
    walls: worth of the own city that it defends, in Classic and 1984 a fortified one: dice, or in 1984 combat
    advantage. training: dice of its Training cards. cards: troops of its diplomacy cards. lent: units that allies lend
    it. cargo: in Classic at sea, the load of each galley. leaves: it retreats, if the rules allow it, once a round is
    over and it has no more units than that. slaves: rebels; galleys alone do not stand against them. options: those of
    the table; () for the rules without options.
    """

    army: Army = NO_ARMY
    galleys: int = 0
    leaders: int = 0
    walls: int = 0
    training: int = 0
    cards: Force = NO_FORCE
    lent: Force = NO_FORCE
    cargo: tuple[Army, ...] = ()
    leaves: int = 0
    slaves: bool = False
    options: tuple[int, ...] = ()


class Ending(Struct, frozen=True):
    """A way in which a battle ends: its probability, the winner, and the units left of both sides."""

    chance: float
    winner: int
    attacker: Force
    defender: Force


class Odds(Struct, frozen=True):
    """All endings of a battle.

    costs: mean loss of own units of attacker and defender, in talents at basic prices. missing: the probability of
    courses that were not followed; 0 for an exact answer.
    """

    endings: tuple[Ending, ...]
    costs: tuple[float, float]
    missing: float

    def wins(self, winner: int) -> float:
        """Return the probability that this side wins, or neither."""
        return sum(ending.chance for ending in self.endings if ending.winner == winner)

    def left(self, side: int) -> tuple[float, float, float, float]:
        """Return the mean number of units left of that side, by kind."""
        means = [0.0, 0.0, 0.0, 0.0]
        for ending in self.endings:
            force = ending.defender if side == DEFENDER else ending.attacker
            for kind in range(4):
                means[kind] += ending.chance * force[kind]
        return means[0], means[1], means[2], means[3]

    def standing(self, winner: int) -> tuple[float, ...]:
        """Return, by number of units, the probability that this side wins and has that many units left."""
        found: dict[int, float] = {}
        for ending in self.endings:
            if ending.winner == winner:
                units = sum(ending.defender if winner == DEFENDER else ending.attacker)
                found[units] = found.get(units, 0.0) + ending.chance
        return tuple([found.get(units, 0.0) for units in range(max(found, default=-1) + 1)])


def units(host: Host) -> int:
    """Return the number of units of a side."""
    return sum(chain(host.army, (host.galleys,), host.lent, host.cards, *host.cargo))


def is_quick(attacker: Host, defender: Host, positions: int = QUICK) -> bool:
    """Whether the odds can be counted at once: the losses of both sides lead to few positions."""
    return (units(attacker) + 1) * (units(defender) + 1) <= positions


def worth(force: Sequence[int], prices: Sequence[int]) -> int:
    """Return the basic price of units."""
    return sum([n * price for n, price in zip(force, prices, strict=False)])


def merge_endings(endings: Iterable[Ending]) -> tuple[Ending, ...]:
    """Merge equal endings; the likeliest comes first."""
    chances: dict[tuple[int, Force, Force], float] = {}
    for ending in endings:
        key = ending.winner, ending.attacker, ending.defender
        chances[key] = chances.get(key, 0.0) + ending.chance
    return tuple(
        [Ending(chance, *key) for key, chance in sorted(chances.items(), key=lambda pair: (-pair[1], pair[0]))]
    )


def costs(endings: Sequence[Ending], prices: Sequence[int], ours: Force, theirs: Force) -> tuple[float, float]:
    """Return the mean costs of a battle for attacker and defender, at these basic prices.

    ours, theirs: units of attacker and defender at its beginning.
    """
    left = sum([ending.chance * worth(ending.attacker, prices) for ending in endings])
    rest = sum([ending.chance * worth(ending.defender, prices) for ending in endings])
    return worth(ours, prices) - left, worth(theirs, prices) - rest


def percent(chance: float) -> str:
    """Return a probability in words: ``"62 %"``. Only a certain outcome is shown as 0 % or 100 %."""
    if 0 < chance < 0.01:
        return "< 1 %"
    if 0.99 < chance < CERTAIN:
        return "> 99 %"
    return f"{max(0.0, chance) * 100:.0f} %"  # One minus a sum of chances may be a hair below 0.


def amount(number: float) -> str:
    """Return a mean in words, with a decimal while it is small."""
    return f"{number:.1f}".removesuffix(".0") if number < 99.95 else f"{number:.0f}"
