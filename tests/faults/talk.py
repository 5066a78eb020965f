"""Chat that was acknowledged, and which of it must be stored whatever happens to the server."""

import time
from collections.abc import Iterable, Sequence
from typing import Final

from shared.messages import Said

ALLOWED: Final = 3.0
"""Seconds after which a line must be stored. One is promised; a machine that is busy with other tests may be late."""
EVERY: Final = 2.5
"""Seconds between two lines of one speaker: a connection may say one every 2 seconds."""


class Talk:
    """The lines of one speaker."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0
        self._due = 0.0
        self.acknowledged: dict[str, float] = {}
        """When each line came back to its speaker."""
        self.owed: set[str] = set()
        """Lines after which an action of the same speaker was accepted on the same server."""
        self.stored: set[str] = set()

    def next_line(self) -> str:
        """Return a unique line, "" if it is too early for one."""
        if time.monotonic() < self._due:
            return ""
        self._due = time.monotonic() + EVERY
        self._count += 1
        return f"{self._name} says {self._count}"

    def hear(self, message: Said) -> None:
        """Note the line if it is the speaker's."""
        if message.text.startswith(f"{self._name} says "):
            self.acknowledged.setdefault(message.text, time.monotonic())

    def accepted(self) -> None:
        """An action was accepted by the server that acknowledged the lines: it takes them along to the disk."""
        self.owed |= self.acknowledged.keys()

    def server_ended(self, at: float) -> None:
        """The server was killed: lines that it had for long enough are stored, too."""
        self.owed |= {text for text, moment in self.acknowledged.items() if moment <= at - ALLOWED}

    def look(self, stored: Iterable[str]) -> None:
        """Note what is stored now."""
        self.stored |= self.acknowledged.keys() & set(stored)

    @property
    def lost(self) -> list[str]:
        """Lines that must be stored and are not."""
        return sorted(self.owed - self.stored)

    @property
    def gone(self) -> int:
        """Number of acknowledged lines that are not stored, including those that may be lost."""
        return len(self.acknowledged.keys() - self.stored)

    def owe_before(self, faults: Sequence[tuple[float, float]]) -> None:
        """In a cluster: a line is owed if no fault went on as it was said, and none began while it may have waited.
        `faults`: when each began, and when all went on after it."""
        self.owed |= {
            text
            for text, at in self.acknowledged.items()
            if not any(began - ALLOWED <= at <= ended for began, ended in faults)
        }
