"""The wire as it was released: for each version, how many fields the messages had that a server and a client knew."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from protocol.limits import Close

HEARD: Final[dict[int, int]] = {
    0: 3, 1: 5, 2: 14, 3: 4, 4: 4, 5: 4, 6: 3, 7: 1, 8: 1, 9: 3, 10: 2, 11: 1, 12: 2, 13: 3, 14: 2, 15: 2, 16: 2, 17: 2,
    18: 2, 19: 2, 20: 3, 21: 2, 22: 8, 23: 4, 24: 3, 25: 1, 26: 3, 27: 2, 30: 1,
}  # fmt: skip
"""By tag, the fields of what a server of the first version understood; with more of them it refused a message."""
SAID: Final[dict[int, int]] = {
    0: 5, 1: 4, 2: 1, 3: 2, 4: 3, 5: 2, 6: 20, 7: 5, 8: 4, 9: 6, 10: 4, 11: 3, 12: 2, 13: 3, 14: 3, 15: 5, 16: 6, 17: 9,
    18: 5, 19: 6, 20: 3, 21: 3, 22: 3, 23: 2, 24: 3,
}  # fmt: skip
"""By tag, the fields of what it said."""


def as_it_was(data: bytes) -> list[Any]:
    """Return what a client of the first version decodes of a message; [] if it ignores it."""
    tag, *fields = msgpack.unpackb(data)
    return [tag, *fields[: SAID[tag]]] if tag in SAID else []


def is_understood(data: bytes) -> bool:
    """Whether a server of the first version reads that."""
    tag, *fields = msgpack.unpackb(data)
    return len(fields) <= HEARD.get(tag, -1)


async def _tell(server: ClientConnection, client: ServerConnection) -> None:
    async for data in server:
        told = as_it_was(data)  # type: ignore[arg-type]
        if told:
            await client.send(msgpack.packb(told))


@asynccontextmanager
async def first_server(url: str) -> AsyncIterator[str]:
    """The server at `url` as one of the first version; where it is."""

    async def meet(client: ServerConnection) -> None:
        async with connect(url, compression=None, proxy=None) as server:
            telling = asyncio.create_task(_tell(server, client))
            try:
                async for data in client:
                    if not is_understood(data):  # type: ignore[arg-type]
                        await client.send(msgpack.packb([1, 0, "bad-message", "", "Object has unknown fields"]))
                        await client.close(Close.BAD_MESSAGE)
                    await server.send(data)
            except ConnectionClosed:
                pass
            finally:
                telling.cancel()

    async with serve(meet, "127.0.0.1", 0, compression=None) as relay:
        port = next(iter(relay.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}"
