"""Requests and results of making films and records from stored matches."""

from typing import Protocol

from msgspec import Struct

from server.storage.port import TableRecord
from shared.tables import LOOKING_ON, Recollection


class FilmRequest(Struct, array_like=True, frozen=True):
    """Request for a film or record of a match, with its log (encoded entries).

    A film is for the seat `audience`, or for LOOKING_ON, and begins after version `have`. `words`: with sentences.
    """

    table: TableRecord
    entries: list[bytes]
    kind: Recollection
    audience: int = LOOKING_ON
    have: int = 0
    words: bool = False


class FilmResult(Struct, array_like=True, frozen=True):
    """Result: a packed film or the file of a record. `wrong`: what was wrong with the log, in words."""

    data: bytes
    wrong: str = ""


class Maker(Protocol):
    """Maker of films and records. May raise."""

    async def __call__(self, wanted: FilmRequest, /) -> FilmResult:
        """Make the requested film or record."""
