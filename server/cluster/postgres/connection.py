"""Connections to PostgreSQL: time limits, and the errors that leave the outcome unknown."""

import asyncio
import contextlib
import math
import time
from collections.abc import Coroutine, Generator
from functools import partial
from types import coroutine
from typing import Any, Final, TypeAlias, TypeVar, cast

import asyncpg

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
T = TypeVar("T")

START: Final = 20.0
"""Seconds for the first connection of a server, however far away the database is."""
CONNECT: Final = 5.0
"""Seconds for a connection: TLS and a password take up to eight round trips."""
ANSWER: Final = 4.0
"""Seconds after which a statement counts as lost: a database that answers in 3 s is slow, but works.

A match waits that long on a dead connection if no other one can be opened. Players are promised an answer within 5 s.
"""
STAGGER: Final = 0.3
"""Seconds without a connection after which another one is tried beside it. Where packets get lost, TCP repeats the
first one only after 1, 3 and 7 s."""
ATTEMPTS: Final = 4
"""Connections that are tried at once."""
READ: Final = 15.0
"""The same limit for large reads."""
MIGRATE: Final = 600.0
"""The same limit for migrations."""
CONNECTIONS: Final = 8
"""Connections of one node: the number of matches that can commit at the same time."""
SPARE: Final = 300.0
"""Seconds after which an unused connection is closed."""
LOST: Final = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # Raised on a connection that the database has closed but that still seems to be open.
    asyncpg.PostgresConnectionError,
    asyncpg.exceptions.OperatorInterventionError,
    asyncpg.exceptions.TooManyConnectionsError,
)
"""Errors after which it is unknown whether the database has executed the statement."""


def words(error: BaseException) -> str:
    """Return an error's text without a full stop."""
    return (str(error) or type(error).__name__).rstrip(".")


class PostgresConnections:
    """Connections to one database, each used by one caller at a time; a caller gets a free one at once.

    The library's pool also resets each session, which is never changed here: `SELECT 1` took 113 microseconds
    with it, and 35 without. It has no setting for the write buffer either, which is a private field.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._places = asyncio.Semaphore(CONNECTIONS)
        self._idle: list[tuple[Connection, float]] = []
        """Free connections, with the time of their last use; the last used is reused first."""
        self.in_use = 0
        self._closed = False

    @property
    def at_hand(self) -> bool:
        """Whether an open connection is free."""
        return not self._places.locked() and self._has_spare()

    async def take(self, fresh: bool = False) -> Connection:
        """Take a connection until `give_back`; without waiting if one is `at_hand`. Raises the errors in LOST.

        `fresh`: open a new one.
        """
        if self._closed:
            raise asyncpg.InterfaceError("the store is closed")
        await self._place()
        try:
            connection = await self._new_connection() if fresh or not self._has_spare() else self._idle.pop()[0]
        except BaseException:
            self._places.release()
            raise
        self.in_use += 1
        return connection

    def give_back(self, connection: Connection) -> None:
        """Return a connection for other callers."""
        if self._closed:
            connection.terminate()
        self._idle.append((connection, time.monotonic()))
        self.in_use -= 1
        self._places.release()

    def distrust(self, before: float = math.inf) -> None:
        """Close all free connections that were not used since: the cause that broke one may have broken all."""
        for connection, since in self._idle:
            if since < before:
                connection.terminate()
        self._idle = [each for each in self._idle if each[1] >= before]

    async def close(self) -> None:
        """Close all connections, and wait a while for those in use. No new one can be taken."""
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

    async def _new_connection(self) -> Connection:
        connection = await connected(self._url, CONNECT, ANSWER)
        # Statements are sent with the call: uvloop would delay them to the end of its turn.
        connection._transport.set_write_buffer_limits(0)  # type: ignore[attr-defined]
        return connection


def _is_good(connection: Connection, since: float) -> bool:
    return not connection.is_closed() and time.monotonic() - since < SPARE


async def connected(url: str, limit: float, answer: float) -> Connection:
    """Return the first connection that stands, of several that are tried one after the other. Raises the errors in
    LOST, or what the library does.

    `limit`: seconds for each. `answer`: seconds for each of its statements.
    """
    tasks: list[asyncio.Task[Connection]] = []
    try:
        while True:
            tasks.append(asyncio.create_task(asyncpg.connect(url, timeout=limit, command_timeout=answer)))
            patience = STAGGER if len(tasks) < ATTEMPTS else None
            done, _ = await asyncio.wait(tasks, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            if done:
                return tasks.pop(tasks.index(done.pop())).result()
    finally:
        for task in tasks:
            task.cancel()
            task.add_done_callback(_drop)


def _drop(task: "asyncio.Task[Connection]") -> None:
    """Close a connection that stands, but is not needed."""
    if not task.cancelled() and task.exception() is None:
        task.result().terminate()


def begun(work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
    """Return a task whose work begins with this call, up to the point where it waits for the first time.

    Until there it must not ask for the current task. (From Python 3.12 on the library can do this.)
    """
    parts = _whole(work)
    parts.send(None)
    return asyncio.create_task(parts)


async def _whole(work: Coroutine[Any, Any, T]) -> T:
    """Wrap the parts in a coroutine, because from Python 3.12 on a task takes no generator."""
    return await _in_parts(work)


@coroutine
def _in_parts(work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """Run the first part of the work, halt until a task continues, and run the others."""
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
