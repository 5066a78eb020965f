"""Fakes of time and connections, and a server for tests: no sleeps, no real chance."""

import asyncio
import contextlib
import heapq
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, structs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from protocol import codec
from protocol.limits import MAX_TO_CLIENT, Close, Rates
from protocol.session import ClientSession
from server.connections.admission import GENEROUS
from server.connections.server_app import App, Settings
from server.delivery.outgoing import Outgoing
from server.rate_limits import Rate
from shared.messages import ClientMessage, Refused, ServerMessage
from tests.server.toy import TOY

M = TypeVar("M")
FAST = Rates(1e9, 1e9, 1e9, 1e9)


class Alarm:
    """Timer of the fake clock."""

    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        """Cancel the timer."""
        self.callback = None


class FakeClock:
    """Clock that advances only when told."""

    def __init__(self) -> None:
        self.time = 1000.0
        self._alarms: list[tuple[float, int, Alarm]] = []
        self._count = itertools.count()

    def now(self) -> float:
        """Return the time in seconds."""
        return self.time

    def call_later(self, delay: float, callback: Callable[[], object]) -> Alarm:
        """Call back when the time has come."""
        alarm = Alarm(callback)
        heapq.heappush(self._alarms, (self.time + delay, next(self._count), alarm))
        return alarm

    @property
    def waiting(self) -> int:
        """Return the number of pending alarms."""
        return sum(alarm.callback is not None for _, _, alarm in self._alarms)

    async def advance(self, seconds: float) -> None:
        """Let time pass, alarm by alarm, and let all tasks act on it."""
        end = self.time + seconds
        await settle()
        while self._alarms and self._alarms[0][0] <= end:
            at, _, alarm = heapq.heappop(self._alarms)
            self.time = max(self.time, at)
            if alarm.callback is not None:
                alarm.callback()
                await settle()
        self.time = end


async def settle(turns: int = 20) -> None:
    """Let everything that is ready run."""
    for _ in range(turns):
        await asyncio.sleep(0)


class FakeLink:
    """Link that keeps the sent messages, decoded."""

    def __init__(self) -> None:
        self.sent: list[ServerMessage] = []
        self.closed: Close | None = None
        self.latency = 0.0
        self.is_open = True

    def send(self, message: Outgoing) -> None:
        """Record the messages that are written in one piece."""
        told = [codec.decode_server(payload) for payload in payloads(message.frame)]
        keyless = [each for each in told if isinstance(each, Refused) and not (each.key or each.rule)]
        assert not keyless, "only the toy game says what nobody has listed"
        self.sent += told

    def end(self, code: Close) -> None:
        """Record the code."""
        self.closed = code

    def take(self, kind: type[M]) -> M:
        """Return the first message of a kind, and drop the ones before it."""
        while self.sent:
            message = self.sent.pop(0)
            if isinstance(message, kind):
                return message
        raise AssertionError(f"no {kind.__name__} was sent")

    def last(self, kind: type[M]) -> M:
        """Return the last message of a kind."""
        return next(message for message in reversed(self.sent) if isinstance(message, kind))


def payloads(frames: bytes) -> list[bytes]:
    """Return the payloads of unmasked binary WebSocket frames."""
    found = []
    while frames:
        assert frames[0] == 0x82
        start = {126: 4, 127: 10}.get(frames[1], 2)
        size = int.from_bytes(frames[2:start], "big") if start > 2 else frames[1]
        found.append(frames[start : start + size])
        assert len(found[-1]) == size
        frames = frames[start + size :]
    return found


def unframed(frame: bytes) -> bytes:
    """Return the payload of one unmasked binary WebSocket frame."""
    (payload,) = payloads(frame)
    return payload


class Client:
    """Client over a real socket, one step at a time."""

    def __init__(self, url: str, name: str = "Anna", address: str = "") -> None:
        self.url = url
        self.headers = {"X-Forwarded-For": address} if address else {}
        """Headers that a proxy would add about the client."""
        self.source = ""
        """Source address of the connection, "" for the system's choice."""
        self.ping: float | None = None
        """Seconds between two pings, and for the answer; None: no pings."""
        self.session = ClientSession(name)
        self.socket: ClientConnection
        self.seen: list[ServerMessage] = []

    async def open(self) -> "Client":
        """Connect and shake hands."""
        self.socket = await connect(
            self.url,
            compression=None,
            proxy=None,
            max_size=MAX_TO_CLIENT,
            ping_interval=self.ping,
            ping_timeout=self.ping,
            additional_headers=self.headers,
            local_addr=(self.source, 0) if self.source else None,
        )
        await self.socket.send(self.session.connect())
        return self

    async def say(self, make: Callable[[int], ClientMessage]) -> None:
        """Send a request."""
        await self.socket.send(codec.encode(make(self.session.ref())))

    async def next(self) -> ServerMessage:
        """Return the next message that the session passes on; send the session's replies."""
        while True:
            # Not `wait_for`: with Python 3.11 it loses a cancellation if a message arrives at that moment.
            async with asyncio.timeout(20):
                data = await self.socket.recv(decode=False)
            received = self.session.receive(data)
            for reply in received.replies:
                await self.socket.send(reply)
            if received.message is not None:
                self.seen.append(received.message)
                return received.message

    async def wait_for(self, kind: type[M]) -> M:
        """Return the next message of a kind. A refusal that is not awaited fails the test."""
        while True:
            message = await self.next()
            if isinstance(message, kind):
                return message
            assert not isinstance(message, Refused), message

    async def wait_for_refusal(self) -> Refused:
        """Return the next refusal."""
        while True:
            message = await self.next()
            if isinstance(message, Refused):
                return message

    async def ask(self, make: Callable[[int], ClientMessage], kind: type[M]) -> M:
        """Send a request, and return its answer."""
        await self.say(make)
        return await self.wait_for(kind)

    async def act(self, frame: int, action: Struct) -> None:
        """Send an action."""
        await self.socket.send(self.session.act(frame, action))

    async def close_code(self) -> int:
        """Read until the end; return the code with which the server closed."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.next()
        assert self.socket.close_code is not None
        return self.socket.close_code

    def cut(self) -> None:
        """Drop the connection without a close frame."""
        self.socket.transport.abort()


async def decide_one(_ruleset: str, _kind: str, _seat: int, _view: bytes, _seed: int, _seconds: float) -> bytes:
    """Decide for a bot of the toy game."""
    return b"\x92\x0a\x05"


@asynccontextmanager
async def serving(data: Path, decide: Any = decide_one, **changed: Any) -> AsyncIterator[App]:
    """Yield a server of the toy game on a free port."""
    settings = Settings(data=data, port=0, seed=7, pace=0.0, limits=GENEROUS, rates=FAST, talk=Rate(1e9, 1e9))
    app = await App.start(structs.replace(settings, **changed), {TOY.id: TOY}, decide)
    try:
        yield app
    finally:
        await app.stop()
