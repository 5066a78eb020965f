"""Public name of a server behind a router: its address for clients elsewhere, and whether the name leads here."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias
from urllib.parse import urlsplit

from protocol.links import joined
from server.router import reports

LookUp: TypeAlias = Callable[[str], Awaitable[set[str]]]
"""Returns the addresses of a name. Raises OSError."""


async def look_up(host: str) -> set[str]:
    """Return the addresses of a name. Raise OSError if there are none."""
    return {str(info[4][0]) for info in await asyncio.get_running_loop().getaddrinfo(host, None)}


def url_of(name: str, port: int, mapped: str) -> str:
    """Return a named WebSocket address with the router's port.

    name: that address with this server's own `port`. mapped: the router's address and port, "" if it opened none.
    """
    outside = urlsplit(mapped).port if mapped else None
    if outside is None or outside == port:
        return name
    return f"wss://{joined(urlsplit(name).hostname or '', outside)}"


async def trouble_of(name: str, mapped: str, find: LookUp = look_up) -> str:
    """Return why the name of a WebSocket address does not lead to the router's, with what to do; "" if it does."""
    host, here = urlsplit(name).hostname or "", urlsplit(mapped).hostname or ""
    try:
        found = await find(host)
    except (OSError, UnicodeError):  # The latter for an impossible name.
        return reports.name_unknown(host, here)
    return "" if here in found else reports.name_elsewhere(host, sorted(found)[0], here)
