"""Golden bytes: every message of every version so far, read by us and by another MessagePack library."""

import json
import zlib
from collections.abc import Iterator
from typing import Any, get_args

import msgpack
import msgspec
import pytest

from protocol import codec
from protocol.version import OLDEST, PROTOCOL
from shared import messages
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.cote2.events import SenatorDrawn, SenatorKilled, SenatorTaken
from shared.rulesets.registry import RULESETS, ruleset
from tests.protocol.make_samples import FOLDER, MESSAGES, STREAMS, TO_CLIENT, TO_SERVER, readable
from tests.protocol.schema import words
from tests.support.cases import case

CLIENT_SAMPLES = sorted(path.stem for path in MESSAGES.glob("to_server_*.msgpack"))
SERVER_SAMPLES = sorted(path.stem for path in MESSAGES.glob("to_client_*.msgpack"))
RELEASED = sorted(f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("[0-9]*/*.msgpack"))
"""The messages of all versions so far, by directory and name."""


def sample(name: str) -> bytes:
    return (MESSAGES / f"{name}.msgpack").read_bytes()


def assert_same(now: bytes, then: bytes) -> None:
    """Assert that a message equals its sample, but for fields that were appended since."""
    said, sample = msgpack.unpackb(now), msgpack.unpackb(then)
    assert grown(said, sample), (said, sample)
    assert said != sample or now == then


def grown(now: object, then: object) -> bool:
    """Whether a message equals its sample, but for appended fields that are empty or zero."""
    if not (isinstance(now, list) and isinstance(then, list)):
        return now == then
    same = len(now) >= len(then) and all(map(grown, now, then))
    return same and not any(now[len(then) :])


def test_messages_of_older_clients_are_read_and_written_the_same() -> None:
    for name in CLIENT_SAMPLES:
        with case(name):
            message = codec.decode_client(sample(name))
            assert_same(codec.encode(message), sample(name))
            assert message == TO_SERVER[name.removeprefix("to_server_")]


def test_messages_of_older_servers_are_read_and_written_the_same() -> None:
    for name in SERVER_SAMPLES:
        with case(name):
            message = codec.decode_server(sample(name))
            assert_same(codec.encode(message), sample(name))
            assert message == TO_CLIENT[name.removeprefix("to_client_")]


def test_packed_messages_are_samples_of_their_own() -> None:
    packed = codec.decode_server(sample("to_client_packed"))
    assert isinstance(packed, messages.Packed) and codec.unpack(packed) == sample("to_client_snapshot")


def test_messages_of_every_version_are_read_and_written_the_same() -> None:
    for name in RELEASED:
        with case(name):
            then = (FOLDER / f"{name}.msgpack").read_bytes()
            decode = codec.decode_client if "to_server" in name else codec.decode_server
            assert_same(codec.encode(decode(then)), then)


def test_another_library_reads_the_same() -> None:
    for name in RELEASED:
        with case(name):
            then = (FOLDER / f"{name}.msgpack").read_bytes()
            plain = msgpack.unpackb(then)
            assert readable(plain) == json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
            assert msgpack.packb(plain) == then


def test_there_are_samples_of_every_version() -> None:
    versions = {int(name.partition("/")[0]) for name in RELEASED}
    assert versions == set(range(OLDEST, PROTOCOL + 1))


def test_the_digests_of_the_samples_are_those_of_their_views() -> None:
    snapshot, frame = (codec.decode_server(sample(f"to_client_{name}")) for name in ("snapshot", "frame"))
    assert isinstance(snapshot, messages.Snapshot) and isinstance(frame, messages.Frame)
    view = msgpack.unpackb(snapshot.view)
    assert zlib.crc32(msgpack.packb(view)) == snapshot.digest
    follow(view, msgpack.unpackb(frame.delta))
    assert zlib.crc32(msgpack.packb(view)) == frame.digest


def test_every_message_has_a_sample() -> None:
    shown = {type(message) for message in (*TO_SERVER.values(), *TO_CLIENT.values())}
    assert shown == {*get_args(messages.ClientMessage), *get_args(messages.ServerMessage)}
    assert len(CLIENT_SAMPLES + SERVER_SAMPLES) == len(TO_SERVER) + len(TO_CLIENT)


def follow(view: list[Any], delta: list[Any]) -> None:
    """Apply a delta to a view, in the form that clients in other languages can copy; see SPEC.md."""
    at = 0
    while at < len(delta):
        field, at = delta[at], at + 1
        if not isinstance(view[field], list):
            view[field], at = delta[at], at + 1
            continue
        index, value, at = delta[at], delta[at + 1], at + 2
        if isinstance(index, list):
            for each in index:
                view[field][each] = value
        elif index == -1:
            view[field] = value
        elif index < -1:
            view[field][-2 - index] = item = list(view[field][-2 - index])
            for place in range(0, len(value), 2):
                item[value[place]] = value[place + 1]
        elif value is None:
            del view[field][index:]
        elif index == len(view[field]):
            view[field].append(value)
        else:
            view[field][index] = value


def followed(name: str) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield each version's view and events of a recorded stream, followed as by a program in another language."""
    stream = [bytes.fromhex(line) for line in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))]
    tag, version, digest, view = msgpack.unpackb(stream[0])
    assert tag == 8 and zlib.crc32(msgpack.packb(view)) == digest
    for data in stream[1:]:
        tag, number, digest, delta, events = msgpack.unpackb(data)
        version += 1
        assert (tag, number) == (9, version) and isinstance(events, list)
        follow(view, delta)
        assert zlib.crc32(msgpack.packb(view)) == digest
        yield view, events


@pytest.mark.parametrize("name", STREAMS)
def test_a_recorded_stream_is_followed_with_a_plain_library(name: str) -> None:
    rules = ruleset(STREAMS[name][0])
    versions = 0
    for view, events in followed(name):
        versions += 1
        again = msgpack.unpackb(codec.encode(rules.view_decoder.decode(msgpack.packb(view))), use_list=True)
        assert again[: len(view)] == view, "fields that came later stand at the end"
        for event in events:
            assert msgpack.packb(event) == codec.encode(rules.event_decoder.decode(msgpack.packb(event)))
    assert versions >= 100


def test_two_audiences_of_a_recorded_match_differ_in_secrets_alone() -> None:
    names = ruleset("cote2").view_decoder.type.__struct_fields__
    differ: set[str] = set()
    variants: set[int] = set()
    public = seated = None
    for (public, told), (seated, heard) in zip(
        followed("stream_cote2_public"), followed("stream_cote2_seat_0"), strict=True
    ):
        differ |= {name for name, a, b in zip(names, public, seated, strict=True) if a != b}
        variants |= {a[0] for a, b in zip(told, heard, strict=True) if a != b}
    assert differ == {"senators", "chaos"}
    assert variants <= {kind.__struct_config__.tag for kind in (SenatorTaken, SenatorKilled, SenatorDrawn)}
    assert public == seated, "when the match is over everything is shown"


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_every_word_of_a_rule_set_is_still_understood_and_said_the_same(rules: AnyRuleset) -> None:
    kept = json.loads((FOLDER / f"words_{rules.id}.json").read_text(encoding="utf-8"))
    for table, kinds in words(rules).items():
        assert sorted(kept[table]) == sorted(kind.__name__ for kind in kinds)
        for kind in kinds:
            data = bytes.fromhex(kept[table][kind.__name__])
            assert msgpack.unpackb(data)[0] == kind.__struct_config__.tag
            assert msgpack.packb(msgpack.unpackb(data)) == data
            assert codec.encode(msgspec.msgpack.decode(data, type=kind)) == data


def test_a_message_has_one_shortest_form() -> None:
    for name in CLIENT_SAMPLES + SERVER_SAMPLES:
        assert msgspec.msgpack.encode(msgspec.msgpack.decode(sample(name))) == sample(name)
