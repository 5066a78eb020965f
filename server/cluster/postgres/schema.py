"""The tables in PostgreSQL, and their migrations."""

from typing import Final

from server.cluster.postgres.connection import Connection
from server.storage.port import StoreError
from server.storage.rows import KEYS

MIGRATIONS: Final = (
    """
    CREATE TABLE matches (
        match text PRIMARY KEY,
        record bytea NOT NULL,
        epoch bigint NOT NULL,
        n bigint NOT NULL,
        chk bytea NOT NULL,
        phase smallint NOT NULL,
        code text NOT NULL,
        people text[] NOT NULL,
        due bigint NOT NULL,
        touched double precision NOT NULL
    );
    CREATE INDEX matches_by_code ON matches (code);
    CREATE INDEX matches_by_people ON matches USING gin (people);
    CREATE INDEX matches_unfinished ON matches (touched) WHERE phase < 2;
    CREATE TABLE log (
        match text NOT NULL REFERENCES matches ON DELETE CASCADE,
        n bigint NOT NULL,
        entry bytea NOT NULL,
        chk bytea NOT NULL,
        PRIMARY KEY (match, n)
    );
    CREATE INDEX matches_due ON matches (due) WHERE due > 0;
    CREATE TABLE life (id smallint PRIMARY KEY, age bigint NOT NULL);
    CREATE TABLE people (person text PRIMARY KEY, record bytea NOT NULL);
    """,
    """
    ALTER TABLE matches ADD COLUMN past text, ADD COLUMN ended bigint NOT NULL DEFAULT 0;
    CREATE INDEX matches_past ON matches (ended) WHERE past IS NOT NULL;
    """,
    """
    ALTER TABLE matches ADD COLUMN owner text;
    CREATE TABLE nodes (
        node text PRIMARY KEY,
        name text NOT NULL,
        url text NOT NULL,
        protocol integer NOT NULL,
        since timestamptz NOT NULL,
        seen timestamptz NOT NULL,
        age bigint NOT NULL
    );
    """,
    # Columns that change with every action are in no index, and rows have spare space: such updates touch no index.
    # Entries are written and deleted together with their match's row, by one statement: no foreign key is needed.
    """
    DROP INDEX matches_unfinished;
    CREATE INDEX matches_unfinished ON matches (match) WHERE phase < 2;
    ALTER TABLE matches SET (fillfactor = 70);
    ALTER TABLE log DROP CONSTRAINT log_match_fkey;
    """,
    "CREATE TABLE deeds (deed text PRIMARY KEY, record bytea NOT NULL);",
)
"""Each migrates from the version before it; released ones are never changed."""
TABLES: Final = ("conquest_schema", "deeds", "life", "log", "matches", "nodes", "people")
"""All tables that they create."""
_LOCK: Final = 0x436F6E71
"""Number of the advisory lock that lets one server migrate at a time."""


async def migrate(connection: Connection) -> None:
    """Create or migrate the tables, all or nothing. Raises StoreError if they are of a later version."""
    async with connection.transaction():
        await connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
        await connection.execute("CREATE TABLE IF NOT EXISTS conquest_schema (version integer NOT NULL)")
        version = await connection.fetchval("SELECT max(version) FROM conquest_schema") or 0
        if version > len(MIGRATIONS):
            raise StoreError(
                f"The database is of version {version}; this server knows {len(MIGRATIONS)}. Update the server."
            )
        for number, statements in enumerate(MIGRATIONS[version:], version + 1):
            await connection.execute(statements)
            await connection.execute("INSERT INTO conquest_schema VALUES ($1)", number)


def upsert(table: str) -> str:
    """Return the statement that stores a record in a table of `KEYS`."""
    update = f"ON CONFLICT ({KEYS[table]}) DO UPDATE SET record = excluded.record"
    return f"INSERT INTO {table} VALUES ($1, $2) {update}"
