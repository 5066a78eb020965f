"""A node among others on one PostgreSQL: it says every second that it lives. Only the database's clock counts."""

import asyncio
import contextlib
import math
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Final

import asyncpg
from msgspec import Struct

from server import log
from server.storage.port import StoreError
from server.storage.postgres_line import LOST, Connection, words

BEAT: Final = 1.0
"""Seconds between two signs of life."""
DEAD: Final = 4.0
"""Seconds after the last one from which on a node counts as dead: others may take what it has."""
STALLED: Final = 2.0
"""Seconds between two of them after which a node counts as new: where it could not reach the database, maybe nobody
could, and others only seem dead. Less than `DEAD` by more than a beat: theirs may be that much older than its own."""
JOINED: Final = 2.0
"""Seconds after it came, or came back, in which a node takes nothing from the dead: so long those who only seem so
have to show that they live."""
ANSWER: Final = 1.5
"""Seconds after which a sign of life counts as lost."""
AGAIN: Final = 0.2
"""Seconds until the next try, where one failed."""
FORGOTTEN: Final = 86_400.0
"""Seconds after which a node that ended without a word, and has nothing any more, is struck off the list."""
ALONE: Final = 0x416C6F6E65
"""Of the advisory lock that a server holds which shares with no other, and that nodes hold together."""

AGE: Final = "(SELECT coalesce(max(life.age), 0) FROM life)"
"""The common age, as it was kept last."""
_BEAT: Final = f"""
INSERT INTO nodes (node, name, url, protocol, since, seen, age) VALUES ($1, $2, $3, $4, now(), now(), {AGE})
ON CONFLICT (node) DO UPDATE SET seen = excluded.seen, age = excluded.age,
    since = CASE WHEN nodes.seen < now() - interval '{STALLED} seconds' THEN now() ELSE nodes.since END
"""
_TIDY: Final = f"""
DELETE FROM nodes WHERE seen < now() - interval '{FORGOTTEN} seconds'
    AND NOT EXISTS (SELECT FROM matches WHERE owner = node)
"""
_LEAVE: Final = """
WITH gone AS (DELETE FROM nodes WHERE node = $1) UPDATE matches SET owner = NULL WHERE owner = $1
"""


class Node(Struct, frozen=True):
    """A process that shares its matches with others. `node`: its id, another one with every start; `name`: what its
    operator calls it; `url`: where people find it; `protocol`: of what nodes say to each other; `silent`: seconds since
    its last sign of life, when it was asked for."""

    node: str
    name: str = ""
    url: str = ""
    protocol: int = 0
    silent: float = 0.0


def new_node(name: str = "", url: str = "", protocol: int = 0) -> Node:
    """This process, under an id that nobody had before."""
    return Node(secrets.token_hex(8), name, url, protocol)


class Membership:
    """The signs of life of one node, over a line of their own. `monotonic` tells seconds, also those in which the
    process stood still; `sleep` waits so many."""

    def __init__(
        self,
        url: str,
        node: Node,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.node = node
        self.beating = False
        """Whether the last sign of life was taken."""
        self.lapses = 0
        """How often so much time went by between two of them that others may have taken what this node had."""
        self._url = url
        self._monotonic = monotonic
        self._sleep = sleep
        self._seen = -math.inf
        self._connection: Connection | None = None
        self._turn = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def silence(self) -> float:
        """Seconds since the last sign of life that was taken went out: after `DEAD` others may have every match of this
        node, and it has to let go of them. Never less than what the others see."""
        return self._monotonic() - self._seen

    async def join(self) -> None:
        """Say for the first time that this node lives, and go on with it. StoreError says what is in the way."""
        await self.beat()
        self._task = asyncio.create_task(self._go_on(), name="membership")

    async def beat(self) -> None:
        """One sign of life. Raises StoreError where it was not taken, or nobody knows."""
        async with self._turn:
            sent = self._monotonic()
            try:
                await self._beat(self.node)
            except StoreError as error:
                if self.beating:
                    log.warning("node-unheard", node=self.node.node, error=str(error))
                self.beating = False
                self._hang_up()
                raise
            if not self.beating:
                log.info("node-lives", node=self.node.node)
            self.lapses += DEAD < sent - self._seen < math.inf
            self._seen, self.beating = sent, True

    async def leave(self) -> None:
        """Good-bye: whatever this node still owns is free. Where the database cannot be reached, others will notice."""
        async with self._turn:
            if self._task is not None:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)
            with contextlib.suppress(*LOST, asyncpg.PostgresError, StoreError):
                connection = await self._line()
                await connection.execute(_LEAVE, self.node.node)
                await connection.close(timeout=ANSWER)
            self._hang_up()

    async def _go_on(self) -> None:
        while True:
            await self._sleep(max(AGAIN, BEAT - self.silence) if self.beating else AGAIN)
            try:
                await self.beat()
            except StoreError:
                continue
            except Exception:
                log.failure("node-failed", node=self.node.node)
                self._hang_up()

    async def _beat(self, node: Node) -> None:
        try:
            connection = await self._line()
            await connection.execute(_BEAT, node.node, node.name, node.url, node.protocol)
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            raise StoreError(f"Cannot use the database: {words(error)}.") from None

    async def _line(self) -> Connection:
        """The connection, which holds the lock that keeps servers away that share with nobody."""
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(self._url, timeout=ANSWER, command_timeout=ANSWER)
            if not await self._connection.fetchval("SELECT pg_try_advisory_lock_shared($1)", ALONE):
                raise StoreError("A server that shares with no other keeps its matches in this database already.")
            await self._connection.execute(_TIDY)
        return self._connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
