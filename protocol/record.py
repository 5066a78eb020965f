"""The file of one match, `.conquest`: players, rules, the whole log, and the proof of the dice.

A magic line, then XZ, then one MessagePack array; SPEC.md names the fields. Files may be hostile: size,
memory, counts and nesting are bounded before anything is made of them.
"""

import hashlib
import lzma
from collections.abc import Iterator
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from protocol import codec, hash_signature
from protocol.limits import MAX_TO_SERVER
from protocol.text import is_clean
from shared.history import GENESIS, Deed, Entry, chain
from shared.ids import MAX_SEATS
from shared.messages import Key, LevelName, MatchId, Options
from shared.tables import MAX_NAME, MAX_TITLE

SUFFIX: Final = ".conquest"
FORMAT: Final = 2
"""Raised when an old reader would misread a new file; appended fields with defaults do not raise it.

2: signed with Ed25519. A reader of format 1 would say that something in the file was changed.
"""
MAGIC: Final = b"conquest-match "
"""The format in digits and a line feed follow."""
MAX_FILE: Final = 2 * 1024 * 1024
"""Bytes of a file."""
MAX_INSIDE: Final = 16 * 1024 * 1024
"""Bytes of the unpacked contents."""
MAX_MEMORY: Final = 96 * 1024 * 1024
"""Bytes that unpacking may take; the strongest preset takes 65 MiB."""
MAX_ENTRIES: Final = 200_000
MOST_BACKS: Final = 2000
"""Steps back in one match: each costs readers memory for a position, and the time to compute it."""
_LONGEST: Final = len(MAGIC) + 8
# Preset 9 alone would have every reader set aside 64 MiB for its dictionary.
_FILTERS: Final = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 20}]


class BadRecord(ValueError):
    """Raised for a file of a match that cannot be read; the text is a sentence."""


class Sitter(Struct, frozen=True, array_like=True):
    """The player of a seat when the match began. `bot`: its level, "" for a person."""

    name: Annotated[str, Meta(max_length=MAX_NAME)]
    bot: LevelName = ""


class DiceProof(Struct, frozen=True, array_like=True):
    """Proof that the dice were fixed by the server's secret and the players' numbers (`shared.proof`).

    `numbers`: of each seat, empty if its client sent none. `key`: of the server for this one match; `signature`: by
    it, of the `seal`, with Ed25519, or with hashes if the match began before version 0.2.
    """

    secret: Annotated[bytes, Meta(min_length=32, max_length=32)]
    numbers: Annotated[tuple[Annotated[bytes, Meta(max_length=32)], ...], Meta(max_length=MAX_SEATS)]
    key: Annotated[bytes, Meta(max_length=32)] = b""
    signature: Annotated[bytes, Meta(max_length=4096)] = b""


class Record(Struct, frozen=True, array_like=True):
    """A match. `version` is the rule set's; `begun`, `ended` in seconds since 1970, 0 if unknown.

    `log`: each `Entry` as it was written, so that `check`, the last of the chain over them, can be made again byte by
    byte. `open_hands`: whether all hands may be shown. `proof`: None if the dice were not proven.
    """

    match: MatchId
    title: Annotated[str, Meta(max_length=MAX_TITLE)]
    ruleset: Key
    version: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    options: Options
    seats: Annotated[tuple[Sitter, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    log: Annotated[tuple[Annotated[bytes, Meta(max_length=2 * MAX_TO_SERVER)], ...], Meta(max_length=MAX_ENTRIES)]
    check: Annotated[bytes, Meta(min_length=len(GENESIS), max_length=len(GENESIS))]
    begun: Annotated[int, Meta(ge=0, le=2**40)] = 0
    ended: Annotated[int, Meta(ge=0, le=2**40)] = 0
    open_hands: bool = True
    proof: DiceProof | None = None


_RECORD: Final = msgspec.msgpack.Decoder(Record)
_ENTRY: Final = msgspec.msgpack.Decoder(Entry)


def write(record: Record) -> bytes:
    """Return the bytes of the file. Takes milliseconds: do not call it on the event loop of a server."""
    packed = lzma.compress(codec.encode(record), lzma.FORMAT_XZ, filters=_FILTERS)
    return MAGIC + b"%d\n" % (1 if is_format_1(record) else FORMAT) + packed


def is_hash_signature(signature: bytes) -> bool:
    """Whether the signature is one of hashes. The length tells: one of Ed25519 has 64 bytes."""
    return len(signature) == hash_signature.SIGNATURE


def signed(key: bytes, digest: bytes, signature: bytes) -> bool:
    """Whether the holder of the private half of the key signed that digest."""
    if is_hash_signature(signature):
        return hash_signature.signed(key, digest, signature)
    # Imported here: it takes 25 to 40 ms, and only a verification needs it.
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ModuleNotFoundError:
        needed = "Signatures need the package cryptography. Do this: pip install 'conquest-empire[verify]'"
        raise ModuleNotFoundError(needed, name="cryptography") from None

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, digest)
    except (InvalidSignature, ValueError):  # ValueError: the key does not have 32 bytes.
        return False
    return True


def is_format_1(record: Record) -> bool:
    """Whether programs before version 0.2 can verify the match: it has no proof, or its signature is of hashes."""
    return record.proof is None or is_hash_signature(record.proof.signature)


def read(data: bytes) -> Record:
    """Return the match in a file's bytes. Raises BadRecord and nothing else."""
    if len(data) > MAX_FILE:
        raise BadRecord(f"A file of a match has at most {MAX_FILE} bytes; this one has {len(data)}.")
    packed = data[_head(data[:_LONGEST]) :]
    try:
        match = _RECORD.decode(_unpacked_within_limit(packed))
    except codec.UNREADABLE:
        raise BadRecord("The file of the match is damaged: what is in it cannot be read.") from None
    # Files come from anywhere, and names are printed on terminals.
    if not all(map(is_clean, _words(match))):
        raise BadRecord("The title or a name in this file has characters that no server lets through.")
    return match


def _words(match: Record) -> Iterator[str]:
    """Yield all texts of the header that a program may print. They are checked, as patterns alone let a final line feed
    pass.
    """
    yield from (match.match, match.title, match.ruleset, *match.options)
    for sitter in match.seats:
        yield from (sitter.name, sitter.bot)


def seal(record: Record) -> bytes:
    """Return a digest of all but the proof, which the server signs."""
    # A map has no order of its own on the wire, a digest needs one.
    options = sorted(record.options.items())
    covered = (record.match, record.title, record.ruleset, record.version, options, record.seats, record.check)
    rest = (record.begun, record.ended, record.open_hands)
    return hashlib.sha256(b"conquest match 1\n" + codec.ENCODER.encode((*covered, *rest))).digest()


def is_as_signed(record: Record) -> bool:
    """Whether the signature under header and log holds. True for a match whose dice have no proof: it has no
    signature.
    """
    given = record.proof
    return given is None or signed(given.key, seal(record), given.signature)


def entries(record: Record) -> list[Entry]:
    """Return the log, once the chain of checks holds and versions follow each other. Raises BadRecord and nothing
    else.
    """
    check, found = GENESIS, []
    for n, written in enumerate(record.log, 1):
        check = chain(check, written)
        found.append(_entry(n, written))
    if check != record.check:
        raise BadRecord("The log is not the one that was written: its chain of checks does not hold.")
    if sum(entry.deed is Deed.BACK for entry in found) > MOST_BACKS:
        raise BadRecord(f"The match goes back more than {MOST_BACKS} times.")
    return found


def _entry(n: int, written: bytes) -> Entry:
    try:
        entry = _ENTRY.decode(written)
    except codec.UNREADABLE:
        raise BadRecord(f"Entry {n} of the log is damaged: it cannot be read.") from None
    # Part of the entry although its place says it: so entries cannot be reordered.
    if entry.n != n:
        raise BadRecord(f"Entry {n} of the log says that it is number {entry.n}.")
    return entry


def _head(start: bytes) -> int:
    """Return the length of the magic line. Raises BadRecord."""
    line, found, _ = start.partition(b"\n")
    if not line.startswith(MAGIC) or not found or not line[len(MAGIC) :].isdigit():
        raise BadRecord("This is not a file of a match.")
    if not int(line[len(MAGIC) :]):
        raise BadRecord("This is not a file of a match.")
    if int(line[len(MAGIC) :]) > FORMAT:
        raise BadRecord("The file of the match was written by a newer version of the game.")
    return len(line) + 1


def _unpacked_within_limit(packed: bytes) -> bytes:
    """Return the unpacked bytes, up to the limit. Raises BadRecord."""
    try:
        unpacking = lzma.LZMADecompressor(lzma.FORMAT_XZ, MAX_MEMORY)
        # One byte more than allowed, which tells a full file from a longer one.
        inside = unpacking.decompress(packed, MAX_INSIDE + 1)
    except (lzma.LZMAError, MemoryError):
        raise BadRecord("The file of the match is damaged: it cannot be unpacked.") from None
    if len(inside) > MAX_INSIDE:
        raise BadRecord(f"The file of the match holds more than {MAX_INSIDE} bytes.")
    if not unpacking.eof or unpacking.unused_data:
        raise BadRecord("The file of the match does not end where it should.")
    return inside
