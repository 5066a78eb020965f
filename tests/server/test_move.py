"""Moving everything between a file and PostgreSQL: nothing is forgotten, and a kill at any point does no harm."""

import asyncio
import contextlib
import itertools
import signal
import sqlite3
import sys
import tarfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest
from msgspec import structs

from server.cluster.postgres import offline
from server.cluster.postgres.schema import TABLES
from server.command_line import main
from server.opening import DATABASE, open_store
from server.storage.port import (
    ChairRecord,
    DeedKind,
    DeedRecord,
    HookRecord,
    MatchResult,
    NoticeMark,
    NoticeRecord,
    OwedSeats,
    PersonRecord,
    Store,
    StoreError,
    TableRecord,
)
from server.tools import move
from shared.messages import Line, NoticeSettings
from shared.tables import HookForm, Pace, Run, TablePhase
from tests.server import killed_moves
from tests.server.records import entries, filled, record
from tests.support import engines, forks
from tests.support.marks import with_releases

EACH: Final = {
    "matches": ("match", "record", "epoch", "n", "check", "touched"),
    "log": ("match", "n", "entry", "check"),
    "people": ("person", "record"),
    "deeds": ("deed", "record"),
    "life": ("age",),
}
"""What has to be moved: tables and columns, by their names in the file."""
OWN: Final = {
    "file": {"matches": {"written", "seal"}, "people": {"seal"}, "deeds": {"seal"}, "life": {"id", "seal"}},
    "database": {
        "matches": {"phase", "code", "people", "due", "past", "ended", "owner"},
        "life": {"id"},
        "nodes": {"node", "name", "url", "protocol", "since", "seen", "age"},
        "conquest_schema": {"version"},
    },
}
"""What each engine has for itself: it follows from the rest, or is of no use elsewhere. A new table or column
belongs here or above; above means that `server/storage/offline.py` and both engines move it too."""


NOTICES = NoticeRecord(NoticeSettings(mail="anna@example.org", ntfy="https://ntfy.sh/x"), b"k" * 16)


def full(match: str, **changed: object) -> TableRecord:
    """A table with everything that one can have."""
    chair = ChairRecord("Anna", "", b"t" * 32, b"o" * 32, "easy", "p1", 3, b"n" * 32, b"r" * 32, b"k" * 32)
    return record(
        match,
        chairs=[chair, ChairRecord(bot="easy")],
        code=f"CODE{match}",
        talk=[Line(0, "Anna", "Salve!")],
        words=1,
        standing=OwedSeats(3, (0,), 5.0, 7),
        pace=Pace(Run.POST, 60),
        begun=70,
        due=90,
        root=b"R" * 32,
        started=5,
        hook=HookRecord(HookForm.JSON, "https://example.org/secret"),
        lag=9,
        notices=(NoticeMark(0, 7, told=True),),
        **changed,
    )


async def fill(store: Store) -> None:
    """Matches that gather, are played and are over, with profiles and an age."""
    for number in range(3):
        name = f"Änne {number}"
        await store.keep_person(PersonRecord(f"p{number}", name, (bytes([number]) * 32,), 5.5, notices=NOTICES))
    check = await filled(store, 20)
    await store.append("m1", 1, check, entries(21), full("m1", phase=TablePhase.PLAYING))
    check = await filled(store, 8, "m2")
    over = full("m2", phase=TablePhase.OVER, ended=8, signature=b"s" * 64, result=MatchResult(3, ((0, 1, "5"),)))
    await store.append("m2", 1, check, entries(9, 2), over)
    await store.claim("m2")
    await store.create(full("m3"))
    await store.keep_deed(DeedRecord("d1", 5.5, DeedKind.BAN, "p1", "Änne 1", 9.5, "spam", (b"1" * 32,)))
    await store.keep_age(12_345)


RELEASED: Final = sorted(path.parent for path in (Path(__file__).parents[1] / "released").glob("*/data.tar.xz"))
"""Data of released versions."""


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    """A directory with all that."""
    store = await open_store("", tmp_path / "data")
    await fill(store)
    await store.close()
    return tmp_path / "data"


@pytest.fixture
async def url(tmp_path: Path) -> str:
    """A database with nothing in it."""
    return await engines.database(tmp_path)


def in_file(path: Path) -> dict[str, list[dict[str, Any]]]:
    """All that a file holds, table by table; nothing where there is none."""
    if not path.exists():
        return {}
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: [dict(row) for row in db.execute(f"SELECT * FROM {name}")] for name in names}


async def in_database(url: str, schema: str = "public") -> dict[str, list[dict[str, Any]]]:
    """All that a schema holds, table by table."""
    line = await asyncpg.connect(url)
    try:
        query = "SELECT tablename FROM pg_tables WHERE schemaname = $1"
        names = [row[0] for row in await line.fetch(query, schema)]
        rows = {name: await line.fetch(f'SELECT * FROM "{schema}"."{name}"') for name in names}
    finally:
        await line.close()
    return {
        name: [{"check" if key == "chk" else key: value for key, value in row.items()} for row in found]
        for name, found in rows.items()
    }


async def schemas(url: str) -> set[str]:
    """Return the schemas that are not PostgreSQL's own."""
    line = await asyncpg.connect(url)
    query = "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'"
    names = {row[0] for row in await line.fetch(query)}
    await line.close()
    return names


def moved(tables: dict[str, list[dict[str, Any]]]) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows that must be moved, sorted."""
    return {name: sorted(tuple(row[column] for column in EACH[name]) for row in tables.get(name, ())) for name in EACH}


async def run(*words: str) -> int:
    """The command's status."""
    return await asyncio.to_thread(main, ["move", *words])


async def test_every_table_and_column_is_moved_or_belongs_to_its_engine(data: Path, url: str) -> None:
    await (await open_store(url, data)).close()
    line = await asyncpg.connect(url)
    query = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
    found: dict[str, set[str]] = {}
    for table, column in await line.fetch(query):
        found.setdefault(table, set()).add("check" if column == "chk" else column)
    await line.close()
    in_both = {name: set(columns) for name, columns in EACH.items()}
    assert found == {name: in_both.get(name, set()) | OWN["database"].get(name, set()) for name in found}
    assert set(found) == set(EACH) | set(OWN["database"]) == set(TABLES)
    rows = in_file(data / DATABASE)
    assert {name: set(some[0]) for name, some in rows.items()} == {
        name: in_both[name] | OWN["file"].get(name, set()) for name in EACH
    }


async def test_everything_goes_to_the_database_and_back(
    data: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    original = in_file(data / DATABASE)
    assert {name: len(rows) for name, rows in original.items()} == {
        "matches": 3,
        "log": 31,
        "people": 3,
        "deeds": 1,
        "life": 1,
    }
    assert await run("--data", str(data), "--store", url) == 0
    told = capsys.readouterr()
    assert told.out.startswith(
        f"Moved 3 matches with 31 decisions, 3 profiles, 1 deeds from {data / DATABASE} to the database.\n"
    )
    assert told.err == "3 of 3 matches are copied.\n"
    there = await in_database(url)
    assert moved(there) == moved(original)
    assert await run("--data", str(data), "--store", url) == 2
    assert "It was moved before, and is kept as conquest.sqlite3.moved-" in capsys.readouterr().err
    (aside,) = data.glob(f"{DATABASE}.moved-*[0-9]")
    assert moved(in_file(aside)) == moved(original) and not (data / DATABASE).exists()
    assert await schemas(url) == {"public"}
    assert {row["match"]: (row["phase"], row["code"], row["people"], row["due"]) for row in there["matches"]} == {
        "m1": (1, "CODEm1", ["p1"], 90), "m2": (2, "CODEm2", ["p1"], 90), "m3": (0, "CODEm3", ["p1"], 90),
    }  # fmt: skip
    assert await run("--data", str(data), "--store", url, "--back") == 0
    assert "What was in the database is kept as the schema conquest_moved_" in capsys.readouterr().out
    assert moved(in_file(data / DATABASE)) == moved(original)
    assert await in_database(url) == {}
    (kept,) = await schemas(url) - {"public"}
    assert moved(await in_database(url, kept)) == moved(original)
    assert sorted(path.name for path in data.iterdir() if "moved" not in path.name) == [DATABASE, f"{DATABASE}.heads"]


async def test_matches_go_on_where_they_were_moved_to(data: Path, url: str) -> None:
    for where, words in ((url, ()), ("", ("--back",))):
        assert await run("--data", str(data), "--store", url, *words) == 0
        store = await open_store(where, data)
        stored = await store.claim("m1")
        assert stored is not None and stored.table.phase == TablePhase.PLAYING and stored.table.talk[0].text == "Salve!"
        after = len(stored.entries) + 1
        await store.append("m1", stored.epoch, stored.check, entries(after), None)
        assert await store.by_code("CODEm3") == "m3" and await store.age() == 12_345
        assert await store.due() == {"m1": 90} and set(await store.matches_of("p1")) == {"m1", "m2", "m3"}
        assert [past.table.match for past in await store.past(0, "", 5)] == ["m2"]
        assert [(person.name, person.notices) for person in await store.people()] == [
            (f"Änne {number}", NOTICES) for number in range(3)
        ]
        assert [(deed.name, deed.secrets) for deed in await store.deeds()] == [("Änne 1", (b"1" * 32,))]
        await store.close()
    assert after == 23


@pytest.mark.long
@pytest.mark.parametrize("back", with_releases([False, True], False), ids=["there", "back"])
async def test_a_move_that_is_killed_at_any_step_goes_on(tmp_path: Path, back: bool) -> None:
    for step in itertools.count(1):
        data = tmp_path / str(step)
        store = await open_store("", data)
        await fill(store)
        await store.close()
        original = moved(in_file(data / DATABASE))
        url = await engines.database(data)
        words = ["--data", str(data), "--store", url]
        if back:
            assert await run(*words) == 0
            words.append("--back")
        process = forks.PROCESSES.Process(target=killed_moves.move, args=(step, words))
        process.start()
        await asyncio.to_thread(process.join)
        killed = process.exitcode == -signal.SIGKILL
        # Nothing is seen at the target before it is all there, and the source is there until then.
        in_files, in_tables = in_file(data / DATABASE), await in_database(url)
        assert in_files or in_tables
        assert all(moved(seen) == original for seen in (in_files, in_tables) if seen)
        if killed and (in_tables if back else in_files):
            assert await run(*words) == 0
        in_files, in_tables = in_file(data / DATABASE), await in_database(url)
        assert (bool(in_files), bool(in_tables)) == (back, not back)
        assert moved(in_files or in_tables) == original
        if not killed:
            break
    assert process.exitcode == 0 and step > 12


async def test_a_draft_that_is_behind_its_source_is_brought_up_to_date(
    data: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The move was interrupted, and the server went on with its file for a while."""
    real = offline.DatabasePlace.publish

    async def fail(_place: offline.DatabasePlace) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(offline.DatabasePlace, "publish", fail)
    with pytest.raises(KeyboardInterrupt):
        await move._run(move.FilePlace(data), offline.DatabasePlace(url))
    monkeypatch.setattr(offline.DatabasePlace, "publish", real)
    assert await schemas(url) == {"public", offline.DRAFT_SCHEMA} and await in_database(url) == {}
    store = await open_store("", data)
    for match in ("m1", "m2"):
        stored = await store.claim(match)
        assert stored is not None
        if match == "m1":
            await store.append(
                match, stored.epoch, stored.check, entries(22, 3), structs.replace(stored.table, words=9)
            )
        else:
            await store.delete(match, stored.epoch)
    await store.keep_person(PersonRecord("p0", "Another", (), 6.0))
    await store.forget_person("p2")
    await filled(store, 4, "m9")
    await store.close()
    original = moved(in_file(data / DATABASE))
    assert await run("--data", str(data), "--store", url) == 0
    assert moved(await in_database(url)) == original


async def test_no_empty_server_takes_the_place_of_one_that_was_moved(data: Path, url: str) -> None:
    assert await run("--data", str(data), "--store", url) == 0
    with pytest.raises(StoreError, match="were moved to a database; give it with --store"):
        await open_store("", data)
    assert not (data / DATABASE).exists()
    (aside,) = data.glob(f"{DATABASE}.moved-*[0-9]")
    aside.rename(data / DATABASE)
    store = await open_store("", data)
    assert await store.claim("m1") is not None, "the way back without the command"
    await store.close()


@pytest.mark.parametrize("folder", RELEASED, ids=lambda path: path.name)
async def test_matches_of_released_versions_go_on_in_a_database(
    folder: Path, tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with tarfile.open(folder / "data.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    (database,) = tmp_path.rglob(DATABASE)
    original = moved(in_file(database))
    assert await run("--data", str(database.parent), "--store", url) == 0
    assert moved(await in_database(url)) == original
    assert await asyncio.to_thread(main, ["check", "--store", url, "--all"]) == 0
    assert ", 0 cannot." in capsys.readouterr().out


def damage(path: Path) -> None:
    """An entry of a match is missing."""
    with contextlib.closing(sqlite3.connect(path / DATABASE)) as db:
        db.execute("DELETE FROM log WHERE match = 'm1' AND n = 20")
        db.commit()


@contextlib.asynccontextmanager
async def serving(where: str, data: Path) -> AsyncIterator[None]:
    """A server has the store."""
    store = await open_store(where, data)
    yield
    await store.close()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            lambda data, url: ["--data", f"{data}/none", "--store", url],
            "does not exist; give the right one with --data",
        ),
        (lambda data, url: ["--data", str(data.parent), "--store", url], "does not exist; give the right directory"),
        (lambda data, url: ["--data", str(data)], "No database is given; add --store postgresql://"),
        (
            lambda data, url: ["--data", str(data), "--store", "mysql://x"],
            "postgresql://USER@HOST/DATABASE, not mysql:",
        ),
        (lambda data, url: ["--data", str(data), "--store", "postgresql://u@127.0.0.1:9/x"], "Cannot use the database"),
        (lambda data, url: ["--data", str(data), "--store", url, "--back"], "There are no matches in the database"),
    ],
)
async def test_obstacles_are_told_and_the_source_stays(
    data: Path, url: str, words: Callable[[Path, str], list[str]], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (data / DATABASE).read_bytes()
    assert await run(*words(data, url)) == 2
    assert told in capsys.readouterr().err
    assert (data / DATABASE).read_bytes() == before


@pytest.mark.long
async def test_no_server_may_run_on_either_side(data: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--data", str(data), "--store", url)
    async with serving("", data):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "server", "move", *words), stderr=asyncio.subprocess.PIPE
        )
        _, said = await process.communicate()
        assert process.returncode == 2 and "A server or another command uses" in said.decode()
    async with serving(url, data):
        assert await run(*words) == 2
        assert "A server uses this database; stop it first" in capsys.readouterr().err
    assert await run(*words) == 0


async def test_matches_at_the_target_are_never_replaced(
    data: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store = await open_store(url, data)
    await store.create(record("other"))
    await store.close()
    assert await run("--data", str(data), "--store", url) == 2
    assert "the database has other matches already: 1 matches" in capsys.readouterr().err
    assert [row["match"] for row in (await in_database(url))["matches"]] == ["other"]
    assert await run("--data", str(data), "--store", url, "--back") == 2
    assert "has other matches already: 3 matches" in capsys.readouterr().err


async def test_damage_is_not_moved(data: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    damage(data)
    assert await run("--data", str(data), "--store", url) == 2
    said = capsys.readouterr().err
    assert "The log of match m1 is damaged after entry 19 of 21. Nothing was moved." in said and "repair" in said
    assert await asyncio.to_thread(main, ["repair", "--data", str(data), "--apply"]) == 0
    assert await run("--data", str(data), "--store", url) == 0
    assert (await in_database(url))["life"] == [{"id": 0, "age": 12_345}], "clocks go on after a repair too"


async def test_a_store_that_was_served_but_never_used_counts_as_empty(data: Path, url: str) -> None:
    store = await open_store(url, data)
    await store.keep_age(99_999_999)
    await store.close()
    assert await run("--data", str(data), "--store", url) == 0
    assert (await in_database(url))["life"] == [{"id": 0, "age": 12_345}]


async def test_a_copy_that_differs_is_thrown_away(
    data: Path, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from server.cluster.postgres.offline import OfflineDatabase

    async def forgetful(_database: object, _age: int) -> None:
        """The age is lost on the way."""

    with monkeypatch.context() as patch:
        patch.setattr(OfflineDatabase, "put_age", forgetful)
        assert await run("--data", str(data), "--store", url) == 2
    assert "The copy differs from the original" in capsys.readouterr().err
    assert await schemas(url) == {"public"} and await in_database(url) == {}
    assert await run("--data", str(data), "--store", url) == 0
