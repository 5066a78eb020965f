"""Film of a match: the document with all that one audience was shown, from which replays are made."""

import zlib
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from protocol import codec
from protocol.text import is_clean

MOST: Final = 16 * 1024 * 1024
"""Bytes of a film at most."""
_LEVEL: Final = 9


class Film(Struct, array_like=True, frozen=True):
    """A film of one audience.

    `ruleset`, `version` (the rule set's), `options`, `names` (by seat, "" for a bot), `title` are those of the table.
    `audience`: a seat, -1 for spectators. `first`: the `Snapshot` with which it begins, `frames`: each `Frame` after
    it;
    all of them encoded as they were sent. `words`: an encoded `Narrated` for each of them, if they were asked for.
    """

    ruleset: str
    version: int
    options: Mapping[str, int]
    names: tuple[str, ...]
    title: str
    audience: int
    first: bytes
    frames: tuple[bytes, ...]
    words: tuple[bytes, ...] = ()


class BadFilm(ValueError):
    """Raised for bytes that are no film; the text is safe to show."""


def pack(film: Film) -> bytes:
    """Return a film as it travels: MessagePack, compressed as by zlib."""
    return zlib.compress(codec.ENCODER.encode(film), _LEVEL)


def unpack(data: bytes) -> Film:
    """Return the film in these bytes; the single messages inside are not checked. Raises BadFilm and nothing else."""
    engine = zlib.decompressobj()
    try:
        # Bounded while it unpacks: a small film could fill the memory.
        plain = engine.decompress(data, MOST)
    except zlib.error:
        raise BadFilm("These bytes are no film.") from None
    if not engine.eof or engine.unused_data:
        raise BadFilm("This film is too long, or not whole.")
    try:
        film = msgspec.msgpack.decode(plain, type=Film)
    except codec.UNREADABLE:
        raise BadFilm("These bytes are no film.") from None
    if not all(map(is_clean, (film.ruleset, film.title, *film.names, *film.options))):
        raise BadFilm("The title or a name in this film has characters that no server lets through.")
    return film
