"""What is acknowledged is kept, in order, by one owner; what is damaged is noticed."""

import asyncio
import contextlib
import random
import sqlite3
from pathlib import Path

import pytest

from server.storage.port import GENESIS, ChairRecord, Damaged, Entry, Fenced, StoreError, TableRecord
from server.storage.sqlite import SqliteStore


def record(match: str = "m1", **changed: object) -> TableRecord:
    table = TableRecord(match, "toy", 1, {"rounds": 3}, "Title", True, "CODE", 0, 0, [ChairRecord(), ChairRecord()])
    for key, value in changed.items():
        setattr(table, key, value)
    return table


def entries(first: int, count: int) -> list[Entry]:
    return [Entry(n, n % 2, n, 7, bytes([n % 256]) * 5) for n in range(first, first + count)]


async def filled(path: Path, count: int = 20) -> SqliteStore:
    store = await SqliteStore.open(path)
    await store.create(record())
    check = GENESIS
    for n in range(1, count + 1, 2):
        check = await store.append("m1", 1, check, entries(n, 2), None)
    return store


async def test_what_was_kept_is_there_after_opening_again(tmp_path: Path) -> None:
    store = await filled(tmp_path / "db")
    await store.save(record(title="Changed", phase=1), 1)
    await store.close()
    store = await SqliteStore.open(tmp_path / "db")
    kept = await store.claim("m1")
    assert kept is not None and kept.table.title == "Changed"
    assert kept.entries == entries(1, 20)
    assert kept.epoch == 2
    assert await store.unfinished() == ["m1"] and await store.by_code("CODE") == "m1"
    await store.append("m1", kept.epoch, kept.check, entries(21, 1), record(phase=2))
    assert await store.unfinished() == []
    await store.delete("m1", 2)
    assert await store.claim("m1") is None
    await store.close()


async def test_what_nobody_touched_for_long_is_no_longer_woken(tmp_path: Path) -> None:
    today = 0.0
    store = await SqliteStore.open(tmp_path / "db", lambda: today)
    for match in ("m1", "m2", "m3"):
        await store.create(record(match))
    today = 20.0
    await store.append("m1", 1, GENESIS, entries(1, 1), None)
    await store.save(record("m2"), 1)
    assert await store.unfinished(30) == ["m1", "m2", "m3"]
    today = 40.0
    assert await store.unfinished(30) == ["m1", "m2"]
    assert await store.claim("m3") is not None
    await store.close()


async def test_a_file_of_the_first_version_is_taken_over(tmp_path: Path) -> None:
    await (await filled(tmp_path / "db")).close()
    with contextlib.closing(sqlite3.connect(tmp_path / "db")) as db:
        db.executescript("ALTER TABLE matches DROP COLUMN touched; PRAGMA user_version = 1")
    store = await SqliteStore.open(tmp_path / "db")
    assert await store.unfinished(60) == ["m1"]
    assert (await store.claim("m1")) is not None
    await store.close()


async def test_a_quiet_moment_is_used_for_a_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.storage.sqlite._TIDY", 5)
    monkeypatch.setattr("server.storage.sqlite._QUIET", 0.0)
    store = await filled(tmp_path / "db", 40)
    while (tmp_path / "db").stat().st_size < 3 * 4096:
        await store.by_code("")
    kept = await store.claim("m1")
    assert kept is not None and kept.entries == entries(1, 40)
    await store.close()


async def test_an_append_that_does_not_follow_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    store = await filled(tmp_path / "db")
    kept = await store.claim("m1")
    assert kept is not None
    for epoch, check, first in ((1, kept.check, 21), (2, GENESIS, 21), (2, kept.check, 22), (2, kept.check, 20)):
        with pytest.raises(Fenced):
            await store.append("m1", epoch, check, entries(first, 2), record(phase=2))
    again = await store.claim("m1")
    assert again is not None and again.entries == kept.entries and again.table.phase == 0
    assert store.healthy
    await store.close()


async def test_one_failure_in_a_group_fails_alone(tmp_path: Path) -> None:
    store = await filled(tmp_path / "db", 0)
    jobs = [
        store.append("m1", 1, GENESIS, entries(1, 2), None),
        store.append("m1", 1, GENESIS, entries(1, 2), None),
        store.create(record("m2")),
    ]
    results = await asyncio.gather(*jobs, return_exceptions=True)
    assert isinstance(results[0], bytes) and isinstance(results[1], Fenced) and results[2] is None
    await store.close()


async def test_a_second_server_on_the_same_file_is_told_in_one_sentence(tmp_path: Path) -> None:
    store = await filled(tmp_path / "db")
    with pytest.raises(StoreError, match=r"Cannot use .*locked"):
        await SqliteStore.open(tmp_path / "db")
    await store.close()


async def test_after_a_failed_commit_nothing_is_promised_any_more(tmp_path: Path) -> None:
    class Full(sqlite3.Connection):
        broken = False

        def execute(self, sql: str, *rest: object) -> sqlite3.Cursor:
            if Full.broken and sql == "COMMIT":
                raise sqlite3.OperationalError("disk I/O error")
            return super().execute(sql, *rest)  # type: ignore[arg-type]

    connect = sqlite3.connect
    patch = pytest.MonkeyPatch()
    patch.setattr(sqlite3, "connect", lambda *args, **kwargs: connect(*args, factory=Full, **kwargs))
    store = await filled(tmp_path / "db", 2)
    Full.broken = True
    with pytest.raises(StoreError):
        await store.save(record(title="Lost"), 1)
    Full.broken = False
    assert not store.healthy
    with pytest.raises(StoreError):
        await store.save(record(title="Late"), 1)
    await store.close()
    patch.undo()
    store = await SqliteStore.open(tmp_path / "db")
    kept = await store.claim("m1")
    assert kept is not None and kept.table.title == "Title" and len(kept.entries) == 2
    await store.close()


@pytest.mark.parametrize("seed", range(5))
async def test_any_changed_byte_missing_or_swapped_entry_is_noticed(tmp_path: Path, seed: int) -> None:
    store = await filled(tmp_path / "db")
    await store.create(record("m2"))
    await store.close()
    rng = random.Random(seed)
    pristine = (tmp_path / "db").read_bytes()
    for _ in range(30):
        (tmp_path / "db").write_bytes(pristine)
        _damage(tmp_path / "db", rng)
        store = await SqliteStore.open(tmp_path / "db")
        with pytest.raises(Damaged):
            await store.claim("m1")
        assert await store.claim("m2") is not None
        await store.close()


def _damage(path: Path, rng: random.Random) -> None:
    db = sqlite3.connect(path)
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
    db.commit()
    db.close()
