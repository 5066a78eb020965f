"""What can be had of a match that is kept."""

from typing import Protocol

from msgspec import Struct

from server.storage.port import TableRecord
from shared.tables import LOOKING_ON, Recollection


class Wanted(Struct, array_like=True, frozen=True):
    """A match, with its log (encoded entries), and what is wanted of it: its record, or the film for a seat, or for
    LOOKING_ON, from version `have` on."""

    table: TableRecord
    entries: list[bytes]
    kind: Recollection
    audience: int = LOOKING_ON
    have: int = 0


class Made(Struct, array_like=True, frozen=True):
    """What came of it: a packed film, or the file of a record; or in words what was wrong with the log."""

    data: bytes
    wrong: str = ""


class Maker(Protocol):
    """Whoever makes films and records. May raise."""

    async def __call__(self, wanted: Wanted, /) -> Made:
        """Make that one."""
