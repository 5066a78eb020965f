"""HTTP request to a webhook: it goes to the address that was checked, and follows no redirects."""

import asyncio
import contextlib
import re
import ssl
from contextlib import AbstractAsyncContextManager
from typing import Final

from server.webhooks.address_check import LOOK_UP, NoName, Resolve, Target, Unfit, check
from server.webhooks.payloads import Body

PATIENCE: Final = 5.0
"""Seconds for one request, from the connection to the answer."""
NAMING: Final = LOOK_UP + 1.0
"""Seconds for the look-up of its name, by whatever resolver."""
_HEAD: Final = 1024
"""Bytes of an answer that are read: its first line."""
_FIRST: Final = re.compile(rb"HTTP/1\.[01] (\d{3})[ \r\n]")
_ANYWHERE: Final = contextlib.nullcontext()
_AGAIN: Final = (408, 425, 429)
"""Status codes that allow another try: timeout, too early, too many requests."""


class WebhookFailed(Exception):
    """The note did not arrive; the text gives the reason in a word, without the address.

    `final`: another try will fail too. `status`: the status code of the answer, 0 without an answer.
    """

    def __init__(self, why: str, final: bool = False, status: int = 0) -> None:
        super().__init__(why)
        self.final = final
        self.status = status


async def post(
    target: Target,
    body: Body,
    resolve: Resolve,
    context: ssl.SSLContext,
    loopback: bool = False,
    place: AbstractAsyncContextManager[object] = _ANYWHERE,
) -> None:
    """Send a note once. Raises Failed.

    place: a context that is entered for the request, but not for the look-up before it.
    """
    try:
        async with asyncio.timeout(NAMING):
            address = check(await resolve(target.host, target.port), target, loopback)
    except Unfit:
        raise WebhookFailed("unfit", final=True) from None
    except TimeoutError:
        raise WebhookFailed("name-timeout") from None
    except OSError as error:
        raise WebhookFailed(str(error) if isinstance(error, NoName) else type(error).__name__) from None
    try:
        async with place, asyncio.timeout(PATIENCE):
            status = await _talk(target, address, body, context)
    except TimeoutError:
        raise WebhookFailed("timeout") from None
    except ssl.SSLError:
        raise WebhookFailed("tls") from None
    except OSError as error:
        raise WebhookFailed(type(error).__name__) from None
    if not 200 <= status < 300:
        raise WebhookFailed(f"status {status}", 300 <= status < 500 and status not in _AGAIN, status)


async def _talk(target: Target, address: str, body: Body, context: ssl.SSLContext) -> int:
    """Return the status code of the answer. Raises OSError."""
    reader, writer = await asyncio.open_connection(
        address,
        target.port,
        ssl=context if target.secure else None,
        # The connection goes to the address that was checked, but the certificate must be that of the name.
        server_hostname=target.host if target.secure else None,
        limit=_HEAD,
    )
    try:
        writer.write(_request(target, body))
        await writer.drain()
        first = await reader.readline()
    except ValueError:
        first = b""  # The first line is longer than the limit.
    finally:
        # Closing in order would wait for the other side.
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
    found = _FIRST.match(first)
    if found is None:
        raise ConnectionError
    return int(found[1])


def _request(target: Target, body: Body) -> bytes:
    host = f"[{target.host}]" if ":" in target.host else target.host
    usual = 443 if target.secure else 80
    lines = {
        "Host": host if target.port == usual else f"{host}:{target.port}",
        "User-Agent": "conquest-server",
        "Content-Length": str(len(body.data)),
        "Connection": "close",
        **body.headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"POST {target.path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body.data
