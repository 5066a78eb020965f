"""Sidecar file with the last acknowledged version of each match; detects a rolled-back database.

A database that loses its newest pages or its whole write-ahead log looks sound and is older. This file grows by one
record for each match that a commit changed. Records are written after the commit, so they never claim more than the
database had.
"""

import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from server.storage.platform import Platform, Tail

_RECORD: Final = struct.Struct(">26sI16s")
_SUM: Final = struct.Struct(">I")
_SIZE: Final = _RECORD.size + _SUM.size
_SPARE: Final = 1000
"""Records that the file may hold in addition to two for each match."""
_GONE: Final = 2**32 - 1
"""`written` of a match that was deleted."""


class Mark(Struct, frozen=True):
    """State of a match after its `written`-th change: the seal of its row."""

    written: int
    seal: bytes


class LastAcknowledged:
    """The marks of all matches, in memory and in a file."""

    def __init__(self, platform: Platform, path: Path) -> None:
        self._platform = platform
        self._path = path
        self.marks: dict[str, Mark] = {}
        self.damaged = 0
        """Bytes of the file that cannot be read; a torn end is no damage."""
        data = platform.read(path)
        self._read(data)
        self._size = len(data)
        if self._is_long() or len(data) % _SIZE:
            self._rewrite()
        self._tail: Tail = platform.tail(path)

    def note(self, changed: Mapping[str, Mark | None]) -> None:
        """Note matches that were durably changed or (None) are deleted. Raises OSError."""
        data = b"".join(_written(match, mark) for match, mark in changed.items())
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
            self._rewrite()
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
                self._take(name, None if written == _GONE else Mark(written, seal))
            elif at + 2 * _SIZE <= len(data):
                self.damaged += _SIZE

    def _take(self, match: str, mark: Mark | None) -> None:
        if mark is None:
            self.marks.pop(match, None)
        else:
            self.marks[match] = mark

    def _is_long(self) -> bool:
        return self._size > _SIZE * (2 * len(self.marks) + _SPARE)

    def _rewrite(self) -> None:
        data = b"".join(_written(match, mark) for match, mark in self.marks.items())
        self._platform.replace(self._path, data)
        self._size = len(data)


def _written(match: str, mark: Mark | None) -> bytes:
    written, seal = (_GONE, b"") if mark is None else (mark.written, mark.seal)
    body = _RECORD.pack(match.encode(), written, seal)
    return body + _SUM.pack(zlib.crc32(body))
