"""Transport over NATS: messages arrive in order, at most once, and are never delivered late from a buffer."""

import asyncio
import contextlib
import ssl
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
import nats
import nats.errors
from msgspec import Struct
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.transport import TcpTransport

from server import log
from server.bus.bus_settings import BusSettings
from server.cluster import packets
from server.storage.port import StoreError

START: Final = 5.0
"""Seconds within which the bus must be reached at the start. Later reconnects are tried without end."""
ANSWER: Final = 2.0
"""Seconds within which another node must answer a question."""
RECONNECT: Final = 0.25
"""Seconds between two attempts to reach a NATS server."""
PING: Final = 2
"""Seconds between two pings of the NATS server; two unanswered ones mean that it is down."""
GOODBYE: Final = 1.0
"""Seconds for sending the last messages of a node that ends."""
_GONE: Final = (nats.errors.Error, OSError, TimeoutError)


class Subscriber(Struct, frozen=True):
    """Callbacks for incoming messages. None of them may wait or raise; only `answer` may wait."""

    parcel: Callable[[packets.Parcel], None]
    shout: Callable[[str, packets.Saying], None]
    answer: Callable[[packets.MatchQuery], Awaitable[packets.MatchReply]]
    lost: Callable[[], None]
    back: Callable[[], None]


class _Client(Client):
    """NATS client that does not wait for a hung server.

    The library waits until the server has read what was sent, both before it reconnects and when it closes. It would
    also write what is left to the closed connection, where CPython 3.13.0 raises AttributeError, and send it late after
    a reconnect.
    """

    async def _close(self, status: int, do_cbs: bool = True) -> None:
        self._drop_connection()
        await super()._close(status, do_cbs)

    async def _attempt_reconnect(self) -> None:
        self._drop_connection()
        await super()._attempt_reconnect()

    async def _flush_pending(self, force_flush: bool = False) -> Any:
        if self._socket is not None and self._socket.is_closing():
            self._drop_unsent()
        return await super()._flush_pending(force_flush)

    @property
    def _socket(self) -> asyncio.WriteTransport | None:
        transport = self._transport
        writer = transport._io_writer if isinstance(transport, TcpTransport) else None
        return writer.transport if writer is not None else None

    def _drop_connection(self) -> None:
        """Drop the connection without sending the rest."""
        if self._socket is not None:
            self._socket.abort()
        self._drop_unsent()

    def _drop_unsent(self) -> None:
        """Drop what the library has not given to the connection. Subscriptions are sent anew after a reconnect."""
        self._pending, self._pending_data_size = [], 0

    async def read_by_server(self) -> None:
        """Wait until the server has read all that was sent so far.

        The library asks for a PONG before it writes what it still buffers. Therefore only the second flush proves
        it."""
        await self.flush()
        await self.flush()


class NatsTransport:
    """Connection of one node to the bus. Messages arrive in the order of sending, or not at all."""

    def __init__(
        self, client: _Client, node: str, bus_settings: BusSettings, hearer: Subscriber, dialect: packets.Dialect
    ) -> None:
        self.node = node
        self.dialect = dialect
        self._client = client
        self._prefix = bus_settings.prefix
        self._hearer = hearer
        self._waiting: deque[tuple[str, bytes]] = deque()
        self._wake = asyncio.Event()
        self._writer = asyncio.create_task(self._write())
        self._foreign: set[str] = set()
        """Nodes whose version is too old or too new. Each is logged once."""

    @classmethod
    async def connect(
        cls, node: str, bus_settings: BusSettings, hearer: Subscriber, dialect: packets.Dialect = packets.OURS
    ) -> "NatsTransport":
        """Connect to the servers. Raises StoreError, which names the cause."""
        client, trouble, hopeless = _Client(), list[Exception](), asyncio.Event()
        servers = bus_settings.urls.split(",")

        async def note(error: Exception) -> None:
            if _words(error) not in map(_words, trouble):
                log.warning("bus", error=_words(error))
            trouble[:] = [*trouble[-len(servers) :], error]
            # Each server was tried once: with a wrong address or password there is no point in waiting on.
            if len(trouble) > len(servers):
                hopeless.set()

        try:
            opening = client.connect(
                servers=servers,
                name=f"conquest {node}",
                allow_reconnect=True,
                max_reconnect_attempts=-1,
                reconnect_time_wait=RECONNECT,  # type: ignore[arg-type]  # Any number of seconds will do.
                # No buffer while disconnected: such messages are lost at once, as they would be outdated after a
                # reconnect.
                pending_size=-1,
                ping_interval=PING,
                max_outstanding_pings=2,
                error_cb=note,
                disconnected_cb=_told(hearer.lost),
                reconnected_cb=_told(hearer.back),
                **_secrets(bus_settings),
            )
            await _first(opening, hopeless.wait())
            if not client.is_connected:
                raise TimeoutError
        except (*_GONE, ValueError) as error:
            # An address that cannot be parsed leaves a client that cannot even be closed.
            with contextlib.suppress(*_GONE, AssertionError):
                await client.close()
            raise StoreError(f"Cannot use the bus: {_words(trouble[0] if trouble else error)}.") from None
        return cls(client, node, bus_settings, hearer, dialect)

    async def listen(self) -> None:
        """Subscribe to this node's subjects. Call it once the subscriber is ready to answer. Raises StoreError."""
        try:
            await self._client.subscribe(f"{self._prefix}.node.{self.node}", cb=self._on_parcel)
            await self._client.subscribe(f"{self._prefix}.ask.{self.node}", cb=self._on_question)
            await self._client.subscribe(f"{self._prefix}.all", cb=self._on_shout)
            await self._client.read_by_server()
        except _GONE as error:
            raise StoreError(f"Cannot use the bus: {_words(error)}.") from None

    @property
    def connected(self) -> bool:
        """Whether messages can be sent and received now."""
        return bool(self._client.is_connected)

    def send(self, node: str, parcel: packets.Parcel) -> None:
        """Send a parcel to one node."""
        self._post(f"{self._prefix}.node.{node}", packets.encode(parcel))

    def shout(self, word: packets.Saying) -> None:
        """Send a message to all other nodes."""
        self._post(f"{self._prefix}.all", packets.encode(packets.Shout(self.dialect, self.node, word)))

    async def ask(self, node: str, question: packets.MatchQuery) -> packets.MatchReply:
        """Return the answer of a node to a question. Raises StoreError."""
        try:
            message = await self._client.request(f"{self._prefix}.ask.{node}", packets.encode(question), timeout=ANSWER)
            return packets.REPLY.decode(message.data)
        except (*_GONE, msgspec.MsgspecError) as error:
            raise StoreError(f"The match's server does not answer: {type(error).__name__}.") from None

    async def close(self) -> None:
        """Send what is queued, for at most `GOODBYE` seconds, and disconnect."""
        with contextlib.suppress(*_GONE):
            async with asyncio.timeout(GOODBYE):
                while self._waiting and self.connected:
                    await asyncio.sleep(0)
                await self._client.read_by_server()
        self._writer.cancel()
        with contextlib.suppress(*_GONE):
            await self._client.close()

    def _post(self, subject: str, data: bytes) -> None:
        # A queue of our own: callers are synchronous, and the library's `publish` is not.
        self._waiting.append((subject, data))
        self._wake.set()

    async def _write(self) -> None:
        while await self._wake.wait():
            self._wake.clear()
            while self._waiting:
                subject, data = self._waiting.popleft()
                with contextlib.suppress(*_GONE):
                    # Lost messages are noticed: links number their parcels, lists of tables have checksums.
                    await self._client.publish(subject, data)

    async def _on_parcel(self, message: Msg) -> None:
        with contextlib.suppress(msgspec.MsgspecError):
            parcel = packets.parcel_in(message.data)
            if self._is_understood(parcel.dialect, parcel.sender):
                self._call_logged(lambda: self._hearer.parcel(parcel))

    async def _on_shout(self, message: Msg) -> None:
        with contextlib.suppress(msgspec.MsgspecError):
            shout = packets.SHOUT.decode(message.data)
            # NATS sends a message to its sender too if it has subscribed.
            if shout.sender != self.node and self._is_understood(shout.dialect, shout.sender):
                self._call_logged(lambda: self._hearer.shout(shout.sender, shout.word))

    async def _on_question(self, message: Msg) -> None:
        try:
            reply = await self._hearer.answer(packets.QUESTION.decode(message.data))
        except Exception:
            log.failure("failed", kind="question")
            reply = packets.MatchReply()
        with contextlib.suppress(*_GONE):
            await message.respond(packets.encode(reply))

    def _is_understood(self, dialect: packets.Dialect, sender: str) -> bool:
        known = self.dialect.knows(dialect)
        if not known and sender not in self._foreign:
            self._foreign.add(sender)
            log.warning("other-version", node=sender, version=dialect.version, ours=self.dialect.version)
        return known

    def _call_logged(self, act: Callable[[], None]) -> None:
        """Call a handler and log its exception: one faulty parcel must not stop the others."""
        try:
            act()
        except Exception:
            log.failure("failed", kind="parcel")


async def examine(bus_settings: BusSettings) -> None:
    """Connect to the bus and disconnect. Raises StoreError, which names the cause."""

    def ignore(*_: object) -> None:
        """Ignore a message."""

    hearer = Subscriber(ignore, ignore, ignore, ignore, ignore)  # type: ignore[arg-type]
    transport = await NatsTransport.connect("doctor", bus_settings, hearer)
    await transport.close()


def _secrets(bus_settings: BusSettings) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if bus_settings.credentials is not None:
        bus_settings.credentials.stat()  # Fail early: the library opens the file only once the server asks for a key.
        found["user_credentials"] = str(bus_settings.credentials)
    if bus_settings.authority is not None:
        found["tls"] = ssl.create_default_context(cafile=str(bus_settings.authority))
    return found


async def _first(opening: Awaitable[None], hopeless: Awaitable[object]) -> None:
    """Wait for a connection until it fails or `START` seconds pass: the library itself tries forever. Raises what
    `opening` raises."""
    tasks = [asyncio.ensure_future(opening), asyncio.ensure_future(hopeless)]
    await asyncio.wait(tasks, timeout=START, return_when=asyncio.FIRST_COMPLETED)
    done = tasks[0].done()
    for task in tasks:
        task.cancel()
    await asyncio.gather(tasks[1], return_exceptions=True)
    await asyncio.gather(tasks[0], return_exceptions=not done)


def _words(error: Exception) -> str:
    """Return the text of an error. Some errors of the library have none, and most begin with its name."""
    return (str(error) or type(error).__name__).removeprefix("nats: ").rstrip(".")


def _told(callback: Callable[[], None]) -> Any:
    async def tell() -> None:
        callback()

    return tell
