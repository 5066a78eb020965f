"""The tables in PostgreSQL, for commands that have them to themselves, and drafts that replace them at once."""

import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import asyncpg

from server.cluster.postgres.connection import CONNECT, LOST, Connection, words
from server.cluster.postgres.node_heartbeat import ALONE
from server.cluster.postgres.schema import MIGRATIONS, TABLES, migrate, upsert
from server.storage.offline import Finding, Offline, Whole
from server.storage.port import Damaged, StoreError
from server.storage.rows import KEYS, Kept, Row, columns_of, id_of, single_of
from shared.tables import TablePhase

USED: Final = "A server uses this database; stop it first. In a cluster stop every server."
_PUT: Final = """
INSERT INTO matches (match, record, epoch, n, chk, touched, phase, code, people, due, past, ended)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
"""
_SAVE: Final = """
UPDATE matches SET record = $3, touched = $4, phase = $5, code = $6, people = $7, due = $8, past = $9, ended = $10
WHERE match = $1 AND epoch = $2
"""
_ROW: Final = "SELECT match, record, epoch, n, chk, touched FROM matches WHERE match = $1"
_LOG: Final = "SELECT n, entry, chk FROM log WHERE match = $1 ORDER BY n"
_THERE: Final = "SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename = ANY($2) ORDER BY tablename"


class OfflineDatabase(Offline):
    """The matches in one schema of a database, over one connection.

    It holds the lock of a server that uses the database alone: while it is open, no server can use the matches.
    """

    def __init__(self, connection: Connection, schema: str, url: str) -> None:
        self._connection = connection
        self.schema = schema
        self.url = url

    @classmethod
    async def open(cls, url: str, beside: bool = False, empty: bool = False) -> "OfflineDatabase":
        """Connect. `beside`: only to read, while servers may use it. `empty`: also if there are no tables yet.

        StoreError gives the reason of a failure in one sentence.
        """
        try:
            connection = await asyncpg.connect(url, timeout=CONNECT)
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            raise StoreError(f"Cannot use the database: {words(error)}.") from None
        database = cls(connection, "", url)
        try:
            async with database._work():
                await database._begin(beside, empty)
        except BaseException:
            await database.close()
            raise
        return database

    async def _begin(self, beside: bool, empty: bool) -> None:
        self.schema = await self._connection.fetchval("SELECT current_schema()") or ""
        if not self.schema:
            raise StoreError("The database's user has no schema there: CREATE SCHEMA public, or grant its use.")
        if beside:
            # All reads see the same moment: otherwise concurrent changes by servers would look like damage.
            await self._connection.execute("SET default_transaction_isolation = 'repeatable read'")
            await self._connection.execute("SET default_transaction_read_only = on")
        elif not await self._connection.fetchval("SELECT pg_try_advisory_lock($1)", ALONE):
            raise StoreError(USED)
        tables = await self.tables()
        if "matches" not in tables and not empty:
            raise StoreError("This database has no matches; check --store.")
        if "conquest_schema" in tables:
            version = await self._connection.fetchval("SELECT max(version) FROM conquest_schema") or 0
            if version > len(MIGRATIONS):
                raise StoreError(
                    f"The database is of version {version}; this program knows {len(MIGRATIONS)}. Update the older one."
                )
            if not beside:
                await migrate(self._connection)

    async def tables(self) -> list[str]:
        """Return which of our tables exist."""
        rows = await self._connection.fetch(_THERE, self.schema, list(TABLES))
        return [str(row["tablename"]) for row in rows]

    # --- see Offline ---

    async def matches(self) -> list[str]:
        query = "SELECT match FROM matches UNION SELECT match FROM log"  # A log whose row is missing is damage.
        return sorted(await self._column(query))

    async def unfinished(self) -> list[str]:
        query = 'SELECT match FROM matches WHERE phase < $1 ORDER BY match COLLATE "C"'
        return await self._column(query, TablePhase.OVER)

    async def whole(self, match: str) -> Whole:
        async with self._work(), self._connection.transaction():
            found = await self._connection.fetchrow(_ROW, match)
            log = [(row["n"], row["entry"], row["chk"]) for row in await self._connection.fetch(_LOG, match)]
        if found is None:
            return Whole(match, None, log, f"Match {match} does not exist; check its id and --data.")
        row = Row(match, found["record"], found["epoch"], found["n"], found["chk"], found["touched"])
        return Whole(match, row, log)

    async def put(self, row: Row, log: Sequence[Kept]) -> None:
        async with self._work(), self._connection.transaction():
            await self._replace(row, log)

    async def save(self, row: Row) -> None:
        await self._execute(_SAVE, row.match, row.epoch, row.record, time.time(), *columns_of(row.table))

    async def drop(self, match: str) -> None:
        async with self._work(), self._connection.transaction():
            await self._drop(match)

    async def singles(self, table: str) -> tuple[list[tuple[str, bytes]], int]:
        key = KEYS[table]
        async with self._work():
            rows = await self._connection.fetch(f'SELECT {key}, record FROM {table} ORDER BY {key} COLLATE "C"')
        found = [(row[key], row["record"]) for row in rows if _is_sound(table, row[key], row["record"])]
        return found, len(rows) - len(found)

    async def put_single(self, table: str, key: str, record: bytes) -> None:
        await self._execute(upsert(table), key, record)

    async def drop_single(self, table: str, key: str) -> None:
        await self._execute(f"DELETE FROM {table} WHERE {KEYS[table]} = $1", key)

    async def age(self) -> int:
        async with self._work():
            return int(await self._connection.fetchval("SELECT max(age) FROM life") or 0)

    async def put_age(self, age: int) -> None:
        await self._execute("INSERT INTO life VALUES (0, $1) ON CONFLICT (id) DO UPDATE SET age = excluded.age", age)

    async def close(self) -> None:
        with contextlib.suppress(*LOST, asyncpg.PostgresError):
            await self._connection.close(timeout=CONNECT)
        self._connection.terminate()

    # --- repair, and drafts ---

    async def mend(self, findings: Sequence[Finding], stamp: str) -> str:
        """Restore what is damaged in its place, all or nothing; see Offline."""
        aside = f"conquest_damaged_{stamp}"
        damaged = [finding for finding in findings if finding.wrong]
        sound = {table: [key for key, _ in (await self.singles(table))[0]] for table in KEYS}
        matches = [finding.match for finding in damaged]
        async with self._work(), self._connection.transaction():
            await self._connection.execute(f'CREATE SCHEMA "{aside}"')
            for table in ("matches", "log"):
                which = f'CREATE TABLE "{aside}".{table} AS SELECT * FROM {table} WHERE false'
                await self._connection.execute(which)
                copied = f'INSERT INTO "{aside}".{table} SELECT * FROM {table} WHERE match = ANY($1)'
                await self._connection.execute(copied, matches)
            for table, key in KEYS.items():
                await self._connection.execute(f'CREATE TABLE "{aside}".{table} AS SELECT * FROM {table} WHERE false')
                gone = f"WITH gone AS (DELETE FROM {table} WHERE {key} <> ALL($1) RETURNING *)"
                moved = f'{gone} INSERT INTO "{aside}".{table} SELECT * FROM gone'
                await self._connection.execute(moved, sound[table])
            for finding in damaged:
                await self._drop(finding.match)
                if finding.row is not None:
                    await self._replace(finding.row, finding.log)
        return f"The damaged rows are kept in the schema {aside}."

    @asynccontextmanager
    async def draft(self, schema: str) -> "AsyncIterator[OfflineDatabase]":
        """Context for work on tables in that schema, which are created if they do not exist; see `publish`."""
        try:
            async with self._work():
                await self._connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
                await self._connection.execute(f'SET search_path TO "{schema}"')
                await migrate(self._connection)
            yield OfflineDatabase(self._connection, schema, self.url)
        finally:
            with contextlib.suppress(*LOST, asyncpg.PostgresError):
                await self._connection.execute("RESET search_path")

    async def publish(self, schema: str) -> None:
        """Replace the tables here, which are deleted, with the tables of a draft, all or nothing."""
        async with self._work(), self._connection.transaction():
            for table in await self.tables():
                await self._connection.execute(f'DROP TABLE "{self.schema}".{table}')
            for table in TABLES:
                await self._connection.execute(f'ALTER TABLE "{schema}".{table} SET SCHEMA "{self.schema}"')
            await self._connection.execute(f'DROP SCHEMA "{schema}"')

    async def put_aside(self, schema: str) -> None:
        """Move all tables into a new schema of that name, so that servers find none."""
        async with self._work(), self._connection.transaction():
            await self._connection.execute(f'CREATE SCHEMA "{schema}"')
            for table in await self.tables():
                await self._connection.execute(f'ALTER TABLE "{self.schema}".{table} SET SCHEMA "{schema}"')

    async def discard(self, schema: str) -> None:
        """Delete a draft, if there is one."""
        await self._execute(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')

    # --- inside ---

    async def _replace(self, row: Row, log: Sequence[Kept]) -> None:
        await self._drop(row.match)
        values = (row.match, row.record, row.epoch, row.n, row.check, row.touched, *columns_of(row.table))
        await self._connection.execute(_PUT, *values)
        rows = [(row.match, *kept) for kept in log]
        columns = ["match", "n", "entry", "chk"]
        await self._connection.copy_records_to_table("log", records=rows, columns=columns)

    async def _drop(self, match: str) -> None:
        await self._connection.execute("DELETE FROM log WHERE match = $1", match)
        await self._connection.execute("DELETE FROM matches WHERE match = $1", match)

    async def _column(self, query: str, *values: object) -> list[str]:
        async with self._work():
            return [str(row[0]) for row in await self._connection.fetch(query, *values)]

    async def _execute(self, statement: str, *values: object) -> None:
        async with self._work():
            await self._connection.execute(statement, *values)

    @asynccontextmanager
    async def _work(self) -> AsyncIterator[None]:
        """Context that turns errors of the database into StoreError."""
        try:
            yield
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            raise StoreError(f"The database failed: {words(error)}.") from None


def _is_sound(table: str, key: str, record: bytes) -> bool:
    with contextlib.suppress(Damaged):
        return id_of(single_of(table, record)) == key
    return False


DRAFT_SCHEMA: Final = "conquest_moving"
"""Schema that is being filled."""


class DatabasePlace:
    """Database of PostgreSQL."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._database: OfflineDatabase | None = None

    def __str__(self) -> str:
        return "the database"

    async def store(self) -> Offline | None:
        """Open the database, or return None if it has no tables."""
        if self._database is None:
            self._database = await OfflineDatabase.open(self._url, empty=True)
        return self._database if "matches" in await self._database.tables() else None

    @asynccontextmanager
    async def draft(self) -> AsyncIterator[Offline]:
        """Open the schema that is being filled."""
        await self.store()
        assert self._database is not None
        async with self._database.draft(DRAFT_SCHEMA) as draft:
            yield draft

    async def publish(self) -> None:
        """Put the draft's tables in their place in one transaction."""
        assert self._database is not None
        await self._database.publish(DRAFT_SCHEMA)

    async def discard(self) -> None:
        """Delete the draft's schema."""
        assert self._database is not None
        await self._database.discard(DRAFT_SCHEMA)

    async def put_aside(self, stamp: str) -> str:
        """Move the tables into a schema of their own, and return its name."""
        assert self._database is not None
        aside = f"conquest_moved_{stamp.replace('-', '_')}"
        await self._database.put_aside(aside)
        return f"the schema {aside}"

    async def close(self) -> None:
        """Close the connection."""
        if self._database is not None:
            await self._database.close()
            self._database = None
