"""The store in PostgreSQL: one statement and one commit for each append; the log is the lock.

Requests for one match run in the order in which they were made; different matches do not wait for each other.
"""

import asyncio
import contextlib
import itertools
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, Generic, TypeAlias, TypeVar

import asyncpg
from msgspec import Struct

from server import log
from server.cluster.postgres.connection import (
    ANSWER,
    CONNECT,
    LOST,
    MIGRATE,
    READ,
    START,
    Connection,
    PostgresConnections,
    begun,
    words,
)
from server.cluster.postgres.node_heartbeat import AGAIN, AGE, ALONE, BEAT, DEAD, Node, NodeHeartbeat
from server.cluster.postgres.schema import migrate, upsert
from server.storage.port import (
    FIRST_EPOCH,
    Bars,
    Damaged,
    DeedRecord,
    Fenced,
    Fit,
    Glance,
    OwnedElsewhere,
    Past,
    PersonRecord,
    Store,
    StoredMatch,
    StoreError,
    TableRecord,
    Taken,
)
from server.storage.rows import (
    DEEDS,
    KEYS,
    PEOPLE,
    Kept,
    Row,
    checked_rows,
    columns_of,
    encoded,
    in_order,
    last_check,
    log_rows,
    single_of,
    stored,
    table_of,
)
from shared.history import GENESIS, Entry
from shared.tables import TablePhase

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


T = TypeVar("T")
Work: TypeAlias = Callable[[Connection], Awaitable[T]]

SLACK: Final = 2.0
"""Seconds by which the common age may be ahead of its stored value."""
TRIES: Final = 3
"""Tries of one claim while other nodes change the owner at the same moment."""
WATCH: Final = 2.0 * BEAT
"""Seconds for which an outsider watches the nodes; each living one sends a heartbeat meanwhile."""
LOOK: Final = 0.25
"""Seconds between two reads while watching."""
DOUBT: Final = 30.0
"""Seconds for which an unknown outcome is investigated before the match is given up."""
LAST: Final = 1.0
"""Seconds for which `close` waits for answers. Leaving frees the other matches, whatever a late answer is."""
HEDGE: Final = 1.0
"""Seconds without an answer after which its outcome is investigated on a new connection, beside the wait for it."""
PAUSES: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Seconds between two tries to reach the database; the last value is repeated."""

_CREATE: Final = """
INSERT INTO matches (match, record, epoch, n, chk, phase, code, people, due, past, ended, touched, owner)
VALUES ($1, $2, $3, 0, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT DO NOTHING RETURNING match
"""
_SAVE: Final = """
UPDATE matches SET record = $3, phase = $4, code = $5, people = $6, due = $7, past = $8, ended = $9,
    touched = $10
WHERE match = $1 AND epoch = $2 RETURNING match
"""
_RELEASE: Final = """
UPDATE matches SET owner = NULL, touched = CASE WHEN record = $3 THEN touched ELSE $10 END,
    record = $3, phase = $4, code = $5, people = $6, due = $7, past = $8, ended = $9
WHERE match = $1 AND epoch = $2 RETURNING match
"""
_RELEASE_ALL: Final = """
UPDATE matches SET owner = NULL, touched = CASE WHEN matches.record = held.record THEN touched ELSE $1 END,
    record = held.record, phase = held.phase, code = held.code,
    people = string_to_array(held.people, E'\\n'), due = held.due, past = held.past, ended = held.ended
FROM unnest($2::text[], $3::bigint[], $4::bytea[], $5::smallint[], $6::text[], $7::text[], $8::bigint[], $9::text[],
    $10::bigint[]) AS held (match, epoch, record, phase, code, people, due, past, ended)
WHERE matches.match = held.match AND matches.epoch = held.epoch
"""
_APPEND: Final = """
WITH head AS (
    UPDATE matches SET n = $5, chk = $6, touched = $7
    WHERE match = $1 AND epoch = $2 AND n = $3 AND chk = $4 RETURNING match
)
INSERT INTO log (match, n, entry, chk) SELECT match, $5, $8, $6 FROM head RETURNING n
"""
"""The most frequent case: one entry and an unchanged record."""
_APPEND_ALL: Final = """
WITH head AS (
    UPDATE matches SET n = $5, chk = $6, touched = $7, record = coalesce($11, record),
        phase = coalesce($12, phase), code = coalesce($13, code),
        people = coalesce($14, people), due = coalesce($15, due),
        past = coalesce($16, past), ended = coalesce($17, ended)
    WHERE match = $1 AND epoch = $2 AND n = $3 AND chk = $4 RETURNING match
)
INSERT INTO log (match, n, entry, chk)
SELECT match, each.n, each.entry, each.chk FROM head, unnest($8::bigint[], $9::bytea[], $10::bytea[])
    AS each (n, entry, chk)
RETURNING n
"""
_DELETE: Final = """
WITH gone AS (DELETE FROM matches WHERE match = $1 AND epoch = $2 RETURNING match),
    entries AS (DELETE FROM log USING gone WHERE log.match = gone.match)
SELECT match FROM gone
"""
"""No append can be under way, because the owner itself deletes the match."""
_SILENT: Final = f"""
least(greatest(extract(epoch FROM now() - nodes.seen), dead.silent), ({AGE} - nodes.age) / 1000.0 + {SLACK})::float8
"""
"""SQL of the seconds by which the common age grew since that node was seen: maybe no other node ran for most of the
time.

The database's clock may have stepped, so it only counts between the time that was watched here and the growth of the
age.
"""
_OWNER: Final = f"""
SELECT match, owner, epoch, $6 AND (dead.node IS NOT NULL OR nodes.node IS NULL) AS dead,
    CASE WHEN owner = $2 THEN 0 ELSE {_SILENT} END AS silent
FROM matches LEFT JOIN nodes ON nodes.node = owner
    LEFT JOIN unnest($3::text[], $4::timestamptz[], $5::float8[]) AS dead (node, seen, silent)
    ON dead.node = owner AND dead.seen = nodes.seen
WHERE match = $1
"""
"""$3 to $5: nodes that were watched and found dead, their last heartbeats, and for how many seconds. $6: whether the
own node $2 had recent heartbeats meanwhile. A node that sent another heartbeat since is not dead."""
_CLAIM: Final = f"""
WITH found AS MATERIALIZED ({_OWNER})
UPDATE matches SET epoch = matches.epoch + 1, owner = $2 FROM found
WHERE matches.match = found.match AND matches.epoch = found.epoch AND matches.owner IS NOT DISTINCT FROM found.owner
    AND ($2 IS NULL OR found.owner IS NULL OR found.owner = $2 OR found.dead)
RETURNING record, matches.epoch, n, chk, CASE WHEN $2 IS NULL OR found.owner IS NULL THEN 0
    ELSE coalesce(found.silent, {DEAD}) END::float8 AS silent
"""
"""Returns no row if a living node owns the match or the owner has just changed; then the caller looks again."""
_RENEW: Final = "UPDATE matches SET epoch = $3 WHERE match = $1 AND epoch = ANY($2) RETURNING n, chk"
_PAST: Final = """
WITH listed AS (
    SELECT match, past, row_number() OVER (ORDER BY coalesce(nullif(ended, 0), touched), match COLLATE "C") AS place
    FROM matches WHERE past IS NOT NULL
), page AS (
    SELECT match, place FROM listed WHERE ($1 = 0 OR place < $1) AND ($2 = '' OR past = $2)
    ORDER BY place DESC LIMIT $3
)
SELECT match, place, record, n FROM page JOIN matches USING (match) ORDER BY place DESC
"""
_NODES: Final = "SELECT * FROM nodes ORDER BY node"
_KEEP_AGE: Final = """
INSERT INTO life VALUES (0, $1) ON CONFLICT (id) DO UPDATE SET age = greatest(life.age, excluded.age) RETURNING age
"""
_OF_SINGLE: Final = "single "
_OTHERS: Final = f"SELECT record FROM {PEOPLE} WHERE person <> $1"
_BARRING: Final = 0x436F6E72
"""Number of the advisory lock of profiles that another one may bar."""
"""Prefix of profiles and deeds in the queues, whose other keys are matches."""
_OF_LIFE: Final = "life "
_FENCED: Final = "This match is run by another server now."


class PostgresStore(Store):
    """Store that several servers can share. `now` returns the date in seconds.

    `membership`: makes this server a node whose matches no other takes while it lives. Without it, a claim takes every
    match.
    """

    def __init__(
        self,
        url: str,
        lines: PostgresConnections,
        now: Callable[[], float],
        heartbeat: NodeHeartbeat | None = None,
    ) -> None:
        self.url = url
        self.heartbeat = heartbeat
        self.shared = heartbeat is not None
        self.lines = lines
        self._now = now
        self._last: dict[str, asyncio.Task[None]] = {}
        self._closed = False
        self._working: set[asyncio.Task[None]] = set()
        self._renewed: dict[tuple[str, int], int] = {}
        """Epochs that owners know, and those that replaced them after an unknown outcome was investigated."""
        self.healthy = True
        self._sole: ExclusiveLock | None = None

    @property
    def node(self) -> str | None:
        """The owner's name of matches that are created or claimed here; None without a membership."""
        return self.heartbeat.node.node if self.heartbeat is not None else None

    @classmethod
    async def open(cls, url: str, now: Callable[[], float] = time.time, node: Node | None = None) -> "PostgresStore":
        """Connect, and migrate the tables.

        `node`: to be one of several servers that share them, from now on until `close`. StoreError gives the reason of
        a failure in one sentence.
        """
        store = cls(url, await _lines(url), now, None if node is None else NodeHeartbeat(url, node))
        try:
            if store.heartbeat is not None:
                await store.heartbeat.join()
        except StoreError:
            await store.close()
            raise
        return store

    @classmethod
    async def open_exclusively(cls, url: str) -> "PostgresStore":
        """Open the store for a server that uses it alone. Raises StoreError if another server uses it already.

        If another one comes while the database is unreachable, this server claims no further match.
        """
        store = await cls.open(url)
        store._sole = ExclusiveLock(url)
        try:
            await store._sole.begin()
        except StoreError:
            await store.close()
            raise
        return store

    async def create(self, table: TableRecord) -> None:
        row = (FIRST_EPOCH, GENESIS, *columns_of(table), self._now(), self.node)
        record, match = encoded(table), table.match

        async def work(connection: Connection) -> None:
            if await connection.fetchval(_CREATE, match, record, *row) is None:
                raise Taken(f"There is a match {match} already.")

        await self._in_turn(match, work)

    async def save(self, table: TableRecord, epoch: int) -> None:
        await self._put(_SAVE, table, epoch)

    async def release(self, table: TableRecord, epoch: int) -> None:
        await self._put(_RELEASE, table, epoch)

    async def release_all(self, held: Sequence[tuple[TableRecord, int]]) -> None:
        """Release matches in one statement, after all earlier requests for these matches."""
        if not held:
            return
        rows = [_record_and_columns(table) for table, _ in held]
        matches, now = [table.match for table, _ in held], self._now()

        async def work(connection: Connection) -> None:
            epochs = [self._known(table.match, epoch) for table, epoch in held]
            await connection.execute(_RELEASE_ALL, now, matches, epochs, *zip(*rows, strict=True))

        await self._begin(work, None, *matches)

    async def _put(self, statement: str, table: TableRecord, epoch: int) -> None:
        match, record, asked, now = table.match, encoded(table), columns_of(table), self._now()

        async def work(connection: Connection) -> None:
            known = self._known(match, epoch)
            if await connection.fetchval(statement, match, known, record, *asked, now) is None:
                raise Fenced(_FENCED)

        await self._in_turn(match, work, _Doubt(epoch, lambda _head: False, None))

    def append(
        self, match: str, epoch: int, check: bytes, entries: Sequence[Entry], table: TableRecord | None
    ) -> "asyncio.Future[bytes]":
        """Append entries. If the connection is lost before the answer, the head tells whether they were stored."""
        rows, now = log_rows(check, entries), self._now()
        before, after = (entries[0].n - 1, check), (entries[-1].n, last_check(rows))
        statement, rest = _APPEND, tuple[object, ...]([rows[0][1]])
        if len(entries) > 1 or table is not None:
            asked = (None,) * 7 if table is None else (encoded(table), *columns_of(table))
            statement, rest = _APPEND_ALL, (*map(list, zip(*rows, strict=True)), *asked)

        async def work(connection: Connection) -> bytes:
            if not await connection.fetch(statement, match, self._known(match, epoch), *before, *after, now, *rest):
                raise Fenced(_FENCED)
            return after[1]

        def is_kept(head: _Head) -> bool:
            if head not in (before, after):
                raise Fenced(_FENCED)
            return head == after

        return self._begin(work, _Doubt(epoch, is_kept, after[1]), match)

    async def claim(self, match: str, fit: Fit | None = None) -> StoredMatch | None:
        if self._trouble:
            raise StoreError(self._trouble)

        async def work(connection: Connection) -> StoredMatch | None:
            async with connection.transaction():
                row = await self._take(connection, match)
                return None if row is None else await _stored(connection, match, row, fit)

        return await self._in_turn(match, work)

    async def _take(self, connection: Connection, match: str) -> "asyncpg.Record | None":
        """Claim a match and return its row, None if there is none. Raises Owned."""
        heartbeat = self.heartbeat
        dead = heartbeat.dead if heartbeat is not None else []
        steady = heartbeat is not None and heartbeat.steady
        silences = [heartbeat.silence_of(each.node) for each in dead] if heartbeat is not None else []
        watched = [each.node for each in dead], [each.seen for each in dead], silences
        for _ in range(TRIES):
            taken = await connection.fetchrow(_CLAIM, match, self.node, *watched, steady)
            found = await connection.fetchrow(_OWNER, match, self.node, *watched, steady) if taken is None else None
            if found is None:
                return taken
            if found["owner"] not in (None, self.node) and not found["dead"]:
                raise OwnedElsewhere(found["owner"])
        raise OwnedElsewhere("")

    async def owned(self, node: str) -> list[str]:
        """Return the matches that a node owns."""
        return await self._matches("SELECT match FROM matches WHERE owner = $1", node)

    async def nodes(self) -> list[Node]:
        """Return all living nodes, by their ids, as this one sees them.

        Without a membership it takes up to `WATCH` seconds.
        """
        heartbeat = self.heartbeat
        if heartbeat is None:
            return await self._watched()
        found = [(row, heartbeat.silence_of(row["node"])) for row in await self._rows(_NODES)]
        return [_node(row, silent) for row, silent in found if silent < DEAD]

    async def _watched(self) -> list[Node]:
        """Return the nodes that send a heartbeat while an outsider watches, which knows none of them before."""
        before = {row["node"]: row["seen"] for row in await self._rows(_NODES)}
        rows: list[asyncpg.Record] = []
        for _ in range(round(WATCH / LOOK)):
            await asyncio.sleep(LOOK)
            rows = [row for row in await self._rows(_NODES) if before.get(row["node"]) != row["seen"]]
            if before.keys() <= {row["node"] for row in rows}:
                break
        return [_node(row, 0.0) for row in rows]

    async def unfinished(self, within: float = math.inf) -> list[str]:
        query = "SELECT match FROM matches WHERE phase < $1 AND touched >= $2 ORDER BY match"
        return await self._matches(query, TablePhase.OVER, self._now() - within)

    async def read(self, match: str, first: int, count: int) -> list[bytes]:
        query = "SELECT n, entry, chk FROM log WHERE match = $1 AND n >= $2 AND n < $3 ORDER BY n"

        async def work(connection: Connection) -> list[bytes]:
            found = await connection.fetch(query, match, first - 1, first + count, timeout=READ)
            return checked_rows(match, first, _kept(found))

        return await self._in_turn(match, work)

    async def due(self) -> dict[str, int]:
        query = "SELECT match, due FROM matches LEFT JOIN nodes ON node = owner WHERE due > 0 AND phase = $1"
        asked: tuple[Any, ...] = (TablePhase.PLAYING,)
        if self.heartbeat is not None:
            query += " AND (node IS NULL OR node = ANY($2))"
            asked += ([each.node for each in self.heartbeat.dead],)
        return {row["match"]: row["due"] for row in await self._rows(query, *asked)}

    async def age(self) -> int:

        async def work(connection: Connection) -> int:
            return int(await connection.fetchval("SELECT max(age) FROM life") or 0)

        return await self._ask(work)

    async def keep_age(self, age: int) -> int:

        async def work(connection: Connection) -> int:
            return int(await connection.fetchval(_KEEP_AGE, age))

        return await self._in_turn(_OF_LIFE, work)

    async def by_code(self, code: str) -> str | None:
        query = "SELECT match FROM matches WHERE code = $1 LIMIT 1"

        async def work(connection: Connection) -> str | None:
            found = await connection.fetchval(query, code)
            return None if found is None else str(found)

        return await self._ask(work)

    async def look(self, match: str) -> Glance | None:

        async def work(connection: Connection) -> Glance | None:
            row = await connection.fetchrow("SELECT record, n, owner FROM matches WHERE match = $1", match)
            return None if row is None else Glance(table_of(match, row["record"]), row["n"], row["owner"] or "")

        return await self._in_turn(match, work)

    async def past(self, below: int, ruleset: str, count: int) -> list[Past]:
        found: list[Past] = []
        for row in await self._rows(_PAST, below, ruleset, count):
            with contextlib.suppress(Damaged):
                found.append(Past(row["place"], table_of(row["match"], row["record"]), row["n"]))
        return found

    async def over_since(self, date: float) -> list[str]:
        query = "SELECT match FROM matches WHERE phase = $1 AND touched < $2"
        return await self._matches(query, TablePhase.OVER, date)

    async def unplayed(self, since: float, before: float) -> list[str]:
        """Return unplayed tables. The dates must leave few matches, since every one of their records is read."""
        query = "SELECT match, record FROM matches WHERE phase = $1 AND touched >= $2 AND touched < $3"
        found: list[str] = []
        for row in await self._rows(query, TablePhase.PLAYING, since, before):
            with contextlib.suppress(Damaged):
                found += [row["match"]] if table_of(row["match"], row["record"]).unplayed else []
        return found

    async def matches_of(self, person: str) -> list[str]:
        query = "SELECT match FROM matches WHERE people @> ARRAY[$1] ORDER BY touched DESC, match"
        return await self._matches(query, person)

    async def people(self) -> list[PersonRecord]:
        return [each for each in await self._singles(PEOPLE) if isinstance(each, PersonRecord)]

    async def keep_person(self, person: PersonRecord, bars: Bars | None = None) -> None:
        if bars is None:
            return await self._change(upsert(PEOPLE), person.person, encoded(person))

        async def work(connection: Connection) -> None:
            async with connection.transaction():
                # Of two nodes the second sees what the first has stored.
                await connection.execute(f"SELECT pg_advisory_xact_lock({_BARRING})")
                others = await connection.fetch(_OTHERS, person.person, timeout=READ)
                if any(bars(each) for each in self._read(PEOPLE, others) if isinstance(each, PersonRecord)):
                    raise Taken("Another player has just confirmed that address.")
                await connection.execute(upsert(PEOPLE), person.person, encoded(person))

        return await self._in_turn(_OF_SINGLE + person.person, work)

    async def scrub(self) -> None:
        """Do nothing: PostgreSQL overwrites dead rows by itself (VACUUM)."""

    async def forget_person(self, person: str) -> None:
        await self._change("DELETE FROM people WHERE person = $1", person)

    async def deeds(self) -> list[DeedRecord]:
        return in_order(await self._singles(DEEDS))

    async def keep_deed(self, deed: DeedRecord) -> None:
        await self._change(upsert(DEEDS), deed.deed, encoded(deed))

    async def _singles(self, table: str) -> list[PersonRecord | DeedRecord]:
        return self._read(table, await self._rows(f"SELECT record FROM {table} ORDER BY {KEYS[table]}"))

    def _read(self, table: str, rows: "list[asyncpg.Record]") -> list[PersonRecord | DeedRecord]:
        found: list[PersonRecord | DeedRecord] = []
        for row in rows:
            with contextlib.suppress(Damaged):
                found.append(single_of(table, row["record"]))
        if len(found) < len(rows):
            log.warning(f"damaged-{table}", damaged=len(rows) - len(found))
        return found

    async def _change(self, statement: str, key: str, *values: object) -> None:
        """Change the record of that key in a table of `KEYS`, after earlier changes of it."""

        async def work(connection: Connection) -> None:
            await connection.execute(statement, key, *values)

        await self._in_turn(_OF_SINGLE + key, work)

    async def delete(self, match: str, epoch: int) -> None:

        async def work(connection: Connection) -> None:
            if await connection.fetchval(_DELETE, match, self._known(match, epoch)) is None:
                raise Fenced(_FENCED)

        await self._in_turn(match, work)

    def give_up(self) -> None:
        """Raise Fenced in all waiting requests: other nodes own the matches, or will, and will read the outcome."""
        for task in self._working:
            task.cancel()

    async def close(self) -> None:
        if self._closed:
            return  # Leaving again would wait for a connection of the closed pool.
        self._closed = True
        if self._last:
            await asyncio.wait(set(self._last.values()), timeout=LAST)
        self.give_up()
        if self.heartbeat is not None:
            await self.heartbeat.leave()
        if self._sole is not None:
            await self._sole.end()
        await self.lines.close()

    # --- inside ---

    @property
    def _trouble(self) -> str:
        """Reason why a server that should be the only one might not be; "" if it is, or shares the store."""
        return "" if self._sole is None else self._sole.trouble

    def _note(self, trouble: str) -> None:
        """Set whether the store is healthy. `trouble`: the reason if not, else ""."""
        if self.healthy != bool(trouble):
            return
        self.healthy = not trouble
        if trouble:
            log.warning("unhealthy", error=trouble)
        else:
            log.info("healthy-again")

    def _known(self, match: str, epoch: int) -> int:
        """Return the epoch by which the database knows an owner."""
        return self._renewed.get((match, epoch), epoch)

    async def _rows(self, query: str, *asked: object) -> "list[asyncpg.Record]":
        async def work(connection: Connection) -> "list[asyncpg.Record]":
            return await connection.fetch(query, *asked, timeout=READ)

        return await self._ask(work)

    async def _matches(self, query: str, *asked: object) -> list[str]:
        return [str(row["match"]) for row in await self._rows(query, *asked)]

    async def _in_turn(self, match: str, work: Work[T], doubt: "_Doubt[T] | None" = None) -> T:
        return await self._begin(work, doubt, match)

    def _begin(self, work: Work[T], doubt: "_Doubt[T] | None", *matches: str) -> "asyncio.Future[T]":
        """Run work after all earlier work for its matches, even if the caller of that no longer waits."""
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        before = [self._last[match] for match in matches if match in self._last]
        doing = self._after(before, answer, matches[0], work, doubt)
        task = asyncio.create_task(doing) if before or not self.lines.at_hand else begun(doing)
        if doubt is not None:
            doubt.asked = task
        self._last.update(dict.fromkeys(matches, task))
        self._working.add(task)
        task.add_done_callback(lambda done: self._finished(matches, done, answer))
        return answer

    def _finished(self, matches: Sequence[str], task: "asyncio.Task[None]", answer: "asyncio.Future[T]") -> None:
        self._working.discard(task)
        for match in matches:
            if self._last.get(match) is task:
                del self._last[match]
        if task.cancelled():  # It was cancelled before it began.
            _fail(answer, Fenced(_FENCED))

    async def _after(
        self,
        before: "Sequence[asyncio.Task[None]]",
        answer: "asyncio.Future[T]",
        match: str,
        work: Work[T],
        doubt: "_Doubt[T] | None",
    ) -> None:
        try:
            if before:
                await asyncio.wait(before)
            result = await self._ask_until_sure(match, work, doubt)
        except asyncio.CancelledError:
            _fail(answer, Fenced(_FENCED))
        except Exception as error:
            _fail(answer, error)
        else:
            if not answer.done():
                answer.set_result(result)

    async def _ask_until_sure(self, match: str, work: Work[T], doubt: "_Doubt[T] | None") -> T:
        if doubt is None:
            return await self._ask(work)
        asked_at = time.monotonic()
        timer = asyncio.get_running_loop().call_later(HEDGE, self._investigate_meanwhile, match, work, doubt)
        try:
            result = await self._ask(work)
        except asyncio.CancelledError:
            if doubt.hedge is not None and doubt.hedge.done():
                self.lines.distrust(asked_at)
                return doubt.hedge.result()
            raise
        except StoreError as error:
            # Fenced, too, may come of an epoch that the hedge gave.
            if not isinstance(error, _Lost) and not doubt.tried:
                raise
            hedge, doubt.hedge = doubt.hedge, None
            await asyncio.sleep(0)  # From here on this runs as a task, which may wait for a new connection.
            return await (hedge or self._settle(match, work, doubt))
        finally:
            timer.cancel()
            hedge, doubt.hedge = doubt.hedge, None
            if hedge is not None:
                hedge.cancel()
        if hedge is not None and doubt.tried:
            # The epoch is another one by now, or will be.
            await asyncio.wait([hedge])
            return await self._settle(match, work, doubt)
        return result

    def _investigate_meanwhile(self, match: str, work: Work[T], doubt: "_Doubt[T]") -> None:
        """Investigate an outcome while its answer may still come. Once it is known, the wait for that ends."""

        def end(hedge: "asyncio.Task[T]") -> None:
            if doubt.hedge is hedge and not hedge.cancelled() and doubt.asked is not None:
                hedge.exception()  # It counts as read, since an answer that came meanwhile counts instead.
                doubt.asked.cancel()

        doubt.hedge = asyncio.create_task(self._settle(match, work, doubt, fresh=True))
        doubt.hedge.add_done_callback(end)

    async def _settle(self, match: str, work: Work[T], doubt: "_Doubt[T]", fresh: bool = False) -> T:
        """Find out whether work whose answer was lost was stored, and repeat it if not, until the outcome is known.

        Later answers can be lost, too. A caller must not be told that nothing was stored while that is uncertain.
        `fresh`: begin with a new connection. Raises Fenced if another server owns the match or the outcome stays
        unknown: then its log must be read again.
        """
        end = time.monotonic() + DOUBT
        for pause in itertools.chain(PAUSES, itertools.repeat(PAUSES[-1])):
            try:
                if doubt.is_kept(await self._renew(match, doubt.epoch, doubt.tried, fresh)):
                    return doubt.result
                return await self._ask(work)
            except Fenced:
                raise
            except StoreError:
                if time.monotonic() > end:
                    raise Fenced(_FENCED) from None
                await asyncio.sleep(pause)
        raise AssertionError("the pauses never end")

    async def _ask(self, work: Work[T], fresh: bool = False) -> T:
        """Run work on a connection. Raises StoreError if nothing was stored, and `_Lost` if the outcome is unknown."""
        sent = False
        try:
            connection = await self.lines.take(fresh)
            sent = True
            try:
                result = await work(connection)
            except (*LOST, asyncio.CancelledError):
                with contextlib.suppress(*LOST):
                    connection.terminate()
                raise
            finally:
                self.lines.give_back(connection)
        except LOST as error:
            self._note(words(error))
            self.lines.distrust()
            raise (_Lost if sent else StoreError)(f"The server cannot save: {words(error)}.") from None
        except asyncpg.PostgresError as error:
            raise StoreError(f"The server could not save this: {words(error)}.") from None
        self._note(self._trouble.rstrip("."))
        return result

    async def _renew(self, match: str, epoch: int, tried: list[int], fresh: bool) -> "_Head":
        """Return the head of a match after an answer was lost, and give its owner a new epoch in the same statement.

        Statements that are still under way with the old epoch then come too late. The answer to this statement can be
        lost, too. So the new epoch is one that no other claim leads to, and the next try accepts those that were
        `tried`. Raises Fenced if another server owns the match, StoreError to try again.
        """
        known = [self._known(match, epoch), *tried]
        new = known[-1] + 2 + secrets.randbits(32)

        async def work(connection: Connection) -> "asyncpg.Record | None":
            tried.append(new)
            return await connection.fetchrow(_RENEW, match, known, new)

        row = await self._ask(work, fresh)
        if row is None:
            raise Fenced(_FENCED)
        self._renewed[match, epoch] = new
        return row["n"], row["chk"]


async def _lines(url: str) -> PostgresConnections:
    """Return connections to a database, after migrating its tables. Raises StoreError."""
    try:
        connection = await asyncpg.connect(url, timeout=START, command_timeout=MIGRATE)
        try:
            await migrate(connection)
        finally:
            await connection.close(timeout=CONNECT)
    except (*LOST, asyncpg.PostgresError, ValueError) as error:
        raise StoreError(f"Cannot use the database: {words(error)}.") from None
    return PostgresConnections(url)


def _fail(answer: "asyncio.Future[T]", error: Exception) -> None:
    """Set an error; without a waiting caller it is ignored."""
    if not answer.done():
        answer.set_exception(error)
        answer.exception()


_Head: TypeAlias = tuple[int, bytes]
"""The last entry of a log: its number, its check."""


class _Lost(StoreError):
    """The connection was lost before the answer."""


class _Doubt(Struct, Generic[T]):
    """Way to learn an outcome whose answer was lost, for the owner of that epoch.

    `is_kept`: whether the work was stored, by the head of the log; raises Fenced if another owner has written since.
    `result`: its result if it was. `tried`: epochs that investigations gave the owner, or may have. `asked`: the task
    that waits for the answer. `hedge`: the one that investigates meanwhile.
    """

    epoch: int
    is_kept: Callable[[_Head], bool]
    result: T
    tried: list[int] = []
    asked: "asyncio.Task[None] | None" = None
    hedge: "asyncio.Task[T] | None" = None


def _node(row: "asyncpg.Record", silent: float) -> Node:
    return Node(row["node"], row["name"], row["url"], row["protocol"], silent)


def _record_and_columns(table: TableRecord) -> tuple[object, ...]:
    """Return record and columns of a table among many.

    People are joined, since an array cannot hold arrays of different lengths.
    """
    columns = columns_of(table)
    return encoded(table), *columns[:2], "\n".join(columns.people), *columns[3:]


def _kept(rows: "Iterable[asyncpg.Record]") -> list[Kept]:
    return [(row["n"], row["entry"], row["chk"]) for row in rows]


async def _stored(connection: Connection, match: str, found: "asyncpg.Record", fit: Fit | None) -> StoredMatch:
    """Return a claimed match with its log. Raises Damaged, and all that `fit` raises."""
    row = Row(match, found["record"], found["epoch"], found["n"], found["chk"], 0.0)
    table = row.table
    if fit is not None:
        fit(table)
    query = "SELECT n, entry, chk FROM log WHERE match = $1 ORDER BY n"
    return stored(row, table, _kept(await connection.fetch(query, match, timeout=READ)), found["silent"])
