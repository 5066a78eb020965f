"""Between a server and an engine: something that cuts, freezes and swallows, as networks do."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, TypeAlias

from msgspec import Struct, field

CHUNK: Final = 65536
Opened: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Serve: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Proxy(Struct):
    """Proxy in front of an engine. All of its faults can be switched.

    `mute`: answers are dropped, though all requests arrive. `deaf`: requests are dropped. `frozen`: nothing moves.
    `holds_asked`, `holds_answers`: one direction is held. `delay`: seconds for each piece. `jitter`: seconds by which
    the delays of pieces vary, which stay in order. `refusing`: new connections are refused. `keeps`: a connection that
    one side closed stays open on the other."""

    mute: bool = False
    deaf: bool = False
    frozen: bool = False
    holds_asked: bool = False
    holds_answers: bool = False
    delay: float = 0.0
    jitter: float = 0.0
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    refusing: bool = False
    keeps: bool = False
    ended: int = 0
    lines: list[asyncio.StreamWriter] = []
    swallowed: int = 0
    forgotten: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """End all connections at once."""
        for line in self.lines:
            line.transport.abort()
        self.lines.clear()

    def forget(self) -> None:
        """From now on nothing gets through on the present connections; new ones work."""
        self.forgotten.update(self.lines)

    def heal(self) -> None:
        """End all faults. Connections that lost data are closed, as they are useless."""
        if self.mute or self.deaf:
            self.cut()
        self.mute = self.deaf = self.frozen = self.holds_asked = self.holds_answers = self.refusing = False
        self.delay = self.jitter = 0.0

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool) -> None:
        """From one side to the other until either ends."""
        loop, due = asyncio.get_running_loop(), 0.0
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                await asyncio.sleep(max(self.delay, 0.0 if self.jitter else due - loop.time()))
                while self.frozen or (self.holds_answers if answers else self.holds_asked):
                    await asyncio.sleep(0.01)
                if (self.mute if answers else self.deaf) or writer in self.forgotten:
                    self.swallowed += len(data)
                    continue
                if self.jitter:
                    due = max(due + 0.001, loop.time() + self.rng.uniform(0.0, self.jitter))
                    loop.call_at(due, writer.write, data)
                    continue
                writer.write(data)
                await writer.drain()
        self.ended += 1
        while self.keeps:
            await asyncio.sleep(0.01)
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
        try:
            there, back = await connect()
        except OSError:
            return writer.close()
        proxy.lines = [*(line for line in proxy.lines if not line.is_closing()), writer, back]
        await asyncio.gather(proxy.carry(reader, back, False), proxy.carry(there, writer, True))
        return None

    server = await listen(serve)
    try:
        yield proxy
    finally:
        server.close()
        proxy.cut()
