"""Database of PostgreSQL as a place from or to which `move` moves everything."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from server.cluster.postgres.offline import OfflineDatabase
from server.storage.offline import Offline

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
