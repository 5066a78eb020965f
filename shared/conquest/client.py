"""Player over the network, with asyncio: a seat at a table of any server. It needs the extra `wire`."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Final, Self

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, WebSocketException

from conquest.actions import Action
from conquest.game import Place
from conquest.records import Record
from conquest.views import View
from protocol import codec, record
from protocol.limits import MAX_TO_CLIENT, Close
from protocol.links import read as read_link
from protocol.routes import routes_of
from protocol.session import ClientSession
from shared import messages as m
from shared.kernel import engine, frames
from shared.kernel.ruleset import AnyRuleset
from shared.kernel.versions import rules_of
from shared.labels.description import Filter
from shared.rulesets.registry import RULESETS
from shared.tables import ANY_SEAT, TablePhase

LONGEST_WAIT: Final = 30.0
"""Seconds between two attempts to come back."""
PATIENCE: Final = 1800.0
"""Seconds without a connection after which a client gives up."""
_FINAL: Final = {Close.REPLACED: "Another client plays on this seat now.", Close.VERSION: "Another version is needed."}


class Refused(Exception):
    """Raised for a request that the server refused. `code`: of SPEC's list."""

    def __init__(self, message: m.Refused) -> None:
        super().__init__(message.text)
        self.code = message.code


class Parted(Exception):
    """Raised when the seat or the server is lost for good; the message is a sentence."""


class Table:
    """Seat at a table. It comes back after lost connections, checks digests, and repeats unanswered actions.

    Use it with `async with`; leaving the block closes the connection and keeps the seat, see `leave`. `chat` holds what
    was said: seat, name and text.
    """

    def __init__(self, address: str, code: str, name: str, seat: int) -> None:
        place = read_link(address)
        self._routes = routes_of(place.address)
        self._code = code or place.code
        if not self._code:
            raise ValueError("No table is given; add code=..., or give the link that the host sees.")
        self.session = ClientSession(name, "conquest-library", lambda: secrets.token_bytes(32))
        """Protocol state, as SPEC describes it."""
        self.chat: list[tuple[int, str, str]] = []
        self._wanted_seat = seat
        self._done = -1
        self._socket: ClientConnection | None = None
        self._answers: dict[int, asyncio.Future[m.ServerMessage]] = {}
        self._changed = asyncio.Condition()
        self._ended: Exception | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._follow())
        await self._until(lambda: self.session.table is not None and self.session.seat >= 0)
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
        """Number of the seat."""
        return self.session.seat

    @property
    def view(self) -> View | None:
        """The position as the seat knows it; None before the match begins, and while it is being repaired."""
        if not self.session.in_sync:
            return None
        return View(self.rules, self.rules.view_decoder.decode(codec.ENCODER.encode(self.session.view)), self.seat)

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
        self._done = -1
        while True:
            await self._until(lambda: self.over or self._decides())
            view = self.view
            if self.over or view is None:
                return
            self._done = self.session.version
            yield view

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
        command = max(self.session.pending)
        answer = await self._answer(command, data)
        assert isinstance(answer, m.Accepted)
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
        """Take back the last action of this seat. Raises Refused."""
        await self.ask(lambda ref: m.Undo(ref, self.session.version))

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
        """Give the seat up. Raises Refused."""
        await self.send(codec.encode(m.Leave(self.session.ref())))

    async def ask(self, make: Callable[[int], m.ClientMessage]) -> m.ServerMessage:
        """Send any request of SPEC with a new number, and return its answer. Raises Refused."""
        ref = self.session.ref()
        return await self._answer(ref, codec.encode(make(ref)))

    async def send(self, data: bytes) -> None:
        """Send bytes; without a connection the session repeats what matters on the next one."""
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(data)

    async def _answer(self, number: int, data: bytes) -> m.ServerMessage:
        waiting = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            await self.send(data)
            assert self._task is not None
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
                async with open_socket(routes[0], compression=None, proxy=None, max_size=MAX_TO_CLIENT) as socket:
                    self._socket = socket
                    wait, waited = 1.0, 0.0
                    await self._converse(socket)
            except (OSError, WebSocketException) as error:
                code = error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else 0
                if code in _FINAL:
                    raise Parted(_FINAL[Close(code)]) from None
                if not self.session.token:
                    if len(routes) < 2:
                        raise Parted(f"No server can be reached there: {error}") from None
                    routes.pop(0)
                    continue
            self._socket = None
            if waited > PATIENCE:
                raise Parted("The server has been out of reach for too long.")
            await asyncio.sleep(wait * random.uniform(0.7, 1.3))
            waited, wait = waited + wait, min(LONGEST_WAIT, wait * 1.8)

    async def _converse(self, socket: ClientConnection) -> None:
        await socket.send(self.session.connect())
        async for data in socket:
            received = self.session.receive(data if isinstance(data, bytes) else data.encode())
            for reply in received.replies:
                await socket.send(reply)
            if received.message is not None:
                await self._heed(received.message, socket)
            async with self._changed:
                self._changed.notify_all()

    async def _heed(self, message: m.ServerMessage, socket: ClientConnection) -> None:
        number = getattr(message, "ref", getattr(message, "command", 0))
        if number in self._answers and not self._answers[number].done():
            self._answers[number].set_result(message)
            return
        match message:
            case m.Welcome() if not self.session.token:
                join = m.Join(self.session.ref(), "", self._code, self._wanted_seat)
                await socket.send(codec.encode_lean(self.session.seat_by(join, secrets.token_bytes(16))))
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
    return Table(address, code, name, seat)
