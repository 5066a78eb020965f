"""The lines to PostgreSQL: how long they may take, and what is raised where they fail."""

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Generator
from functools import partial
from types import coroutine
from typing import Any, Final, TypeAlias, TypeVar, cast

import asyncpg

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
T = TypeVar("T")

START: Final = 20.0
"""Seconds within which the first connection of a server must stand, however far away the database is."""
CONNECT: Final = 5.0
"""Seconds within which a connection must stand: TLS and a password take up to eight round trips."""
ANSWER: Final = 3.0
"""Seconds after which a statement counts as lost. A match waits that long where a connection no longer carries
anything, and a promise to players is 5 s."""
READ: Final = 15.0
"""The same where much is read, which may take longer."""
MIGRATE: Final = 600.0
"""The same where tables are changed."""
CONNECTIONS: Final = 8
"""Of one node: so many matches commit side by side."""
SPARE: Final = 300.0
"""Seconds after which a connection that nobody needed is given up."""
LOST: Final = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # Of a line whose end the database has said, but which still seems to be there.
    asyncpg.PostgresConnectionError,
    asyncpg.exceptions.OperatorInterventionError,
    asyncpg.exceptions.TooManyConnectionsError,
)
"""What is raised where nobody knows whether the database did as it was told."""


def words(error: BaseException) -> str:
    """What went wrong, without a full stop."""
    return (str(error) or type(error).__name__).rstrip(".")


class PostgresConnections:
    """Connections to one database, each for one at a time: whoever asks has one at once, as long as any is free. What a
    pool of the library does besides takes longer than an append; nothing of a session is ever changed here."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._places = asyncio.Semaphore(CONNECTIONS)
        self._idle: list[tuple[Connection, float]] = []
        """With the time since when nobody has needed it; the one that was used last is the next one to be used."""
        self.in_use = 0
        self._closed = False

    @property
    def at_hand(self) -> bool:
        """Whether one stands that is free."""
        return not self._places.locked() and self._has_spare()

    async def take(self) -> Connection:
        """One for oneself until it is given back; at once where one is `at_hand`. Raises what is LOST."""
        if self._closed:
            raise asyncpg.InterfaceError("the store is closed")
        await self._place()
        try:
            connection = self._idle.pop()[0] if self._has_spare() else await self._new()
        except BaseException:
            self._places.release()
            raise
        self.in_use += 1
        return connection

    def give_back(self, connection: Connection) -> None:
        """Others may have it."""
        if self._closed:
            connection.terminate()
        self._idle.append((connection, time.monotonic()))
        self.in_use -= 1
        self._places.release()

    def distrust(self) -> None:
        """Give up all free connections: one of their kind was lost, and whatever broke it may have broken all."""
        for connection, _ in self._idle:
            connection.terminate()
        self._idle.clear()

    async def close(self) -> None:
        """End all, and wait a while for those that are in use. Nobody gets one any more."""
        self._closed = True
        with contextlib.suppress(*LOST):
            async with asyncio.timeout(READ):
                for _ in range(CONNECTIONS):
                    await self._places.acquire()
                for connection, _ in self._idle:
                    await connection.close()
        for connection, _ in self._idle:
            connection.terminate()

    def _has_spare(self) -> bool:
        while self._idle and not _is_good(*self._idle[-1]):
            self._idle.pop()[0].terminate()
        return bool(self._idle)

    async def _place(self) -> None:
        if not self._places.locked():
            await self._places.acquire()
        else:
            async with asyncio.timeout(CONNECT):
                await self._places.acquire()

    async def _new(self) -> Connection:
        connection = await asyncpg.connect(self._url, timeout=CONNECT, command_timeout=ANSWER)
        # What is asked goes out with the call: uvloop would put it off to the end of its turn.
        connection._transport.set_write_buffer_limits(0)  # type: ignore[attr-defined]
        return connection


def _is_good(connection: Connection, since: float) -> bool:
    return not connection.is_closed() and time.monotonic() - since < SPARE


def begun(work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
    """A task whose work begins with this call, up to where it waits for the first time; until there it must not ask for
    the present task. (From Python 3.12 on the library can do this.)"""
    parts = _whole(work)
    parts.send(None)
    return asyncio.create_task(parts)


async def _whole(work: Coroutine[Any, Any, T]) -> T:
    """Its parts, as what a task takes: from Python 3.12 on no generator is."""
    return await _in_parts(work)


@coroutine
def _in_parts(work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """The first part, a halt until a task goes on with it, and the others."""
    part = partial(work.send, None)
    halted = False
    while True:
        try:
            waited = part()
        except StopIteration as done:
            if not halted:
                yield
            return cast(T, done.value)
        try:
            if not halted:
                halted = True
                yield
            part = partial(work.send, (yield waited))
        except BaseException as error:
            part = partial(work.throw, error)
