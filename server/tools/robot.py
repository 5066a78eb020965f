"""Clients without a screen: they follow a match over real sockets, lose the connection, and come back."""

import asyncio
import contextlib
import itertools
import random
from collections.abc import Callable
from http import HTTPStatus
from statistics import fmean
from typing import Any, Final

from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from protocol import codec
from protocol.limits import MAX_TO_CLIENT, MEANING, Close
from protocol.session import ClientSession
from server import log
from server.matches.table import Decide
from shared import levels
from shared.clocks import pace_of
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.messages import (
    Accepted,
    ClientMessage,
    Clock,
    Frame,
    Refused,
    Result,
    ServerMessage,
    Snapshot,
    TableState,
    Welcome,
)
from shared.rulesets.registry import ruleset
from shared.tables import Pace, TablePhase

MAX_REFUSALS: Final = 20
"""Actions refused one after the other after which a bot gives up: it would go on for ever."""
FIRST_WAIT: Final = 1.0
LONGEST_WAIT: Final = 30.0
"""Seconds before a connection is tried again: at first, and at most."""
AT_ONCE: Final = 16
"""Messages that are heard in one go."""
CLOSING: Final = 1.0
"""Seconds for a server to agree that the connection is over, and to hear a last word."""
PATIENCE: Final = 1800.0
"""Seconds of waiting without a connection after which nobody tries any more."""
FINAL: Final = {Close.REPLACED: "Somebody else plays on this seat now.", Close.VERSION: MEANING[Close.VERSION]}
"""Closings after which one does not come back, and what to say."""


class Parted(Exception):
    """The match goes on, or not at all, without this client: why, in a sentence."""


class Unreachable(Parted):
    """No connection ever came about."""


class Backoff:
    """How long to wait for the next connection: at first about a second, then longer and longer, until one holds."""

    def __init__(self, patience: float = PATIENCE, chance: random.Random | None = None) -> None:
        self._patience = patience
        self._chance = chance or random.Random()
        self.held()

    def held(self) -> None:
        """A connection stands: the next wait is a short one."""
        self._wait, self._waited = FIRST_WAIT, 0.0

    def next(self) -> float | None:
        """Seconds to wait, None where that was long enough."""
        if self._waited >= self._patience:
            return None
        wait, self._wait = self._wait * self._chance.uniform(0.7, 1.3), min(LONGEST_WAIT, self._wait * 1.8)
        self._waited += wait
        return wait


class Tally(Struct):
    """What all viewers of a match saw, by version: bytes of the delta and of the whole frame, of those who saw most."""

    deltas: dict[int, int]
    frames: dict[int, int]
    version: int = 0
    resumes: int = 0
    moved: asyncio.Event | None = None
    accepted: dict[tuple[int, int], int] = {}
    """Versions of acknowledged actions, by seat and command."""

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

    def note(self, message: Frame | Snapshot, size: int) -> None:
        """Somebody saw a version, by a message of so many bytes."""
        if isinstance(message, Frame):
            # Whoever sees more gets more: it must not matter who is told first.
            self.deltas[message.version] = max(self.deltas.get(message.version, 0), len(bytes(message.delta)))
            self.frames[message.version] = max(self.frames.get(message.version, 0), size)
        if message.version > self.version:
            self.version = message.version
            if self.moved is not None:
                self.moved.set()


class Robot:
    """One viewer: a session over real sockets.

    rules: None where it is to be the table's. tally: where it counts what it sees, if anywhere.
    drops: when it loses the connection on purpose, if ever. roll: what it gives to the dice where it plays.
    """

    def __init__(
        self,
        url: str,
        rules: AnyRuleset | None,
        name: str,
        tally: Tally | None = None,
        drops: random.Random | None = None,
        roll: Callable[[], bytes] | None = None,
    ) -> None:
        self.session = ClientSession(name, "conquest-bot", roll)
        self.tally = tally
        self.welcomed = asyncio.Event()
        self.heard: asyncio.Queue[ServerMessage] = asyncio.Queue()
        """Everything that is not part of the stream, for whoever sets up the table."""
        self._url = url
        self._rules = rules
        self._drops = drops
        self._drop_in = self._next_drop()
        self._backoff = Backoff()
        self._seen = False
        """Whether it was at its table ever."""
        self._told_all = False
        """Whether the match was over before the last word to who comes, or comes back: nothing is missing before it."""
        self._socket: ClientConnection | None = None
        self._position: Any = None
        self._read: tuple[int, int] | None = None
        """Version and digest of `_position`."""

    @property
    def rules(self) -> AnyRuleset:
        """The rule set of the match. ValueError: this program does not have it."""
        if self._rules is None:
            assert self.session.table is not None, "it is at a table"
            self._rules = ruleset(self.session.table.ruleset)
        return self._rules

    @property
    def finished(self) -> bool:
        """Whether the end of the match is in view."""
        return self.session.in_sync and (self._told_all or self.rules.finished(self.position))

    @property
    def position(self) -> Any:
        """The view, as the rule set reads it."""
        read = self.session.version, self.session.digest
        if read != self._read:
            self._position = self.rules.view_decoder.decode(codec.ENCODER.encode(self.session.view))
            self._read = read
        return self._position

    def opening(self) -> bytes | None:
        """What to say once after the welcome."""
        return None

    async def say(self, make: Callable[[int], ClientMessage]) -> None:
        """Send a request that gets a fresh number."""
        await self.send(codec.encode(make(self.session.ref())))

    async def send(self, data: bytes) -> None:
        """Send; where the connection is gone, the session says again what matters on the next one."""
        assert self._socket is not None
        with contextlib.suppress(ConnectionClosed):
            await self._socket.send(data)

    async def follow(self) -> None:
        """Follow the match to its end, over as many connections as it takes. Raises Parted where that cannot be."""
        while not self.finished:
            try:
                async with connect(
                    self._url, compression=None, proxy=None, max_size=MAX_TO_CLIENT, close_timeout=CLOSING
                ) as socket:
                    self._socket = socket
                    await self.converse(socket)
            except (OSError, WebSocketException) as error:
                await self._wait_after(error)

    async def converse(self, socket: ClientConnection) -> None:
        """One connection, to the end of the match or until it is to be dropped. Raises ConnectionClosed."""
        await socket.send(self.session.connect())
        heard = itertools.count(1)
        while not self.finished and self._drop_in:
            data = await socket.recv(decode=False)
            received = self.session.receive(data)
            for reply in received.replies:
                await socket.send(reply)
            if received.message is not None:
                await self.heed(received.message, len(data))
            if next(heard) % AT_ONCE == 0:
                # Of a flood there is always a next message at hand: signals and timers would never have their turn.
                await asyncio.sleep(0)
        if not self.finished:
            self._drop(socket)

    async def heed(self, message: ServerMessage, size: int) -> None:
        """Take in a message of so many bytes."""
        match message:
            case Frame():
                self._drop_in -= 1
                self._note(message, size)
                await self.consider()
            case Snapshot():
                self._note(message, size)
                await self.consider()
            case Accepted(command=command, version=version):
                if self.tally is not None:
                    self.tally.accepted[self.session.seat, command] = version
                # Where it comes before its frame, there is nothing new to think about yet.
                if version <= self.session.version:
                    await self.consider()
            case Welcome():
                await self.welcome(message)
            case Refused():
                await self.refused(message)
            case _:
                self.told(message)

    async def welcome(self, _message: Welcome) -> None:
        """The server greets: once, say what we came for."""
        opening = None if self.welcomed.is_set() else self.opening()
        self.welcomed.set()
        if opening is not None:
            await self.send(opening)

    async def consider(self) -> None:
        """The position changed, or an answer came."""

    async def refused(self, message: Refused) -> None:
        """A request was refused. Raises ConnectionError where another connection, a little later, may do."""
        if message.code == "storage" and self._seen:
            raise ConnectionError(message.text)
        raise RuntimeError(f"{self.session.name} was refused: {message.code} {message.text}")

    def told(self, message: ServerMessage) -> None:
        """Anything else was said."""
        if isinstance(message, TableState):
            self._seen = True
            self._backoff.held()
        elif isinstance(message, Result | Clock):
            # The table alone does not do: what was missed comes behind it.
            self._told_all = self._over
        self.heard.put_nowait(message)

    @property
    def _over(self) -> bool:
        """Whether the table says so: the position need not, where the match ended by agreement."""
        return self.session.table is not None and self.session.table.phase == TablePhase.OVER

    async def _wait_after(self, error: Exception) -> None:
        """Until it is time for the next connection. Raises Parted where there is to be none."""
        code = error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else 0
        for final, words in FINAL.items():
            if code == final:
                raise Parted(words) from None
        if not self._seen:
            raise Unreachable(f"{why_lost(error)} Tried {self._url}.") from None
        wait = self._backoff.next()
        if wait is None:
            raise Parted("The server did not come back.") from None
        self.wait(why_lost(error), wait)
        await asyncio.sleep(wait)

    def wait(self, why: str, seconds: float) -> None:
        """There is no connection, for that reason; it is tried again so many seconds later."""
        log.warning("connection-lost", why=why, wait=round(seconds, 1))

    def _drop(self, socket: ClientConnection) -> None:
        """Lose the connection without a word."""
        self._drop_in = self._next_drop()
        if self.tally is not None:
            self.tally.resumes += 1
        socket.transport.abort()

    def _note(self, message: Frame | Snapshot, size: int) -> None:
        if self.tally is not None:
            self.tally.note(message, size)

    def _next_drop(self) -> int:
        """Frames until the next drop; negative: never."""
        return self._drops.randrange(30, 300) if self._drops else -1


def why_lost(error: Exception) -> str:
    """Why there is no connection, in a sentence."""
    match error:
        case ConnectionRefusedError():
            return "No server is listening there."
        case TimeoutError():
            return "The server does not answer."
        case ConnectionClosed():
            code = error.rcvd.code if error.rcvd else 0
            return next((words for close, words in MEANING.items() if close == code), "The connection was lost.")
        case InvalidStatus() if error.response.status_code == HTTPStatus.FORBIDDEN:
            return "The server does not go by that name; its operator can allow it."
        case OSError():
            return f"The server cannot be reached ({error.strerror or error})."
        case _:
            return "What answers there is not a game server."


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


class Mind(Struct, frozen=True):
    """How a bot decides. decide: asked as by a server's table; level: of `shared.levels`; seed: its chance."""

    decide: Decide
    level: str
    seed: int


class Player(Robot):
    """A bot that plays over the network as a person would. It thinks while its connection goes on."""

    def __init__(
        self,
        url: str,
        rules: AnyRuleset | None,
        name: str,
        mind: Mind,
        tally: Tally | None = None,
        drops: random.Random | None = None,
    ) -> None:
        chance = random.Random(f"{mind.seed}:{name}")
        super().__init__(url, rules, name, tally, drops, lambda: chance.randbytes(32))
        self._mind = mind
        self._thought: asyncio.Task[None] | None = None
        self._refusals = 0

    async def follow(self) -> None:
        """As every robot; afterwards nobody thinks any more."""
        try:
            await super().follow()
        finally:
            if self._thought is not None:
                self._thought.cancel()

    async def heed(self, message: ServerMessage, size: int) -> None:
        """What is accepted ends a row of refusals."""
        if isinstance(message, Accepted):
            self._refusals = 0
        await super().heed(message, size)
        if isinstance(message, Clock):
            # The last word to who comes back, also where nothing has happened meanwhile.
            await self.consider()

    async def consider(self) -> None:
        """Begin to think if something is ours to decide, and we are neither at it nor waiting for an answer."""
        frame = self._owed_frame()
        if frame and not self.session.pending and self._thought is None:
            self._thought = asyncio.create_task(self._decide(frame))

    async def refused(self, message: Refused) -> None:
        """Decide again; a bot that is refused too often has a bug."""
        self._refusals += 1
        if self.session.view is None or message.code == "storage" or self._refusals > MAX_REFUSALS:
            await super().refused(message)
        await self.consider()

    def _owed_frame(self) -> int:
        """The number of the frame that we owe an answer, 0 for none."""
        session = self.session
        if session.seat < 0 or not session.in_sync or self._over:
            return 0
        owes = session.seat in engine.owed(self.rules, self.position)
        return engine.top(self.position).no if owes else 0

    async def _decide(self, frame: int) -> None:
        """Think and act, unless the decision is over meanwhile; then look at what is owed now."""
        action = await self._think(self.session.seat)
        self._thought = None
        if self._owed_frame() == frame:
            await self.send(self.session.act(frame, action))
        else:
            await self.consider()

    async def _think(self, seat: Seat) -> Any:
        """What the bot does now; the default where it cannot say."""
        position, mind = self.position, self._mind
        # Chance by version: what is decided does not depend on when somebody dropped.
        seed = random.Random(f"{mind.seed}:{seat}:{self.session.version}").getrandbits(32)
        try:
            table = self.session.table
            seconds = levels.thinking(Pace() if table is None else pace_of(table.pace, table.think))
            raw = await mind.decide(self.rules.id, mind.level, seat, codec.encode(position), seed, seconds)
            return self.rules.action_decoder.decode(raw)
        except Exception:
            log.failure("bot-failed", seat=seat)
            return engine.default(self.rules, position, seat)


def standings(rules: AnyRuleset, position: Any, who: Callable[[Seat], str] = lambda _seat: "") -> str:
    """The ranking, a line for each seat. `who`: who has it, "" where that goes without saying."""
    lines = []
    for place in rules.standings(position):
        owner = f" ({words})" if (words := who(place.seat)) else ""
        lines.append(f"{place.rank}. {rules.seat_name(position, place.seat)}{owner}: {place.score}")
    return "\n".join(lines)
