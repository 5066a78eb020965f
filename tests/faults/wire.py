"""A connection of the server without a socket: what a `ClientConnection` needs of one, for worlds in memory."""

import asyncio
from collections.abc import Callable

from protocol.limits import Close
from server.connections.client_connection import ClientConnection
from server.delivery.outgoing import Outgoing
from tests.server.fakes import payloads


class Wire:
    """The server's end of a connection. `said` gets each message that the server says, `ended` the code at its end."""

    def __init__(self, address: str, said: Callable[[bytes], None], ended: Callable[[int], None]) -> None:
        self.address = address
        self.at_table = False
        self.latency = 0.0
        self.catch_up: Callable[[], None] = lambda: None
        self.take_now: Callable[[bytes], bool] = lambda _data: False
        self.unheard = 0
        self.is_open = True
        self._said = said
        self._ended = ended
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._gone = asyncio.Event()

    @property
    def outbox(self) -> "Wire":
        """Object that takes the client's messages."""
        return self

    def begin(self, conversation: Callable[["Wire"], ClientConnection]) -> None:
        """Let the server serve it."""
        self.task = asyncio.get_running_loop().create_task(conversation(self).run())

    def receive(self, data: bytes) -> None:
        """A message from the client has arrived."""
        if self.is_open and not (self.unheard == 0 and self.take_now(data)):
            self.unheard += 1
            self._inbox.put_nowait(data)

    def lose(self) -> None:
        """The server notices that the client is gone."""
        self._end(Close.INTERNAL)

    def send(self, message: Outgoing) -> None:
        """See GuardedConnection."""
        if self.is_open:
            for payload in payloads(message.frame):
                self._said(payload)

    def heard(self) -> None:
        """See GuardedConnection."""
        self.unheard -= 1

    async def close(self, code: int = 1000, _reason: str = "") -> None:
        """See ServerConnection."""
        self._end(code)

    async def wait_closed(self) -> None:
        """See ServerConnection."""
        await self._gone.wait()

    def __aiter__(self) -> "Wire":
        return self

    async def __anext__(self) -> bytes:
        data = await self._inbox.get() if self.is_open or not self._inbox.empty() else None
        if data is None:
            raise StopAsyncIteration
        return data

    def _end(self, code: int) -> None:
        if self.is_open:
            self.is_open = False
            self._gone.set()
            self._inbox.put_nowait(None)
            self._ended(code)
