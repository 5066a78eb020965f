"""Particulars of the store in one SQLite file: durability, damage, the lock, old files."""

import asyncio
import contextlib
import random
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest

from server.storage.database import Outdated, why_not
from server.storage.port import Damaged, Fenced, StoreError
from server.storage.sqlite import SqliteStore
from tests.server.fakes import FakeClock, settle
from tests.server.records import TODAY, entries, filled, hold_sqlite, open_sqlite, record


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """With a match of 20 entries."""
    opened = await open_sqlite(tmp_path)
    await filled(opened)
    yield opened
    await opened.close()


async def _rows(store: SqliteStore, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query on the writer's own connection."""
    return await store._ask(lambda db: db.connection.execute(query).fetchall())


async def pragma(store: SqliteStore, name: str) -> object:
    """A setting as the writer's own connection has it."""
    return (await _rows(store, f"PRAGMA {name}"))[0][0]


async def test_every_commit_is_on_the_disk_before_it_is_acknowledged(store: SqliteStore) -> None:
    extra = 3
    assert await pragma(store, "synchronous") == extra
    assert await pragma(store, "journal_mode") == "wal"


async def test_acknowledged_data_is_in_the_files_already(store: SqliteStore, tmp_path: Path) -> None:
    """The files as they are at that moment, opened elsewhere: as after a power cut, the disk having kept its word."""
    ((check,),) = await _rows(store, 'SELECT "check" FROM matches')
    elsewhere = tmp_path / "elsewhere"
    for n in range(21, 41):
        check = await store.append("m1", 1, check, entries(n), record(title=f"Title {n}"))
        shutil.rmtree(elsewhere, ignore_errors=True)
        elsewhere.mkdir()
        for name in ("db", "db-wal"):
            shutil.copy(tmp_path / name, elsewhere / name)
        with contextlib.closing(sqlite3.connect(elsewhere / "db")) as db:
            assert db.execute("SELECT max(n) FROM log").fetchone() == (n,)
            assert db.execute('SELECT n, "check" FROM matches').fetchone() == (n, check)


class Disk(sqlite3.Connection):
    """A connection whose commits wait or fail."""

    broken = False
    kept_all_the_same = False
    committing: threading.Event
    going_on: threading.Event

    def execute(self, sql: str, *rest: object) -> sqlite3.Cursor:
        """As always, but for commits."""
        if sql == "COMMIT":
            Disk.committing.set()
            Disk.going_on.wait(20)
            if Disk.broken:
                if Disk.kept_all_the_same:
                    super().execute(sql)
                raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *rest)  # type: ignore[arg-type]


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> type[Disk]:
    """The disk of stores that are opened from now on."""
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **kwargs: connect(*args, factory=Disk, **kwargs))
    Disk.broken = Disk.kept_all_the_same = False
    Disk.committing, Disk.going_on = threading.Event(), threading.Event()
    Disk.going_on.set()
    return Disk


@pytest.mark.parametrize("together", [False, True])
async def test_nothing_is_acknowledged_before_the_commit(disk: type[Disk], tmp_path: Path, together: bool) -> None:
    store = await open_sqlite(tmp_path)
    check = await filled(store, 2)
    disk.committing.clear()
    disk.going_on.clear()
    with hold_sqlite(store) if together else contextlib.nullcontext():
        asked: list[asyncio.Future[object]] = [asyncio.ensure_future(store.append("m1", 1, check, entries(3), None))]
        if together:
            asked.append(asyncio.ensure_future(store.save(record(title="Late"), 1)))
        await settle()
    await asyncio.to_thread(disk.committing.wait, 20)
    await settle()
    assert not any(each.done() for each in asked)
    disk.going_on.set()
    await asyncio.gather(*asked)
    await store.close()


@pytest.mark.parametrize("together", [False, True])
async def test_after_a_failed_commit_nothing_is_promised_any_more(
    disk: type[Disk], tmp_path: Path, together: bool
) -> None:
    store = await open_sqlite(tmp_path)
    await filled(store, 2)
    disk.broken = True
    with hold_sqlite(store) if together else contextlib.nullcontext():
        asked = [asyncio.ensure_future(store.save(record(title="Lost"), 1))]
        if together:
            asked.append(asyncio.ensure_future(store.create(record("m2"))))
        await settle()
    assert all(isinstance(e, StoreError) for e in await asyncio.gather(*asked, return_exceptions=True))
    disk.broken = False
    assert not store.healthy
    with pytest.raises(StoreError):
        await store.save(record(title="Late"), 1)
    await store.close()
    store = await open_sqlite(tmp_path)
    kept = await store.claim("m1")
    assert kept is not None and kept.table.title == "Title" and len(kept.entries) == 2
    assert await store.claim("m2") is None
    await store.close()


async def test_when_the_disk_takes_writes_again_so_does_the_store(
    disk: type[Disk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.storage.sqlite._PROBE", 0.01)
    store = await open_sqlite(tmp_path)
    check = await filled(store, 2)
    disk.broken = True
    with pytest.raises(StoreError):
        await store.append("m1", 1, check, entries(3), None)
    while not store.healthy:
        disk.broken = False
        await asyncio.sleep(0)
    check = await store.append("m1", 1, check, entries(3), None)
    kept = await store.claim("m1")
    assert kept is not None and (kept.entries, kept.check) == (entries(1, 3), check)
    await store.close()


async def test_a_doubtful_write_that_was_stored_has_another_owner(
    disk: type[Disk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit reached the disk although it failed: after such an error the writer must read before it writes on."""
    monkeypatch.setattr("server.storage.sqlite._PROBE", 0.01)
    store = await open_sqlite(tmp_path)
    check = await filled(store, 2)
    disk.broken = disk.kept_all_the_same = True
    with pytest.raises(StoreError):
        await store.append("m1", 1, check, entries(3), None)
    disk.broken = False
    while not store.healthy:
        await asyncio.sleep(0)
    with pytest.raises(Fenced):
        await store.append("m1", 1, check, entries(3), None)
    kept = await store.claim("m1")
    assert kept is not None and kept.entries == entries(1, 3)
    await store.close()


@pytest.mark.parametrize("together", [False, True])
async def test_a_failed_claim_of_a_damaged_match_gives_no_ownership(
    store: SqliteStore, tmp_path: Path, together: bool
) -> None:
    (kept,) = await _rows(store, "SELECT entry FROM log WHERE n = 7")
    await store._ask(lambda db: db.connection.execute("UPDATE log SET entry = x'90' WHERE n = 7").rowcount)
    with hold_sqlite(store) if together else contextlib.nullcontext():
        claiming = asyncio.ensure_future(store.claim("m1"))
        other = asyncio.ensure_future(store.create(record("m2")))
        await settle()
    with pytest.raises(Damaged):
        await claiming
    await other
    await store._ask(lambda db: db.connection.execute("UPDATE log SET entry = ? WHERE n = 7", kept).rowcount)
    await store.save(record(title="Still mine"), 1)


@pytest.mark.parametrize("together", [False, True])
async def test_of_what_fails_halfway_nothing_is_kept(store: SqliteStore, together: bool) -> None:
    """A row of a log that should not be there: the head has moved already when it is found."""
    ((check,),) = await _rows(store, 'SELECT "check" FROM matches')
    await store._ask(lambda db: db.connection.execute("INSERT INTO log VALUES ('m1', 22, x'', x'')").rowcount)
    with hold_sqlite(store) if together else contextlib.nullcontext():
        failing = store.append("m1", 1, check, entries(21, 2), record(title="Half"))
        other = asyncio.ensure_future(store.create(record("m2")))
        await settle()
    with pytest.raises(StoreError):
        await failing
    await other
    assert store.healthy
    await store._ask(lambda db: db.connection.execute("DELETE FROM log WHERE n = 22").rowcount)
    kept = await store.claim("m1")
    assert kept is not None and kept.entries == entries(1, 20) and kept.table.title == "Title"


OLD: Final = {
    1: ('"check" BLOB NOT NULL', '"check"'),
    2: ('"check" BLOB NOT NULL, touched REAL NOT NULL DEFAULT 0', '"check", touched'),
}
"""The last columns of older servers, and what fills them."""


def make_old(path: Path, version: int) -> None:
    """The file as an older server would have written it."""
    path.with_name("db.heads").unlink()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(f"DROP TABLE people; DROP TABLE life; DROP TABLE deeds; PRAGMA user_version = {version};")
        if version not in OLD:
            return
        columns, values = OLD[version]
        db.executescript(f"""
            ALTER TABLE matches RENAME TO sealed;
            CREATE TABLE matches (
                match TEXT PRIMARY KEY, phase INTEGER NOT NULL, code TEXT NOT NULL, record BLOB NOT NULL,
                epoch INTEGER NOT NULL, n INTEGER NOT NULL, {columns}
            ) WITHOUT ROWID;
            CREATE INDEX matches_by_phase ON matches (phase);
            CREATE INDEX matches_by_code ON matches (code);
            INSERT INTO matches SELECT match, 0, 'CODE', record, epoch, n, {values} FROM sealed;
            DROP TABLE sealed;
        """)


@pytest.mark.parametrize("version", [*OLD, 3])
async def test_a_file_of_an_older_version_is_taken_over(store: SqliteStore, tmp_path: Path, version: int) -> None:
    await store.close()
    make_old(tmp_path / "db", version)
    for _ in range(2):
        again = await open_sqlite(tmp_path)
        assert await again.unfinished(60) == ["m1"] and await again.by_code("CODE") == "m1"
        kept = await again.claim("m1")
        assert kept is not None and kept.entries == entries(1, 20) and await again.people() == []
        await again.close()


async def test_a_file_from_before_servers_knew_their_age_is_taken_over(store: SqliteStore, tmp_path: Path) -> None:
    await store.keep_age(70)
    await store.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "db")) as db:
        db.executescript("DROP TABLE life; DROP TABLE deeds; PRAGMA user_version = 4;")
    again = await open_sqlite(tmp_path)
    kept = await again.claim("m1")
    assert kept is not None and kept.entries == entries(1, 20) and await again.age() == 0
    await again.keep_age(5)
    assert await again.age() == 5
    await again.close()


@pytest.mark.parametrize("damage", ["SET age = age + 1", "SET age = 'old'", "SET seal = x'00'"])
async def test_an_age_that_is_not_what_was_kept_is_none(store: SqliteStore, damage: str) -> None:
    await store.keep_age(70)
    await store._ask(lambda db: db.connection.execute(f"UPDATE life {damage}").rowcount)
    assert await store.age() == 0 and await store.unfinished() == ["m1"]
    await store.keep_age(30)
    assert await store.age() == 30


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("PRAGMA user_version = 7", "written by a newer server"),
        ("PRAGMA user_version = 1", "claims format 1, but its table matches is not"),
        ("PRAGMA user_version = 2", "claims format 2, but its table matches is not"),
        ("PRAGMA user_version = 0", "claims format 0, but it is not empty"),
        ("ALTER TABLE matches DROP COLUMN touched", "claims format 6, but its table matches is not"),
        ("ALTER TABLE log ADD COLUMN more", "claims format 6, but its table log is not"),
        ("ALTER TABLE matches RENAME TO notes", "belongs to another program; .*give another directory with --data"),
        ("DROP TABLE people", "claims format 6, but its table people is not"),
        ("DROP TABLE log", "claims format 6, but its table log is not"),
    ],
)
async def test_a_file_that_is_not_what_it_says_is_refused_and_left_as_it_is(
    store: SqliteStore, tmp_path: Path, statement: str, told: str
) -> None:
    await store.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "db")) as db:
        db.execute(statement)
        before = list(db.iterdump()), db.execute("PRAGMA user_version").fetchone()
    with pytest.raises(StoreError, match=told):
        await open_sqlite(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / "db")) as db:
        assert (list(db.iterdump()), db.execute("PRAGMA user_version").fetchone()) == before


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            PermissionError(13, "Permission denied", "/d/db.heads"),
            "/d/db.heads: Permission denied; run this as its owner",
        ),
        (sqlite3.OperationalError("disk I/O error"), "{db}: Permission denied; run this as its owner"),
        (FileExistsError(17, "File exists", "/d"), "/d: File exists; mend that"),
        (sqlite3.DatabaseError("file is not a database"), "{db}: file is not a database; restore a backup"),
        (Outdated("it is of a newer one"), "{db}: it is of a newer one; update this server, restore a backup"),
    ],
)
def test_why_a_file_cannot_be_used_is_one_sentence_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    monkeypatch.setattr("os.access", lambda path, _mode: path == tmp_path)  # A file of another user.
    expected = told.format(db=tmp_path / "db")
    assert str(why_not(tmp_path / "db", error)) == f"Cannot use {expected}, or give another directory with --data."


async def test_a_quiet_moment_is_used_for_a_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.storage.sqlite._TIDY", 5)
    monkeypatch.setattr("server.storage.sqlite._QUIET", 0.0)
    store = await open_sqlite(tmp_path)
    await filled(store, 40)
    while (tmp_path / "db").stat().st_size < 3 * 4096:
        await store.by_code("")
    kept = await store.claim("m1")
    assert kept is not None and kept.entries == entries(1, 40)
    await store.close()


async def test_a_server_that_has_no_quiet_moment_makes_a_checkpoint_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.storage.sqlite._TIDY", 5)
    monkeypatch.setattr("server.storage.sqlite._OVERDUE", 30)
    monkeypatch.setattr("server.storage.sqlite._QUIET", 3600.0)
    store = await open_sqlite(tmp_path)
    await filled(store, 40)
    for _ in range(30):
        assert await store.by_code("") is None
    assert (tmp_path / "db").stat().st_size >= 3 * 4096
    await store.close()


async def test_a_second_server_on_the_same_file_is_told_in_one_sentence(store: SqliteStore, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"^A server or another command uses .*; stop it first .* with --data\.$"):
        await open_sqlite(tmp_path)
    assert await store.claim("m1") is not None


async def test_any_changed_byte_missing_or_swapped_entry_is_noticed(store: SqliteStore) -> None:
    await store.create(record("m2"))
    pristine = await _rows(store, "SELECT * FROM log")
    rng = random.Random(1)
    for _ in range(200):
        await store._ask(lambda db: _damage(db.connection, rng))
        with pytest.raises(Damaged):
            await store.claim("m1")
        assert await store.claim("m2") is not None
        await store._ask(lambda db: db.connection.execute("DELETE FROM log").rowcount)
        await store._ask(lambda db: db.connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", pristine).rowcount)
    kept = await store.claim("m1")
    assert kept is not None and kept.entries == entries(1, 20)


def _damage(db: sqlite3.Connection, rng: random.Random) -> None:
    n = rng.randrange(1, 21)
    how = rng.randrange(4)
    if how == 0:
        (blob,) = db.execute("SELECT entry FROM log WHERE n = ?", (n,)).fetchone()
        at = rng.randrange(len(blob))
        blob = blob[:at] + bytes([blob[at] ^ (1 << rng.randrange(8))]) + blob[at + 1 :]
        db.execute("UPDATE log SET entry = ? WHERE n = ?", (blob, n))
    elif how == 1:
        db.execute("DELETE FROM log WHERE n = ?", (n,))
    elif how == 2:
        db.execute("DELETE FROM log WHERE n >= ?", (n,))
    else:
        other = n % 20 + 1
        rows = dict(db.execute("SELECT n, entry FROM log WHERE n IN (?, ?)", (n, other)))
        db.execute("UPDATE log SET entry = ? WHERE n = ?", (rows[n], other))
        db.execute("UPDATE log SET entry = ? WHERE n = ?", (rows[other], n))


@pytest.mark.parametrize("blob", [b"", b"\xc1", b"\x90", b"\x91\xa1\xff"])
async def test_a_record_that_cannot_be_read_is_damage(store: SqliteStore, blob: bytes) -> None:
    await store._ask(lambda db: db.connection.execute("UPDATE matches SET record = ?", (blob,)).rowcount)
    with pytest.raises(Damaged):
        await store.claim("m1")
    assert store.healthy


async def test_requests_that_keep_coming_do_not_keep_the_store_from_recovering(
    disk: type[Disk], tmp_path: Path
) -> None:
    """By the clock, however busy: after a full disk a server has more requests than ever, all of them again."""
    clock = FakeClock()
    store = await SqliteStore.open(tmp_path / "db", lambda: TODAY, monotonic=clock.now)
    check = await filled(store, 2)
    disk.broken = True
    with pytest.raises(StoreError):
        await store.append("m1", 1, check, entries(3), None)
    for seconds in (1.9, 0.1, 1.9):
        clock.time += seconds
        assert not store.healthy
        with pytest.raises(StoreError):
            await store.append("m1", 1, check, entries(3), None)
    disk.broken = False
    clock.time += 0.2
    assert await store.append("m1", 1, check, entries(3), None) and store.healthy
    await store.close()


@pytest.mark.parametrize(("quiet", "overdue"), [(0.0, 20_000), (3600.0, 5)], ids=["quiet", "overdue"])
async def test_no_checkpoint_is_made_while_the_file_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: float, overdue: int
) -> None:
    for name, value in (("_TIDY", 5), ("_QUIET", quiet), ("_OVERDUE", overdue)):
        monkeypatch.setattr(f"server.storage.sqlite.{name}", value)
    store = await open_sqlite(tmp_path)
    check = await filled(store)
    await store.hold()
    before = (tmp_path / "db").read_bytes()
    for n in range(21, 81):
        check = await store.append("m1", 1, check, entries(n), None)
    assert (tmp_path / "db").read_bytes() == before
    await store.go_on()
    while (tmp_path / "db").read_bytes() == before:
        assert await store.by_code("") is None
    await store.close()


async def test_a_recovery_during_a_hold_is_told_to_the_copier(disk: type[Disk], tmp_path: Path) -> None:
    clock = FakeClock()
    store = await SqliteStore.open(tmp_path / "db", lambda: TODAY, monotonic=clock.now)
    check = await filled(store)
    first = await store.hold()
    assert await store.hold() == first
    disk.broken = True
    with pytest.raises(StoreError):
        await store.append("m1", 1, check, entries(21), None)
    disk.broken = False
    clock.time += 2.0
    check = await store.append("m1", 1, check, entries(21), None)
    assert await store.hold() != first
    before = (tmp_path / "db").read_bytes()
    await store.append("m1", 1, check, entries(22), None)
    assert (tmp_path / "db").read_bytes() == before, "it is held as before"
    await store.close()
