"""What the store asks of the operating system; tests put a disk of theirs in its place."""

import os
import sqlite3
from pathlib import Path
from typing import Any, Protocol


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


class _SystemTail:
    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)
        self.write = self._file.write
        self.close = self._file.close

    def sync(self) -> None:
        os.fsync(self._file.fileno())


class System:
    """The operating system that we run on."""

    def connect(self, path: Path) -> sqlite3.Connection:
        """See Platform."""
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
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """So that a new name is kept too; Windows has no such thing."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
