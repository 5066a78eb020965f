"""Between a server and an engine: something that cuts, freezes and swallows, as networks do."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, TypeAlias

from msgspec import Struct

CHUNK: Final = 65536
Opened: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Serve: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Proxy(Struct):
    """A line to an engine. `mute`: answers are swallowed, though all that is asked arrives; `frozen`: nothing moves;
    `refusing`: nobody gets through anew."""

    mute: bool = False
    frozen: bool = False
    refusing: bool = False
    lines: list[asyncio.StreamWriter] = []
    swallowed: int = 0

    def cut(self) -> None:
        """End all connections at once."""
        for line in self.lines:
            line.transport.abort()
        self.lines.clear()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool) -> None:
        """From one side to the other until either ends."""
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                while self.frozen:
                    await asyncio.sleep(0.01)
                if answers and self.mute:
                    self.swallowed += len(data)
                    continue
                writer.write(data)
                await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def proxied(
    listen: Callable[
        [Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]], Awaitable[asyncio.Server]
    ],
    connect: Callable[[], Awaitable[Opened]],
) -> AsyncIterator[Proxy]:
    """Listen somewhere, and carry everything to what `connect` reaches."""
    proxy = Proxy()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if proxy.refusing:
            return writer.close()
        there, back = await connect()
        proxy.lines += [writer, back]
        await asyncio.gather(proxy.carry(reader, back, False), proxy.carry(there, writer, True))
        return None

    server = await listen(serve)
    try:
        yield proxy
    finally:
        server.close()
        proxy.cut()
