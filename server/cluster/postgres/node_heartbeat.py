"""Heartbeats of the nodes that share one PostgreSQL.

Each node writes a new date into its row every second. The date only tells one heartbeat from the next: no node compares
it with the database's clock. That clock may step back, or belong to another machine after a failover. Each node
measures by its own monotonic clock how long a row has stood unchanged.
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
from server.cluster.postgres.connection import LOST, START, Connection, connected, words
from server.storage.port import StoreError

BEAT: Final = 1.0
"""Seconds between two heartbeats."""
DEAD: Final = 4.0
"""Seconds after its last heartbeat after which a node counts as dead: other nodes may take its matches."""
STALLED: Final = 2.0
"""Seconds between its own heartbeats after which a node counts as new.

If it could not reach the database, maybe no node could, and others only seem dead. It is less than `DEAD` by more than
a beat: the others' heartbeats may be that much older than its own.
"""
JOINED: Final = 2.0
"""Seconds after a node joined or returned for which it takes no matches. Nodes that only seem dead can show in that
time that they live."""
ANSWER: Final = 1.5
"""Seconds after which a heartbeat counts as lost."""
PATIENCE: Final = (ANSWER, 3.0, 6.0)
"""Seconds for attempts to connect, in turn and then from the start. Short ones soon notice that a broken network works
again; long ones succeed with a distant database."""
LAST_ANSWER: Final = 3.0
"""Seconds for the answer to the last statement: a node that closes many connections reads it late."""
AGAIN: Final = 0.2
"""Seconds until the next try after a failure."""
FORGOTTEN: Final = 86_400.0
"""Seconds after which a crashed node that owns nothing is deleted from the list."""
ALONE: Final = 0x416C6F6E65
"""Number of the advisory lock. A server that uses the database alone holds it exclusively; nodes hold it together."""

AGE: Final = "(SELECT coalesce(max(life.age), 0) FROM life)"
"""SQL of the common age, as last stored."""
_BEAT: Final = f"""
WITH mine AS (
    INSERT INTO nodes (node, name, url, protocol, since, seen, age) VALUES ($1, $2, $3, $4, now(), now(), {AGE})
    ON CONFLICT (node) DO UPDATE SET seen = excluded.seen, age = excluded.age
)
SELECT node, seen, extract(epoch FROM now() - seen)::float8 AS ago FROM nodes WHERE node <> $1
"""
"""Also returns the other rows, to see which nodes live."""
_TIDY: Final = f"""
DELETE FROM nodes WHERE seen < now() - interval '{FORGOTTEN} seconds'
    AND NOT EXISTS (SELECT FROM matches WHERE owner = node)
"""
_LEAVE: Final = """
WITH gone AS (DELETE FROM nodes WHERE node = $1) UPDATE matches SET owner = NULL WHERE owner = $1
"""


class Node(Struct, frozen=True):
    """Process that shares its matches with others.

    `node`: its id, a new one with every start. `name`: its operator's name for it. `url`: its public address.
    `protocol`: version of the protocol between nodes. `silent`: seconds since its last heartbeat, when it was asked
    for.
    """

    node: str
    name: str = ""
    url: str = ""
    protocol: int = 0
    silent: float = 0.0


def new_node(name: str = "", url: str = "", protocol: int = 0) -> Node:
    """Return a node for this process, with a new id."""
    return Node(secrets.token_hex(8), name, url, protocol)


class Sighting(Struct, frozen=True):
    """Another node: the date of its last heartbeat, and since when, by this node's clock, it has not changed."""

    node: str
    seen: datetime
    since: float


class NodeHeartbeat:
    """Heartbeats of one node, on a connection of their own.

    `monotonic` returns seconds, including those for which the process stood still. `sleep` waits for that many.
    """

    def __init__(
        self,
        url: str,
        node: Node,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.node = node
        self.beating = False
        """Whether the last heartbeat was stored."""
        self.lapses = 0
        """Number of gaps between heartbeats in which other nodes may have taken this node's matches."""
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
        """Seconds since the last stored heartbeat was sent; never less than other nodes measure.

        After `DEAD` seconds others may have every match of this node, and it must let go of them.
        """
        return self._monotonic() - self._seen

    def silence_of(self, node: str) -> float:
        """Return the seconds since a heartbeat of that node was seen; 0 for a node that is new since the last look."""
        if node == self.node.node:
            return self.silence
        sighting = self._others.get(node)
        return 0.0 if sighting is None else self._monotonic() - sighting.since

    @property
    def steady(self) -> bool:
        """Whether this node's heartbeats are recent. If not, it has not seen the others' either, and takes no
        matches."""
        return self.silence < STALLED

    @property
    def dead(self) -> list[Sighting]:
        """Nodes whose matches this one may take, unless they send another heartbeat."""
        if not self.steady:
            return []
        return [each for each in self._others.values() if self.silence_of(each.node) >= DEAD]

    async def join(self) -> None:
        """Send the first heartbeat and continue. StoreError gives the reason of a failure."""
        await self.beat()
        self._task = asyncio.create_task(self._go_on(), name="membership")

    async def beat(self) -> None:
        """Send a heartbeat. Raises StoreError if it was not stored or the outcome is unknown."""
        async with self._turn:
            # Read before the row is written: no other node may measure a longer silence than this one.
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
            # The first heartbeat of all ends no gap.
            self.lapses += DEAD < sent - self._seen < math.inf
            self._look(rows, anew=sent - self._seen >= STALLED)
            self._seen, self.beating = sent, True

    async def leave(self) -> None:
        """Leave: free all matches that this node still owns. If the database is unreachable, other nodes will
        notice."""
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
        """Note which nodes sent a new heartbeat.

        `anew`: this node has just joined or returned, and has not watched the others meanwhile. Nodes that only seem
        dead then have `JOINED` seconds to show that they live.

        Only the database's clock knows the age of a new heartbeat. It may have stepped, so it is believed for less time
        than a takeover takes.
        """
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
        """Write a heartbeat; return node, date and age of the last one of all other nodes."""
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
        """Return the connection, which holds the lock against servers that use the database alone.

        `limit`: seconds for each step of connecting.
        """
        if self._connection is None or self._connection.is_closed():
            self._connection = await connected(self._url, limit, ANSWER)
            lock = "SELECT pg_try_advisory_lock_shared($1)"
            if not await self._connection.fetchval(lock, ALONE, timeout=limit):
                raise StoreError("A server without --bus uses this database; stop it, or give it the same --bus.")
            await self._connection.execute(_TIDY, timeout=limit)
        return self._connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
