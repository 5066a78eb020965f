"""Host names that this server answers to.

A hostile page can point its own name at this server's address (DNS rebinding); for a browser the server then is of the
page's origin. It cannot choose the `Host` header of the browser: that contains the hostile name.
"""

import platform
from collections.abc import Collection, Iterable
from functools import lru_cache
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from websockets.datastructures import Headers

LOCALHOST: Final = "localhost"


def names(hosts: Iterable[str]) -> frozenset[str]:
    """Return all names to answer to: the operator's, as HOST, HOST:PORT or URL, and this machine's own."""
    own = platform.node().lower()
    short = own.partition(".")[0]
    machine = (own, short, f"{short}.local") if short else ()
    return frozenset({LOCALHOST, *machine, *filter(None, map(host_in, hosts))})


@lru_cache(256)
def host_in(text: str) -> str:
    """Return the host of HOST, HOST:PORT or a URL, in small letters and without a last dot; "" if there is none."""
    try:
        parts = urlsplit(text if "://" in text else f"//{text.strip()}")
        host = parts.hostname or ""
    except ValueError:
        return ""
    return "" if "@" in parts.netloc else host.removesuffix(".")


def answers_to(headers: Headers, names: Collection[str], *, proxied: bool) -> bool:
    """Whether a request names this server by an address or a known name.

    All values of `Host` must, and from a trusted proxy also those of `X-Forwarded-Host`. Browsers always send `Host`,
    so a request without it is allowed.
    """
    values = [*headers.get_all("Host"), *(headers.get_all("X-Forwarded-Host") if proxied else ())]
    return all(is_known(each, names) for line in values for each in line.split(","))


def is_known(value: str, names: Collection[str]) -> bool:
    """Whether the value of a `Host` header is an address or one of the names, with any port."""
    host = host_in(value) if not any(mark in value for mark in "/?#") else ""
    return bool(host) and (host in names or _is_address(host))


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
