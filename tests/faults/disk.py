"""Disk in memory that loses, tears and reorders unsynced writes; and SQLite on it."""

import contextlib
import itertools
import random
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import apsw
from msgspec import Struct

SECTOR: Final = 512
"""Bytes that reach a disk together or not at all."""
_NUMBER = itertools.count()


class Write(Struct, frozen=True):
    """Operation: bytes were written to the system's cache."""

    name: str
    offset: int
    data: bytes


class Truncate(Struct, frozen=True):
    """Operation: a file was truncated to a size."""

    name: str
    size: int


class Sync(Struct, frozen=True):
    """Operation: all former operations on a file have reached the disk."""

    name: str


class Delete(Struct, frozen=True):
    """Operation: a file was deleted; `kept`: whether the folder was synced too."""

    name: str
    kept: bool


class FailedSync(Struct, frozen=True):
    """Operation: a sync failed. The system counts the waiting data as written, and no later sync brings it to the
    disk."""

    name: str


class Said(Struct, frozen=True):
    """Marker in the sequence of writes: an acknowledgement was sent at this moment."""

    what: Any


class Rename(Struct, frozen=True):
    """Operation: a file replaced another, and the folder was synced."""

    name: str
    to: str


Deed: TypeAlias = Write | Truncate | Sync | FailedSync | Delete | Rename | Said
Image: TypeAlias = dict[str, bytes]
"""Files by name."""


class Disk:
    """Files in memory, and the sequence of all operations on them.

    fail: asked before each operation, numbered from 0, whether it fails; returns the name of the SQLite error, or
    ""."""

    def __init__(self, image: Image | None = None, fail: Callable[[int, Deed], str] = lambda _n, _deed: "") -> None:
        self.files = {name: bytearray(data) for name, data in (image or {}).items()}
        self.story: list[Deed] = []
        self.deeds = 0
        self._fail = fail

    def do(self, deed: Write | Truncate | Sync | Delete | Rename) -> None:
        """Perform and record an operation. Raises the SQLite error that `fail` names."""
        number, self.deeds = self.deeds, self.deeds + 1
        error = self._fail(number, deed)
        if error:
            if isinstance(deed, Sync):
                self.story.append(FailedSync(deed.name))
            raise getattr(apsw, error)(f"deed {number} fails")
        self.story.append(deed)
        _carry_out(self.files, deed)

    def say(self, what: Any) -> None:
        """Record an acknowledgement at this moment."""
        self.story.append(Said(what))

    @property
    def image(self) -> Image:
        """Return all files as the system shows them while it runs."""
        return {name: bytes(data) for name, data in self.files.items()}


def cuts(disk: Disk, start: Image, rng: random.Random, at: Sequence[int]) -> Iterator[tuple[int, Image, list[Any]]]:
    """Cut the power after each number of operations in `at`; yield it, the files on the disk then, and the
    acknowledgements."""
    durable = {name: bytearray(data) for name, data in start.items()}
    waiting: list[Write | Truncate | Delete] = []
    said: list[Any] = []
    wanted = iter(sorted(at))
    cut = next(wanted, None)
    for n, deed in enumerate(disk.story, 1):
        if isinstance(deed, Said):
            said.append(deed.what)
        elif isinstance(deed, FailedSync):
            lost = [each for each in waiting if each.name == deed.name]
            waiting = [each for each in waiting if each.name != deed.name]
            _keep_some(durable, lost, rng)
        elif isinstance(deed, Sync | Rename) or (isinstance(deed, Delete) and deed.kept):
            waiting = [*_settle(durable, deed, waiting)]
        else:
            waiting.append(deed)
        while cut == n:
            yield n, _after(durable, waiting, rng), list(said)
            cut = next(wanted, None)


def _settle(
    durable: dict[str, bytearray], deed: Sync | Delete | Rename, waiting: list[Write | Truncate | Delete]
) -> Iterator[Write | Truncate | Delete]:
    """Bring the waiting data of a file to the disk; yield what still waits, without data of a replaced file."""
    if isinstance(deed, Sync):
        durable.setdefault(deed.name, bytearray())
    for each in waiting:
        if each.name == deed.name:
            _carry_out(durable, each)
        elif not (isinstance(deed, Rename) and each.name == deed.to):
            yield each
    _carry_out(durable, deed)


def _after(durable: dict[str, bytearray], waiting: list[Write | Truncate | Delete], rng: random.Random) -> Image:
    """Return the files after a power cut: all synced data, and random sectors of the rest."""
    files = {name: bytearray(data) for name, data in durable.items()}
    _keep_some(files, waiting, rng)
    return {name: bytes(data) for name, data in files.items()}


def _keep_some(files: dict[str, bytearray], waiting: list[Write | Truncate | Delete], rng: random.Random) -> None:
    share = rng.choice((0.5, 0.5, 0.5, 0.0, 0.9))
    for deed in waiting:
        for part in _sectors(deed):
            if rng.random() < share:
                _carry_out(files, part)


def _sectors(deed: Write | Truncate | Delete) -> Iterator[Write | Truncate | Delete]:
    if not isinstance(deed, Write):
        yield deed
        return
    at = deed.offset
    end = deed.offset + len(deed.data)
    while at < end:
        stop = min(end, (at // SECTOR + 1) * SECTOR)
        yield Write(deed.name, at, deed.data[at - deed.offset : stop - deed.offset])
        at = stop


def _carry_out(files: dict[str, bytearray], deed: Deed) -> None:
    match deed:
        case Write(name, offset, data):
            file = files.setdefault(name, bytearray())
            if len(file) < offset:
                file.extend(bytes(offset - len(file)))
            file[offset : offset + len(data)] = data
        case Truncate(name, size):
            del files.setdefault(name, bytearray())[size:]
        case Delete(name):
            files.pop(name, None)
        case Rename(name, to):
            files[to] = files.pop(name)


class _File(apsw.VFSFile):
    """File of the disk, as SQLite uses it. There is one process, so locks always succeed."""

    def __init__(self, disk: Disk, name: str) -> None:
        self._disk = disk
        self._name = name
        disk.files.setdefault(name, bytearray())

    @property
    def _data(self) -> bytearray:
        return self._disk.files.setdefault(self._name, bytearray())

    def xRead(self, amount: int, offset: int) -> bytes:
        return bytes(self._data[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.do(Write(self._name, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        self._disk.do(Truncate(self._name, newsize))

    def xSync(self, flags: int) -> None:
        self._disk.do(Sync(self._name))

    def xFileSize(self) -> int:
        return len(self._data)

    def xLock(self, level: int) -> None:
        pass

    def xUnlock(self, level: int) -> None:
        pass

    def xCheckReservedLock(self) -> bool:
        return False

    def xClose(self) -> None:
        pass

    def xSectorSize(self) -> int:
        return SECTOR

    def xDeviceCharacteristics(self) -> int:
        return int(apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE)

    def xFileControl(self, op: int, ptr: int) -> bool:
        return False


class _System(apsw.VFS):
    """File system of the simulated disk for SQLite."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self.name = f"disk-{next(_NUMBER)}"
        super().__init__(self.name, "")

    def xOpen(self, name: Any, flags: list[int]) -> _File:
        flags[1] = flags[0]
        plain = name.filename() if isinstance(name, apsw.URIFilename) else name or f"temporary-{next(_NUMBER)}"
        return _File(self._disk, plain)

    def xAccess(self, pathname: str, flags: int) -> bool:
        return pathname in self._disk.files

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self._disk.do(Delete(filename, syncdir))

    def xFullPathname(self, name: str) -> str:
        return name


class Cursor:
    """Part of `sqlite3.Cursor` that the store uses."""

    def __init__(self, rows: list[Any], rowcount: int) -> None:
        self._rows = iter(rows)
        self.rowcount = rowcount

    def __iter__(self) -> Iterator[Any]:
        return self._rows

    def fetchone(self) -> Any:
        """Return the next row, None after the last."""
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        """Return all remaining rows."""
        return list(self._rows)


class Connection:
    """Part of `sqlite3.Connection` that the store uses, on a simulated disk."""

    def __init__(self, disk: Disk, name: str, swapped: Mapping[str, str]) -> None:
        self._swapped = swapped
        self._system = _System(disk)
        self._db = _translated(lambda: apsw.Connection(name, vfs=self._system.name))

    def execute(self, sql: str, bindings: Sequence[Any] = ()) -> Cursor:
        """Execute a statement."""
        sql = self._swapped.get(sql, sql)
        rows = _translated(lambda: list(self._db.execute(sql, tuple(bindings))))
        return Cursor(rows, self._db.changes())

    def executemany(self, sql: str, bindings: Sequence[Sequence[Any]]) -> None:
        """Execute a statement for many rows."""
        for each in bindings:
            self.execute(sql, each)

    def close(self) -> None:
        """Close the file."""
        _translated(self._db.close)
        self._system.unregister()


class _Tail:
    """Append-only file of the disk."""

    def __init__(self, disk: Disk, name: str) -> None:
        self._disk = disk
        self._name = name
        disk.files.setdefault(name, bytearray())

    def write(self, data: bytes) -> None:
        """Append data."""
        with _as_system():
            self._disk.do(Write(self._name, len(self._disk.files.setdefault(self._name, bytearray())), data))

    def sync(self) -> None:
        """Sync the file to the disk."""
        with _as_system():
            self._disk.do(Sync(self._name))

    def close(self) -> None:
        """Do nothing: the file has no resources."""


class DiskPlatform:
    """Platform of the store on a simulated disk. swapped: statements that are replaced by others."""

    def __init__(self, disk: Disk, swapped: Mapping[str, str] | None = None) -> None:
        self.disk = disk
        self.swapped = swapped or {}

    def connect(self, path: Path) -> sqlite3.Connection:
        """See Platform."""
        return cast(sqlite3.Connection, Connection(self.disk, path.name, self.swapped))

    def read(self, path: Path) -> bytes:
        """See Platform."""
        return bytes(self.disk.files.get(path.name, b""))

    def tail(self, path: Path) -> _Tail:
        """See Platform."""
        return _Tail(self.disk, path.name)

    def replace(self, path: Path, data: bytes) -> None:
        """See Platform."""
        new = path.name + ".new"
        with _as_system():
            self.disk.do(Write(new, 0, data))
            self.disk.do(Sync(new))
            self.disk.do(Rename(new, path.name))


@contextlib.contextmanager
def _as_system() -> Iterator[None]:
    """Translate errors to those of the operating system."""
    try:
        yield
    except apsw.Error as error:
        raise OSError(str(error)) from error


def _translated(work: Callable[[], Any]) -> Any:
    """Translate SQLite's errors to those of the standard library."""
    try:
        return work()
    except apsw.ConstraintError as error:
        raise sqlite3.IntegrityError(str(error)) from error
    except (apsw.Error, UnicodeDecodeError) as error:
        raise sqlite3.OperationalError(str(error)) from error
