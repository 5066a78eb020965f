"""Two sides that wear each other down, round by round; the ending by adding up the probabilities of all courses.

The states that a side can reach are a ladder: rung 0 is its present state, and losses lead down to other rungs, never
up. A position is a rung of either side. Since nothing leads up, one walk from the top to the bottom meets each
position after all that lead to it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Generic, TypeAlias, TypeVar

from msgspec import Struct

from shared.odds.dice import NO_HITS, Hits

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)
ENDLESS: Final = 0
"""Rounds of a battle that is fought to the end."""
EXACT: Final = 6000
"""Positions up to which every course is followed, however unlikely."""
FAINT: Final = 1e-8
"""In larger battles a position less likely than this is left out; the answer has the sum of these probabilities."""


class Ladder(Struct, Generic[S_co], frozen=True):
    """States of a side, and the steps between them.

    states: units of the side, the most first; state 0 comes again if nothing falls in the first round. after: by rung
    and
    hits, the rung below. units: by rung; 0 if it cannot fight on.
    """

    states: tuple[S_co, ...]
    after: tuple[tuple[int, ...], ...]
    units: tuple[int, ...]


def ladder(
    start: S, lose: Callable[[S, int], S], most: Callable[[S], int], units: Callable[[S], int],
    first: Sequence[S] = (),
) -> Ladder[S]:  # fmt: skip
    """Return all states that losses lead to from `start`.

    lose: the state after a number of hits. most: hits in a round at most. units: number of units that count. first: by
    hits, the state after the first round, if that is special.
    """
    opening = list(first) or [lose(start, hits) for hits in range(most(start) + 1)]
    below: dict[S, list[S]] = {}
    waiting = opening[:]
    while waiting:
        state = waiting.pop()
        if state not in below:
            below[state] = [lose(state, hits) for hits in range(most(state) + 1)]
            waiting += below[state]
    # Most units first: every loss leads down, so one walk suffices.
    rungs = sorted(below, key=units, reverse=True)
    # Rung 0 is the start with its special first round; the same state comes again as a later rung.
    number = {state: rung for rung, state in enumerate(rungs, 1)}
    after = [tuple([number[state] for state in opening])]
    after += [tuple([number[state] for state in below[state]]) for state in rungs]
    return Ladder((start, *rungs), tuple(after), (units(start), *map(units, rungs)))


Strike: TypeAlias = Callable[[int, int], Hits]
"""Hits of a side, by its rung and the other's."""
Row: TypeAlias = tuple[float, int, Hits]
"""A probability, the rung to which it leads, and the hits on the other side then."""
Mass: TypeAlias = list[list[float]]


class Duel(Struct, frozen=True):
    """Two sides. In a round with `in_turn`, `one` is struck first, and only its remaining units strike back.

    strike: hits of `other` on `one`; back: hits of `one` on `other`. leaves: whether a side retreats in a position.
    opening: the hits of the first round on one and other, if they are known or special. rounds: number of rounds.
    """

    one: Ladder[object]
    other: Ladder[object]
    strike: Strike
    back: Strike
    leaves: Callable[[int, int], bool]
    in_turn: bool = False
    opening: tuple[Hits | None, Hits | None] = (None, None)
    rounds: int = ENDLESS


class DuelEnd(Struct, frozen=True):
    """The end of a duel. ends: (rung of one, rung of other, probability) of all positions in which it ended.

    missing: the probability of the courses that were left out.
    """

    ends: tuple[tuple[int, int, float], ...]
    missing: float


def battle_endings(duel: Duel) -> DuelEnd:
    """Return the ends of the whole battle."""
    if duel.opening == (None, None) and not (duel.one.units[0] and duel.other.units[0]):
        return DuelEnd(((0, 0, 1.0),), 0.0)
    mass: Mass = [[0.0] * len(duel.other.states) for _ in duel.one.states]
    _pass_on(duel, mass, 0, 0, 1.0, _opened(duel))
    if duel.rounds == ENDLESS:
        return _to_the_end(duel, mass)
    for _ in range(duel.rounds - 1):
        mass = _one_round(duel, mass)
    return DuelEnd(tuple(_standing(mass)), 0.0)


def _opened(duel: Duel) -> list[Row]:
    """Return the rows of the first round."""
    first, second = duel.opening
    one = duel.one
    rows: list[Row] = []
    for hits, chance in enumerate(duel.strike(0, 0) if first is None else first):
        rung = one.after[0][hits]
        if second is not None:
            rows.append((chance, rung, second))
        elif duel.in_turn:
            rows.append((chance, rung, duel.back(rung, 0) if one.units[rung] else NO_HITS))
        else:
            rows.append((chance, rung, duel.back(0, 0)))
    # Known hits come as a list with zeros in front, which would be followed for nothing.
    return [row for row in rows if row[0]]


def _rows(duel: Duel, a: int, d: int) -> list[Row]:
    """Return the rows of a round from the position (a, d)."""
    one, strike = duel.one, duel.strike(a, d)
    if not duel.in_turn:
        back = duel.back(a, d)
        return [(chance, rung, back) for chance, rung in zip(strike, one.after[a], strict=False)]
    return [
        (chance, rung, duel.back(rung, d) if one.units[rung] else NO_HITS)
        for chance, rung in zip(strike, one.after[a], strict=False)
    ]


def _pass_on(duel: Duel, mass: Mass, a: int, d: int, chance: float, rows: list[Row]) -> None:
    below = duel.other.after[d]
    for share, rung, back in rows:
        target, part = mass[rung], chance * share
        # Not strict: hits may be fewer than the rungs below.
        for to, hits in zip(below, back, strict=False):
            target[to] += part * hits


def _over(duel: Duel, a: int, d: int) -> bool:
    return not duel.one.units[a] or not duel.other.units[d] or duel.leaves(a, d)


def _to_the_end(duel: Duel, mass: Mass) -> DuelEnd:
    """Follow the duel position by position. A round without losses is fought again until there are some."""
    faint = 0.0 if len(mass) * len(mass[0]) <= EXACT else FAINT
    missing = 0.0
    for a, row in enumerate(mass):
        for d, chance in enumerate(row):
            if not chance or _over(duel, a, d):
                continue
            row[d] = 0.0
            if chance < faint:
                missing += chance
                continue
            rows = _rows(duel, a, d)
            # The chance that neither side loses anything. The round is then fought again: a geometric series, summed
            # at once.
            again = rows[0][0] * rows[0][2][0]
            # Two sides that can never hit each other would fight for ever: the position stays as an ending.
            if again >= 1.0:
                row[d] = chance
                continue
            _pass_on(duel, mass, a, d, chance / (1.0 - again), rows)
            row[d] = 0.0
    return DuelEnd(tuple(_standing(mass)), missing)


def _one_round(duel: Duel, mass: Mass) -> Mass:
    """Return the probabilities after one more round in each position that is not over."""
    after: Mass = [[0.0] * len(row) for row in mass]
    for a, d, chance in _standing(mass):
        if _over(duel, a, d):
            after[a][d] += chance
        else:
            _pass_on(duel, after, a, d, chance, _rows(duel, a, d))
    return after


def _standing(mass: Mass) -> Iterator[tuple[int, int, float]]:
    """Yield the positions with a probability above 0."""
    for a, row in enumerate(mass):
        for d, chance in enumerate(row):
            if chance:
                yield a, d, chance
