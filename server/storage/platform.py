"""Operating system as the store uses it; tests replace it with a simulated disk."""

import contextlib
import os
import sqlite3
from io import FileIO
from pathlib import Path
from typing import Any, Final, Protocol


class Tail(Protocol):
    """Append-only file."""

    def write(self, data: bytes, /) -> Any:
        """Give bytes to the system; a power loss may still lose them. Raises OSError."""

    def sync(self) -> None:
        """Sync all that was written. Raises OSError."""

    def close(self) -> None:
        """Close the file."""


class Platform(Protocol):
    """Access to files and databases."""

    def connect(self, path: Path) -> sqlite3.Connection:
        """Open or create a database, without Python's own transactions."""

    def read(self, path: Path) -> bytes:
        """Return the content of a file, empty if there is none."""

    def tail(self, path: Path) -> Tail:
        """Open or create a file for appending."""

    def replace(self, path: Path, data: bytes) -> None:
        """Replace a file durably: after a crash either the old or the new one is there, never a part."""


PRIVATE: Final = 0o600
"""Mode of every file in a data directory, since they hold keys, hidden cards and the secret of the dice.

The mode of the directory is not relied on: it may be shared, or older than this rule.
"""
PRIVATE_DIRECTORY: Final = 0o700


MOST: Final = 1 << 20
"""Bytes of a file that an operator names: a key, a certificate, a password."""


def read_small(path: Path, most: int = MOST) -> bytes:
    """Return the content of a file. Raises OSError, and ValueError above `most` bytes: devices and pipes never end."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{path} is too large: such a file has at most {most} bytes.")
    return data


def read_words(path: Path) -> str:
    """Return the text in such a file, without blanks around it. Raises OSError and ValueError."""
    try:
        return read_small(path).decode().strip()
    except UnicodeDecodeError:
        raise ValueError(f"{path} holds no text; give the right file, in UTF-8.") from None


def make_directory(path: Path) -> None:
    """Create a data directory that only its owner can open, unless it exists. Raises OSError."""
    path.mkdir(parents=True, exist_ok=True, mode=PRIVATE_DIRECTORY)


def make_private(path: Path) -> None:
    """Remove other users' rights to a file, if it exists and is ours."""
    with contextlib.suppress(FileNotFoundError, PermissionError):
        if path.stat().st_mode & 0o777 != PRIVATE:
            path.chmod(PRIVATE)


def open_private(path: Path, mode: str) -> FileIO:
    """Open a file as `open` does, without a buffer; it is private from its creation on. Raises OSError."""
    file = FileIO(path, mode, opener=lambda name, flags: os.open(name, flags, PRIVATE))
    make_private(path)
    return file


class _SystemTail:
    def __init__(self, path: Path) -> None:
        self._file = open_private(path, "ab")
        self.close = self._file.close

    def write(self, data: bytes) -> None:
        # On a nearly full disk the system takes a part, and reports an error only at the next call.
        while data:
            data = data[self._file.write(data) or 0 :]

    def sync(self) -> None:
        os.fsync(self._file.fileno())


class System(Platform):
    """The real operating system."""

    def connect(self, path: Path) -> sqlite3.Connection:
        if not path.exists():
            # Not for an existing file: closing any handle of it would drop SQLite's locks on it.
            with contextlib.suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))
        # SQLite creates files beside a database with the database's mode; older files may have another one.
        for each in path.parent.glob(f"{path.name}*"):
            make_private(each)
        return sqlite3.connect(path, isolation_level=None, timeout=0.0)

    def read(self, path: Path) -> bytes:
        return path.read_bytes() if path.exists() else b""

    def tail(self, path: Path) -> Tail:
        return _SystemTail(path)

    def replace(self, path: Path, data: bytes) -> None:
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
    """Sync a directory, so that new names of files are durable; Windows has no such call."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
