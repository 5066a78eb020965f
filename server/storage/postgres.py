"""The store in PostgreSQL: one statement and one commit for each append; the log is the lock.

Whatever is asked of one match happens in the order in which it was asked; matches do not wait for each other.
"""

import asyncio
import contextlib
import itertools
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Generic, TypeAlias, TypeVar

import asyncpg
import msgspec
from msgspec import Struct

from server import log
from server.storage.exclusive_lock import ExclusiveLock
from server.storage.node_heartbeat import AGE, BEAT, DEAD, Node, NodeHeartbeat, Sighting
from server.storage.port import (
    FIRST_EPOCH,
    Damaged,
    Fenced,
    Fit,
    Glance,
    Owned,
    Past,
    PersonRecord,
    Stored,
    StoreError,
    TableRecord,
    Taken,
    in_line,
    sound,
)
from server.storage.postgres_connection import (
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
from server.storage.postgres_schema import migrate
from shared.history import GENESIS, Entry, chain
from shared.tables import TablePhase

T = TypeVar("T")
Work: TypeAlias = Callable[[Connection], Awaitable[T]]

SLACK: Final = 2.0
"""Seconds that the common age may be ahead of what was kept of it."""
TRIES: Final = 3
"""Of one claim, where others change the owner at the same moment."""
WATCH: Final = 2.0 * BEAT
"""Seconds for which an outsider looks at the nodes; one that lives gives a sign of it meanwhile."""
LOOK: Final = 0.25
"""Seconds between two of those looks."""
DOUBT: Final = 30.0
"""Seconds for which an unknown outcome is looked for before the match is let go."""
LAST: Final = 1.0
"""Seconds for which `close` waits for answers. Leaving frees the other matches, whatever becomes of a late one."""
PAUSES: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Seconds between two tries to reach the database; the last one again and again."""

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
"""What most actions are: one entry, and a record that stays as it is."""
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
"""Nothing is on its way to the log any more: its owner asks for this."""
_SILENT: Final = f"""
least(greatest(extract(epoch FROM now() - nodes.seen), dead.silent), ({AGE} - nodes.age) / 1000.0 + {SLACK})::float8
"""
"""Seconds by which the common age grew since that node was seen: maybe no other was there for most of the time. The
database's clock may have stepped, so its word counts only between what was watched here and what the age says."""
_OWNER: Final = f"""
SELECT match, owner, epoch, $6 AND (dead.node IS NOT NULL OR nodes.node IS NULL) AS dead,
    CASE WHEN owner = $2 THEN 0 ELSE {_SILENT} END AS silent
FROM matches LEFT JOIN nodes ON nodes.node = owner
    LEFT JOIN unnest($3::text[], $4::timestamptz[], $5::float8[]) AS dead (node, seen, silent)
    ON dead.node = owner AND dead.seen = nodes.seen
WHERE match = $1
"""
"""$3 to $5: nodes that were watched to be dead, with their last signs of life, and for how many seconds; $6: whether
the node $2 was heard itself meanwhile. A node that has given another sign of life since is not dead."""
_CLAIM: Final = f"""
WITH found AS MATERIALIZED ({_OWNER})
UPDATE matches SET epoch = matches.epoch + 1, owner = $2 FROM found
WHERE matches.match = found.match AND matches.epoch = found.epoch AND matches.owner IS NOT DISTINCT FROM found.owner
    AND ($2 IS NULL OR found.owner IS NULL OR found.owner = $2 OR found.dead)
RETURNING record, matches.epoch, n, chk, CASE WHEN $2 IS NULL OR found.owner IS NULL THEN 0
    ELSE coalesce(found.silent, {DEAD}) END::float8 AS silent
"""
"""Nothing where a node lives that owns it, or changed that just now: whoever waited for it looks anew."""
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
_KEEP_AGE: Final = """
INSERT INTO life VALUES (0, $1) ON CONFLICT (id) DO UPDATE SET age = greatest(life.age, excluded.age) RETURNING age
"""
_OF_PERSON: Final = "person "
"""Before the names of profiles, among matches."""
_OF_LIFE: Final = "life "
_FENCED: Final = "This match is run by another server now."


class _Step(Struct, frozen=True):
    """Entries on their way: what follows entry `n`, up to `last` with the check `after`."""

    n: int
    last: int
    after: bytes
    numbers: list[int]
    blobs: list[bytes]
    checks: list[bytes]


class PostgresStore:
    """A store that many servers share. `now` tells the date, in seconds. `membership`: of a node among others, whose
    matches nobody takes from it as long as it lives; without one, a claim takes whatever it is asked for."""

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
        self._working: set[asyncio.Task[None]] = set()
        self._renewed: dict[tuple[str, int], int] = {}
        """Epochs that owners know, and those that stand for them since an unknown outcome was looked up."""
        self.healthy = True
        self._sole: ExclusiveLock | None = None

    @property
    def node(self) -> str | None:
        """Who owns what is made or claimed here; None where nobody need know."""
        return self.heartbeat.node.node if self.heartbeat is not None else None

    @classmethod
    async def open(cls, url: str, now: Callable[[], float] = time.time, node: Node | None = None) -> "PostgresStore":
        """Connect, and bring the tables up to date; `node`: to be one of several that share them, from now on until
        `close`. StoreError says in one sentence why it cannot be used."""
        store = cls(url, await _lines(url), now, None if node is None else NodeHeartbeat(url, node))
        try:
            if store.heartbeat is not None:
                await store.heartbeat.join()
        except StoreError:
            await store.close()
            raise
        return store

    @classmethod
    async def alone(cls, url: str) -> "PostgresStore":
        """As `open`, for a server that shares with no other: StoreError where one is there already. Should one come
        while the database is away, this one takes up no match any more."""
        store = await cls.open(url)
        store._sole = ExclusiveLock(url)
        try:
            await store._sole.begin()
        except StoreError:
            await store.close()
            raise
        return store

    async def create(self, table: TableRecord) -> None:
        """See Store."""
        row = (FIRST_EPOCH, GENESIS, *columns_of(table), self._now(), self.node)
        record, match = msgspec.msgpack.encode(table), table.match

        async def work(connection: Connection) -> None:
            if await connection.fetchval(_CREATE, match, record, *row) is None:
                raise Taken(f"There is a match {match} already.")

        await self._in_turn(match, work)

    async def save(self, table: TableRecord, epoch: int) -> None:
        """See Store."""
        await self._put(_SAVE, table, epoch)

    async def release(self, table: TableRecord, epoch: int) -> None:
        """See Store."""
        await self._put(_RELEASE, table, epoch)

    async def release_all(self, held: Sequence[tuple[TableRecord, int]]) -> None:
        """See Store. One statement, after all that was asked of these matches before."""
        if not held:
            return
        rows = [_released(table) for table, _ in held]
        matches, now = [table.match for table, _ in held], self._now()

        async def work(connection: Connection) -> None:
            epochs = [self._known(table.match, epoch) for table, epoch in held]
            await connection.execute(_RELEASE_ALL, now, matches, epochs, *zip(*rows, strict=True))

        await self._begin(work, None, *matches)

    async def _put(self, statement: str, table: TableRecord, epoch: int) -> None:
        match, record, asked, now = table.match, msgspec.msgpack.encode(table), columns_of(table), self._now()

        async def work(connection: Connection) -> None:
            known = self._known(match, epoch)
            if await connection.fetchval(statement, match, known, record, *asked, now) is None:
                raise Fenced(_FENCED)

        await self._in_turn(match, work, _Doubt(epoch, lambda _head: False, None))

    def append(
        self, match: str, epoch: int, check: bytes, entries: Sequence[Entry], table: TableRecord | None
    ) -> "asyncio.Future[bytes]":
        """See Store. Where the connection is lost before the answer, the head says whether the entries were kept."""
        step, now = _step(check, entries), self._now()
        statement, rest = _APPEND, tuple[object, ...](step.blobs)
        if len(entries) > 1 or table is not None:
            asked = (None,) * 7 if table is None else (msgspec.msgpack.encode(table), *columns_of(table))
            statement, rest = _APPEND_ALL, (step.numbers, step.blobs, step.checks, *asked)

        async def work(connection: Connection) -> bytes:
            head = (match, self._known(match, epoch), step.n, check, step.last, step.after)
            if not await connection.fetch(statement, *head, now, *rest):
                raise Fenced(_FENCED)
            return step.after

        def is_kept(head: _Head) -> bool:
            if head not in ((step.last, step.after), (step.n, check)):
                raise Fenced(_FENCED)
            return head == (step.last, step.after)

        return self._begin(work, _Doubt(epoch, is_kept, step.after), match)

    async def claim(self, match: str, fit: Fit | None = None) -> Stored | None:
        """See Store."""
        if self._trouble:
            raise StoreError(self._trouble)

        async def work(connection: Connection) -> Stored | None:
            async with connection.transaction():
                row = await self._take(connection, match)
                return None if row is None else await _stored(connection, match, row, fit)

        return await self._in_turn(match, work)

    async def _take(self, connection: Connection, match: str) -> "asyncpg.Record | None":
        """The row of a match, taken. Raises Owned."""
        dead = self.heartbeat.dead if self.heartbeat is not None else []
        steady = self.heartbeat is not None and self.heartbeat.steady
        watched = [each.node for each in dead], [each.seen for each in dead], list(map(self._silence_of, dead))
        for _ in range(TRIES):
            taken = await connection.fetchrow(_CLAIM, match, self.node, *watched, steady)
            found = await connection.fetchrow(_OWNER, match, self.node, *watched, steady) if taken is None else None
            if found is None:
                return taken
            if found["owner"] not in (None, self.node) and not found["dead"]:
                raise Owned(found["owner"])
        raise Owned("")

    def _silence_of(self, other: Sighting) -> float:
        return self.heartbeat.silence_of(other.node) if self.heartbeat is not None else 0.0

    async def owner_of(self, match: str) -> str:
        """The node that runs a match, dead or alive; "" for none."""

        async def work(connection: Connection) -> str:
            return await connection.fetchval("SELECT owner FROM matches WHERE match = $1", match) or ""

        return await self._in_turn(match, work)

    async def owned(self, node: str) -> list[str]:
        """The matches that a node runs."""

        async def work(connection: Connection) -> list[str]:
            return [
                str(row["match"])
                for row in await connection.fetch("SELECT match FROM matches WHERE owner = $1", node, timeout=READ)
            ]

        return await self._ask(work)

    async def nodes(self) -> list[Node]:
        """All that live, by their ids, as this one sees them; without a membership it takes up to `WATCH` seconds."""
        heartbeat = self.heartbeat
        if heartbeat is None:
            return await self._watched()
        found = [(row, heartbeat.silence_of(row["node"])) for row in await self._node_rows()]
        return [_node(row, silent) for row, silent in found if silent < DEAD]

    async def _watched(self) -> list[Node]:
        """The nodes that give a sign of life while an outsider looks, who has seen none of them before."""
        before = {row["node"]: row["seen"] for row in await self._node_rows()}
        rows: list[asyncpg.Record] = []
        for _ in range(round(WATCH / LOOK)):
            await asyncio.sleep(LOOK)
            rows = [row for row in await self._node_rows() if before.get(row["node"]) != row["seen"]]
            if before.keys() <= {row["node"] for row in rows}:
                break
        return [_node(row, 0.0) for row in rows]

    async def _node_rows(self) -> "list[asyncpg.Record]":
        async def work(connection: Connection) -> "list[asyncpg.Record]":
            return await connection.fetch("SELECT * FROM nodes ORDER BY node", timeout=READ)

        return await self._ask(work)

    async def unfinished(self, within: float = math.inf) -> list[str]:
        """See Store."""
        query = "SELECT match FROM matches WHERE phase < $1 AND touched >= $2 ORDER BY match"
        since = self._now() - within

        async def work(connection: Connection) -> list[str]:
            return [str(row["match"]) for row in await connection.fetch(query, TablePhase.OVER, since, timeout=READ)]

        return await self._ask(work)

    async def read(self, match: str, first: int, count: int) -> list[bytes]:
        """See Store."""
        query = "SELECT n, entry, chk FROM log WHERE match = $1 AND n >= $2 AND n < $3 ORDER BY n"

        async def work(connection: Connection) -> list[bytes]:
            found = await connection.fetch(query, match, first - 1, first + count, timeout=READ)
            return in_line(match, first, [(row["n"], row["entry"], row["chk"]) for row in found])

        return await self._in_turn(match, work)

    async def due(self) -> dict[str, int]:
        """See Store."""
        query = "SELECT match, due FROM matches LEFT JOIN nodes ON node = owner WHERE due > 0 AND phase = $1"
        asked: tuple[Any, ...] = (TablePhase.PLAYING,)
        if self.heartbeat is not None:
            query += " AND (node IS NULL OR node = ANY($2))"
            asked += ([each.node for each in self.heartbeat.dead],)

        async def work(connection: Connection) -> dict[str, int]:
            return {row["match"]: row["due"] for row in await connection.fetch(query, *asked, timeout=READ)}

        return await self._ask(work)

    async def age(self) -> int:
        """See Store."""

        async def work(connection: Connection) -> int:
            return int(await connection.fetchval("SELECT max(age) FROM life") or 0)

        return await self._ask(work)

    async def keep_age(self, age: int) -> int:
        """See Store."""

        async def work(connection: Connection) -> int:
            return int(await connection.fetchval(_KEEP_AGE, age))

        return await self._in_turn(_OF_LIFE, work)

    async def by_code(self, code: str) -> str | None:
        """See Store."""
        query = "SELECT match FROM matches WHERE code = $1 LIMIT 1"

        async def work(connection: Connection) -> str | None:
            found = await connection.fetchval(query, code)
            return None if found is None else str(found)

        return await self._ask(work)

    async def look(self, match: str) -> Glance | None:
        """See Store."""

        async def work(connection: Connection) -> Glance | None:
            row = await connection.fetchrow("SELECT record, n, owner FROM matches WHERE match = $1", match)
            return None if row is None else Glance(_table(match, row["record"]), row["n"], row["owner"] or "")

        return await self._in_turn(match, work)

    async def past(self, below: int, ruleset: str, count: int) -> list[Past]:
        """See Store."""

        async def work(connection: Connection) -> list[Past]:
            found: list[Past] = []
            for row in await connection.fetch(_PAST, below, ruleset, count, timeout=READ):
                with contextlib.suppress(Damaged):
                    found.append(Past(row["place"], _table(row["match"], row["record"]), row["n"]))
            return found

        return await self._ask(work)

    async def over_since(self, date: float) -> list[str]:
        """See Store."""
        query = "SELECT match FROM matches WHERE phase = $1 AND touched < $2"

        async def work(connection: Connection) -> list[str]:
            return [str(row["match"]) for row in await connection.fetch(query, TablePhase.OVER, date, timeout=READ)]

        return await self._ask(work)

    async def unplayed(self, since: float, before: float) -> list[str]:
        """See Store. The record says whether a match is, so the dates must leave few of them."""
        query = "SELECT match, record FROM matches WHERE phase = $1 AND touched >= $2 AND touched < $3"

        async def work(connection: Connection) -> list[str]:
            found: list[str] = []
            for row in await connection.fetch(query, TablePhase.PLAYING, since, before):
                with contextlib.suppress(Damaged):
                    found += [row["match"]] if _table(row["match"], row["record"]).unplayed else []
            return found

        return await self._ask(work)

    async def matches_of(self, person: str) -> list[str]:
        """See Store."""
        query = "SELECT match FROM matches WHERE people @> ARRAY[$1] ORDER BY touched DESC, match"

        async def work(connection: Connection) -> list[str]:
            return [str(row["match"]) for row in await connection.fetch(query, person, timeout=READ)]

        return await self._ask(work)

    async def people(self) -> list[PersonRecord]:
        """See Store."""

        async def work(connection: Connection) -> list[PersonRecord]:
            rows = await connection.fetch("SELECT record FROM people ORDER BY person", timeout=READ)
            found = [_person(row["record"]) for row in rows]
            if None in found:
                log.warning("damaged-people", people=found.count(None))
            return [person for person in found if person is not None]

        return await self._ask(work)

    async def keep_person(self, person: PersonRecord) -> None:
        """See Store."""
        query = "INSERT INTO people VALUES ($1, $2) ON CONFLICT (person) DO UPDATE SET record = excluded.record"
        row = person.person, msgspec.msgpack.encode(person)

        async def work(connection: Connection) -> None:
            await connection.execute(query, *row)

        await self._in_turn(_OF_PERSON + person.person, work)

    async def forget_person(self, person: str) -> None:
        """See Store."""

        async def work(connection: Connection) -> None:
            await connection.execute("DELETE FROM people WHERE person = $1", person)

        await self._in_turn(_OF_PERSON + person, work)

    async def delete(self, match: str, epoch: int) -> None:
        """See Store."""

        async def work(connection: Connection) -> None:
            if await connection.fetchval(_DELETE, match, self._known(match, epoch)) is None:
                raise Fenced(_FENCED)

        await self._in_turn(match, work)

    def give_up(self) -> None:
        """Whatever still waits for the database is Fenced at once: others have it by now, or will, and what becomes of
        it is for them to find out."""
        for task in self._working:
            task.cancel()

    async def close(self) -> None:
        """See Store."""
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
        """Why a server that shares with no other might not be the only one now; "" while it is, or shares."""
        return "" if self._sole is None else self._sole.trouble

    def _note(self, trouble: str) -> None:
        """Whether all can be kept: "", or what is in the way."""
        if self.healthy != bool(trouble):
            return
        self.healthy = not trouble
        if trouble:
            log.warning("unhealthy", error=trouble)
        else:
            log.info("healthy-again")

    def _known(self, match: str, epoch: int) -> int:
        """The epoch that the database knows an owner by."""
        return self._renewed.get((match, epoch), epoch)

    async def _in_turn(self, match: str, work: Work[T], doubt: "_Doubt[T] | None" = None) -> T:
        return await self._begin(work, doubt, match)

    def _begin(self, work: Work[T], doubt: "_Doubt[T] | None", *matches: str) -> "asyncio.Future[T]":
        """Do it after all that was asked of the matches before, also for those who no longer wait for it."""
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        before = [self._last[match] for match in matches if match in self._last]
        doing = self._after(before, answer, matches[0], work, doubt)
        task = asyncio.create_task(doing) if before or not self.lines.at_hand else begun(doing)
        self._last.update(dict.fromkeys(matches, task))
        self._working.add(task)
        task.add_done_callback(lambda done: self._finished(matches, done, answer))
        return answer

    def _finished(self, matches: Sequence[str], task: "asyncio.Task[None]", answer: "asyncio.Future[T]") -> None:
        self._working.discard(task)
        for match in matches:
            if self._last.get(match) is task:
                del self._last[match]
        if task.cancelled():  # Before it began.
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
        try:
            return await self._ask(work)
        except _Lost:
            if doubt is None:
                raise
            await asyncio.sleep(0)  # From here on this is a task, which may wait for a new line.
            return await self._settle(match, work, doubt)

    async def _settle(self, match: str, work: Work[T], doubt: "_Doubt[T]") -> T:
        """Find out whether work was kept whose answer was lost, and repeat it if not, until its outcome is known.

        Later answers can be lost, too. A caller must not be told that nothing was kept while that is not certain.
        Raises Fenced where the match is somebody else's, or nothing can be found out: then its log is to be read again.
        """
        end = time.monotonic() + DOUBT
        tried: list[int] = []
        for pause in itertools.chain(PAUSES, itertools.repeat(PAUSES[-1])):
            try:
                if doubt.is_kept(await self._renew(match, doubt.epoch, tried)):
                    return doubt.result
                return await self._ask(work)
            except Fenced:
                raise
            except StoreError:
                if time.monotonic() > end:
                    raise Fenced(_FENCED) from None
                await asyncio.sleep(pause)
        raise AssertionError("the pauses never end")

    async def _ask(self, work: Work[T]) -> T:
        """Raises StoreError: nothing was kept, but for `_Lost`: nobody knows."""
        sent = False
        try:
            connection = await self.lines.take()
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

    async def _renew(self, match: str, epoch: int, tried: list[int]) -> "_Head":
        """The head of a match after an answer was lost.

        The owner gets a new epoch in the same statement: what is still on its way under the old one comes too late.
        The answer to this can be lost, too. So the new epoch is one that no other claim leads to, and the next attempt
        accepts those that were `tried`. Raises Fenced where the match is somebody else's, StoreError to try again.
        """
        known = [self._known(match, epoch), *tried]
        fresh = known[-1] + 2 + secrets.randbits(32)
        tried.append(fresh)

        async def work(connection: Connection) -> "asyncpg.Record | None":
            return await connection.fetchrow(_RENEW, match, known, fresh)

        row = await self._ask(work)
        if row is None:
            raise Fenced(_FENCED)
        self._renewed[match, epoch] = fresh
        return row["n"], row["chk"]


async def _lines(url: str) -> PostgresConnections:
    """To a database with the tables of this version. Raises StoreError."""
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
    """Tell whoever waits for it; where nobody does, nobody misses it."""
    if not answer.done():
        answer.set_exception(error)
        answer.exception()


_Head: TypeAlias = tuple[int, bytes]
"""The last entry of a log: its number, its check."""


class _Lost(StoreError):
    """The connection was lost before the answer."""


class _Doubt(Struct, Generic[T], frozen=True):
    """How the owner of that epoch learns an outcome whose answer was lost. `is_kept`: whether the work was kept, by the
    head of the log; raises Fenced where another owner has written since. `result`: its result if it was."""

    epoch: int
    is_kept: Callable[[_Head], bool]
    result: T


def _step(check: bytes, entries: Sequence[Entry]) -> _Step:
    after, blobs, checks = check, [], []
    for entry in entries:
        blobs.append(msgspec.msgpack.encode(entry))
        after = chain(after, blobs[-1])
        checks.append(after)
    numbers = [entry.n for entry in entries]
    return _Step(numbers[0] - 1, numbers[-1], after, numbers, blobs, checks)


def _node(row: "asyncpg.Record", silent: float) -> Node:
    return Node(row["node"], row["name"], row["url"], row["protocol"], silent)


def columns_of(table: TableRecord) -> tuple[int, str, list[str], int, str | None, int]:
    """Return the columns by which tables are looked up: phase, code, people, due, past, ended."""
    people = sorted({chair.person for chair in table.chairs if chair.person})
    past = table.ruleset if table.phase == TablePhase.OVER and table.open else None
    return table.phase, table.code, people, table.due, past, table.ended


def _released(table: TableRecord) -> tuple[bytes, int, str, str, int, str | None, int]:
    """Record and columns of a table among many: an array cannot hold arrays of different lengths."""
    phase, code, people, due, past, ended = columns_of(table)
    return msgspec.msgpack.encode(table), phase, code, "\n".join(people), due, past, ended


def _table(match: str, record: bytes) -> TableRecord:
    """The record. Raises Damaged."""
    try:
        return msgspec.msgpack.decode(record, type=TableRecord)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Damaged(f"The record of match {match} is damaged.") from None


def _person(record: bytes) -> PersonRecord | None:
    """A profile, None for one that is damaged: its person is a stranger again."""
    try:
        return msgspec.msgpack.decode(record, type=PersonRecord)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


async def _stored(connection: Connection, match: str, row: "asyncpg.Record", fit: Fit | None) -> Stored:
    """A claimed match with its log. Raises Damaged, and what `fit` raises."""
    table = _table(match, row["record"])
    if fit is not None:
        fit(table)
    query = "SELECT n, entry, chk FROM log WHERE match = $1 ORDER BY n"
    rows = await connection.fetch(query, match, timeout=READ)
    entries, kept = sound((each["n"], each["entry"], each["chk"]) for each in rows)
    check = kept[-1][2] if kept else GENESIS
    if (len(entries), check) != (row["n"], row["chk"]):
        raise Damaged(f"The log of match {match} is damaged after entry {len(entries)} of {row['n']}.")
    return Stored(table, row["epoch"], entries, check, row["silent"])
