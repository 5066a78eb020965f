"""What a client gives to the dice of a match, and whether the server keeps its word about them."""

from collections.abc import Callable
from enum import IntEnum

from shared.messages import Pledge, Proof, TableState
from shared.proof import commitment
from shared.tables import TablePhase


class Doubt(IntEnum):
    """What is wrong with the dice of a match, as far as this client sees."""

    NONE = 0
    CHANGED = 1
    """The server has committed itself to something else than at first."""
    LEFT_OUT = 2
    """Our number is not among those that the dice are made from: it came too late, or the server left it out."""
    BROKEN = 3
    """What the server published at the end is not what it had committed itself to."""


class Stake:
    """One client's part in the dice, of one match at a time. `roll`: 32 random bytes; None: nothing is given."""

    def __init__(self, roll: Callable[[], bytes] | None) -> None:
        self._roll = roll
        self._match = ""
        self.commitment = b""
        """As it was seen first."""
        self.number = b""
        """What we gave."""
        self.doubt = Doubt.NONE
        self._said = False

    def restore(self, match: str, commitment: bytes, number: bytes) -> None:
        """Take up that of an earlier run: what was seen first there, and given; nothing where nothing was seen."""
        if commitment:
            self._match, self.commitment, self.number = match, commitment, number

    def again(self) -> None:
        """A new connection, or a seat anew: what was said may not have arrived."""
        self._said = False

    def heed(self, table: TableState) -> bytes:
        """The table is shown; the number to be given now, empty for none."""
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
        """The match is over, and the server shows what it had committed itself to."""
        if proof.match == self._match and commitment(proof.secret, proof.key) != self.commitment:
            self.doubt = Doubt.BROKEN

    def _give(self, given: bytes) -> bytes:
        if self._roll is None or self._said or (self.number and given == self.number):
            return b""
        self._said = True
        self.number = self.number or self._roll()
        return self.number
