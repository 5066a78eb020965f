"""Levels of bots: their names, and the text that users may type."""

import pytest

from server.bots import policy
from shared import levels


def test_every_known_name_is_that_of_a_policy() -> None:
    assert {levels.level(name) for name in levels.KNOWN} == set(policy.POLICIES)
    assert {*levels.LEVELS} < levels.KNOWN and levels.RANDOM not in levels.LEVELS


def test_an_earlier_name_means_what_it_became_and_an_unknown_one_itself() -> None:
    assert levels.level("greedy") == levels.NORMAL
    assert levels.level("sublime") == "sublime"
    assert policy.find("greedy") is policy.find("normal")


@pytest.mark.parametrize(
    ("text", "seats", "found"),
    [
        ("normal", 3, ("normal", "normal", "normal")),
        ("easy, Normal,hard", 3, ("easy", "normal", "hard")),
        ("hard", 1, ("hard",)),
        ("greedy,easy", 2, ("normal", "easy")),
    ],
)
def test_levels_as_one_types_them(text: str, seats: int, found: tuple[str, ...]) -> None:
    assert levels.levels(text, seats) == found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("wise", "easy, normal and hard"),
        ("easy,", "''"),
        ("", "''"),
        ("random", "random"),
        ("easy,easy,easy", "named: 3, bots that play: 2"),
    ],
)
def test_invalid_levels_are_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        levels.levels(text, 2)


def test_too_few_are_as_wrong_as_too_many() -> None:
    """With two levels for three bots, it is unclear which of the bots would share one."""
    with pytest.raises(ValueError, match=r"named: 2, bots that play: 3\. Name one for each, or one for all"):
        levels.levels("hard,easy", 3)
