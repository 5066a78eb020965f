"""Battle dice: the probabilities against every roll there is."""

from collections import Counter
from itertools import product

import pytest

from shared.mechanics.battledice import galley_hits, land_hits
from shared.odds.dice import capped_hits, certain_hits, matched_hits, mean, one_shot
from shared.odds.outcome import Force


@pytest.mark.rule("CL-COMP-04", "CL-BATTLE-05", "II-BATTLE-06")
@pytest.mark.parametrize("dice", range(6))
@pytest.mark.parametrize("units", [(0, 0, 0, 0), (5, 0, 0, 0), (2, 1, 0, 0), (1, 1, 1, 0), (2, 0, 1, 2), (0, 3, 0, 1)])
def test_hits_are_those_of_every_roll(dice: int, units: Force) -> None:
    rolls = Counter(
        land_hits(faces, units[:3]) + min(galley_hits(faces), units[3]) for faces in product(range(6), repeat=dice)
    )
    chances = matched_hits(dice, units)
    assert sum(chances) == pytest.approx(1)
    for hits in range(dice + 1):
        said = chances[hits] if hits < len(chances) else 0.0
        assert said == pytest.approx(rolls[hits] / 6**dice), hits
    assert mean(dice, units) == pytest.approx(sum(hits * n for hits, n in rolls.items()) / 6**dice)


def test_no_more_fall_than_are_there() -> None:
    assert capped_hits(7, (7, 2, 0, 0), 2) == pytest.approx(
        (*matched_hits(7, (7, 2, 0, 0))[:2], sum(matched_hits(7, (7, 2, 0, 0))[2:]))
    )
    assert len(capped_hits(2, (9, 9, 9, 0), 8)) == 3


@pytest.mark.rule("MB-CA-03")
def test_an_aimed_die_needs_its_number() -> None:
    assert one_shot(4) == pytest.approx((0.5, 0.5))
    assert one_shot(6) == pytest.approx((5 / 6, 1 / 6))
    assert certain_hits(2) == (0.0, 0.0, 1.0)
