"""A client's part in the dice of a match, and its check that the server keeps its commitment."""

from collections.abc import Callable
from enum import IntEnum

from shared.messages import Pledge, Proof, TableState
from shared.proof import commitment
from shared.tables import TablePhase


class Doubt(IntEnum):
    """Fault in the dice of a match, as far as this client sees."""

    NONE = 0
    CHANGED = 1
    """The server shows another commitment than at first."""
    LEFT_OUT = 2
    """Our number is not among the inputs of the dice: it came too late, or the server left it out."""
    BROKEN = 3
    """The secret that the server published at the end does not fit its commitment."""


class DiceCommitment:
    """A client's part in the dice, of one match at a time. `roll`: 32 random bytes; None: no number is given."""

    def __init__(self, roll: Callable[[], bytes] | None) -> None:
        self._roll = roll
        self._match = ""
        self.commitment = b""
        """The commitment that was seen first."""
        self.number = b""
        """The number that we gave."""
        self.doubt = Doubt.NONE
        self._is_sent = False

    def restore(self, match: str, commitment: bytes, number: bytes) -> None:
        """Restore the commitment and the number of an earlier run; without a commitment, change nothing."""
        if commitment:
            self._match, self.commitment, self.number = match, commitment, number

    def forget_sent(self) -> None:
        """Forget that the number was sent: after a new connection or a new seat it may not have arrived."""
        self._is_sent = False

    def heed(self, table: TableState) -> bytes:
        """Compare a table with the commitment seen first; return the number to be sent now, empty for none."""
        pledge = table.pledge or Pledge(b"", ())
        if table.match != self._match:
            self._match, self.commitment, self.number = table.match, pledge.commitment, b""
            self.doubt = Doubt.NONE
        if pledge.commitment != self.commitment:
            self.doubt = Doubt.CHANGED
        if not 0 <= table.you < len(pledge.numbers):
            return b""
        given = pledge.numbers[table.you]
        if table.phase == TablePhase.GATHERING:
            return self._give(given)
        if self.number and given != self.number:
            self.doubt = Doubt.LEFT_OUT
        return b""

    def close(self, proof: Proof) -> None:
        """Check the server's secret at the end of the match against its commitment."""
        if proof.match == self._match and commitment(proof.secret, proof.key) != self.commitment:
            self.doubt = Doubt.BROKEN

    def _give(self, given: bytes) -> bytes:
        if self._roll is None or self._is_sent or (self.number and given == self.number):
            return b""
        self._is_sent = True
        # The same number again: the first message may have arrived after all.
        self.number = self.number or self._roll()
        return self.number
