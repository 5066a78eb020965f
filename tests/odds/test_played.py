"""Odds of battles, compared with battles that are really played."""

from collections.abc import Callable

import pytest

from tests.odds.battles import of_classic, of_cote2, of_mb1984
from tests.odds.played import Case, compare
from tests.support.marks import with_releases

GAMES: dict[str, Callable[[], dict[str, Case]]] = {"classic": of_classic, "mb1984": of_mb1984, "cote2": of_cote2}
FEW, MANY = 150, 100_000


@pytest.mark.long
@pytest.mark.parametrize("rules", with_releases(GAMES, "classic", "cote2"))
def test_the_odds_are_those_of_battles_that_are_played(rules: str) -> None:
    for number, case in enumerate(GAMES[rules]().values()):
        compare(case, FEW, seed=number)


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("rules", GAMES)
def test_the_odds_are_those_of_a_hundred_thousand_battles(rules: str) -> None:
    cases = GAMES[rules]()
    for number, case in enumerate(cases.values()):
        compare(case, -(-MANY // len(cases)), seed=1000 + number)
