"""List of erased profiles, beside the store and outside of its backups, so that a restored backup can be cleaned."""

import errno
import os
from pathlib import Path
from typing import Final

from server.storage.platform import make_directory, open_private

ERASED: Final = "erased"
"""Name of the file in the data directory."""


class ErasedPeople:
    """Ids of erased profiles, one a line of a file. `path`: None to keep them in memory alone. Raises OSError."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        words = path.read_text("ascii", "replace").split() if path is not None and path.exists() else ()
        self.people = dict.fromkeys(words)
        """The ids, the oldest first."""

    def add(self, *people: str) -> None:
        """Add profiles durably, or none of them. Raises OSError."""
        new = [person for person in people if person not in self.people]
        if self._path is not None and new:
            make_directory(self._path.parent)
            with open_private(self._path, "ab") as file:
                before, data = file.tell(), "".join(f"{person}\n" for person in new).encode()
                try:
                    # On a nearly full disk the system takes a part, and reports no error.
                    if file.write(data) != len(data):
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                    os.fsync(file.fileno())
                except OSError:
                    # Nothing stays: the next start would erase people who were told that it failed.
                    file.truncate(before)
                    raise
        # After the file: an erasure that is not durable must be tried again.
        self.people |= dict.fromkeys(new)
