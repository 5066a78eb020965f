"""Origin of a connection, as limits count it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network

UNKNOWN: Final = "?"
A_SITE: Final = 4
"""Limit of an IPv6 /48 as a multiple of one address's. Several households may share a /48, but not 65,536."""
_VIA: Final = "via "
"""Prefix of an address of this machine that a forwarded request names, so that no limit is waived for it."""
_HOUSEHOLDS: Final = 64
_SITES: Final = 48
"""Lengths of IPv6 prefixes: of one household's network, and of the largest network of one customer."""


@lru_cache(4096)
def counted(address: str) -> str:
    """Return an address as limits count it: IPv4 whole, IPv6 by its /64; UNKNOWN for an invalid one."""
    try:
        parsed = ip_address(address.strip().strip("[]").partition("%")[0])
    except ValueError:
        return UNKNOWN
    # A socket for both versions names IPv4 peers ::ffff:192.0.2.1; they must not count twice.
    mapped = getattr(parsed, "ipv4_mapped", None)
    if mapped is not None:
        return str(mapped)
    if parsed.version == 6 and not parsed.is_loopback:
        return str(ip_network((parsed, _HOUSEHOLDS), strict=False))
    return str(parsed)


def site_of(address: str) -> str:
    """Return the /48 of an address as of `counted`, "" if it is not IPv6. One customer may have a whole /48."""
    return _site_of(address) if address.endswith(f"/{_HOUSEHOLDS}") else ""


def network_of(address: str) -> str:
    """Return the network of one customer at an address as of `counted`: IPv6 by its /48, IPv4 the whole address."""
    return site_of(address) or address


@lru_cache(4096)
def _site_of(address: str) -> str:
    return str(IPv6Network(address).supernet(new_prefix=_SITES))


def crowds(address: str, others: Iterable[str], most: int) -> bool:
    """Whether at least `most` others have that address, or `A_SITE` times as many its /48."""
    counts = AddressCounts()
    for other in others:
        counts.add(other)
    return counts.are_crowded(address, most)


class AddressCounts:
    """Numbers of people by address and by /48, for limits on a crowd that comes and goes."""

    def __init__(self) -> None:
        self._addresses: Counter[str] = Counter()
        self._sites: Counter[str] = Counter()

    def add(self, address: str, number: int = 1) -> None:
        """Count a person of that address; with -1, count them no longer."""
        for counts, key in ((self._addresses, address), (self._sites, site_of(address))):
            counts[key] += number
            if not counts[key]:
                del counts[key]  # A long match would otherwise remember everybody who ever came.

    def are_crowded(self, address: str, most: int) -> bool:
        """Whether at least `most` people have that address, or `A_SITE` times as many its /48."""
        site = site_of(address)
        return self._addresses[address] >= most or bool(site and self._sites[site] >= A_SITE * most)


def forwarded(address: str) -> str:
    """Return an address that a proxy only names. An address of this machine gets a prefix, so it has no privileges."""
    return f"{_VIA}{address}" if is_local(address) else address


def is_local(address: str) -> bool:
    """Whether the address is this machine's own."""
    return address == "::1" or address.startswith("127.")


def is_private(address: str) -> bool:
    """Whether the address is one of a local network, or this machine's own."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return not (getattr(parsed, "ipv4_mapped", None) or parsed).is_global


def is_among(address: str, networks: Iterable[Network]) -> bool:
    """Whether an address lies in one of the networks."""
    return _is_among(address, tuple(networks))


@lru_cache(1024)
def _is_among(address: str, networks: tuple[Network, ...]) -> bool:
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return any(parsed in network for network in networks if network.version == parsed.version)


def behind(peer: str, forwarded: Sequence[str], trusted: Iterable[Network]) -> str:
    """Return the address of a connection: the peer's or, behind trusted proxies, the last untrusted one on the way.

    `forwarded`: the values of all X-Forwarded-For lines. The sender may have forged everything left of the last
    untrusted address.
    """
    networks = tuple(trusted)
    if not is_among(peer, networks):
        return peer
    hops = [hop.strip() for line in forwarded for hop in line.split(",")]
    for hop in reversed(hops):
        address = _without_port(hop)
        if not is_among(address, networks):
            # Rubbish was written before the last trusted proxy: that proxy is the last sure address.
            return address if counted(address) != UNKNOWN else peer
        peer = address
    return peer


def _without_port(hop: str) -> str:
    """Return an address without its port, since some proxies write 192.0.2.1:5678 or [2001:db8::1]:5678."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
