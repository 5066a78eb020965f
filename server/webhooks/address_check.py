"""Address check of webhooks: they must lead to the internet, never into the operator's own network."""

import itertools
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct

from protocol.routes import split_address

LONGEST: Final = 500
"""Limit of an address's characters."""
LOOK_UP: Final = 3.0
"""Seconds for the look-up of a name."""
_CHOICE: Final = 16
"""Limit of a name's addresses that are checked."""
_GLOBAL_6: Final = ip_network("2000::/3")
"""IPv6 addresses of single computers on the internet. The rest is private, of a site, or not assigned."""
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
"""Networks in IANA's present and past registries of special addresses: private, reserved, anycast relays, and tunnels
to IPv4.

`ipaddress` takes several of them for global, and its versions differ.
"""
_ISATAP: Final = (0x0000_5EFE, 0x0200_5EFE)
"""Third quarter of an IPv6 address whose fourth quarter is the IPv4 address of a tunnel's end (ISATAP)."""
_LOCAL: Final = ("localhost", "local", "internal")
"""Last labels of names that are known in local networks only."""
_NUMERIC: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""A last label that makes systems read the whole name as a number."""

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Function that returns the addresses of a host. Raises OSError."""


class Unfit(ValueError):
    """The address is not allowed for a webhook; the text says why in a sentence, without the address."""


class NoName(OSError):
    """A name was not found; the text gives the reason in a word, without the name."""


class Target(Struct, frozen=True):
    """Parsed address of a webhook. `path` includes the query."""

    secure: bool
    host: str
    port: int
    path: str


def read(url: str, loopback: bool = False, longest: int = LONGEST) -> Target:
    """Parse and check a URL. `loopback`: also allow this computer itself, without TLS. `longest`: limit of characters.

    Raises Unfit.
    """
    if len(url) > longest or not url.isascii() or not url.isprintable() or " " in url:
        raise Unfit("That is not the address of a webhook.")
    try:
        parts = urlsplit(url)
        host, port = split_address(parts.hostname or "")[0], parts.port
    except ValueError:
        raise Unfit("That is not the address of a webhook.") from None
    if parts.scheme not in ("https", "http") or not host or parts.fragment or port == 0:
        raise Unfit("That is not the address of a webhook; it begins with https://.")
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
    """Return the address to connect to, if all addresses are allowed. Raises Unfit.

    Without TLS only this computer itself is allowed.
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
    """Whether the address is a single computer on the internet, in every way to read the address."""
    single = getattr(number, "ipv4_mapped", None) or number
    if single.version == 6 and (single not in _GLOBAL_6 or (int(single) >> 32) & 0xFFFF_FFFF in _ISATAP):
        return False
    special = any(single in network for network in _SPECIAL if network.version == single.version)
    return single.is_global and not special


async def resolve(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a host by DNS, reachable ones first. Raises OSError.

    The system's own look-up blocks a thread that cannot be cancelled: a few names with dead servers would block all
    others.
    """
    if _number(host) is not None:
        return [host]
    if host.removesuffix(".") == "localhost":
        return ["127.0.0.1"]
    from dns import asyncresolver, exception  # Only servers with webhooks need this import.

    try:
        found = await asyncresolver.Resolver().resolve_name(host, lifetime=LOOK_UP, search=False)
    except (exception.DNSException, ValueError) as error:
        raise NoName(type(error).__name__) from None
    addresses = list(dict.fromkeys(itertools.islice(found.addresses(), _CHOICE)))
    return sorted(addresses, key=lambda address: not _has_way(address, port))


def _has_way(address: str, port: int) -> bool:
    """Whether the system has a route to an address; nothing is sent."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((address, port))
    except OSError:
        return False
    return True


def _into_ones_own() -> Unfit:
    return Unfit("A webhook leads to a server on the internet, not into a private network.")


def _is_local(host: str) -> bool:
    """Whether a name (in small letters) is clearly local, before any look-up."""
    rest, _, last = host.removesuffix(".").rpartition(".")
    return not rest or last in _LOCAL or _NUMERIC.fullmatch(last) is not None


def _number(host: str) -> IPv4Address | IPv6Address | None:
    """Parse an address; None if it is a name.

    Versions of Python classify IPv4-mapped IPv6 addresses differently, so these become IPv4.
    """
    try:
        number = ip_address(host)
    except ValueError:
        return None
    return getattr(number, "ipv4_mapped", None) or number
