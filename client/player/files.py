"""Small files in the user's own folder: written whole or not at all, for his eyes only, never thrown away unread."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Put that in the place of what the file held; a crash leaves the one or the other. Raises OSError.

    The name it is written under first belongs to nobody else: two programs may do this at once.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    number, fresh = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # Nobody else may read it.
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(fresh).replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            Path(fresh).unlink()
        raise


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Nobody else who asks for the same file is inside at the same time, in this program or another. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        _lock(file.fileno())
        yield  # Closing the file, or dying, lets go.


if sys.platform == "win32":
    import msvcrt

    def _lock(number: int) -> None:
        msvcrt.locking(number, msvcrt.LK_LOCK, 1)

else:
    import fcntl

    def _lock(number: int) -> None:
        with contextlib.suppress(OSError):  # Some file systems have no locks.
            fcntl.flock(number, fcntl.LOCK_EX)


def put_aside(path: Path) -> str:
    """Keep a file that cannot be understood under another name; returns that, "" where not even that can be done."""
    for number in range(1, 100):
        aside = path.with_name(f"{path.name}.damaged-{number}")
        if not aside.exists():
            with contextlib.suppress(OSError):
                return path.rename(aside).name
    return ""
