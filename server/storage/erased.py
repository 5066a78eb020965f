"""List of erased profiles, beside the store and outside of its backups, so that a restored backup can be cleaned."""

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

    def add(self, person: str) -> None:
        """Add a profile durably. Raises OSError."""
        if person in self.people:
            return
        if self._path is not None:
            make_directory(self._path.parent)
            with open_private(self._path, "ab") as file:
                file.write(f"{person}\n".encode())
                os.fsync(file.fileno())
        # After the file: an erasure that is not durable must be tried again.
        self.people[person] = None
