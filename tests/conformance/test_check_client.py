"""The test of clients finds no fault in sound clients, and names the fault of each faulty one."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec
import pytest

from server.command_line import main
from server.tools.check_client import STATUS, ClientReport, examined, lines
from server.tools.client_test_player import PATHS
from tests.clients.runtime import NODE, needs_node
from tests.support.marks import in_stages, with_releases

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
    "presence": ("future", "gone"),
    "garbage": ("future", "bad-message"),
    "uninvited": ("future", "not-offered"),
    "loops": ("future", "sync-loop"),
    "start": ("future", "start"),
    "repeats": ("future", "repeated"),
    "command": ("refusal", "command-reused"),
    "falling": ("refusal", "command-order"),
    "rate": ("rate", "not-again"),
    "again": ("rule", "same-command"),
    "illegal": ("rule", "no-legal"),
    "tried": ("rule", "tried"),
    "needless": ("changes", "needless-sync"),
    "sometimes": ("changes", "needless-sync"),
    "no-whole": ("changes", "delta-whole"),
    "last-item": ("changes", "delta-whole"),
    "no-item": ("changes", "delta-item"),
    "no-many": ("changes", "delta-many"),
    "no-append": ("changes", "delta-append"),
    "no-cut": ("changes", "delta-cut"),
    "no-inside": ("changes", "delta-inside"),
    "nil-cuts": ("changes", "delta-nil"),
    "shared": ("changes", "delta-shared"),
    "no-value": ("changes", "delta-value"),
    "nonsense": ("changes", "bad-action"),
    "one-frame": ("changes", "frame"),
    "frame-0": ("changes", "frame"),
    "exchanged": ("changes", "swapped"),
    "old-frame-number": ("changes", "stale"),
    "stubborn": ("changes", "stale"),
    "asks-frame": ("changes", "asks-frame"),
    "leaves": ("changes", "left"),
    "gap": ("gap", "gap"),
    "twice": ("gap", "sync-often"),
    "not-ignored": ("gap", "not-ignored"),
    "digest": ("digest", "digest"),
    "misfit": ("misfit", "misfit"),
    "old": ("old", "old-frame"),
    "no-resume": ("drop", "no-resume"),
    "have": ("drop", "have"),
    "hasty": ("drop", "hasty"),
    "not-repeated": ("drop", "not-repeated"),
    "token": ("restart", "token"),
    "low": ("rewind", "command-low"),
    "after-end": ("end", "after-end"),
    "end-once": ("end", "after-end"),
    "end-asks": ("end", "after-end"),
}
"""Deliberate faults of the client in `broken.mjs`, with the step that notices them first and the name of the
finding."""
OFTEN: Final = ("text", "needless", "no-inside", "digest")
"""Those that the default suite tries."""
SILENCES: Final = {
    "pong": ("greeting", "pong"),
    "silent": ("future", "silent"),
    "storage": ("refusal", "silent"),
    "no-other": ("rule", "silent"),
    "packed": ("behind", "packed"),
    "unasked": ("behind", "behind"),
    "sync-lost": ("misfit", "sync-lost"),
    "no-return": ("drop", "no-return"),
    "stays-away": ("restart", "no-return"),
    "back": ("rewind", "rewound"),
    "back-number": ("rewind", "rewound"),
}
"""Faults that show only in a message that does not come."""
WATCHING: Final = {
    "greeting": ("greeting", "gone"),
    "loops": ("ping", "sync-loop"),
    "future": ("future", "gone"),
    "presence": ("future", "gone"),
    "considers": ("ping", "not-seated"),
    "acts": ("ping", "not-seated"),
    "needless": ("future", "needless-sync"),
    "twice": ("future", "sync-often"),
    "unasked": ("behind", "behind"),
    "no-whole": ("changes", "delta-whole"),
    "last-item": ("changes", "delta-whole"),
    "no-item": ("changes", "delta-item"),
    "no-many": ("changes", "delta-many"),
    "no-append": ("changes", "delta-append"),
    "no-cut": ("changes", "delta-cut"),
    "no-inside": ("changes", "delta-inside"),
    "nil-cuts": ("changes", "delta-nil"),
    "shared": ("changes", "delta-shared"),
    "no-value": ("changes", "delta-value"),
    "sometimes": ("changes", "needless-sync"),
    "not-ignored": ("gap", "not-ignored"),
    "digest": ("digest", "digest"),
    "misfit": ("misfit", "misfit"),
    "old": ("old", "old-frame"),
    "sits-down": ("drop", "no-resume"),
    "have": ("drop", "have"),
    "back": ("rewind", "rewound"),
    "back-number": ("rewind", "rewound"),
}
"""Faults of a client that watches."""
WATCHING_SILENCES: Final = {
    "gap": ("future", "gap"),
    "packed": ("behind", "packed"),
    "no-return": ("drop", "no-return"),
    "stays-away": ("restart", "no-return"),
}
"""Faults of a client that watches, where a message does not come."""
TOGETHER: Final = 4
"""Clients that are tested at the same time. Many at once would answer too late."""
CHANGES: Final = [fault for fault, found in FAULTS.items() if found[1].startswith("delta-")]


async def found_about(command: Sequence[str], game: str = "classic", patience: float = LONG) -> ClientReport:
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


def batched(faults: Iterable[str]) -> list[list[str]]:
    """Return the names in groups of `TOGETHER`."""
    names = list(faults)
    return [names[first : first + TOGETHER] for first in range(0, len(names), TOGETHER)]


def broken(fault: str, *role: str) -> tuple[str, ...]:
    return (NODE, str(CLIENTS / "broken.mjs"), "{url}", fault, *role)


def first(report: ClientReport) -> tuple[str, str]:
    return report.faults[0].path, report.faults[0].fault


def assert_whole(report: ClientReport) -> None:
    assert (report.faults, report.missing) == ([], [])
    assert report.holds and report.walked == list(report.paths)


@pytest.mark.long
@needs_node
@pytest.mark.parametrize("game", ["classic", "mb1984", "cote2"])
async def test_nothing_is_wrong_with_a_whole_client_that_joins_a_table(game: str) -> None:
    assert_whole(await found_about((*WHOLE, "--join", "ANYCODE"), game))


@pytest.mark.long
@needs_node
@pytest.mark.parametrize("game", ["classic", "mb1984", "cote2"])
async def test_nothing_is_wrong_with_a_whole_client_that_watches(game: str) -> None:
    report = await found_about((*WHOLE, "--watch", "ANYCODE"), game)
    assert_whole(report)
    assert report.watches and "refusal" not in report.walked


@pytest.mark.long
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
@pytest.mark.parametrize("fault", in_stages(FAULTS, OFTEN, list(FAULTS)[::5]))
async def test_each_fault_is_named(fault: str) -> None:
    report = await found_about(broken(fault))
    assert not report.holds and first(report) == FAULTS[fault]


@needs_node
@pytest.mark.long
@pytest.mark.parametrize("fault", CHANGES)
@pytest.mark.parametrize("game", with_releases(["mb1984", "cote2"], "cote2"))
async def test_each_kind_of_change_is_tried_in_each_game(game: str, fault: str) -> None:
    report = await found_about(broken(fault), game)
    assert [each.fault for each in report.faults] == [FAULTS[fault][1]]
    watching = await found_about(broken(fault, "watch"), game)
    assert [each.fault for each in watching.faults] == [FAULTS[fault][1]]


@pytest.mark.long
@needs_node
async def test_an_action_outside_of_complete_choices_is_named() -> None:
    assert first(await found_about(broken("outside"), "cote2")) == ("changes", "outside")


async def found_together(silences: Sequence[str], *role: str) -> dict[str, ClientReport]:
    """Return the reports on clients with these faults. Each test waits for messages that never come, so they run at the
    same time."""
    reports = [found_about(broken(fault, *role), patience=SHORT) for fault in silences]
    return dict(zip(silences, await asyncio.gather(*reports), strict=True))


@needs_node
@pytest.mark.long
@pytest.mark.parametrize("faults", batched(SILENCES), ids="+".join)
async def test_missing_messages_are_named_too(faults: Sequence[str]) -> None:
    reports = await found_together(faults)
    assert {fault: first(report) for fault, report in reports.items()} == {fault: SILENCES[fault] for fault in faults}
    assert not any(report.holds for report in reports.values())


@needs_node
@pytest.mark.parametrize("fault", in_stages(WATCHING, ["no-inside", "acts", "digest"], list(WATCHING)[::4]))
async def test_each_fault_of_a_client_that_watches_is_named(fault: str) -> None:
    report = await found_about(broken(fault, "watch"))
    assert not report.holds and report.watches == (fault != "greeting") and first(report) == WATCHING[fault]


@needs_node
@pytest.mark.long
async def test_missing_messages_of_a_client_that_watches_are_named() -> None:
    reports = await found_together([*WATCHING_SILENCES], "watch")
    assert {fault: first(report) for fault, report in reports.items()} == WATCHING_SILENCES
    assert not any(report.holds for report in reports.values())


@pytest.mark.long
@needs_node
async def test_the_result_is_told_in_words() -> None:
    report = await found_about(broken("have"))
    told = lines(report)
    assert told[0] == "The client 'node example':" and told[-1] == "1 error."
    assert next(line for line in told if "WRONG" in line).startswith("  WRONG  drop, have: It came back with `have` 0")
    assert sum(line.startswith("  right  ") for line in told) == len(PATHS) - 1


def test_paths_that_were_not_reached_are_told_as_such() -> None:
    told = lines(ClientReport("x", False, ["greeting"], [], ["end"]))
    assert told[1].startswith("  right  greeting") and told[-2].startswith("  -      end")


@pytest.mark.long
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
    report = msgspec.json.decode(told, type=ClientReport)
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
