"""Announcement of a table in the local network (DNS-SD): the contents of the TXT record."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from protocol.text import clean
from protocol.version import OLDEST, PROTOCOL
from shared.ids import MAX_SEATS
from shared.tables import MAX_NAME, MAX_TITLE, TablePhase

SERVICE: Final = "_conquest._tcp.local."
"""The DNS-SD service type of tables."""
MOST: Final = 64
"""Tables that are listed at once, however many are announced."""
MAX_VALUE: Final = 200
"""Bytes of one value; an honest one has no more than four for each letter of a title."""
_KEYS: Final = ("protocol", "match", "game", "title", "host", "seats", "taken", "phase", "newest")
_MATCH: Final = re.compile(r"[a-z0-9]{1,26}")
_GAME: Final = re.compile(r"[a-z0-9_]{1,32}")
_NUMBER: Final = re.compile(r"[0-9]{1,5}")


class Unreadable(ValueError):
    """Raised for an announcement that is no table."""


class Announcement(Struct, frozen=True):
    """A table that everybody near may join; tables that need their code are not announced.

    `match`, `game` and `title` as in `shared.messages.TableInfo`; `host`: the name of the host.
    """

    match: str
    game: str
    title: str
    host: str
    seats: int
    taken: int
    phase: TablePhase
    protocol: int = OLDEST
    """The oldest version that the server speaks; `newest` is the newest one."""
    newest: int = PROTOCOL

    def record(self) -> dict[str, bytes]:
        """Return the keys and values of the TXT record."""
        return {key: str(_plain(getattr(self, key))).encode() for key in _KEYS}


class Near(Struct, frozen=True):
    """A table that was announced, and the address of its server, as `routes_of` takes it."""

    table: Announcement
    address: str


def _plain(value: str | int) -> str | int:
    return int(value) if isinstance(value, TablePhase) else value


def read(record: Mapping[bytes, bytes | None]) -> Announcement:
    """Return the table that was announced. Raises Unreadable, and nothing else.

    Announcements are not trusted: names are cleaned and cut as those that people type.
    """
    seats = _number(record, "seats", 2, MAX_SEATS)
    return Announcement(
        match=_key(record, "match", _MATCH),
        game=_key(record, "game", _GAME),
        title=_words(record, "title", MAX_TITLE),
        host=_words(record, "host", MAX_NAME),
        seats=seats,
        taken=_number(record, "taken", 0, seats),
        phase=TablePhase(_number(record, "phase", TablePhase.GATHERING, TablePhase.OVER)),
        protocol=_number(record, "protocol", 1, 65535),
        # Older servers announce a single version.
        newest=_number({b"newest": record.get(b"protocol"), **record}, "newest", 1, 65535),
    )


def _text(record: Mapping[bytes, bytes | None], key: str) -> str:
    value = record.get(key.encode())
    if value is None or len(value) > MAX_VALUE:
        raise Unreadable(f"{key} is missing, or too long")
    return value.decode(errors="replace")


def _key(record: Mapping[bytes, bytes | None], key: str, pattern: re.Pattern[str]) -> str:
    text = _text(record, key)
    if not pattern.fullmatch(text):
        raise Unreadable(f"{key} cannot be that")
    return text


def _words(record: Mapping[bytes, bytes | None], key: str, limit: int) -> str:
    try:
        return clean(_text(record, key), limit)
    except ValueError as error:
        raise Unreadable(f"{key} shows nothing") from error


def _number(record: Mapping[bytes, bytes | None], key: str, least: int, most: int) -> int:
    number = int(_key(record, key, _NUMBER))
    if not least <= number <= most:
        raise Unreadable(f"{key} cannot be {number}")
    return number
