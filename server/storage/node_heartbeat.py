"""Signs of life of the nodes that share one PostgreSQL.

Each node writes a new date into its row every second. That date only tells one sign of life from the next: no node
compares it with the database's clock, which may step back, or belong to another machine after a failover. How long a
row has stood unchanged, each node measures by its own monotonic clock.
"""

import asyncio
import contextlib
import itertools
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime
from typing import Any, Final

import asyncpg
from msgspec import Struct

from server import log
from server.storage.port import StoreError
from server.storage.postgres_connection import LOST, START, Connection, words

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
PATIENCE: Final = (ANSWER, 3.0, 6.0)
"""Seconds for attempts to connect, one after the other and then from the start: short ones notice at once that a cut
has healed, long ones succeed where the database is far away."""
LAST_ANSWER: Final = 3.0
"""Seconds for the answer to the last statement: a node that closes many connections hears late."""
AGAIN: Final = 0.2
"""Seconds until the next try, where one failed."""
FORGOTTEN: Final = 86_400.0
"""Seconds after which a node that ended without a word, and has nothing any more, is struck off the list."""
ALONE: Final = 0x416C6F6E65
"""Of the advisory lock that a server holds which shares with no other, and that nodes hold together."""

AGE: Final = "(SELECT coalesce(max(life.age), 0) FROM life)"
"""The common age, as it was kept last."""
_BEAT: Final = f"""
WITH mine AS (
    INSERT INTO nodes (node, name, url, protocol, since, seen, age) VALUES ($1, $2, $3, $4, now(), now(), {AGE})
    ON CONFLICT (node) DO UPDATE SET seen = excluded.seen, age = excluded.age
)
SELECT node, seen, extract(epoch FROM now() - seen)::float8 AS ago FROM nodes WHERE node <> $1
"""
"""Also returns the other rows, for a look at who lives."""
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


class Sighting(Struct, frozen=True):
    """Another node: the date of its last sign of life, and since when, by this node's clock, that has not changed."""

    node: str
    seen: datetime
    since: float


class NodeHeartbeat:
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
        self._others: dict[str, Sighting] = {}
        self._patience: Iterator[float] = itertools.chain((START,), itertools.cycle(PATIENCE))
        self._connection: Connection | None = None
        self._turn = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def silence(self) -> float:
        """Seconds since the last sign of life that was taken went out: after `DEAD` others may have every match of this
        node, and it has to let go of them. Never less than what the others see."""
        return self._monotonic() - self._seen

    def silence_of(self, node: str) -> float:
        """Seconds since a sign of life of that node was seen here; 0 for one that has come since the last look."""
        if node == self.node.node:
            return self.silence
        sighting = self._others.get(node)
        return 0.0 if sighting is None else self._monotonic() - sighting.since

    @property
    def steady(self) -> bool:
        """Whether this node was heard of late. If not, it has not seen the others either, and takes nothing."""
        return self.silence < STALLED

    @property
    def dead(self) -> list[Sighting]:
        """Nodes whose matches this one may take, as long as their last sign of life remains the last."""
        if not self.steady:
            return []
        return [each for each in self._others.values() if self.silence_of(each.node) >= DEAD]

    async def join(self) -> None:
        """Say for the first time that this node lives, and go on with it. StoreError says what is in the way."""
        await self.beat()
        self._task = asyncio.create_task(self._go_on(), name="membership")

    async def beat(self) -> None:
        """One sign of life. Raises StoreError where it was not taken, or nobody knows."""
        async with self._turn:
            sent = self._monotonic()
            try:
                rows = await self._beat(self.node)
            except StoreError as error:
                if self.beating:
                    log.warning("node-unheard", node=self.node.node, error=str(error))
                self.beating = False
                self._hang_up()
                raise
            if not self.beating:
                log.info("node-lives", node=self.node.node)
            self.lapses += DEAD < sent - self._seen < math.inf
            self._look(rows, anew=sent - self._seen >= STALLED)
            self._seen, self.beating = sent, True

    async def leave(self) -> None:
        """Good-bye: whatever this node still owns is free. Where the database cannot be reached, others will notice."""
        async with self._turn:
            if self._task is not None:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)
            with contextlib.suppress(*LOST, asyncpg.PostgresError, StoreError):
                connection = await self._line(ANSWER)
                await connection.execute(_LEAVE, self.node.node, timeout=LAST_ANSWER)
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

    def _look(self, rows: "list[Any]", anew: bool) -> None:
        """Note who gave a new sign of life. `anew`: this node has just come, or was away, and has not watched the
        others meanwhile: those who only seem dead have `JOINED` seconds to show that they live.

        How old a new sign is, only the database's clock knows. It is believed for less than a takeover takes, since it
        may have stepped."""
        now, known = self._monotonic(), self._others
        self._others = {}
        for node, seen, ago in rows:
            before = known.get(node)
            if before is None or before.seen != seen:
                since = now - min(max(0.0, ago), DEAD - JOINED if anew else BEAT)
            else:
                since = max(before.since, now - (DEAD - JOINED)) if anew else before.since
            self._others[node] = Sighting(node, seen, since)

    async def _beat(self, node: Node) -> "list[Any]":
        """Write a sign of life, and return node, date and age of the last one of all others."""
        fresh = self._connection is None or self._connection.is_closed()
        limit = next(self._patience) if fresh else ANSWER
        try:
            connection = await self._line(limit)
            rows = await connection.fetch(_BEAT, node.node, node.name, node.url, node.protocol, timeout=limit)
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            raise StoreError(f"Cannot use the database: {words(error)}.") from None
        self._patience = itertools.cycle(PATIENCE)
        return rows

    async def _line(self, limit: float) -> Connection:
        """The connection, which holds the lock that keeps servers away that share with nobody. `limit`: seconds for
        each step of making it."""
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(self._url, timeout=limit, command_timeout=ANSWER)
            lock = "SELECT pg_try_advisory_lock_shared($1)"
            if not await self._connection.fetchval(lock, ALONE, timeout=limit):
                raise StoreError("A server that shares with no other keeps its matches in this database already.")
            await self._connection.execute(_TIDY, timeout=limit)
        return self._connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
