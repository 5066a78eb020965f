"""Offers, legality and refusals stay as recorded; `python -m tests.play.verdicts` records an intended change."""

import msgspec
import pytest

from shared.rulesets.classic.actions import March
from shared.rulesets.classic.definition import CLASSIC
from shared.vocabulary.actions import Fight, Judge
from tests.play.verdicts import CHAPTER, bent, checksums, kept, stories
from tests.support.marks import in_stages

STORIES = stories()
OFTEN = (
    "classic 3-seats",
    "classic crowded-5",
    "mb1984 4-seats",
    "mb1984 branched-2",
    "cote2 2-seats",
    "cote2 crowded-4",
)
"""One match of each kind, for the default suite."""


@pytest.mark.parametrize("name", in_stages(STORIES, OFTEN[::2], [*OFTEN, *list(STORIES)[::4]]))
def test_every_position_offers_and_refuses_what_it_did(name: str) -> None:
    before, now = kept()[name].split(), checksums(*STORIES[name]).split()
    changed = [n for n, (was, is_) in enumerate(zip(before, now, strict=True)) if was != is_]
    assert changed == [], f"first between steps {changed[0] * CHAPTER} and {(changed[0] + 1) * CHAPTER}"


def test_no_other_match_is_kept() -> None:
    assert list(kept()) == list(STORIES)


def test_actions_are_bent_at_each_of_their_numbers() -> None:
    assert list(bent(CLASSIC, Fight(3, 1))) == [Fight(2, 1), Fight(4, 1), Fight(3, 0), Fight(3, 2)]
    assert list(bent(CLASSIC, Judge((4, 5)))) == [
        Judge(leaders) for leaders in [(3, 5), (5, 5), (4, 4), (4, 6), (4,), (4, 5, 4, 5)]
    ]
    march = March(1, 2, (3,), drops=((1, 2, 0, 0),))
    assert {msgspec.structs.astuple(other)[-1] for other in bent(CLASSIC, march)} >= {((0, 2, 0, 0),), ()}
