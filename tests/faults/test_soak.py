"""A short evening, and what would be said of a long one."""

import random
import sys

import pytest

from tests.faults import soak
from tests.faults.soak import Sample, judged, slope


def evening(growth: float, files: int = 0, noise: float = 3.0) -> list[Sample]:
    """An hour of a server that grows by so many MiB and files."""
    rng = random.Random(1)
    return [
        Sample(at / 720, 50 + growth * at / 720 + rng.uniform(0, noise), 20.0, 9 + files * at // 720, 12)
        for at in range(720)
    ]


def test_growth_is_told_from_noise() -> None:
    assert slope(evening(5.0, noise=0.0), lambda each: each.memory) == pytest.approx(5.0)
    assert slope(evening(0.0), lambda each: each.memory) == pytest.approx(0.0, abs=0.5)


def test_a_server_that_grows_or_keeps_files_open_fails() -> None:
    assert judged(evening(0.0)) == []
    assert "memory" in judged(evening(2.0))[0]
    assert "files" in judged(evening(0.0, files=20))[0]


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_a_short_evening_leaves_nothing_behind() -> None:
    samples, tally = await soak.soak(12.0, seed=3)
    assert tally.wrong == []
    assert tally.matches + tally.returns > 10 and len(samples) >= 8
    assert len({each.files for each in samples[2:]}) == 1
