"""Power cuts, a failing disk, flipped bits, in small number; `tests.faults.cuts` and `.flips` bring the great ones."""

import random

import pytest

from tests.faults import cuts, flips
from tests.faults.disk import Deed, Disk, FailedSync, Sync, Truncate, Write
from tests.faults.disk import cuts as cut_at
from tests.support.marks import mostly_long


@pytest.mark.parametrize("seed", mostly_long(range(6), 0, 1))
def test_no_power_cut_loses_what_was_acknowledged(seed: int) -> None:
    assert [wrong for wrong in cuts.run(seed, 60) if wrong] == []


@pytest.mark.parametrize("seed", mostly_long(range(3), 0))
def test_the_same_cuts_lose_something_where_commits_are_not_synced(seed: int) -> None:
    assert any(cuts.run(seed, 60, cuts.WEAKENED))


def test_with_less_than_extra_a_rollback_journal_can_come_back() -> None:
    """It turned the new file back into one without a write-ahead log where its deletion was not synced."""
    assert any(cuts.run(1, 60, {"PRAGMA synchronous = EXTRA": "PRAGMA synchronous = FULL"}))


@pytest.mark.long
@pytest.mark.parametrize("error", ["FullError", "IOError"])
def test_no_failure_of_the_disk_loses_what_was_acknowledged(error: str) -> None:
    _, disk = cuts.work(3, 25)
    chance = random.Random(1)
    told = [cuts.fail(3, index, error, chance) for index in chance.sample(range(disk.deeds), 40)]
    assert [wrong for wrong in told if wrong] == []


@pytest.mark.parametrize("seed", mostly_long(range(5), 0))
def test_nothing_is_served_that_was_not_kept(seed: int) -> None:
    outcome = flips.run(seed, 80)
    assert outcome.lies == []
    assert outcome.served > outcome.refused + 3 * outcome.closed, "others go on"
    assert outcome.refused > 0


def after(story: list[Deed], share: float) -> bytes:
    """Return the disk's content at the end, if that share of the unsynced data is kept."""

    class Chance(random.Random):
        def choice(self, seq: object) -> float:  # type: ignore[override]
            return share

    disk = Disk()
    disk.story = story
    (end,) = cut_at(disk, {}, Chance(1), [len(story)])
    return end[1].get("a", b"")


def test_the_disk_keeps_what_is_synced_and_nothing_else() -> None:
    first, second = Write("a", 0, b"x" * 1024), Write("a", 512, b"y" * 512)
    assert after([first], 0.0) == b""
    assert after([first], 1.0) == b"x" * 1024
    assert after([first, Sync("a")], 0.0) == b"x" * 1024
    assert after([first, Sync("a"), second], 0.0) == b"x" * 1024
    assert after([first, Sync("a"), second, Truncate("a", 600), Sync("a")], 0.0) == b"x" * 512 + b"y" * 88
    assert after([first, FailedSync("a"), Sync("a")], 0.0) == b""
    torn = after([Write("a", 0, b"x" * 51_200)], 0.5)
    assert {torn[at : at + 512] for at in range(0, len(torn), 512)} == {b"x" * 512, bytes(512)}
