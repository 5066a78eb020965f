"""Announcements on the local network: read as they were sent, or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.announcement import MAX_VALUE, Announcement, Unreadable, read
from protocol.text import clean
from protocol.version import OLDEST, PROTOCOL
from shared.tables import MAX_NAME, MAX_TITLE, TablePhase

TABLE = Announcement("m1", "classic", "Livia's table", "Livia", 4, 1, TablePhase.GATHERING)


def said(announcement: Announcement) -> dict[bytes, bytes | None]:
    """Return the announcement's properties in the form in which they arrive."""
    return {key.encode(): value for key, value in announcement.record().items()}


def cleaned(limit: int) -> st.SearchStrategy[str]:
    """Return a strategy for names that a server lets pass."""

    def visible(text: str) -> bool:
        try:
            return clean(text, limit) == text
        except ValueError:
            return False

    return st.text(min_size=1, max_size=limit).filter(visible)


@pytest.mark.long
@given(cleaned(MAX_TITLE), cleaned(MAX_NAME), st.integers(2, 6), st.sampled_from(TablePhase))
def test_a_table_is_read_as_it_was_announced(title: str, host: str, seats: int, phase: TablePhase) -> None:
    table = Announcement("abc123", "cote2", title, host, seats, seats - 1, phase)
    assert read(said(table)) == table
    assert all(len(key) + len(value) < 255 for key, value in table.record().items()), "what one string of DNS holds"


def test_the_code_of_a_table_is_never_announced() -> None:
    assert set(TABLE.record()) == {"protocol", "match", "game", "title", "host", "seats", "taken", "phase", "newest"}


def test_announcements_are_cleaned_and_cut_like_typed_text() -> None:
    hostile = said(TABLE) | {
        b"title": ("\u202e\x1b[2J\n" + "A\u0301\u0301\u0301\u0301 \t" + "x" * 60).encode(),
        b"host": b"\xff\xfe" + b"Livia" * 5,
    }
    table = read(hostile)
    assert table.title == clean(table.title, MAX_TITLE) and len(table.title) == MAX_TITLE
    assert "\u202e" not in table.title and "\x1b" not in table.title and "\n" not in table.title
    assert len(table.host) == MAX_NAME


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (b"title", None), (b"title", b""), (b"title", b"\xe2\x80\xae"), (b"title", b"x" * (MAX_VALUE + 1)),
        (b"host", b" \n "), (b"match", b"../m1"), (b"match", b"m1\n"), (b"match", b"x" * 27), (b"game", b"Classic!"),
        (b"seats", b"1"), (b"seats", b"7"), (b"seats", b"-2"), (b"seats", "²".encode()), (b"seats", b"4 "),
        (b"taken", b"5"), (b"phase", b"3"), (b"protocol", b"0"), (b"protocol", b"99999"), (b"protocol", None),
    ],
)  # fmt: skip
def test_invalid_announcements_are_refused(key: bytes, value: bytes | None) -> None:
    with pytest.raises(Unreadable):
        read(said(TABLE) | {key: value})


@pytest.mark.parametrize("key", sorted(set(said(TABLE)) - {b"newest"}))
def test_nothing_may_be_missing(key: bytes) -> None:
    record = said(TABLE)
    del record[key]
    with pytest.raises(Unreadable):
        read(record)


KEYS = st.one_of(st.sampled_from(sorted(said(TABLE))), st.binary(max_size=20))


@given(st.dictionaries(KEYS, st.one_of(st.none(), st.binary(max_size=255), st.just(b"3"))))
def test_nothing_that_is_announced_raises_anything_else(record: dict[bytes, bytes | None]) -> None:
    try:
        table = read(said(TABLE) | record)
    except Unreadable:
        return
    assert 0 < len(table.title) <= MAX_TITLE and 0 < len(table.host) <= MAX_NAME
    assert table.taken <= table.seats <= 6


def test_another_version_is_read_too() -> None:
    assert read(said(TABLE) | {b"protocol": b"7", b"unknown": b"x"}).protocol == 7
    assert (read(said(TABLE)).protocol, read(said(TABLE)).newest) == (OLDEST, PROTOCOL)


def test_an_announced_single_version_is_used() -> None:
    old = {key: value for key, value in said(TABLE).items() if key != b"newest"}
    assert (read(old).protocol, read(old).newest) == (1, 1)
