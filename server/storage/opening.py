"""Which store a server keeps its matches in, by what its operator says."""

from pathlib import Path
from typing import Final

from msgspec import Struct

from server.storage.port import Store, StoreError
from server.storage.sqlite import SqliteStore

DATABASE: Final = "conquest.sqlite3"
"""The file beside which a server alone keeps everything."""
POSTGRES: Final = ("postgresql://", "postgres://")


class Sharer(Struct, frozen=True):
    """One of several servers on a database: what its operator calls it, and where people find it."""

    name: str = ""
    url: str = ""


async def open_store(where: str, data: Path, beside: bool = False, shared: Sharer | None = None) -> Store:
    """The store at a URL, "" for a file in the directory `data`. `beside`: to read in a database that a server uses;
    `shared`: to be one of several servers that do.
    StoreError says in one sentence what is in the way."""
    if shared is not None and not where:
        raise StoreError("Several servers share a database: --bus needs --store postgresql://...")
    if not where:
        return await SqliteStore.open(data / DATABASE)
    if not where.startswith(POSTGRES):
        raise StoreError(f"A store is given as postgresql://USER@HOST/DATABASE, not as {where.partition(':')[0]}:...")
    try:
        from server.storage.membership import new_node
        from server.storage.postgres import PostgresStore
    except ModuleNotFoundError:
        raise StoreError("For PostgreSQL install conquest-empire[cluster].") from None
    if shared is not None:
        return await PostgresStore.open(where, node=new_node(shared.name, shared.url))
    return await (PostgresStore.open(where) if beside else PostgresStore.alone(where))
