"""PCP and NAT-PMP, against a router on loopback that answers as told."""

import asyncio
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, IPv6Address
from typing import cast

import pytest

from server.router.pcp import PcpRouter, pcp_answer, pcp_request
from server.router.port_mapping import Mapping, NoRouter, RouterRefused

OUTER = IPv4Address("8.8.1.1")
WIDE = b"\0" * 10 + b"\xff\xff" + OUTER.packed
QUICK = (0.02, 5.0)

Answer = Callable[[bytes], list[bytes]]


class FakeRouter(asyncio.DatagramProtocol):
    """Router that answers each packet by `answer` and keeps the requests."""

    def __init__(self, answer: Answer) -> None:
        self.heard: list[bytes] = []
        self._answer = answer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, sender: tuple[str, int]) -> None:
        self.heard.append(data)
        for packet in self._answer(data):
            self.transport.sendto(packet, sender)


@asynccontextmanager
async def router(answer: Answer) -> AsyncIterator[tuple[FakeRouter, PcpRouter]]:
    loop = asyncio.get_running_loop()
    transport, fake = await loop.create_datagram_endpoint(lambda: FakeRouter(answer), local_addr=("127.0.0.1", 0))
    try:
        yield fake, PcpRouter("127.0.0.1", transport.get_extra_info("sockname")[1], QUICK)
    finally:
        transport.close()


def pcp(request: bytes, result: int = 0, outside: int = 9000, lifetime: int = 600) -> bytes:
    """Return a PCP router's answer to a request."""
    head = struct.pack("!BBBBII12x", 2, 0x81, 0, result, lifetime, 77)
    return head + request[24:42] + struct.pack("!H", outside) + WIDE


def nat_pmp(request: bytes) -> list[bytes]:
    """Return the answer of a router that speaks NAT-PMP only."""
    if request[0] == 2:
        return [struct.pack("!BBHI", 0, 0x81, 1, 77)]
    if request[1] == 0:
        return [struct.pack("!BBHI4s", 0, 0x80, 0, 77, OUTER.packed)]
    inside, _outside, lifetime = struct.unpack_from("!HHI", request, 4)
    return [struct.pack("!BBHIHHI", 0, 0x82, 0, 77, inside, 8601, lifetime)]


def test_a_request_has_the_form_of_rfc_6887() -> None:
    data = pcp_request(IPv4Address("192.168.7.20"), b"n" * 12, 8600, 8601, 1200)
    assert data[:8] == bytes((2, 1, 0, 0)) + struct.pack("!I", 1200)
    assert data[8:24] == b"\0" * 10 + b"\xff\xff" + bytes((192, 168, 7, 20))
    assert data[24:36] == b"n" * 12 and data[36:40] == bytes((6, 0, 0, 0))
    assert data[40:44] == struct.pack("!HH", 8600, 8601) and data[44:] == b"\0" * 10 + b"\xff\xff" + b"\0" * 4
    own = IPv6Address("2a00:1450::5")
    assert pcp_request(own, b"n" * 12, 1, 1, 1)[8:24] == own.packed


async def test_a_port_is_mapped_and_removed_though_packets_are_lost_or_foreign() -> None:
    def answer(request: bytes) -> list[bytes]:
        if len(fake.heard) == 1:
            return []  # Lost on the way.
        other = request[:24] + b"x" * 12 + request[36:]
        return [b"", b"\2\x81", pcp(other), pcp(request)]

    async with router(answer) as (fake, client):
        assert await client.open(8600, 8600, 1200) == Mapping(OUTER, 9000, 600)
        await client.close(8600)
    assert fake.heard[0] == fake.heard[1]
    assert fake.heard[-1][4:8] == b"\0" * 4, "A lifetime of 0 removes the mapping."
    assert fake.heard[-1][24:36] == fake.heard[0][24:36], "The same nonce proves the right to remove it."


async def test_a_router_of_the_older_protocol_is_asked_by_nat_pmp() -> None:
    async with router(nat_pmp) as (fake, client):
        assert await client.open(8600, 8600, 1200) == Mapping(OUTER, 8601, 1200)
        await client.open(8600, 8601, 1200)
        await client.close(8600)
    assert [data[:2] for data in fake.heard].count(b"\2\1") == 1, "Its version is known after the first request."
    assert fake.heard[-1] == struct.pack("!BBHHHI", 0, 2, 0, 8600, 0, 0)


async def test_a_mapping_that_may_not_be_removed_gets_the_shortest_lease() -> None:
    def answer(request: bytes) -> list[bytes]:
        return [pcp(request, result=0 if any(request[4:8]) else 2)]

    async with router(answer) as (fake, client):
        await client.open(8600, 8600, 1200)
        await client.close(8600)
    assert list(dict.fromkeys(int.from_bytes(request[4:8]) for request in fake.heard)) == [1200, 0, 1]


async def test_a_refusal_and_a_missing_answer_differ() -> None:
    async with router(lambda request: [pcp(request, result=2)]) as (_fake, client):
        with pytest.raises(RouterRefused, match="result 2"):
            await client.open(8600, 8600, 1200)
    with pytest.raises(NoRouter):  # The port is closed now: the system reports that at once.
        await client.open(8600, 8600, 1200)


EXACT = struct.pack("!BxH", 2, 0)
"""Option PREFER_FAILURE: no other outer port."""


async def test_taken_ports_are_passed_over_and_a_denial_is_a_refusal() -> None:
    def ports(fake: FakeRouter) -> list[int]:
        return list(dict.fromkeys(struct.unpack_from("!H", data, 42)[0] for data in fake.heard))

    def answer(request: bytes) -> list[bytes]:
        port = struct.unpack_from("!H", request, 42)[0]
        return [pcp(request, result=11 if port < 8602 else 0, outside=port)]

    async with router(answer) as (fake, client):
        assert (await client.open(8600, 8600, 1200)).port == 8602
        await client.close(8600)
    assert ports(fake) == [8600, 8601, 8602, 0]
    assert {bool(any(data[4:8])): data[60:] for data in fake.heard} == {True: EXACT, False: b""}, "None to remove."
    async with router(lambda request: [pcp(request, result=11)]) as (fake, client):
        with pytest.raises(RouterRefused, match="result 11"):
            await client.open(8600, 8600, 1200)
    assert ports(fake) == list(range(8600, 8610)), "Each port is asked for once."


@pytest.mark.parametrize("result", [5, 6])
async def test_routers_that_lack_the_option_for_one_port_are_asked_without_it(result: int) -> None:
    async with router(lambda request: [pcp(request, result=result if request[60:] else 0)]) as (fake, client):
        for _time in range(2):
            assert (await client.open(8600, 8600, 1200)).port == 9000
    assert list(dict.fromkeys(data[60:] for data in fake.heard)) == [EXACT, b""]
    assert fake.heard[-1][60:] == b""


def test_short_packets_are_ignored() -> None:
    whole = pcp(pcp_request(OUTER, b"n" * 12, 8600, 8600, 1))
    assert pcp_answer(whole, b"n" * 12, 8600) == Mapping(OUTER, 9000, 600)
    assert all(pcp_answer(whole[:size], b"n" * 12, 8600) is None for size in range(len(whole)))
    assert pcp_answer(whole, b"n" * 12, 8601) is None
