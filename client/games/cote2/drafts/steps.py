"""What is put together step by step, each step to be taken back."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Steps(Generic[T]):
    """A draft and what it was before. Drafts are frozen: every change is a new one."""

    def __init__(self, first: T) -> None:
        self._steps = [first]

    @property
    def now(self) -> T:
        """The draft as it is."""
        return self._steps[-1]

    @property
    def fresh(self) -> bool:
        """Whether nothing was done yet."""
        return len(self._steps) == 1

    def put(self, draft: T) -> None:
        """One step further."""
        if draft != self.now:
            self._steps.append(draft)

    def undo(self) -> bool:
        """One step back; False where there was none."""
        if self.fresh:
            return False
        self._steps.pop()
        return True
