"""A server that shares its matches with no other: it holds a lock in the database for as long as it is there."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

import asyncpg

from server.storage.membership import AGAIN, ALONE, BEAT
from server.storage.port import StoreError
from server.storage.postgres_line import ANSWER, CONNECT, LOST, START, Connection, words

OTHERS: Final = "Another server keeps its matches in this database already."
_LET_GO: Final = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()
"""
"""What is left of a line that was lost on this side alone, and would hold the lock against its own server."""


class Sole:
    """The lock, over a line of its own: where that was lost, it is taken again, unless another server has it by then.
    `trouble`: why it is not held, "" while it is; `sleep` waits so many seconds."""

    def __init__(self, url: str, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self.trouble = ""
        self._url = url
        self._name = f"conquest {secrets.token_hex(8)}"
        self._sleep = sleep
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Take it, and see to it that it stays. StoreError says what is in the way."""
        await self.look()
        if self.trouble:
            raise StoreError(self.trouble)
        self._task = asyncio.create_task(self._go_on(), name="sole")

    async def look(self) -> None:
        """Whether it is still held; if not, take it, if that can be."""
        try:
            self.trouble = "" if await self._holds() else OTHERS
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            self.trouble = f"Cannot use the database: {words(error)}."
        if self.trouble:
            self._hang_up()

    async def end(self) -> None:
        """Let go of it."""
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
