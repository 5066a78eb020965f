"""Under which addresses this computer can be reached on its network."""

from __future__ import annotations

import contextlib
import socket
from typing import Final

import ifaddr

from protocol.links import reachable

_AWAY: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of nobody, of each version."""


def lan_addresses() -> list[str]:
    """All addresses to tell friends on the same network, the most likely first; never empty."""
    return reachable([*_leaving(), *own_addresses()]) or ["127.0.0.1"]


def own_addresses() -> list[str]:
    """All that the network cards have; none where the system does not tell."""
    with contextlib.suppress(OSError):
        found = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
        return [ip if isinstance(ip, str) else ip[0] for ip in found]
    return []


def _leaving() -> list[str]:
    """The addresses from which packets would leave for elsewhere."""
    found: list[str] = []
    for family, away in _AWAY:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((away, 9))  # Sends nothing: it only asks which way packets would leave.
            found.append(probe.getsockname()[0])
    return found
