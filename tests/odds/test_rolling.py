"""The counted hits of dice that are about to fall equal those of the rules, over all possible rolls."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, islice
from math import factorial, prod
from typing import Any

import pytest

from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.chance import FACES
from shared.kernel.frames import Dice, Event, Rolled
from shared.kernel.ruleset import AnyRuleset
from shared.odds import classic, cote2, mb1984
from shared.odds.dice import Hits
from shared.rulesets.registry import ruleset
from shared.vocabulary.events import DiceFell
from tests.client.replay.films import film_of, longest

ROLLING: dict[str, Callable[[Any, int], Hits]] = {
    "classic": classic.rolling,
    "mb1984": mb1984.rolling,
    "cote2": cote2.rolling,
}
MOST = 6
"""Dice of which all ways are gone through."""
SHARE = 3
"""One of this many rolls is examined."""


def fallen(rules: AnyRuleset, before: Any, faces: tuple[int, ...]) -> DiceFell:
    """Return the rules' event for these faces."""
    events: list[Event] = []
    engine.play(rules, before.clone(), NATURE, Rolled(faces), events.append)
    return next(event for event in events if isinstance(event, DiceFell))


def counted(rules: AnyRuleset, before: Any, dice: int) -> tuple[int, Hits]:
    """Return the seat that rolls and the probability of each number of hits, counted over all rolls."""
    ways: Counter[int] = Counter()
    event = None
    for faces in combinations_with_replacement(range(FACES), dice):
        event = fallen(rules, before, faces)
        ways[event.hits] += factorial(dice) // prod(factorial(faces.count(face)) for face in set(faces))
    assert event is not None
    return event.seat, tuple([ways[hits] / FACES**dice for hits in range(max(ways) + 1)])


def rolls(game: str) -> Iterator[Any]:
    """Yield positions of a recorded match in which dice of a battle are about to fall."""
    film = film_of(longest(game))
    for n in range(film.last):
        if any(isinstance(event, DiceFell) for event in film.told(n + 1, None)):
            before = film.position(n)
            if isinstance(before.frames[-1], Dice) and before.frames[-1].count <= MOST:
                yield before


@pytest.mark.parametrize("game", ROLLING)
def test_hits_before_they_fall(game: str) -> None:
    rules, seen = ruleset(game), 0
    for before in islice(rolls(game), 0, None, SHARE):
        seat, chances = counted(rules, before, before.frames[-1].count)
        said = ROLLING[game](rules.view(before, None), seat)
        assert said[: len(chances)] == pytest.approx(chances)
        assert sum(said[len(chances) :]) == pytest.approx(0)
        seen += 1
    assert seen > 5


@pytest.mark.parametrize("game", ROLLING)
def test_without_dice_nothing_is_about_to_fall(game: str) -> None:
    state = film_of(longest(game)).view(100, 0)
    with pytest.raises(ValueError, match="no dice"):
        ROLLING[game](state, 0)
