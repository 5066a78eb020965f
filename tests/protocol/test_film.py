"""The film of a match as it travels: data that is no film, or that its viewer may not see, is refused."""

import zlib

import msgspec
import pytest
from msgspec.structs import replace

from protocol.film import BadFilm, Film, pack, unpack

FILM = Film("classic", 2, {"resign": 1}, ("Anna", ""), "A table", -1, b"", ())


def test_a_film_comes_as_it_was_sent() -> None:
    assert unpack(pack(FILM)) == FILM


@pytest.mark.parametrize(
    "changed", [{"title": "A\r\nB"}, {"names": ("Anna", "B\x1b[8m")}, {"ruleset": "classic\n"}, {"title": "A\u202eB"}]
)
def test_a_film_with_hidden_characters_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(BadFilm, match="no server lets through"):
        unpack(pack(replace(FILM, **changed)))


@pytest.mark.parametrize(
    "data", [b"", b"x", zlib.compress(b"\xc1"), zlib.compress(msgspec.msgpack.encode([1]))], ids=ascii
)
def test_invalid_films_are_refused_in_our_words(data: bytes) -> None:
    with pytest.raises(BadFilm) as told:
        unpack(data)
    assert str(told.value).endswith(".") and "`" not in str(told.value)
