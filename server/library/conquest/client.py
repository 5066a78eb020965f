"""Client of any server, with asyncio: a seat at a table, a spectator, or a rated match. It needs the extra `wire`."""

import asyncio
import contextlib
import random
import secrets
from collections.abc import AsyncIterator, Callable
from time import monotonic
from types import TracebackType
from typing import Final, Self, TypeAlias

from conquest.actions import Action
from conquest.game import Place
from conquest.records import Record
from conquest.views import View
from protocol import codec, record
from protocol.limits import MAX_TO_CLIENT, Close
from protocol.links import read as read_link
from protocol.process.stopping import run as run
from protocol.routes import routes_of
from protocol.session import ClientSession
from shared import messages as m
from shared.actions.description import Filter
from shared.kernel import engine, frames
from shared.kernel.ruleset import AnyRuleset, rules_of
from shared.rulesets.registry import RULESETS
from shared.tables import ANY_SEAT, TablePhase

try:
    from websockets.asyncio.client import ClientConnection
    from websockets.asyncio.client import connect as open_socket
    from websockets.exceptions import ConnectionClosed, WebSocketException
except ModuleNotFoundError as error:
    needed = f"The client needs the package {error.name}. Do this: pip install 'conquest-empire[wire]'"
    raise ModuleNotFoundError(needed, name=error.name) from None

LONGEST_WAIT: Final = 30.0
"""Seconds between two attempts to come back."""
PATIENCE: Final = 1800.0
"""Seconds without a connection after which a client gives up."""
CLOSING: Final = 1.0
"""Seconds for the server to close the connection."""
LEAVING: Final = 2.5
"""Seconds for leaving a seat, once more if the request came too fast."""
TOO_FAST: Final = 1.0
"""Seconds until what came too fast is sent again."""
_FINAL: Final = {
    Close.REPLACED: "Another client plays on this seat now.",
    Close.VERSION: "Another version is needed.",
    Close.BANNED: "This server has banned you.",
}


class Refused(Exception):
    """Raised for a request that the server refused. `code`: of SPEC's list."""

    def __init__(self, message: m.Refused) -> None:
        super().__init__(message.text)
        self.code = message.code


class Parted(Exception):
    """Raised when the seat or the server is lost for good; the message is a sentence."""


Opening: TypeAlias = Callable[[ClientSession], bytes]
"""Function that returns the request to send after the greeting."""


class Table:
    """Connection to a table. It comes back after lost connections, checks digests, and repeats unanswered actions.

    Make one with `connect`, `watch` or `rated`, and use it with `async with`. Leaving the block closes the connection
    and keeps the seat, see `leave`. `chat` holds what was said: seat, name and text.
    """

    def __init__(self, address: str, name: str, opening: Opening, key: bytes = b"") -> None:
        self._routes = routes_of(address)
        self._opening = opening
        self._greeted = False
        self.session = ClientSession(name, "conquest-library", lambda: secrets.token_bytes(32))
        """Protocol state, as SPEC describes it."""
        self.session.secret = lambda: key
        self.chat: list[tuple[int, str, str]] = []
        self._done = -1
        self._version_seen = -1
        self._socket: ClientConnection | None = None
        self._answers: dict[int, tuple[asyncio.Future[m.ServerMessage], bytes]] = {}
        """By number, requests without an answer so far, and their bytes for the next connection."""
        self._repeats = False
        """Whether this connection has still to repeat them."""
        self._changed = asyncio.Condition()
        self._ended: Exception | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._follow())
        try:
            await self._until(lambda: self.session.at_table)
        except BaseException:
            with contextlib.suppress(Refused, Parted):
                await self.leave()  # The seat may have been taken meanwhile.
            await self.__aexit__(None, None, None)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    # The match

    @property
    def rules(self) -> AnyRuleset:
        """Rules of the table, in its version."""
        table = self.session.table
        if table is None:
            raise ValueError("The table is not known yet.")
        return rules_of(RULESETS, table.ruleset, table.version or RULESETS[table.ruleset].version)

    @property
    def seat(self) -> int:
        """Number of the seat, -1 for a spectator."""
        return self.session.seat

    @property
    def view(self) -> View | None:
        """The position as the seat or a spectator knows it; None before the match begins, and while it is being
        repaired."""
        if not self.session.in_sync:
            return None
        seat = self.seat if self.seat >= 0 else None
        return View(self.rules, self.rules.view_decoder.decode(codec.ENCODER.encode(self.session.view)), seat)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        table, view = self.session.table, self.view
        return (table is not None and table.phase == TablePhase.OVER) or (view is not None and not view.owing)

    def result(self) -> tuple[Place, ...]:
        """Return the ranking of all seats as the view gives it."""
        view = self.view
        if view is None:
            return ()
        rules, raw = self.rules, view.raw
        return tuple(
            [
                Place(place.seat, place.rank, rules.seat_name(raw, place.seat), str(place.score))
                for place in rules.standings(raw)
            ]
        )

    async def turns(self) -> AsyncIterator[View]:
        """Yield the view whenever the seat decides, until the match is over. Play before you ask for the next one."""
        if self.seat < 0:
            raise ValueError("Spectators have no turns; use changes().")
        self._done = -1
        while True:
            await self._until(lambda: self.over or self._decides())
            view = self.view
            if self.over or view is None:
                return
            self._done = self.session.version
            yield view

    async def changes(self) -> AsyncIterator[View]:
        """Yield the view whenever the position has changed, until the match is over. Slow readers miss some changes."""
        self._version_seen = -1
        while True:
            await self._until(lambda: self.over or self._has_changed())
            view, new = self.view, self._has_changed()
            self._version_seen = self.session.version
            if view is not None and new:
                yield view
            if self.over and not self._has_changed():
                return

    def _has_changed(self) -> bool:
        return self.session.in_sync and self.session.version > self._version_seen

    def _decides(self) -> bool:
        view = self.view
        free = view is not None and not self.session.pending and self.session.version > self._done
        return free and view is not None and self.seat in view.owing

    # Requests

    async def play(self, action: Action | frames.Action | str) -> int:
        """Play an action, given as such or in words; return the version that it made. Raises Refused, Misread."""
        view = self.view
        if view is None:
            raise ValueError("The match has not begun.")
        if isinstance(action, str):
            action = view.legal().read(action)
        raw = action.raw if isinstance(action, Action) else action
        standing = isinstance(raw, self.rules.standing.kinds)
        data = self.session.act(0 if standing else engine.top(view.raw).no, raw)
        # Numbers of commands rise, so the greatest is this one's.
        command = max(self.session.pending)
        answer = await self._answer(command, data)
        assert isinstance(answer, m.Accepted)
        # The answer may come before the frame with the new position.
        await self._until(lambda: self.session.version >= answer.version)
        return answer.version

    async def choices(self, wanted: Filter | None = None) -> m.Choices:
        """Return the server's own list of legal actions, with labels and forms. Raises Refused."""
        view = self.view
        if view is None:
            raise ValueError("The match has not begun.")
        frame = engine.top(view.raw).no
        answer = await self.ask(lambda ref: m.Consider(ref, frame, wanted))
        assert isinstance(answer, m.Choices)
        return answer

    async def undo(self) -> None:
        """Take back the last action of this seat; on return `view` is the earlier position. Raises Refused.

        `session.undo` is the number of actions that may be taken back.
        """
        version = self.session.version
        await self.ask(lambda ref: m.Undo(ref, version))
        await self._until(lambda: self.session.in_sync and self.session.version > version)

    async def say(self, text: str) -> None:
        """Say something at the table. Raises Refused."""
        await self.send(codec.encode(m.Say(self.session.ref(), text)))

    async def record(self) -> Record:
        """Return the record of the match, once it is over and if the table shows it. Raises Refused."""
        data, total, upto = b"", 1, 0
        while len(data) < total:
            start, end = len(data), upto
            answer = await self.ask(lambda ref, at=start, to=end: self._recall(ref, at, to))  # type: ignore[misc]
            assert isinstance(answer, m.Recalled)
            data, total, upto = data + answer.data, answer.total, answer.upto
        return Record(record.read(data))

    def _recall(self, ref: int, start: int, upto: int) -> m.Recall:
        return m.Recall(ref, self.session.match, self.session.token, "", start, 0, upto)

    async def leave(self) -> None:
        """Give the seat up, and wait for the answer, some seconds at most. Raises Refused and Parted."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LEAVING):
                while True:
                    try:
                        await self.ask(m.Leave)
                        return
                    except Refused as refused:
                        if refused.code != "rate":
                            raise
                    await asyncio.sleep(TOO_FAST)

    async def ask(self, make: Callable[[int], m.ClientMessage]) -> m.ServerMessage:
        """Send any request of SPEC with a new number, and return its answer. Raises Refused."""
        ref = self.session.ref()
        return await self._answer(ref, codec.encode(make(ref)))

    async def send(self, data: bytes) -> None:
        """Send bytes, as fast as the server allows; what matters is repeated on the next connection."""
        if wait := self.session.pause(monotonic):
            await asyncio.sleep(wait)
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(data)

    async def _answer(self, number: int, data: bytes) -> m.ServerMessage:
        waiting: asyncio.Future[m.ServerMessage] = asyncio.get_running_loop().create_future()
        self._answers[number] = waiting, data
        try:
            await self.send(data)
            assert self._task is not None
            # Once the task of the connection has ended, no answer comes any more.
            await asyncio.wait((waiting, self._task), return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                raise self._ended or Parted("The connection was closed.")
            answer: m.ServerMessage = waiting.result()
        finally:
            del self._answers[number]
        if isinstance(answer, m.Refused):
            raise Refused(answer)
        return answer

    async def _until(self, is_so: Callable[[], bool]) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._ended is not None or is_so())
        if self._ended is not None and not is_so():
            raise self._ended

    # The connection

    async def _follow(self) -> None:
        """Use one connection after the other. Whatever ends it is kept for the callers."""
        try:
            await self._come_back()
        except Exception as error:
            self._ended = error
        finally:
            self._ended = self._ended or Parted("The connection was closed.")
            async with self._changed:
                self._changed.notify_all()

    async def _come_back(self) -> None:
        wait, waited, routes = 1.0, 0.0, list(self._routes)
        while True:
            try:
                async with open_socket(
                    routes[0], compression=None, proxy=None, max_size=MAX_TO_CLIENT, close_timeout=CLOSING
                ) as socket:
                    self._socket = socket
                    wait, waited = 1.0, 0.0
                    await self._exchange_messages(socket)
            except (OSError, WebSocketException) as error:
                code = error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else 0
                if code in _FINAL:
                    raise Parted(_FINAL[Close(code)]) from None
                # A route that worked once is kept, however long the server is away.
                if not self._greeted:
                    if len(routes) < 2:
                        raise Parted(f"No server can be reached there: {error}") from None
                    routes.pop(0)
                    continue
            self._socket = None
            if waited > PATIENCE:
                raise Parted("The server has been out of reach for too long.")
            await asyncio.sleep(wait * random.uniform(0.7, 1.3))
            waited, wait = waited + wait, min(LONGEST_WAIT, wait * 1.8)

    async def _exchange_messages(self, socket: ClientConnection) -> None:
        await socket.send(self.session.connect())
        async for data in socket:
            received = self.session.receive(data if isinstance(data, bytes) else data.encode())
            if isinstance(received.message, m.Refused) and received.message.code == "rate" and received.replies:
                await asyncio.sleep(TOO_FAST)
            for reply in received.replies:
                await self.send(reply)
            if received.message is not None:
                await self._heed(received.message, socket)
            async with self._changed:
                self._changed.notify_all()

    async def _heed(self, message: m.ServerMessage, socket: ClientConnection) -> None:
        number = getattr(message, "ref", getattr(message, "command", 0))
        if number in self._answers and not self._answers[number][0].done():
            self._answers[number][0].set_result(message)
            return
        match message:
            case m.Welcome():
                self._repeats = True
                if not self.session.returns:
                    await socket.send(self._opening(self.session))
                self._greeted = True
            case m.TableState() if self._repeats:
                self._repeats = False
                for ref, (_, data) in list(self._answers.items()):
                    if ref not in self.session.pending:  # The session repeats actions itself.
                        await socket.send(data)
            case m.Invited() if not self.session.at_table:
                await socket.send(self.session.take(message.match, message.token))
            case m.Refused() if not self.session.at_table:
                raise Parted(message.text)
            case m.Left():
                raise Parted(message.text)
            case m.Said():
                self.chat.append((message.seat, message.name, message.text))


def connect(address: str, code: str = "", name: str = "Library", seat: int = ANY_SEAT) -> Table:
    """Return a seat at a table, to be used with `async with`.

    address: HOST, HOST:PORT, a ws:// or wss:// address, or the link to the table. code: of the table. seat: a number
    from 0, by default the first free one. Raises ValueError for a bad address; entering raises `Parted`.
    """
    place, code = _place(address, code)

    def join(session: ClientSession) -> bytes:
        wish = m.Join(session.ref(), "", code, seat)
        return codec.encode_lean(session.seat_by(wish, secrets.token_bytes(16)))

    return Table(place, name, join)


def watch(address: str, code: str = "", name: str = "Library", match: str = "") -> Table:
    """Return a table to be watched, to be used with `async with`.

    address, code: as for `connect`. match: the match's id, in place of a code if the table is open to all. Raises
    ValueError for a bad address; entering raises `Parted`.
    """
    place, code = (read_link(address).address, code) if match else _place(address, code)
    return Table(place, name, lambda session: session.watch(match, code))


def rated(address: str, name: str, key: bytes, game: str = "classic") -> Table:
    """Return a rated match, to be used with `async with`. Entering waits for an opponent, and raises `Parted`.

    key: 32 random bytes that own the name on the ladder, such as `secrets.token_bytes(32)`; keep them. A program that
    starts again returns to its running match. Raises ValueError for a bad address or key.
    """
    if len(key) != 32:
        raise ValueError(f"A key has 32 bytes, not {len(key)}.")
    return Table(read_link(address).address, name, lambda session: codec.encode(m.Compete(session.ref(), game)), key)


def _place(address: str, code: str) -> tuple[str, str]:
    """Return address and code of a table. Raises ValueError."""
    place = read_link(address)
    if not (code or place.code):
        raise ValueError("No table is given; add code=..., or give the link that the host sees.")
    return place.address, code or place.code
