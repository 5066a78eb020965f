"""Access to everything in a store, for commands that have it to themselves: `move`, `repair`, `seats` and `check`."""

import contextlib
import hashlib
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec
from msgspec import Struct, structs

from server.storage.database import Database, Job, why_not
from server.storage.platform import System, make_directory
from server.storage.port import Damaged, StoreError
from server.storage.rows import DEEDS, KEYS, PEOPLE, Kept, Row, damage, encoded, id_of, last_check, sound
from shared.history import Entry
from shared.tables import TablePhase

_ENDS: Final = ("", "-wal", "-shm", ".heads")
"""Suffixes of the files that belong to one database."""


def files_of(path: Path) -> list[Path]:
    """Return the paths of a database and of its companion files, the database first."""
    return [path.with_name(path.name + end) for end in _ENDS]


class Whole(Struct, frozen=True):
    """Match as it is stored. `row`: None if it cannot be read. `wrong`: the damage, "" for none."""

    match: str
    row: Row | None
    log: Sequence[Kept]
    wrong: str = ""


class Finding(Struct, frozen=True):
    """Result of checking a match.

    wrong: the damage, "" for none. row, log: the parts that can be restored; row is None if nothing can. lost: the
    parts that are lost, in words.
    """

    match: str
    wrong: str = ""
    row: Row | None = None
    log: Sequence[Kept] = ()
    lost: str = ""

    @property
    def entries(self) -> list[Entry]:
        """The decoded log."""
        return sound(self.log)[0]


class Totals(Struct, frozen=True):
    """Size of a store's content. `digest` depends on every byte of it, but not on the engine."""

    matches: int
    entries: int
    profiles: int
    age: int
    digest: str
    deeds: int = 0

    @property
    def empty(self) -> bool:
        """Whether the store has neither matches nor profiles nor deeds."""
        return not (self.matches or self.profiles or self.deeds)

    def __str__(self) -> str:
        deeds = f", {self.deeds} deeds" if self.deeds else ""
        return f"{self.matches} matches with {self.entries} decisions, {self.profiles} profiles{deeds}"


class Offline(Protocol):
    """Store that no server uses meanwhile. Each change is durable when awaited. Raises StoreError."""

    async def matches(self) -> list[str]:
        """Return the ids of all matches in order, including those that are known to be missing."""

    async def unfinished(self) -> list[str]:
        """Return the ids of matches that are gathering or played; matches with a damaged record may be left out."""

    async def whole(self, match: str) -> Whole:
        """Return a match with its log, damaged or not."""

    async def put(self, row: Row, log: Sequence[Kept]) -> None:
        """Store a whole match in place of its earlier data, all or nothing."""

    async def save(self, row: Row) -> None:
        """Store the record of a row; its log stays unchanged."""

    async def drop(self, match: str) -> None:
        """Delete a match and its log."""

    async def singles(self, table: str) -> tuple[list[tuple[str, bytes]], int]:
        """Return (id, encoded record) of all sound records of a table of `KEYS`, in order; and how many are damaged."""

    async def put_single(self, table: str, key: str, record: bytes) -> None:
        """Store a record in such a table."""

    async def drop_single(self, table: str, key: str) -> None:
        """Delete a record from such a table."""

    async def age(self) -> int:
        """Return the age of the server in milliseconds, by which clocks count."""

    async def put_age(self, age: int) -> None:
        """Store the server's age, even if it is less than before."""

    async def mend(self, findings: Sequence[Finding], stamp: str) -> str:
        """Restore damaged matches as far as possible, and drop profiles that cannot be read.

        `findings`: of all matches. The damaged data are kept under a name with `stamp`; a sentence says where.
        """

    async def close(self) -> None:
        """Close the store."""


class OfflineFile(Offline):
    """Database file of a server that does not run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(System(), path, time.time)
        self._closed = False

    @classmethod
    def open(cls, path: Path) -> "OfflineFile":
        """Open or create the file. StoreError gives the reason of a failure in one sentence."""
        file = cls(path)
        try:
            file._database.open()
        except (sqlite3.Error, OSError, StoreError) as error:
            raise why_not(path, error) from None
        return file

    async def matches(self) -> list[str]:
        return self._database.matches

    async def unfinished(self) -> list[str]:
        return self._database.unfinished(float("inf"))

    async def whole(self, match: str) -> Whole:
        log = list(self._database.log(match))
        try:
            return Whole(match, self._database.row(match), log)
        except Damaged as error:
            row = None
            with contextlib.suppress(Damaged):
                row = self._database.row_as_it_is(match)
            return Whole(match, row, log, str(error))

    async def put(self, row: Row, log: Sequence[Kept]) -> None:
        self._carry_out(lambda db: db.adopt(row, log))

    async def save(self, row: Row) -> None:
        self._carry_out(lambda db: db.save(row.match, row.record, row.epoch))

    async def drop(self, match: str) -> None:
        self._carry_out(lambda db: db.drop(match))

    async def singles(self, table: str) -> tuple[list[tuple[str, bytes]], int]:
        found, wrong = self._database.singles(table)
        return [(id_of(single), record) for single, record in found], wrong

    async def put_single(self, table: str, key: str, record: bytes) -> None:
        self._carry_out(lambda db: db.adopt_single(table, key, record))

    async def drop_single(self, table: str, key: str) -> None:
        self._carry_out(lambda db: db.forget_single(table, key))

    async def age(self) -> int:
        return self._database.age()

    async def put_age(self, age: int) -> None:
        self._carry_out(lambda db: db.adopt_age(age))

    async def close(self) -> None:
        """Move everything into the file itself and close it: the files beside it hold nothing of importance then."""
        if not self._closed:
            self._closed = True
            with contextlib.suppress(sqlite3.Error):
                self._database.settle()
            self._database.close()

    async def mend(self, findings: Sequence[Finding], stamp: str) -> str:
        """Write a new file with everything that can be restored, which takes the place of this one; see Offline."""
        age, singles = await self.age(), [(table, (await self.singles(table))[0]) for table in KEYS]
        await self.close()
        new, old = [self.path.with_name(f"{self.path.name}.{end}") for end in ("repaired", f"damaged-{stamp}")]
        for each in files_of(new):
            each.unlink(missing_ok=True)
        store = OfflineFile.open(new)
        # Deadlines count by the server's age: at age 0 they would not pass for months.
        await store.put_age(age)
        for table, records in singles:
            for key, record in records:
                await store.put_single(table, key, record)
        for finding in findings:
            if finding.row is not None:
                await store.put(finding.row, finding.log)
        await store.close()
        # The damaged file first: the second rename would replace it.
        _rename(self.path, old)
        _rename(new, self.path)
        return f"The damaged file is kept as {old.name}."

    def _carry_out(self, job: Job) -> None:
        try:
            (result,) = self._database.transaction([job])
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{self.path} cannot be written: {str(error).rstrip('.')}.") from None
        if isinstance(result, StoreError):
            raise result


def _rename(path: Path, to: Path) -> None:
    for before, after in zip(files_of(path), files_of(to), strict=True):
        if before.exists():
            before.replace(after)


def judged(whole: Whole) -> Finding:
    """Return the damage of a match, and the parts that can be restored."""
    _, log = sound(whole.log)
    row = whole.row
    if row is None or _table_of(row) is None:
        wrong = whole.wrong or f"The record of match {whole.match} is damaged."
        return Finding(whole.match, wrong, lost="the whole match: its row cannot be read")
    cut = damage(row, log)
    if not cut:
        lost = "what the sentence before says; look at the names and seats of the table" if whole.wrong else ""
        return Finding(whole.match, whole.wrong, row, log, lost)
    lost = f"everything after action {len(log)} of {max(row.n, len(log))}"
    return Finding(whole.match, whole.wrong or cut, _cut_after_last_good(row, log), log, lost)


def _table_of(row: Row) -> object:
    """Return the record, None if it is damaged or of another match."""
    with contextlib.suppress(Damaged):
        table = row.table
        return table if table.match == row.match else None
    return None


def _cut_after_last_good(row: Row, log: Sequence[Kept]) -> Row:
    """Return the match as it was after its last good entry; a finished match is in progress again."""
    table = row.table
    if table.phase == TablePhase.OVER:
        table.phase = TablePhase.PLAYING
    return structs.replace(row, n=len(log), check=last_check(log), record=encoded(table))


async def total(store: Offline) -> Totals:
    """Read everything and count it. Raises Damaged if anything is not what was written."""
    digest = hashlib.sha256()

    def add(*values: object) -> None:
        digest.update(msgspec.msgpack.encode(values))

    matches, entries = await store.matches(), 0
    for match in matches:
        finding = await sound_match(store, match)
        assert finding.row is not None
        add(*content(finding.row), finding.log)
        entries += len(finding.log)
    profiles, deeds = await sound_singles(store, PEOPLE), await sound_singles(store, DEEDS)
    age = await store.age()
    add(profiles, deeds, age)
    return Totals(len(matches), entries, len(profiles), age, digest.hexdigest(), len(deeds))


def content(row: Row) -> tuple[object, ...]:
    """Return the part of a row that all engines store; `written` only matters for the seals of a file."""
    return structs.astuple(row)[:-1]


async def sound_match(store: Offline, match: str) -> Finding:
    """Return a match that is not damaged. Raises Damaged."""
    finding = judged(await store.whole(match))
    if finding.wrong:
        raise Damaged(finding.wrong)
    return finding


async def sound_singles(store: Offline, table: str) -> list[tuple[str, bytes]]:
    """Return all records of a table of `KEYS`. Raises Damaged if one is not what was written."""
    records, wrong = await store.singles(table)
    if wrong:
        raise Damaged(f"{wrong} records of {table} are damaged.")
    return records


def prepare(data: Path) -> None:
    """Create a data directory if it does not exist. Raises StoreError."""
    try:
        make_directory(data)
    except OSError as error:
        raise StoreError(f"The directory {data} cannot be made: {error.strerror}.") from None
