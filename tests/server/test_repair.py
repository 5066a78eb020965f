"""Damaged data: the operator is told what is lost, and the rest is brought back."""

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from server.cluster.postgres.store import PostgresStore
from server.command_line import main
from server.opening import DATABASE
from server.storage.port import Damaged, PersonRecord
from server.storage.sqlite import SqliteStore
from shared.tables import TablePhase
from tests.server.records import TODAY, entries, filled, record
from tests.support import engines


@pytest.fixture
async def data(tmp_path: Path) -> AsyncIterator[Path]:
    """A directory with three matches: of 20 entries, over after 10, and new."""
    store = await SqliteStore.open(tmp_path / DATABASE)
    await filled(store)
    check = await filled(store, 8, "m2")
    await store.append("m2", 1, check, entries(9, 2), record("m2", phase=TablePhase.OVER))
    await store.create(record("m3"))
    await store.close()
    yield tmp_path


def change(data: Path, statement: str) -> None:
    """Meddle with the file."""
    with contextlib.closing(sqlite3.connect(data / DATABASE)) as db:
        db.execute(statement)
        db.commit()


async def repaired(*words: str) -> int:
    """The command's status."""
    return await asyncio.to_thread(main, ["repair", *words])


async def kept(data: Path, match: str) -> tuple[int, TablePhase] | None:
    """Length and phase of a match as a server finds it; Damaged is raised."""
    store = await SqliteStore.open(data / DATABASE)
    try:
        stored = await store.claim(match)
    finally:
        await store.close()
    return None if stored is None else (len(stored.entries), stored.table.phase)


async def test_nothing_to_repair(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, files = (data / DATABASE).read_bytes(), sorted(data.iterdir())
    assert await repaired("--data", str(data), "--apply") == 0
    assert capsys.readouterr().err == "0 of 3 matches are damaged.\n"
    assert (data / DATABASE).read_bytes() == before and sorted(data.iterdir()) == files


@pytest.mark.parametrize(
    ("statement", "match", "left", "told"),
    [
        ("UPDATE log SET entry = x'90' WHERE match = 'm1' AND n = 8", "m1", (7, 0), "everything after action 7 of 20"),
        ("DELETE FROM log WHERE match = 'm1' AND n = 1", "m1", (0, 0), "everything after action 0 of 20"),
        ("DELETE FROM log WHERE match = 'm2' AND n > 6", "m2", (6, 1), "everything after action 6 of 10"),
        ("UPDATE matches SET n = 21 WHERE match = 'm1'", "m1", (20, 0), "everything after action 20 of 21"),
        ("UPDATE matches SET epoch = 7 WHERE match = 'm3'", "m3", (0, 0), "look at the names"),
        ("UPDATE matches SET record = x'c1' WHERE match = 'm2'", "m2", None, "the whole match"),
        ("DELETE FROM matches WHERE match = 'm2'", "m2", None, "the whole match"),
    ],
)
async def test_damage_is_told_and_the_rest_restored(
    data: Path, capsys: pytest.CaptureFixture[str], statement: str, match: str, left: tuple[int, int] | None, told: str
) -> None:
    change(data, statement)
    damaged = (data / DATABASE).read_bytes()
    with pytest.raises(Damaged):
        await kept(data, match)
    assert await repaired("--data", str(data)) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith(f"{match}: ") and told in printed.out and len(printed.out.splitlines()) == 1
    assert printed.err == "1 of 3 matches are damaged; --apply restores them as listed.\n"
    assert (data / DATABASE).read_bytes() == damaged, "told only"
    with pytest.raises(Damaged):
        await kept(data, match)
    (data / f"{DATABASE}.repaired").write_bytes(b"of a repair that was interrupted")
    assert await repaired("--data", str(data), "--apply", "--json") == 0
    printed = capsys.readouterr()
    told_of = json.loads(printed.out)
    assert told in told_of["lost"] and told_of["match"] == match and told_of["wrong"]
    assert told_of["kept"] == (None if left is None else left[0])
    assert not list(data.glob(f"{DATABASE}.repaired*"))
    assert await kept(data, match) == left
    for other, sound in (("m1", (20, 0)), ("m2", (10, 2)), ("m3", (0, 0))):
        assert other == match or await kept(data, other) == sound
    (old,) = data.glob(f"{DATABASE}.damaged-*[0-9]")
    assert old.read_bytes() == damaged and printed.err == f"Done. The damaged file is kept as {old.name}.\n"
    assert await repaired("--data", str(data)) == 0


async def test_a_lost_end_is_told_and_can_be_accepted(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The write-ahead log, or the newest pages, are gone: the file looks sound and is older than what was told."""
    before = (data / DATABASE).read_bytes()
    store = await SqliteStore.open(data / DATABASE)
    stored = await store.claim("m1")
    assert stored is not None
    await store.append("m1", stored.epoch, stored.check, entries(21, 3), None)
    await store.close()
    (data / DATABASE).write_bytes(before)
    with pytest.raises(Damaged, match="older than it was"):
        await kept(data, "m1")
    assert await kept(data, "m3") == (0, 0)
    assert await repaired("--data", str(data), "--apply") == 0
    assert "m1: Match m1 is older than it was: changes 12 to 13 are missing." in capsys.readouterr().out
    assert await kept(data, "m1") == (20, 0)


async def test_a_file_that_is_none_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await repaired("--data", str(tmp_path)) == 2
    assert "does not exist" in capsys.readouterr().err
    (tmp_path / DATABASE).write_bytes(b"not a database" * 100)
    assert await repaired("--data", str(tmp_path)) == 2
    assert "restore a backup" in capsys.readouterr().err


async def test_profiles_are_brought_along_and_a_damaged_one_is_a_stranger_again(data: Path) -> None:
    people = [PersonRecord(f"p{n}", f"Anna {n}", (bytes([n]) * 32,), TODAY) for n in range(3)]
    store = await SqliteStore.open(data / DATABASE)
    for person in people:
        await store.keep_person(person)
    await store.close()
    change(data, "UPDATE people SET record = replace(record, 'Anna 1', 'Anne 1') WHERE person = 'p1'")
    change(data, "DELETE FROM log WHERE match = 'm1' AND n = 20")
    store = await SqliteStore.open(data / DATABASE)
    assert await store.people() == [people[0], people[2]]
    await store.close()
    assert await repaired("--data", str(data), "--apply") == 0
    store = await SqliteStore.open(data / DATABASE)
    assert await store.people() == [people[0], people[2]] and await store.unfinished() != []
    await store.close()


# --- in PostgreSQL ---


@pytest.fixture
async def url(data: Path) -> str:
    """A database with the same three matches, two profiles and an age."""
    url = await engines.database(data)
    store = await PostgresStore.open(url, lambda: TODAY)
    await filled(store)
    check = await filled(store, 8, "m2")
    await store.append("m2", 1, check, entries(9, 2), record("m2", phase=TablePhase.OVER))
    await store.create(record("m3"))
    for number in range(2):
        await store.keep_person(PersonRecord(f"p{number}", f"Anna {number}", (), TODAY))
    await store.keep_age(77)
    await store.close()
    return url


async def say(url: str, statement: str) -> list[tuple[object, ...]]:
    """Meddle with the database, or look at it."""
    line = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await line.fetch(statement)]
    finally:
        await line.close()


async def test_nothing_to_repair_in_a_database(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert await repaired("--store", url, "--apply") == 0
    assert capsys.readouterr().err == "0 of 3 matches are damaged.\n"
    assert await say(url, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'conquest%'") == []


@pytest.mark.parametrize(
    ("statement", "match", "left", "told"),
    [
        ("UPDATE log SET entry = '\\x90' WHERE match = 'm1' AND n = 8", "m1", 7, "everything after action 7 of 20"),
        ("DELETE FROM log WHERE match = 'm1' AND n = 1", "m1", 0, "everything after action 0 of 20"),
        ("UPDATE matches SET n = 21 WHERE match = 'm1'", "m1", 20, "everything after action 20 of 21"),
        ("UPDATE matches SET record = '\\xc1' WHERE match = 'm2'", "m2", None, "the whole match"),
        ("DELETE FROM matches WHERE match = 'm2'", "m2", None, "the whole match"),
    ],
)
async def test_damage_in_a_database_is_told_and_the_rest_restored(
    url: str, capsys: pytest.CaptureFixture[str], statement: str, match: str, left: int | None, told: str
) -> None:
    await say(url, statement)
    before = await say(url, "SELECT * FROM matches ORDER BY match")
    assert await repaired("--store", url) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith(f"{match}: ") and told in printed.out and len(printed.out.splitlines()) == 1
    assert await say(url, "SELECT * FROM matches ORDER BY match") == before, "told only"
    damaged = await say(url, f"SELECT * FROM log WHERE match = '{match}' ORDER BY n")
    assert await repaired("--store", url, "--apply") == 0
    (aside,) = (await say(url, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'conquest%'"))[0]
    assert f"kept in the schema {aside}." in capsys.readouterr().err
    assert await say(url, f'SELECT * FROM "{aside}".log ORDER BY n') == damaged
    assert await repaired("--store", url) == 0
    store = await PostgresStore.open(url)
    for each, count in {"m1": 20, "m2": 10, "m3": 0, match: left}.items():
        stored = await store.claim(each)
        assert (None if stored is None else len(stored.entries)) == count
    assert len(await store.people()) == 2 and await store.age() == 77
    await store.close()


async def test_a_profile_that_cannot_be_read_is_put_aside(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    await say(url, "UPDATE people SET record = '\\xc1' WHERE person = 'p1'")
    assert await repaired("--store", url) == 1
    assert "1 profiles cannot be read" in capsys.readouterr().err
    assert await repaired("--store", url, "--apply") == 0
    assert await say(url, "SELECT person FROM people") == [("p0",)]
    assert await repaired("--store", url) == 0


async def test_no_server_may_run_on_the_database(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    server = await PostgresStore.open_exclusively(url)
    for command in (["repair", "--store", url], ["seats", "--store", url]):
        assert await asyncio.to_thread(main, command) == 2
        assert "A server uses this database; stop it first" in capsys.readouterr().err
    await server.close()


async def test_the_age_of_the_server_survives_a_repair(data: Path) -> None:
    store = await SqliteStore.open(data / DATABASE)
    await store.keep_age(77)
    await store.close()
    change(data, "DELETE FROM log WHERE match = 'm1' AND n = 20")
    assert await repaired("--data", str(data), "--apply") == 0
    store = await SqliteStore.open(data / DATABASE)
    assert await store.age() == 77
    await store.close()
