"""Under which addresses this computer can be reached on its network."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Sequence
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface
from typing import Final, TypeAlias

import ifaddr

from protocol.links import reachable

Card: TypeAlias = IPv4Interface | IPv6Interface
"""An address of ours with the network in which it is."""
_AWAY: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of nobody, of each version."""


def lan_addresses() -> list[str]:
    """All addresses to tell friends on the same network, the most likely first; never empty."""
    return reachable([*_leaving(), *own_addresses()]) or ["127.0.0.1"]


def own_addresses() -> list[str]:
    """All that the network cards have; none where the system does not tell."""
    return [str(card.ip) for card in own_cards()]


def own_cards() -> list[Card]:
    """Our addresses with their networks; none where the system does not tell."""
    with contextlib.suppress(OSError):
        found = [ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
        return [ip_interface(f"{ip.ip if isinstance(ip.ip, str) else ip.ip[0]}/{ip.network_prefix}") for ip in found]
    return []


def nearest(addresses: Sequence[str], cards: Sequence[Card]) -> list[str]:
    """The addresses of another computer, those first that lie in a network of ours; and behind them those that are ours
    as well: bridges and tunnels that never leave a computer are called the same on many."""

    def rank(address: str) -> int:
        number = ip_address(address)
        if any(number == card.ip for card in cards):
            return 1
        return 0 if any(number in card.network for card in cards if card.version == number.version) else 2

    return sorted(addresses, key=rank)


def _leaving() -> list[str]:
    """The addresses from which packets would leave for elsewhere."""
    found: list[str] = []
    for family, away in _AWAY:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((away, 9))  # Sends nothing: it only asks which way packets would leave.
            found.append(probe.getsockname()[0])
    return found
