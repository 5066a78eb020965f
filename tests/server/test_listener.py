"""Listening sockets: how many connections are accepted at once, and which are refused before objects are built for
them."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from ipaddress import ip_network
from itertools import pairwise
from typing import Any, cast

import pytest

from server.connections.admission import Admission, Limits
from server.connections.listener import IN_ONE_GO, Listener, listen
from server.rate_limits import Rate
from tests.server.fakes import settle

HERE = "127.0.0.1"


class Doorkeeper(Admission):
    """Admission that refuses clients chosen by the test."""

    def __init__(self, **limits: Any) -> None:
        super().__init__(Limits(**limits), lambda: 0.0)
        self.asked: list[str] = []
        self.refused = 0

    def admits(self, address: str) -> bool:
        self.asked.append(address)
        return len(self.asked) > self.refused


Door = tuple[Doorkeeper, Listener]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def opened(stack: ExitStack, **limits: Any) -> Door:
    admission = Doorkeeper(**limits)
    (listener,) = listen(admission, HERE, 0)
    stack.enter_context(listener)
    listener.listen(200)
    return admission, listener


def knock(stack: ExitStack, door: Door, times: int) -> list[socket.socket]:
    """So many strangers, who wait at the door when this returns."""
    return [stack.enter_context(socket.create_connection(door[1].getsockname())) for _ in range(times)]


def let_in(stack: ExitStack, door: Door) -> int:
    """Accept waiting connections; return how many one turn of the loop lets in."""
    count = 0
    while True:
        try:
            connection, peer = door[1].accept()
        except BlockingIOError:
            return count
        assert isinstance(peer, tuple) and peer[0] == HERE
        stack.enter_context(connection)
        count += 1


def test_four_come_in_in_one_turn_and_the_rest_in_the_next_ones(stack: ExitStack) -> None:
    door = opened(stack)
    assert let_in(stack, door) == 0
    knock(stack, door, 10)
    assert [let_in(stack, door) for _ in range(4)] == [4, 4, 2, 0]
    assert door[0].asked == [HERE] * 10
    knock(stack, door, 3)
    assert let_in(stack, door) == 3


def test_strangers_are_turned_away_at_once_but_not_for_ever_in_one_turn(stack: ExitStack) -> None:
    door = opened(stack)
    door[0].refused = 33
    strangers = knock(stack, door, 35)
    assert let_in(stack, door) == 0 and len(door[0].asked) == 32
    assert let_in(stack, door) == 2 and len(door[0].asked) == 35
    for stranger in strangers[:33]:
        stranger.settimeout(20)
        with pytest.raises(ConnectionResetError):
            stranger.recv(1)
    for guest in strangers[33:]:
        guest.setblocking(False)
        with pytest.raises(BlockingIOError):
            guest.recv(1)


def test_a_trusted_proxy_always_comes_in(stack: ExitStack) -> None:
    door = opened(stack, trusted=(ip_network("127.0.0.0/8"),))
    door[0].refused = 100
    knock(stack, door, 2)
    assert let_in(stack, door) == 2 and door[0].asked == []


def test_a_listening_socket_accepts_at_once(stack: ExitStack) -> None:
    admission, listener = opened(stack)
    assert listener.gettimeout() == 0.0 and listener.admission is admission
    assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
    assert listener._spare is not None


def test_a_host_with_several_addresses_has_one_port(stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = (socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
    found = [
        (socket.AF_INET, *stream, ("127.0.0.1", 0)),
        (socket.AF_INET, *stream, ("127.0.0.2", 0)),
        (socket.AF_INET, *stream, ("127.0.0.1", 0)),
    ]
    asked: list[Any] = []

    def resolved(*args: Any, **kwargs: Any) -> list[Any]:
        asked.append((args, kwargs))
        return found

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    listeners = [stack.enter_context(listener) for listener in listen(Doorkeeper(), "", 0)]
    names = [listener.getsockname() for listener in listeners]
    assert [name[0] for name in names] == ["127.0.0.1", "127.0.0.2"]
    assert names[0][1] == names[1][1] > 0
    assert asked == [((None, 0), {"type": socket.SOCK_STREAM, "flags": socket.AI_PASSIVE})]


def test_a_computer_without_one_version_of_the_protocol_is_reached_by_the_other(
    stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = (socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
    away = (socket.AF_INET, *stream, ("192.0.2.77", 0))  # As where there is no such address.
    here = (socket.AF_INET, *stream, (HERE, 0))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [away, here])
    (listener,) = listen(Doorkeeper(), "", 0)
    stack.enter_context(listener)
    assert listener.getsockname()[0] == HERE
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [away])
    with pytest.raises(OSError, match="no network address to listen on"):
        listen(Doorkeeper(), "", 0)
    with pytest.raises(OSError, match=r"cannot listen on the address 192\.0\.2\.77:0"):
        listen(Doorkeeper(), "192.0.2.77", 0)


@pytest.mark.skipif(not socket.has_ipv6, reason="there is no IPv6 here")
def test_a_socket_of_the_sixth_version_leaves_the_fourth_alone(stack: ExitStack) -> None:
    try:
        (listener,) = listen(Doorkeeper(), "::1", 0)
    except OSError:
        pytest.skip("there is no IPv6 here")
    stack.enter_context(listener)
    assert listener.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)


def test_no_address_is_bound_if_one_is_taken(stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    _, taken = opened(stack)
    port = taken.getsockname()[1]
    stream = (socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
    found = [(socket.AF_INET, *stream, (address, port)) for address in ("127.0.0.2", HERE)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(OSError, match=f"cannot listen on the address {HERE}:{port}: .*in use"):
        listen(Doorkeeper(), "localhost", port)
    with socket.socket() as free:
        free.bind(("127.0.0.2", port))


def test_a_real_gate_is_asked_by_the_address_as_limits_count_it(stack: ExitStack) -> None:
    admission = Admission(Limits(knocks=Rate(0.0, 1.0)), lambda: 0.0)
    (listener,) = listen(admission, HERE, 0)
    stack.enter_context(listener)
    assert [listener._admits("2001:db8::1"), listener._admits("2001:db8::2")] == [True, False]
    assert listener._admits("2001:db8:0:1::1") and listener._admits(HERE)


class Guest(asyncio.Protocol):
    """Protocol built for an admitted client."""

    def __init__(self, all_of_them: list["Guest"]) -> None:
        all_of_them.append(self)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Record that the client was admitted."""
        self.transport = cast(asyncio.Transport, transport)


@asynccontextmanager
async def open_house(door: Door) -> AsyncIterator[tuple[list[Guest], asyncio.Server]]:
    """Serve clients that the socket admits; yield them and the server."""
    guests: list[Guest] = []
    server = await asyncio.get_running_loop().create_server(partial(Guest, guests), sock=door[1], backlog=100)
    yield guests, server
    server.close()
    await settle()
    for guest in guests:
        guest.transport.abort()


@pytest.mark.both_loops
async def test_a_crowd_is_let_in_a_few_in_each_turn_of_the_loop(stack: ExitStack) -> None:
    """Hundreds of handshakes in one turn held up everybody for a quarter of a second."""
    door = opened(stack)
    async with open_house(door) as (guests, _):
        knock(stack, door, 3 * IN_ONE_GO + 1)
        came = [0]
        while came[-1] < 3 * IN_ONE_GO + 1:
            await settle(1)
            came.append(len(guests))
        assert max(later - before for before, later in pairwise(came)) <= IN_ONE_GO


@pytest.mark.both_loops
async def test_nothing_is_built_for_refused_clients(stack: ExitStack) -> None:
    door = opened(stack)
    door[0].refused = 2
    async with open_house(door) as (guests, _):
        *strangers, guest = knock(stack, door, 3)
        while not guests:
            await settle(1)
        for stranger in strangers:
            with pytest.raises(ConnectionResetError):
                stranger.recv(1)
        guest.setblocking(False)
        with pytest.raises(BlockingIOError):
            guest.recv(1)
        assert len(guests) == 1 and door[0].asked == [HERE] * 3


@pytest.mark.both_loops
async def test_a_door_that_was_closed_stays_closed(stack: ExitStack) -> None:
    door = opened(stack)
    name = door[1].getsockname()
    async with open_house(door) as (_, server):
        assert server.is_serving() and server.sockets[0].getsockname() == name
        server.close()
        await server.wait_closed()
        assert not server.is_serving() and not server.sockets
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(name)
