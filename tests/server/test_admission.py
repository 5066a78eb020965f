"""The gate's counts and the outbox's bounds, without sockets."""

from ipaddress import ip_network
from typing import Any

import pytest

from protocol.limits import Close
from server import rate_limits
from server.addresses import UNKNOWN, behind, counted, crowds, forwarded, site_of
from server.connections.admission import PROXY, Admission, Limits
from server.connections.guard import FrameCounter
from server.delivery.outbox import MAX_BYTES, MAX_MESSAGES, Outbox
from server.delivery.outgoing import Outgoing
from server.rate_limits import Budget, Pauses, Rate
from tests.server.fakes import unframed


class Seconds:
    """A clock by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Stranger:
    """A connection as the gate knows it."""

    def __init__(self, address: str = "10.0.0.1", at_table: bool = False, heard_at: float = 0.0) -> None:
        self.address = address
        self.half_open = True
        self.at_table = at_table
        self.heard_at = heard_at
        self.why = ""

    def cut(self, why: str) -> None:
        self.why = why


def admission(**limits: Any) -> tuple[Admission, Seconds]:
    clock = Seconds()
    return Admission(Limits(**limits), clock), clock


def inside(door: Admission, guest: Stranger) -> Stranger:
    """Came in and said what it wants."""
    assert door.enter(guest)
    door.greeted(guest)
    return guest


def test_connections_are_counted_by_address_and_in_all() -> None:
    door, _ = admission(connections=4, spare=1, per_address=2, half_open=2)
    guests = [Stranger() for _ in range(4)]
    assert door.enter(guests[0]) and door.enter(guests[1])
    assert not door.enter(guests[2])
    door.leave(guests[2])
    door.leave(guests[0])
    assert door.enter(guests[3])
    assert all(door.enter(Stranger(f"10.0.1.{i}")) for i in range(3))
    assert door.is_full
    assert not door.enter(Stranger("10.0.2.1"))


def test_leaving_twice_counts_once() -> None:
    door, _ = admission(per_address=1)
    first, second = Stranger(), Stranger()
    assert door.enter(first) and not door.enter(second)
    door.leave(second)
    door.leave(second)
    assert not door.enter(Stranger())


def test_half_open_connections_are_counted_until_they_speak() -> None:
    door, _ = admission(half_open=1, per_address=10)
    first = Stranger()
    assert door.enter(first)
    refused = Stranger()
    assert not door.enter(refused)
    door.leave(refused)
    door.greeted(first)
    assert door.enter(Stranger())
    door.leave(first)
    assert not door.enter(Stranger())


def test_longest_silent_stranger_is_evicted_first() -> None:
    door, clock = admission(connections=3, per_address=10)
    clock.now = 7.0
    player = inside(door, Stranger(at_table=True))
    older, newer = inside(door, Stranger(heard_at=1.0)), inside(door, Stranger(heard_at=2.0))
    inside(door, Stranger(heard_at=7.0))
    assert (player.why, older.why, newer.why) == ("", "idle", "")
    assert not door.is_full


def test_when_all_clients_have_matches_the_spare_places_are_for_returning_ones() -> None:
    door, clock = admission(connections=2, spare=1, patience=5, per_address=10)
    inside(door, Stranger(at_table=True))
    watcher = inside(door, Stranger(at_table=True))
    back, newcomer = inside(door, Stranger()), Stranger()
    assert door.is_full
    assert not door.enter(newcomer) and not back.why
    door.leave(newcomer)
    watcher.at_table = False
    back.at_table = True
    clock.now = 5.0
    door.make_room(back)
    assert watcher.why == "idle" and not door.is_full


def test_cut_connections_stay_out_for_a_while() -> None:
    door, clock = admission(cool_down=60)
    door.cool_down("10.0.0.1")
    assert not door.admits("10.0.0.1") and not door.enter(Stranger()) and door.enter(Stranger("10.0.0.2"))
    clock.now = 61
    assert door.admits("10.0.0.1") and door.enter(Stranger())


def test_only_some_refused_clients_are_remembered_after_their_time() -> None:
    door, clock = admission(connections=2, cool_down=10)
    for now, address in ((0, "a"), (5, "b"), (6, "c"), (10, "d")):
        clock.now = now
        door.cool_down(address)
        door.cool_down(f"{address}{address}")
    assert set(door._cooling) == {"b", "bb", "c", "cc", "d", "dd"}
    assert [door.admits(address) for address in "abcd"] == [True, False, False, False]
    clock.now = 15
    assert [door.admits(address) for address in "abcd"] == [True, True, False, False]


def test_requests_of_an_address_wait_for_their_turn_but_for_those_of_this_machine() -> None:
    door, clock = admission(requests=Rate(2, 3))
    assert [door.wait_of("10.0.0.1") for _ in range(5)] == [0, 0, 0, 0.5, 1.0]
    assert door.wait_of("10.0.0.2") == 0
    assert [door.wait_of("10.0.0.3", 0.5) for _ in range(7)] == [0] * 6 + [0.25]
    assert [door.wait_of(address) for address in ("127.0.0.1", PROXY) for _ in range(9)] == [0.0] * 18
    clock.now = 1.5
    assert door.wait_of("10.0.0.1") == 0


def test_patience_with_a_stranger_ends_to_the_second() -> None:
    door, clock = admission(connections=1, spare=5, patience=5, per_address=9)
    silent = inside(door, Stranger(heard_at=1.0))
    for now, why in ((5.9, ""), (6.0, "idle")):
        clock.now = now
        newcomer = Stranger(heard_at=now)
        assert door.enter(newcomer)
        assert (silent.why, newcomer.why) == (why, "")
        door.leave(newcomer)


def test_half_open_connections_make_no_room() -> None:
    door, clock = admission(connections=1, spare=5, patience=0, per_address=9)
    half, other = Stranger(), Stranger()
    assert door.enter(half)
    clock.now = 100
    assert door.enter(other) and (half.why, other.why) == ("", "")
    assert door.total == 2 and door.is_full


def test_frequent_connections_are_refused_for_a_while() -> None:
    door, clock = admission(knocks=Rate(2, 3), cool_down=60)
    assert [door.admits("10.0.0.1") for _ in range(5)] == [True, True, True, False, False]
    assert door.admits("10.0.0.2")
    clock.now = 59
    assert not door.admits("10.0.0.1")
    clock.now = 60
    assert [door.admits("10.0.0.1") for _ in range(4)] == [True, True, True, False]


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", PROXY])
def test_loopback_and_proxies_are_not_held_responsible(address: str) -> None:
    door, _ = admission(per_address=1, half_open=1, knocks=Rate(0, 1))
    door.cool_down(address)
    assert all(door.admits(address) and door.enter(Stranger(address)) for _ in range(100))


def test_addresses_of_one_house_count_as_one() -> None:
    assert counted("192.0.2.7") == counted("::ffff:192.0.2.7") == "192.0.2.7"
    assert counted("2001:db8:1:2:3::4") == counted("2001:db8:1:2:ffff::1") != counted("2001:db8:1:3::1")
    assert counted("fe80::1%eth0") == counted("fe80::2%eth1")
    assert counted("::1") == "::1"
    assert counted("") == counted("example.org") == counted("1.2.3") == UNKNOWN


A_HOUSE, ITS_NEIGHBOUR = counted("2001:db8:1:1::1"), counted("2001:db8:1:2::1")
ELSEWHERE = counted("2001:db8:2::1")
"""Two networks of one /48, and one of another."""


def house_number(number: int) -> str:
    """Return an address in one of the networks of a /48."""
    return counted(f"2001:db8:1:{number:x}::1")


def test_the_networks_of_a_site_are_counted_together_too() -> None:
    assert site_of(A_HOUSE) == site_of(ITS_NEIGHBOUR) == "2001:db8:1::/48" != site_of(ELSEWHERE)
    assert [site_of(counted(each)) for each in ("192.0.2.7", "::1", "", "fe80::1")] == ["", "", "", "fe80::/48"]
    assert site_of(forwarded("127.0.0.1")) == site_of(PROXY) == site_of("2001:db8::/32") == ""


def test_a_site_takes_four_times_as_much_as_an_address_and_no_more() -> None:
    clock = Seconds()
    budget = Budget(Rate(1, 2), clock)
    assert sum(budget.take(house_number(number)) for number in range(100)) == 8
    assert not budget.take(house_number(0)) and budget.take(ELSEWHERE) and budget.take("192.0.2.1")
    clock.now = 0.5
    assert sum(budget.take(house_number(number)) for number in range(100)) == 2
    clock.now = 100
    assert [budget.take(A_HOUSE) for _ in range(3)] == [True, True, False], "one address has no more than before"
    assert budget.owe(ITS_NEIGHBOUR, 2) == 0 and budget.owe(ELSEWHERE, 2) == 0
    assert [budget.owe(house_number(number), 2) for number in range(9, 13)] == [0, 0, 0.5, 1]


def test_refusals_to_an_address_cost_its_site_nothing() -> None:
    budget = Budget(Rate(0, 2), Seconds())
    assert [budget.take(A_HOUSE) for _ in range(50)].count(True) == 2
    assert [budget.take(ITS_NEIGHBOUR) for _ in range(50)].count(True) == 2


def test_guessing_from_all_networks_of_a_site_is_throttled() -> None:
    clock = Seconds()
    pauses = Pauses(clock)
    for number in range(12):
        assert not pauses.left(house_number(number))
        pauses.erred(house_number(number))
    assert not pauses.left(A_HOUSE)
    pauses.erred(A_HOUSE)
    assert pauses.left(house_number(77)) == 2 and not pauses.left(ELSEWHERE) and not pauses.left("192.0.2.1")


def test_connections_of_a_site_are_counted_together_too() -> None:
    door, _ = admission(per_address=2, half_open=1, connections=100)
    guests = [Stranger(house_number(number)) for number in range(5)]
    assert [door.enter(guest) for guest in guests] == [True] * 4 + [False]
    door.leave(guests[4])
    for guest in guests[:4]:
        door.greeted(guest)
    more = [Stranger(house_number(number)) for number in range(10, 15)]
    assert [door.enter(guest) for guest in more] == [True] * 4 + [False], "eight are open"
    assert door.enter(Stranger(ELSEWHERE))
    for guest in (*guests, *more):
        door.leave(guest)
    assert set(door._open) == set(door._half_open) == {ELSEWHERE, site_of(ELSEWHERE)}


def test_a_crowd_is_of_one_address_or_of_its_site() -> None:
    assert not crowds("192.0.2.1", ["192.0.2.1", "192.0.2.2", "192.0.2.2"], 2)
    assert crowds("192.0.2.1", ["192.0.2.1", "192.0.2.1"], 2) and not crowds("", [ELSEWHERE] * 9, 1)
    others = [house_number(number) for number in range(8)]
    assert crowds(A_HOUSE, others, 2) and not crowds(A_HOUSE, others[1:], 2) and not crowds(ELSEWHERE, others, 1)


def test_addresses_that_stay_out_are_not_looked_through_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.connections.admission.MOST", 3)
    door, clock = admission(cool_down=10)
    for number in range(9):
        door.cool_down(f"10.0.0.{number}")
    assert len(door._cooling) == 3 and not door.admits("10.0.0.8")
    clock.now = 10
    door.cool_down("10.0.1.1")
    door.cool_down("10.0.1.2")
    assert set(door._cooling) == {"10.0.1.1", "10.0.1.2"}


NEAR = tuple(map(ip_network, ("10.0.0.0/8", "127.0.0.0/8", "fd00::/8")))


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("192.0.2.1", [], "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.7"], "192.0.2.1"),  # not a proxy of ours: it may say what it likes
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9", "198.51.100.7"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9, 198.51.100.7, 10.0.0.2"], "198.51.100.7"),
        ("127.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("127.0.0.1", ["198.51.100.7:5123"], "198.51.100.7"),
        ("127.0.0.1", ["[2001:db8::7]:5123"], "2001:db8::7"),
        ("127.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        ("fd00::2", ["fe80::1%eth0"], "fe80::1%eth0"),
        ("127.0.0.1", ["unknown"], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.7, nonsense, 10.0.0.2"], "10.0.0.2"),
        ("127.0.0.1", [""], "127.0.0.1"),
        ("", ["198.51.100.7"], ""),
    ],
)
def test_behind_a_proxy_the_last_stranger_on_the_way_counts(peer: str, forwarded: list[str], client: str) -> None:
    assert behind(peer, forwarded, NEAR) == client


def frame(size: int, mask: bool = True) -> bytes:
    """A frame of that many bytes of payload."""
    if size < 126:
        head = bytes([0x82, mask << 7 | size])
    elif size < 65_536:
        head = bytes([0x89, mask << 7 | 126]) + size.to_bytes(2, "big")
    else:
        head = bytes([0x00, mask << 7 | 127]) + size.to_bytes(8, "big")
    return head + bytes(4 * mask) + bytes(size)


@pytest.mark.parametrize("step", [1, 2, 3, 5, 7, 64, 1000, 1_000_000])
def test_frames_are_counted_however_they_are_cut(step: int) -> None:
    sizes = [0, 1, 125, 126, 127, 0, 0, 65_535, 65_536, 5, 0]
    stream = b"".join(frame(size, mask) for size in sizes for mask in (True, False))
    count = FrameCounter()
    found = [count.count(stream[at : at + step], 1000) for at in range(0, len(stream), step)]
    assert sum(found) == 2 * len(sizes)
    assert min(found) >= 0


def test_a_frame_counts_with_its_first_byte() -> None:
    count = FrameCounter()
    assert [count.count(bytes([byte]), 10) for byte in frame(0)] == [1, 0, 0, 0, 0, 0]
    assert count.count(frame(3)[:5], 10) == 1


def test_counting_ends_where_it_is_too_much_already() -> None:
    assert FrameCounter().count(frame(0) * 10_000, 50) == 51


def has(budget: Budget, name: str, amount: float = 1.0) -> bool:
    """Whether a budget has so much left; asking creates no bucket."""
    known = budget._buckets.get(name)
    return (budget._rate.at_once if known is None else known.left) >= amount


def test_a_budget_outlives_connections_and_fills_again() -> None:
    clock = Seconds()
    budget = Budget(Rate(2, 4), clock)
    assert [budget.take("a") for _ in range(5)] == [True] * 4 + [False]
    assert budget.take("b", 4) and not budget.take("b", 0.5)
    assert has(budget, "c", 4) and not has(budget, "c", 5)
    clock.now = 1.0
    assert has(budget, "a", 2) and not has(budget, "a", 2.5)
    assert budget.take("a", 2) and not budget.take("a")


def test_pauses_grow_and_are_forgotten() -> None:
    clock = Seconds()
    pauses = Pauses(clock)
    for pause in (0, 0, 0, 2, 4, 8):
        clock.now += pauses.left("a")
        pauses.erred("a")
        assert pauses.left("a") == pause
    assert pauses.left("b") == 0
    clock.now += 8 + rate_limits.FORGIVEN - 1
    pauses.erred("a")
    assert pauses.left("a") == 16
    clock.now += 16 + rate_limits.FORGIVEN
    pauses.erred("a")
    assert pauses.left("a") == 0


def test_only_the_latest_pauses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MOST", 3)
    pauses = Pauses(Seconds())
    for name in "aaaaabcad":
        pauses.erred(name)
    assert [pauses.left(name) for name in "abcd"] == [8, 0, 0, 0]
    for name in "bc":
        for _ in range(4):
            pauses.erred(name)
    assert [bool(pauses.left(name)) for name in "abc"] == [False, True, True]


def test_a_budget_forgets_strangers_before_spenders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MOST", 10)
    clock = Seconds()
    budget = Budget(Rate(1, 2), clock)
    budget.take("spender", 2)
    clock.now = 0.5
    for i in range(8):
        budget.take(f"early {i}", 0.1)
    clock.now = 1.0
    budget.take("late", 1)
    budget.take("one more", 1)
    assert not has(budget, "spender", 2) and has(budget, "spender", 1)
    for i in range(1000):
        budget.take(f"crowd {i}", 2)
        budget.take("spender", 0.001)
    assert not has(budget, "spender", 1)


def test_a_budget_remembers_twenty_thousand_names_and_then_the_later_half() -> None:
    budget = Budget(Rate(0.0, 1.0), Seconds())
    for i in range(20_000):
        assert budget.take(f"name {i}")
    assert not has(budget, "name 0")
    assert budget.take("one more")
    assert [has(budget, f"name {i}") for i in (0, 9_999, 10_000, 19_999)] == [True, True, False, False]


def test_a_budget_forgets_all_who_spent_nothing_before_anybody_who_did(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MOST", 6)
    budget = Budget(Rate(0.0, 2.0), Seconds())
    for name, amount in (("spender", 2.0), *((f"looker {i}", 0.0) for i in range(5)), ("late", 1.0)):
        assert budget.take(name, amount)
    assert not has(budget, "spender", 0.5) and len(budget._buckets) == 2


class Wire:
    """Transport that records what an outbox wrote and closed."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.caught_up = 0
        self.overflowed = 0
        self.box = Outbox(lambda frame: self.written.append(unframed(frame)), self._catch_up, self._overflow)
        self.box.open()

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


def test_256_messages_wait_and_no_more() -> None:
    for count, caught_up in ((256, 0), (257, 1)):
        wire = Wire()
        for _ in range(2):
            wire.box.pause()
            for _ in range(count):
                wire.box.send(Outgoing(b"x", droppable=True))
            wire.box.resume()
        assert wire.caught_up == 2 * caught_up
        wire.box.pause()
        for _ in range(count):
            wire.box.send(Outgoing(b"answer"))
        assert wire.overflowed == caught_up


def test_128_kib_wait_and_no_more() -> None:
    half = 64 * 1024 - 4  # and the header
    for spare, caught_up in ((0, 0), (1, 1)):
        wire = Wire()
        for _ in range(2):
            wire.box.pause()
            for size in (half, half + spare):
                wire.box.send(Outgoing(bytes(size), droppable=True))
            wire.box.resume()
            wire.box.resume()
        assert wire.caught_up == 2 * caught_up
        wire.box.pause()
        for size in (half, half + spare):
            wire.box.send(Outgoing(bytes(size)))
        assert wire.overflowed == caught_up


def test_lagging_clients_get_only_facts_beyond_the_snapshot() -> None:
    wire = Wire()
    wire.box.pause()
    for _ in range(257):
        wire.box.send(Outgoing(b"stream", droppable=True))
    for _ in range(256):
        wire.box.send(Outgoing(b"answer"))
        wire.box.send(Outgoing(b"stream", droppable=True))
    assert not wire.overflowed
    wire.box.resume()
    assert wire.written == [b"answer"] * 256 + [b"snapshot"]


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


class Greedy:
    """A socket that takes so many bytes each time, or fails."""

    def __init__(self, *takes: int | OSError) -> None:
        self.takes = list(takes)
        self.offered: list[bytes] = []

    def send(self, data: bytes, /) -> int:
        self.offered.append(data)
        taken = self.takes.pop(0)
        if isinstance(taken, int):
            return taken
        raise taken


def test_a_socket_is_given_bytes_without_a_detour_and_the_transport_what_it_does_not_take() -> None:
    rest: list[bytes] = []
    taker = Greedy(7, 3, BlockingIOError(), BrokenPipeError(), 6)
    box = Outbox(rest.append, lambda: None, lambda: None, taker)
    box.open()
    for _ in range(4):
        box.send(Outgoing(b"frame"))
    assert taker.offered == [b"\x82\x05frame"] * 4
    assert rest == [b"rame", b"\x82\x05frame", b"\x82\x05frame"]
    box.pause()
    box.send(Outgoing(b"later"))
    box.resume()
    assert len(taker.offered) == 4 and rest[3:] == [b"\x82\x05later"]
    box.send(Outgoing(b"next"))
    assert taker.offered[4:] == [b"\x82\x04next"] and len(rest) == 4


def test_nothing_goes_out_before_the_beginning_and_after_the_end() -> None:
    wire = Wire()
    box = wire.box
    box.close()
    box.send(Outgoing(b"too early"))
    box.pause()
    box.open()
    box.send(Outgoing(b"waits"))
    box.resume()
    assert wire.written == [b"waits"]
    box.pause()
    for _ in range(MAX_MESSAGES + 1):
        box.send(Outgoing(b"stream", droppable=True))
    box.send(Outgoing(b"answer"))
    box.close()
    box.send(Outgoing(b"too late"))
    box.resume()
    box.send(Outgoing(b"too late"))
    assert wire.written == [b"waits"] and not wire.caught_up


def test_close_codes_of_our_own_are_in_the_private_range() -> None:
    assert all(code < 1016 or 4000 <= code < 5000 for code in Close)
