"""Answers to HTTP requests, before a connection becomes a WebSocket."""

import functools
import http
import io
import re
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from protocol.links import sight_of
from server import log
from server.web.hosts import answers_to
from server.web.site import File, file_of, of_other_version, refusal, site
from server.web.stop_page import StopPage
from server.webhooks.notifier import STOP

_UNKNOWN_HOST: Final = "This server does not answer to that name. Its operator can allow it with --allow-host NAME."
_READING: Final = ("GET", "HEAD")


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


_PATH: Final = re.compile(r"/qr/(https?)/((?:[\w.~-]{1,60}/){0,3})([A-Za-z0-9]{1,26})", re.ASCII)
"""Scheme, the path that a proxy adds, and code or id of the table."""
_KEPT: Final = 256
"""Pictures that are kept."""


def picture_asked(path: str, host: str) -> File | None:
    """Return the picture of the link to a table at this host; None: the path asks for none."""
    found = _PATH.fullmatch(path)
    return None if found is None or not host else _picture(*found.groups(), host)


@functools.lru_cache(_KEPT)
def _picture(scheme: str, below: str, code: str, host: str) -> File:
    import segno  # Imported only for an invitation: the import would slow down every start.

    out = io.BytesIO()
    segno.make(f"{scheme}://{host}/{below}watch#{code}", error="m", micro=False).save(
        out, kind="svg", border=2, dark="#382416", light="#fff8e6", xmldecl=False
    )
    return file_of("qr.svg", out.getvalue())


class HttpResponses:
    """HTTP handler that serves the page and lets WebSockets through.

    `origins`: foreign web pages that may connect. `health`: returns the answer about the server's health. `hosts`: as
    of `hosts.names`. `stop`: the page that stops mails. `more`: returns further files by their path. `pages`: of the
    operator.
    """

    def __init__(
        self,
        origins: Collection[str],
        health: Callable[[], Response],
        hosts: Collection[str],
        stop: StopPage | None = None,
        more: Callable[[str, Headers], File | None] | None = None,
        pages: Mapping[str, File] = MappingProxyType({}),
    ) -> None:
        self._more = more
        self._stop = stop
        self._hosts = frozenset(hosts)
        self._origins = frozenset(origins)
        self._health = health
        self._files: Mapping[str, File] = {**site(), **pages}

    def answer(self, request: Request, *, proxied: bool, posted: bytes | None = None) -> Response | None:
        """Return the answer; None: the request may become a WebSocket. `posted`: body of a POST, None for others."""
        if not answers_to(request.headers, self._hosts, proxied=proxied):
            log.seldom(
                "unknown-host", host=", ".join(request.headers.get_all("Host"))[:100], advice="--allow-host NAME"
            )
            return refusal(http.HTTPStatus.FORBIDDEN, _UNKNOWN_HOST)
        if posted is None and _asks_for_socket(request.headers):
            if may_connect(request.headers, self._origins, proxied=proxied):
                return None
            return refusal(http.HTTPStatus.FORBIDDEN, "This page may not connect to this server.")
        return self._show(request, _host(request.headers, proxied=proxied), posted)

    def _show(self, request: Request, host: str, posted: bytes | None) -> Response:
        """Return a file of the page."""
        # Older libraries accept only GET and do not tell it.
        method = "POST" if posted is not None else getattr(request, "method", "GET")
        path, _, query = request.path.partition("?")
        if self._stop is not None and path == STOP and method in (*_READING, "POST"):
            return self._stop.answer(query, posted).answer(request.headers, head=method == "HEAD")
        file = self._files.get(path) or of_other_version(path) or picture_asked(path, host)
        if file is None and self._more is not None:
            file = self._more(path, request.headers)
        if file is None and path != "/healthz":
            return refusal(http.HTTPStatus.NOT_FOUND, "There is no such page here.")
        if method not in _READING:
            return refusal(http.HTTPStatus.METHOD_NOT_ALLOWED, "Nothing can be sent here.", Allow=", ".join(_READING))
        return self._health() if file is None else file.answer(request.headers, head=method == "HEAD")


def encrypted(request: Request, public: str) -> Response:
    """Send an unencrypted request from elsewhere to the encrypted address of this server.

    public: its WebSocket address, "" if it has none.
    """
    if not public:
        return refusal(http.HTTPStatus.FORBIDDEN, "This server speaks TLS only; ask its host for the link.")
    # Programs follow a redirection by themselves, but to an address of a WebSocket only.
    where = public if _asks_for_socket(request.headers) else sight_of(public) + request.path.lstrip("/")
    text = f"This server speaks TLS: open {where}"
    return refusal(http.HTTPStatus.PERMANENT_REDIRECT, text, Location=where)


def _host(headers: Headers, *, proxied: bool) -> str:
    """Return the host and port that the browser asked, "" if that is not one."""
    hosts = (headers.get_all("X-Forwarded-Host") if proxied else []) or headers.get_all("Host")
    return hosts[0] if len(hosts) == 1 and "," not in hosts[0] else ""


def _asks_for_socket(headers: Headers) -> bool:
    return any(word.strip().lower() == "websocket" for line in headers.get_all("Upgrade") for word in line.split(","))
