"""Origin check: this server's own web pages may connect, and those that the operator allows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from websockets.datastructures import Headers

_USUAL: Final = {"http": 80, "https": 443}
"""Default ports."""


def may_connect(headers: Headers, allowed: Collection[str], *, proxied: bool) -> bool:
    """Whether such a request may become a WebSocket.

    Browsers send the page's origin (Origin); other programs send none and are allowed. `proxied`: the request comes
    from a trusted proxy, which names the requested host in `X-Forwarded-Host`.
    """
    origins = headers.get_all("Origin")
    if not origins:
        return True
    if len(origins) != 1:
        return False
    hosts = [*headers.get_all("Host"), *(headers.get_all("X-Forwarded-Host") if proxied else ())]
    return origins[0] in allowed or any(_same(origins[0], host) for host in hosts)


def _same(origin: str, host: str) -> bool:
    """Whether a page of that origin was served by that host."""
    scheme, _, where = origin.partition("://")
    usual = _USUAL.get(scheme.lower())
    return usual is not None and (own := _place(where, usual)) is not None and own == _place(host, usual)


def _place(text: str, usual: int) -> tuple[str, int] | None:
    """Return name and port; None if the text is not a host."""
    try:
        parts = urlsplit(f"//{text.strip()}")
        port = parts.port
    except ValueError:
        return None
    plain = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    return (parts.hostname, port or usual) if plain and parts.hostname else None
