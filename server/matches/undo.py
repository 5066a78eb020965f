"""What may be taken back: the last decisions of one seat, where nothing else happened and nobody learnt a secret."""

from typing import Any, Final

from msgspec import Struct

from shared.history import Deed, Entry
from shared.ids import NONE

DEPTH: Final = 32
"""Own decisions in a row that can be taken back."""


class Before(Struct, frozen=True):
    """The position before a decision that can be taken back."""

    version: int
    state: Any


class Undoable(Struct, frozen=True):
    """The last decisions of one seat, since which nothing else happened; the latest is taken back first."""

    seat: int = NONE
    decisions: tuple[Before, ...] = ()

    def steps(self, audience: int) -> int:
        """How often in a row that seat may take something back now."""
        return len(self.decisions) if audience == self.seat else 0

    def each(self, audiences: int) -> list[int]:
        """The same for so many audience classes, by number."""
        steps = [0] * audiences
        if self.decisions:
            steps[self.seat] = len(self.decisions)
        return steps

    def after(self, entry: Entry, before: Any, is_open: bool) -> "Undoable":
        """What may be taken back after one more entry; `before`: the position that it found; `is_open`: whether it
        showed the same to everybody, so that nobody knows more than before it."""
        if entry.deed is Deed.BACK and entry.seat == self.seat:
            return Undoable(self.seat, tuple([kept for kept in self.decisions if kept.version < entry.to]))
        if entry.deed is not Deed.PLAY or not entry.command or not is_open:
            return NOTHING
        kept = self.decisions if entry.seat == self.seat else ()
        return Undoable(entry.seat, (*kept, Before(entry.n - 1, before))[-DEPTH:])


NOTHING: Final = Undoable()
