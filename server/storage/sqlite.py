"""The store in one SQLite file."""

import asyncio
import contextlib
import math
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from server.storage.port import FIRST_EPOCH, GENESIS, Damaged, Entry, Fenced, Stored, StoreError, TableRecord, chain
from shared.tables import TablePhase

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], Any]

_GROUP: Final = 256
"""Jobs that share one commit at most."""
_TIDY: Final = 200
_QUIET: Final = 0.5
"""After so many commits, so many seconds without a job: time for a checkpoint."""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS matches (
    match TEXT PRIMARY KEY, phase INTEGER NOT NULL, code TEXT NOT NULL, record BLOB NOT NULL,
    epoch INTEGER NOT NULL, n INTEGER NOT NULL, "check" BLOB NOT NULL, touched REAL NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS matches_by_phase ON matches (phase);
CREATE INDEX IF NOT EXISTS matches_by_code ON matches (code);
CREATE TABLE IF NOT EXISTS log (
    match TEXT NOT NULL, n INTEGER NOT NULL, entry BLOB NOT NULL, "check" BLOB NOT NULL, PRIMARY KEY (match, n)
) WITHOUT ROWID;
PRAGMA user_version = 2;
"""
_SAVE: Final = "UPDATE matches SET phase = ?, code = ?, record = ?, touched = ? WHERE match = ? AND epoch = ?"
_MOVE_HEAD: Final = """
UPDATE matches SET n = ?, "check" = ?, touched = ? WHERE match = ? AND epoch = ? AND n = ? AND "check" = ?
"""


class SqliteStore:
    """A store in one file, written by one thread that commits together whatever waits (group commit)."""

    def __init__(self, path: Path, now: Callable[[], float]) -> None:
        self._path = path
        self._now = now
        self._jobs: queue.SimpleQueue[tuple[Work, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self.healthy = True
        self._commits = 0

    @classmethod
    async def open(cls, path: Path, now: Callable[[], float] = time.time) -> "SqliteStore":
        """Open or make the file; `now` tells the date. StoreError says in one sentence why it cannot be used."""
        path.parent.mkdir(parents=True, exist_ok=True)
        store = cls(path, now)
        store._thread.start()
        await store._opened
        return store

    async def create(self, table: TableRecord) -> None:
        """See Store."""
        blob = msgspec.msgpack.encode(table)
        row = (table.match, table.phase, table.code, blob, FIRST_EPOCH, 0, GENESIS, self._now())

        def work(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

        await self._do(work)

    async def save(self, table: TableRecord, epoch: int) -> None:
        """See Store."""
        await self._do(_saver(table, epoch, self._now()))

    def append(
        self, match: str, epoch: int, check: bytes, entries: Sequence[Entry], table: TableRecord | None
    ) -> "asyncio.Future[bytes]":
        """See Store."""
        rows = []
        after = check
        for entry in entries:
            blob = msgspec.msgpack.encode(entry)
            after = chain(after, blob)
            rows.append((match, entry.n, blob, after))
        now = self._now()
        head = (entries[-1].n, after, now, match, epoch, entries[0].n - 1, check)
        save = _saver(table, epoch, now) if table else None

        def work(db: sqlite3.Connection) -> bytes:
            _change(db, _MOVE_HEAD, head)
            db.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", rows)
            if save:
                save(db)
            return after

        return self._ask(work)

    async def claim(self, match: str) -> Stored | None:
        """See Store."""
        return await self._do(lambda db: _claim(db, match))

    async def unfinished(self, within: float = math.inf) -> list[str]:
        """See Store."""
        query = "SELECT match FROM matches WHERE phase < ? AND touched >= ?"
        since = self._now() - within
        return await self._do(lambda db: [match for (match,) in db.execute(query, (TablePhase.OVER, since))])

    async def by_code(self, code: str) -> str | None:
        """See Store."""

        def work(db: sqlite3.Connection) -> str | None:
            row = db.execute("SELECT match FROM matches WHERE code = ?", (code,)).fetchone()
            return row[0] if row else None

        return await self._do(work)

    async def delete(self, match: str, epoch: int) -> None:
        """See Store."""

        def work(db: sqlite3.Connection) -> None:
            _change(db, "DELETE FROM matches WHERE match = ? AND epoch = ?", (match, epoch))
            db.execute("DELETE FROM log WHERE match = ?", (match,))

        await self._do(work)

    async def close(self) -> None:
        """See Store."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._ask(work)

    def _ask(self, work: Callable[[sqlite3.Connection], T]) -> "asyncio.Future[T]":
        done: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put((work, done))
        return done

    # Everything below runs in the writer's thread.

    def _run(self) -> None:
        try:
            db = _connect(self._path, self._now())
        except sqlite3.Error as error:
            reason = StoreError(f"Cannot use {self._path}: {error}.")
            self._loop.call_soon_threadsafe(self._opened.set_exception, reason)
            return
        self._loop.call_soon_threadsafe(self._opened.set_result, None)
        going_on = True
        while going_on:
            batch = [self._wait(db)]
            while len(batch) < _GROUP and not self._jobs.empty():
                batch.append(self._jobs.get())
            going_on = None not in batch
            self._commit(db, [job for job in batch if job is not None])
        db.close()

    def _wait(self, db: sqlite3.Connection) -> tuple[Work, asyncio.Future[Any]] | None:
        """The next job. A checkpoint holds commits up for milliseconds: it is made when nobody asks for anything."""
        if self._commits >= _TIDY:
            try:
                return self._jobs.get(timeout=_QUIET)
            except queue.Empty:
                # What fails here is tried again later; the log itself is safe.
                with contextlib.suppress(sqlite3.Error):
                    db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
                self._commits = 0
        return self._jobs.get()

    def _commit(self, db: sqlite3.Connection, jobs: list[tuple[Work, asyncio.Future[Any]]]) -> None:
        """Do all in one transaction; each that fails by itself is undone by itself."""
        results: list[object] = []
        try:
            if not self.healthy:
                raise StoreError("The server cannot save anything until it is restarted.")
            self._commits += 1
            results = _transaction(db, [work for work, _ in jobs])
        except (sqlite3.Error, StoreError) as error:
            # After a failed sync nobody knows what the disk holds: no more promises before a restart reads it.
            self.healthy = False
            results = [StoreError(f"The server cannot save: {error}.")] * len(jobs)
        answers = [(done, result) for (_, done), result in zip(jobs, results, strict=True)]
        self._loop.call_soon_threadsafe(_answer, answers)


def _answer(answers: list[tuple[asyncio.Future[Any], object]]) -> None:
    for done, result in answers:
        if done.cancelled():
            continue
        if isinstance(result, StoreError):
            done.set_exception(result)
        else:
            done.set_result(result)


def _transaction(db: sqlite3.Connection, jobs: list[Work]) -> list[object]:
    """Results, durable, or the StoreError of each that failed. Raises sqlite3.Error: nothing was kept."""
    db.execute("BEGIN IMMEDIATE")
    if len(jobs) == 1:
        # By far the most frequent: the transaction itself can undo it.
        result = _attempt(db, jobs[0])
        db.execute("ROLLBACK" if isinstance(result, StoreError) else "COMMIT")
        return [result]
    results = [_undoable(db, work) for work in jobs]
    db.execute("COMMIT")
    return results


def _undoable(db: sqlite3.Connection, work: Work) -> object:
    db.execute("SAVEPOINT job")
    result = _attempt(db, work)
    if isinstance(result, StoreError):
        db.execute("ROLLBACK TO job")
    db.execute("RELEASE job")
    return result


def _attempt(db: sqlite3.Connection, work: Work) -> object:
    try:
        return work(db)
    except StoreError as error:
        return error
    except sqlite3.Error as error:
        return StoreError(f"The server could not save this: {error}.")


def _connect(path: Path, now: float) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, timeout=0.0)
    # Exclusive: a second server on the same file is told so at once instead of being fenced later.
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    # See `_wait`; this is for a server that never has a quiet moment.
    db.execute("PRAGMA wal_autocheckpoint = 8000")
    if db.execute("PRAGMA user_version").fetchone() == (1,):
        db.execute("ALTER TABLE matches ADD COLUMN touched REAL NOT NULL DEFAULT 0")
        db.execute("UPDATE matches SET touched = ?", (now,))
    db.executescript(_SCHEMA)
    return db


def _saver(table: TableRecord, epoch: int, now: float) -> Callable[[sqlite3.Connection], None]:
    # Encoded now: the record goes on changing while the job waits.
    row = (table.phase, table.code, msgspec.msgpack.encode(table), now, table.match, epoch)
    return lambda db: _change(db, _SAVE, row)


def _change(db: sqlite3.Connection, statement: str, values: tuple[Any, ...]) -> None:
    """Change the one row of a match, as its owner. Raises Fenced for everybody else."""
    if db.execute(statement, values).rowcount != 1:
        raise Fenced("This match is run by another server now.")


def _claim(db: sqlite3.Connection, match: str) -> Stored | None:
    db.execute("UPDATE matches SET epoch = epoch + 1 WHERE match = ?", (match,))
    query = 'SELECT record, epoch, n, "check" FROM matches WHERE match = ?'
    row = db.execute(query, (match,)).fetchone()
    if row is None:
        return None
    record, epoch, length, head = row
    entries: list[Entry] = []
    check = GENESIS
    try:
        table = msgspec.msgpack.decode(record, type=TableRecord)
        query = 'SELECT n, entry, "check" FROM log WHERE match = ? ORDER BY n'
        for n, blob, kept in db.execute(query, (match,)):
            check = chain(check, blob)
            entry = msgspec.msgpack.decode(blob, type=Entry)
            if check != kept or n != entry.n or n != len(entries) + 1:
                raise Damaged(f"Entry {n} of match {match} is damaged.")
            entries.append(entry)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Damaged(f"The record of match {match} is damaged.") from None
    if (len(entries), check) != (length, head):
        raise Damaged(f"The log of match {match} is not complete.")
    return Stored(table, epoch, entries, check)
