"""A match becomes a file, with and without a server on its data."""

import asyncio
import contextlib
import io
import json
from pathlib import Path

import pytest

from protocol import record
from protocol.audit import NO_PROOF, audit
from server.command_line import main
from server.opening import DATABASE
from server.storage.port import FIRST_EPOCH, DiceRoot
from server.storage.sqlite import SqliteStore
from server.tools.control import calling
from server.tools.match_parts import PART, READ, read_part
from shared.history import GENESIS, Entry
from shared.messages import Create, Done, Seated, SetBot, Start
from shared.tables import TablePhase
from tests.server.fakes import Client
from tests.server.records import record as table_of
from tests.support.forks import ForkedServer


def exported(match: str, data: Path, out: Path, *more: str) -> int:
    return main(["export", match, "--data", str(data), "--out", str(out), *more])


@pytest.fixture(scope="module")
def demonstrated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A directory with a match, and its id."""
    data = tmp_path_factory.mktemp("data")
    command = ["demo", "--ruleset", "cote2", "--players", "3", "--spectators", "1", "--option", "seasons=5"]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert main([*command, "--seed", "6", "--json", "--data", str(data)]) == 0
    return data, json.loads(printed.getvalue())["match"]


@pytest.mark.long
def test_a_demonstration_that_was_kept_is_exported_and_holds(
    demonstrated: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, match = demonstrated
    assert exported(match, data, tmp_path / "m.conquest") == 0
    assert match in capsys.readouterr().out
    found = record.read((tmp_path / "m.conquest").read_bytes())
    verdict = audit(found)
    assert verdict.holds and verdict.match == match and verdict.finished and verdict.numbers == 3
    assert 0 < found.begun <= found.ended and found.open_hands
    assert [path.name for path in tmp_path.iterdir()] == ["m.conquest"]
    assert exported(match, data, tmp_path / "again") == 0
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m.conquest").read_bytes()


@pytest.mark.long
def test_an_impossible_export_is_refused_in_a_sentence(
    demonstrated: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, match = demonstrated
    for given, where, said in (
        ("nosuch", data, "Match nosuch does not exist"),
        (match, tmp_path, "does not exist; give the right directory"),
    ):
        assert exported(given, where, tmp_path / "out") == 2
        assert said in capsys.readouterr().err
    out = tmp_path / "missing" / "out"
    assert exported(match, data, out) == 2
    assert capsys.readouterr().err == f"conquest-server: {out} cannot be written: No such file or directory.\n"
    assert not list(tmp_path.iterdir())


def test_an_unfinished_match_is_exported_only_on_demand_and_proves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fill() -> None:
        store = await SqliteStore.open(tmp_path / DATABASE)
        table = table_of("m1")
        table.phase, table.root = TablePhase.PLAYING, DiceRoot(b"r" * 32)
        await store.create(table)
        await store.append("m1", FIRST_EPOCH, GENESIS, [Entry(1, 0, 1, 1, b"\x90")], None)
        await store.close()

    asyncio.run(fill())
    assert exported("m1", tmp_path, tmp_path / "out") == 2
    assert "is not over" in capsys.readouterr().err and not (tmp_path / "out").exists()
    assert exported("m1", tmp_path, tmp_path / "out", "--unfinished") == 0
    found = record.read((tmp_path / "out").read_bytes())
    assert found.proof is None and len(found.log) == 1


async def test_parts_are_small_and_make_up_the_whole(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / DATABASE)
    table = table_of("m1")
    table.talk = []
    await store.create(table)
    entries = [Entry(n, 0, n, n, bytes([n % 256]) * 400) for n in range(1, 301)]
    await store.append("m1", FIRST_EPOCH, GENESIS, entries, None)
    found: list[str] = []
    while len(found) < 300:
        part = await read_part(store, {"match": "m1", "first": len(found) + 1})
        assert len(json.dumps(part)) < 2 * PART and part["total"] == 300
        found += part["entries"]
    assert len(found) == 300
    assert (await read_part(store, {"match": "m1", "first": 301}))["entries"] == []
    await store.close()


async def test_a_running_server_hands_a_match_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    process = ForkedServer(data)
    await process.start()
    client = await Client(process.url, "Anna").open()
    match = (await client.ask(lambda ref: Create(ref, "classic", 2, {"round_limit": 1}, "Title"), Seated)).match
    await client.ask(lambda ref: SetBot(ref, 1, "easy"), Done)
    await client.ask(Start, Done)
    async with calling(data) as ask:
        part = await ask(READ, match=match, first=1)
    assert part["total"] >= 1 and part["entries"]
    assert await asyncio.to_thread(exported, match, data, tmp_path / "m", "--unfinished") == 0
    assert match in capsys.readouterr().out
    found = record.read((tmp_path / "m").read_bytes())
    assert audit(found).wrong == NO_PROOF and audit(found).rules
    await process.kill()
