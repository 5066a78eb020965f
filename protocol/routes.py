"""WebSocket addresses for the address that a player typed, encrypted ones first."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

PORT: Final = 8600
_SCHEMES: Final = ("ws://", "wss://")


def routes_of(address: str) -> tuple[str, ...]:
    """Return the WebSocket addresses to try, one after the other, for HOST, HOST:PORT or a whole ws:// or wss://
    address.

    A name is tried with TLS first, on its usual port if none was typed. ValueError says in a sentence what is wrong.
    """
    typed = address.strip()
    if typed.startswith(_SCHEMES):
        if not _host_of(typed):
            raise ValueError("That address names no server.")
        return (typed,)
    host, port = _parts(typed)
    plain = f"ws://[{host}]:{port or PORT}" if ":" in host else f"ws://{host}:{port or PORT}"
    if _is_near(host) or _number(host) is not None:
        return (plain,)
    return (f"wss://{host}:{port}" if port else f"wss://{host}", plain)


def is_bare(url: str) -> bool:
    """Whether others could read along: the connection is neither encrypted nor within the local network."""
    return not url.startswith("wss://") and not is_local_only(url)


def is_local_only(url: str) -> bool:
    """Whether only this computer and those in its network could reach that WebSocket address; also for ""."""
    host = _host_of(url)
    return not host or _is_near(host)


def _parts(typed: str) -> tuple[str, str]:
    """Return host and port; "" if no port was typed. Raises ValueError."""
    host, port = typed, ""
    if typed.startswith("[") and "]" in typed:
        host, _, rest = typed[1:].partition("]")
        port = rest.removeprefix(":")
    elif typed.count(":") == 1:
        host, port = typed.split(":")
    if not host or any(c.isspace() or c in "/@?#" for c in host):
        raise ValueError("Please give the address as HOST or HOST:PORT, for example 192.168.1.20:8600.")
    if port and not (port.isdecimal() and 0 < int(port) < 65536):
        raise ValueError(f"The port must be 1 to 65535, such as {PORT}, not {port!r}.")
    return host, port


def _host_of(url: str) -> str:
    """Return the host of a whole address, "" if it names none."""
    place = re.split(r"[/?#]", url.partition("://")[2], maxsplit=1)[0].rpartition("@")[2].lower()
    bracketed, closed, _ = place.removeprefix("[").partition("]")
    if place.startswith("["):
        return bracketed if closed else ""
    return place.partition(":")[0]


def _number(host: str) -> IPv4Address | IPv6Address | None:
    try:
        number = ip_address(host)
    except ValueError:
        return None
    return getattr(number, "ipv4_mapped", None) or number


def _is_near(host: str) -> bool:
    """Whether the host is this computer or one in the same network.

    Names without a dot are known in the local network only; but one that begins with a digit may be a number in
    disguise.
    """
    number = _number(host)
    if number is not None:
        return not number.is_global
    name = host.rstrip(".").lower()
    return name.endswith(".local") or ("." not in name and not name[:1].isdigit())
