"""Checks of a PostgreSQL database for `doctor`: durability, clock, and tables."""

import time
from collections.abc import Iterator

import asyncpg

from server.cluster.postgres.connection import CONNECT, CONNECTIONS, LOST, words
from server.cluster.postgres.node_heartbeat import ALONE
from server.cluster.postgres.schema import MIGRATIONS
from server.storage.port import StoreError

_ASKED = """
SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
    current_setting('synchronous_commit') AS synchronous, current_setting('full_page_writes') AS pages,
    current_setting('max_connections')::int AS connections, pg_is_in_recovery() AS standby,
    has_database_privilege(current_database(), 'CREATE') AS makes_schemas,
    extract(epoch FROM clock_timestamp())::float8 AS now,
    to_regclass('conquest_schema') IS NOT NULL AS tables
"""


async def examine(url: str, slow: float, apart: float) -> list[tuple[bool, str]]:
    """Return (whether all is well, sentence) for each topic.

    `slow`: seconds for an answer beyond which players notice; `apart`: seconds by which two clocks may differ. Raises
    StoreError if the database cannot be reached.
    """
    try:
        connection = await asyncpg.connect(url, timeout=CONNECT, command_timeout=CONNECT)
        try:
            await connection.fetchval("SELECT 1")
            begun = time.time()
            row = await connection.fetchrow(_ASKED)
            took = time.time() - begun
            assert row is not None
            version = await connection.fetchval("SELECT max(version) FROM conquest_schema") if row["tables"] else 0
            alone = await connection.fetchval("SELECT pg_try_advisory_lock($1)", ALONE)
        finally:
            await connection.close(timeout=CONNECT)
    except (*LOST, asyncpg.PostgresError, ValueError) as error:
        raise StoreError(f"Cannot use the database: {words(error)}.") from None
    used = "no server uses it now" if alone else "a server uses it now"
    found = [
        (took < slow, f"PostgreSQL {row['version']} answers in {took * 1000:.1f} ms; {used}."),
        *_durability_remarks(row),
        _clock(row["now"] - begun - took / 2, apart),
        _format_remark(int(version or 0)),
        (
            row["connections"] >= 2 * CONNECTIONS,
            f"{row['connections']} connections are allowed; each server takes up to {CONNECTIONS + 2}.",
        ),
    ]
    if not row["makes_schemas"]:
        found.append(
            (True, "this user may not make schemas, which `move` and `repair` need: GRANT CREATE ON DATABASE.")
        )
    return found


def _durability_remarks(row: "asyncpg.Record") -> Iterator[tuple[bool, str]]:
    if row["standby"]:
        yield False, "it is a standby, which takes no writes: give --store the address of the primary."
    wrong = [
        f"{name} = {row[key]}"
        for name, key in (("fsync", "fsync"), ("synchronous_commit", "synchronous"), ("full_page_writes", "pages"))
        if row[key] == "off"
    ]
    if wrong:
        yield False, f"with {', '.join(wrong)} acknowledged actions can be lost: turn that on."
    else:
        yield True, f"acknowledged actions are durable (fsync on, synchronous_commit {row['synchronous']})."


def _clock(ahead: float, apart: float) -> tuple[bool, str]:
    if abs(ahead) <= apart:
        return True, "its clock and this machine's agree."
    return False, f"its clock is {abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} this machine's."


def _format_remark(version: int) -> tuple[bool, str]:
    if version > len(MIGRATIONS):
        return False, f"its tables are of format {version}, this version knows {len(MIGRATIONS)}: please update."
    if version == 0:
        return True, "it has no tables yet; the server makes them."
    ours = "as this version has them" if version == len(MIGRATIONS) else f"which the server raises to {len(MIGRATIONS)}"
    return True, f"its tables are of format {version}, {ours}."
