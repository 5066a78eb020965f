"""The file of a match: written, read again, and refused with a message if it is no such file."""

import lzma
from pathlib import Path

import msgspec
import pytest

from protocol import record
from protocol.record import BadRecord, DiceProof, Record, Sitter, signed
from shared.history import GENESIS, Deed, Entry, chain

SAMPLE = Path(__file__).parents[2] / "protocol" / "samples" / "signature.json"
LOG = (
    Entry(1, -1, 0, 3, b"\x92\x01\x02", at=40),
    Entry(2, 0, 7, 4, b"\x91\x05", at=1500, used=((0, 1460),)),
    Entry(3, 1, 0, 0, b"", Deed.BACK, to=1),
)


def of(log: tuple[Entry, ...], **changed: object) -> Record:
    written = tuple([msgspec.msgpack.encode(entry) for entry in log])
    check = GENESIS
    for each in written:
        check = chain(check, each)
    whole = Record("m1", "A table", "classic", 2, {"resign": 1}, (Sitter("A"), Sitter("", "hard")), written, check)
    return msgspec.structs.replace(whole, **changed)


def packed(inside: bytes) -> bytes:
    return b"conquest-match 1\n" + lzma.compress(inside, preset=0)


def test_written_records_are_read_again() -> None:
    old, new = (DiceProof(bytes(range(32)), (b"x" * 32, b""), b"k" * 32, b"s" * size) for size in (2144, 64))
    whole = of(LOG, begun=1_700_000_000, ended=1_700_009_000, open_hands=False, proof=old)
    for match, format_ in ((of(LOG), 1), (of(()), 1), (whole, 1), (of(LOG, proof=new), 2)):
        data = record.write(match)
        assert data.startswith(b"conquest-match %d\n" % format_)
        assert record.read(data) == match
        assert record.entries(match) == list(LOG[: len(match.log)])


def test_the_example_for_other_programs_holds() -> None:
    example = msgspec.json.decode(SAMPLE.read_bytes())
    example["match"][7] = bytes.fromhex(example["match"][7].removeprefix("hex:"))
    match = msgspec.convert(example["match"], Record)
    assert record.seal(match).hex() == example["sealed"]
    assert signed(*(bytes.fromhex(example[name]) for name in ("key", "sealed", "signature")))


def test_a_field_of_a_later_program_is_passed_over() -> None:
    plain = msgspec.msgpack.decode(msgspec.msgpack.encode(of(LOG)))
    assert record.read(packed(msgspec.msgpack.encode([*plain, {"new": [1, 2]}]))) == of(LOG)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "not a file of a match"),
        (b"PK\x03\x04", "not a file of a match"),
        (b"conquest-match \n", "not a file of a match"),
        (b"conquest-match 1", "not a file of a match"),
        (b"conquest-match 3\n", "newer version"),
        (b"conquest-match 1\n", "does not end"),
        (b"conquest-match 1\nnothing of the kind", "damaged"),
        (record.write(of(LOG))[:-9], "does not end"),
        (record.write(of(LOG)) + b"x", "does not end"),
        (bytes(record.MAX_FILE + 1), "at most"),
        (packed(bytes(record.MAX_INSIDE + 1)), "more than"),
        (packed(b"\x91" * 100_000), "damaged"),
        (packed(b"\xc1"), "damaged"),
        (packed(msgspec.msgpack.encode([b"m1"])), "damaged"),
    ],
    ids=range(14),
)
def test_invalid_files_are_refused_in_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(BadRecord, match=sentence) as told:
        record.read(data)
    assert str(told.value).endswith(".") and str(told.value).isprintable() and len(str(told.value)) < 200


@pytest.mark.long
def test_a_file_that_wants_much_memory_does_not_get_it() -> None:
    huge = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]
    with pytest.raises(BadRecord, match="damaged"):
        record.read(b"conquest-match 1\n" + lzma.compress(b"\x90", lzma.FORMAT_XZ, filters=huge))


def test_a_log_that_was_touched_is_refused() -> None:
    whole = of(LOG)
    one, two, three = whole.log
    again = msgspec.msgpack.encode(LOG[1])
    for log in (
        (two, one, three),
        (one, two),
        (one, two, again, three),
        (one, two, three[:-1] + b"\x02"),
        (one, two, b""),
    ):
        with pytest.raises(BadRecord):
            record.entries(msgspec.structs.replace(whole, log=log))


def test_versions_follow_each_other_whatever_the_checks_say() -> None:
    with pytest.raises(BadRecord, match="number 3"):
        record.entries(of((LOG[0], LOG[2])))


@pytest.mark.parametrize(
    "hidden", ["\r\nAll 54 rolls verified.\x1b[8m", "\x07", "\x9b8m", "\u202e", "\u200b", "\u2028"]
)
def test_messages_that_no_server_lets_through_are_refused(hidden: str) -> None:
    """Such characters could move a terminal's cursor, and hide or forge the report on the file."""
    for match in (
        of(LOG, title=f"ok.{hidden}"),
        of(LOG, seats=(Sitter(f"A{hidden[:9]}"), Sitter("", "hard"))),
        of(LOG, seats=(Sitter("A"), Sitter("", f"h{hidden[:9]}"))),
    ):
        with pytest.raises(BadRecord, match="no server lets through"):
            record.read(packed(msgspec.msgpack.encode(match)))


@pytest.mark.parametrize("changed", [{"match": "m1\n"}, {"ruleset": "classic\n"}, {"options": {"resign\n": 1}}])
def test_a_line_feed_at_the_end_of_an_id_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(BadRecord):
        record.read(packed(msgspec.msgpack.encode(of(LOG, **changed))))


def test_unreadable_files_are_refused_in_our_words() -> None:
    late = msgspec.msgpack.encode(of(LOG, begun=2**41))
    for data, said in ((packed(late), "what is in it cannot be read."), (packed(b"")[:17] + b"x" * 40, "unpacked.")):
        with pytest.raises(BadRecord, match=said) as told:
            record.read(data)
        assert "`" not in str(told.value)


def test_a_match_that_goes_back_for_ever_is_not_followed() -> None:
    """Each step back costs a position, and the way to it: `tell` followed any number of them."""
    backs = tuple([Entry(n, 0, 0, 0, b"", Deed.BACK) for n in range(1, record.MOST_BACKS + 2)])
    assert len(record.entries(of(backs[:-1]))) == record.MOST_BACKS
    with pytest.raises(BadRecord, match="goes back more than 2000 times"):
        record.entries(of(backs))
