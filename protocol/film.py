"""What one audience was shown of a match, as one document: what a replay of a match that goes on is made of."""

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
    """`ruleset`, `version` (the rule set's), `options`, `names` (by seat, "" where a bot sits), `title` as the table
    has them; `audience`: a seat, -1 for those who look on. `first`: the `Snapshot` with which it begins, `frames`: each
    `Frame` after it; all of them encoded as they were sent."""

    ruleset: str
    version: int
    options: Mapping[str, int]
    names: tuple[str, ...]
    title: str
    audience: int
    first: bytes
    frames: tuple[bytes, ...]


class BadFilm(ValueError):
    """Bytes that are no film; the text is safe to show."""


def pack(film: Film) -> bytes:
    """A film as it travels: MessagePack, compressed as by zlib."""
    return zlib.compress(codec.ENCODER.encode(film), _LEVEL)


def unpack(data: bytes) -> Film:
    """Raises BadFilm and nothing else. What is inside the single messages is not looked at."""
    engine = zlib.decompressobj()
    try:
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
