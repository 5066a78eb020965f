"""The gate's counts and the outbox's bounds, without sockets."""

from typing import Any, cast

import pytest

from protocol.limits import Close
from server.connections.guard import Gate, GuardedConnection, Limits, address_of
from server.delivery.outbox import MAX_BYTES, MAX_MESSAGES, Outbox
from server.delivery.outgoing import Outgoing
from tests.server.fakes import unframed


class Transport:
    """What a socket says of itself."""

    def __init__(self, peer: str) -> None:
        self.peer = peer

    def get_extra_info(self, _name: str) -> tuple[str, int]:
        """Address and port."""
        return self.peer, 5


class Seconds:
    """A clock by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def newcomer() -> GuardedConnection:
    return cast(GuardedConnection, object())


def gate(**limits: Any) -> tuple[Gate, Seconds]:
    clock = Seconds()
    return Gate(Limits(**limits), clock), clock


def test_connections_are_counted_by_address_and_in_all() -> None:
    door, _ = gate(connections=5, per_address=2, half_open=2)
    guests = [newcomer() for _ in range(4)]
    assert door.enter(guests[0], "10.0.0.1") and door.enter(guests[1], "10.0.0.1")
    assert not door.enter(guests[2], "10.0.0.1")
    door.leave(guests[2], "10.0.0.1", half_open=True)
    door.leave(guests[0], "10.0.0.1", half_open=True)
    assert door.enter(guests[3], "10.0.0.1")
    assert all(door.enter(newcomer(), f"10.0.1.{i}") for i in range(3))
    assert not door.enter(newcomer(), "10.0.2.1")


def test_half_open_connections_are_counted_until_they_speak() -> None:
    door, _ = gate(half_open=1, per_address=10)
    first = newcomer()
    assert door.enter(first, "10.0.0.1")
    refused = newcomer()
    assert not door.enter(refused, "10.0.0.1")
    door.leave(refused, "10.0.0.1", half_open=True)
    door.greeted("10.0.0.1")
    assert door.enter(newcomer(), "10.0.0.1")


def test_who_was_cut_stays_out_for_a_while() -> None:
    door, clock = gate(cool_down=60)
    door.cool_down("10.0.0.1")
    assert not door.enter(newcomer(), "10.0.0.1") and door.enter(newcomer(), "10.0.0.2")
    clock.now = 61
    assert door.enter(newcomer(), "10.0.0.1")


@pytest.mark.parametrize(("address", "limits"), [("127.0.0.1", {}), ("::1", {}), ("172.17.0.1", {"proxied": True})])
def test_loopback_and_proxies_are_not_held_responsible(address: str, limits: dict[str, bool]) -> None:
    door, _ = gate(per_address=1, half_open=1, **limits)
    door.cool_down(address)
    assert all(door.enter(newcomer(), address) for _ in range(100))


def test_addresses_of_one_house_count_as_one() -> None:
    def of(peer: str) -> str:
        return address_of(cast(Any, Transport(peer)))

    assert of("192.0.2.7") == "192.0.2.7"
    assert of("2001:db8:1:2:3::4") == of("2001:db8:1:2:ffff::1") != of("2001:db8:1:3::1")
    assert of("fe80::1%eth0") == of("fe80::2%eth1")
    assert of("::1") == "::1"


class Wire:
    """What an outbox wrote and said."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.caught_up = 0
        self.overflowed = 0
        self.box = Outbox(lambda frame: self.written.append(unframed(frame)), self._catch_up, self._overflow)

    def _catch_up(self) -> None:
        self.caught_up += 1
        self.box.send(Outgoing(b"snapshot", droppable=True))

    def _overflow(self) -> None:
        self.overflowed += 1


def test_messages_pass_through_and_wait_in_order() -> None:
    wire = Wire()
    wire.box.send(Outgoing(b"1"))
    wire.box.pause()
    wire.box.send(Outgoing(b"2", droppable=True))
    wire.box.send(Outgoing(b"3"))
    assert wire.written == [b"1"]
    wire.box.resume()
    assert wire.written == [b"1", b"2", b"3"] and not wire.caught_up


@pytest.mark.parametrize(("size", "count"), [(1, MAX_MESSAGES + 50), (10_000, MAX_BYTES // 10_000 + 5)])
def test_too_much_of_the_stream_becomes_one_snapshot_and_answers_are_kept(size: int, count: int) -> None:
    wire = Wire()
    wire.box.pause()
    wire.box.send(Outgoing(b"answer"))
    for _ in range(count):
        wire.box.send(Outgoing(bytes(size), droppable=True))
    wire.box.send(Outgoing(b"another answer"))
    assert not wire.overflowed
    wire.box.resume()
    assert wire.written == [b"answer", b"another answer", b"snapshot"]
    wire.box.send(Outgoing(b"next", droppable=True))
    assert wire.written[-1] == b"next" and wire.caught_up == 1


def test_too_many_answers_are_an_overflow() -> None:
    wire = Wire()
    wire.box.pause()
    for _ in range(MAX_MESSAGES + 1):
        wire.box.send(Outgoing(b"answer"))
    assert wire.overflowed == 1


def test_pausing_while_what_waits_is_written_keeps_the_rest() -> None:
    wire = Wire()
    wire.box.pause()
    for payload in (b"1", b"2", b"3"):
        wire.box.send(Outgoing(payload))
    write = wire.box._write

    def write_one(frame: bytes) -> None:
        write(frame)
        wire.box.pause()

    wire.box._write = write_one
    wire.box.resume()
    assert wire.written == [b"1"]
    wire.box.resume()
    wire.box.resume()
    assert wire.written == [b"1", b"2", b"3"]


def test_close_codes_of_our_own_are_in_the_private_range() -> None:
    assert all(code < 1016 or 4000 <= code < 5000 for code in Close)
