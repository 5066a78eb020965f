"""Luck, apart from skill: expected and actual hits of the dice of a match. Pure functions.

A roll is taken as it was made: with those dice, at those targets. So the actual hits are compared with the average of
that roll. Attacking at good odds does not count as luck.
"""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final

from msgspec import Struct

from client.language import _
from shared.ids import Seat, Space
from shared.odds.dice import Hits

USUAL: Final = 0.05
"""Probability of a deviation, to either side, below which dice are said to be beyond chance."""
ORDINARY: Final = 0.5
"""Probability of a deviation, to either side, above which dice are called neither lucky nor unlucky."""
_NEARLY: Final = 1e-9
_NUMBERS: Final = (
    _("two"), _("three"), _("four"), _("five"), _("six"), _("seven"), _("eight"), _("nine"), _("ten"), _("eleven"),
    _("twelve"),
)  # fmt: skip


class RecordedRoll(Struct, frozen=True):
    """Roll of dice. `chances`: the probability of each number of hits before the roll; `hits`: the result."""

    version: int
    seat: Seat
    dice: int
    hits: int
    chances: Hits


class RecordedBattle(Struct, frozen=True):
    """Battle with all its rolls."""

    version: int
    space: Space
    attacker: Seat
    defender: Seat
    rolls: tuple[RecordedRoll, ...]


class Account(Struct, frozen=True):
    """All dice of one side together.

    `spread`: the standard deviation of their hits. `tail`: the probability of at least that deviation, to either side.
    `side`: the same, only to the side of the actual deviation: how often dice are as lucky, or as unlucky.
    """

    rolls: int
    dice: int
    expected: float
    hits: int
    spread: float
    tail: float
    side: float

    @property
    def over(self) -> float:
        """Hits more than expected."""
        return self.hits - self.expected


def mean(chances: Hits) -> float:
    """Return the expected hits of a roll."""
    return sum(n * chance for n, chance in enumerate(chances))


def variance(chances: Hits) -> float:
    """Return the variance of a roll's hits."""
    expected = mean(chances)
    return sum((n - expected) ** 2 * chance for n, chance in enumerate(chances))


def together(rolls: Iterable[Hits]) -> Hits:
    """Return the probability of each sum of hits of independent rolls, exactly."""
    sums: Sequence[float] = (1.0,)
    for chances in rolls:
        more = [0.0] * (len(sums) + len(chances) - 1)
        for n, before in enumerate(sums):
            for hits, chance in enumerate(chances):
                more[n + hits] += before * chance
        sums = more
    return tuple(sums)


def tail(sums: Hits, hits: int) -> float:
    """Return the probability of a sum at least as far from the expected one as `hits`, to either side."""
    expected = mean(sums)
    # Otherwise rounding could leave out the very number of hits that was rolled.
    far = abs(hits - expected) - _NEARLY
    return min(1.0, sum(chance for n, chance in enumerate(sums) if abs(n - expected) >= far))


def side(sums: Hits, hits: int) -> float:
    """Return the probability of at least `hits` if they are more than expected; else of at most `hits`."""
    part = sums[hits:] if hits > mean(sums) else sums[: hits + 1]
    return min(1.0, sum(part))


def account(rolls: Sequence[RecordedRoll]) -> Account:
    """Return the account of these rolls together."""
    hits = sum(roll.hits for roll in rolls)
    expected = sum(mean(roll.chances) for roll in rolls)
    dice = sum(roll.dice for roll in rolls)
    spread = sqrt(sum(variance(roll.chances) for roll in rolls))
    sums = together(roll.chances for roll in rolls)
    return Account(len(rolls), dice, expected, hits, spread, tail(sums, hits), side(sums, hits))


def one_in(chance: float) -> str:
    """Return ``"one match in eight"``, rounded as people would say it."""
    many = 1 / max(chance, 1e-9)
    if many < 1.5:
        return _("most matches")
    if round(many) <= len(_NUMBERS) + 1:
        return _("one match in {n}", n=_NUMBERS[round(many) - 2])
    if many > 10_000:
        return _("less than one match in ten thousand")
    steps = 5 if many < 100 else 50 if many < 1000 else 500
    return _("one match in {n}", n=round(many / steps) * steps)


def verdict(found: Account) -> str:
    """Return a sentence on the dice of one side."""
    if not found.rolls:
        return _("No dice were rolled.")
    if found.tail > ORDINARY:
        return _("Ordinary dice: they stray as far in {often}.", often=one_in(found.tail))
    often = one_in(found.side)
    lucky = found.over > 0
    if found.tail >= USUAL:
        if lucky:
            return _("Within what chance explains: about {often} is this lucky.", often=often)
        return _("Within what chance explains: about {often} is this unlucky.", often=often)
    if lucky:
        return _("Beyond what chance usually explains: only {often} is this lucky.", often=often)
    return _("Beyond what chance usually explains: only {often} is this unlucky.", often=often)


def conclusion(accounts: Sequence[Account]) -> str:
    """Return a sentence on all dice of a match.

    That one of several sides deviates far is likelier than that a certain one does.
    """
    rolled = [found.tail for found in accounts if found.rolls]
    if not rolled:
        return _("No dice were rolled in this match.")
    # Among several players one strays easily, so the chance counts that any of them does.
    somebody = 1 - (1 - min(rolled)) ** len(rolled)
    if somebody >= USUAL:
        return _("Overall, the dice of this match lie within what chance explains.")
    return _("Such dice are rare: in {often} a player's luck strays as far.", often=one_in(somebody))
