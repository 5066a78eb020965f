"""Undo: players may take back their last decisions while nothing else happened and no secret was disclosed."""

from enum import Enum
from typing import Any, Final

from msgspec import Struct

from shared.history import UNDO_DEPTH, Deed, Entry
from shared.ids import NATURE, NONE, Seat
from shared.kernel.frames import Dice, Frame
from shared.refusal import Refusal

NO_UNDO: Final = "no-undo"
"""Code of all refusals that say why a decision stands."""


class UndoRefusal(Enum):
    """Reason why the last decision of a seat stands."""

    NOTHING = Refusal(NO_UNDO, "", "There is nothing that you can take back.")
    DICE = Refusal(NO_UNDO, "", "You cannot take that back: dice have been rolled since.")
    DRAWN = Refusal(NO_UNDO, "", "You cannot take that back: something has been drawn by chance since.")
    SECRET = Refusal(NO_UNDO, "", "You cannot take that back: your decision involves a secret.")
    OTHERS = Refusal(NO_UNDO, "", "You cannot take that back: another player has decided since.")
    SERVER = Refusal(NO_UNDO, "", "You cannot take that back: it was decided for you.")
    TABLE = Refusal(NO_UNDO, "", "You cannot take that back: the table has agreed on something since.")


class Before(Struct, frozen=True):
    """Position before a decision that can be taken back."""

    version: int
    state: Any


class Undoable(Struct, frozen=True):
    """The last decisions of one seat, since which nothing else happened; the latest is taken back first.

    `closed`: pairs of a seat and why it cannot go further back.
    """

    seat: int = NONE
    decisions: tuple[Before, ...] = ()
    closed: tuple[tuple[Seat, UndoRefusal], ...] = ()

    def steps(self, audience: int) -> int:
        """Return how many decisions in a row a seat may take back now."""
        return len(self.decisions) if audience == self.seat else 0

    def each(self, audiences: int) -> list[int]:
        """Return `steps` of each audience class, by number."""
        steps = [0] * audiences
        if self.decisions:
            steps[self.seat] = len(self.decisions)
        return steps

    def why_closed(self, seat: Seat) -> Refusal:
        """Return why a seat cannot take anything back now."""
        return dict(self.closed).get(seat, UndoRefusal.NOTHING).value

    def after(self, entry: Entry, before: Any, secret: bool) -> "Undoable":
        """Return what may be taken back after one more entry.

        before: the position before the entry. secret: whether a player learned a secret by the entry, or it made a
        secret that does not follow from what all saw.
        """
        if entry.deed is Deed.BACK and entry.seat == self.seat:
            decision = tuple([decision for decision in self.decisions if decision.version < entry.to])
            return Undoable(self.seat, decision, self.closed)
        if entry.deed is not Deed.PLAY:
            return self._close(self.seat, UndoRefusal.TABLE)
        if entry.seat == NATURE:
            return self._close(self.seat, _chance(before.frames[-1]))
        others = self if entry.seat == self.seat else self._close(self.seat, UndoRefusal.OTHERS)
        # Command 0 is the server's decision, by a clock or a bot.
        if not entry.command:
            return others._close(entry.seat, UndoRefusal.SERVER)
        if secret:
            return others._close(entry.seat, UndoRefusal.SECRET)
        return Undoable(entry.seat, (*others.decisions, Before(entry.n - 1, before))[-UNDO_DEPTH:], others.closed)

    def _close(self, seat: Seat, why: UndoRefusal) -> "Undoable":
        """Return a copy from which nothing can be taken back, with the reason for that seat."""
        if seat == NONE:
            return self
        return Undoable(closed=(*[pair for pair in self.closed if pair[0] != seat], (seat, why)))


def _chance(frame: Frame) -> UndoRefusal:
    return UndoRefusal.DICE if isinstance(frame, Dice) else UndoRefusal.DRAWN


NOTHING: Final = Undoable()
