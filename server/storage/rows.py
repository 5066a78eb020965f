"""Codec of rows: records and logs as every store keeps them, with their checks."""

import contextlib
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar, get_type_hints

import msgspec
from msgspec import Raw, Struct, structs

from server.storage.port import ChairRecord, Damaged, DeedRecord, PersonRecord, StoredMatch, TableRecord
from shared.history import GENESIS, Entry, chain
from shared.tables import TablePhase

T = TypeVar("T")

Kept: TypeAlias = tuple[int, bytes, bytes]
"""A row of a log: number, encoded entry, check after it."""


# --- records ---


class Gist(Protocol):
    """Part of a record that the lists need."""

    ruleset: str
    open: bool
    code: str
    chairs: list[ChairRecord]
    phase: TablePhase
    due: int
    ended: int
    unplayed: bool
    participants: tuple[tuple[str, str], ...]


def _gist() -> msgspec.msgpack.Decoder[Gist]:
    """Return a decoder that reads only that part of a `TableRecord`: thousands are read when a server starts."""
    hints = get_type_hints(Gist)
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for field in structs.fields(TableRecord):
        # Raw skips a field without decoding it; the fields must all be there, because a record is an array.
        kind = hints.get(field.name, Raw)
        usual = field.default if field.name in hints else Raw()
        fields.append((field.name, kind) if field.required else (field.name, kind, usual))
    return msgspec.msgpack.Decoder(msgspec.defstruct("_Gist", fields, array_like=True))


_GIST: Final = _gist()
_TABLE: Final = msgspec.msgpack.Decoder(TableRecord)
PEOPLE, DEEDS = "people", "deeds"
KEYS: Final = {PEOPLE: "person", DEEDS: "deed"}
"""Tables of records with an id, and the name of that column."""
_SINGLE: Final[dict[str, msgspec.msgpack.Decoder[PersonRecord | DeedRecord]]] = {
    PEOPLE: msgspec.msgpack.Decoder(PersonRecord),
    DEEDS: msgspec.msgpack.Decoder(DeedRecord),
}


class Row(Struct, array_like=True, frozen=True):
    """Row of a match. `touched`: the date of its last change. `written` counts its changes; only a file stores it."""

    match: str
    record: bytes
    epoch: int
    n: int
    check: bytes
    touched: float
    written: int = 0

    @property
    def seal(self) -> bytes:
        """Checksum of the whole row, 16 bytes."""
        return hashlib.blake2b(msgspec.msgpack.encode(self), digest_size=16).digest()

    @property
    def table(self) -> TableRecord:
        """The decoded record. Raises Damaged."""
        return table_of(self.match, self.record)

    @property
    def gist(self) -> Gist:
        """The part of the record that the lists need. Raises Damaged."""
        return _decoded(_GIST, self.record, f"The record of match {self.match}")


class Columns(NamedTuple):
    """Facts of a record by which matches are looked up. `past`: the rule set, if it is over and was open to all."""

    phase: TablePhase
    code: str
    people: list[str]
    due: int
    past: str | None
    ended: int


def columns_of(table: Gist) -> Columns:
    """Return the facts of a record by which its match is looked up."""
    people = sorted({chair.person for chair in table.chairs if chair.person} | {each for each, _ in table.participants})
    past = table.ruleset if table.phase == TablePhase.OVER and table.open else None
    return Columns(table.phase, table.code, people, table.due, past, table.ended)


def encoded(record: TableRecord | PersonRecord | DeedRecord) -> bytes:
    """Return a record as it is stored."""
    return msgspec.msgpack.encode(record)


def table_of(match: str, record: bytes) -> TableRecord:
    """Decode the record of a match. Raises Damaged."""
    return _decoded(_TABLE, record, f"The record of match {match}")


def single_of(table: str, record: bytes) -> PersonRecord | DeedRecord:
    """Decode a record of a table of `KEYS`. Raises Damaged."""
    return _decoded(_SINGLE[table], record, f"A record of {table}")


def id_of(record: PersonRecord | DeedRecord) -> str:
    """Return the id of a record of a table of `KEYS`."""
    return record.person if isinstance(record, PersonRecord) else record.deed


def in_order(deeds: Iterable[object]) -> list[DeedRecord]:
    """Return the deeds among records, the oldest first."""
    return sorted((each for each in deeds if isinstance(each, DeedRecord)), key=lambda each: (each.at, each.deed))


def _decoded(decoder: msgspec.msgpack.Decoder[T], record: bytes, name: str) -> T:
    try:
        return decoder.decode(record)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Damaged(f"{name} is damaged.") from None


# --- logs ---


def log_rows(check: bytes, entries: Sequence[Entry]) -> list[Kept]:
    """Return the rows of entries that follow the one whose check is `check`."""
    rows: list[Kept] = []
    for entry in entries:
        blob = msgspec.msgpack.encode(entry)
        check = chain(check, blob)
        rows.append((entry.n, blob, check))
    return rows


def last_check(rows: Sequence[Kept]) -> bytes:
    """Return the check after the last row of a whole log."""
    return rows[-1][2] if rows else GENESIS


def checked_rows(match: str, first: int, rows: Sequence[Kept]) -> list[bytes]:
    """Check rows of a log and return their encoded entries from number `first` on.

    If `first` is above 1, the rows begin with the entry before it. Raises Damaged if they are not what was written.
    """
    before, found = (GENESIS, rows) if first == 1 else (last_check(rows[:1]), rows[1:])
    for n, (number, blob, check) in enumerate(found, first):
        before = chain(before, blob)
        if (number, check) != (n, before):
            raise Damaged(f"The log of match {match} is damaged at entry {n}.")
    return [blob for _, blob, _ in found]


def sound(rows: Iterable[Kept]) -> tuple[list[Entry], list[Kept]]:
    """Return a log up to the first row that is damaged or missing: its entries, and its rows as they are stored."""
    entries: list[Entry] = []
    sound_rows: list[Kept] = []
    check = GENESIS
    # TypeError: a damaged row of SQLite may hold a value of another type.
    with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, TypeError):
        for n, blob, after in rows:
            entry = msgspec.msgpack.decode(blob, type=Entry)
            if chain(check, blob) != after or not n == entry.n == len(entries) + 1:
                break
            check = after
            entries.append(entry)
            sound_rows.append((n, blob, after))
    return entries, sound_rows


def damage(row: Row, entries: Sequence[Kept]) -> str:
    """Return what is wrong with a log whose sound rows are given, in a sentence; "" if it is all that was written."""
    if (row.n, row.check) == (len(entries), last_check(entries)):
        return ""
    return f"The log of match {row.match} is damaged after entry {len(entries)} of {row.n}."


def stored(row: Row, table: TableRecord, log: Sequence[Kept], silent: float = 0.0) -> StoredMatch:
    """Return a match as a claim does, with its decoded record. Raises Damaged if its log is not what was written."""
    entries, checks = sound(log)
    wrong = damage(row, checks)
    if wrong:
        raise Damaged(wrong)
    return StoredMatch(table, row.epoch, entries, row.check, silent)
