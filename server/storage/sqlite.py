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

from server import log
from server.storage.database import Database, Job, why_not
from server.storage.platform import Platform, System, make_directory
from server.storage.port import (
    Bars,
    DeedRecord,
    Fit,
    Glance,
    Past,
    PersonRecord,
    Store,
    StoredMatch,
    StoreError,
    TableRecord,
)
from server.storage.rows import PEOPLE, encoded, last_check, log_rows
from shared.history import Entry

T = TypeVar("T")

_GROUP: Final = 256
"""Jobs that share one commit at most."""
_TIDY: Final = 200
_QUIET: Final = 0.5
"""After `_TIDY` commits, a pause of `_QUIET` seconds without a job is used for a checkpoint."""
_OVERDUE: Final = 20_000
"""Commits after which a checkpoint is made without such a pause."""
_PROBE: Final = 2.0
"""Seconds between two tries to recover from a failure."""


class SqliteStore(Store):
    """Store in one file, written by one thread that commits all waiting jobs together (group commit)."""

    shared = False

    def __init__(self, database: Database, path: Path, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._monotonic = monotonic
        self._path = path
        self._jobs: queue.SimpleQueue[tuple[Job, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self.healthy = True
        self._commits = 0
        self._errands: queue.SimpleQueue[tuple[Job, asyncio.Future[Any]]] = queue.SimpleQueue()
        self._still = False
        self._repairs = 0
        """Number of recoveries; each writes to the file, even while it is held."""
        self._probe_at = 0.0
        """When the next try to recover is due, while the store is unhealthy."""

    @classmethod
    async def open(
        cls,
        path: Path,
        now: Callable[[], float] = time.time,
        platform: Platform | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> "SqliteStore":
        """Open or create the file. `now` returns the date, `monotonic` a rising clock, both in seconds.

        StoreError gives the reason of a failure in one sentence.
        """
        store = cls(Database(platform or System(), path, now), path, monotonic)
        store._thread.start()
        await store._opened
        return store

    async def create(self, table: TableRecord) -> None:
        match, record = table.match, encoded(table)
        await self._ask(lambda db: db.create(match, record))

    async def save(self, table: TableRecord, epoch: int) -> None:
        match, record = table.match, encoded(table)
        await self._ask(lambda db: db.save(match, record, epoch))

    async def release(self, table: TableRecord, epoch: int) -> None:
        match, record = table.match, encoded(table)
        await self._ask(lambda db: db.release(match, record, epoch))

    async def release_all(self, held: Sequence[tuple[TableRecord, int]]) -> None:
        rows = [(table.match, encoded(table), epoch) for table, epoch in held]
        await self._ask(lambda db: db.release_all(rows))

    def append(
        self, match: str, epoch: int, check: bytes, entries: Sequence[Entry], table: TableRecord | None
    ) -> "asyncio.Future[bytes]":
        # Encoded here, in the loop's thread: afterwards the caller may change what it passed.
        rows = log_rows(check, entries)
        record = None if table is None else encoded(table)

        def work(db: Database) -> bytes:
            db.append(match, epoch, check, rows)
            if record is not None:
                db.save(match, record, epoch)
            return last_check(rows)

        return self._ask(work)

    async def claim(self, match: str, fit: Fit | None = None) -> StoredMatch | None:
        return await self._ask(lambda db: db.claim(match, fit))

    async def read(self, match: str, first: int, count: int) -> list[bytes]:
        return await self._ask(lambda db: db.read(match, first, count))

    async def unfinished(self, within: float = math.inf) -> list[str]:
        return await self._ask(lambda db: db.unfinished(within))

    async def due(self) -> dict[str, int]:
        return await self._ask(lambda db: db.due())

    async def age(self) -> int:
        return await self._ask(lambda db: db.age())

    async def keep_age(self, age: int) -> int:
        return await self._ask(lambda db: db.keep_age(age))

    async def by_code(self, code: str) -> str | None:
        return await self._ask(lambda db: db.by_code(code))

    async def look(self, match: str) -> Glance | None:
        return await self._ask(lambda db: db.look(match))

    async def past(self, below: int, ruleset: str, count: int) -> list[Past]:
        return await self._ask(lambda db: db.past(below, ruleset, count))

    async def over_since(self, date: float) -> list[str]:
        return await self._ask(lambda db: db.over_since(date))

    async def unplayed(self, since: float, before: float) -> list[str]:
        return await self._ask(lambda db: db.unplayed(since, before))

    async def matches_of(self, person: str) -> list[str]:
        return await self._ask(lambda db: db.matches_of(person))

    async def people(self) -> list[PersonRecord]:
        return await self._ask(lambda db: db.people())

    async def keep_person(self, person: PersonRecord, bars: Bars | None = None) -> None:
        await self._ask(lambda db: db.keep_person(person))

    async def forget_person(self, person: str) -> None:
        await self._ask(lambda db: db.forget_single(PEOPLE, person))

    async def deeds(self) -> list[DeedRecord]:
        return await self._ask(lambda db: db.deeds())

    async def keep_deed(self, deed: DeedRecord) -> None:
        await self._ask(lambda db: db.keep_deed(deed))

    async def scrub(self) -> None:
        """Empty the write-ahead log, which keeps replaced rows; the file itself overwrites them at once.

        While a copy is made, this is left to the next checkpoint.
        """
        if not self._still:
            await self._send(lambda db: db.scrub())

    async def delete(self, match: str, epoch: int) -> None:
        await self._ask(lambda db: db.delete(match, epoch))

    async def hold(self) -> int:
        """Move everything into the file and leave it unchanged until `go_on`, so that another process can copy it.

        Return the number of recoveries from failures. A recovery writes to the file all the same: a copy is sound only
        if `hold` returns the same number after it as before. Raises StoreError.
        """
        await self._send(self._settle)
        return self._repairs

    async def go_on(self) -> None:
        """Allow changes of the file again. Raises StoreError."""
        await self._send(self._let_go)

    async def close(self) -> None:
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _ask(self, work: Callable[[Database], T]) -> "asyncio.Future[T]":
        done: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put((work, done))
        return done

    def _send(self, errand: Job) -> "asyncio.Future[None]":
        """Run a job between two transactions that is impossible inside one."""
        done: asyncio.Future[None] = self._loop.create_future()
        self._errands.put((errand, done))
        # An empty job wakes the thread, which runs errands after each batch.
        self._ask(lambda db: None)
        return done

    # Everything below runs in the writer's thread.

    def _run(self) -> None:
        try:
            make_directory(self._path.parent)
            self._database.open()
        except (sqlite3.Error, OSError, StoreError) as error:
            self._loop.call_soon_threadsafe(self._opened.set_exception, why_not(self._path, error))
            return
        self._loop.call_soon_threadsafe(self._opened.set_result, None)
        going_on = True
        while going_on:
            batch = [self._wait()]
            # All that waits shares one sync of the disk; under load that is what makes the store fast.
            while len(batch) < _GROUP and not self._jobs.empty():
                batch.append(self._jobs.get())
            # The jobs in front of the end mark are still committed.
            going_on = None not in batch
            self._commit([job for job in batch if job is not None])
            while not self._errands.empty():
                self._run_errand(*self._errands.get())
        with contextlib.suppress(sqlite3.Error):
            self._database.close()

    def _run_errand(self, errand: Job, done: asyncio.Future[Any]) -> None:
        result: object = None
        try:
            errand(self._database)
        except sqlite3.Error as error:
            result = StoreError(f"The server cannot do that now: {error}.")
        self._loop.call_soon_threadsafe(_answer, [(done, result)])

    # Both set the flag in this thread: a checkpoint between the errand and a flag set later would spoil a copy.

    def _settle(self, database: Database) -> None:
        database.settle()
        self._still = True

    def _let_go(self, database: Database) -> None:
        self._still = False
        database.go_on()

    def _wait(self) -> tuple[Job, asyncio.Future[Any]] | None:
        """Wait for the next job.

        A checkpoint delays commits by milliseconds, so it is made when no job waits.
        """
        while not self.healthy:
            job, found = self._next_job_within(self._probe_at - self._monotonic())
            # By the clock, not after silence: requests that keep coming must not keep the store from recovering.
            if self._monotonic() >= self._probe_at:
                self._come_back()
                self._probe_at = self._monotonic() + _PROBE
            if found:
                return job
        if self._still:
            return self._jobs.get()
        if _TIDY <= self._commits < _OVERDUE:
            with contextlib.suppress(queue.Empty):
                return self._jobs.get(timeout=_QUIET)
        if self._commits >= _TIDY:
            # A failed checkpoint is tried again later; the log itself is safe.
            with contextlib.suppress(sqlite3.Error, OSError):
                self._database.checkpoint()
            self._commits = 0
        return self._jobs.get()

    def _next_job_within(self, seconds: float) -> tuple[tuple[Job, asyncio.Future[Any]] | None, bool]:
        """Return the next job if it comes in time, and whether it came. The job None marks the end of all jobs."""
        try:
            return self._jobs.get(timeout=max(0.0, seconds)), True
        except queue.Empty:
            return None, False

    def _come_back(self) -> None:
        """Try to recover from a failure: the disk may take writes again."""
        self._repairs += 1
        try:
            self._database.open_again()
            if self._still:
                self._database.settle()
        except (sqlite3.Error, OSError, StoreError) as error:
            log.warning("still-unhealthy", error=str(error))
            return
        self.healthy = True
        log.info("healthy-again")

    def _commit(self, jobs: list[tuple[Job, asyncio.Future[Any]]]) -> None:
        """Run all jobs in one transaction; each failing job is undone by itself."""
        results: list[object] = []
        try:
            if not self.healthy:
                raise StoreError("The server cannot save anything just now; please try again in a moment.")
            self._commits += 1
            results = self._database.transaction([work for work, _ in jobs])
        except (sqlite3.Error, OSError, StoreError) as error:
            if self.healthy:
                # After a failed sync the content of the disk is unknown: nothing is accepted before it was read again.
                self.healthy = False
                self._probe_at = self._monotonic() + _PROBE
                log.warning("unhealthy", error=str(error))
            results = [StoreError(f"The server cannot save: {str(error).rstrip('.')}.")] * len(jobs)
        answers = [(done, result) for (_, done), result in zip(jobs, results, strict=True)]
        # One call for all answers of a batch: waking the loop costs more than answering.
        self._loop.call_soon_threadsafe(_answer, answers)


def _answer(answers: list[tuple[asyncio.Future[Any], object]]) -> None:
    for done, result in answers:
        # The caller may have gone; what it asked for is durable all the same.
        if done.cancelled():
            continue
        if isinstance(result, StoreError):
            done.set_exception(result)
        else:
            done.set_result(result)
