"""The test of clients finds no fault in sound clients, and names the fault of each faulty one."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import pytest

from server.__main__ import main
from server.tools.check_client import STATUS, examined, lines
from server.tools.client_test_server import PATHS, Report
from tests.clients.runtime import NODE, needs_node

ROOT: Final = Path(__file__).parents[2]
CLIENTS: Final = ROOT / "tests" / "clients" / "node"
WHOLE: Final = (NODE, str(CLIENTS / "play.mjs"), "{url}")
LONG: Final = 30.0
"""Seconds within which any answer comes."""
SHORT: Final = 3.0
"""Seconds for a client that gives none."""

FAULTS: Final = {
    "greeting": ("greeting", "gone"),
    "no-hello": ("greeting", "no-hello"),
    "version": ("greeting", "version"),
    "text": ("greeting", "not-binary"),
    "wide": ("greeting", "not-shortest"),
    "future": ("future", "gone"),
    "garbage": ("future", "bad-message"),
    "uninvited": ("future", "not-offered"),
    "rate": ("rate", "not-again"),
    "nonsense": ("play", "bad-action"),
    "stubborn": ("play", "stale"),
    "leaves": ("play", "left"),
    "illegal": ("rate", "no-legal"),
    "command": ("refusal", "command-reused"),
    "falling": ("refusal", "command-order"),
    "gap": ("gap", "gap"),
    "digest": ("digest", "digest"),
    "misfit": ("misfit", "misfit"),
    "old": ("old", "old-frame"),
    "twice": ("gap", "sync-often"),
    "no-resume": ("drop", "no-resume"),
    "have": ("drop", "have"),
    "hasty": ("drop", "hasty"),
    "not-repeated": ("drop", "not-repeated"),
    "token": ("restart", "token"),
    "after-end": ("end", "after-end"),
}
"""Deliberate faults of the client in `broken.mjs`, with the step that notices them first and the name of the
finding."""
SILENCES: Final = {
    "pong": ("greeting", "pong"),
    "storage": ("refusal", "silent"),
    "silent": ("future", "silent"),
    "no-return": ("drop", "no-return"),
}
"""Faults that show only in a message that does not come."""


async def found_about(command: Sequence[str], game: str = "classic", patience: float = LONG) -> Report:
    """Return the report on the client that this command starts."""
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    args = Namespace(host="127.0.0.1", port=0, game=game, patience=patience, wait=LONG)
    examining = asyncio.create_task(examined(args, address.set_result))
    filled = [word.format(url=await address) for word in command]
    quiet = asyncio.subprocess.DEVNULL
    client = await asyncio.create_subprocess_exec(*filled, cwd=ROOT, stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        report = await examining
    finally:
        if client.returncode is None:
            client.kill()
        await client.wait()
    assert report is not None
    return report


def broken(fault: str) -> tuple[str, ...]:
    return (NODE, str(CLIENTS / "broken.mjs"), "{url}", fault)


def first(report: Report) -> tuple[str, str]:
    return report.faults[0].path, report.faults[0].fault


def assert_whole(report: Report) -> None:
    assert (report.faults, report.missing) == ([], [])
    assert report.holds and report.walked == list(PATHS)


@needs_node
@pytest.mark.parametrize("game", ["classic", "mb1984", "cote2"])
async def test_nothing_is_wrong_with_a_whole_client_that_joins_a_table(game: str) -> None:
    assert_whole(await found_about((*WHOLE, "--join", "ANYCODE"), game))


@needs_node
async def test_nothing_is_wrong_with_one_that_makes_a_table() -> None:
    options = ("--ruleset", "mb1984", "--seats", "4", "--bots", "3", "--option", "round_limit=1")
    assert_whole(await found_about((*WHOLE, *options)))


@pytest.mark.parametrize(
    "command",
    [
        (sys.executable, "-m", "server", "bot", "{url}", "--code", "X", "--level", "easy", "--seed", "1"),
        (sys.executable, "deploy/examples/guest.py", "{url}", "X", "1"),
    ],
    ids=["bot", "example"],
)
async def test_nothing_is_wrong_with_those_of_our_own(command: Sequence[str]) -> None:
    assert_whole(await found_about(command))


@needs_node
@pytest.mark.parametrize("fault", FAULTS)
async def test_each_fault_is_named(fault: str) -> None:
    report = await found_about(broken(fault))
    assert not report.holds and first(report) == FAULTS[fault]


@needs_node
@pytest.mark.long
@pytest.mark.parametrize("fault", SILENCES)
async def test_missing_messages_are_named_too(fault: str) -> None:
    report = await found_about(broken(fault), patience=SHORT)
    assert not report.holds and first(report) == SILENCES[fault]


@needs_node
async def test_the_result_is_told_in_words() -> None:
    report = await found_about(broken("have"))
    told = lines(report)
    assert told[0] == "The client 'node example':" and told[-1] == "1 error."
    assert next(line for line in told if "WRONG" in line).startswith("  WRONG  drop, have: It resumed with `have` 0")
    assert sum(line.startswith("  right  ") for line in told) == len(PATHS) - 1


def test_paths_that_were_not_reached_are_told_as_such() -> None:
    told = lines(Report("x", False, ["greeting"], [], ["end"]))
    assert told[1].startswith("  right  greeting") and told[-2].startswith("  -      end")


@needs_node
@pytest.mark.parametrize(("fault", "status"), [("", 0), ("no-hello", 1)])
async def test_the_command_says_it_as_json_and_by_its_exit_status(fault: str, status: int) -> None:
    words = (sys.executable, "-m", "server", "check-client", "--port", "0", "--json", "--wait", "30")
    pipe = asyncio.subprocess.PIPE
    command = await asyncio.create_subprocess_exec(*words, cwd=ROOT, stdout=pipe, stderr=pipe)
    assert command.stderr is not None
    url = (
        (await command.stderr.readline()).decode().removeprefix("conquest-server tests a client on ").partition(": ")[0]
    )
    program = broken(fault) if fault else (*WHOLE, "--join", "X")
    filled = [word.format(url=url) for word in program]
    client = await asyncio.create_subprocess_exec(*filled, stdout=pipe, stderr=pipe)
    told, _ = await command.communicate()
    await client.communicate()
    assert command.returncode == status
    report = msgspec.json.decode(told, type=Report)
    assert report.holds == (not fault) and [each.fault for each in report.faults] == ([fault] if fault else [])


def test_missing_client_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-client", "--port", "0", "--wait", "0"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("conquest-server tests a client on ws://127.0.0.1:")
    assert said[1:] == ["conquest-server: no client connected; start it, or raise --wait."]


def test_the_exit_status_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check-client", "--help"])
    assert " ".join(STATUS.split()) in " ".join(capsys.readouterr().out.split())
