"""Whose web pages may connect: this server's own, and those that the operator allows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from websockets.datastructures import Headers

_USUAL: Final = {"http": 80, "https": 443}
"""Ports that need not be said."""


def may_connect(headers: Headers, allowed: Collection[str], *, proxied: bool) -> bool:
    """Whether such a request may become a WebSocket. Browsers say whose page asks (Origin); programs do not, and come
    in. `proxied`: a proxy that we trust asks for somebody, and says under which name he did."""
    origins = headers.get_all("Origin")
    if not origins:
        return True
    if len(origins) != 1:
        return False
    hosts = [*headers.get_all("Host"), *(headers.get_all("X-Forwarded-Host") if proxied else ())]
    return origins[0] in allowed or any(_same(origins[0], host) for host in hosts)


def _same(origin: str, host: str) -> bool:
    """Whether a page of that origin was asked of that host."""
    scheme, _, where = origin.partition("://")
    usual = _USUAL.get(scheme.lower())
    return usual is not None and (own := _place(where, usual)) is not None and own == _place(host, usual)


def _place(text: str, usual: int) -> tuple[str, int] | None:
    """Name and port; None for what is neither."""
    try:
        parts = urlsplit(f"//{text.strip()}")
        port = parts.port
    except ValueError:
        return None
    plain = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    return (parts.hostname, port or usual) if plain and parts.hostname else None
