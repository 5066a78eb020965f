"""What the store asks of the operating system; tests put a disk of theirs in its place."""

import contextlib
import os
import sqlite3
from io import FileIO
from pathlib import Path
from typing import Any, Final, Protocol


class Tail(Protocol):
    """A file that only grows."""

    def write(self, data: bytes, /) -> Any:
        """Hand bytes to the system; they may still be lost with the power. Raises OSError."""

    def sync(self) -> None:
        """Bring all that was written to the disk. Raises OSError."""

    def close(self) -> None:
        """Let go of the file."""


class Platform(Protocol):
    """Files and databases."""

    def connect(self, path: Path) -> sqlite3.Connection:
        """Open or make a database, without transactions of Python's own."""

    def read(self, path: Path) -> bytes:
        """The content of a file, empty where there is none."""

    def tail(self, path: Path) -> Tail:
        """Open or make a file to write behind its end."""

    def replace(self, path: Path, data: bytes) -> None:
        """Put a new file in the place of an old one, durably: either is there, never a part."""


PRIVATE: Final = 0o600
"""Mode of every file in a data directory: they hold keys, hidden cards and the secret of the dice. The directory's own
mode does not count: it may be shared, or older than this rule."""
PRIVATE_DIRECTORY: Final = 0o700


def make_directory(path: Path) -> None:
    """Make a data directory that only its owner can open, unless it is there. Raises OSError."""
    path.mkdir(parents=True, exist_ok=True, mode=PRIVATE_DIRECTORY)


def make_private(path: Path) -> None:
    """Take away what others may do with a file, if it exists and is ours."""
    with contextlib.suppress(FileNotFoundError, PermissionError):
        if path.stat().st_mode & 0o777 != PRIVATE:
            path.chmod(PRIVATE)


def open_private(path: Path, mode: str) -> FileIO:
    """Open a file as `open` does, without a buffer; it is private from its first moment on. Raises OSError."""
    file = FileIO(path, mode, opener=lambda name, flags: os.open(name, flags, PRIVATE))
    make_private(path)
    return file


class _SystemTail:
    def __init__(self, path: Path) -> None:
        self._file = open_private(path, "ab")
        self.close = self._file.close

    def write(self, data: bytes) -> None:
        # On a disk that is nearly full the system takes a part and reports no error before the next call.
        while data:
            data = data[self._file.write(data) or 0 :]

    def sync(self) -> None:
        os.fsync(self._file.fileno())


class System:
    """The operating system that we run on."""

    def connect(self, path: Path) -> sqlite3.Connection:
        """See Platform."""
        if not path.exists():
            # Not for an existing file: to close any handle of it would drop the locks that SQLite holds on it.
            with contextlib.suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))
        # SQLite gives the files that it makes beside a database the mode of that; older ones lie there too.
        for each in path.parent.glob(f"{path.name}*"):
            make_private(each)
        return sqlite3.connect(path, isolation_level=None, timeout=0.0)

    def read(self, path: Path) -> bytes:
        """See Platform."""
        return path.read_bytes() if path.exists() else b""

    def tail(self, path: Path) -> Tail:
        """See Platform."""
        return _SystemTail(path)

    def replace(self, path: Path, data: bytes) -> None:
        """See Platform."""
        beside = path.with_name(path.name + ".new")
        beside.unlink(missing_ok=True)
        tail = _SystemTail(beside)
        try:
            tail.write(data)
            tail.sync()
        finally:
            tail.close()
        beside.replace(path)
        sync_directory(path.parent)


def sync_directory(folder: Path) -> None:
    """Bring new names of files to the disk too; Windows has no such thing."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
