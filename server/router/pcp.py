"""PCP (RFC 6887) and NAT-PMP (RFC 6886): mappings by one small UDP packet and its answer.

Our own code: no library on PyPI speaks PCP, and those for NAT-PMP block, have no types and rest since 2023.
"""

import asyncio
import secrets
import struct
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, TypeVar

from server.router.port_mapping import OTHER_PORTS, Address, Mapping, NoRouter, RouterRefused

T = TypeVar("T")

PORT: Final = 5351
"""Port of both protocols, RFC 6887 section 19.1."""
PATIENCE: Final = (0.25, 0.5, 1.0, 2.0)
"""Seconds to wait for an answer after each try: the beginning of NAT-PMP's series, RFC 6886 section 3.1."""
_PCP: Final = 2
_NAT_PMP: Final = 0
"""Versions; a server of the older protocol answers a newer one's request with its own number."""
_MAP: Final = 1
_ADDRESS: Final = 0
_MAP_TCP: Final = 2
_ANSWER: Final = 0x80
_TCP: Final = 6
_PREFER_FAILURE: Final = struct.pack("!BxH", 2, 0)
"""Option that forbids another outer port (RFC 6887, section 13.2).

Without it, miniupnpd 2.3.1 tries all ports without end if its permissions deny them, and answers nothing any more.
"""
_WITHOUT_OPTION: Final = (5, 6)
"""Results UNSUPP_OPTION and MALFORMED_OPTION."""
_TAKEN: Final = 11
"""Result CANNOT_PROVIDE_EXTERNAL."""
_SHORTEST: Final = 1
"""Seconds of a mapping that the router refuses to remove; routers take their least lease instead."""
_HEAD: Final = struct.Struct("!BBHI16s")
_BODY: Final = struct.Struct("!12sB3xHH16s")
_REPLY: Final = struct.Struct("!BBxBII12x")
_PMP_MAP: Final = struct.Struct("!BBHHHI")
_PMP_REPLY: Final = struct.Struct("!BBHI")
_PMP_MAPPED: Final = struct.Struct("!HHI")


class OtherVersion(Exception):
    """The router speaks another version of the protocol."""


class PcpRefused(RouterRefused):
    """Refusal by PCP. `result`: as in RFC 6887, section 7.4."""

    def __init__(self, result: int) -> None:
        super().__init__(f"PCP result {result}")
        self.result = result


def pcp_request(own: Address, nonce: bytes, port: int, outside: int, seconds: int, *, exact: bool = False) -> bytes:
    """Return a PCP request to map TCP `port` of the address `own` for so many seconds; 0 removes the mapping.

    exact: take no other outer port.
    """
    wanted = IPv6Address(0) if own.version == 6 else IPv4Address(0)
    head = _HEAD.pack(_PCP, _MAP, 0, seconds, _wide(own))
    return head + _BODY.pack(nonce, _TCP, port, outside, _wide(wanted)) + (_PREFER_FAILURE if exact else b"")


def pcp_answer(data: bytes, nonce: bytes, port: int) -> Mapping | None:
    """Return the mapping of an answer; None if it answers another request.

    Raise RouterRefused, or OtherVersion if the router speaks NAT-PMP only.
    """
    if len(data) >= _PMP_REPLY.size and data[0] == _NAT_PMP and data[1] & _ANSWER:
        raise OtherVersion
    if len(data) < _REPLY.size or data[0] != _PCP or data[1] != _ANSWER | _MAP:
        return None
    _version, _code, result, seconds, _epoch = _REPLY.unpack_from(data)
    if len(data) < _REPLY.size + _BODY.size:
        if result:
            raise PcpRefused(result)
        return None
    said, _protocol, inside, outside, address = _BODY.unpack_from(data, _REPLY.size)
    if said != nonce or inside != port:
        return None
    if result:
        raise PcpRefused(result)
    return Mapping(_unpacked_address(address), outside, seconds)


def pmp_request(port: int, outside: int, seconds: int) -> bytes:
    """Return a NAT-PMP request to map a TCP port for so many seconds; 0 removes the mapping."""
    return _PMP_MAP.pack(_NAT_PMP, _MAP_TCP, 0, port, outside if seconds else 0, seconds)


def pmp_address_request() -> bytes:
    """Return a NAT-PMP request for the router's outer address."""
    return bytes((_NAT_PMP, _ADDRESS))


def pmp_address(data: bytes) -> IPv4Address | None:
    """Return the outer address of an answer; None if it answers another request. Raise RouterRefused."""
    return IPv4Address(data[8:12]) if _is_pmp(data, _ADDRESS, 12) else None


def pmp_answer(data: bytes, port: int) -> tuple[int, int] | None:
    """Return outer port and seconds of an answer; None if it answers another request. Raise RouterRefused."""
    if not _is_pmp(data, _MAP_TCP, 16):
        return None
    inside, outside, seconds = _PMP_MAPPED.unpack_from(data, _PMP_REPLY.size)
    return (outside, seconds) if inside == port else None


def _is_pmp(data: bytes, operation: int, size: int) -> bool:
    """Whether the data answer that operation. Raise RouterRefused."""
    if len(data) < _PMP_REPLY.size:
        return False
    version, code, result, _epoch = _PMP_REPLY.unpack_from(data)
    if version != _NAT_PMP or code != _ANSWER | operation:
        return False
    if result:
        raise RouterRefused(f"NAT-PMP result {result}")
    return len(data) >= size


def _wide(address: Address) -> bytes:
    return address.packed if address.version == 6 else b"\0" * 10 + b"\xff\xff" + address.packed


def _unpacked_address(packed: bytes) -> Address:
    address = IPv6Address(packed)
    return address.ipv4_mapped or address


class _Packets(asyncio.DatagramProtocol):
    """Queue of the packets that one router sent, and of an error of the socket."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[bytes | Exception] = asyncio.Queue()

    def datagram_received(self, data: bytes, _sender: object) -> None:
        self.queue.put_nowait(data)

    def error_received(self, error: Exception) -> None:
        self.queue.put_nowait(error)


class PcpRouter:
    """Router at `gateway`, which may be an IPv6 address with a zone. It is asked by PCP, then by NAT-PMP."""

    def __init__(self, gateway: str, port: int = PORT, patience: tuple[float, ...] = PATIENCE) -> None:
        self._where = (gateway, port)
        self._patience = patience
        self._nonce = secrets.token_bytes(12)
        """Proves to the router that a later request comes from the maker of the mapping."""
        self._own: Address | None = None
        """Address of ours in the mapping, if it is not the one that packets to the router have."""
        self._older = False
        """Whether it speaks NAT-PMP only."""
        self._knows_option = True
        """Whether it knows the option for one outer port alone."""

    def at(self, own: IPv6Address) -> "PcpRouter":
        """Map ports of that address, and return the router. The way to an IPv6 router is link-local."""
        self._own = own
        return self

    async def open(self, port: int, outside: int, seconds: int) -> Mapping:
        """Make or renew a mapping, see `Router`."""
        return await self._ask_either(port, outside, seconds)

    async def close(self, port: int) -> None:
        """Remove the mapping, see `Router`."""
        try:
            await self._ask_either(port, 0, 0)
        except RouterRefused:
            # miniupnpd 2.3.1 compares a pinhole's text, which it does not keep, so it refuses. It shortens leases.
            await self._ask_either(port, port, _SHORTEST)

    async def _ask_either(self, port: int, outside: int, seconds: int) -> Mapping:
        if not self._older:
            try:
                return await self._pcp(port, outside, seconds)
            except OtherVersion:
                self._older = True
        address = await self._ask(lambda _own: pmp_address_request(), pmp_address)
        mapped = await self._ask(lambda _own: pmp_request(port, outside, seconds), lambda data: pmp_answer(data, port))
        return Mapping(address, *mapped)

    async def _pcp(self, port: int, outside: int, seconds: int) -> Mapping:
        """Map or remove by PCP; while outer ports are taken, try the next ones."""
        keeps_port = self._own is not None and self._own.version == 6  # A pinhole has the same port outside.
        free = bool(seconds and outside) and not keeps_port
        for candidate in range(outside, min(outside + OTHER_PORTS, 65536)):
            try:
                return await self._map(port, candidate, seconds, exact=free and self._knows_option)
            except PcpRefused as error:
                if error.result in _WITHOUT_OPTION and self._knows_option:
                    self._knows_option = False
                    return await self._map(port, outside, seconds, exact=False)
                if error.result != _TAKEN or not free:
                    raise
        raise PcpRefused(_TAKEN)

    async def _map(self, port: int, outside: int, seconds: int, *, exact: bool) -> Mapping:
        return await self._ask(
            lambda own: pcp_request(own, self._nonce, port, outside, seconds, exact=exact),
            lambda data: pcp_answer(data, self._nonce, port),
        )

    async def _ask(self, request: Callable[[Address], bytes], read: Callable[[bytes], T | None]) -> T:
        """Send a request until its answer is there. Raise NoRouter, RouterRefused or OtherVersion."""
        loop = asyncio.get_running_loop()
        try:
            transport, packets = await loop.create_datagram_endpoint(_Packets, remote_addr=self._where)
        except OSError as error:
            raise NoRouter(f"{error}") from error
        try:
            own = self._own or ip_address(transport.get_extra_info("sockname")[0].partition("%")[0])
            data = request(own)
            for seconds in self._patience:
                transport.sendto(data)
                try:
                    async with asyncio.timeout(seconds):
                        return await _answer(packets, read)
                except TimeoutError:
                    continue
        finally:
            transport.close()
        raise NoRouter(f"{self._where[0]} does not answer")


async def _answer(packets: _Packets, read: Callable[[bytes], T | None]) -> T:
    """Return the first answer among the packets. Raise NoRouter if the router rejects them."""
    while True:
        packet = await packets.queue.get()
        if isinstance(packet, Exception):
            raise NoRouter(f"{packet}") from packet
        found = read(packet)
        if found is not None:
            return found
