"""Client under test, over all of its connections: its messages, and the faults in each of them alone."""

import asyncio
import contextlib
import time
from typing import Any, Final

from msgspec import Struct
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from protocol import codec
from protocol.limits import MAX_STRIKES, Close, Rates
from protocol.refusal_text import refused
from protocol.session import TokenBucket
from shared.messages import ClientMessage, Frame, ServerMessage, TableState
from shared.refusal import Refusal

UNKNOWN: Final = ("augury", [1, [2, b"\x00"]], {"omen": True})
"""Fields unknown to all versions of the protocol; they are appended to every message to the client."""
FUTURE: Final = (120, 7, "eclipse", [[1, "sol"], None, {"at": 3}])
"""Message of an unknown kind."""
BUNCHED: Final = 30
"""Messages that may be delayed on the way, and so arrive faster than they were sent."""
SPARE: Final = 20
"""Messages that a client may need for its next decision."""
_FRAME: Final = int(str(Frame.__struct_config__.tag))
_BACK: Final = 1 + Frame.__struct_fields__.index("back")
"""Place of `back` in a frame."""


class Fault(Struct, frozen=True):
    """Fault of the client: its path, name, and a sentence."""

    path: str
    fault: str
    text: str


class Silent(Exception):
    """The client sends nothing for too long."""


class Gone(Exception):
    """The client has closed the connection with `code`."""

    def __init__(self, code: int) -> None:
        super().__init__(str(code))
        self.code = code


class Stuck(Exception):
    """The test cannot go on."""


class Wire:
    """A connection; received messages are queued until they are read."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self._heard: asyncio.Queue[bytes | str | None] = asyncio.Queue()
        self._messages = TokenBucket(Rates().messages, Rates().burst + BUNCHED, time.monotonic)
        self.too_fast = False
        """Whether more messages came than the limits allow."""

    async def run(self) -> None:
        """Receive until the connection ends."""
        with contextlib.suppress(ConnectionClosed):  # The close code is kept in the socket.
            async for data in self.socket:
                self.too_fast |= not self._messages.take()
                self._heard.put_nowait(data)
        self._heard.put_nowait(None)

    async def next(self, patience: float) -> bytes | str:
        """Return the next message. Raises Silent and Gone."""
        try:
            async with asyncio.timeout(patience):
                data = await self._heard.get()
        except TimeoutError:
            raise Silent from None
        return self._there(data)

    async def rest(self) -> None:
        """Wait until some more messages would not be too fast."""
        await asyncio.sleep(max(0.0, SPARE - self._messages.left) / Rates().messages)

    def waiting(self) -> list[bytes | str]:
        """Return the messages that have arrived already. Raises Gone."""
        return [self._there(self._heard.get_nowait()) for _ in range(self._heard.qsize())]

    def _there(self, data: bytes | str | None) -> bytes | str:
        if data is None:
            # Put back, so that each later call finds the end as well.
            self._heard.put_nowait(None)
            raise Gone(self.socket.close_code or 0)
        return data


def grown(data: bytes) -> bytes:
    """Append unknown fields to a message, to each seat in a `TableState` and to the return in a `Frame`."""
    plain = codec.decode_plain(data)
    if plain[0] == _FRAME and plain[_BACK]:
        plain[_BACK] = [*plain[_BACK], *UNKNOWN[:2]]
    if plain[0] == int(str(TableState.__struct_config__.tag)):
        at = 1 + TableState.__struct_fields__.index("seats")
        plain[at] = [[*seat, *UNKNOWN[:2]] for seat in plain[at]]
    return codec.ENCODER.encode([*plain, *UNKNOWN])


class ClientUnderTest:
    """A client's messages, and the messages to it. `patience`: seconds for each of its answers."""

    def __init__(self, arrivals: asyncio.Queue[Wire], patience: float) -> None:
        self.arrivals = arrivals
        self.patience = patience
        self.path = ""
        """Path that is tested now."""
        self.faults: list[Fault] = []
        self.wire: Wire
        self._strikes = 0
        self._deaf = False
        """Whether it answers no pings."""

    def fault(self, name: str, text: str) -> None:
        """Note a fault, once for each name."""
        if not any(name == each.fault for each in self.faults):
            self.faults.append(Fault(self.path, name, text))

    @property
    def named(self) -> set[str]:
        """Names of the faults so far."""
        return {each.fault for each in self.faults}

    def stuck(self, name: str, text: str) -> Stuck:
        """Note a fault, and return the exception that ends the test."""
        self.fault(name, text)
        return Stuck()

    async def arrive(self, patience: float | None) -> None:
        """Wait for the next connection; None means forever. Raises Silent."""
        try:
            async with asyncio.timeout(patience):
                self.wire = await self.arrivals.get()
        except TimeoutError:
            raise Silent from None

    async def say(self, message: ServerMessage) -> None:
        """Send a message, with unknown fields appended."""
        await self.tell(codec.encode(message))

    async def tell(self, data: bytes, packed: bool = False) -> None:
        """Send an encoded message like `say`, `packed` on request; a lost connection is noticed at the next read."""
        whole = grown(codec.encode(codec.decode_server(data)))
        await self.raw(codec.pack(whole) if packed else whole)

    async def raw(self, data: bytes) -> None:
        """Send exactly these bytes."""
        with contextlib.suppress(ConnectionClosed):
            await self.wire.socket.send(data)

    async def hear(self) -> ClientMessage:
        """Return the next readable message. Raises Silent, Gone and Stuck."""
        while True:
            message = await self._read(await self.wire.next(self.patience))
            if message is not None:
                return message

    async def waiting(self) -> list[ClientMessage]:
        """Return all messages that the client sent before it had read everything."""
        await self.barrier()
        return await self.arrived()

    async def arrived(self) -> list[ClientMessage]:
        """Return all messages that have arrived and are not read yet."""
        read = [await self._read(data) for data in self.wire.waiting()]
        return [message for message in read if message is not None]

    async def barrier(self) -> None:
        """Wait until the client has answered a ping, and so has read all earlier messages."""
        if self._deaf:
            return
        try:
            pong = await self.wire.socket.ping()
            async with asyncio.timeout(self.patience):
                await pong
        except TimeoutError:
            self._deaf = True
            self.fault("pong", f"It answered no ping of the WebSocket within {self.patience:g} seconds (6).")
        except ConnectionClosed:
            raise Gone(self.wire.socket.close_code or 0) from None

    async def _read(self, data: bytes | str) -> ClientMessage | None:
        """Decode a message and note faults of its form; return None if it is unreadable."""
        if self.wire.too_fast:
            self.fault("too-fast", "It sent more than 30 messages a second on average, or 90 at once (6).")
        if isinstance(data, str):
            raise self.stuck("not-binary", "It sent a text message; all messages are binary (1).")
        self._check_shortest_form(data)
        try:
            return codec.decode_client(data)
        except codec.BadMessage as error:
            await self._unreadable(data, error)
            return None

    def _check_shortest_form(self, data: bytes) -> None:
        try:
            plain: Any = codec.decode_plain(data)
        except codec.BadMessage:
            return  # The caller reports unreadable messages.
        if codec.ENCODER.encode(plain) != data:
            self.fault("not-shortest", "It encodes a value otherwise than in its shortest form (1).")

    async def _unreadable(self, data: bytes, error: codec.BadMessage) -> None:
        self._strikes += 1
        self.fault(error.code, f"It sent what is no message of this protocol: {error.text} (2.1)")
        await self.say(refused(codec.reference_in(data), Refusal(error.code, "", error.text)))
        if self._strikes >= MAX_STRIKES:
            await self.wire.socket.close(Close.BAD_MESSAGE)
            raise Stuck
