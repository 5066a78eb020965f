"""Single connections and their budgets on a hand-made transport: from any address, at the exact border of each
limit."""

import asyncio
import contextlib
import random
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec import structs
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close as CloseFrame
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side
from websockets.server import ServerProtocol

from protocol import codec
from protocol.limits import MAX_TO_SERVER, Close
from server.connections.admission import GENEROUS, Admission, Limits
from server.connections.guard import GuardedConnection
from server.connections.listener import listen
from server.connections.server_app import Settings, options_of
from server.delivery.outbox import MAX_BYTES
from server.delivery.outgoing import Outgoing
from server.rate_limits import Rate
from shared.messages import Done
from tests.faults.attacks import UPGRADE
from tests.server.fakes import settle

pytestmark = pytest.mark.both_loops

STRANGER, NEIGHBOUR, LOCAL = "192.0.2.7", "192.0.2.8", "127.0.0.1"
REQUEST = len(UPGRADE)
PLENTY = Rate(1e9, 1e9)


class Socket:
    """Remembers its options."""

    def __init__(self) -> None:
        self.options: list[tuple[int, int, int]] = []

    def setsockopt(self, *option: int) -> None:
        """Remember one."""
        self.options.append(cast(tuple[int, int, int], option))


class Line(asyncio.Transport):
    """Transport whose other end is at `address`."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 5), "socket": Socket()})
        self.written = bytearray()
        self.waiting = 0
        self.aborted = False
        self.connection: GuardedConnection

    def write(self, data: Any) -> None:
        """Take it."""
        self.written += data

    def get_write_buffer_size(self) -> int:
        """Return the bytes that the other end has not read."""
        return self.waiting

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """The library sets them."""

    def pause_reading(self) -> None:
        """The library asks for it when too much is unheard."""

    def resume_reading(self) -> None:
        """And takes it back."""

    def is_closing(self) -> bool:
        """Whether it was cut."""
        return self.aborted

    def abort(self) -> None:
        """Cut it."""
        if not self.aborted:
            self.aborted = True
            self.connection.connection_lost(None)


class ConnectionHarness:
    """Admission with a manual clock, and the server's handler of each connection."""

    def __init__(self, knocks: Rate = PLENTY, **limits: Any) -> None:
        self.time = 100.0
        self.admission = Admission(Limits(knocks=knocks, **limits), lambda: self.time)
        self.handler_tasks: set[asyncio.Task[None]] = set()
        self.heard: list[bytes] = []
        self.listening = asyncio.Event()
        self.listening.set()

    def is_serving(self) -> bool:
        """Asked by the library."""
        return True

    async def handler(self, connection: GuardedConnection) -> None:
        """Shake hands and listen."""
        with contextlib.suppress(ConnectionClosed):
            await connection.handshake()
            await self.listening.wait()
            async for data in connection:
                self.heard.append(cast(bytes, data))
                connection.heard()

    def knock(self, address: str = STRANGER) -> GuardedConnection:
        """A new connection from there."""
        connection = GuardedConnection(
            self.admission, ServerProtocol(max_size=MAX_TO_SERVER), self, ping_interval=None, close_timeout=0
        )
        line = Line(address)
        line.connection = connection
        connection.connection_made(line)
        return connection

    async def open(self, address: str = STRANGER) -> GuardedConnection:
        """A connection that has shaken hands."""
        connection = self.knock(address)
        connection.data_received(UPGRADE)
        await settle()
        line(connection).written.clear()
        return connection

    def lets_in(self, address: str = STRANGER) -> bool:
        """Whether one more from there may come and stay; it goes at once."""
        if not self.admission.admits(address):
            return False
        connection = self.knock(address)
        stays = not line(connection).aborted
        line(connection).abort()
        return stays


def line(connection: GuardedConnection) -> Line:
    return cast(Line, connection.transport)


class Offered:
    """Remembers what a connection offers to be taken at once."""

    def __init__(self, connection: GuardedConnection) -> None:
        self.data: list[bytes] = []
        self.takes = True
        connection.take_now = self.take

    def take(self, data: bytes) -> bool:
        """Whether it is taken."""
        self.data.append(data)
        return self.takes


def read(data: bytes) -> list[Frame]:
    """The frames that a client makes of it."""
    client = Protocol(Side.CLIENT)
    client.receive_data(data)
    return cast(list[Frame], client.events_received())


def said(payload: bytes, opcode: Opcode = Opcode.BINARY, fin: bool = True) -> bytes:
    """A client's frame, masked at random as the library does it."""
    return Frame(opcode, payload, fin).serialize(mask=True)


@pytest.fixture
def cuts(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """Why connections were cut so far."""
    return lambda: [record.fields["why"] for record in caplog.records if record.message == "cut"]  # type: ignore[attr-defined]


async def test_so_many_from_one_address_and_no_more() -> None:
    harness = ConnectionHarness(per_address=3, half_open=9)
    first = [harness.knock() for _ in range(3)]
    assert not any(line(connection).aborted for connection in first)
    assert not harness.lets_in() and not harness.lets_in()
    assert harness.lets_in(NEIGHBOUR) and harness.lets_in(LOCAL)
    line(first[0]).abort()
    assert harness.lets_in() and harness.admission.total == 2


async def test_so_many_that_have_not_asked_yet_and_no_more() -> None:
    harness = ConnectionHarness(per_address=9, half_open=2)
    waiting = [harness.knock() for _ in range(2)]
    assert not harness.lets_in() and harness.lets_in(NEIGHBOUR)
    waiting[0].data_received(UPGRADE[:-2])
    assert not harness.lets_in()
    waiting[0].data_received(UPGRADE[-2:])
    assert harness.lets_in()
    line(waiting[0]).abort()
    assert harness.lets_in(), "it was no longer half open: its end frees no place"
    third = harness.knock()
    assert not harness.lets_in()
    line(third).abort()
    line(waiting[1]).abort()
    assert [not line(harness.knock()).aborted for _ in range(3)] == [True, True, False]


async def test_so_many_in_all_and_no_more() -> None:
    harness = ConnectionHarness(connections=2, spare=1, local_connections=3)
    for address in (STRANGER, NEIGHBOUR, LOCAL):
        assert not line(harness.knock(address)).aborted
    assert not harness.lets_in("192.0.2.9") and not harness.lets_in(LOCAL)


async def test_loopback_has_a_count_of_its_own() -> None:
    harness = ConnectionHarness(local_connections=4, per_address=1, half_open=1)
    assert [not line(harness.knock(LOCAL)).aborted for _ in range(5)] == [True] * 4 + [False]


async def test_the_request_has_a_limit(cuts: Callable[[], list[str]]) -> None:
    harness = ConnectionHarness(handshake=REQUEST)
    fitting = harness.knock()
    fitting.data_received(UPGRADE)
    assert not line(fitting).aborted
    harness = ConnectionHarness(handshake=REQUEST - 1)
    long = harness.knock(NEIGHBOUR)
    long.data_received(UPGRADE[:-1])
    assert not line(long).aborted
    long.data_received(UPGRADE[-1:])
    assert line(long).aborted and cuts() == ["handshake"]
    assert not harness.lets_in(NEIGHBOUR) and harness.lets_in(STRANGER)


@pytest.mark.parametrize("opcode", [Opcode.BINARY, Opcode.PING, Opcode.PONG])
@pytest.mark.parametrize("whose", ["bytes_here", "bytes", "frames_here", "frames"])
async def test_flooding_clients_are_cut_and_stay_out_for_a_while(
    opcode: Opcode, whose: str, cuts: Callable[[], list[str]]
) -> None:
    counts = whose.startswith("frames")
    rate = Rate(1, 2) if counts else Rate(10, REQUEST + 20)
    harness = ConnectionHarness(cool_down=60, **{whose: rate})
    connection = await harness.open()
    word = said(b"four", opcode)
    assert len(word) == 10
    connection.data_received(word)
    connection.data_received(word)
    assert not line(connection).aborted, "that was the burst"
    harness.time += 1
    connection.data_received(word)
    assert not line(connection).aborted, "and that is the rate"
    harness.time += 0.5
    connection.data_received(word)
    assert line(connection).aborted and cuts() == ["flood"]
    for address, stays in ((STRANGER, False), (NEIGHBOUR, True), (LOCAL, True)):
        assert harness.lets_in(address) == stays
    harness.time += 59.9
    assert not harness.lets_in()
    harness.time += 0.1
    assert harness.lets_in()


async def test_the_time_of_the_last_message_is_known() -> None:
    harness = ConnectionHarness()
    connection = await harness.open()
    for time in (101.0, 109.5):
        harness.time = time
        connection.data_received(said(b"four"))
        assert connection.heard_at == time


@pytest.mark.parametrize(("whose", "rate"), [("bytes", Rate(0, 2 * REQUEST + 35)), ("frames", Rate(0, 3))])
async def test_all_connections_of_an_address_share_one_budget(whose: str, rate: Rate) -> None:
    harness = ConnectionHarness(**{whose: rate})
    first, second = await harness.open(), await harness.open()
    for connection in (first, second, first):
        connection.data_received(said(b"12345"))
        assert not line(connection).aborted
    second.data_received(said(b"12345"))
    assert line(second).aborted and not line(first).aborted
    other, local = await harness.open(NEIGHBOUR), await harness.open(LOCAL)
    for _ in range(4):
        local.data_received(said(b"12345"))
    other.data_received(said(b"12345"))
    assert not line(other).aborted and not line(local).aborted


@pytest.mark.parametrize("frames", [1, 3])
async def test_nothing_that_is_over_the_budget_is_even_parsed(frames: int) -> None:
    word = said(b"12345") * frames
    for spare, heard in ((-1, []), (0, [b"12345"] * frames)):
        harness = ConnectionHarness(bytes_here=Rate(0, REQUEST + len(word) + spare))
        connection = await harness.open()
        connection.data_received(word)
        await settle()
        assert harness.heard == heard
        harness = ConnectionHarness(frames_here=Rate(0, frames + spare))
        connection = await harness.open()
        connection.data_received(word)
        await settle()
        assert harness.heard == heard


async def test_frames_that_come_with_the_request_count_too(cuts: Callable[[], list[str]]) -> None:
    harness = ConnectionHarness(frames_here=Rate(0, 2))
    connection = harness.knock()
    connection.data_received(UPGRADE[:-3])
    connection.data_received(UPGRADE[-3:] + said(b"1") * 2)
    assert not line(connection).aborted
    connection = harness.knock()
    connection.data_received(UPGRADE[:-3])
    connection.data_received(UPGRADE[-3:] + said(b"1") * 3)
    assert line(connection).aborted and cuts() == ["flood"]


@pytest.mark.parametrize(("address", "again"), [(STRANGER, False), (LOCAL, True)])
async def test_a_flood_from_this_very_machine_is_cut_and_may_come_again(address: str, again: bool) -> None:
    harness = ConnectionHarness(bytes_here=Rate(0, REQUEST + 5))
    connection = await harness.open(address)
    connection.data_received(said(b"12345"))
    assert line(connection).aborted and harness.lets_in(address) == again


async def test_behind_a_proxy_each_address_has_its_own_budget(cuts: Callable[[], list[str]]) -> None:
    def request(address: str) -> bytes:
        return UPGRADE[:-2] + f"X-Forwarded-For: {address}\r\n\r\n".encode()

    harness = ConnectionHarness(trusted=(ip_network("10.0.0.0/8"),), per_address=1, half_open=1, frames_here=Rate(0, 1))
    guests = [harness.knock("10.0.0.1") for _ in range(4)]
    for guest, address in zip(guests, (STRANGER, NEIGHBOUR, STRANGER), strict=False):
        guest.data_received(request(address))
    assert [line(guest).aborted for guest in guests] == [False, False, True, False]
    guests[0].data_received(said(b"1") * 2)
    assert [line(guest).aborted for guest in guests] == [True, False, True, False] and cuts() == ["flood"]
    guests[3].data_received(request(STRANGER))
    assert line(guests[3]).aborted, "it cools down"
    guests[1].data_received(said(b"1"))
    assert not line(guests[1]).aborted and not harness.lets_in(STRANGER) and harness.lets_in("10.0.0.1")


@pytest.mark.parametrize("named", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.0.0.99:80", "10.0.0.7", "", "nonsense"])
async def test_forwarded_connections_get_no_leniency(named: str) -> None:
    """Clients that named this machine's address had no limits."""
    trusted = tuple(map(ip_network, ("10.0.0.0/8", "127.0.0.0/8")))
    for proxy in ("10.0.0.1", LOCAL):
        harness = ConnectionHarness(trusted=trusted, per_address=1, local_connections=9)
        guests = [harness.knock(proxy) for _ in range(2)]
        for guest in guests:
            guest.data_received(UPGRADE[:-2] + f"X-Forwarded-For: {named}\r\n\r\n".encode())
        assert [line(guest).aborted for guest in guests] == [False, True]
        assert not harness.admission.is_lenient(guests[0].address)


@pytest.mark.parametrize("header", ["X-Forwarded-For: 192.0.2.1", "X-Real-IP: ::1", "Via: 1.1 x", "Forwarded: for=a"])
async def test_an_unnamed_proxy_of_this_machine_makes_all_behind_it_one_stranger(
    header: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.log._last", {})
    harness = ConnectionHarness(per_address=1, local_connections=9)
    guests = [harness.knock(LOCAL) for _ in range(3)]
    for guest, more in zip(guests, (f"{header}\r\n", f"{header}\r\n", ""), strict=True):
        guest.data_received(UPGRADE[:-2] + f"{more}\r\n".encode())
    assert [line(guest).aborted for guest in guests] == [False, True, False]
    assert [harness.admission.is_lenient(guest.address) for guest in guests] == [False, False, True]
    assert [getattr(record, "fields", {}).get("advice") for record in caplog.records] == [f"--behind-proxy {LOCAL}"]


async def test_unread_answers_are_capped(cuts: Callable[[], list[str]]) -> None:
    harness = ConnectionHarness(write_cap=1000)
    connection = await harness.open()
    line(connection).waiting = 1000
    connection.data_received(said(b"", Opcode.PING))
    assert not line(connection).aborted
    line(connection).waiting = 1001
    connection.data_received(said(b"", Opcode.PING))
    assert line(connection).aborted and cuts() == ["unread"]
    assert harness.lets_in(), "slow is not hostile"


async def test_clients_that_do_not_read_are_cut(cuts: Callable[[], list[str]]) -> None:
    harness = ConnectionHarness(stall=0.0)
    connection = await harness.open()
    connection.pause_writing()
    connection.resume_writing()
    await settle()
    assert not line(connection).aborted
    connection.pause_writing()
    await settle()
    assert line(connection).aborted and cuts() == ["stalled"] and harness.lets_in()


async def test_a_deadline_ends_with_its_connection(cuts: Callable[[], list[str]]) -> None:
    harness = ConnectionHarness(stall=0.0)
    connection = await harness.open()
    connection.pause_writing()
    line(connection).abort()
    await settle()
    assert cuts() == [] and connection._stalled is None


async def test_clients_with_too_many_waiting_answers_are_cut(cuts: Callable[[], list[str]]) -> None:
    harness = ConnectionHarness(stall=60.0)
    connection = await harness.open()
    connection.pause_writing()
    connection.outbox.send(Outgoing(bytes(MAX_BYTES - 10)))
    assert not line(connection).aborted and not line(connection).written
    connection.outbox.send(Outgoing(bytes(10)))
    assert line(connection).aborted and cuts() == ["overflow"] and harness.lets_in()


async def test_a_returning_reader_is_shown_missed_frames() -> None:
    harness = ConnectionHarness(stall=60.0)
    connection = await harness.open()
    caught_up: list[bool] = []
    connection.catch_up = lambda: caught_up.append(True)
    connection.pause_writing()
    for _ in range(3):
        connection.outbox.send(Outgoing(bytes(MAX_BYTES // 2), droppable=True))
    connection.outbox.send(Outgoing(b"answer"))
    connection.resume_writing()
    assert line(connection).written == b"\x82\x06answer" and caught_up == [True]


async def test_the_system_keeps_no_more_for_a_reader_than_is_allowed() -> None:
    connection = ConnectionHarness(send_buffer=4321).knock()
    options = connection.transport.get_extra_info("socket").options
    assert options == [(socket.SOL_SOCKET, socket.SO_SNDBUF, 4321)]


async def test_nothing_is_written_before_the_handshake_and_after_the_end() -> None:
    harness = ConnectionHarness()
    connection = harness.knock()
    connection.outbox.send(Outgoing(b"too early"))
    assert not line(connection).written
    connection.data_received(UPGRADE)
    await settle()
    line(connection).written.clear()
    connection.outbox.send(Outgoing(b"now"))
    assert line(connection).written == b"\x82\x03now"
    connection.data_received(said(CloseFrame(1000, "").serialize(), Opcode.CLOSE))
    line(connection).written.clear()
    connection.outbox.send(Outgoing(b"too late"))
    assert not line(connection).written
    cut = await harness.open()
    line(cut).aborted = True
    cut.outbox.send(Outgoing(b"cut"))
    assert not line(cut).written


async def test_all_can_be_cut_at_once() -> None:
    harness = ConnectionHarness()
    connections = [harness.knock(), await harness.open(NEIGHBOUR), await harness.open(LOCAL)]
    harness.admission.cut_all()
    assert all(line(connection).aborted for connection in connections) and harness.admission.total == 0


# Messages that come: whole ones, pieces, and which of them are taken at once.


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, MAX_TO_SERVER])
async def test_masked_messages_arrive_as_they_were_sent(size: int) -> None:
    harness = ConnectionHarness(bytes_here=PLENTY, bytes=PLENTY)
    connection = await harness.open()
    data = random.Random(size).randbytes(size)
    connection.data_received(said(data))
    for byte in said(b"next"):
        connection.data_received(bytes([byte]))
    await settle()
    assert harness.heard == [data, b"next"]


async def test_a_message_that_is_too_large_ends_the_connection() -> None:
    harness = ConnectionHarness(bytes_here=PLENTY, bytes=PLENTY)
    connection = await harness.open()
    connection.data_received(said(bytes(MAX_TO_SERVER + 1)))
    await settle()
    (closing,) = read(bytes(line(connection).written))
    assert harness.heard == [] and CloseFrame.parse(closing.data).code == Close.TOO_BIG


async def test_a_message_in_pieces_is_one_message_and_queues_up() -> None:
    harness = ConnectionHarness()
    connection = await harness.open()
    offered = Offered(connection)
    act = codec.encode(Done(1))
    connection.data_received(said(act[:1], fin=False))
    connection.data_received(said(b"are you there?", Opcode.PING))
    connection.data_received(said(b"", Opcode.CONT, fin=False) + said(act[1:], Opcode.CONT))
    await settle()
    assert harness.heard == [act] and offered.data == []
    connection.data_received(said(act))
    assert offered.data == [act]


async def test_a_message_is_taken_at_once_only_while_nothing_waits() -> None:
    harness = ConnectionHarness()
    harness.listening.clear()
    connection = await harness.open()
    offered = Offered(connection)
    connection.data_received(said(b"1") + said(b"2"))
    assert offered.data == [b"1"], "one of a read"
    connection.data_received(said(b"3"))
    assert offered.data == [b"1"], "the second waits still"
    connection.heard()
    connection.heard()
    offered.takes = False
    connection.data_received(said(b"4"))
    assert offered.data == [b"1", b"4"] and connection._unheard == 1, "it was not taken"
    offered.takes = True
    connection.data_received(said(b"5"))
    assert offered.data == [b"1", b"4"]
    connection.heard()
    connection.heard()
    connection.data_received(said(b"text", Opcode.TEXT))
    assert offered.data == [b"1", b"4"] and connection._unheard == 1, "text is not for us"
    connection.heard()
    connection.data_received(said(b"", Opcode.PING))
    connection.data_received(said(b"6"))
    assert offered.data == [b"1", b"4", b"6"] and connection._unheard == 0


async def test_a_lookalike_of_a_single_message_is_none() -> None:
    word = b"\x82\x83" + bytes(4) + b"act"
    for before, offers in (
        (b"\x82" + bytes([0x80 | len(word)]) + bytes(4), [word]),  # It is all that the message says.
        (b"\x82", [b"\x83a"]),  # Its beginning is the rest of a head.
        (said(b"a", fin=False), []),
        (said(b"\x03\xe8", Opcode.CLOSE), []),
    ):
        connection = await ConnectionHarness().open()
        offered = Offered(connection)
        connection.data_received(before)
        connection.data_received(word)
        assert offered.data == offers
    connection = await ConnectionHarness().open()
    offered = Offered(connection)
    connection.data_received(word)
    assert offered.data == [b"act"]
    for frame in (b"\x82\x03act", b"\xc2" + word[1:], b"\x81" + word[1:], word + b"\x82", word[:-1]):
        connection = await ConnectionHarness().open()
        offered = Offered(connection)
        connection.data_received(frame)
        assert offered.data == ([b"act"] if frame.startswith(word) else [])


# Over real sockets.


@asynccontextmanager
async def over_a_socket(receive_buffer: int = 4096) -> AsyncIterator[tuple[GuardedConnection, ClientConnection]]:
    """Yield the two ends of a connection."""
    admission, came = (
        Admission(structs.replace(GENEROUS, send_buffer=4096, stall=60.0), lambda: 0.0),
        asyncio.Queue[Any](),
    )

    async def handler(connection: Any) -> None:
        came.put_nowait(connection)
        await connection.wait_closed()

    (listener,) = listen(admission, LOCAL, 0)
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    options = options_of(Settings(Path(), limits=admission.limits), admission)
    async with serve(handler, sock=listener, **options):
        small.connect(listener.getsockname())
        address = f"ws://{LOCAL}:{listener.getsockname()[1]}"
        async with connect(address, sock=small, compression=None, ping_interval=None, proxy=None) as client:
            yield await came.get(), client


async def test_queued_messages_arrive_whole_and_in_order() -> None:
    async with over_a_socket() as (connection, client):
        client.transport.pause_reading()
        pongs = []
        for number in range(200):
            connection.outbox.send(Outgoing(number.to_bytes(2, "big") * 300))
            if number % 20 == 0:
                pongs.append(await client.ping())
                await settle()
        assert connection.outbox._waiting, "some of it waits"
        client.transport.resume_reading()
        assert [await client.recv() for _ in range(200)] == [
            bytes(number.to_bytes(2, "big") * 300) for number in range(200)
        ]
        for pong in pongs:
            await pong
        connection.outbox.send(Outgoing(b"next"))
        assert not connection.outbox._waiting and await client.recv() == b"next"


@pytest.mark.skipif(sys.platform == "win32", reason="there all goes through the transport")
async def test_a_connection_knows_its_own_socket_and_at_the_end_none() -> None:
    async with over_a_socket() as (connection, client):
        shown = connection.transport.get_extra_info("socket")
        taker = cast(socket.socket, connection.outbox._taker)
        assert taker.fileno() == shown.fileno() and connection.outbox._at_once == taker
        await client.close()
        await connection.wait_closed()
        await settle()
        with pytest.raises(OSError):
            taker.send(b"too late")
        connection.outbox.send(Outgoing(b"too late"))
