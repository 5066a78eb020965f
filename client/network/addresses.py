"""Addresses under which this computer can be reached on its network."""

import contextlib
import socket
from collections.abc import Sequence
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface
from typing import Final, TypeAlias

import ifaddr

from protocol.links import reachable

Card: TypeAlias = IPv4Interface | IPv6Interface
"""Address of this computer with its network."""
_AWAY: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Documentation addresses of each IP version (RFC 5737, RFC 3849); no host has them."""


def lan_addresses() -> list[str]:
    """Return all addresses to give friends on the same network, the likeliest first; never empty."""
    return reachable([*_leaving(), *own_addresses()]) or ["127.0.0.1"]


def own_addresses() -> list[str]:
    """Return the addresses of all network cards; empty if the system does not list them."""
    return [str(card.ip) for card in own_cards()]


def own_cards() -> list[Card]:
    """Return our addresses with their networks; empty if the system does not list them."""
    with contextlib.suppress(OSError):
        found = [ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
        return [ip_interface(f"{ip.ip if isinstance(ip.ip, str) else ip.ip[0]}/{ip.network_prefix}") for ip in found]
    return []


def nearest(addresses: Sequence[str], cards: Sequence[Card]) -> list[str]:
    """Return the addresses of another computer, those in a network of ours first.

    Addresses that this computer has as well come last: bridges and tunnels have the same addresses on many computers.
    """

    def rank(address: str) -> int:
        number = ip_address(address)
        if any(number == card.ip for card in cards):
            return 1
        return 0 if any(number in card.network for card in cards if card.version == number.version) else 2

    return sorted(addresses, key=rank)


def _leaving() -> list[str]:
    """Return the addresses from which packets would leave this network."""
    found: list[str] = []
    for family, away in _AWAY:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((away, 9))  # Connecting a UDP socket sends nothing: it only selects the route.
            found.append(probe.getsockname()[0])
    return found
