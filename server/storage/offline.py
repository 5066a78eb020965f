"""Everything that a store keeps, for commands that have it to themselves: `move`, `repair`, `seats` and `check`."""

import contextlib
import hashlib
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec
from msgspec import Struct, structs

from server.storage.database import Database, Job, Row
from server.storage.platform import System, make_directory
from server.storage.port import Damaged, Kept, StoreError, sound
from shared.history import GENESIS, Entry
from shared.tables import TablePhase

ENDS: Final = ("", "-wal", "-shm", ".heads")
"""Of the names of the files that belong to one database."""


class Whole(Struct, frozen=True):
    """A match as it is kept. `row`: None if it cannot be read; `wrong`: what is damaged about it, "" for nothing."""

    match: str
    row: Row | None
    log: Sequence[Kept]
    wrong: str = ""


class Finding(Struct, frozen=True):
    """A match as it was found.

    wrong: what is damaged, "" for nothing. row, log: what can be brought back; row is None where nothing can.
    lost: what is lost thereby, in words.
    """

    match: str
    wrong: str = ""
    row: Row | None = None
    log: Sequence[Kept] = ()
    lost: str = ""

    @property
    def entries(self) -> list[Entry]:
        """The log, decoded."""
        return sound(self.log)[0]


class Totals(Struct, frozen=True):
    """How much a store keeps. `digest` depends on every byte of it, whichever engine keeps it."""

    matches: int
    entries: int
    profiles: int
    age: int
    digest: str

    @property
    def empty(self) -> bool:
        """Whether there is nothing that anybody would miss."""
        return not (self.matches or self.profiles)

    def __str__(self) -> str:
        return f"{self.matches} matches with {self.entries} decisions, {self.profiles} profiles"


class Offline(Protocol):
    """A store that no server uses meanwhile. Each change is durable when awaited. Raises StoreError."""

    async def matches(self) -> list[str]:
        """Return the ids of all matches in order, also of those that are known to be missing."""

    async def unfinished(self) -> list[str]:
        """Return those of matches that are gathering or played; one whose record is damaged may be left out."""

    async def whole(self, match: str) -> Whole:
        """Return a match with its log, damaged or not."""

    async def put(self, row: Row, log: Sequence[Kept]) -> None:
        """Keep a whole match, in the place of what was kept of it: all of it or nothing."""

    async def save(self, row: Row) -> None:
        """Keep the record of a row, whose log stays as it is."""

    async def drop(self, match: str) -> None:
        """Forget a match and its log."""

    async def profiles(self) -> tuple[list[tuple[str, bytes]], int]:
        """Return (id, encoded profile) of all that are sound in order, and how many are damaged."""

    async def put_profile(self, person: str, record: bytes) -> None:
        """Keep a profile."""

    async def drop_profile(self, person: str) -> None:
        """Forget a profile."""

    async def age(self) -> int:
        """Return the age of the server in milliseconds; clocks count by it."""

    async def put_age(self, age: int) -> None:
        """Keep it, also a lesser one."""

    async def close(self) -> None:
        """Let go of it."""


class OfflineFile:
    """The database file of a server that does not run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(System(), path, time.time)
        self._closed = False

    @classmethod
    def open(cls, path: Path) -> "OfflineFile":
        """Open or make the file. StoreError says in one sentence why it cannot be used."""
        file = cls(path)
        try:
            file._database.open()
        except (sqlite3.Error, OSError, StoreError) as error:
            raise StoreError(_why_not(path, error)) from None
        return file

    async def matches(self) -> list[str]:
        """See Offline."""
        return self._database.matches

    async def unfinished(self) -> list[str]:
        """See Offline."""
        return self._database.unfinished(float("inf"))

    async def whole(self, match: str) -> Whole:
        """See Offline."""
        log = list(self._database.log(match))
        try:
            return Whole(match, self._database.row(match), log)
        except Damaged as error:
            row = None
            with contextlib.suppress(Damaged):
                row = self._database.row_as_it_is(match)
            return Whole(match, row, log, str(error))

    async def put(self, row: Row, log: Sequence[Kept]) -> None:
        """See Offline."""
        self._carry_out(lambda db: db.adopt(row, log))

    async def save(self, row: Row) -> None:
        """See Offline."""
        self._carry_out(lambda db: db.save(row.match, row.record, row.epoch))

    async def drop(self, match: str) -> None:
        """See Offline."""
        self._carry_out(lambda db: db.drop(match))

    async def profiles(self) -> tuple[list[tuple[str, bytes]], int]:
        """See Offline."""
        found, wrong = self._database.profiles()
        return [(person.person, record) for person, record in found], wrong

    async def put_profile(self, person: str, record: bytes) -> None:
        """See Offline."""
        self._carry_out(lambda db: db.adopt_person(person, record))

    async def drop_profile(self, person: str) -> None:
        """See Offline."""
        self._carry_out(lambda db: db.forget_person(person))

    async def age(self) -> int:
        """See Offline."""
        return self._database.age()

    async def put_age(self, age: int) -> None:
        """See Offline."""
        self._carry_out(lambda db: db.adopt_age(age))

    async def close(self) -> None:
        """Bring everything into the file itself, and let go of it: nothing that matters lies beside it afterwards."""
        if not self._closed:
            self._closed = True
            with contextlib.suppress(sqlite3.Error):
                self._database.settle()
            self._database.close()

    def _carry_out(self, job: Job) -> None:
        try:
            (result,) = self._database.transaction([job])
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{self.path} cannot be written: {str(error).rstrip('.')}.") from None
        if isinstance(result, StoreError):
            raise result


def _why_not(path: Path, error: Exception) -> str:
    if "locked" in str(error):
        return f"A server or another command uses {path}: end it first (conquest-server admin drain)."
    return f"Cannot use {path}: {str(error).rstrip('.')}."


def judged(whole: Whole) -> Finding:
    """Return what is damaged of a match, and what can be brought back."""
    entries, log = sound(whole.log)
    check = log[-1][2] if log else GENESIS
    row = whole.row
    if row is None or _table_of(row) is None:
        wrong = whole.wrong or f"The record of match {whole.match} is damaged."
        return Finding(whole.match, wrong, lost="the whole match: its row cannot be read")
    if (row.n, row.check) == (len(entries), check):
        lost = "what the sentence before says; look at the names and seats of the table" if whole.wrong else ""
        return Finding(whole.match, whole.wrong, row, log, lost)
    wrong = whole.wrong or f"The log of match {whole.match} is damaged after entry {len(entries)} of {row.n}."
    lost = f"everything after action {len(entries)} of {max(row.n, len(entries))}"
    return Finding(whole.match, wrong, _shortened(row, len(entries), check), log, lost)


def _table_of(row: Row) -> object:
    """The record, None if it is damaged or of another match."""
    with contextlib.suppress(Damaged):
        table = row.table
        return table if table.match == row.match else None
    return None


def _shortened(row: Row, n: int, check: bytes) -> Row:
    """The match as it was after its last good entry; one that was over goes on there."""
    table = row.table
    if table.phase == TablePhase.OVER:
        table.phase = TablePhase.PLAYING
    return structs.replace(row, n=n, check=check, record=msgspec.msgpack.encode(table))


async def total(store: Offline) -> Totals:
    """Read everything and count it. Raises Damaged where something is not what was written."""
    digest = hashlib.sha256()

    def add(*values: object) -> None:
        digest.update(msgspec.msgpack.encode(values))

    matches, entries = await store.matches(), 0
    for match in matches:
        finding = await sound_match(store, match)
        assert finding.row is not None
        add(*content(finding.row), finding.log)
        entries += len(finding.log)
    profiles = await sound_profiles(store)
    age = await store.age()
    add(profiles, age)
    return Totals(len(matches), entries, len(profiles), age, digest.hexdigest())


def content(row: Row) -> tuple[object, ...]:
    """Return what engines have in common; `written` counts for the seals of a file only."""
    return structs.astuple(row)[:-1]


async def sound_match(store: Offline, match: str) -> Finding:
    """Return a match that is not damaged. Raises Damaged."""
    finding = judged(await store.whole(match))
    if finding.wrong:
        raise Damaged(finding.wrong)
    return finding


async def sound_profiles(store: Offline) -> list[tuple[str, bytes]]:
    """Return all profiles. Raises Damaged if one is not what was written."""
    profiles, wrong = await store.profiles()
    if wrong:
        raise Damaged(f"{wrong} profiles are damaged.")
    return profiles


def prepare(data: Path) -> None:
    """Make a data directory if it is not there. Raises StoreError."""
    try:
        make_directory(data)
    except OSError as error:
        raise StoreError(f"The directory {data} cannot be made: {error.strerror}.") from None
