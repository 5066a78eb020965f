"""Headless clients: they follow a match over real sockets, drop the connection, and come back."""

import asyncio
import contextlib
import itertools
import random
import time
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
from shared import messages as m
from shared.clocks import pace_of
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import ruleset
from shared.tables import Pace, TablePhase

MAX_REFUSALS: Final = 20
"""Refused actions in a row after which a bot gives up instead of trying forever."""
FIRST_WAIT: Final = 1.0
LONGEST_WAIT: Final = 30.0
"""Seconds before a reconnect: at first, and at most."""
AT_ONCE: Final = 16
"""Messages that are handled before other tasks get their turn."""
TOO_FAST: Final = 1.0
"""Seconds until what came too fast is sent again."""
CLOSING: Final = 1.0
"""Seconds for the server to close the connection, and for a last message to it."""
PATIENCE: Final = 1800.0
"""Seconds without a connection after which a client gives up."""
FINAL: Final = {Close.REPLACED: "Somebody else plays on this seat now.", Close.VERSION: MEANING[Close.VERSION]}
"""Close codes after which a client does not reconnect, with the sentences to show."""


class Parted(Exception):
    """The client leaves the match for good; the message is a sentence."""


class Unreachable(Parted):
    """No connection was ever made."""


class Backoff:
    """Waiting times before reconnects: about a second at first, then longer, until a connection holds."""

    def __init__(self, patience: float = PATIENCE, chance: random.Random | None = None) -> None:
        self._patience = patience
        self._chance = chance or random.Random()
        self.held()

    def held(self) -> None:
        """Reset the waiting time, because a connection holds."""
        self._wait, self._waited = FIRST_WAIT, 0.0

    def next(self) -> float | None:
        """Return the seconds to wait, or None if the patience is used up."""
        if self._waited >= self._patience:
            return None
        wait, self._wait = self._wait * self._chance.uniform(0.7, 1.3), min(LONGEST_WAIT, self._wait * 1.8)
        self._waited += wait
        return wait


class ViewerStatistics(Struct):
    """Statistics of all viewers of a match, by version: the largest delta and frame in bytes."""

    deltas: dict[int, int]
    frames: dict[int, int]
    version: int = 0
    resumes: int = 0
    moved: asyncio.Event | None = None
    accepted: dict[tuple[int, int], int] = {}
    """Versions of acknowledged actions, by seat and command."""

    @property
    def delta_mean(self) -> float:
        """Mean bytes of a delta, 0 without any."""
        return fmean(self.deltas.values() or [0])

    @property
    def delta_p99(self) -> int:
        """99th percentile of the bytes of a delta, 0 without any."""
        sizes = sorted(self.deltas.values()) or [0]
        return sizes[len(sizes) * 99 // 100]

    @property
    def frame_mean(self) -> float:
        """Mean bytes of a frame, 0 without any."""
        return fmean(self.frames.values() or [0])

    def note(self, message: m.Frame | m.Snapshot, size: int) -> None:
        """Count a message of `size` bytes that showed a version to a viewer."""
        if isinstance(message, m.Frame):
            # Viewers see different amounts; the maximum does not depend on their order.
            self.deltas[message.version] = max(self.deltas.get(message.version, 0), len(bytes(message.delta)))
            self.frames[message.version] = max(self.frames.get(message.version, 0), size)
        if message.version > self.version:
            self.version = message.version
            if self.moved is not None:
                self.moved.set()


class HeadlessClient:
    """Viewer of a match: a session over real sockets.

    rules: None to take those of the table. tally: statistics to update, if any. drops: chance of deliberate drops, if
    any. roll: makes a player's contributions to the dice.
    """

    def __init__(
        self,
        url: str,
        rules: AnyRuleset | None,
        name: str,
        tally: ViewerStatistics | None = None,
        drops: random.Random | None = None,
        roll: Callable[[], bytes] | None = None,
    ) -> None:
        self.session = ClientSession(name, "conquest-bot", roll)
        self.tally = tally
        self.welcomed = asyncio.Event()
        self.heard: asyncio.Queue[m.ServerMessage] = asyncio.Queue()
        """All messages outside the stream, for the code that sets up the table."""
        self._url = url
        self._rules = rules
        self._drops = drops
        self._drop_in = self._next_drop()
        self._backoff = Backoff()
        self._seen = False
        """Whether it was ever at its table."""
        self._told_all = False
        """Whether the match was over before the last message of a join or resume, so that nothing is missing."""
        self._socket: ClientConnection | None = None
        self._position: Any = None
        self._read: tuple[int, int] | None = None
        """Version and digest of `_position`."""

    @property
    def rules(self) -> AnyRuleset:
        """Rule set of the match. Raises ValueError if this program does not have it."""
        if self._rules is None:
            assert self.session.table is not None, "it is at a table"
            self._rules = ruleset(self.session.table.ruleset)
        return self._rules

    @property
    def finished(self) -> bool:
        """Whether the end of the match was received."""
        return self.session.in_sync and (self._told_all or self.rules.finished(self.position))

    @property
    def position(self) -> Any:
        """The view, decoded by the rule set."""
        read = self.session.version, self.session.digest
        if read != self._read:
            self._position = self.rules.view_decoder.decode(codec.ENCODER.encode(self.session.view))
            self._read = read
        return self._position

    def opening(self) -> bytes | None:
        """Return the message to send once after the welcome, or None."""
        return None

    async def say(self, make: Callable[[int], m.ClientMessage]) -> None:
        """Send a request with a new number."""
        await self.send(codec.encode(make(self.session.ref())))

    async def send(self, data: bytes) -> None:
        """Send, as fast as the server allows.

        If the connection is gone, the session repeats what matters on the next one.
        """
        assert self._socket is not None
        if wait := self.session.pause(time.monotonic):
            await asyncio.sleep(wait)
        with contextlib.suppress(ConnectionClosed):
            await self._socket.send(data)

    def connection(self) -> connect:
        """Return a new connection to the server, for `async with`."""
        return connect(self._url, compression=None, proxy=None, max_size=MAX_TO_CLIENT, close_timeout=CLOSING)

    async def follow(self) -> None:
        """Follow the match to its end over as many connections as needed. Raises Parted if that is impossible."""
        while not self.finished:
            try:
                async with self.connection() as socket:
                    self._socket = socket
                    await self.converse(socket)
            except (OSError, WebSocketException) as error:
                await self._wait_after(error)

    async def converse(self, socket: ClientConnection) -> None:
        """Use one connection until the end of the match or a deliberate drop. Raises ConnectionClosed."""
        await socket.send(self.session.connect())
        heard = itertools.count(1)
        while not self.finished and self._drop_in:
            data = await socket.recv(decode=False)
            received = self.session.receive(data)
            if isinstance(received.message, m.Refused) and received.message.code == "rate":
                await asyncio.sleep(TOO_FAST)
            for reply in received.replies:
                await self.send(reply)
            if received.message is not None:
                await self.heed(received.message, len(data))
            if next(heard) % AT_ONCE == 0:
                # In a flood the next message is always available, so signals and timers would never get a turn.
                await asyncio.sleep(0)
        if not self.finished:
            self._drop(socket)

    async def heed(self, message: m.ServerMessage, size: int) -> None:
        """Handle a message of `size` bytes."""
        match message:
            case m.Frame():
                self._drop_in -= 1
                self._note(message, size)
                await self.consider()
            case m.Snapshot():
                self._note(message, size)
                await self.consider()
            case m.Accepted(command=command, version=version):
                if self.tally is not None:
                    self.tally.accepted[self.session.seat, command] = version
                # If it comes before its frame, there is nothing new to decide yet.
                if version <= self.session.version:
                    await self.consider()
            case m.Welcome():
                await self.welcome(message)
            case m.Refused():
                await self.refused(message)
            case _:
                self.told(message)

    async def welcome(self, _message: m.Welcome) -> None:
        """Handle `Welcome`: send the opening message, once."""
        opening = None if self.welcomed.is_set() else self.opening()
        self.welcomed.set()
        if opening is not None:
            await self.send(opening)

    async def consider(self) -> None:
        """React to a change of the position, or to an answer."""

    async def refused(self, message: m.Refused) -> None:
        """Handle `Refused`. Raises ConnectionError if another connection may help a little later."""
        if message.code == "storage" and self._seen:
            raise ConnectionError(message.text)
        raise RuntimeError(f"{self.session.name} was refused: {message.code} {message.text}")

    def told(self, message: m.ServerMessage) -> None:
        """Handle all other messages."""
        if isinstance(message, m.TableState):
            self._seen = True
            self._backoff.held()
        elif isinstance(message, m.Result | m.Clock):
            # The table state alone does not suffice: missed messages follow it.
            self._told_all = self._over
        self.heard.put_nowait(message)

    @property
    def _over(self) -> bool:
        """Whether the table says that the match is over; after an agreement the position does not show it."""
        return self.session.table is not None and self.session.table.phase == TablePhase.OVER

    async def _wait_after(self, error: Exception) -> None:
        """Wait until the next connection is due. Raises Parted if there must be none."""
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
        """Report the lost connection, its reason, and the seconds until the next attempt."""
        log.warning("connection-lost", why=why, wait=round(seconds, 1))

    def _drop(self, socket: ClientConnection) -> None:
        """Abort the connection without a closing handshake."""
        self._drop_in = self._next_drop()
        if self.tally is not None:
            self.tally.resumes += 1
        socket.transport.abort()

    def _note(self, message: m.Frame | m.Snapshot, size: int) -> None:
        if self.tally is not None:
            self.tally.note(message, size)

    def _next_drop(self) -> int:
        """Return the frames until the next drop; negative means never."""
        return self._drops.randrange(30, 300) if self._drops else -1


def why_lost(error: Exception) -> str:
    """Return the reason for a lost connection in a sentence."""
    match error:
        case ConnectionRefusedError():
            return "No server is listening there."
        case TimeoutError():
            return "The server does not answer."
        case ConnectionClosed():
            code = error.rcvd.code if error.rcvd else 0
            return next((words for close, words in MEANING.items() if close == code), "The connection was lost.")
        case InvalidStatus() if error.response.status_code == HTTPStatus.FORBIDDEN:
            return "The server does not answer to that name; its operator can allow it with --allow-host."
        case OSError():
            return f"The server cannot be reached ({error.strerror or error})."
        case _:
            return "There is no game server at that address."


class Onlooker(HeadlessClient):
    """A spectator."""

    def __init__(
        self, url: str, rules: AnyRuleset, name: str, tally: ViewerStatistics, drops: random.Random | None, match: str
    ) -> None:
        super().__init__(url, rules, name, tally, drops)
        self._watched = match

    def opening(self) -> bytes:
        """Return the request to watch."""
        return self.session.watch(self._watched)


class Mind(Struct, frozen=True):
    """Decision making of a bot. decide: as for a server's table; level: of `shared.levels`; seed: of its random
    choices."""

    decide: Decide
    level: str
    seed: int


class BotPlayer(HeadlessClient):
    """A bot that plays over the network like a person, and receives messages while it thinks."""

    def __init__(
        self,
        url: str,
        rules: AnyRuleset | None,
        name: str,
        mind: Mind,
        tally: ViewerStatistics | None = None,
        drops: random.Random | None = None,
    ) -> None:
        chance = random.Random(f"{mind.seed}:{name}")
        super().__init__(url, rules, name, tally, drops, lambda: chance.randbytes(32))
        self._mind = mind
        self._thought: asyncio.Task[None] | None = None
        self._refusals = 0

    async def follow(self) -> None:
        """Follow the match like every robot, then cancel the current decision."""
        try:
            await super().follow()
        finally:
            if self._thought is not None:
                self._thought.cancel()

    async def heed(self, message: m.ServerMessage, size: int) -> None:
        """Handle a message; an acknowledgement resets the count of refusals."""
        if isinstance(message, m.Accepted):
            self._refusals = 0
        await super().heed(message, size)
        if isinstance(message, m.Clock):
            # This is the last message of a resume, even if nothing has happened meanwhile.
            await self.consider()

    async def consider(self) -> None:
        """Begin to think if a decision is due, and no decision or acknowledgement is pending."""
        frame = self._owed_frame()
        if frame and not self.session.pending and self._thought is None:
            self._thought = asyncio.create_task(self._decide(frame))

    async def refused(self, message: m.Refused) -> None:
        """Decide again; too many refusals in a row mean a bug and raise."""
        self._refusals += 1
        if self.session.view is None or message.code == "storage" or self._refusals > MAX_REFUSALS:
            await super().refused(message)
        await self.consider()

    def _owed_frame(self) -> int:
        """Return the number of the frame that awaits our decision, 0 for none."""
        session = self.session
        if session.seat < 0 or not session.in_sync or self._over:
            return 0
        owes = session.seat in engine.owed(self.rules, self.position)
        return engine.top(self.position).no if owes else 0

    async def _decide(self, frame: int) -> None:
        """Think and act, unless the decision is over meanwhile; then look for another due decision."""
        action = await self._think(self.session.seat)
        self._thought = None
        if self._owed_frame() == frame:
            await self.send(self.session.act(frame, action))
        else:
            await self.consider()

    async def _think(self, seat: Seat) -> Any:
        """Return the bot's action, or the default if the decision fails."""
        position, mind = self.position, self._mind
        # The seed depends on the version, so that drops do not change decisions.
        seed = random.Random(f"{mind.seed}:{seat}:{self.session.version}").getrandbits(32)
        try:
            table = self.session.table
            pace = Pace() if table is None else pace_of(table.pace, table.think)
            seconds = levels.thinking(mind.level, pace)
            raw = await mind.decide(self.rules.id, mind.level, seat, codec.encode(position), seed, seconds)
            return self.rules.action_decoder.decode(raw)
        except Exception:
            log.failure("bot-failed", seat=seat)
            return engine.default(self.rules, position, seat)


def standings(rules: AnyRuleset, position: Any, who: Callable[[Seat], str] = lambda _seat: "") -> str:
    """Return the ranking, a line for each seat. `who`: the name of its player, or "" to leave it out."""
    lines = []
    for place in rules.standings(position):
        owner = f" ({words})" if (words := who(place.seat)) else ""
        lines.append(f"{place.rank}. {rules.seat_name(position, place.seat)}{owner}: {place.score}")
    return "\n".join(lines)
