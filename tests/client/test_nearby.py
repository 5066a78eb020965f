"""Tables on the same network find each other, and whatever strangers send costs little: real multicast on loopback."""

import asyncio
import itertools
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client.network.dns_sd import LONGEST, DnsSd
from client.network.nearby import NO_INTERFACES, Nearby, ThrottledLoop
from protocol.announcement import MOST, Announcement
from server.tools.detached_announcer import DetachedAnnouncer
from shared.tables import TablePhase
from tests.support.multicast import GROUP, LOOPBACK, announced, flood, packet, sender

TABLE = Announcement("m1", "classic", "Livia's table", "Livia", 4, 1, TablePhase.GATHERING)
NUMBERS: Final = itertools.count()


def heard_here() -> bool:
    """Whether multicast comes round on this computer."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        ear.settimeout(2.0)
        try:
            ear.bind(("", 0))
            member = socket.inet_aton(GROUP[0]) + socket.inet_aton(LOOPBACK)
            ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
            ear.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOOPBACK))
            ear.sendto(b"?", (GROUP[0], ear.getsockname()[1]))
            return ear.recv(1) == b"?"
        except OSError:
            return False


pytestmark = pytest.mark.skipif(not heard_here(), reason="no multicast comes round here")


@pytest.fixture
def service() -> str:
    """Return a service type that no other test announces meanwhile."""
    return f"_cq{os.getpid()}-{next(NUMBERS)}._tcp.local."


@pytest.fixture
def neighbour(service: str) -> Iterator[Callable[[], Nearby]]:
    """Makes another computer on the network."""
    made: list[Nearby] = []

    def make() -> Nearby:
        made.append(Nearby([LOOPBACK], service))
        return made[-1]

    yield make
    for each in made:
        each.close()


def until(reached: Callable[[], object], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, "never came about"
        time.sleep(0.005)


def listening(neighbour: Callable[[], Nearby]) -> Nearby:
    """Return a neighbour that listens already: announcements are sent only once."""
    nearby = neighbour()
    nearby.listen(True)
    until(lambda: nearby._thread is not None and nearby.ready)
    return nearby


def titles(nearby: Nearby) -> list[str]:
    return [near.table.title for near in nearby.tables]


def test_a_table_appears_changes_and_vanishes_with_its_host(neighbour: Callable[[], Nearby]) -> None:
    host, guest = neighbour(), neighbour()
    guest.listen(True)
    host.announce(TABLE, 8600)
    until(lambda: guest.tables)
    (near,) = guest.tables
    assert (near.table, near.address) == (TABLE, f"{LOOPBACK}:8600")
    host.announce(replace(TABLE, taken=2), 8601)
    until(lambda: guest.tables and guest.tables[0].table.taken == 2)
    assert guest.tables[0].address == f"{LOOPBACK}:8601"
    host.close()
    until(lambda: not guest.tables)


@pytest.mark.long
def test_a_server_that_was_left_running_goes_on_announcing_until_it_stops(
    neighbour: Callable[[], Nearby], service: str
) -> None:
    guest, told = listening(neighbour), [TABLE]

    async def look() -> Announcement | None:
        return told[-1] if told else None

    beacon = DetachedAnnouncer(look, 8600, lambda: [LOOPBACK], [LOOPBACK], service)
    beacon.start()
    try:
        until(lambda: guest.tables)
        (near,) = guest.tables
        assert (near.table, near.address) == (TABLE, f"{LOOPBACK}:8600")
        told.append(replace(TABLE, taken=2))
        until(lambda: guest.tables and guest.tables[0].table.taken == 2)
        told.clear()
        until(lambda: not guest.tables)
        told.append(TABLE)
        until(lambda: guest.tables)
    finally:
        beacon.stop()
    until(lambda: not guest.tables)


def test_a_table_is_taken_back_while_its_host_stays_and_listens(neighbour: Callable[[], Nearby]) -> None:
    host, guest = neighbour(), neighbour()
    guest.listen(True)
    host.listen(True)
    host.announce(TABLE, 8600)
    until(lambda: guest.tables)
    assert host.tables == (), "one's own table is not near, it is here"
    host.announce(None)
    until(lambda: not guest.tables)


def test_late_listeners_hear_earlier_announcements_until_they_stop(
    neighbour: Callable[[], Nearby],
) -> None:
    host = neighbour()
    host.announce(TABLE, 8600)
    early = listening(neighbour)
    until(lambda: early.tables)
    late = listening(neighbour)
    until(lambda: late.tables)
    late.listen(False)
    until(lambda: not late.tables)


def test_tables_where_one_can_sit_down_come_first(neighbour: Callable[[], Nearby], service: str) -> None:
    guest, send = listening(neighbour), sender()
    for number, (title, taken, phase) in enumerate([("Over", 4, 2), ("Played", 4, 1), ("Full", 4, 0), ("Free", 3, 0)]):
        table = replace(TABLE, title=title, taken=taken, phase=TablePhase(phase))
        send(announced(f"a{number}", table.record(), service))
    until(lambda: len(guest.tables) == 4)
    assert titles(guest) == ["Free", "Played", "Over", "Full"]


def test_a_killed_host_vanishes_when_its_announcement_expires(neighbour: Callable[[], Nearby], service: str) -> None:
    guest, send = listening(neighbour), sender()
    send(announced("killed", TABLE.record(), service, ttl=3))
    until(lambda: guest.tables)
    until(lambda: not guest.tables)


def test_announcements_of_strangers_are_cleaned_or_left_out(neighbour: Callable[[], Nearby], service: str) -> None:
    guest, send = listening(neighbour), sender()
    text = TABLE.record()
    send(announced("a", text | {"title": b"\x1b[2J\xe2\x80\xaeEvil\n" + b"x" * 99}, service))
    send(announced("b", text | {"seats": b"99"}, service))
    send(announced("c", text | {"title": b"\xe2\x80\xae"}, service))
    send(announced("d", text, service, port=0))
    send(announced("e", {}, service))
    send(packet([]) + b"\xff" * 40)
    send(announced("f", text, service))
    until(lambda: len(guest.tables) == 2)
    assert titles(guest) == [TABLE.title, ("[2JEvil " + "x" * 99)[:40]]


def test_of_many_tables_sixty_four_are_listed_and_the_others_when_there_is_room(
    neighbour: Callable[[], Nearby], service: str
) -> None:
    guest, send = listening(neighbour), sender()
    for number in range(MOST + 6):
        send(announced(f"t{number}", replace(TABLE, title=f"Table {number}").record(), service))
    until(lambda: len(guest.tables) == MOST)
    listed = set(titles(guest))
    gone = [number for number in range(MOST + 6) if f"Table {number}" in listed][:6]
    for number in gone:
        send(announced(f"t{number}", replace(TABLE, title=f"Table {number}").record(), service, ttl=0))
    until(lambda: not any(f"Table {number}" in titles(guest) for number in gone) and len(guest.tables) == MOST)


@pytest.mark.long
def test_a_flood_neither_fills_the_list_beyond_its_end_nor_drives_out_who_was_there(
    neighbour: Callable[[], Nearby], service: str
) -> None:
    host, guest = neighbour(), listening(neighbour)
    host.announce(TABLE, 8600)
    until(lambda: TABLE in [near.table for near in guest.tables])
    send, most = sender(), 0
    for data in itertools.islice(flood(3, service), 3000):
        send(data)
        most = max(most, len(guest.tables))
    until(lambda: len(guest.tables) > 1)
    assert max(most, len(guest.tables)) <= MOST
    assert TABLE in [near.table for near in guest.tables]
    assert guest.trouble == ""


def test_nothing_is_believed_for_long(service: str) -> None:
    async def look() -> float:
        station = DnsSd([LOOPBACK], service)
        await station._zeroconf.zeroconf.async_wait_for_start()
        await station.listen(True)
        sender()(announced("eternal", TABLE.record(), service, ttl=0x7FFFFFFF))
        end = time.monotonic() + 30
        while not station.tables():
            assert time.monotonic() < end
            await asyncio.sleep(0.01)
        (listed,) = station._listed.values()
        await station.close()
        return listed.until - time.monotonic()

    assert asyncio.run(look()) <= LONGEST


@pytest.mark.parametrize("interface", ["192.0.2.250", "not an address"])
def test_unusable_network_is_reported_without_a_failure(
    interface: str, service: str, caplog: pytest.LogCaptureFixture
) -> None:
    alone = Nearby([interface], service)
    alone.announce(TABLE, 8600)
    alone.listen(True)
    until(lambda: alone.trouble)
    assert alone.tables == ()
    alone.close()
    assert len([line for line in caplog.messages if line.startswith("tables near cannot be")]) == 1


def test_without_the_library_there_is_a_sentence_and_no_harm(monkeypatch: pytest.MonkeyPatch, service: str) -> None:
    monkeypatch.delitem(sys.modules, "client.network.dns_sd")
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    alone = Nearby([LOOPBACK], service)
    alone.announce(TABLE, 8600)
    until(lambda: "zeroconf" in alone.trouble)
    alone.close()


def test_no_thread_starts_without_a_network() -> None:
    alone = Nearby(NO_INTERFACES)
    alone.announce(TABLE, 8600)
    alone.listen(True)
    assert alone._thread is None
    alone.close()
    alone.close()


def test_after_the_end_nothing_begins(service: str) -> None:
    nearby = Nearby([LOOPBACK], service)
    nearby.close()
    nearby.listen(True)
    assert nearby._thread is None


class Clock:
    """A processor and a clock that go as they are told."""

    def __init__(self) -> None:
        self.time = self.work = 0.0

    def wait(self, seconds: float) -> None:
        self.time += seconds

    def spend(self, seconds: float) -> None:
        self.time += seconds
        self.work += seconds


@given(st.lists(st.tuples(st.floats(0, 0.05), st.floats(0, 0.5)), min_size=1, max_size=60))
def test_a_thrifty_loop_works_no_more_than_its_share(steps: list[tuple[float, float]]) -> None:
    clock = Clock()
    thrift = ThrottledLoop(0.03, 0.1, spent=lambda: clock.work, now=lambda: clock.time, wait=clock.wait)
    try:
        thrift.select(0)
        for work, idle in steps:
            clock.spend(work)
            clock.wait(idle)
            thrift.select(0)
            assert clock.work <= 0.1 + 0.03 * clock.time + 1e-6
    finally:
        thrift.close()


def test_a_stopping_node_waits_no_longer() -> None:
    clock = Clock()
    thrift = ThrottledLoop(0.03, 0.1, spent=lambda: clock.work, now=lambda: clock.time, wait=clock.wait)
    thrift.select(0)
    thrift.lavish = True
    clock.spend(3.0)
    thrift.select(0)
    assert clock.time == 3.0
    thrift.close()
