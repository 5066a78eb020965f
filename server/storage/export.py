"""Export of a stored match to a file that any program can read and check."""

from collections.abc import Sequence

from protocol import record
from protocol.record import DiceProof, Record, Sitter
from server.storage.port import TableRecord
from server.storage.promise import promise
from shared.tables import TablePhase


def record_of(table: TableRecord, log: Sequence[bytes], check: bytes) -> Record:
    """Return the record of a match with its log, whose last check is `check`.

    It contains all secrets of an unfinished match; the proof of the dice is added at the end of the match.
    """
    return Record(
        match=table.match,
        title=table.title,
        ruleset=table.ruleset,
        version=table.version,
        options=table.options,
        seats=tuple([Sitter(chair.name, chair.bot) for chair in table.chairs]),
        log=tuple(log),
        check=check,
        begun=table.started,
        ended=table.ended,
        open_hands=not table.closed_hands,
        proof=_proof(table),
    )


def signed(table: TableRecord, check: bytes) -> bytes:
    """Return the signature of a finished match whose log ends with that check; it covers the file's header too.

    A key signs once: the signature is stored in the table's record. It is made again only when a name is erased.
    """
    return promise(table.root).sign(record.seal(record_of(table, (), check)))


def _proof(table: TableRecord) -> DiceProof | None:
    if not table.root or table.phase != TablePhase.OVER:
        return None
    made = promise(table.root)
    numbers = tuple([chair.number for chair in table.chairs])
    return DiceProof(made.secret, numbers, made.key, table.signature)
