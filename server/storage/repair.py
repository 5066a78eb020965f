"""What can be brought back of a damaged database, and what is lost with the rest."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct, structs

from server.storage.database import Database, Row
from server.storage.port import Damaged, PersonRecord
from shared.history import Entry
from shared.tables import TablePhase


class Finding(Struct, frozen=True):
    """A match as it was found.

    wrong: what is damaged, "" for nothing. row, entries: what can be brought back; row is None where nothing can.
    lost: what is lost thereby, in words.
    """

    match: str
    wrong: str = ""
    row: Row | None = None
    entries: tuple[Entry, ...] = ()
    lost: str = ""


def look(database: Database) -> list[Finding]:
    """All matches of a file, the sound ones too."""
    return [_look_at(database, match) for match in database.matches]


def bring_back(findings: Iterable[Finding], database: Database, people: Iterable[PersonRecord] = ()) -> None:
    """Put what can be brought back, and the profiles, into a new file."""
    database.transaction([lambda db, person=person: db.keep_person(person) for person in people])  # type: ignore[misc]
    for finding in findings:
        row, entries = finding.row, finding.entries
        if row is not None:
            (wrong,) = database.transaction([lambda db, row=row, entries=entries: db.adopt(row, entries)])  # type: ignore[misc]
            if isinstance(wrong, Exception):
                raise wrong


def _look_at(database: Database, match: str) -> Finding:
    entries, check = database.sound_entries(match)
    wrong = ""
    try:
        row = database.row(match)
    except Damaged as error:
        wrong = str(error)
        row = _as_it_is(database, match)
    if row is None:
        return Finding(match, wrong, lost="the whole match: its row cannot be read")
    if (row.n, row.check) == (len(entries), check):
        lost = "what the sentence before says; look at the names and seats of the table" if wrong else ""
        return Finding(match, wrong, row, tuple(entries), lost)
    wrong = wrong or f"The log of match {match} is damaged after entry {len(entries)} of {row.n}."
    return _shortened(match, wrong, row, entries, check)


def _as_it_is(database: Database, match: str) -> Row | None:
    """The row although its seal is broken, if at least its record can be read."""
    try:
        row = database.row_as_it_is(match)
        return row if row is None or row.table.match == match else None
    except Damaged:
        return None


def _shortened(match: str, wrong: str, row: Row, entries: list[Entry], check: bytes) -> Finding:
    """The match as it was after its last good entry; one that was over goes on there."""
    table = row.table
    if table.phase == TablePhase.OVER:
        table.phase = TablePhase.PLAYING
    kept = structs.replace(row, n=len(entries), check=check, record=msgspec.msgpack.encode(table))
    lost = f"everything after action {len(entries)} of {max(row.n, len(entries))}"
    return Finding(match, wrong, kept, tuple(entries), lost)
