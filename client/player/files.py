"""Small files in the user's own folder: written atomically, readable by the user alone, and never discarded unread."""

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from client.user_directories import read_small

T = TypeVar("T")


class Damaged(Exception):
    """A file cannot be read. The text is the name under which it is kept."""


def read_own(path: Path, kind: type[T]) -> T:
    """Return the content of a file of JSON. Raises FileNotFoundError, or Damaged after the file was put aside."""
    try:
        return msgspec.json.decode(read_small(path), type=kind)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError from error
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        pass
    raise Damaged(put_aside(path) or path.name)


def write_whole(path: Path, data: bytes) -> None:
    """Replace the file's content atomically: after a crash it holds the old or the new data. Raises OSError.

    The temporary file's name is unique: two programs may do this at once.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    number, fresh = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # Only the user may read it.
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


def make_private(folder: Path) -> None:
    """Let the user alone into a folder of secrets, which is made if needed, whatever the umask. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # Some file systems have no modes.
        folder.chmod(0o700)
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # Another program may just have replaced it.
            if stat.S_IMODE(path.stat().st_mode) & 0o077:
                path.chmod(0o600)


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold an exclusive lock for that file of a folder of secrets, against other threads and programs.

    Raises OSError.
    """
    make_private(path.parent)
    # The file of the lock is never removed: another program may wait for it, and a third would lock a new one.
    with path.open("ab") as file:
        _lock(file.fileno())
        yield  # Closing the file, or a crash, releases the lock.


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
    """Rename an unreadable file; return its new name, "" if even that fails."""
    for number in range(1, 100):
        aside = path.with_name(f"{path.name}.damaged-{number}")
        if not os.path.lexists(aside):
            with contextlib.suppress(OSError):
                return path.rename(aside).name
    return ""
