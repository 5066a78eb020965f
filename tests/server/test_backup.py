"""Copies of all matches while a server writes to them, and how commands talk to it."""

import asyncio
import json
import shutil
import stat
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.command_line import main
from server.opening import DATABASE
from server.storage.port import StoreError
from server.storage.sqlite import SqliteStore
from server.tools import backup
from server.tools.control import CALLERS, CONTROL, HERE, HOLD, Answer, Control, NotRunning, calling
from shared.messages import Create, Seated
from shared.rulesets.registry import RULESETS
from tests.deploy.test_postgres_backup import come_back, playing, version
from tests.faults.process import Process, begun
from tests.server.fakes import Client
from tests.server.records import entries, filled, record
from tests.support.forks import ForkedServer


async def copied(data: Path, file: Path) -> None:
    """As an operator does it: by a process of its own, since locks of a file belong to a process."""
    command = (sys.executable, "-m", "server", "backup", str(file), "--data", str(data))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    printed, _ = await process.communicate()
    assert process.returncode == 0 and printed.decode().startswith(str(file))


@asynccontextmanager
async def commanded(data: Path, **deeds: str) -> AsyncIterator[Control]:
    """A control whose deeds answer what is given."""
    released = []

    def deed(answer: str) -> object:
        async def done(arguments: Mapping[str, object]) -> Answer:
            if answer == "refuse":
                raise StoreError("Not now.")
            return {"said": answer, "heard": arguments.get("word")}

        return done

    async def let_go() -> None:
        released.append(True)

    control = Control(data, {name: deed(answer) for name, answer in deeds.items()}, let_go)  # type: ignore[misc]
    await control.start()
    try:
        yield control
    finally:
        await control.stop()


async def test_a_copy_without_a_server_has_every_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").mkdir()
    store = await SqliteStore.open(tmp_path / "data" / DATABASE)
    check = await filled(store)
    await store.create(record("m2"))
    await store.close()
    assert await asyncio.to_thread(main, ["backup", str(tmp_path / "copy"), "--data", str(tmp_path / "data")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'copy'}: 2 matches.\n"
    (tmp_path / "new").mkdir()
    shutil.copy(tmp_path / "copy", tmp_path / "new" / DATABASE)
    store = await SqliteStore.open(tmp_path / "new" / DATABASE)
    kept = await store.claim("m1")
    assert kept is not None and (kept.entries, kept.check) == (entries(1, 20), check)
    assert sorted(await store.unfinished()) == ["m1", "m2"]
    await store.close()


@pytest.mark.long
async def test_a_copy_beside_a_server_that_goes_on_meanwhile(tmp_path: Path) -> None:
    data = tmp_path / "data"
    process = ForkedServer(data)
    await process.start()
    clients = [await Client(process.url, f"Anna {n}").open() for n in range(3)]
    for n, client in enumerate(clients):
        await client.ask(lambda ref: Create(ref, "classic", 2, {}, "Title"), Seated)
        await copied(data, tmp_path / f"copy{n}")
    assert stat.S_IMODE((data / CONTROL).stat().st_mode) == 0o600
    await process.kill()
    for client in clients:
        client.cut()
    for n in range(3):
        home = tmp_path / f"home{n}"
        home.mkdir()
        shutil.copy(tmp_path / f"copy{n}", home / DATABASE)
        store = await SqliteStore.open(home / DATABASE)
        assert len(await store.unfinished()) == n + 1
        await store.close()


@pytest.mark.long
async def test_a_match_is_played_on_from_a_copy(tmp_path: Path) -> None:
    """As the operator's page says: the copy takes the place of the file, without the log and the list beside it."""
    data = tmp_path / "data"
    server = Process(data, "--for-bots")
    await server.start()
    people = await begun(server.url, RULESETS["classic"], 2, 3)
    async with playing(people):
        await people[0].progress.more(20)
        before = version(people)
        await copied(data, tmp_path / "copy")
        await people[0].progress.more(20)
    await server.kill()
    shutil.copy(tmp_path / "copy", data / DATABASE)
    for beside in ("-wal", ".heads"):
        (data / f"{DATABASE}{beside}").unlink(missing_ok=True)
    assert await asyncio.to_thread(main, ["check", "--data", str(data)]) == 0
    server = Process(data, "--for-bots")
    await server.start()
    back = [await come_back(person, server.url) for person in people]
    there = version(back)
    assert before <= there < version(people), "as it was at one moment of the copy"
    async with playing(back):
        await back[0].progress.more(20)
    assert version(back) > there
    await server.kill()
    assert await asyncio.to_thread(main, ["check", "--data", str(data)]) == 0


async def test_the_file_stands_still_while_it_is_held_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    store = await SqliteStore.open(path)
    check = await filled(store)
    await store.hold()
    before = path.stat()
    for n in range(21, 321):
        check = await store.append("m1", 1, check, entries(n), None)
    assert path.stat() == before
    await store.go_on()
    check = await store.append("m1", 1, check, entries(321), None)
    await store.close()
    store = await SqliteStore.open(path)
    kept = await store.claim("m1")
    assert kept is not None and (len(kept.entries), kept.check) == (321, check)
    await store.close()


async def test_a_server_that_ends_while_it_is_copied_spoils_the_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / DATABASE).write_bytes(b"a database")
    async with commanded(tmp_path, hold="held") as control:
        loop = asyncio.get_running_loop()

        def copy(_source: Path, target: Path) -> None:
            target.write_bytes(b"half")
            asyncio.run_coroutine_threadsafe(control.stop(), loop).result()

        monkeypatch.setattr(shutil, "copyfile", copy)
        with pytest.raises(StoreError, match="ended during the copy"):
            await backup.copy(tmp_path, tmp_path / "copy")
    assert not list(tmp_path.glob("copy*"))


async def test_a_damaged_copy_is_no_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / DATABASE).write_bytes(b"no database")
    async with commanded(tmp_path, hold="held"):
        with pytest.raises(StoreError, match="damaged"):
            await backup.copy(tmp_path, tmp_path / "copy")
    assert not list(tmp_path.glob("copy*"))


@pytest.mark.parametrize("there", [True, False])
def test_obstacles_to_a_copy_are_told(tmp_path: Path, there: bool, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "copy"
    if there:
        file.write_text("mine")
    assert main(["backup", str(file), "--data", str(tmp_path / "nowhere")]) == 2
    said = capsys.readouterr().err
    assert ("exists already" in said) if there else ("does not exist" in said)
    assert not there or file.read_text() == "mine"


async def test_a_command_is_answered_and_a_refusal_told(tmp_path: Path) -> None:
    async with commanded(tmp_path, greet="hail", fail="refuse"), calling(tmp_path) as ask:
        assert await ask("greet", word="Caesar") == {"done": "greet", "said": "hail", "heard": "Caesar"}
        with pytest.raises(StoreError, match="Not now"):
            await ask("fail")
        with pytest.raises(StoreError, match="another version"):
            await ask("dance")
        assert (await ask("greet"))["said"] == "hail"


async def test_requests_without_the_key_are_told_nothing(tmp_path: Path) -> None:
    async with commanded(tmp_path, greet="hail"):
        where = json.loads((tmp_path / CONTROL).read_text())
        for line in (b'{"do": "greet"}\n', b'{"do": "greet", "key": "0"}\n', b"hello\n", b"[1]\n", b"\xff" * 70000):
            reader, writer = await asyncio.open_connection(HERE, where["port"])
            writer.write(line)
            assert await reader.read() == b""
            writer.close()


async def test_so_many_callers_and_no_more(tmp_path: Path) -> None:
    async with commanded(tmp_path, greet="hail"):
        where = json.loads((tmp_path / CONTROL).read_text())
        lines = [await asyncio.open_connection(HERE, where["port"]) for _ in range(CALLERS)]
        with pytest.raises(NotRunning):
            async with calling(tmp_path) as ask:
                await ask("greet")
        for _, writer in lines:
            writer.close()


async def test_leftovers_of_a_killed_server_are_no_server(tmp_path: Path) -> None:
    async with commanded(tmp_path, greet="hail"):
        left = (tmp_path / CONTROL).read_text()
    assert not (tmp_path / CONTROL).exists()
    (tmp_path / CONTROL).write_text(left)
    with pytest.raises(NotRunning):
        async with calling(tmp_path) as ask:
            await ask("greet")
    async with commanded(tmp_path, greet="hail"), calling(tmp_path) as ask:
        assert (await ask("greet"))["said"] == "hail"


async def test_a_hold_ends_when_the_last_caller_is_gone(tmp_path: Path) -> None:
    released = asyncio.Event()

    async def held(_arguments: Mapping[str, object]) -> Answer:
        return {}

    async def let_go() -> None:
        released.set()

    control = Control(tmp_path, {HOLD: held}, let_go)
    await control.start()
    async with calling(tmp_path) as first:
        await first(HOLD)
        async with calling(tmp_path) as second:
            await second(HOLD)
        assert (await first(HOLD))["done"] == HOLD and not released.is_set()
    await asyncio.wait_for(released.wait(), 10)
    await control.stop()
