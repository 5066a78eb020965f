"""Files of a data directory: only their owner can open them, whatever the directory and the umask are."""

import asyncio
import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.command_line import main
from server.opening import DATABASE
from server.storage.platform import open_private
from server.tools.lifetime import LOG, RUNNING, STAY
from shared.messages import Create, Seated
from tests.faults.process import Process
from tests.server.fakes import Client
from tests.server.records import entries, filled, open_sqlite

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")


@pytest.fixture(params=[0o000, 0o022, 0o377], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """Of this process and its children: open to all, usual, and one that takes even the owner's own rights.

    With the last no directory can be made for the owner, so it has to be there."""
    old = os.umask(request.param)
    yield request.param
    os.umask(old)


def modes(directory: Path) -> dict[str, str]:
    """Of every file below a directory, those of NATS and others aside."""
    return {str(path): oct(stat.S_IMODE(path.stat().st_mode)) for path in directory.rglob("*") if path.is_file()}


def assert_private(directory: Path, *names: str) -> None:
    """All files are private, and those are among them."""
    found = modes(directory)
    assert {name for name in names if str(directory / name) not in found} == set()
    assert {path: mode for path, mode in found.items() if mode != "0o600"} == {}


async def command(*words: str | Path, code: int = 0) -> None:
    """Run a command as an operator does, but in this process: to start another takes longer than the command."""
    assert await asyncio.to_thread(main, [*map(str, words)]) == code


@pytest.mark.long
@pytest.mark.parametrize(
    ("umask", "there"), [(0o000, False), (0o022, False), (0o000, True), (0o377, True)], indirect=["umask"]
)
async def test_files_of_a_running_server_are_private(tmp_path: Path, umask: int, there: bool) -> None:
    data = tmp_path / "data"
    if there:
        data.mkdir()
        data.chmod(0o777)
        for name in (DATABASE, f"{DATABASE}.heads", f"{DATABASE}.damaged-1", LOG):
            (data / name).write_bytes(b"")
            (data / name).chmod(0o666)
    process = Process(data, "--until-stdin-closes")
    await process.start()
    assert process.process.stdin is not None
    assert there or stat.S_IMODE(data.stat().st_mode) == 0o700
    client = await Client(process.url, "Anna").open()
    await client.ask(lambda ref: Create(ref, "classic", 2, {}, "Title"), Seated)
    await command("backup", data / "copy", "--data", data)
    process.process.stdin.write(STAY)
    process.process.stdin.close()
    while not (data / RUNNING).exists():
        await asyncio.sleep(0.01)
    assert_private(data, DATABASE, f"{DATABASE}-wal", f"{DATABASE}.heads", "control.json", RUNNING, LOG, "copy")
    await process.kill()
    client.cut()


async def test_files_that_commands_make_are_private(tmp_path: Path, umask: int) -> None:
    data = tmp_path
    store = await open_sqlite(data)
    await filled(store)
    await store.close()
    for end in ("", ".heads"):
        (data / f"db{end}").rename(data / f"{DATABASE}{end}")
    await command("export", "m1", "--data", data, "--out", data / "m1.conquest", "--unfinished")
    await command("backup", data / "copy", "--data", data)
    with contextlib.closing(open_private(data / DATABASE, "rb+")) as file:
        content = file.read()
        file.seek(content.rindex(b"\x07\x07\x07\x07\x07"))
        file.write(b"damage")
    await command("repair", "--data", data, "--apply")
    assert_private(data, DATABASE, f"{DATABASE}.heads", "m1.conquest", "copy")
    assert [name for name in modes(data) if ".damaged-" in name]


async def test_a_witness_that_is_rewritten_stays_private(
    tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.storage.database._SPARE", 0)
    store = await open_sqlite(tmp_path)
    check = await filled(store)
    await store.hold()
    await store.append("m1", 1, check, entries(21), None)
    await store.close()
    assert_private(tmp_path, "db", "db.heads")
