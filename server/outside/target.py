"""Where a webhook leads: an address on the internet, and never one in the operator's own network."""

import itertools
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct

LONGEST: Final = 500
"""Letters of an address."""
LOOK_UP: Final = 3.0
"""Seconds for the look-up of a name."""
_CHOICE: Final = 16
"""Addresses of a name that are looked at."""
_GLOBAL_6: Final = ip_network("2000::/3")
"""All of IPv6 that belongs to single computers on the internet. The rest is private, of a site, or not given out."""
_SPECIAL: Final = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
            "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
            "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
        ),
    )
)  # fmt: skip
"""IANA's registries of special addresses, and what they held before: private, reserved, anycast relays, and tunnels
that hide an address of IPv4. `ipaddress` takes several for global, and other versions of it others."""
_ISATAP: Final = (0x0000_5EFE, 0x0200_5EFE)
"""Third quarter of an address of IPv6 whose fourth is an address of IPv4 to which a tunnel leads."""
_LOCAL: Final = ("localhost", "local", "internal")
"""Last parts of names that are known in one's own network only."""
_NUMERIC: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""A last part by which systems read the whole name as a number."""

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host. Raises OSError."""


class Unfit(ValueError):
    """No webhook may lead there; says why in a sentence, without the address."""


class NoName(OSError):
    """A name was not found; the text says why in a word, without the name."""


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
    single = getattr(number, "ipv4_mapped", None) or number
    if single.version == 6 and (single not in _GLOBAL_6 or (int(single) >> 32) & 0xFFFF_FFFF in _ISATAP):
        return False
    special = any(single in network for network in _SPECIAL if network.version == single.version)
    return single.is_global and not special


async def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host by DNS, those first to which there is a way from here. Raises OSError.

    The system's own look-up waits on a thread that nothing can end: a few names whose servers never answer would stop
    it for everybody.
    """
    if _number(host) is not None:
        return [host]
    if host.removesuffix(".") == "localhost":
        return ["127.0.0.1"]
    from dns import asyncresolver, exception  # Only servers with webhooks need it.

    try:
        found = await asyncresolver.Resolver().resolve_name(host, lifetime=LOOK_UP, search=False)
    except (exception.DNSException, ValueError) as error:
        raise NoName(type(error).__name__) from None
    addresses = list(dict.fromkeys(itertools.islice(found.addresses(), _CHOICE)))
    return sorted(addresses, key=lambda address: not _has_way(address, port))


def _has_way(address: str, port: int) -> bool:
    """Whether the system would know where to send something; nothing is sent."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((address, port))
    except OSError:
        return False
    return True


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
