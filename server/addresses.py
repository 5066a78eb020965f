"""Who a connection comes from, as limits count it."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network

UNKNOWN: Final = "?"
A_SITE: Final = 4
"""How many times as much as an address a /48 of IPv6 may take: several households may share one, 65,536 may not."""
_VIA: Final = "via "
"""Stands before an address of this machine that a forwarded request names, so that no limit is waived for it."""
_HOUSEHOLDS: Final = 64
_SITES: Final = 48
"""Lengths of IPv6 prefixes: what one household gets, and the most that one customer gets."""


@lru_cache(4096)
def counted(address: str) -> str:
    """An address as limits count it: IPv4 whole, IPv6 by its /64; UNKNOWN for what is none."""
    try:
        parsed = ip_address(address.strip().strip("[]").partition("%")[0])
    except ValueError:
        return UNKNOWN
    mapped = getattr(parsed, "ipv4_mapped", None)
    if mapped is not None:
        return str(mapped)
    if parsed.version == 6 and not parsed.is_loopback:
        return str(ip_network((parsed, _HOUSEHOLDS), strict=False))
    return str(parsed)


def site_of(address: str) -> str:
    """The /48 in which an address as of `counted` lies, "" where it is not IPv6. One customer may have so much."""
    return _site_of(address) if address.endswith(f"/{_HOUSEHOLDS}") else ""


@lru_cache(4096)
def _site_of(address: str) -> str:
    return str(IPv6Network(address).supernet(new_prefix=_SITES))


def crowds(address: str, others: Iterable[str], most: int) -> bool:
    """Whether so many others have that address, or `A_SITE` times as many lie in its /48."""
    site, same, near = site_of(address), 0, 0
    for other in others:
        same += other == address
        near += bool(site) and site_of(other) == site
    return same >= most or near >= A_SITE * most


def forwarded(address: str) -> str:
    """The same address where somebody else only names it: this machine's own is then a stranger's, too."""
    return f"{_VIA}{address}" if is_local(address) else address


def is_local(address: str) -> bool:
    """Whether it is this machine's own."""
    return address == "::1" or address.startswith("127.")


def is_among(address: str, networks: Iterable[Network]) -> bool:
    """Whether an address lies in one of the networks."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return any(parsed in network for network in networks if network.version == parsed.version)


def behind(peer: str, forwarded: Sequence[str], trusted: Iterable[Network]) -> str:
    """Whose connection it is: the peer's, or, where that is a proxy of ours, that of the last stranger on the way.

    `forwarded`: the values of all X-Forwarded-For lines. Whatever stands left of the last stranger he may have written
    himself.
    """
    networks = tuple(trusted)
    if not is_among(peer, networks):
        return peer
    hops = [hop.strip() for line in forwarded for hop in line.split(",")]
    for hop in reversed(hops):
        address = _without_port(hop)
        if not is_among(address, networks):
            return address if counted(address) != UNKNOWN else peer
        peer = address
    return peer


def _without_port(hop: str) -> str:
    """Some proxies write 192.0.2.1:5678 or [2001:db8::1]:5678."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
