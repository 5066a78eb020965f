"""Lock of a server that uses a database alone: it holds the lock in the database as long as it runs."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

import asyncpg

from server.cluster.postgres.connection import ANSWER, CONNECT, LOST, START, Connection, words
from server.cluster.postgres.node_heartbeat import AGAIN, ALONE, BEAT
from server.storage.port import StoreError

OTHERS: Final = "Another server uses this database; stop it, or share the matches with --bus."
_LET_GO: Final = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()
"""
"""Ends old connections of this server that the database still holds open: they would block its own lock."""


class ExclusiveLock:
    """The lock, on a connection of its own. After a loss it is taken again, unless another server has it by then.

    `trouble`: why it is not held, "" while it is. `sleep` waits for that many seconds.
    """

    def __init__(self, url: str, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self.trouble = ""
        self._url = url
        self._name = f"conquest {secrets.token_hex(8)}"
        self._sleep = sleep
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Take the lock and keep it. StoreError gives the reason if it cannot be taken."""
        await self.look()
        if self.trouble:
            raise StoreError(self.trouble)
        self._task = asyncio.create_task(self._go_on(), name="sole")

    async def look(self) -> None:
        """Check whether the lock is still held; if not, try to take it."""
        try:
            self.trouble = "" if await self._holds() else OTHERS
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            self.trouble = f"Cannot use the database: {words(error)}."
        if self.trouble:
            self._hang_up()

    async def end(self) -> None:
        """Release the lock."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            with contextlib.suppress(*LOST, asyncpg.PostgresError):
                await self._connection.close(timeout=ANSWER)
        self._hang_up()

    async def _go_on(self) -> None:
        while True:
            await self._sleep(AGAIN if self.trouble else BEAT)
            await self.look()

    async def _holds(self) -> bool:
        if self._connection is not None and not self._connection.is_closed():
            return bool(await self._connection.fetchval("SELECT true"))
        limit = START if self._task is None else CONNECT
        self._connection = await asyncpg.connect(
            self._url, timeout=limit, command_timeout=ANSWER, server_settings={"application_name": self._name}
        )
        await self._connection.execute(_LET_GO, self._name)
        return bool(await self._connection.fetchval("SELECT pg_try_advisory_lock($1)", ALONE))

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
