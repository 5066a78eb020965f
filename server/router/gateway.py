"""Addresses of the routers by which this computer reaches the internet, and its own addresses on the way there.

Our own code: the libraries that list routes (netifaces, psutil, pyroute2) rest, lack gateways, or know Linux only.
"""

import contextlib
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Final

_FAR: Final = {4: (socket.AF_INET, "192.0.2.1"), 6: (socket.AF_INET6, "2001:db8::1")}
"""Documentation addresses of each IP version (RFC 5737, RFC 3849); no host has them."""
_ROUTES: Final = Path("/proc/net/route")
_ROUTES_6: Final = Path("/proc/net/ipv6_route")
_USED: Final = 0x2
"""Flag of a route that leads over a gateway."""
_DEFAULT: Final = re.compile(
    r"^\s*(?:\d+\s+\d+\s+)?(?:default|0\.0\.0\.0\s+0\.0\.0\.0|0\.0\.0\.0|::/0)\s+(\S+)", re.MULTILINE
)
"""Line of `netstat -rn` for the default route, on macOS, BSD and Windows."""


def gateways() -> list[str]:
    """Return the IPv4 routers of the default routes; empty if there are none."""
    with contextlib.suppress(OSError):
        if sys.platform.startswith("linux"):
            return list(dict.fromkeys(in_linux(_ROUTES.read_text())))
        return [found for found in in_netstat(_netstat_output()) if ip_address(found).version == 4]
    return []


def gateways6() -> list[str]:
    """Return the IPv6 routers of the default routes, with their zones; empty if there are none."""
    with contextlib.suppress(OSError):
        if sys.platform.startswith("linux"):
            return list(dict.fromkeys(in_linux6(_ROUTES_6.read_text())))
        return [found for found in in_netstat(_netstat_output()) if ip_address(found).version == 6]
    return []


def own_address(version: int, target: str = "") -> IPv4Address | IPv6Address | None:
    """Return our address on the way to `target`, else to the internet, by that IP version; None if there is no way."""
    family, far = _FAR[version]
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((target or far, 9))  # Connecting a UDP socket sends nothing: it only selects the route.
        return ip_address(probe.getsockname()[0].partition("%")[0])
    return None


def in_linux(routes: str) -> Iterator[str]:
    """Yield the gateways of the default routes in /proc/net/route."""
    for line in routes.splitlines()[1:]:
        words = line.split()
        if len(words) > 7 and words[1] == words[7] == "00000000" and int(words[3], 16) & _USED:
            yield str(IPv4Address(int.from_bytes(bytes.fromhex(words[2]), sys.byteorder)))


def in_linux6(routes: str) -> Iterator[str]:
    """Yield the gateways of the default routes in /proc/net/ipv6_route, with the names of their network cards."""
    for line in routes.splitlines():
        words = line.split()
        if len(words) > 9 and int(words[0], 16) == 0 and words[1] == "00" and int(words[8], 16) & _USED:
            gateway = IPv6Address(bytes.fromhex(words[4]))
            yield f"{gateway}%{words[9]}" if gateway.is_link_local else str(gateway)


def in_netstat(routes: str) -> Iterator[str]:
    """Yield the gateways of the default routes in the output of `netstat -rn`."""
    for found in _DEFAULT.findall(routes):
        with contextlib.suppress(ValueError):
            ip_address(found)
            yield found


def _netstat_output() -> str:
    with contextlib.suppress(subprocess.SubprocessError):
        return subprocess.run(["netstat", "-rn"], capture_output=True, text=True, timeout=5, check=False).stdout
    return ""
