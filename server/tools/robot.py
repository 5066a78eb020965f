"""Clients without a screen, for demonstrations: they follow a match over real sockets, drop, and come back."""

import asyncio
import random
from collections.abc import Callable
from statistics import fmean
from typing import Any

from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from protocol import codec
from protocol.limits import MAX_TO_CLIENT
from protocol.session import ClientSession
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.messages import Accepted, ClientMessage, Frame, Refused, ServerMessage, Snapshot, Welcome

MAX_REFUSALS = 20
"""Refused actions after which a bot gives up: it would go on for ever."""


class Tally(Struct):
    """What all viewers of a match saw, by version: bytes of the delta and of the whole frame."""

    deltas: dict[int, int]
    frames: dict[int, int]
    version: int = 0
    resumes: int = 0
    moved: asyncio.Event | None = None

    @property
    def delta_mean(self) -> float:
        """Bytes of a delta on average, 0 without any."""
        return fmean(self.deltas.values() or [0])

    @property
    def delta_p99(self) -> int:
        """Bytes that no more than one of a hundred deltas has or exceeds, 0 without any."""
        sizes = sorted(self.deltas.values()) or [0]
        return sizes[len(sizes) * 99 // 100]

    @property
    def frame_mean(self) -> float:
        """Bytes of a frame on average, 0 without any."""
        return fmean(self.frames.values() or [0])


class Robot:
    """One viewer: a session over real sockets."""

    def __init__(self, url: str, rules: AnyRuleset, name: str, tally: Tally, drops: random.Random | None) -> None:
        self.session = ClientSession(name, "conquest-demo")
        self.rules = rules
        self.tally = tally
        self._url = url
        self._drops = drops
        self._drop_in = self._next_drop()
        self._socket: ClientConnection | None = None
        self.welcomed = asyncio.Event()
        self.heard: asyncio.Queue[ServerMessage] = asyncio.Queue()
        """Everything that is not part of the stream, for whoever sets up the table."""

    def opening(self) -> bytes | None:
        """What to say once after the welcome."""
        return None

    @property
    def finished(self) -> bool:
        """Whether the end of the match is in view."""
        session = self.session
        return session.in_sync and self.rules.finished(self.position())

    def position(self) -> Any:
        """The view, as the rule set reads it."""
        return self.rules.view_decoder.decode(codec.ENCODER.encode(self.session.view))

    async def say(self, make: Callable[[int], ClientMessage]) -> None:
        """Send a request that gets a fresh number."""
        assert self._socket is not None
        await self._socket.send(codec.encode(make(self.session.ref())))

    async def follow(self) -> None:
        """Follow the match to its end, over as many connections as it takes."""
        while not self.finished:
            try:
                async with connect(
                    self._url, compression=None, proxy=None, max_size=MAX_TO_CLIENT, ping_interval=None
                ) as socket:
                    self._socket = socket
                    await self._converse(socket)
            except ConnectionClosed:
                continue

    async def _converse(self, socket: ClientConnection) -> None:
        await socket.send(self.session.connect())
        async for data in socket:
            assert isinstance(data, bytes)
            received = self.session.receive(data)
            for reply in received.replies:
                await socket.send(reply)
            if received.message is not None:
                await self._heed(socket, received.message, len(data))
            if self.finished_now(received.message):
                return
            if self._drop_in == 0:
                self._drop_in = self._next_drop()
                self.tally.resumes += 1
                socket.transport.abort()
                return

    def finished_now(self, message: ServerMessage | None) -> bool:
        """Whether this message brought the end."""
        return isinstance(message, Frame | Snapshot) and self.finished

    async def _heed(self, socket: ClientConnection, message: ServerMessage, size: int) -> None:
        match message:
            case Frame():
                self.tally.deltas[message.version] = len(bytes(message.delta))
                self.tally.frames[message.version] = size
                self._drop_in -= 1
                self._note(message.version)
                await self.consider(socket)
            case Snapshot():
                self._note(message.version)
                await self.consider(socket)
            case Welcome():
                opening = None if self.welcomed.is_set() else self.opening()
                self.welcomed.set()
                if opening is not None:
                    await socket.send(opening)
            case Refused():
                await self.refused(socket, message)
            case Accepted():
                pass
            case _:
                self.heard.put_nowait(message)

    async def consider(self, socket: ClientConnection) -> None:
        """The position changed."""

    async def refused(self, _socket: ClientConnection, message: Refused) -> None:
        """A request was refused."""
        raise RuntimeError(f"{self.session.name} was refused: {message.code} {message.text}")

    def _note(self, version: int) -> None:
        if version > self.tally.version:
            self.tally.version = version
            if self.tally.moved is not None:
                self.tally.moved.set()

    def _next_drop(self) -> int:
        """Frames until the next drop; negative: never."""
        return self._drops.randrange(30, 300) if self._drops else -1


class Onlooker(Robot):
    """A spectator."""

    def __init__(
        self, url: str, rules: AnyRuleset, name: str, tally: Tally, drops: random.Random | None, match: str
    ) -> None:
        super().__init__(url, rules, name, tally, drops)
        self._watched = match

    def opening(self) -> bytes:
        """Ask to look on."""
        return self.session.watch(self._watched)


class Player(Robot):
    """A bot that plays over the network as a person would. `choose(rules, view, seat, chance)` decides."""

    def __init__(
        self,
        url: str,
        rules: AnyRuleset,
        name: str,
        tally: Tally,
        drops: random.Random | None,
        choose: Callable[[AnyRuleset, Any, int, random.Random], Any],
        seed: int,
    ) -> None:
        super().__init__(url, rules, name, tally, drops)
        self._choose = choose
        self._seed = seed
        self._decided = -1
        self._refusals = 0

    async def consider(self, socket: ClientConnection) -> None:
        """Decide, once per version, if it is mine to decide."""
        session = self.session
        if session.seat < 0 or not session.in_sync or self._decided >= session.version:
            return
        position = self.position()
        if session.seat not in engine.owed(self.rules, position):
            return
        self._decided = session.version
        # Chance by version: what is decided does not depend on when somebody dropped.
        chance = random.Random(f"{self._seed}:{session.seat}:{session.version}")
        action = self._choose(self.rules, position, session.seat, chance)
        await socket.send(session.act(engine.top(position).no, action))

    async def refused(self, socket: ClientConnection, message: Refused) -> None:
        """Decide again; a bot that is refused too often has a bug."""
        self._refusals += 1
        if self.session.view is None or self._refusals > MAX_REFUSALS:
            await super().refused(socket, message)
        self._decided = -1
        await self.consider(socket)
