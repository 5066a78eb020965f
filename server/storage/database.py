"""The database file, each row with a seal, and its file of last acknowledged versions. Synchronous, for one thread.

No look-up uses an index of SQLite: entries that a damaged index has lost would go unnoticed. All rows are checked when
the file is opened, and a match's row and whole log before it is served.
"""

import contextlib
import hashlib
import os
import sqlite3
import struct
import zlib
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct, structs

from server import log
from server.storage.platform import Platform, Tail
from server.storage.port import (
    FIRST_EPOCH,
    Damaged,
    DeedRecord,
    Fenced,
    Fit,
    Glance,
    Past,
    PersonRecord,
    StoredMatch,
    StoreError,
    Taken,
)
from server.storage.rows import (
    DEEDS,
    KEYS,
    PEOPLE,
    Kept,
    Row,
    checked_rows,
    columns_of,
    encoded,
    in_order,
    single_of,
    stored,
)
from shared.history import GENESIS
from shared.tables import TablePhase

_RECORD: Final = struct.Struct(">26sI16s")
_SUM: Final = struct.Struct(">I")
_SIZE: Final = _RECORD.size + _SUM.size
_SPARE: Final = 1000
"""Records that the file may hold in addition to two for each match."""
_GONE: Final = 2**32 - 1
"""`written` of a match that was deleted."""


class RowMark(Struct, frozen=True):
    """State of a match after its `written`-th change: the seal of its row."""

    written: int
    seal: bytes


class LastAcknowledged:
    """The marks of all matches, in memory and in a file."""

    def __init__(self, platform: Platform, path: Path) -> None:
        self._platform = platform
        self._path = path
        self.marks: dict[str, RowMark] = {}
        self.damaged = 0
        """Bytes of the file that cannot be read; a torn end is no damage."""
        data = platform.read(path)
        self._read(data)
        self._size = len(data)
        if self._is_long() or len(data) % _SIZE:
            self._rewrite_marks()
        self._tail: Tail = platform.tail(path)

    def note(self, changed: Mapping[str, RowMark | None]) -> None:
        """Note matches that were durably changed or (None) are deleted. Raises OSError."""
        data = b"".join(_written(match, mark) for match, mark in changed.items())
        # Before memory changes: if the disk is full, the marks are those of the file.
        self._tail.write(data)
        self._size += len(data)
        for match, mark in changed.items():
            self._take(match, mark)

    def sync(self) -> None:
        """Sync the file, and rewrite it without replaced records if most of it is replaced.

        Raises OSError.
        """
        if not self._is_long():
            return self._tail.sync()
        self._tail.close()
        try:
            self._rewrite_marks()
        finally:
            self._tail = self._platform.tail(self._path)

    def close(self) -> None:
        """Close the file."""
        self._tail.close()

    def _read(self, data: bytes) -> None:
        for at in range(0, len(data) - _SIZE + 1, _SIZE):
            body = data[at : at + _RECORD.size]
            if _SUM.pack(zlib.crc32(body)) == data[at + _RECORD.size : at + _SIZE]:
                match, written, seal = _RECORD.unpack(body)
                name = match.rstrip(b"\0").decode("ascii", "replace")
                self._take(name, None if written == _GONE else RowMark(written, seal))
            # The last record may be torn by a crash in mid-write: it was not acknowledged, so nothing is lost.
            elif at + 2 * _SIZE <= len(data):
                self.damaged += _SIZE

    def _take(self, match: str, mark: RowMark | None) -> None:
        if mark is None:
            self.marks.pop(match, None)
        else:
            self.marks[match] = mark

    def _is_long(self) -> bool:
        # Twice what is needed, so that rewriting stays rare however many matches there are.
        return self._size > _SIZE * (2 * len(self.marks) + _SPARE)

    def _rewrite_marks(self) -> None:
        data = b"".join(_written(match, mark) for match, mark in self.marks.items())
        self._platform.replace(self._path, data)
        self._size = len(data)


def _written(match: str, mark: RowMark | None) -> bytes:
    written, seal = (_GONE, b"") if mark is None else (mark.written, mark.seal)
    body = _RECORD.pack(match.encode(), written, seal)
    return body + _SUM.pack(zlib.crc32(body))


SCHEMA: Final = 6
_PAGES: Final = 8000
"""Pages of the write-ahead log that force a checkpoint even while the server is busy."""
_COLUMNS: Final = {
    "matches": ("match", "record", "epoch", "n", "check", "touched", "written", "seal"),
    "log": ("match", "n", "entry", "check"),
    **{table: (key, "record", "seal") for table, key in KEYS.items()},
    "life": ("id", "age", "seal"),
}
_CREATE_MATCHES: Final = """
CREATE TABLE matches (
    match TEXT PRIMARY KEY, record BLOB NOT NULL, epoch INTEGER NOT NULL, n INTEGER NOT NULL, "check" BLOB NOT NULL,
    touched REAL NOT NULL, written INTEGER NOT NULL, seal BLOB NOT NULL
) WITHOUT ROWID
"""
_CREATE_LOG: Final = """
CREATE TABLE log (
    match TEXT NOT NULL, n INTEGER NOT NULL, entry BLOB NOT NULL, "check" BLOB NOT NULL, PRIMARY KEY (match, n)
) WITHOUT ROWID
"""
_CREATE_SINGLE: Final = """
CREATE TABLE {} ({} TEXT PRIMARY KEY, record BLOB NOT NULL, seal BLOB NOT NULL) WITHOUT ROWID
"""
_CREATE_LIFE: Final = "CREATE TABLE life (id INTEGER PRIMARY KEY, age INTEGER NOT NULL, seal BLOB NOT NULL)"
_SELECT: Final = 'SELECT match, record, epoch, n, "check", touched, written, seal FROM matches'
_PUT: Final = "INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class MatchFacts(Struct, frozen=True):
    """Facts of a match that are known without waking it."""

    phase: TablePhase
    code: str
    touched: float
    people: Sequence[str]
    due: int
    public: tuple[float, str] | None
    """When it ended, and its rule set, if it is over and was open to all."""
    unplayed: bool


class Outdated(StoreError):
    """The file cannot be used by this version of the server."""


def why_not(path: Path, error: Exception) -> StoreError:
    """Return an error that says in a sentence why a file cannot be used, and what to do."""
    if "locked" in str(error):
        advice = "stop it first (conquest-server admin drain), or give another directory with --data"
        return StoreError(f"A server or another command uses {path}; {advice}.")
    file, what, advice = path, str(error).rstrip("."), "restore a backup"
    if isinstance(error, Outdated):
        advice = "update this server, restore a backup"
    elif isinstance(error, OSError):
        file, what, advice = error.filename or path, error.strerror or what, "mend that"
    # SQLite says "disk I/O error" of files that it may not write.
    may_write = all(os.access(each, os.R_OK | os.W_OK) for each in (path, path.parent))
    if isinstance(error, PermissionError) or (isinstance(error, sqlite3.OperationalError) and not may_write):
        what, advice = "Permission denied", "run this as its owner"
    return StoreError(f"Cannot use {file}: {what}; {advice}, or give another directory with --data.")


Job: TypeAlias = Callable[["Database"], Any]
"""A part of a transaction. If it raises StoreError, only this part is undone."""


class Database:
    """Database file with its witness; opened by `open`, and again after a failure."""

    def __init__(self, platform: Platform, path: Path, now: Callable[[], float]) -> None:
        self._platform = platform
        self._path = path
        self._now = now
        self.connection: sqlite3.Connection
        """Connection to SQLite; it exists after `open`."""
        self._last_acknowledged: LastAcknowledged
        self._changed: dict[str, Row | None] = {}
        self._listed: dict[str, MatchFacts] = {}
        self._codes: dict[str, str] = {}
        self._past: list[tuple[float, str]] = []
        """Finished matches that are open to all, by the date of their end."""
        self._seats: dict[str, set[str]] = {}
        """By person, the matches in which they have a seat or a name."""

    # --- the file ---

    def open(self) -> None:
        """Open or create the file and check all matches. Raises StoreError, sqlite3.Error, OSError."""
        self.connection = self._platform.connect(self._path)
        try:
            self._prepare()
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self.connection.close()
            raise
        self._last_acknowledged = LastAcknowledged(self._platform, self._path.with_name(self._path.name + ".heads"))
        if self._last_acknowledged.damaged:
            log.warning("witness-damaged", bytes=self._last_acknowledged.damaged)
        self._look_at_all()

    def open_again(self) -> None:
        """Open the file again after a failure with an unknown outcome; from now on only durable data is read.

        The checkpoint writes and syncs everything again, including data that a failed sync may have dropped silently.
        Raises as `open`.
        """
        with contextlib.suppress(sqlite3.Error, OSError, AttributeError):
            self.connection.close()
            self._last_acknowledged.close()
        self.open()
        busy, *_ = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise sqlite3.OperationalError("the write-ahead log cannot be emptied")
        self.transaction([lambda db: db.connection.execute(f"PRAGMA user_version = {SCHEMA}")])
        self._last_acknowledged.sync()

    def transaction(self, jobs: Sequence[Job]) -> list[Any]:
        """Run jobs in one transaction; return the durable results, or the StoreError of each failed job.

        Raises sqlite3.Error or OSError if the outcome is unknown.
        """
        self._changed = {}
        self.connection.execute("BEGIN IMMEDIATE")
        if len(jobs) == 1:
            # The most frequent case by far: the transaction itself can undo a single job.
            results = [self._attempt(jobs[0])]
        else:
            results = [self._undoable(job) for job in jobs]
        if len(jobs) == 1 and isinstance(results[0], StoreError):
            self.connection.execute("ROLLBACK")
        else:
            self._commit()
        return results

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file. Raises sqlite3.Error, OSError."""
        self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self._last_acknowledged.sync()

    def scrub(self) -> None:
        """Empty the write-ahead log, so that no replaced rows are left. Raises sqlite3.Error."""
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def settle(self) -> None:
        """Move everything into the file, which stays unchanged until `go_on`. Raises sqlite3.Error."""
        self.connection.execute("PRAGMA wal_autocheckpoint = 0")
        busy, *_ = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            self.go_on()
            raise sqlite3.OperationalError("the write-ahead log cannot be emptied")

    def go_on(self) -> None:
        """Allow writes to the file again. Raises sqlite3.Error."""
        self.connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES}")

    def close(self) -> None:
        """Close the files."""
        with contextlib.suppress(OSError):
            self._last_acknowledged.sync()
        self.connection.close()
        self._last_acknowledged.close()

    # --- jobs of transactions ---

    def create(self, match: str, record: bytes) -> None:
        """Store the encoded record of a new table. Raises Taken."""
        if self.row(match) is not None:
            raise Taken(f"There is a match {match} already.")
        self._put(Row(match, record, FIRST_EPOCH, 0, GENESIS, self._now()))

    def save(self, match: str, record: bytes, epoch: int) -> None:
        """Store a changed record, which is encoded. Raises Fenced."""
        self._put(structs.replace(self._owned(match, epoch), record=record, touched=self._now()))

    def release(self, match: str, record: bytes, epoch: int) -> None:
        """Store a record, which is encoded, if it has changed. Raises Fenced."""
        if self._owned(match, epoch).record != record:
            self.save(match, record, epoch)

    def release_all(self, held: Sequence[tuple[str, bytes, int]]) -> None:
        """Release matches, given with records and epochs; matches with another owner by now are left out."""
        for match, record, epoch in held:
            with contextlib.suppress(Fenced):
                self.release(match, record, epoch)

    def append(self, match: str, epoch: int, check: bytes, entries: Sequence[Kept]) -> None:
        """Append rows of a log behind the entry whose check is `check`. Raises Fenced."""
        row = self._owned(match, epoch)
        first, (last, _, after) = entries[0][0], entries[-1]
        # Number and check together are the lock: two writers cannot both follow the same entry.
        if (row.n, row.check) != (first - 1, check):
            raise Fenced("This match is run by another server now.")
        self._put(structs.replace(row, n=last, check=after, touched=self._now()))
        self.connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", [(match, *entry) for entry in entries])

    def claim(self, match: str, fit: Fit | None = None) -> StoredMatch | None:
        """Return a match as it is stored, after making this server its owner; None if there is none. Raises Damaged."""
        row = self.row(match)
        if row is None:
            return None
        table = row.table
        if fit is not None:
            fit(table)
        # A new epoch fences every earlier owner, even one that is this very process.
        claimed = structs.replace(row, epoch=row.epoch + 1)
        # A list: an error would keep the cursor of a half-read log alive, and with it the lock of the file.
        found = stored(claimed, table, list(self.log(match)))
        self._put(claimed)
        return found

    def adopt(self, row: Row, log: Sequence[Kept]) -> None:
        """Store a match of another store, with its whole log, in place of what is stored here."""
        self._put(row)
        self.connection.execute("DELETE FROM log WHERE match = ?", (row.match,))
        self.connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", [(row.match, *entry) for entry in log])

    def delete(self, match: str, epoch: int) -> None:
        """Delete a table and its log. Raises Fenced."""
        self._owned(match, epoch)
        self.drop(match)

    def drop(self, match: str) -> None:
        """Delete a table and its log regardless of the owner."""
        self.connection.execute("DELETE FROM matches WHERE match = ?", (match,))
        self.connection.execute("DELETE FROM log WHERE match = ?", (match,))
        self._changed[match] = None

    def keep_person(self, person: PersonRecord) -> None:
        """Store a new or changed profile."""
        self.adopt_single(PEOPLE, person.person, encoded(person))

    def keep_deed(self, deed: DeedRecord) -> None:
        """Store an entry of the operator's list."""
        self.adopt_single(DEEDS, deed.deed, encoded(deed))

    def adopt_single(self, table: str, key: str, record: bytes) -> None:
        """Store a record, which is encoded, in a table of `KEYS`."""
        self.connection.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", (key, record, _seal_of(record)))

    def forget_single(self, table: str, key: str) -> None:
        """Delete a record from a table of `KEYS`."""
        self.connection.execute(f"DELETE FROM {table} WHERE {KEYS[table]} = ?", (key,))

    def keep_age(self, age: int) -> int:
        """Store the server's age in milliseconds, which never decreases; return it."""
        age = max(age, self.age())
        self.adopt_age(age)
        return age

    def adopt_age(self, age: int) -> None:
        """Set the age of the server whose matches these are."""
        self.connection.execute("INSERT OR REPLACE INTO life VALUES (0, ?, ?)", (age, _seal_of(str(age).encode())))

    # --- reading ---

    @property
    def matches(self) -> list[str]:
        """All matches that the database or its witness knows."""
        return sorted(self._listed.keys() | self._last_acknowledged.marks.keys())

    def unfinished(self, within: float) -> list[str]:
        """Return the matches that are gathering or playing and were changed within that many seconds."""
        since = self._now() - within
        return [
            match for match, it in sorted(self._listed.items()) if it.phase < TablePhase.OVER and it.touched >= since
        ]

    def due(self) -> dict[str, int]:
        """Return the matches in progress that must wake, with the server's age in milliseconds at which they must."""
        return {match: it.due for match, it in self._listed.items() if it.due and it.phase == TablePhase.PLAYING}

    def age(self) -> int:
        """Return the stored age of the server; 0 if it cannot be read: clocks then lose time, in favour of all
        players."""
        with contextlib.suppress(sqlite3.DatabaseError):
            for age, seal in self.connection.execute("SELECT age, seal FROM life"):
                if isinstance(age, int) and seal == _seal_of(str(age).encode()):
                    return age
        return 0

    def by_code(self, code: str) -> str | None:
        """Return the match with that code."""
        return self._codes.get(code)

    def look(self, match: str) -> Glance | None:
        """Return a table as it is stored; None if there is none. Raises Damaged."""
        row = self.row(match)
        return None if row is None else Glance(row.table, row.n)

    def past(self, below: int, ruleset: str, count: int) -> list[Past]:
        """Return up to `count` finished matches of open tables, the latest first. Arguments as of `Store.past`."""
        found: list[Past] = []
        places = range(min(below - 1, len(self._past)) if below else len(self._past), 0, -1)
        for place in places:
            match = self._past[place - 1][1]
            public = self._listed[match].public
            if ruleset and public is not None and public[1] != ruleset:
                continue
            with contextlib.suppress(Damaged):
                row = self.row(match)
                found += [] if row is None else [Past(place, row.table, row.n)]
            if len(found) == count:
                break
        return found

    def over_since(self, date: float) -> list[str]:
        """Return all finished matches that were not changed after that date."""
        return [match for match, it in self._listed.items() if it.phase == TablePhase.OVER and it.touched < date]

    def unplayed(self, since: float, before: float) -> list[str]:
        """Return unplayed matches in progress that changed last from `since` until before `before`."""
        found = [(match, it) for match, it in self._listed.items() if it.unplayed and it.phase == TablePhase.PLAYING]
        return [match for match, it in found if since <= it.touched < before]

    def matches_of(self, person: str) -> list[str]:
        """Return the matches in which that profile has a seat or a name, the last changed first."""
        return sorted(self._seats.get(person, ()), key=lambda match: (-self._listed[match].touched, match))

    def people(self) -> list[PersonRecord]:
        """Return all profiles. Damaged rows are left out: their people can play, but are unknown."""
        found, wrong = self.singles(PEOPLE)
        if wrong:
            log.warning("damaged-people", people=wrong)
        return [person for person, _ in found if isinstance(person, PersonRecord)]

    def deeds(self) -> list[DeedRecord]:
        """Return the operator's list, the oldest first. Damaged rows are left out."""
        found, wrong = self.singles(DEEDS)
        if wrong:
            log.warning("damaged-deeds", deeds=wrong)
        return in_order(deed for deed, _ in found)

    def singles(self, table: str) -> tuple[list[tuple[PersonRecord | DeedRecord, bytes]], int]:
        """Return all of a table of `KEYS`, each with its record as it is kept, and how many rows are damaged."""
        found: list[tuple[PersonRecord | DeedRecord, bytes]] = []
        rows = wrong = 0
        # Read as bytes: invalid text would end the reading of all following rows.
        query = f"SELECT CAST(record AS BLOB), CAST(seal AS BLOB) FROM {table} ORDER BY {KEYS[table]}"
        try:
            for record, seal in self.connection.execute(query):
                rows += 1
                with contextlib.suppress(Damaged):
                    found.append((_single(table, record, seal), record))
        except sqlite3.DatabaseError:
            wrong = 1  # At least one.
        return found, wrong + rows - len(found)

    def row(self, match: str) -> Row | None:
        """Return the row of a match, None if there is none. Raises Damaged if it is not the last written one."""
        return self._judged(match, self._found(match))

    def _judged(self, match: str, found: tuple[Any, ...] | None) -> Row | None:
        """Return the row that was found, if it is the last written one. Raises Damaged."""
        mark = self._last_acknowledged.marks.get(match)
        if found is None and mark is None:
            return None
        if found is None:
            raise Damaged(f"Match {match} is missing although it was kept.")
        row = _row_with_seal(found)
        if mark is not None and row.written < mark.written:
            lost = f"changes {row.written + 1} to {mark.written} are missing"
            raise Damaged(f"Match {match} is older than it was: {lost}.")
        # A row with a higher number is right: it was committed, and the crash came before the witness learned of it.
        if mark is not None and row.written == mark.written and found[-1] != mark.seal:
            raise Damaged(f"Match {match} is not what was written last.")
        return row

    def row_as_it_is(self, match: str) -> Row | None:
        """Return the row without checking its seal. Raises Damaged if it cannot even be read."""
        found = self._found(match)
        return None if found is None else _row(found)

    def log(self, match: str) -> Iterator[Kept]:
        """Yield the rows of a log as they are stored, up to the first that cannot be read."""
        query = 'SELECT n, entry, "check" FROM log WHERE match = ? ORDER BY n'
        with contextlib.suppress(sqlite3.DatabaseError):
            yield from self.connection.execute(query, (match,))

    def read(self, match: str, first: int, count: int) -> list[bytes]:
        """Return `count` encoded entries of a log from number `first` on; fewer at its end. Raises Damaged."""
        # One entry more in front: its check is where the chain of the others begins.
        query = 'SELECT n, entry, "check" FROM log WHERE match = ? AND n >= ? AND n < ? ORDER BY n'
        found = self.connection.execute(query, (match, first - 1, first + count)).fetchall()
        return checked_rows(match, first, found)

    # --- inside ---

    def _found(self, match: str) -> tuple[Any, ...] | None:
        try:
            found = self.connection.execute(f"{_SELECT} WHERE match = ?", (match,)).fetchone()
            return None if found is None else tuple(found)
        except sqlite3.DatabaseError as error:
            raise Damaged(f"Match {match} cannot be read: {error}.") from None

    def _owned(self, match: str, epoch: int) -> Row:
        row = self.row(match)
        if row is None or row.epoch != epoch:
            raise Fenced("This match is run by another server now.")
        return row

    def _put(self, row: Row) -> None:
        # Counted in the row itself and in the witness: an old copy of the row is then recognized.
        row = structs.replace(row, written=row.written + 1)
        self.connection.execute(_PUT, (*structs.astuple(row), row.seal))
        self._changed[row.match] = row

    def _undoable(self, job: Job) -> Any:
        self.connection.execute("SAVEPOINT job")
        result = self._attempt(job)
        if isinstance(result, StoreError):
            self.connection.execute("ROLLBACK TO job")
        self.connection.execute("RELEASE job")
        return result

    def _attempt(self, job: Job) -> Any:
        # A job that fails is undone in the database; what it noted as changed must go with it.
        before = dict(self._changed)
        try:
            return job(self)
        except (sqlite3.Error, StoreError) as error:
            self._changed = before
            return error if isinstance(error, StoreError) else StoreError(f"The server could not save this: {error}.")

    def _commit(self) -> None:
        """Make the changes durable, and update the witness and the lists.

        The witness forgets deleted matches before the commit and notes changes after it: it never knows more than the
        database.
        """
        gone = [match for match, row in self._changed.items() if row is None]
        if gone:
            self._last_acknowledged.note(dict.fromkeys(gone))
            self._last_acknowledged.sync()
        self.connection.execute("COMMIT")
        marks = {match: RowMark(row.written, row.seal) for match, row in self._changed.items() if row is not None}
        if marks:
            self._last_acknowledged.note(marks)
        for match, row in self._changed.items():
            self._list(match, row)

    def _list(self, match: str, row: Row | None) -> None:
        old = self._listed.pop(match, None)
        if old is not None:
            self._strike(match, old)
        if row is not None:
            table = row.gist
            phase, code, people, due, past, ended = columns_of(table)
            # For old matches only the date of the last change is known.
            public = None if past is None else (float(ended or row.touched), past)
            self._listed[match] = MatchFacts(phase, code, row.touched, people, due, public, table.unplayed)
            self._codes[code] = match
            if public is not None:
                insort(self._past, (public[0], match))
            for person in people:
                self._seats.setdefault(person, set()).add(match)

    def _strike(self, match: str, old: MatchFacts) -> None:
        """Remove a match from all lists."""
        if self._codes.get(old.code) == match:
            del self._codes[old.code]
        if old.public is not None:
            del self._past[bisect_left(self._past, (old.public[0], match))]
        for person in old.people:
            self._seats[person].discard(match)
            if not self._seats[person]:
                del self._seats[person]

    def _look_at_all(self) -> None:
        """Read every row and build the lists. Damaged rows are logged and do not keep other matches from being
        played."""
        for cache in (self._listed, self._codes, self._past, self._seats):
            cache.clear()
        found = self._found_at_once()
        wrong = 0
        for match in self._all_names():
            try:
                self._list(match, self._judged(match, found.get(match) or self._found(match)))
            except Damaged as error:
                wrong += 1
                log.warning("damaged", match=match, error=str(error))
        if wrong:
            log.warning("damage", matches=wrong, advice=f"conquest-server repair --data {self._path.parent}")

    def _found_at_once(self) -> dict[object, tuple[Any, ...]]:
        """Return all rows up to the first that cannot be read.

        Reading thousands one by one would take seconds.
        """
        found: dict[object, tuple[Any, ...]] = {}
        with contextlib.suppress(sqlite3.DatabaseError):
            for row in self.connection.execute(_SELECT):
                found[row[0]] = tuple(row)
        return found

    def _all_names(self) -> list[str]:
        names = set(self._last_acknowledged.marks)
        with contextlib.suppress(sqlite3.DatabaseError):
            for (match,) in self.connection.execute("SELECT match FROM matches"):
                names.add(match)
        return sorted(name for name in names if isinstance(name, str))

    def _prepare(self) -> None:
        db = self.connection
        # Exclusive: a second server on the same file fails at once instead of being fenced later.
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        # EXTRA, and before the journal mode: a power loss must not undo the change of a new file to a write-ahead log.
        # Otherwise a rollback journal whose deletion was lost could do that. With the log, EXTRA is the same as FULL.
        db.execute("PRAGMA synchronous = EXTRA")
        db.execute("PRAGMA journal_mode = WAL")
        # Deleted rows are overwritten: the name of an erased person must not stay in free pages.
        db.execute("PRAGMA secure_delete = ON")
        # Checkpoints are made in quiet moments; this one is for a server that never has one.
        db.execute(f"PRAGMA wal_autocheckpoint = {_PAGES}")
        db.execute("BEGIN IMMEDIATE")
        try:
            _migrate(db, self._now())
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")


def _row(found: tuple[Any, ...]) -> Row:
    """Return a row. Raises Damaged if the values do not even have the right types."""
    try:
        return msgspec.convert(found[:-1], type=Row)
    except msgspec.MsgspecError:
        raise Damaged(f"The row of match {found[0]} is damaged.") from None


def _row_with_seal(found: tuple[Any, ...]) -> Row:
    """Return a row whose seal is right. Raises Damaged."""
    row = _row(found)
    if row.seal != found[-1]:
        raise Damaged(f"The row of match {row.match} is damaged.")
    return row


def _seal_of(record: bytes) -> bytes:
    """Return a checksum of a record, 16 bytes."""
    return hashlib.blake2b(record, digest_size=16).digest()


def _single(table: str, record: object, seal: object) -> PersonRecord | DeedRecord:
    """Return a record of a table of `KEYS` whose seal is right. Raises Damaged."""
    if not isinstance(record, bytes) or _seal_of(record) != seal:
        raise Damaged(f"A record of {table} is damaged.")
    return single_of(table, record)


def _migrate(db: sqlite3.Connection, now: float) -> None:
    """Migrate the tables to `SCHEMA`, within a transaction. Raises Outdated."""
    ((version,),) = db.execute("PRAGMA user_version").fetchall()
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema")]
    if tables and "matches" not in tables:
        raise sqlite3.DatabaseError("it belongs to another program")
    if version > SCHEMA:
        raise Outdated(f"it was written by a newer server (format {version}; this one knows {SCHEMA})")
    if version == 0:
        if tables:
            raise Outdated("it claims format 0, but it is not empty")
        db.execute(_CREATE_MATCHES)
        db.execute(_CREATE_LOG)
    elif version in (1, 2):
        _seal_all(db, version, now)
    if version < 4:
        db.execute(_CREATE_SINGLE.format(PEOPLE, KEYS[PEOPLE]))  # Older formats had no profiles.
    if version < 5:
        db.execute(_CREATE_LIFE)
    if version < 6:
        db.execute(_CREATE_SINGLE.format(DEEDS, KEYS[DEEDS]))
    if version != SCHEMA:
        db.execute(f"PRAGMA user_version = {SCHEMA}")
    # Also for the newest format: a file of another program may carry the same number.
    for table, columns in _COLUMNS.items():
        if _columns(db, table) != columns:
            raise Outdated(f"it claims format {version}, but its table {table} is not")


def _seal_all(db: sqlite3.Connection, version: int, now: float) -> None:
    """Convert formats 1 and 2, which had indexes instead of seals; format 1 had no dates."""
    expected = ("match", "phase", "code", "record", "epoch", "n", "check", *(["touched"] if version == 2 else []))
    if _columns(db, "matches") != expected:
        raise Outdated(f"it claims format {version}, but its table matches is not")
    touched = "touched" if version == 2 else "?"
    query = f'SELECT match, record, epoch, n, "check", {touched}, 1 FROM matches'
    rows = [Row(*found) for found in db.execute(query, (now,) if version == 1 else ())]
    db.execute("DROP TABLE matches")
    db.execute(_CREATE_MATCHES)
    db.executemany(_PUT, [(*structs.astuple(row), row.seal) for row in rows])


def _columns(db: sqlite3.Connection, table: str) -> tuple[str, ...]:
    return tuple([row[1] for row in db.execute(f"PRAGMA table_info({table})")])
