"""Hostile bytes lead to one typed error with a short, printable text."""

import contextlib
import random
import zlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import codec
from protocol.limits import MAX_ECHO, MAX_TO_CLIENT, MAX_TO_SERVER
from shared.messages import Act, Done, Packed, Snapshot, Start, Vote
from tests.protocol.make_samples import TO_CLIENT, TO_SERVER

HOSTILE = {
    "empty": b"",
    "never used": b"\xc1",
    "cut": codec.encode(TO_SERVER["create"])[:-1],
    "trailing": codec.encode(TO_SERVER["start"]) + b"\x00",
    "map": b"\x80",
    "claims four billion items": b"\xdd\xff\xff\xff\xff",
    "claims four billion bytes": b"\xc6\xff\xff\xff\xff",
    "deep": b"\x91" * 16_000,
    "deep in an action": b"\x94\x09\x01\x01" + b"\x91" * 16_000,
    "bad text": b"\x94\x00\x01\xa1\xff\xa0",
    "nothing in a tag": b"\x91\xc0",
    "huge tag": msgspec.msgpack.encode(["\n\u202e" * 5000]),
    "too big": bytes(MAX_TO_SERVER + 1),
    "float": msgspec.msgpack.encode([0, 1.0, "x", ""]),
    "negative command": msgspec.msgpack.encode([9, -1, 0, 0]),
    "zero ref": msgspec.msgpack.encode([7, 0]),
    "short token": msgspec.msgpack.encode([5, 1, "abc", b"short", 0]),
    "seat seven": msgspec.msgpack.encode([6, 1, 7, "greedy"]),
    "bot of a long name": msgspec.msgpack.encode([6, 1, 1, "cheat" * 4]),
    "many options": msgspec.msgpack.encode([2, 1, "classic", 4, {f"o{i}": 1 for i in range(40)}, "t", True, 0, 0, 0]),
    "one field more than can be nested": b"\x93\x07\x01" + b"\x91" * 10_000 + b"\x01",
    "one field more that is none": b"\x93\x07\x01\xc1",
    "one field more that is too long": msgspec.msgpack.encode([7, 1, bytes(MAX_TO_SERVER)]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bytes_give_one_typed_error(name: str) -> None:
    with pytest.raises(codec.BadMessage) as caught:
        codec.decode_client(HOSTILE[name])
    assert caught.value.code in ("bad-message", "too-big")
    assert len(str(caught.value.text)) <= MAX_ECHO + 1 and str(caught.value.text).isprintable()


@pytest.mark.parametrize("more", [[2], ["new", None, {"a": [1, 2.5]}], [b"\x00" * 1000]])
def test_fields_that_are_not_known_yet_are_passed_over(more: list[object]) -> None:
    encode = msgspec.msgpack.encode
    assert codec.decode_client(encode([7, 1, *more])) == Start(1)
    assert codec.decode_server(encode([2, 1, *more])) == Done(1)
    assert codec.decode_client(encode([20, 3, 5, True, *more])) == Vote(3, 5, True)


def test_skipped_data_may_be_nested_as_deep_as_promised() -> None:
    deep = b"\x91" * 64 + b"\x01"
    assert codec.decode_client(b"\x93\x07\x01" + deep) == Start(1)


@pytest.mark.parametrize(
    ("head", "number"),
    [
        ([7, 1], 1), ([9, 127, "frame?"], 127), ([12, 128], 128), ([12, 255, None], 255), ([12, 256], 256),
        ([99, 70_000, {}], 70_000), ([12, 2**32 - 1], 2**32 - 1), ([12, 2**32], 0), ([12, -1], 0), ([12, "x"], 0),
        ([12], 0), ([], 0), ([0, 1, "Anna"], 0), ([11, 300], 0), ([-1, 3], 0), ([200, 3], 0), ({12: 3}, 0), (7, 0),
        ([12, 5, *range(20)], 5), ([12, 5, *range(70_000)], 5),
    ],
)  # fmt: skip
def test_the_number_of_an_unreadable_message_stands_at_its_head(head: object, number: int) -> None:
    data = msgspec.msgpack.encode(head)
    assert codec.reference_in(data) == number
    assert codec.reference_in(data + b"\xc1") == number, "whatever comes behind"


def test_no_head_is_read_beyond_its_end() -> None:
    for data in (b"\x92\x0c\xce\x00\x00\x01\x00", b"\xdc\x00\x10\x0c\xcd\x01\x00"):
        assert codec.reference_in(data) == 256
        assert {codec.reference_in(data[:end]) for end in range(len(data))} == {0}


def test_a_message_may_be_as_long_as_the_limit_and_no_longer() -> None:
    for limit, make, decode in (
        (MAX_TO_SERVER, lambda raw: Act(1, 1, raw), codec.decode_client),
        (MAX_TO_CLIENT, lambda raw: Snapshot(1, 1, raw), codec.decode_server),
    ):
        spare = limit - len(codec.encode(make(padding(1000)))) + 1000
        longest = codec.encode(make(padding(spare)))
        while len(longest) > limit:
            spare -= 1
            longest = codec.encode(make(padding(spare)))
        assert len(longest) == limit and codec.encode(decode(longest)) == longest
        with pytest.raises(codec.BadMessage, match=f"too-big: A message has at most {limit} bytes."):
            decode(codec.encode(make(padding(spare + 1))))


def padding(size: int) -> msgspec.Raw:
    return msgspec.Raw(codec.ENCODER.encode(bytes(size)))


def test_quotes_of_a_message_are_printable_and_short() -> None:
    longest = "x" * MAX_ECHO
    assert codec.harmless(longest) == longest
    assert codec.harmless(longest + "y") == codec.harmless(longest + "yz") == longest + "…"
    assert codec.harmless("a\nb\u202ec\x00") == "a?b?c?"


def test_an_action_is_known_by_how_it_begins() -> None:
    for message in TO_SERVER.values():
        assert codec.looks_like_act(codec.encode(message)) == isinstance(message, Act)


def test_only_kinds_that_are_not_known_yet_are_from_the_future() -> None:
    newest = max(codec.decode_plain(codec.encode(message))[0] for message in TO_CLIENT.values())
    for plain, ignored in (
        ([newest, "x"], False),
        ([newest + 1], True),
        ([newest + 1, "x"], True),
        ([], False),
        ([str(newest + 1)], False),
        ({newest + 1: 0}, False),
        (newest + 1, False),
    ):
        assert codec.is_from_the_future(codec.ENCODER.encode(plain)) == ignored
    assert not codec.is_from_the_future(b"\xc1")


@pytest.mark.parametrize("name", TO_CLIENT)
def test_packing_is_lossless_and_never_longer(name: str) -> None:
    for payload in (codec.encode(TO_CLIENT[name]), codec.encode(TO_CLIENT[name]) * 20):
        told = codec.pack(payload)
        assert len(told) <= len(payload)
        assert codec.unpack(Packed(zlib.compress(payload))) == payload
        assert told == payload or codec.unpack(codec.decode_server(told)) == payload  # type: ignore[arg-type]


@given(st.binary(max_size=400).map(lambda part: part * 5))
def test_packed_values_unpack_unchanged(payload: bytes) -> None:
    told = codec.pack(payload)
    assert told == payload or codec.unpack(codec.decode_server(told)) == payload  # type: ignore[arg-type]


def test_no_stream_unpacks_more_than_a_message_may_have() -> None:
    longest = bytes(MAX_TO_CLIENT)
    assert codec.unpack(Packed(zlib.compress(longest))) == longest
    bomb = zlib.compress(longest + b"x", 9)
    with pytest.raises(codec.BadMessage, match="bad-message"):
        codec.unpack(Packed(bomb))


def test_a_truncated_stream_is_a_bad_message() -> None:
    stream = zlib.compress(codec.encode(TO_CLIENT["snapshot"]))
    for data in (b"", b"x", stream[:-1], stream[:9], bytes([*stream[:-1], stream[-1] ^ 1]), stream[1:]):
        with pytest.raises(codec.BadMessage):
            codec.unpack(Packed(data))


def mutated(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randrange(1, 5)):
        how = rng.randrange(4)
        at = rng.randrange(len(changed) + 1)
        if how == 0 and changed:
            changed[at % len(changed)] = rng.randrange(256)
        elif how == 1:
            changed.insert(at, rng.randrange(256))
        elif how == 2 and len(changed) > 1:
            del changed[at % len(changed)]
        else:
            changed[at:at] = changed[: rng.randrange(8)]
    return bytes(changed)


def fuzz(rounds: int, seed: int) -> None:
    rng = random.Random(seed)
    said = [codec.encode(message) for message in TO_SERVER.values()]
    heard = [codec.encode(message) for message in TO_CLIENT.values()]
    for _ in range(rounds):
        for samples, decode in ((said, codec.decode_client), (heard, codec.decode_server)):
            with contextlib.suppress(codec.BadMessage):
                decode(mutated(rng, rng.choice(samples)))


@pytest.mark.long
def test_mutated_messages_are_messages_or_bad_messages() -> None:
    fuzz(50_000, seed=1)


@pytest.mark.exhaustive
def test_many_more_mutated_messages() -> None:
    fuzz(2_000_000, seed=2)
