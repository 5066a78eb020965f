"""Undo history of a draft."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Steps(Generic[T]):
    """Draft and its former versions. Drafts are frozen: every change is a new one."""

    def __init__(self, first: T) -> None:
        self._steps = [first]

    @property
    def now(self) -> T:
        """The present draft."""
        return self._steps[-1]

    @property
    def fresh(self) -> bool:
        """Whether there is nothing to undo."""
        return len(self._steps) == 1

    def put(self, draft: T) -> None:
        """Add a version, if it differs from the present one."""
        if draft != self.now:
            self._steps.append(draft)

    def undo(self) -> bool:
        """Undo one step. Return False if there was none."""
        if self.fresh:
            return False
        self._steps.pop()
        return True
