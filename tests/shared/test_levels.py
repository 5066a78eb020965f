"""Levels of bots: their names, and the text that users may type."""

import pytest

from server.bots import policy
from shared import levels
from shared.actions.bot_levels import LEVEL_WORDS, all_levels
from shared.tables import Pace, Run


def test_every_known_name_is_that_of_a_policy() -> None:
    assert {levels.level(name) for name in levels.KNOWN} == set(policy.POLICIES)
    assert set(policy.TEMPERED) == levels.TEMPERED
    assert {*levels.LEVELS} < levels.KNOWN and levels.RANDOM not in levels.LEVELS


def test_an_earlier_name_means_what_it_became_and_an_unknown_one_itself() -> None:
    assert levels.level("greedy") == levels.NORMAL
    assert levels.level("sublime") == "sublime"
    assert policy.find("greedy") is policy.find("normal")


def test_tempers_vary_with_the_match_and_the_seat_and_stay_for_the_match() -> None:
    found = [levels.tempered("normal", f"match{match}", seat) for match in range(30) for seat in range(3)]
    assert found == [levels.tempered("normal", f"match{match}", seat) for match in range(30) for seat in range(3)]
    assert {levels.parted(name) for name in found} == {(temper, "normal") for temper in levels.TEMPERS}
    assert min(found.count(name) for name in set(found)) > 15
    assert levels.parted("bold greedy") == ("bold", "normal") and levels.parted("wild hare") == ("", "wild hare")


@pytest.mark.parametrize("level", ["hard", "expert", "random"])
def test_bots_that_search_have_no_temper(level: str) -> None:
    assert {levels.tempered(level, str(match), 1) for match in range(20)} == {level}
    with pytest.raises(ValueError, match=f"no 'bold {level}' bots"):
        policy.find(f"bold {level}")


@pytest.mark.parametrize(
    ("text", "seats", "found"),
    [
        ("normal", 3, ("normal", "normal", "normal")),
        ("easy, Normal,hard", 3, ("easy", "normal", "hard")),
        ("hard", 1, ("hard",)),
        ("moderate,expert", 2, ("moderate", "expert")),
        ("greedy,easy", 2, ("normal", "easy")),
        ("medium,strong", 2, ("moderate", "normal")),
    ],
)
def test_levels_as_one_types_them(text: str, seats: int, found: tuple[str, ...]) -> None:
    assert levels.levels(text, seats) == found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("wise", "easy, medium, strong, hard and expert"),
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


def test_each_level_has_words_and_a_sentence() -> None:
    assert tuple(LEVEL_WORDS) == levels.LEVELS
    assert all(words.about.key.endswith(".") for words in LEVEL_WORDS.values())
    assert all(f"{name.capitalize()} bots: " in all_levels() for name in levels.SHOWN)
    assert [levels.shown(level) for level in levels.LEVELS] == list(levels.SHOWN)
    for weaker, level, harder in zip(levels.SHOWN, levels.LEVELS[1:], levels.SHOWN[2:], strict=False):
        assert LEVEL_WORDS[level].about.key.startswith(f"Between {weaker} and {harder}: ")


@pytest.mark.parametrize(
    ("name", "pace", "seconds"),
    [
        ("hard", Pace(), levels.SECONDS),
        ("hard", Pace(Run.POST, each=86400), levels.SECONDS),
        ("expert", Pace(), levels.AT_LEISURE),
        ("expert", Pace(Run.POST, each=86400), levels.AT_LEISURE),
        ("expert", Pace(Run.LIVE, each=15), 7.5),
        ("expert", Pace(Run.LIVE, each=1), levels.SECONDS),
    ],
)
def test_an_expert_thinks_ten_times_as_long_if_its_clock_allows(name: str, pace: Pace, seconds: float) -> None:
    assert levels.thinking(name, pace) == seconds
