"""A client in another language, written from protocol/SPEC.md alone, plays whole matches against a real server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import msgspec
import pytest
from msgspec import Struct

from shared.rulesets.registry import RULESETS
from tests.clients.runtime import NODE, needs_node
from tests.conformance.conversations import PATHS, path_of
from tests.support.forks import ForkedServer
from tests.support.marks import mostly_long, with_releases

PROGRAM: Final = Path(__file__).with_name("node") / "play.mjs"
SHORT: Final = {"classic": ("round_limit=2",), "mb1984": ("round_limit=2",), "cote2": ()}
"""Options by which a match of players who act at random is soon over."""
WHOLE: Final = {"classic": ("round_limit=10",), "mb1984": ("round_limit=7",), "cote2": ("seasons=5",)}

pytestmark = needs_node


class Film(Struct):
    """Last version of the server's film for an audience, all versions of which had the right digest."""

    version: int
    digest: int


class Report(Struct):
    """Outcome for one player or spectator (`seat` -1). refused: number of refusals by code; betrayed: refusals of
    actions that the server had offered as legal."""

    name: str
    seat: int
    version: int
    winner: int
    digest: int
    digests: int
    mismatches: int
    snapshots: int
    unpacked: int
    decisions: int
    composed: int
    taken: int
    drops: int
    resumed: int
    ignored: int
    refused: dict[str, int]
    betrayed: list[object]
    film: Film | None = None


class Match(Struct):
    """Result that the program prints at its end."""

    match: str
    ruleset: str
    clients: list[Report]
    late: Report


@asynccontextmanager
async def server(data: Path) -> AsyncIterator[str]:
    """Run a server as an operator runs it; yield its address."""
    process = ForkedServer(data)
    await process.start()
    try:
        yield process.url
    finally:
        await process.kill()


async def node(program: Path, *arguments: object) -> bytes:
    """Return the program's output; fail if it reports an error."""
    running = await asyncio.create_subprocess_exec(
        NODE, str(program), *map(str, arguments), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        told, complaints = await running.communicate()
    finally:
        if running.returncode is None:
            running.kill()
    assert (running.returncode, complaints) == (0, b"")
    return told


async def played(url: str, ruleset: str, seats: int, options: tuple[str, ...], *more: object) -> list[Report]:
    """Play a match between players who are all in that program; return their reports."""
    chosen = [word for option in options for word in ("--option", option)]
    told = await node(PROGRAM, url, "--ruleset", ruleset, "--seats", seats, *chosen, *more)
    match = msgspec.json.decode(told, type=Match)
    assert match.ruleset == ruleset
    watcher = match.clients[-1]
    assert (match.late.version, match.late.mismatches, match.late.snapshots) == (watcher.version, 0, 1)
    assert match.late.unpacked >= 1, "the snapshot, and the story"
    assert watcher.seat >= 0 or match.late.digest == watcher.digest
    return match.clients


def faultless(reports: list[Report]) -> None:
    """Check that all saw the match to its end, resynced after each loss, and received only true offers."""
    for report in reports:
        assert report.film is not None
        assert report.version == report.film.version == reports[0].version > 40
        assert report.winner == reports[0].winner >= 0
        assert (report.mismatches, report.betrayed) == (0, [])
        assert "bad-action" not in report.refused, "what is made up is an action"
        assert report.digests >= report.version and report.film.digest == report.digest
        assert report.resumed == (report.drops if report.seat >= 0 else 0)


@pytest.mark.parametrize("ruleset", mostly_long(RULESETS, "classic"))
async def test_a_match_is_played_from_the_greeting_to_the_end(tmp_path: Path, ruleset: str) -> None:
    async with server(tmp_path) as url:
        reports = await played(
            url, ruleset, 3, SHORT[ruleset],
            *("--bots", 1, "--watchers", 1, "--drops", 0.03, "--compose", 0.3, "--seed", 4),
        )  # fmt: skip
    faultless(reports)
    assert [report.seat for report in reports] == [0, 1, -1]
    assert all(report.decisions > 5 and report.composed for report in reports[:2])
    assert sum(report.drops for report in reports) > 2 and sum(report.taken for report in reports) > 0


async def test_the_recorded_conversations_are_followed() -> None:
    told = await node(PROGRAM.with_name("replay.mjs"), *map(path_of, PATHS))
    assert msgspec.json.decode(told) == {"version": 7, "digests": 8}


@pytest.mark.long
@pytest.mark.parametrize("seats", with_releases(range(2, 7), 4))
@pytest.mark.parametrize("ruleset", with_releases(RULESETS, "cote2"))
async def test_whole_matches_of_all_sizes(tmp_path: Path, ruleset: str, seats: int) -> None:
    async with server(tmp_path) as url:
        reports = await played(
            url, ruleset, seats, WHOLE[ruleset],
            *("--watchers", 2, "--drops", 0.01, "--compose", 0.3, "--seed", 10 * seats),
        )  # fmt: skip
    faultless(reports)
    assert sum(report.drops for report in reports) > 0
