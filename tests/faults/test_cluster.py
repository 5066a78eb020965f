"""Servers that share matches crash, hang and are cut off: no acknowledged action is lost, and all views are true."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.cluster import PRIVATE, Plan, percentile, run
from tests.faults.surroundings import can_enter


def test_percentiles() -> None:
    assert [percentile([3.0, 1.0, 2.0, 4.0], percent) for percent in (1, 50, 75, 95)] == [1.0, 2.0, 3.0, 4.0]


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_a_killed_owner_and_a_drained_one_cost_a_pause(tmp_path: Path) -> None:
    report = await run(Plan(1, faults=2, kinds=("owner-killed", "drained")), tmp_path)
    assert report.broken == []
    assert report.faults == 2 and report.verdict.acknowledged and report.verdict.views


@pytest.mark.exhaustive
@pytest.mark.timeout(330)
async def test_every_fault_costs_no_more_than_a_pause(tmp_path: Path) -> None:
    report = await run(Plan(2, seconds=220, longest=6.0), tmp_path)
    assert report.broken == []
    assert report.faults >= 10 and report.verdict.acknowledged > 100


@pytest.mark.exhaustive
@pytest.mark.timeout(400)
@pytest.mark.skipif(not can_enter(), reason="needs root, unshare, ip and nft")
def test_lost_packets_and_full_disks_cost_no_more_than_is_promised() -> None:
    kinds = [part for kind in PRIVATE for part in ("--kind", kind)]
    command = [sys.executable, "-m", "tests.faults.cluster", "--longest", "8", "--faults", str(len(PRIVATE)), *kinds]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("bug", "kind", "found"),
    [
        pytest.param("forget-the-fence", "stranded", "was written by", marks=pytest.mark.exhaustive),
        ("publish-too-early", "postgres-cut", "is not in the log"),
        pytest.param(
            *("forget-spectators", "owner-killed", "no progress within 60 s: after owner-killed"),
            marks=pytest.mark.exhaustive,  # It waits for a minute.
        ),
    ],
)
async def test_judges_find_a_server_with_a_bug(tmp_path: Path, bug: str, kind: str, found: str) -> None:
    report = await run(Plan(3, faults=2, longest=6.0, kinds=(kind,), bug=bug), tmp_path)
    assert any(found in words for words in report.broken)
