"""Where a webhook leads: an address on the internet, and never one in the operator's own network."""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct

LONGEST: Final = 500
"""Letters of an address."""
_HIDDEN: Final = tuple(map(ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))
"""Networks of IPv6 in which an address of IPv4 is hidden: somebody on the way would go there."""
_LOCAL: Final = ("localhost", "local", "internal")
"""Last parts of names that are known in one's own network only."""
_NUMERIC: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""A last part by which systems read the whole name as a number."""
_RESOLVERS: Final = ThreadPoolExecutor(2, "resolver")
"""Names are looked up on threads of their own: whoever waits for one takes nobody else's."""

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host. Raises OSError."""


class Unfit(ValueError):
    """No webhook may lead there; says why in a sentence, without the address."""


class Target(Struct, frozen=True):
    """`path` with its query."""

    secure: bool
    host: str
    port: int
    path: str


def read(url: str, loopback: bool = False) -> Target:
    """Where a URL leads. `loopback`: also to this computer itself, without TLS. Raises Unfit."""
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        raise Unfit("That is no address of a webhook.")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Unfit("That is no address of a webhook.") from None
    if parts.scheme not in ("https", "http") or not host or parts.fragment or port == 0:
        raise Unfit("That is no address of a webhook; it begins with https://.")
    if parts.username is not None or parts.password is not None:
        raise Unfit("The address of a webhook has no name and no password in it.")
    if parts.scheme == "http" and not loopback:
        raise Unfit("The address of a webhook begins with https://.")
    secure = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    target = Target(secure, host, port or (443 if secure else 80), path)
    if _number(host) is not None:
        check([host], target, loopback)
    elif not loopback and _is_local(host):
        raise _into_ones_own()
    return target


def check(addresses: Sequence[str], target: Target, loopback: bool = False) -> str:
    """The address to connect to, if a webhook may lead to every one of them. Raises Unfit.

    Without TLS only this computer itself will do.
    """
    numbers = [_number(address) for address in addresses]
    for number in numbers:
        here = loopback and number is not None and number.is_loopback
        if number is None or not (here or (target.secure and is_public(number))):
            raise _into_ones_own()
    if not addresses:
        raise Unfit("No server is known by that name.")
    return addresses[0]


def is_public(number: IPv4Address | IPv6Address) -> bool:
    """Whether that is a single computer on the internet, by every way to read the address."""
    mapped = getattr(number, "ipv4_mapped", None) or number
    hidden = any(number in network for network in _HIDDEN if network.version == number.version)
    return mapped.is_global and not mapped.is_multicast and not mapped.is_reserved and not hidden


async def resolve(host: str, port: int) -> Sequence[str]:
    """What the system says. Raises OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(_RESOLVERS, _look_up, host, port)
    return list(dict.fromkeys(found))


def _look_up(host: str, port: int) -> list[str]:
    return [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _into_ones_own() -> Unfit:
    return Unfit("A webhook leads to a server on the internet, not into a network of one's own.")


def _is_local(host: str) -> bool:
    """Whether it is seen before any look-up that such a name (in small letters) leads nowhere on the internet."""
    rest, _, last = host.removesuffix(".").rpartition(".")
    return not rest or last in _LOCAL or _NUMERIC.fullmatch(last) is not None


def _number(host: str) -> IPv4Address | IPv6Address | None:
    """What Pythons say of an address of the fourth version in the clothes of the sixth differs: it is undressed."""
    try:
        number = ip_address(host)
    except ValueError:
        return None
    return getattr(number, "ipv4_mapped", None) or number
