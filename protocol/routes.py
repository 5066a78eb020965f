"""WebSocket addresses for the address that a player typed, encrypted ones first."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

PORT: Final = 8600
_SCHEMES: Final = ("ws", "wss")
_LABEL: Final = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?")
"""Part of a name between two dots (RFC 1123), with the underscores that home networks have."""
_LONGEST: Final = 253
"""Characters of a name (RFC 1035, section 2.3.4, as text)."""
_FORM: Final = "Please give the address as HOST or HOST:PORT, for example 192.168.1.20:8600."


def routes_of(address: str) -> tuple[str, ...]:
    """Return the WebSocket addresses to try, one after the other, for HOST, HOST:PORT or a whole ws:// or wss://
    address.

    A name is tried with TLS first, on its usual port if none was typed. ValueError says in a sentence what is wrong.
    """
    typed = address.strip()
    scheme, whole, rest = typed.partition("://")
    if whole:
        return (_whole(scheme, rest),)
    host, port = split_address(typed)
    plain = f"ws://{in_brackets(host)}:{port or PORT}"
    if _is_near(host) or _number(host) is not None:
        return (plain,)
    return (f"wss://{host}:{port}" if port else f"wss://{host}", plain)


def split_address(typed: str) -> tuple[str, int]:
    """Return the host, without brackets, and the port of HOST or HOST:PORT; 0 if no port was typed.

    A name with other than Latin letters is returned as networks know it (IDNA). ValueError says in a sentence what is
    wrong.
    """
    host, port = typed.strip(), ""
    if host.startswith("["):
        host, closed, rest = host[1:].partition("]")
        # `_number` takes an address that maps IPv4 for that: as it is written, it is one of IPv6 all the same.
        if not closed or _number(host) is None or ":" not in host or (rest and not rest.startswith(":")):
            raise ValueError(f"Please write an IPv6 address in brackets, such as [fd00::2]:8600, not {typed!r}.")
        port = rest[1:]
    elif host.count(":") == 1:
        host, port = host.split(":")
    if not host or any(c.isspace() or not c.isprintable() or c in "/@?#\\" for c in host):
        raise ValueError(_FORM)
    return _known_form(host), port_of(port) if port else 0


def port_of(typed: str) -> int:
    """Return the number of a port. ValueError says in a sentence what is wrong."""
    if typed.isdecimal() and 0 < int(typed[:9]) < 65536:
        return int(typed)
    raise ValueError(f"The port must be 1 to 65535, such as {PORT}, not {typed!r}.")


def is_bare(url: str) -> bool:
    """Whether others could read along: the connection is neither encrypted nor within the local network."""
    return not url.startswith("wss://") and not is_local_only(url)


def is_local_only(url: str) -> bool:
    """Whether only this computer and those in its network could reach that WebSocket address; also for ""."""
    host = _host_of(url)
    return not host or _is_near(host)


def _whole(scheme: str, rest: str) -> str:
    """Return a whole WebSocket address with a checked host and port. Raises ValueError."""
    if scheme.lower() not in _SCHEMES:
        raise ValueError(f"An address begins with ws:// or wss:// or the name of the server, not {scheme + '://'!r}.")
    place = re.split(r"[/?#]", rest, maxsplit=1)[0]
    user, at, where = place.rpartition("@")
    if not where:
        raise ValueError("That address names no server.")
    if any(c.isspace() or not c.isprintable() for c in rest):
        raise ValueError(_FORM)
    host, port = split_address(where)
    port_part = f":{port}" if port else ""
    return f"{scheme.lower()}://{user}{at}{in_brackets(host)}{port_part}{rest[len(place) :]}"


def in_brackets(host: str) -> str:
    """Return a host as it stands in a URL: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def _known_form(host: str) -> str:
    """Return a host as networks know it. Raises ValueError if there can be no such host.

    Looking up an impossible name raises UnicodeError, which callers would not expect of a network.
    """
    try:
        name = host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        name = ""
    is_name = ":" not in name and not re.fullmatch(r"[\d.]*\.[\d.]*", name)  # Digits and dots are an IPv4 address.
    labels = name.removesuffix(".").split(".")
    possible = is_name and len(name) <= _LONGEST and all(len(x) < 64 and _LABEL.fullmatch(x) for x in labels)
    if not possible and _number(name) is None:
        raise ValueError(f"{host[:60]!r} cannot be the name of a server; look for a typing error in it.")
    return name


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
